"""What a request lacks of whoever holds its namespace, for lists."""

from __future__ import annotations

from django import template

from registry.models import RegistrationRequest
from registry.selectors.holder_consent import MissingConsent, find_missing_consent

register = template.Library()


@register.filter
def missing_word(registration_request: RegistrationRequest) -> MissingConsent | None:
    """Return what it lacks of the holder; of a new namespace it asks the database nothing."""
    return find_missing_consent(registration_request)
