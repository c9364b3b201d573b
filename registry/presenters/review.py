"""What an expert reads about one request, and the decisions open to them, with the checklist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext

from registry import enums, permissions
from registry.enums import TEMPLATE_CHOICES, RemarkWeight, State, VerbKind
from registry.forms.review import ChecklistForm, DecisionForm
from registry.journal.event_messages import REMARK_VERBS, EventMessage, describe_events
from registry.models import DismissedFinding, Event, RegistrationRequest, Round, User
from registry.presenters.remarks import CarriedRemark, carry_remarks
from registry.presenters.review_queue import QueueRow, build_queue_row
from registry.selectors.checklist import list_questions, read_checklist_answers
from registry.selectors.imported_records import find_imported_template
from registry.selectors.requests import list_rival_texts
from registry.selectors.review_queue import find_queued_request
from registry.template import PAGES, Page, SectionDiff, Template, diff, field
from registry.template.checklist import ChecklistQuestion
from registry.urn import Finding, Severity
from registry.workflow import VERBS

FIELD_SHAPES: Final = {
    "nid": "name",
    "version": "line",
    "date": "line",
    "grammar_kind": "line",
    "grammar": "rule",
    "examples": "names",
    "grammar_start": "line",
    "counter_examples": "names",
    "equivalence": "rule",
    "known_issues": "line",
    "resolution_intended": "line",
    "resolution_operator": "line",
}


@dataclass(frozen=True, slots=True)
class ReviewField:
    """One field of a text: its label, its content, and how to show it.

    It includes the current remarks on it, and its differences from the text before.
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
class AskedQuestion:
    """A question of the checklist next to the section it asks about, with its answer."""

    question: ChecklistQuestion
    field: BoundField


@dataclass(frozen=True, slots=True)
class ReviewSection:
    """A page of the template for reading: its fields, and the findings on them."""

    page: Page
    fields: tuple[ReviewField, ...]
    findings: tuple[Finding, ...]
    questions: tuple[AskedQuestion, ...] = ()
    dismissed: tuple[tuple[Finding, DismissedFinding], ...] = ()

    @property
    def texts(self) -> list[ReviewField]:
        """The fields that are not empty, or have remarks or findings."""
        return [each for each in self.fields if each.text or each.remarks]

    @property
    def touched(self) -> list[ReviewField]:
        """The fields to read first: those that changed, or have remarks or findings."""
        return [each for each in self.fields if each.diff or each.remarks]

    @property
    def changed(self) -> str:
        """The first changed field; empty if none changed."""
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
    """One round of a request next to the text before it, which is called `since`."""

    registration_request: RegistrationRequest
    round: Round
    before: Template | None
    since: str
    rounds: tuple[Round, ...] = ()
    asked: tuple[AskedQuestion, ...] = ()

    @classmethod
    def of(cls, registration_request: RegistrationRequest) -> ReviewContext:
        """Return the last round sent, next to the round or the published version before it."""
        rounds = tuple(registration_request.rounds.sent().order_by("number"))
        *earlier, last = rounds
        namespace = registration_request.namespace
        current = namespace.current if namespace and not earlier else None
        imported = (
            find_imported_template(namespace)
            if namespace and not (earlier or current or registration_request.changes_facts)
            else None
        )
        if earlier:
            since = _("round %(number)d") % {"number": earlier[-1].number}
            return cls(registration_request, last, earlier[-1].template, since, rounds)
        if current:
            since = _("version %(number)d") % {"number": current.number}
            return cls(registration_request, last, current.template, since, rounds)
        if imported:
            since = _("the template in %(document)s") % {"document": imported.base.document.name}
            return cls(registration_request, last, imported.template, since, rounds)
        return cls(registration_request, last, None, "", rounds)

    @cached_property
    def template(self) -> Template:
        """The text of the round."""
        return self.round.template

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the automatic checks when the round was sent."""
        return restore_findings(self.round.findings)

    @cached_property
    def dismissed(self) -> dict[tuple[str, str], DismissedFinding]:
        """The findings that the registrant's side had dismissed when the round was sent."""
        # The queue has already determined whether there are any, in a query of its own.
        has_any = vars(self.registration_request).get("has_dismissed", True)
        if not (has_any and self.findings):
            return {}
        told = self.registration_request.dismissed_findings.filter(
            round_number__lte=self.round.number
        )
        return {each.key: each for each in told.select_related("person")}

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
        """What was done with the request so far, oldest first; remarks are shown elsewhere."""
        return describe_events(event for event in self.events if event.verb not in REMARK_VERBS)

    @cached_property
    def remarks(self) -> list[CarriedRemark]:
        """Experts' remarks, each in the text of the round; none if only a text is read."""
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
        """The titles of unchanged pages that are not empty."""
        return [part.page.title for part in self.parts if part.texts and not part.changed]

    def part(self, page: Page) -> ReviewSection:
        """Return one page of the text."""
        return ReviewSection(
            page,
            tuple(self.text(name) for name in page.fields),
            tuple(
                finding
                for finding in self.findings
                if finding.section in page.fields
                and (finding.check, finding.section) not in self.dismissed
            ),
            tuple(each for each in self.asked if each.question.field in page.fields),
            tuple(
                (finding, self.dismissed[finding.check, finding.section])
                for finding in self.findings
                if finding.section in page.fields
                and (finding.check, finding.section) in self.dismissed
            ),
        )

    @property
    def untouched(self) -> list[ReviewSection]:
        """The pages to read last that still have findings or questions."""
        return [
            part
            for part in self.parts
            if not part.touched and (part.findings or part.questions or part.dismissed)
        ]

    @property
    def stray_findings(self) -> list[Finding]:
        """The findings on the text as a whole, or on no page of it."""
        placed = {name for page in PAGES for name in page.fields}
        return [finding for finding in self.findings if finding.section not in placed]

    @property
    def found_parts(self) -> list[ReviewSection]:
        """The pages with findings, each of which is shown once."""
        return [part for part in self.parts if part.findings]

    def text(self, name: str) -> ReviewField:
        """Return one field of the text, ready to be shown."""
        words = self.template[name]
        if name in TEMPLATE_CHOICES and words:
            words = str(TEMPLATE_CHOICES[name](words).label)
        return ReviewField(
            name,
            field(name).label,
            words,
            FIELD_SHAPES.get(name, "prose"),
            tuple(each for each in self.remarks if each.remark.section == name and each.is_news),
            next((each for each in self.changes if each.field == name), None),
        )

    def rail(self, *, shows_changes: bool) -> list[dict[str, Any]]:
        """Return the sections with their state, and their place on the page."""
        return [build_rail_entry(part, shows_changes=shows_changes) for part in self.parts]


def build_rail_entry(part: ReviewSection, *, shows_changes: bool) -> dict[str, Any]:
    """Return a section for the component of that name; those not on this page are on the other."""
    url = f"#{part.page.slug}"
    if shows_changes and not (part.touched or part.findings or part.questions):
        url = f"?view=text{url}"
    state, words = "", ""
    if blocks := sum(finding.severity is Severity.BLOCK for finding in part.findings):
        words = ngettext("%(count)d to fix", "%(count)d to fix", blocks) % {"count": blocks}
        state = "to_fix"
    elif remarks := part.open_remarks:
        words = ngettext("%(count)d open", "%(count)d open", remarks) % {"count": remarks}
        state = "question"
    elif part.changed:
        state = "changed"
    elif not part.texts:
        words = _("Empty")
    return {"title": part.page.title, "url": url, "state": state, "words": words}


def restore_findings(found: Iterable[dict[str, Any]]) -> tuple[Finding, ...]:
    """Convert findings as a round stores them back to findings."""
    return tuple(Finding(**{**each, "severity": Severity(each["severity"])}) for each in found)


PointText = str | Promise

MAX_NAMED_QUESTIONS: Final = 6


@dataclass(frozen=True, slots=True)
class ChecklistState:
    """The questions asked about a round, and which of them an expert has answered."""

    questions: Sequence[ChecklistQuestion]
    answers: Mapping[str, str]

    @property
    def count(self) -> int:
        return len(self.questions)

    @property
    def unanswered(self) -> list[ChecklistQuestion]:
        """The questions without an answer."""
        return [each for each in self.questions if each.slug not in self.answers]

    @property
    def done(self) -> int:
        """How many questions are answered."""
        return self.count - len(self.unanswered)


def list_decision_points(
    remarks: Iterable[CarriedRemark],
    checklist: ChecklistState,
    rivals: Sequence[RegistrationRequest] = (),
) -> dict[str, tuple[PointText, ...]]:
    """Return what to consider before each decision, by verb; none of it bars the decision."""
    still_open = [each for each in remarks if each.is_open]
    lesser = [each for each in still_open if each.remark.weight != RemarkWeight.MUST_FIX]
    before_the_end = (*link_open_remarks(lesser), *name_open_questions(checklist))
    points: dict[str, tuple[PointText, ...]] = {}
    for verb in enums.list_verbs_of_kind(VerbKind.EXPERT_DECISION):
        if VERBS[verb].target == State.CHANGES_REQUESTED:
            points[verb] = tuple(link_accompanying_remarks(still_open))
        elif enums.is_verb_of_kind(verb, VerbKind.FAVOURABLE):
            points[verb] = before_the_end
        if enums.is_verb_of_kind(verb, VerbKind.APPROVAL):
            points[verb] = (*name_rivals(rivals), *points[verb])
    return points


def name_rivals(rivals: Sequence[RegistrationRequest]) -> list[str]:
    """Say that the reasons must name the requests that it contends with."""
    if not rivals:
        return []
    references = ", ".join(each.reference for each in rivals)
    return [
        _("Your reasons name %(references)s, and say why this request and not that one.")
        % {"references": references}
    ]


def link_accompanying_remarks(remarks: Sequence[CarriedRemark]) -> list[SafeString]:
    """Name the open remarks, which the registrant is asked to answer."""
    if not remarks:
        return []
    words = ngettext(
        "{count} open remark goes along: {links}",
        "{count} open remarks go along: {links}",
        len(remarks),
    )
    return [format_html(words, count=len(remarks), links=link_remarks(remarks))]


def link_open_remarks(remarks: Sequence[CarriedRemark]) -> list[SafeString]:
    """Name the remarks that would stay open."""
    if not remarks:
        return []
    words = ngettext(
        "{count} remark is open: {links}",
        "{count} remarks are open: {links}",
        len(remarks),
    )
    return [format_html(words, count=len(remarks), links=link_remarks(remarks))]


def link_remarks(remarks: Iterable[CarriedRemark]) -> SafeString:
    """Return links to remarks, each by its number, weight and section."""
    return format_html_join(
        ", ",
        '<a href="#{}">{}, {} ({})</a>',
        (
            (each.anchor, each.remark.number, each.remark.get_weight_display(), each.label)
            for each in remarks
        ),
    )


def name_open_questions(checklist: ChecklistState) -> list[SafeString]:
    """Name the unanswered questions of the checklist; if there are many, by number."""
    missing = checklist.unanswered
    if not missing:
        return []
    if len(missing) > MAX_NAMED_QUESTIONS:
        words = ngettext(
            '<a href="#checklist">{count} checklist question has no answer</a>',
            '<a href="#checklist">{count} checklist questions have no answer</a>',
            len(missing),
        )
        return [format_html(words, count=len(missing))]
    links = format_html_join(
        ", ", '<a href="#div_check_{}">{}</a>', ((each.slug, each.text) for each in missing)
    )
    words = ngettext(
        "{count} checklist question has no answer: {links}",
        "{count} checklist questions have no answer: {links}",
        len(missing),
    )
    return [format_html(words, count=len(missing), links=links)]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """One request as `person` reads it; `row` is its line of the queue."""

    person: User
    registration_request: RegistrationRequest
    row: QueueRow
    dossier: ReviewContext
    may_remark: bool
    checklist: ChecklistState
    checklist_form: ChecklistForm

    @classmethod
    def of(cls, registration_request: RegistrationRequest, person: User) -> ReviewPage:
        """Return what `person` reads about a request, and may do now."""
        queued = find_queued_request(person, registration_request)
        dossier = ReviewContext.of(queued)
        may_remark = permissions.may_remark(person, queued)
        checklist, form = load_expert_checklist(queued, dossier.round, person)
        if may_remark:
            asked = tuple(AskedQuestion(each, form[each.slug]) for each in checklist.questions)
            dossier = replace(dossier, asked=asked)
        return cls(
            person,
            queued,
            build_queue_row(queued, person),
            dossier,
            may_remark,
            checklist,
            form,
        )

    def show_points(self, form: DecisionForm) -> None:
        """Show in the form of the decision what to consider first."""
        form.show_consequences(
            list_decision_points(
                self.dossier.remarks,
                self.checklist,
                list_rival_texts(self.registration_request),
            )
        )


def load_expert_checklist(
    registration_request: RegistrationRequest, last: Round, person: User, typed: Any = None
) -> tuple[ChecklistState, ChecklistForm]:
    """Return the checklist with the expert's answers, and its form, with posted data."""
    questions = list_questions(registration_request)
    answers = read_checklist_answers(last, person)
    form = ChecklistForm(typed, shown=last, questions=questions, answers=answers)
    return ChecklistState(questions, answers), form
