"""What programs are told when an address has nothing for them: never a page."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Final

from django.http import HttpResponse

from registry.http.formats import FORMATS

JSON_ENDINGS: Final = frozenset({"json", "jsonld"})


def find_ending(path: str) -> str:
    """Return the ending by which an address asks for a form, empty where it asks for a page."""
    name = path.rpartition("/")[2]
    return next((each for each in FORMATS if name.endswith(f".{each}")), "")


def build_refusal(ending: str, status: int, detail: str) -> HttpResponse:
    """Return a refusal in the manner of a form: problem details (RFC 9457), or a line of text."""
    phrase = HTTPStatus(status).phrase
    if ending in JSON_ENDINGS:
        told = {"type": "about:blank", "title": phrase, "status": status, "detail": detail}
        body, media_type = json.dumps(told) + "\n", "application/problem+json"
    else:
        body, media_type = f"{phrase}. {detail}\n", "text/plain; charset=utf-8"
    headers = {"Access-Control-Allow-Origin": "*"}
    return HttpResponse(body, status=status, content_type=media_type, headers=headers)
