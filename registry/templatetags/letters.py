"""Filters of the letters in `templates/mail/`."""

from __future__ import annotations

import textwrap

from django import template

register = template.Library()


@register.filter
def indented(text: str) -> str:
    """Set a quotation in plain text off from what is around it."""
    return textwrap.indent(text, "  ")
