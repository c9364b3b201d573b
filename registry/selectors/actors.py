"""Who can act on a request today: whose turn it is, and the people whose buttons work.

Pages, letters, the API and the scheduler ask here (docs/process.md, Whose turn). Experts who left
the team, are away beyond the promised day or came to have a stake count as unassigned from that
moment. If nobody in an office can act, it is the turn of the next office up, which gets the button:
the lead after the experts, then the standards body, which assigns an expert where none can judge,
and finally the administrators, who give roles.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value

from registry.enums import (
    END_STATES,
    TURN_BY_STATE,
    Role,
    SpeakerState,
    State,
    Turn,
    VerbKind,
    is_verb_of_kind,
)
from registry.models import Assignment, Event, Message, RegistrationRequest, User
from registry.models.dates import Calendar
from registry.permissions import SECOND_OFFICER_CHANGES, q_person_has_factor
from registry.selectors.case import RequestCase
from registry.selectors.challenges import is_for_standards_body
from registry.selectors.consent import list_objections, list_people_who_can_consent
from registry.selectors.experts import select_end_of_absence

CONFLICT: Final = "conflict"
"""The name of a declared conflict of interest, next to those of `permissions.STAKES`."""

TIE_PATHS: Final = (
    ("author", "author"),
    ("organization__speakers__person", "delegate"),
    ("co_editors", "co_editor"),
    ("invitations__joined_by", "co_editor"),
    ("organization__people", "organization"),
    ("namespace__registrant__speakers__person", "holder"),
    ("namespace__registrant__people", "holder"),
    ("namespace__speakers__person", "holder"),
    ("organization__conflicts__expert", CONFLICT),
    ("namespace__registrant__conflicts__expert", CONFLICT),
)
"""The paths from a request to people with a stake in it, or a conflict of interest."""

ROLES: Final = frozenset(Role.values)

NEXT_OFFICES: Final[Mapping[Turn, tuple[tuple[Turn, Role], ...]]] = {
    Turn.REGISTRAR: (
        (Turn.REGISTRAR, Role.REGISTRAR),
        (Turn.STANDARDS_BODY, Role.STANDARDS_BODY),
    ),
    Turn.STANDARDS_BODY: ((Turn.STANDARDS_BODY, Role.STANDARDS_BODY),),
    Turn.LEAD: (),
    Turn.REGISTRANT: (),
    Turn.BODY: (),
}
"""Whose turn it is, and the offices tried in this order; after all of them, the administrators."""


@dataclass(frozen=True, slots=True)
class Actors:
    """Whose turn it is, and which of these people can act today.

    `has_candidates` says of a review whether a designated expert is on it or free to be assigned;
    `are_officers`, that the people who can act hold an office although it is somebody else's turn.
    There are no people only if the registry has nobody at all to name.
    """

    turn: Turn
    people: tuple[User, ...] = ()
    has_candidates: bool = True
    are_officers: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """The experts of one request: all who ever joined it, and those who can judge it today.

    One who is challenged decides nothing until that is answered.
    """

    assignments: Sequence[Assignment] = ()
    judges: Sequence[Assignment] = ()
    challenges: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class Team:
    """Who holds which office, what ties people to requests, and until when experts are away.

    `calendar` says by when requests were promised.
    """

    calendar: Calendar
    officers: Mapping[Role, Sequence[User]]
    ties: Mapping[tuple[int, int], Collection[str]]
    away_until: Mapping[int, datetime.date]

    def list_impartial(self, registration_request: RegistrationRequest, role: Role) -> list[User]:
        """Return the holders of an office who have no stake in the request."""
        return [
            each
            for each in self.officers.get(role, ())
            if not set(self.ties.get((registration_request.pk, each.pk), ())) - {CONFLICT}
        ]

    def list_neutral_experts(
        self, registration_request: RegistrationRequest, *roles: Role
    ) -> list[User]:
        """Return the holders of these offices who have neither a stake nor a conflict."""
        found = {each.pk: each for role in roles for each in self.officers.get(role, ())}
        return [
            each for each in found.values() if (registration_request.pk, each.pk) not in self.ties
        ]

    def is_there(self, person: User) -> bool:
        """Whether an officer is not away today."""
        return person.pk not in self.away_until

    def is_long_away(self, person: int, registration_request: RegistrationRequest) -> bool:
        """Whether somebody is away today, until after the promised day."""
        until = self.away_until.get(person)
        if until is None:
            return False
        promised = registration_request.find_promised_day(self.calendar)
        return promised is not None and until > promised

    def can_judge(self, assignment: Assignment, registration_request: RegistrationRequest) -> bool:
        """Whether the expert of an assignment from `load_assignments` can judge today."""
        expert = assignment.expert
        offices = (self.officers.get(role, ()) for role in (Role.EXPERT, Role.LEAD))
        holds_office = any(expert in holders for holders in offices)
        is_temporary = (
            assignment.is_temporary and expert.is_active and vars(assignment)["has_factor"]
        )
        return (
            (holds_office or is_temporary)
            and (registration_request.pk, expert.pk) not in self.ties
            and not self.is_long_away(expert.pk, registration_request)
        )

    def list_candidates(
        self, registration_request: RegistrationRequest, assignments: Iterable[Assignment]
    ) -> list[User]:
        """Return the experts who could be assigned today: not away, and never on the request."""
        been = {each.expert_id for each in assignments}
        neutral = self.list_neutral_experts(registration_request, Role.EXPERT, Role.LEAD)
        return [
            each
            for each in neutral
            if each.pk not in been and not self.is_long_away(each.pk, registration_request)
        ]


def load_team(
    requests: Sequence[RegistrationRequest], experts: Collection[int], calendar: Calendar
) -> Team:
    """Return the holders of each office, and the ties of these and of `experts`.

    Without a second factor a role is inactive: nobody holds an office by it. Two queries, however
    many requests and people there are.
    """
    listed = User.objects.filter(Q(groups__name__in=Role) | Q(pk__in=experts), is_active=True)
    listed = listed.filter(q_person_has_factor())
    listed = listed.annotate(office=F("groups__name"), away_until=select_end_of_absence())
    officers: dict[Role, list[User]] = {}
    away_until: dict[int, datetime.date] = {}
    for each in listed.order_by("name", "pk"):
        facts = vars(each)
        if facts["away_until"]:
            away_until[each.pk] = facts["away_until"]
        # Roles are given in the administration, which requires more than membership of the group.
        if facts["office"] in ROLES and (facts["office"] != Role.ADMINISTRATOR or each.is_staff):
            officers.setdefault(Role(facts["office"]), []).append(each)
    weighed = User.objects.filter(Q(groups__name__in=Role) | Q(pk__in=experts)).order_by()
    return Team(calendar, officers, list_ties(requests, weighed), away_until)


def build_path_condition(path: str, keys: object) -> dict[str, object]:
    """Return the condition that `path` leads to one of `keys`, by speakers in effect only."""
    condition = {f"{path}__in": keys}
    for relation in ("speakers", "speaking"):
        before, is_passed, _after = path.partition(relation)
        if is_passed:
            condition[f"{before}{relation}__state"] = SpeakerState.IN_EFFECT
    return condition


def q_is_tied_to(people: Collection[int]) -> Q:
    """Return the condition for requests that any of `people` is tied to; see `list_ties`."""
    condition = Q()
    for path, _name in TIE_PATHS:
        tied = RegistrationRequest.objects.filter(**build_path_condition(path, people)).order_by()
        condition |= Q(pk__in=tied.values("pk"))
    return condition


def list_ties(
    requests: Iterable[RegistrationRequest], people: QuerySet[User]
) -> dict[tuple[int, int], set[str]]:
    """Return what ties each of `people` to each of `requests`, by both keys; one query.

    The names are those of `permissions.STAKES`, which check one person and one request, and
    `CONFLICT`.
    """
    wanted = people.values("pk")
    asked = RegistrationRequest.objects.filter(pk__in=[each.pk for each in requests]).order_by()
    found = [
        asked.filter(**build_path_condition(path, wanted))
        .annotate(tied=F(path), tie=Value(name))
        .values_list("pk", "tied", "tie")
        for path, name in TIE_PATHS
    ]
    ties: dict[tuple[int, int], set[str]] = {}
    for registration_request, person, name in found[0].union(*found[1:]):
        ties.setdefault((registration_request, person), set()).add(name)
    return ties


def load_assignments(ids: Sequence[int]) -> dict[int, list[Assignment]]:
    """Return the experts who joined each request, including those who left."""
    came: dict[int, list[Assignment]] = {}
    able = User.objects.filter(q_person_has_factor(), pk=OuterRef("expert"))
    found = Assignment.objects.filter(registration_request__in=ids)
    # Experts who joined at the same moment are named in the same order each time.
    every = found.order_by("assigned_at", "pk")
    for each in every.annotate(has_factor=Exists(able)).select_related("expert"):
        came.setdefault(each.registration_request_id, []).append(each)
    return came


def load_registrants(ids: Sequence[int]) -> dict[int, list[User]]:
    """Return who acts for the registrant of each request, its author first; one query."""
    active = User.objects.filter(is_active=True).order_by()
    sides = [
        active.filter(**build_path_condition(path, ids)).annotate(asked=F(path), place=Value(place))
        for place, path in enumerate(("requests", "speaking__organization__requests"))
    ]
    found: dict[int, dict[int, User]] = {}
    for each in sides[0].union(*sides[1:]).order_by("place", "pk"):
        found.setdefault(vars(each)["asked"], {}).setdefault(each.pk, each)
    return {key: list(together.values()) for key, together in found.items()}


def load_signers(requests: Sequence[RegistrationRequest]) -> dict[int, set[int]]:
    """Return who decided on the last round of each approved request, or confirmed it; one query.

    What was said of earlier rounds came before the request reached the registrar again.
    """
    found: dict[int, set[int]] = {}
    kinds = (VerbKind.APPROVAL, VerbKind.DIRECTION, VerbKind.SECOND_OFFICER)
    confirmed = (
        Event.objects.of_kind(*kinds)
        .in_force()
        .filter(
            registration_request__in=[each.pk for each in requests],
            at__gte=F("registration_request__state_since"),
            actor__isnull=False,
        )
    )
    for key, person in confirmed.values_list("registration_request", "actor"):
        found.setdefault(key, set()).add(person)
    return found


def find_actors(
    case: RequestCase,
    panel: Panel,
    team: Team,
    registrants: Mapping[int, Sequence[User]],
    paused_for: Turn | None = None,
    signers: Collection[int] = (),
    decided_by: int | None = None,
    void_decision: Event | None = None,
    *,
    is_overdue: bool = False,
) -> Actors:
    """Return who can act on a request.

    `paused_for` says whose consent all others wait for, if they do; `signers` are the keys of the
    people who decided on its last round, or confirmed it as second officers, `decided_by` that of
    the person whose decision is under appeal. The lead takes the expert off whose decision does not
    count any more. `is_overdue` says that it has waited too long for the registrar.
    """
    registration_request = case.request
    state = State(registration_request.state)
    if state in END_STATES:
        return Actors(Turn.NOBODY)
    if void_decision:
        return find_lead_actors(registration_request, team)
    if paused_for == Turn.HOLDER:
        return find_holder_actors(case, team)
    if paused_for:
        return find_officers(registration_request, paused_for, team, decided_by)
    if state == State.IN_REVIEW:
        return find_review_actors(registration_request, panel, team)
    if state == State.APPROVED and registration_request.change in SECOND_OFFICER_CHANGES:
        return find_one_of_two_officers(registration_request, team, signers, is_overdue=is_overdue)
    turn, people = TURN_BY_STATE[state], registrants.get(registration_request.pk)
    if people:
        return Actors(turn, tuple(people))
    return find_officers(
        registration_request, turn, team, decided_by, signers, is_overdue=is_overdue
    )


def find_lead_actors(registration_request: RegistrationRequest, team: Team) -> Actors:
    """Return the leads who can act, or the administrators, who give the role."""
    leads = team.list_neutral_experts(registration_request, Role.LEAD)
    if leads:
        return Actors(Turn.LEAD, tuple(leads))
    return find_officers(registration_request, Turn.LEAD, team)


def find_holder_actors(case: RequestCase, team: Team) -> Actors:
    """Return who can give the missing consent, or end what stops the request.

    If no account can, because the published contact objects by letter or recorded evidence is not
    yet in effect, the offices look after it.
    """
    people = list_people_who_can_consent(case)
    people = people or [each for one in case.parties for each in case.list_speakers(one)]
    if people:
        return Actors(Turn.HOLDER, tuple(people))
    office = Turn.STANDARDS_BODY if list_objections(case) else Turn.REGISTRAR
    found = find_officers(case.request, office, team)
    return Actors(Turn.HOLDER, found.people, are_officers=True)


def find_review_actors(
    registration_request: RegistrationRequest, panel: Panel, team: Team
) -> Actors:
    """Return who can advance a review: its experts, the people who assign one, or those above.

    If no designated expert can judge, the standards body assigns somebody, or itself.
    """
    free = team.list_candidates(registration_request, panel.assignments)
    challenged = {each.challenged_id for each in panel.challenges}
    if panel.judges and challenged.issuperset(each.expert_id for each in panel.judges):
        return find_challenge_actors(registration_request, panel.challenges[0], team)
    if panel.judges:
        experts = tuple(each.expert for each in panel.judges if each.expert_id not in challenged)
        has_candidates = bool(free) or not all(each.is_temporary for each in panel.judges)
        return Actors(Turn.EXPERTS, experts, has_candidates=has_candidates)
    if free:
        leads = team.list_neutral_experts(registration_request, Role.LEAD)
        return Actors(Turn.LEAD, tuple(leads or free))
    above = find_officers(registration_request, Turn.STANDARDS_BODY, team)
    return replace(above if above.people else Actors(Turn.LEAD), has_candidates=False)


def find_challenge_actors(
    registration_request: RegistrationRequest, challenge: Message, team: Team
) -> Actors:
    """Return who answers a challenge without which nobody can decide."""
    leads = [
        each
        for each in team.list_neutral_experts(registration_request, Role.LEAD)
        if each.pk != challenge.challenged_id
    ]
    if leads and not is_for_standards_body(challenge):
        return Actors(Turn.LEAD, tuple(leads))
    return find_officers(registration_request, Turn.STANDARDS_BODY, team)


def find_one_of_two_officers(
    registration_request: RegistrationRequest,
    team: Team,
    signers: Collection[int],
    *,
    is_overdue: bool,
) -> Actors:
    """Return who can confirm a change that requires two officers, then who can enter it.

    The officer who confirms it does not enter it: nobody is named to confirm it who is the only one
    able to enter it.
    """
    registrars = team.list_impartial(registration_request, Role.REGISTRAR)
    body = team.list_impartial(registration_request, Role.STANDARDS_BODY)
    officers = list(dict.fromkeys([*registrars, *body]))
    entering = officers if is_overdue else registrars or body
    able = [each for each in entering if each.pk not in signers]
    if any(each.pk in signers for each in officers):
        found = able
    else:
        # Registrars come first; the standards body only if there is no other registrar.
        sides = ([each for each in side if set(able) - {each}] for side in (registrars, body))
        found = next((side for side in sides if side), [])
    if found:
        is_registrars = set(found) <= set(registrars)
        return Actors(Turn.REGISTRAR if is_registrars else Turn.STANDARDS_BODY, tuple(found))
    administrators = team.officers.get(Role.ADMINISTRATOR, ())
    turn = Turn.ADMINISTRATOR if administrators else Turn.REGISTRAR
    return Actors(turn, tuple(administrators))


def find_officers(
    registration_request: RegistrationRequest,
    turn: Turn,
    team: Team,
    decided_by: int | None = None,
    signers: Collection[int] = (),
    *,
    is_overdue: bool = False,
) -> Actors:
    """Return the first office, from that of `turn` up, in which somebody is there and can act.

    If nobody holds any office, it remains the turn of the first. What has waited too long for the
    registrar is the turn of the standards body. Nobody registers what they decided: `signers` do
    not count. Who took the decision that is under appeal acts only if there is nobody else.
    """

    def list_able(role: Role) -> list[User]:
        impartial = team.list_impartial(registration_request, role)
        return [each for each in impartial if each.pk not in signers]

    if is_overdue and (body := list_able(Role.STANDARDS_BODY)):
        both = dict.fromkeys((*body, *list_able(Role.REGISTRAR)))
        return Actors(Turn.STANDARDS_BODY, tuple(both))
    for is_there in (team.is_there, lambda _person: True):
        for office, role in NEXT_OFFICES[turn]:
            if people := list(filter(is_there, list_able(role))):
                others = [each for each in people if each.pk != decided_by]
                return Actors(office, tuple(others or people))
    administrators = team.officers.get(Role.ADMINISTRATOR, ())
    return Actors(Turn.ADMINISTRATOR, tuple(administrators)) if administrators else Actors(turn)


def map_carrying_decisions(requests: Iterable[RegistrationRequest]) -> dict[int, Event]:
    """Return by key the expert's approval or report on which each request stands, if it does.

    What the standards body directed stands on the report. One query.
    """
    at_offices = [each for each in requests if each.state in {State.REPORTED, State.APPROVED}]
    if not at_offices:
        return {}
    steps: dict[int | None, list[Event]] = {}
    found = Event.objects.filter(
        registration_request__in=at_offices, target__in=(State.REPORTED, State.APPROVED)
    ).exclude(source=F("target"))
    for event in found.select_related("actor").order_by("number"):
        steps.setdefault(event.registration_request_id, []).append(event)
    decisions = {each.pk: find_last_decision(steps.get(each.pk, ())) for each in at_offices}
    return {key: decision for key, decision in decisions.items() if decision}


def find_last_decision(steps: Sequence[Event]) -> Event | None:
    """Return the last of the steps to an office, if an expert decided it."""
    last = steps[-1] if steps else None
    if last and is_verb_of_kind(last.verb, VerbKind.DIRECTION):
        reports = [each for each in steps if is_verb_of_kind(each.verb, VerbKind.REPORT)]
        last = reports[-1] if reports else None
    is_decision = last and is_verb_of_kind(last.verb, VerbKind.APPROVAL, VerbKind.REPORT)
    return last if is_decision else None


def find_carrying_decision(registration_request: RegistrationRequest) -> Event | None:
    """Return the expert's approval or report on which a request stands, if it does."""
    return map_carrying_decisions([registration_request]).get(registration_request.pk)


def map_void_decisions(requests: Sequence[RegistrationRequest]) -> dict[int, Event]:
    """Return by key the decision on which each request stands, if it does not count any more:
    whoever made it has become a party to the request since. Two queries.
    """
    decisions = map_carrying_decisions(requests)
    if not decisions:
        return {}
    people = {each.actor_id for each in decisions.values() if each.actor_id}
    ties = list_ties(
        [each for each in requests if each.pk in decisions],
        User.objects.filter(pk__in=people).order_by(),
    )
    return {
        key: decision
        for key, decision in decisions.items()
        if set(ties.get((key, decision.actor_id or 0), ())) - {CONFLICT}
    }
