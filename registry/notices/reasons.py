"""Who holds a reason to be written to: asked when a letter is written, and when it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from django.db.models import F, Q, QuerySet

from registry import rules
from registry.choices import Reason, Role, Turn
from registry.models import Organization, RegistrationRequest, User

TURNS: Final[dict[Turn, Reason]] = {
    Turn.REGISTRANT: Reason.REGISTRANT,
    Turn.BODY: Reason.REGISTRANT,
    Turn.EXPERTS: Reason.EXPERT,
    Turn.LEAD: Reason.LEAD,
    Turn.REGISTRAR: Reason.REGISTRAR,
    Turn.STANDARDS_BODY: Reason.STANDARDS_BODY,
}
"""What those are to a request whose turn it is."""

ROLES: Final[dict[Reason, Role]] = {
    Reason.LEAD: Role.LEAD,
    Reason.REGISTRAR: Role.REGISTRAR,
    Reason.STANDARDS_BODY: Role.STANDARDS_BODY,
}
"""The reasons that are roles, held by all alike."""


def may_write_or_judge(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a part in the request: as a writer, or as an expert on it."""
    return rules.may_write(person, registration_request) or rules.is_on_it(
        person, registration_request
    )


def speaks_for_holder(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a delegate of the organization that holds the namespace now."""
    namespace = registration_request.namespace
    return (
        namespace is not None
        and namespace.registrant is not None
        and namespace.registrant.delegates.filter(pk=person.pk).exists()
    )


HELD: Final[dict[Reason, Callable[[User, RegistrationRequest], bool]]] = {
    Reason.REGISTRANT: rules.may_write,
    Reason.EXPERT: rules.is_on_it,
    Reason.LEAD: rules.may_lead,
    Reason.REGISTRAR: rules.may_publish,
    Reason.STANDARDS_BODY: rules.may_direct,
    Reason.HOLDER: speaks_for_holder,
    Reason.RIVAL: may_write_or_judge,
}
"""Who is what to a request. A reason that is not here does not pass away."""


def holds(person: User, reason: Reason, registration_request: RegistrationRequest | None) -> bool:
    """Whether `person` is still what a letter was written to them for."""
    if registration_request and reason in HELD:
        return HELD[reason](person, registration_request)
    return reason not in ROLES or person.has_role(ROLES[reason])


def reachable() -> QuerySet[User]:
    """Return the people whose account is in use, and whose mail address is confirmed."""
    return User.objects.filter(
        is_active=True,
        emailaddress__verified=True,
        emailaddress__email__iexact=F("email"),
    )


def writers(registration_requests: Iterable[RegistrationRequest]) -> QuerySet[User]:
    """Return those who write any of the requests: authors, delegates and co-editors."""
    requests = list(registration_requests)
    return (
        reachable()
        .filter(
            Q(requests__in=requests)
            | Q(co_edited_requests__in=requests)
            | Q(delegated_by__requests__in=requests)
        )
        .distinct()
    )


def experts(registration_requests: Iterable[RegistrationRequest]) -> QuerySet[User]:
    """Return those who are on any of the requests as experts."""
    return (
        reachable()
        .filter(
            assignments__registration_request__in=list(registration_requests),
            assignments__recused_at__isnull=True,
        )
        .distinct()
    )


def delegates(organization: Organization | None) -> QuerySet[User]:
    """Return those who act for an organization; nobody for none."""
    return reachable().filter(delegated_by=organization) if organization else User.objects.none()


def holders_of(reason: Reason, registration_request: RegistrationRequest | None) -> list[User]:
    """Return the people who hold `reason` now, of the request or, without one, of the registry."""
    if reason in ROLES:
        found = reachable().filter(groups__name=ROLES[reason])
    elif registration_request is None:
        return []
    elif reason == Reason.REGISTRANT:
        found = writers([registration_request])
    else:
        found = experts([registration_request])
    return [person for person in found if holds(person, reason, registration_request)]
