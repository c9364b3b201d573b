"""Documents of record as links, and a template as the sections that a page shows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django import template

from registry.forms.filters import inspect_url, resolve_url
from registry.template import PAGES, Template

register = template.Library()
register.simple_tag(inspect_url)
register.simple_tag(resolve_url)

_RFC_PATTERN: Final = re.compile(r"RFC ?([1-9][0-9]{0,4})")


@dataclass(frozen=True, slots=True)
class DocumentReference:
    """A document of record: its name, and its address where one is known."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class TemplateSection:
    """A part of a published template: its anchor, its title and its text."""

    slug: str
    title: str
    text: str


@register.filter
def references(names: Iterable[str]) -> list[DocumentReference]:
    """The documents by name, RFCs with the address that the RFC Editor keeps for each."""
    return [_link_document(name) for name in names]


def _link_document(name: str) -> DocumentReference:
    rfc = _RFC_PATTERN.fullmatch(name)
    if not rfc:
        return DocumentReference(name)
    return DocumentReference(f"RFC\xa0{rfc[1]}", f"https://www.rfc-editor.org/info/rfc{rfc[1]}")


@register.filter
def sections(text: Template) -> list[TemplateSection]:
    """The parts of `text` as the editor divides it, those with nothing in them left out."""
    return [
        TemplateSection(page.slug, page.title, text[page.fields[0]])
        for page in PAGES
        if any(text[name] for name in page.fields)
    ]


@register.filter
def letter(nid: str) -> str:
    """The place of a NID in the bar of letters: `a` to `z`, or `0` for any digit."""
    return "0" if nid[:1].isdigit() else nid[:1]
