"""A template as a file: its plain text, and a section for an Internet-Draft."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags, quote_etag

from registry.template import Template, write
from registry.template.draft import kramdown, rfcxml


@dataclass(frozen=True, slots=True)
class TemplateFileFormat:
    """One form of the text: how it is made, its media type, and whether browsers show it."""

    write: Callable[[Template], str]
    media_type: str
    disposition: str = "attachment"


TEMPLATE_FILE_FORMATS: Final[Mapping[str, TemplateFileFormat]] = {
    "txt": TemplateFileFormat(write, "text/plain; charset=utf-8", "inline"),
    "md": TemplateFileFormat(kramdown, "text/markdown; charset=utf-8; variant=kramdown-rfc2629"),
    "rfc.xml": TemplateFileFormat(rfcxml, "application/xml; charset=utf-8"),
}
TEMPLATE_FORMAT_PATTERN: Final = r"(?P<form>txt|md|rfc\.xml)"
"""How addresses end that lead to a file."""


def serve_template(request: HttpRequest, template: Template, form: str, name: str) -> HttpResponse:
    """Return `template` as a file `name`: the same octets for the same text."""
    made = TEMPLATE_FILE_FORMATS[form]
    octets = made.write(template).encode()
    etag = quote_etag(hashlib.sha256(octets).hexdigest())
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponseNotModified(headers={"ETag": etag})
    response = HttpResponse(octets, content_type=made.media_type, headers={"ETag": etag})
    response["Content-Disposition"] = f'{made.disposition}; filename="{name}.{form}"'
    return response


def serve_plain_text(template: Template, name: str) -> HttpResponse:
    """Return the canonical text of `template` as a file called `name`."""
    response = HttpResponse(write(template), content_type=TEMPLATE_FILE_FORMATS["txt"].media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
