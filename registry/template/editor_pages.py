"""The eleven pages of the editor, and the progress of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from registry.template.checks.context import Context
from registry.template.fields import SUBFIELDS, Page, Required, field
from registry.template.template import Template
from registry.urn.finding import Finding, Severity


def _list_fields(section: str) -> tuple[str, ...]:
    """The section and its subfields."""
    return section, *(each.name for each in SUBFIELDS[section])


PAGES: Final[tuple[Page, ...]] = (
    Page("identifier", "Identifier and version", ("nid", "version", "date")),
    Page("registrant", "Registrant", ("registrant",)),
    Page("purpose", "Purpose", ("purpose",)),
    Page("syntax", "Syntax", _list_fields("syntax")),
    Page("assignment", "Assignment", ("assignment",)),
    Page("security-and-privacy", "Security and privacy", ("security_privacy",)),
    Page(
        "interoperability",
        "Interoperability",
        _list_fields("interoperability"),
    ),
    Page("resolution", "Resolution", _list_fields("resolution")),
    Page("documentation", "Documentation", ("documentation",)),
    Page("additional-information", "Additional information", ("additional_information",)),
    Page("revision-information", "Revision information", ("revision_information",)),
)

_BY_SLUG: Final = {each.slug: each for each in PAGES}


def page(slug: str) -> Page:
    """The page with that slug; KeyError for another."""
    return _BY_SLUG[slug]


def page_of(name: str) -> Page:
    """The page that contains the field; KeyError for an unknown name."""
    for each in PAGES:
        if name in each.fields:
            return each
    raise KeyError(name)


class Stage(StrEnum):
    """The state of a page."""

    DONE = "done"
    TO_FIX = "to_fix"
    NOT_STARTED = "not_started"
    OPTIONAL = "optional"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one page; `count` is how many findings on it must be fixed."""

    page: Page
    state: Stage
    count: int
    required: bool

    @property
    def words(self) -> str:
        """What the list of sections says next to the title."""
        if self.state is Stage.TO_FIX:
            return f"{self.count} to fix"
        return self.state.replace("_", " ").capitalize()


def progress(
    template: Template, findings: Sequence[Finding], context: Context
) -> tuple[Progress, ...]:
    """The progress of each page, in order, given the findings of `check`."""
    return tuple(_assess_page(page, template, findings, context) for page in PAGES)


def tally(pages: Sequence[Progress]) -> tuple[int, int]:
    """How many of the required pages are done, and how many there are: "6 of 9"."""
    required = [each for each in pages if each.required]
    return sum(each.state is Stage.DONE for each in required), len(required)


def _assess_page(
    page: Page, template: Template, findings: Sequence[Finding], context: Context
) -> Progress:
    count = sum(
        each.severity is Severity.BLOCK and each.section in page.fields for each in findings
    )
    required = any(context.requires(field(name)) for name in page.fields)
    return Progress(page, _find_stage(page, template, count, context, required), count, required)


def _find_stage(
    page: Page, template: Template, count: int, context: Context, required: bool
) -> Stage:
    typed = [name for name in page.fields if field(name).required is not Required.REGISTRY]
    if any(template[name].strip() for name in typed):
        return Stage.TO_FIX if count else Stage.DONE
    if required:
        return Stage.NOT_STARTED
    revision = any(field(name).required is Required.REVISION for name in typed)
    return Stage.NOT_NEEDED if revision else Stage.OPTIONAL
