"""The formats in which a thing is read at its own address, and which thing has which.

An ending replaces the last slash of the page: `/namespaces/isbn/`, `/namespaces/isbn.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Format:
    """One form: how its addresses end, what it is sent as, its name, and how to ask for it.

    `asked_as` holds the media types that programs write into Accept; a form without any is had
    by its address alone.
    """

    ending: str
    media_type: str
    title: str | Promise
    asked_as: tuple[str, ...] = ()

    @property
    def bare_type(self) -> str:
        """The media type without its parameters."""
        return self.media_type.partition(";")[0]


FORMATS: Final[Mapping[str, Format]] = {
    form.ending: form
    for form in (
        Format("json", "application/json", "JSON", ("application/json",)),
        Format(
            "xml",
            "application/xml; charset=utf-8",
            "XML",
            ("application/xml", "text/xml"),
        ),
        Format("csv", "text/csv; charset=utf-8; header=present", "CSV", ("text/csv",)),
        Format("txt", "text/plain; charset=utf-8", _("Plain text"), ("text/plain",)),
        Format("jsonld", "application/ld+json", "JSON-LD", ("application/ld+json",)),
        Format("ttl", "text/turtle; charset=utf-8", "Turtle", ("text/turtle",)),
        Format("atom", "application/atom+xml; charset=utf-8", _("Feed"), ("application/atom+xml",)),
        Format("abnf", "text/plain; charset=utf-8", _("Grammar")),
        Format(
            "md",
            "text/markdown; charset=utf-8; variant=kramdown-rfc2629",
            "kramdown",
            ("text/markdown",),
        ),
        Format("rfc.xml", "application/xml; charset=utf-8", "RFCXML"),
    )
}
"""In the order in which they are offered, and preferred where somebody takes any."""

DATA_FORMATS: Final = ("json", "xml", "csv", "txt", "jsonld", "ttl", "atom")
TEMPLATE_FORMATS: Final = ("abnf", "md", "rfc.xml")

FORMATS_BY_THING: Final[Mapping[str, tuple[str, ...]]] = {
    "namespace": (*DATA_FORMATS, *TEMPLATE_FORMATS),
    "version": (*DATA_FORMATS, *TEMPLATE_FORMATS),
    "request": DATA_FORMATS,
    "round": ("json", "xml", "csv", "txt", "md", "rfc.xml"),
    "namespaces": DATA_FORMATS,
    "requests": DATA_FORMATS,
    "organizations": ("json", "xml", "csv", "txt"),
    "sightings": ("json", "xml", "csv", "txt"),
}
"""Which thing is read in which forms.

A round is a part of its request, which has its graph and its feed; its grammar is no rule of any
namespace yet. Organizations and sightings
are lists of names that stand in the graphs of namespaces and requests, and what happens to them
is told by those feeds.
"""


def find_ending(path: str) -> str:
    """Return the ending by which an address asks for a format, empty where it asks for a page."""
    name = path.rpartition("/")[2]
    return next((each for each in FORMATS if name.endswith(f".{each}")), "")


def list_formats(thing: str) -> list[Format]:
    """Return the forms of a thing, in the order in which they are preferred."""
    return [FORMATS[ending] for ending in FORMATS_BY_THING[thing]]


def make_format_pattern(thing: str) -> str:
    """Return the expression for the endings of a thing, as addresses are matched by it."""
    every = "|".join(each.replace(".", r"\.") for each in FORMATS_BY_THING[thing] if each != "atom")
    return rf"(?P<form>{every})"
