"""Who is on a request as its experts, who is away, and who approved the round."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _, ngettext

from registry.choices import State
from registry.models import Assignment, RegistrationRequest, User

Away = Mapping[int, datetime.date]
"""Until when somebody is away, by their key."""


@dataclass(frozen=True, slots=True)
class Member:
    """One expert on a request, and how far they have come with it."""

    expert: User
    since: datetime.datetime
    stands: str
    away_until: datetime.date | None


@dataclass(frozen=True, slots=True)
class Company:
    """The experts on one request, and how many of them approved its last round."""

    members: list[Member]
    approvals: str

    @classmethod
    def of(cls, registration_request: RegistrationRequest, away: Away) -> Company:
        """Return the experts on a request from `workload.for_queue`."""
        members = [
            Member(each.expert, each.assigned_at, stands(each), away.get(each.expert_id))
            for each in active(registration_request)
        ]
        return cls(members, approvals(registration_request))


def active(registration_request: RegistrationRequest) -> list[Assignment]:
    """Return the assignments of those who have not stepped back."""
    return [each for each in registration_request.assignments.all() if not each.recused_at]


def stands(assignment: Assignment) -> str:
    """Return how far an expert has come with a request."""
    if vars(assignment)["approved_at"]:
        return _("approved this round")
    return _("reviews it") if assignment.declared_at else _("has to declare to have no conflict")


def approvals(registration_request: RegistrationRequest) -> str:
    """Return how many experts of the quorum approved the round: "1 of 2 approvals: Ede Expert".

    Empty where one is enough, or the request is not to be decided.
    """
    if settings.REGISTRY_QUORUM < 2 or registration_request.state != State.IN_REVIEW:
        return ""
    names = [
        str(each.expert)
        for each in active(registration_request)
        if each.declared_at and vars(each)["approved_at"]
    ]
    told = {"count": len(names), "quorum": settings.REGISTRY_QUORUM, "names": ", ".join(names)}
    if not names:
        return _("0 of %(quorum)d approvals") % told
    return _("%(count)d of %(quorum)d approvals: %(names)s") % told


def company(registration_request: RegistrationRequest, person: User) -> str:
    """Return who is on the request: "You and 1", "2 experts", "Nobody yet"."""
    on_it = active(registration_request)
    others = sum(each.expert_id != person.pk for each in on_it)
    if len(on_it) > others:
        return _("You and %(others)d") % {"others": others} if others else _("You")
    if not others:
        return _("Nobody yet")
    return ngettext("%(count)d expert", "%(count)d experts", others) % {"count": others}
