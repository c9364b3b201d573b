"""Pages as people read them."""

from __future__ import annotations

import re
from html import unescape
from typing import Protocol

BLOCK = re.compile(r"</?(?:p|li|td|th|dt|dd|div|h\d|legend|label|summary)\b[^>]*>")
TAG = re.compile(r"<[^>]*>")


class Page(Protocol):
    """The site's response."""

    @property
    def content(self) -> bytes: ...


def text_of(response: Page) -> str:
    """Return the words of a page, with white space except non-breaking spaces merged."""
    visible = TAG.sub("", BLOCK.sub(" ", response.content.decode()))
    return re.sub(r"[ \t\r\n]+", " ", unescape(visible)).strip()
