"""The experts as one request sees them: who could judge it, and what stands in the way."""

from __future__ import annotations

from typing import Final

from django.db.models import (
    Case,
    Count,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from registry.choices import BEFORE_EXPERTS, Role, State
from registry.models import (
    Absence,
    Assignment,
    Conflict,
    Organization,
    RegistrationRequest,
    User,
)

ON_THE_DESK: Final = BEFORE_EXPERTS | {State.CHANGES_REQUESTED}
"""States in which a request is still work for its experts: a next round comes back to them."""


def experts(*roles: Role) -> QuerySet[User]:
    """Return those who hold any of `roles`, by default everybody who judges requests."""
    held = User.objects.filter(groups__name__in=roles or (Role.EXPERT, Role.LEAD))
    return User.objects.filter(is_active=True, pk__in=held)


def candidates(registration_request: RegistrationRequest, *roles: Role) -> QuerySet[User]:
    """Return the experts with what assigning has to know, in one query, in nobody's order.

    `barrier` says why `rules.may_join` refuses them, empty where it does not;
    `open_assignments`, `last_assigned_at` and `away_until` are what the rota goes by.
    """
    everybody = Assignment.objects.filter(expert=OuterRef("pk")).order_by()
    open_now = everybody.active().filter(registration_request__state__in=ON_THE_DESK)
    today = timezone.localdate()
    away = Absence.objects.filter(
        expert=OuterRef("pk"), first_day__lte=today, last_day__gte=today
    ).order_by("-last_day")
    return (
        experts(*roles)
        .select_related("organization")
        .annotate(
            barrier=barrier(registration_request),
            open_assignments=Coalesce(
                Subquery(open_now.values("expert").annotate(n=Count("pk")).values("n")), 0
            ),
            last_assigned_at=Subquery(everybody.order_by("-assigned_at").values("assigned_at")[:1]),
            away_until=Subquery(away.values("last_day")[:1]),
        )
    )


def barrier(registration_request: RegistrationRequest) -> Case:
    """Return what keeps an expert from being put on the request, by the facts of `rules`."""
    organization = registration_request.organization_id
    delegated = Organization.objects.filter(pk=organization, delegates=OuterRef("pk"))
    invited = User.objects.filter(
        Q(co_edited_requests=registration_request)
        | Q(invitations_followed__registration_request=registration_request),
        pk=OuterRef("pk"),
    )
    conflicts = Conflict.objects.filter(expert=OuterRef("pk"), organization=organization)
    assigned = Assignment.objects.filter(
        registration_request=registration_request, expert=OuterRef("pk")
    )
    return Case(
        When(pk=registration_request.author_id, then=Value("author")),
        When(Exists(delegated), then=Value("delegate")),
        When(Exists(invited), then=Value("co_editor")),
        When(Q(organization=organization), then=Value("organization")),
        When(Exists(conflicts), then=Value("conflict")),
        When(Exists(assigned.active()), then=Value("on_it")),
        When(Exists(assigned), then=Value("stepped_back")),
        default=Value(""),
    )
