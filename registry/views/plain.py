"""A template as a file of plain text."""

from __future__ import annotations

from django.http import HttpResponse

from registry.template import Template, write


def plain_text(template: Template, name: str) -> HttpResponse:
    """Return the canonical text of `template` as a file called `name`."""
    response = HttpResponse(write(template), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
