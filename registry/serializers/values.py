"""Values as JSON has them: addresses, moments, days, templates."""

from __future__ import annotations

import datetime

from registry.serializers.base import JSONObject
from registry.template import Template
from registry.template.template import LIST_FIELDS


def format_datetime(value: datetime.datetime | None) -> str | None:
    """Return a moment in the notation of RFC 3339, in UTC."""
    if value is None:
        return None
    return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


def format_date(value: datetime.date | None) -> str | None:
    """Return a day as RFC 3339 writes it."""
    return value.isoformat() if value else None


def serialize_template(template: Template) -> JSONObject:
    """Return a text field by field, in the order of its one definition; what is empty is null."""
    return {
        name: list(value) if name in LIST_FIELDS else value or None
        for name, value in template.to_dict().items()
    }
