"""Links to other formats and places, as a Link header (RFC 8288) and in the head of pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.utils.encoding import iri_to_uri
from django.utils.functional import Promise
from django.utils.http import urlencode

from registry.http.formats import list_formats

PAGING_PARAMETERS = ("page", "show")
MAX_LINK_HEADER: Final = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """One link: where it leads, what it leads to, and in which form that is."""

    href: str
    rel: str = "alternate"
    type: str = ""
    title: str | Promise = ""
    ending: str = ""

    @property
    def header(self) -> str:
        """The link as the header writes it."""
        words = f'; type="{self.type}"' if self.type else ""
        if self.title and not self.type:
            # What has a type is told by it: its title is for the head of the page.
            words = f'; title="{self.title}"'
        return f'<{iri_to_uri(self.href)}>; rel="{self.rel}"{words}'


def list_alternates(thing: str, page: str, asked: QueryDict) -> list[Link]:
    """Return the forms of the thing whose page is at `page`, with the filters in `asked`."""
    query = encode_filters(asked)
    return [
        Link(
            f"{page[:-1]}.{form.ending}{query}",
            "alternate",
            form.bare_type,
            form.title,
            form.ending,
        )
        for form in list_formats(thing)
    ]


def encode_filters(asked: QueryDict) -> str:
    """Return the query that says what is listed; on which page of it is left out."""
    kept = [(name, value) for name, values in asked.lists() for value in values]
    said = urlencode([(name, value) for name, value in kept if name not in PAGING_PARAMETERS])
    return f"?{said}" if said else ""


def make_canonical_link(page: str, asked: QueryDict) -> Link:
    """Return the one address of a thing, whatever form it is read in (RFC 6596)."""
    return Link(settings.SITE + page + encode_filters(asked), "canonical")


def join_links(links: Iterable[Link]) -> str:
    """Return the header that has all of these links."""
    return ", ".join(each.header for each in links)


def add_links(response: HttpResponseBase, links: Iterable[Link]) -> None:
    """Add links to the header of an answer, as far as there is room for them.

    Each repeats the filters of a list, and a web server in front refuses headers that are longer
    than it expects: nginx, all together, than 4 KiB. What is left out the head of the page has.
    """
    said = response.get("Link", "")
    for each in links:
        longer = f"{said}, {each.header}" if said else each.header
        if len(longer) <= MAX_LINK_HEADER:
            said = longer
    if said:
        response["Link"] = said


def get_page_path(request: HttpRequest, ending: str) -> str:
    """Return the address of the page whose form, with that ending, is asked for."""
    return request.path.removesuffix(f".{ending}") + "/"
