"""How facts are written as JSON, whatever they are about."""

from __future__ import annotations

import datetime
from typing import Any

from django.urls import reverse

from registry.template import Template
from registry.template.template import LISTS

Told = dict[str, Any]


def at(site: str, name: str, *args: object) -> str:
    """Return an address as it is outside."""
    return site + reverse(name, args=args)


def moment(value: datetime.datetime | None) -> str | None:
    """Return a moment in the notation of RFC 3339, in UTC."""
    if value is None:
        return None
    return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


def day(value: datetime.date | None) -> str | None:
    """Return a day as RFC 3339 writes it."""
    return value.isoformat() if value else None


def template_told(template: Template) -> Told:
    """Return a text field by field, in the order of its one definition; what is empty is null."""
    return {
        name: list(value) if name in LISTS else value or None
        for name, value in template.to_dict().items()
    }
