"""Experts in the registry: who could judge a request, who is away, whose turn it is."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import (
    Case,
    Count,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry import permissions
from registry.enums import (
    REVIEW_STATES,
    Role,
    State,
)
from registry.models import (
    Absence,
    Assignment,
    Event,
    RegistrationRequest,
    User,
)


def coming_absences(expert: User) -> QuerySet[Absence]:
    """Return the absences of `expert` that are not over, the next first."""
    return expert.absences.filter(last_day__gte=timezone.localdate())


def list_absences_today() -> QuerySet[Absence]:
    """Return today's absences."""
    today = timezone.localdate()
    return Absence.objects.filter(first_day__lte=today, last_day__gte=today)


def select_end_of_absence(person: str = "pk") -> Subquery:
    """Return until when a person of the outer query is away; None if they are there today."""
    away = list_absences_today().filter(expert=OuterRef(person)).order_by("-last_day")
    return Subquery(away.values("last_day")[:1])


def map_absent_experts() -> Mapping[int, datetime.date]:
    """Return until when each expert who is away today stays away, by key."""
    now = list_absences_today().order_by("expert")
    return dict(now.values_list("expert").annotate(until=Max("last_day")))


ROLE_VERBS: Final = ("admin.add", "admin.change")
"""Administrative actions that give an account roles."""
EXPERT_ROLES: Final = frozenset({Role.EXPERT.value, Role.LEAD.value})

WORKLOAD_STATES: Final = REVIEW_STATES | {State.CHANGES_REQUESTED}
"""States in which a request still occupies its experts: they get its next round."""


def list_experts(*roles: Role) -> QuerySet[User]:
    """Return the holders of any of `roles`, by default everybody who judges requests."""
    held = permissions.q_person_holds_role(*roles) if roles else permissions.q_person_is_expert()
    return User.objects.filter(held)


@dataclass(frozen=True, slots=True)
class ExpertTerm:
    """A designated expert: whether they lead, and since when they have been one, if known."""

    expert: User
    is_lead: bool
    since: datetime.date | None

    @property
    def name(self) -> str:
        """The name under which they act."""
        return str(self.expert)


def list_expert_terms() -> list[ExpertTerm]:
    """Return today's designated experts by name, including lead experts."""
    experts = list(list_experts().filter(is_active=True).distinct().order_by("name", "pk"))
    roles = User.objects.roles_of(each.pk for each in experts)
    since = map_expert_days([each.pk for each in experts])
    return [
        ExpertTerm(each, Role.LEAD in roles.get(each.pk, ()), since.get(each.pk))
        for each in experts
    ]


def map_expert_days(people: Collection[int]) -> Mapping[int, datetime.date]:
    """Return since when people have been experts without a break, as far as the journal says."""
    changes = Event.objects.filter(
        verb__in=ROLE_VERBS, data__account_id__in=people, data__changed__has_key="groups"
    )
    days: dict[int, datetime.date] = {}
    told = changes.order_by("number").values_list("at", "data__account_id", "data__changed__groups")
    for at, person, groups in told:
        was, now = (EXPERT_ROLES.intersection(groups[side]) for side in ("from", "to"))
        if now and not was:
            days[person] = timezone.localdate(at)
        elif not now:
            days.pop(person, None)
    return days


def list_candidates(registration_request: RegistrationRequest, *roles: Role) -> QuerySet[User]:
    """Return the experts with the facts needed to assign one, in one query, unordered.

    `barrier` says why `permissions.may_join` refuses them, empty if it does not; the rota uses
    `open_assignments`, `last_assigned_at` and `away_until`.
    """
    everybody = Assignment.objects.filter(expert=OuterRef("pk")).order_by()
    open_now = everybody.active().filter(registration_request__state__in=WORKLOAD_STATES)
    return (
        list_experts(*roles)
        .select_related("organization")
        .annotate(
            barrier=build_barrier(registration_request),
            open_assignments=Coalesce(
                Subquery(open_now.values("expert").annotate(n=Count("pk")).values("n")), 0
            ),
            last_assigned_at=Subquery(everybody.order_by("-assigned_at").values("assigned_at")[:1]),
            away_until=select_end_of_absence(),
        )
    )


def build_barrier(registration_request: RegistrationRequest) -> Case:
    """Return what bars an expert from being assigned to the request, as `may_join` judges."""
    barriers = [
        *((stake.q_person, stake.name) for stake in permissions.STAKES),
        (permissions.q_person_has_declared_conflict, "conflict"),
        (permissions.q_person_has_taken, "on_it"),
        (permissions.q_person_has_stepped_back, "stepped_back"),
    ]
    return Case(
        *(When(q_person(registration_request), then=Value(name)) for q_person, name in barriers),
        default=Value(""),
    )


def find_next_expert(registration_request: RegistrationRequest) -> User | None:
    """Return the designated expert whose turn it is; None if nobody is free to judge.

    Of those who may join and are not away: the one with the fewest open requests, then the one
    whose last assignment is longest ago, then the one who has been an expert longest. The lead
    distributes work, and is in the rota only if also a designated expert.
    """
    free = list_candidates(registration_request, Role.EXPERT).filter(Q(barrier="", away_until=None))
    turn = (F("open_assignments"), F("last_assigned_at").asc(nulls_first=True), "pk")
    return free.order_by(*turn).first()
