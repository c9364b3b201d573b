"""What a request needs from its namespace's holder, for lists."""

from __future__ import annotations

from django import template

from registry.models import RegistrationRequest
from registry.selectors.holder_consent import MissingConsent, find_missing_consent

register = template.Library()


@register.filter
def missing_word(registration_request: RegistrationRequest) -> MissingConsent | None:
    """Return what it needs from the holder, without queries for a new namespace."""
    return find_missing_consent(registration_request)
