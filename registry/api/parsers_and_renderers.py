"""Parsers and renderers: JSON, JSON lines and text, with any characters and bounded size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

MAX_BODY_BYTES: Final = 2 << 20


class BodyTooLarge(APIException):
    """The body is larger than can be read at once."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = _("The body has more than 2 MiB. Send names to “check”, one on each line.")
    default_code = "too_large"


class BoundedJSONParser(BaseParser):
    """JSON of 2 MiB at most."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed body; raise `ParseError` if it is not JSON."""
        octets = stream.read(MAX_BODY_BYTES + 1)
        if len(octets) > MAX_BODY_BYTES:
            raise BodyTooLarge
        try:
            return json.loads(octets.decode("utf-8"), parse_constant=refuse_json_constant)
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except ValueError as error:
            raise ParseError(_("This is not JSON in UTF-8: %s") % error) from None


def refuse_json_constant(constant: str) -> None:
    """Raise `ValueError` for constants that Python reads and JSON does not have, such as NaN."""
    raise ValueError(constant)


class PlainJSONRenderer(JSONRenderer):
    """JSON in ASCII: texts in responses may contain characters that cannot be encoded."""

    ensure_ascii = True


class LinesRenderer(PlainJSONRenderer):
    """JSON lines, streamed; errors are plain JSON."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class TextRenderer(PlainJSONRenderer):
    """Lines of text, streamed; errors are JSON."""

    media_type = "text/plain"
    format = "txt"
