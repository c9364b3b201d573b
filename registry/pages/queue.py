"""One request in the words of the experts' queue."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from registry.choices import BEFORE_EXPERTS, TURNS, Change, Path, State
from registry.models import Assignment, RegistrationRequest, User
from registry.urn import Severity

STAKES: Final = {
    "author": gettext_lazy("You started this request."),
    "delegate": gettext_lazy("You are a delegate of the organization that asks."),
    "co_editor": gettext_lazy("You help to write this request."),
    "organization": gettext_lazy("You belong to the organization that asks."),
}


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
    rivals: list[RegistrationRequest]
    likeness: str
    days_left: int | None
    may_take: bool
    may_step_back: bool

    @property
    def late(self) -> str:
        """How late it is: "2 days late", empty when it is not."""
        if self.days_left is None or self.days_left >= 0:
            return ""
        days = -self.days_left
        return ngettext("%(days)d day late", "%(days)d days late", days) % {"days": days}


def rows(
    requests: Iterable[RegistrationRequest],
    person: User,
    contended: Iterable[list[RegistrationRequest]],
) -> list[Row]:
    """Return a line for each of `requests`, which come from `workload.for_queue`."""
    together = {each.pk: group for group in contended for each in group}
    return [row(each, person, together.get(each.pk, [])) for each in requests]


def row(
    registration_request: RegistrationRequest, person: User, group: list[RegistrationRequest]
) -> Row:
    """Return the line of one request; it asks the database nothing."""
    facts = vars(registration_request)
    own = own_assignment(registration_request, person)
    stepped_back = own is not None and own.recused_at is not None
    found = facts["last_findings"] or ()
    is_open = registration_request.state in BEFORE_EXPERTS
    return Row(
        registration_request=registration_request,
        kind=kind(registration_request),
        aside=_("advice only") if registration_request.path == Path.FAST_TRACK else "",
        checks=Checks.of(each["severity"] for each in found),
        step=next_step(registration_request, own, facts),
        company=company(registration_request, person),
        rivals=[each for each in group if each.pk != registration_request.pk],
        likeness=next((each["message"] for each in found if each["check"] == "nid.near"), ""),
        days_left=days_until(registration_request.promised_by),
        may_take=is_open and own is None and not facts["stake"],
        may_step_back=is_open and not stepped_back and not facts["stake"],
    )


def own_assignment(registration_request: RegistrationRequest, person: User) -> Assignment | None:
    """Return what ties `person` as an expert to the request, one they stepped back from too."""
    assignments = registration_request.assignments.all()
    return next((each for each in assignments if each.expert_id == person.pk), None)


def kind(registration_request: RegistrationRequest) -> str:
    """Return what is asked for, in a word or two."""
    if registration_request.change != Change.NEW:
        return registration_request.get_change_display()
    return {
        Path.COMMUNITY: _("Formal"),
        Path.FAST_TRACK: _("Fast track"),
        Path.INFORMAL: _("Informal"),
    }[Path(registration_request.path)]


def next_step(
    registration_request: RegistrationRequest, own: Assignment | None, facts: Mapping[str, Any]
) -> str:
    """Return what the person is to do, or for whom the request waits."""
    state = State(registration_request.state)
    if facts["stake"]:
        return others_judge(facts["stake"])
    if state not in BEFORE_EXPERTS:
        return _("Waits for %(whom)s") % {"whom": TURNS[state].label}
    if own is None:
        return _("Take it, or recuse yourself")
    if own.recused_at:
        return _("You stepped back")
    if facts["has_approved"]:
        return _("Approved by you; another expert is to decide")
    if state == State.ADVISORY:
        return _("Give advice")
    if facts["rounds_sent"] == 1:
        return _("First reading")
    return _("Read what changed in round %(round)d") % {"round": facts["rounds_sent"]}


def others_judge(stake: str) -> str:
    """Return why the person does not judge the request, by what makes it theirs."""
    return _("%(reason)s Other experts judge it.") % {"reason": STAKES[stake]}


def company(registration_request: RegistrationRequest, person: User) -> str:
    """Return who is on the request: "You and 1", "2 experts", "Nobody yet"."""
    active = [each for each in registration_request.assignments.all() if not each.recused_at]
    others = sum(each.expert_id != person.pk for each in active)
    if len(active) > others:
        return _("You and %(others)d") % {"others": others} if others else _("You")
    if not others:
        return _("Nobody yet")
    return ngettext("%(count)d expert", "%(count)d experts", others) % {"count": others}


def why_not(registration_request: RegistrationRequest, person: User) -> str:
    """Return why `person` cannot decide on a request from `workload.for_queue`."""
    state, own = State(registration_request.state), own_assignment(registration_request, person)
    if stake := vars(registration_request)["stake"]:
        return others_judge(stake)
    if state not in BEFORE_EXPERTS:
        told = {"state": state.label, "whom": TURNS[state].label}
        return _("The request is in the state “%(state)s” and waits for %(whom)s.") % told
    if own and own.recused_at:
        return _("You stepped back from this request.")
    return _("Deciding is for an expert who has taken the request.")


def days_until(day: datetime.date | None) -> int | None:
    """Return how many days are left until `day`, less than none once it is past."""
    return None if day is None else (day - timezone.localdate()).days
