"""How far the writing has come, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from registry.template.checks.context import Context
from registry.template.definition import Page, Required
from registry.template.fields import field
from registry.template.pages import PAGES
from registry.template.template import Template
from registry.urn.finding import Finding, Severity


class Stage(StrEnum):
    """How a page stands."""

    DONE = "done"
    TO_FIX = "to_fix"
    NOT_STARTED = "not_started"
    OPTIONAL = "optional"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class Progress:
    """How one page stands; `count` is how many findings on it have to be mended."""

    page: Page
    state: Stage
    count: int
    required: bool

    @property
    def words(self) -> str:
        """What the list of sections says beside the title."""
        if self.state is Stage.TO_FIX:
            return f"{self.count} to fix"
        return self.state.replace("_", " ").capitalize()


def progress(
    template: Template, findings: Sequence[Finding], context: Context
) -> tuple[Progress, ...]:
    """How each page stands, in their order, given what `check` found."""
    return tuple(_of_page(page, template, findings, context) for page in PAGES)


def tally(pages: Sequence[Progress]) -> tuple[int, int]:
    """How many of the required pages are done, and how many there are: "6 of 9"."""
    required = [each for each in pages if each.required]
    return sum(each.state is Stage.DONE for each in required), len(required)


def _of_page(
    page: Page, template: Template, findings: Sequence[Finding], context: Context
) -> Progress:
    count = sum(
        each.severity is Severity.BLOCK and each.section in page.fields for each in findings
    )
    required = any(context.requires(field(name)) for name in page.fields)
    return Progress(page, _stage(page, template, count, context, required), count, required)


def _stage(page: Page, template: Template, count: int, context: Context, required: bool) -> Stage:
    typed = [name for name in page.fields if field(name).required is not Required.REGISTRY]
    if any(template[name].strip() for name in typed):
        return Stage.TO_FIX if count else Stage.DONE
    if required:
        return Stage.NOT_STARTED
    revision = any(field(name).required is Required.REVISION for name in typed)
    return Stage.NOT_NEEDED if revision else Stage.OPTIONAL
