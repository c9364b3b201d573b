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
class Form:
    """One form of the text: how it is made, its media type, and whether browsers show it."""

    write: Callable[[Template], str]
    media_type: str
    disposition: str = "attachment"


FORMS: Final[Mapping[str, Form]] = {
    "txt": Form(write, "text/plain; charset=utf-8", "inline"),
    "md": Form(kramdown, "text/markdown; charset=utf-8; variant=kramdown-rfc2629"),
    "rfc.xml": Form(rfcxml, "application/xml; charset=utf-8"),
}
FORM: Final = r"(?P<form>txt|md|rfc\.xml)"
"""How addresses end that lead to a file."""


def document(request: HttpRequest, template: Template, form: str, name: str) -> HttpResponse:
    """Return `template` in one of `FORMS`, the same octets for the same text, as a file `name`."""
    made = FORMS[form]
    octets = made.write(template).encode()
    etag = quote_etag(hashlib.sha256(octets).hexdigest())
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponseNotModified(headers={"ETag": etag})
    response = HttpResponse(octets, content_type=made.media_type, headers={"ETag": etag})
    response["Content-Disposition"] = f'{made.disposition}; filename="{name}.{form}"'
    return response


def plain_text(template: Template, name: str) -> HttpResponse:
    """Return the canonical text of `template` as a file called `name`."""
    response = HttpResponse(write(template), content_type=FORMS["txt"].media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
