"""The eleven pages of the editor, in the order in which they are written."""

from __future__ import annotations

from typing import Final

from registry.template.beside import BESIDE_SYNTAX
from registry.template.definition import Page

PAGES: Final[tuple[Page, ...]] = (
    Page("identifier", "Identifier and version", ("nid", "version", "date")),
    Page("registrant", "Registrant", ("registrant",)),
    Page("purpose", "Purpose", ("purpose",)),
    Page("syntax", "Syntax", ("syntax", *(each.name for each in BESIDE_SYNTAX))),
    Page("assignment", "Assignment", ("assignment",)),
    Page("security-and-privacy", "Security and privacy", ("security_privacy",)),
    Page("interoperability", "Interoperability", ("interoperability",)),
    Page("resolution", "Resolution", ("resolution",)),
    Page("documentation", "Documentation", ("documentation",)),
    Page("additional-information", "Additional information", ("additional_information",)),
    Page("revision-information", "Revision information", ("revision_information",)),
)

_BY_SLUG: Final = {each.slug: each for each in PAGES}


def page(slug: str) -> Page:
    """The page with that slug; KeyError for another."""
    return _BY_SLUG[slug]


def page_of(name: str) -> Page:
    """The page on which the field is written; KeyError for a name no page has."""
    for each in PAGES:
        if name in each.fields:
            return each
    raise KeyError(name)
