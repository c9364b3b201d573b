"""Pages as people read them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Protocol

from django.core.exceptions import NON_FIELD_ERRORS
from lxml import html

BLOCK = re.compile(r"</?(?:p|li|td|th|dt|dd|div|h\d|legend|label|summary)\b[^>]*>")
TAG = re.compile(r"<[^>]*>")


class Page(Protocol):
    """The site's response."""

    @property
    def content(self) -> bytes: ...


def error_codes(
    response: Any, field: str = NON_FIELD_ERRORS, form: str = "form"
) -> list[str | None]:
    """Return the codes of what the page's form says about a field, or about all of it."""
    return [error.code for error in response.context[form].errors.as_data().get(field, ())]


def rows_of(response: Page) -> list[list[str]]:
    """Return the words of each cell in the bodies of the page's tables."""
    rows = html.fromstring(response.content).iterfind(".//tbody/tr")
    return [[" ".join(cell.text_content().split()) for cell in row] for row in rows]


def text_of(response: Page) -> str:
    """Return the words of a page, with white space except non-breaking spaces merged."""
    visible = TAG.sub("", BLOCK.sub(" ", response.content.decode()))
    return re.sub(r"[ \t\r\n]+", " ", unescape(visible)).strip()
