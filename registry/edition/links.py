"""Which addresses an answer leads to."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from registry.edition.asking import Answered

# Our own pages, style sheets and scripts, which are written in one way.
IN_PAGES: Final = re.compile(r"""\s(?:href|src|action)="([^"]*)\"""")
IN_STYLE: Final = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
IN_SCRIPT: Final = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.{0,2}/[^"']+)["']""")
IN_HEADER: Final = re.compile(r"<([^>]*)>\s*;")

BY_TYPE: Final = {
    "text/html": IN_PAGES,
    "text/css": IN_STYLE,
    "text/javascript": IN_SCRIPT,
    "application/javascript": IN_SCRIPT,
}


def links(answered: Answered, site: str) -> Iterator[str]:
    """Yield the addresses on `site` that the answer leads to, queries and all, places left out."""
    for written in written_links(answered):
        address = urlsplit(urljoin(f"{site}{answered.path}", written))
        if f"{address.scheme}://{address.netloc}" == site:
            query = f"?{address.query}" if address.query else ""
            yield quote(address.path or "/", safe="/%:@!$&'()*+,;=~-._") + query


def written_links(answered: Answered) -> Iterator[str]:
    """Yield what stands in the answer where an address is written."""
    yield from IN_HEADER.findall(answered.headers.get("Link", ""))
    if "Location" in answered.headers:
        yield answered.headers["Location"]
    pattern = BY_TYPE.get(answered.media_type)
    if pattern is None:
        return
    for found in pattern.finditer(answered.octets.decode()):
        yield html.unescape(next(filter(None, found.groups()), ""))
