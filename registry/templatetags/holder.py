"""Whose consent requests need, for lists."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from registry.models import RegistrationRequest
from registry.selectors.case import RequestCase, open_cases
from registry.selectors.consent import PublicationObstacle, find_missing_consent

register = template.Library()


@register.filter
def cases(requests: Iterable[RegistrationRequest]) -> list[RequestCase]:
    """Return `requests` with the rows that their rules ask; many cost as many queries as one."""
    return open_cases(requests)


@register.filter
def missing_consent(case: RequestCase) -> PublicationObstacle | None:
    """Return what the request needs from others."""
    return find_missing_consent(case)
