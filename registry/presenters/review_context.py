"""What an expert reads of one request: its text, what changed, and what was decided before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext as _

from registry.enums import GrammarKind
from registry.journal.event_messages import (
    REMARK_VERBS,
    EventMessage,
    describe_events,
)
from registry.models import Event, RegistrationRequest, Round
from registry.presenters.remarks import CarriedRemark, carry_remarks
from registry.template import PAGES, Page, SectionDiff, Template, diff, field
from registry.urn import Finding, Severity

FIELD_SHAPES: Final = {
    "nid": "name",
    "version": "line",
    "date": "line",
    "grammar_kind": "line",
    "grammar": "rule",
    "examples": "names",
    "counter_examples": "names",
}


@dataclass(frozen=True, slots=True)
class ReviewField:
    """One field of a text: its label, what it says, and the shape it is shown in.

    With it go the remarks on it that matter now, and how it differs from the text before.
    """

    name: str
    label: str
    text: str
    shape: str
    remarks: tuple[CarriedRemark, ...] = ()
    diff: SectionDiff | None = None

    @property
    def lines(self) -> list[str]:
        """The entries of a list of names."""
        return self.text.splitlines()


@dataclass(frozen=True, slots=True)
class ReviewSection:
    """A page of the template, as it is read: its fields, and what was found in them."""

    page: Page
    fields: tuple[ReviewField, ...]
    findings: tuple[Finding, ...]

    @property
    def texts(self) -> list[ReviewField]:
        """The fields that say something, or of which something is said."""
        return [each for each in self.fields if each.text or each.remarks]

    @property
    def touched(self) -> list[ReviewField]:
        """The fields to read first: those that changed, or of which something is said."""
        return [each for each in self.fields if each.diff or each.remarks]

    @property
    def changed(self) -> str:
        """The first field that is not as it was; empty where all are."""
        return next((each.name for each in self.fields if each.diff), "")

    @property
    def is_lines(self) -> bool:
        """Whether every line stands on its own, as in an address."""
        return self.page.slug == "registrant"

    @property
    def open_remarks(self) -> int:
        """How many remarks on this page are open."""
        return sum(remark.is_open for each in self.fields for remark in each.remarks)


@dataclass(frozen=True)
class ReviewContext:
    """One round of a request beside the text before it, which is called `since`."""

    registration_request: RegistrationRequest
    round: Round
    before: Template | None
    since: str
    rounds: tuple[Round, ...] = ()

    @classmethod
    def of(cls, registration_request: RegistrationRequest) -> ReviewContext:
        """Return the last round sent, beside the round or the published version before it."""
        rounds = tuple(registration_request.rounds.sent().order_by("number"))
        *earlier, last = rounds
        namespace = registration_request.namespace
        current = namespace.current if namespace and not earlier else None
        if earlier:
            since = _("round %(number)d") % {"number": earlier[-1].number}
            return cls(registration_request, last, earlier[-1].template, since, rounds)
        if current:
            since = _("version %(number)d") % {"number": current.number}
            return cls(registration_request, last, current.template, since, rounds)
        return cls(registration_request, last, None, "", rounds)

    @cached_property
    def template(self) -> Template:
        """The text of the round."""
        return self.round.template

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the automatic checks said when the round was sent."""
        return restore_findings(self.round.findings)

    @cached_property
    def changes(self) -> tuple[SectionDiff, ...]:
        """The fields that the registrant changed; Version and Date are the registry's."""
        if self.before is None:
            return ()
        now = self.template
        return diff(self.before.replace(version=now.version, date=now.date), now)

    @cached_property
    def events(self) -> list[Event]:
        """The journal of the request."""
        return list(self.registration_request.events.all())

    @property
    def history(self) -> list[EventMessage]:
        """What was done with the request so far, the first act first; remarks stand elsewhere."""
        return describe_events(event for event in self.events if event.verb not in REMARK_VERBS)

    @cached_property
    def remarks(self) -> list[CarriedRemark]:
        """What experts remarked, each in the text of the round; none where only a text is read."""
        events = self.events if self.rounds else ()
        return carry_remarks(
            self.registration_request, self.rounds, shown=self.round, events=events
        )

    @property
    def open_remarks(self) -> list[CarriedRemark]:
        """The remarks that nobody has settled."""
        return [each for each in self.remarks if each.is_open]

    @property
    def just_answered(self) -> list[CarriedRemark]:
        """The remarks that the registrant answered with this round."""
        return [each for each in self.remarks if each.remark.answered_in_id == self.round.pk]

    @property
    def settled_before(self) -> list[CarriedRemark]:
        """The remarks that were settled with an earlier round."""
        return [each for each in self.remarks if not each.is_news]

    @cached_property
    def parts(self) -> list[ReviewSection]:
        """The whole text, page by page."""
        return [self.part(page) for page in PAGES]

    @property
    def touched(self) -> list[ReviewSection]:
        """The pages to read first."""
        return [part for part in self.parts if part.touched]

    @property
    def unchanged(self) -> list[str]:
        """The titles of the pages that are as they were, and not empty."""
        return [part.page.title for part in self.parts if part.texts and not part.changed]

    def part(self, page: Page) -> ReviewSection:
        """Return one page of the text."""
        return ReviewSection(
            page,
            tuple(self.text(name) for name in page.fields),
            tuple(finding for finding in self.findings if finding.section in page.fields),
        )

    def text(self, name: str) -> ReviewField:
        """Return one field of the text, ready to be shown."""
        words = self.template[name]
        if name == "grammar_kind" and words:
            words = str(GrammarKind(words).label)
        return ReviewField(
            name,
            field(name).label,
            words,
            FIELD_SHAPES.get(name, "prose"),
            tuple(each for each in self.remarks if each.remark.section == name and each.is_news),
            next((each for each in self.changes if each.field == name), None),
        )

    def rail(self, *, shows_changes: bool) -> list[dict[str, Any]]:
        """Return the sections with how each stands, and where on the page it is."""
        return [build_rail_entry(part, shows_changes=shows_changes) for part in self.parts]


def build_rail_entry(part: ReviewSection, *, shows_changes: bool) -> dict[str, Any]:
    """Return a section for the component of that name; what is not on this page is on the other."""
    url = f"#{part.page.slug}"
    if shows_changes and not part.touched:
        url = f"?view=text{url}"
    state, words = "", ""
    if blocks := sum(finding.severity is Severity.BLOCK for finding in part.findings):
        state, words = "to_fix", _("%(count)d to fix") % {"count": blocks}
    elif part.open_remarks:
        state, words = "question", _("%(count)d open") % {"count": part.open_remarks}
    elif part.changed:
        state = "changed"
    elif not part.texts:
        words = _("Empty")
    return {"title": part.page.title, "url": url, "state": state, "words": words}


def restore_findings(found: Iterable[dict[str, Any]]) -> tuple[Finding, ...]:
    """Return findings as a round keeps them, as findings again."""
    return tuple(Finding(**{**each, "severity": Severity(each["severity"])}) for each in found)
