"""Who somebody is: roles, the second factor they need, and what a role alone allows."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from registry.enums import LIVE_STATES, Role
from registry.models import Assignment, OfficerChange, RegistrationRequest, User
from registry.models.account import SECOND_FACTORS
from registry.permissions.facts import Person, remember_fact


class Clock(AnonymousUser):
    """The actor of scheduled steps: it has no role, and does what no person may."""


CLOCK = Clock()


class PublishedContact(AnonymousUser):
    """A reader at an address on record for a namespace, who has only a letter's link.

    They can do what the link is for, on the request it was written for.
    """

    def __init__(self, registration_request: RegistrationRequest | None = None) -> None:
        super().__init__()
        self.request_id = registration_request.pk if registration_request else None

    def __str__(self) -> str:
        return _("The published contact") if self.request_id else _("An address on record")


def is_the_clock(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether the scheduler acts, and not a person."""
    return isinstance(person, Clock)


def has_confirmed_address(person: Person) -> bool:
    """Whether `person` has an active account with a confirmed mail address."""
    if not isinstance(person, User) or not person.is_active:
        return False
    return remember_fact(
        ("has_confirmed_address", person.pk),
        lambda: person.emailaddress_set.filter(verified=True).exists(),
    )


def holds_role(person: Person, *roles: Role) -> bool:
    """Whether `person` holds any of `roles`, with an active account and a second factor.

    All interfaces use this, so that no role works without one.
    """
    return isinstance(person, User) and person.has_role(*roles)


def q_person_holds_role(*roles: Role) -> Q:
    holders = User.objects.filter(groups__name__in=roles, authenticator__type__in=SECOND_FACTORS)
    return Q(is_active=True, pk__in=holders.values("pk"))


def is_expert(person: Person) -> bool:
    """Whether `person` is a designated expert; the lead is one too."""
    return holds_role(person, Role.EXPERT, Role.LEAD)


def q_person_is_expert() -> Q:
    return q_person_holds_role(Role.EXPERT, Role.LEAD)


def is_registrar(person: Person) -> bool:
    """Whether `person` is the registrar."""
    return holds_role(person, Role.REGISTRAR)


def is_administrator(person: Person) -> bool:
    """Whether `person` manages accounts and roles."""
    return holds_role(person, Role.ADMINISTRATOR)


def may_administrate(person: Person) -> bool:
    """Whether `person` may use the admin site: staff administrators; superusers with a factor."""
    if not isinstance(person, User) or not person.is_active:
        return False
    if person.is_superuser:
        return person.has_second_factor
    return person.is_staff and is_administrator(person)


def lacks_factor(person: Person) -> bool:
    """Whether `person` has a role that is inactive until there is a second factor.

    Being the expert for one request is such a role.
    """
    return (
        isinstance(person, User)
        and person.is_active
        and (bool(person.granted_roles) or person.is_superuser or judges_one_request(person))
        and not person.has_second_factor
    )


LIVE_TEMPORARY_ASSIGNMENT: Final = Q(
    is_temporary=True, recused_at=None, registration_request__state__in=LIVE_STATES
)


def judges_one_request(person: User) -> bool:
    """Whether `person` is a temporary expert on a request that has not ended."""

    def find() -> bool:
        return Assignment.objects.filter(LIVE_TEMPORARY_ASSIGNMENT, expert=person).exists()

    return remember_fact(("judges_one_request", person.pk), find)


def explain_missing_factor(person: Person) -> str:
    """Return why the roles of `person` cannot be used yet, or nothing."""
    if not lacks_factor(person):
        return ""
    return _(
        "Your role is inactive until your account has a second factor. Set one up under Account, "
        "“Second factor”; then try again."
    )


def is_lead(person: Person) -> bool:
    """Whether `person` is the lead of the experts."""
    return holds_role(person, Role.LEAD)


def may_decide(person: User) -> bool:
    """Whether `person` decides something: an officer, or somebody who acts for an organization."""
    holds_power = bool(person.granted_roles) or person.is_superuser
    return holds_power or person.speaking.in_effect().exists() or judges_one_request(person)


def is_officer(person: Person) -> bool:
    """Whether `person` holds any role."""
    return holds_role(person, *Role)


def may_stop_officer_change(person: Person, change: OfficerChange) -> bool:
    """Whether `person` can stop a change of who may decide: officers, and whom it is about."""
    return is_officer(person) or change.person_id == person.pk


def may_decide_officer_change(person: Person, change: OfficerChange) -> bool:
    """Whether `person` decides about a stopped change, which nobody does about themselves."""
    deciders = (Role.STANDARDS_BODY, Role.ADMINISTRATOR)
    return holds_role(person, *deciders) and change.person_id != person.pk


def has_factor(person: Person) -> bool:
    """Whether `person` signs in with a second factor."""
    return isinstance(person, User) and person.has_second_factor


def q_person_has_factor() -> Q:
    holders = User.objects.filter(authenticator__type__in=SECOND_FACTORS)
    return Q(pk__in=holders.values("pk"))


def may_moderate(person: Person) -> bool:
    """Whether `person` may hide a message from readers: the lead expert or the registrar."""
    return is_lead(person) or is_registrar(person)


def may_recognise(person: Person) -> bool:
    """Whether `person` decides who is recognised for the fast track (6.3)."""
    return holds_role(person, Role.STANDARDS_BODY)


def may_note_sightings(person: Person) -> bool:
    """Whether `person` may record a NID seen in use without registration."""
    return is_expert(person) or is_registrar(person)


def may_keep_entries(person: Person) -> bool:
    """Whether `person` may enter facts besides the versions of namespaces: the registrar."""
    return is_registrar(person)


def may_answer_enquiries(person: Person) -> bool:
    """Whether `person` can read and answer enquiries: experts, the registrar."""
    return is_expert(person) or is_registrar(person)


def may_hold_nids(person: Person) -> bool:
    """Whether `person` may hold back a NID, by a court order or a recorded direction."""
    return holds_role(person, Role.REGISTRAR, Role.STANDARDS_BODY)


def may_appeal_holds(person: Person) -> bool:
    """Whether `person` may appeal against a hold: not the body that hears the appeal."""
    return has_confirmed_address(person) and not may_answer_hold_appeals(person)


def may_answer_hold_appeals(person: Person) -> bool:
    """Whether `person` answers appeals against holds: the standards body."""
    return holds_role(person, Role.STANDARDS_BODY)


def may_manage_vocabularies(person: Person) -> bool:
    """Whether `person` may change the registries of query keywords and service designators."""
    return is_registrar(person)
