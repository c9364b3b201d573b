"""Text as a response to a program: a template, an export; its type and its name."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import http_date, quote_etag

from registry import selectors
from registry.content_negotiation import choose_content_coding
from registry.exchange.exports import read_export_chunks
from registry.http.cache import REVALIDATED
from registry.http.conditional_requests import make_content_etag, respond_conditionally
from registry.http.formats import FORMATS
from registry.models import BuiltExport
from registry.template import Template, write
from registry.template.text import kramdown, rfcxml

ATTACHMENT_ENDINGS: Final = frozenset({"csv", "md", "rfc.xml", "bib", "csl.json"})
"""Formats that browsers download instead of showing them."""
ChangeMoment = datetime.datetime | None


def respond_with_text(
    request: HttpRequest, ending: str, text: str, *, name: str, changed_at: ChangeMoment
) -> HttpResponseBase:
    """Return `text` as a file with that name, or a 304 to clients that have it."""
    octets = text.encode("utf-8", "replace")
    response = add_file_headers(HttpResponse(octets), ending, name)
    return make_conditional(request, response, make_content_etag(octets), changed_at)


def respond_with_stream(
    request: HttpRequest,
    ending: str,
    chunks: Iterable[str],
    *,
    name: str,
    changed_at: ChangeMoment,
) -> HttpResponseBase:
    """Return a long text as it is written; its tag is that of the registry as a whole."""
    today = datetime.datetime.now(datetime.UTC).date()
    told = f"{selectors.find_registry_version()}:{today}:{request.get_full_path()}"
    etag = make_content_etag(told.encode(), is_weak=True)
    octets = (chunk.encode("utf-8", "replace") for chunk in chunks)
    response = add_file_headers(StreamingHttpResponse(octets), ending, name)
    return make_conditional(request, response, etag, changed_at)


def add_file_headers(response: HttpResponseBase, ending: str, name: str) -> HttpResponseBase:
    """Return a response with its media type and file name."""
    disposition = "attachment" if ending in ATTACHMENT_ENDINGS else "inline"
    response["Content-Type"] = FORMATS[ending].media_type
    response["Content-Disposition"] = f'{disposition}; filename="{name}.{ending}"'
    return response


def serve_built_file(request: HttpRequest, built: BuiltExport, media_type: str) -> HttpResponseBase:
    """Return a built file, or a 304.

    A long one is sent as it is read, or by the web server in front of us if that has the folder.
    Raises `FileNotFoundError` if the store has lost it.
    """
    etag, size, is_packed = built.sha256, built.size, False
    headers = {"Content-Type": media_type}
    if built.packed_size is not None:
        headers["Vary"] = "Accept-Encoding"
        accepted = request.headers.get("Accept-Encoding", "")
        is_packed = choose_content_coding(accepted, ("gzip",)) is not None
        if is_packed:
            size, etag = built.packed_size, f"{etag}-gzip"
            headers["Content-Encoding"] = "gzip"
    response: HttpResponseBase
    if built.packed_size is None:
        response = HttpResponse(b"".join(read_export_chunks(built)), headers=headers)
    elif settings.REGISTRY_ACCEL_REDIRECT:
        response = redirect_to_proxy(built.path, headers)
    else:
        headers["Content-Length"] = str(size)
        chunks = read_export_chunks(built, packed=is_packed)
        response = StreamingHttpResponse(chunks, headers=headers)
    return make_conditional(request, response, quote_etag(etag), built.changed_at)


def redirect_to_proxy(path: str, headers: Mapping[str, str]) -> HttpResponse:
    """Have the web server in front of us send a file: it knows ranges and compressed files.

    It sends its own headers; only the entity tag remains ours.
    """
    ours = {name: text for name, text in headers.items() if name != "Content-Encoding"}
    folder = settings.REGISTRY_ACCEL_REDIRECT.rstrip("/")
    return HttpResponse(headers={**ours, "X-Accel-Redirect": f"{folder}/{quote(path)}"})


def make_conditional(
    request: HttpRequest,
    response: HttpResponseBase,
    etag: str,
    changed_at: ChangeMoment,
) -> HttpResponseBase:
    """Return the response with what caches need, or a 304."""
    response["ETag"], response["Cache-Control"] = etag, REVALIDATED
    if changed_at is not None:
        response["Last-Modified"] = http_date(changed_at.timestamp())
    return respond_conditionally(request, response)


@dataclass(frozen=True, slots=True)
class TemplateFileFormat:
    """One format of the text: how it is built, its media type, and whether browsers show it."""

    write: Callable[[Template], str]
    media_type: str
    disposition: str = "attachment"


TEMPLATE_FILE_FORMATS: Final[Mapping[str, TemplateFileFormat]] = {
    "txt": TemplateFileFormat(write, "text/plain; charset=utf-8", "inline"),
    "md": TemplateFileFormat(kramdown, "text/markdown; charset=utf-8; variant=kramdown-rfc2629"),
    "rfc.xml": TemplateFileFormat(rfcxml, "application/xml; charset=utf-8"),
}
TEMPLATE_FORMAT_PATTERN: Final = r"(?P<form>txt|md|rfc\.xml)"
"""The endings of addresses that lead to a file."""


def serve_template(
    request: HttpRequest, template: Template, form: str, name: str
) -> HttpResponseBase:
    """Return `template` as a file `name`: the same octets for the same text."""
    made = TEMPLATE_FILE_FORMATS[form]
    octets = made.write(template).encode()
    headers = {
        "Content-Type": made.media_type,
        "Content-Disposition": f'{made.disposition}; filename="{name}.{form}"',
        "ETag": make_content_etag(octets),
    }
    return respond_conditionally(request, HttpResponse(octets, headers=headers))


def serve_plain_text(template: Template, name: str) -> HttpResponse:
    """Return the canonical text of `template` as a file called `name`."""
    response = HttpResponse(write(template), content_type=TEMPLATE_FILE_FORMATS["txt"].media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
