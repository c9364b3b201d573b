"""What a step in the workflow consists of, and how one is refused."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from registry.enums import State, Verb, VerbKind, Words
from registry.errors import RegistryError
from registry.models import RegistrationRequest, User
from registry.permissions import SECOND_OFFICER_CHANGES, Person
from registry.selectors.case import RequestCase, open_case


class ActionRefused(RegistryError):
    """A step cannot be taken. The message can be shown: a form error, or a 409 in the API.

    Where a condition of the step is not met, `code` is its name.
    """


class LimitReached(ActionRefused):
    """Somebody has done this too often lately; there is room again at `until`."""

    status = HTTPStatus.TOO_MANY_REQUESTS
    code = "limit_reached"

    def __init__(self, message: str, until: datetime.datetime) -> None:
        super().__init__(message)
        self.wait = max(math.ceil((until - timezone.now()).total_seconds()), 1)


def refuse_daily_limit(rows: QuerySet[Any], column: str, limit: int) -> None:
    """Raise `LimitReached` if `limit` of the rows have a time within the last day in `column`."""
    day = datetime.timedelta(1)
    recent = rows.filter(**{f"{column}__gt": timezone.now() - day}).order_by(f"-{column}")
    moments = list(recent.values_list(column, flat=True)[:limit])
    if len(moments) == limit:
        raise LimitReached(
            _("You have reached today's limit. Continue tomorrow."), moments[-1] + day
        )


class ConcurrentChange(ActionRefused):
    """Somebody acted first: what the person saw is out of date."""

    status = HTTPStatus.PRECONDITION_FAILED


@dataclass(frozen=True)
class Step:
    """One attempt: who wants to act on what, with what input.

    Effects put the rows they change into `rows`, as `journal.append` takes them.
    """

    registration_request: RegistrationRequest
    actor: Person
    comment: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    rows: dict[str, str | None] = field(default_factory=dict)

    @cached_property
    def case(self) -> RequestCase:
        """The request with the rows that conditions ask: all of them before anything is written."""
        return open_case(self.registration_request)

    @property
    def person(self) -> User:
        """The actor as a person with an account; only the scheduler has none."""
        if not isinstance(self.actor, User):
            raise ActionRefused(_("Only a person can do this."))
        return self.actor


Condition = Callable[[Step], Words]
"""Returns what prevents the step, or nothing if it can be taken."""

INPUT_CONDITIONS: set[Condition] = set()


def depends_on_input(condition: Condition) -> Condition:
    """Mark a condition that cannot be checked before the step's input is known."""
    INPUT_CONDITIONS.add(condition)
    return condition


Effect = Callable[[Step], dict[str, Any]]
"""Does what the step is for, and returns what the journal should record of it."""


IANA_LIST_PAGE: Final = "https://www.iana.org/assignments/urn-namespaces/"
"""Where IANA keeps the registry, for people."""


def explain_mirror() -> Words:
    """Return why a mirror takes no requests, or nothing if this is not a mirror."""
    if not settings.REGISTRY_MIRROR:
        return ""
    words = _("This registry is a mirror of IANA's and takes no requests. Ask IANA: %(page)s")
    return words % {"page": IANA_LIST_PAGE}


def reasons_given(step: Step) -> Words:
    """Reasons are given: every decision has a public reason."""
    return "" if step.comment.strip() else _("Give your reasons; they are public.")


ROLE_LABELS: dict[str, Words] = {
    "is_registrant": gettext_lazy("the registrant"),
    "may_assign": gettext_lazy(
        "a designated expert who is not party to the request, nor on it already; where none can "
        "judge it, the standards body"
    ),
    "may_lead": gettext_lazy("a lead expert who is not party to the request"),
    "may_recuse": gettext_lazy("a designated expert, or the lead for another"),
    "is_assigned_expert": gettext_lazy("an expert assigned to the request"),
    "may_request_changes": gettext_lazy(
        "the office that has the request: its expert or the lead, the registrar, or the standards "
        "body"
    ),
    "may_decline": gettext_lazy(
        "an expert assigned to the request, or the standards body after a report"
    ),
    "may_reconsider": gettext_lazy("the person who decided, or who confirmed the change"),
    "may_direct": gettext_lazy("the standards body"),
    "may_publish": gettext_lazy("a registrar who is not party to the request"),
    "may_countersign": gettext_lazy(
        "a registrar or the standards body, not party to the request, where a transfer, a change "
        "of status or evidence waits for a second officer"
    ),
    "may_consent": gettext_lazy("a person who speaks for a body whose consent is needed"),
    "may_object": gettext_lazy(
        "a person who speaks for a body of the request, or anyone where nobody on record can"
    ),
    "may_reroute": gettext_lazy("the registrant or the lead expert"),
    "is_the_clock": gettext_lazy("the registry itself, when the time is up"),
    "may_appeal": gettext_lazy(
        "anyone with a confirmed email address, but not the standards body itself"
    ),
    "may_extend": gettext_lazy(
        "a lead expert who is not party to the request, or the standards body during an appeal"
    ),
}
"""By the name of the predicate in `registry.permissions`."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A step that the registry takes on another request as a result of this one."""

    registration_request: RegistrationRequest
    verb: str
    data: Mapping[str, Any]


OFFICE_PAGES: Final = {State.REPORTED: "direction:detail", State.APPROVED: "publish:detail"}
"""Where offices other than the experts' decide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition(Verb):
    """One verb: from where, to where, by whom, under which conditions, with what consequence.

    `target` is a state, a function of the step if the path decides, or None to stay. `label` is on
    the button, `consequence` is a sentence about what follows, `comment` asks for a comment, empty
    for none. `form` is the dotted path of the form factory; `page` names the only page where the
    step can be taken, if there is one.
    """

    label: Words
    consequence: Words
    comment: Words = ""
    sources: frozenset[State]
    target: State | Callable[[Step], State | None] | None
    by: Callable[[Person, RegistrationRequest], bool]
    offered_if: Callable[[RegistrationRequest], bool] | None = None
    """What must be true of the request for the verb to be offered at all."""
    needs: tuple[Condition, ...] = ()
    effect: Effect | None = None
    form: str = "registry.forms.steps.StepForm"
    page: str = ""
    is_main: bool = False
    """Whether it is the main action on a request's page, for people who may take it."""
    follow_ups: Callable[[Step], Iterable[FollowUp]] | None = None
    """What the registry does to other requests in the same transaction."""
    needs_recognition: bool = False
    """Whether it may wait for the organization to be recognised."""

    @property
    def explains(self) -> bool:
        """Whether the person must give reasons."""
        return reasons_given in self.needs

    def find_page(self, registration_request: RegistrationRequest) -> str:
        """Return the name of the only page where the step can be taken now, empty if there is none.

        Decisions are taken on the page of the office that has the request.
        """
        if VerbKind.EXPERT_DECISION in self.kinds:
            return OFFICE_PAGES.get(State(registration_request.state), "review:detail")
        return self.page

    @property
    def role(self) -> Words:
        """Who may take it, in the words of refusals."""
        return ROLE_LABELS[self.by.__name__]

    def asks_for_confirmation(self, registration_request: RegistrationRequest) -> bool:
        """Whether the person must confirm who they are: the step enters something, or is an
        officer's or the holder's statement on who holds a namespace or on its status.
        """
        if VerbKind.PUBLICATION in self.kinds:
            return True
        return registration_request.change in SECOND_OFFICER_CHANGES and not self.kinds.isdisjoint(
            {VerbKind.SECOND_OFFICER, VerbKind.SENDS_ROUND, VerbKind.CONSENT}
        )

    def obstacle(self, step: Step) -> Words:
        """Return the first thing that prevents `step`, or nothing."""
        return next((words for need in self.needs if (words := need(step))), "")

    def obstacle_before_input(self, step: Step) -> Words:
        """Return what prevents the step before its input is known."""
        needs = (need for need in self.needs if need not in INPUT_CONDITIONS)
        return next((words for need in needs if (words := need(step))), "")
