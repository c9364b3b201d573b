"""What an expert reads of one request: its text, what changed, and what was decided before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext as _

from registry.choices import GrammarKind
from registry.models import RegistrationRequest, Round
from registry.telling import Line, told
from registry.template import PAGES, Page, SectionDiff, Template, diff, field
from registry.urn import Finding, Severity

SHAPES: Final = {
    "nid": "name",
    "version": "line",
    "date": "line",
    "grammar_kind": "line",
    "grammar": "rule",
    "examples": "names",
    "counter_examples": "names",
}


@dataclass(frozen=True, slots=True)
class Text:
    """One field of a text: its label, what it says, and the shape it is shown in."""

    name: str
    label: str
    text: str
    shape: str

    @property
    def lines(self) -> list[str]:
        """The entries of a list of names."""
        return self.text.splitlines()


@dataclass(frozen=True, slots=True)
class Part:
    """A page of the template, as it is read: its texts, what was found in them, what changed."""

    page: Page
    texts: tuple[Text, ...]
    findings: tuple[Finding, ...]
    changed: str


@dataclass(frozen=True)
class Dossier:
    """One round of a request beside the text before it, which is called `since`."""

    registration_request: RegistrationRequest
    round: Round
    before: Template | None
    since: str

    @classmethod
    def of(cls, registration_request: RegistrationRequest) -> Dossier:
        """Return the last round sent, beside the round or the published version before it."""
        *earlier, last = registration_request.rounds.sent().order_by("number")
        namespace = registration_request.namespace
        current = namespace.current if namespace and not earlier else None
        if earlier:
            since = _("round %(number)d") % {"number": earlier[-1].number}
            return cls(registration_request, last, earlier[-1].template, since)
        if current:
            since = _("version %(number)d") % {"number": current.number}
            return cls(registration_request, last, current.template, since)
        return cls(registration_request, last, None, "")

    @cached_property
    def template(self) -> Template:
        """The text of the round."""
        return self.round.template

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the automatic checks said when the round was sent."""
        return as_findings(self.round.findings)

    @cached_property
    def changes(self) -> tuple[SectionDiff, ...]:
        """The fields that the registrant changed; Version and Date are the registry's."""
        if self.before is None:
            return ()
        now = self.template
        return diff(self.before.replace(version=now.version, date=now.date), now)

    @cached_property
    def parts(self) -> list[Part]:
        """The whole text, page by page."""
        changed = {each.field for each in self.changes}
        return [self.part(page, changed) for page in PAGES]

    @property
    def unchanged(self) -> list[str]:
        """The titles of the pages that are as they were, and not empty."""
        return [part.page.title for part in self.parts if part.texts and not part.changed]

    def part(self, page: Page, changed: set[str]) -> Part:
        """Return one page of the text; `changed` names the fields that are not as they were."""
        return Part(
            page,
            tuple(text(name, self.template) for name in page.fields if self.template[name]),
            tuple(finding for finding in self.findings if finding.section in page.fields),
            next((name for name in page.fields if name in changed), ""),
        )

    def rail(self, *, shows_changes: bool) -> list[dict[str, Any]]:
        """Return the sections with how each stands, and where on the page it is."""
        return [rail_entry(part, shows_changes=shows_changes) for part in self.parts]

    def history(self) -> list[Line]:
        """Return what was done with the request so far, the first act first."""
        return told(self.registration_request.events.all())


def text(name: str, template: Template) -> Text:
    """Return one field of the text, ready to be shown."""
    words = template[name]
    if name == "grammar_kind":
        words = str(GrammarKind(words).label)
    return Text(name, field(name).label, words, SHAPES.get(name, "prose"))


def rail_entry(part: Part, *, shows_changes: bool) -> dict[str, Any]:
    """Return a section for the component of that name; what is not on this page is on the other."""
    url = f"#{part.page.slug}"
    if shows_changes:
        url = f"#diff-{part.changed}" if part.changed else f"?view=text{url}"
    words = "" if part.texts else _("Empty")
    blocks = sum(finding.severity is Severity.BLOCK for finding in part.findings)
    if blocks:
        words = _("%(count)d to fix") % {"count": blocks}
    state = "to_fix" if blocks else "changed" if part.changed else ""
    return {"title": part.page.title, "url": url, "state": state, "words": words}


def as_findings(kept: Iterable[dict[str, Any]]) -> tuple[Finding, ...]:
    """Return findings as a round keeps them, as findings again."""
    return tuple(Finding(**{**each, "severity": Severity(each["severity"])}) for each in kept)
