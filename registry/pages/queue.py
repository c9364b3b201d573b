"""One request in the words of the experts' queue."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from registry import queries, rules
from registry.choices import BEFORE_EXPERTS, WITH_EXPERTS, Change, Path
from registry.models import RegistrationRequest, User
from registry.pages.company import Away, Company, Member, approvals, company
from registry.pages.leading import CALLS
from registry.pages.next_step import next_step, own_assignment, stake_of
from registry.queries import Waiting
from registry.queries.holder import missing_holder_word
from registry.reviewing import absences, conflicts
from registry.urn import Severity


@dataclass(frozen=True, slots=True)
class Checks:
    """What the automatic checks said of a round, in a few words."""

    severity: str
    words: str

    @classmethod
    def of(cls, severities: Iterable[str]) -> Checks:
        """Sum up findings of these severities; only the heaviest kind is counted."""
        listed = list(severities)
        if blocks := listed.count(Severity.BLOCK):
            return cls("block", _("%(count)d to fix") % {"count": blocks})
        if warnings := listed.count(Severity.WARN):
            return cls("warn", _("%(count)d to consider") % {"count": warnings})
        return cls("passed", _("All pass"))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the queue."""

    registration_request: RegistrationRequest
    kind: str
    aside: str
    checks: Checks
    step: str
    company: str
    members: list[Member]
    approvals: str
    rivals: list[RegistrationRequest]
    likeness: str
    missing_word: str
    news: int
    waiting: Waiting
    warnings: list[str]
    calls: str
    may_take: bool
    may_step_back: bool
    should_step_back: bool
    may_lead: bool

    @property
    def away(self) -> list[Member]:
        """Those of its experts who are away today."""
        return [member for member in self.members if member.away_until]

    @property
    def late(self) -> str:
        """How late it is: "2 days late", empty when it is not."""
        return self.waiting.late


def rows(
    requests: Iterable[RegistrationRequest],
    person: User,
    contended: Iterable[list[RegistrationRequest]],
) -> list[Row]:
    """Return a line for each of `requests`, which come from `workload.for_queue`."""
    together = {each.pk: group for group in contended for each in group}
    listed, away = list(requests), absences.away_today()
    waiting = queries.waiting_for_all(listed)
    return [
        line(each, person, together.get(each.pk, []), waiting[each.pk], away) for each in listed
    ]


def row(
    registration_request: RegistrationRequest, person: User, group: list[RegistrationRequest]
) -> Row:
    """Return the line of one request from `workload.for_queue`."""
    waiting = queries.waiting_for(registration_request)
    return line(registration_request, person, group, waiting, absences.away_today())


def line(
    registration_request: RegistrationRequest,
    person: User,
    group: list[RegistrationRequest],
    waiting: Waiting,
    away: Away,
) -> Row:
    """Return the line of one request; of a new namespace it asks the database nothing."""
    facts, own = vars(registration_request), own_assignment(registration_request, person)
    stake, stepped_back = stake_of(facts), own is not None and own.recused_at is not None
    found = facts["last_findings"] or ()
    is_open = registration_request.state in BEFORE_EXPERTS
    may_take = is_open and own is None and not stake
    leads = rules.is_lead(person) and not stake
    return Row(
        registration_request=registration_request,
        kind=kind(registration_request),
        aside=_("advice only") if registration_request.path == Path.FAST_TRACK else "",
        checks=Checks.of(each["severity"] for each in found),
        step=next_step(registration_request, own, facts),
        company=company(registration_request, person),
        members=Company.of(registration_request, away).members,
        approvals=approvals(registration_request),
        rivals=[each for each in group if each.pk != registration_request.pk],
        likeness=next((each["message"] for each in found if each["check"] == "nid.near"), ""),
        missing_word=missing_holder_word(registration_request),
        news=facts["news"],
        waiting=waiting,
        warnings=conflicts.warnings(person, registration_request) if may_take else [],
        calls=str(CALLS.get(facts["calls_the_lead"], "")) if leads else "",
        may_take=may_take,
        may_step_back=is_open and not stepped_back and (own is not None or not stake),
        should_step_back=is_open and own is not None and not stepped_back and bool(stake),
        may_lead=leads and registration_request.state in WITH_EXPERTS,
    )


def kind(registration_request: RegistrationRequest) -> str:
    """Return what is asked for, in a word or two."""
    if registration_request.change != Change.NEW:
        return registration_request.get_change_display()
    return {
        Path.COMMUNITY: _("Formal"),
        Path.FAST_TRACK: _("Fast track"),
        Path.INFORMAL: _("Informal"),
    }[Path(registration_request.path)]


def days_until(day: datetime.date | None) -> int | None:
    """Return how many days are left until `day`, less than none once it is past."""
    return None if day is None else (day - timezone.localdate()).days
