"""Who may do what: small predicates of a person and a request.

Roles are groups; being party to a request is a fact about the request (docs/process.md, People).

The `Q` that asks the database the same question is below each predicate and shares its name: for
`is_author(person, registration_request)`, the twin `q_is_author(person)` finds the requests that a
person started, and `q_person_is_author(registration_request)` the people who started a request.
Twins join no tables, so they combine by `|`, `&` and `~`, and no row comes twice. Change them
together: `tests/test_permissions.py` compares every pair.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import reduce, wraps
from operator import or_
from typing import Any, Final, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.utils.translation import gettext as _

from registry import enums
from registry.enums import (
    LIVE_STATES,
    REVIEW_STATES,
    WRITABLE_STATES,
    ChangeKind,
    Role,
    State,
    VerbKind,
)
from registry.models import (
    Appointment,
    Assignment,
    ConflictOfInterest,
    DelegateChange,
    Invitation,
    Namespace,
    NamespaceSpeaker,
    Organization,
    RegistrationRequest,
    User,
)
from registry.models.account import SECOND_FACTORS

Person = User | AnonymousUser

NOTHING: Final = Q(pk__in=())
"""A condition that no row meets."""


T = TypeVar("T")
Question = Callable[[Person, RegistrationRequest], T]
_known_facts: ContextVar[dict[tuple[Hashable, ...], Any] | None] = ContextVar(
    "known_facts", default=None
)


@contextmanager
def ask_each_fact_once() -> Iterator[None]:
    """Within the block, query each fact about a person and a request only once.

    For code that only reads and offers actions: a dozen predicates share a few facts. Actions check
    again, outside of any such block. A nested block shares the facts of the outer one.
    """
    known = _known_facts.get()
    token = _known_facts.set({} if known is None else known)
    try:
        yield
    finally:
        _known_facts.reset(token)


@contextmanager
def forget_all_facts() -> Iterator[None]:
    """Within the block, facts known or remembered outside it are not used."""
    token = _known_facts.set(None)
    try:
        yield
    finally:
        _known_facts.reset(token)


def _fact(question: Question[T]) -> Question[T]:
    """Make `question`, which queries the database, respect `ask_each_fact_once`."""

    @wraps(question)
    def ask(person: Person, registration_request: RegistrationRequest) -> T:
        if person.pk is None or registration_request.pk is None:
            return question(person, registration_request)
        key = make_fact_key(ask, person.__class__, person.pk, registration_request.pk)
        return remember_fact(key, lambda: question(person, registration_request))

    return ask


def make_fact_key(
    question: Question[Any], kind: Hashable, person: int, registration_request: int
) -> tuple[Hashable, ...]:
    """Return the key under which the answer about a person and a request, by key, is remembered."""
    return question, kind, person, registration_request


def remember_fact(key: tuple[Hashable, ...], find: Callable[[], T]) -> T:
    """Return what `find` returns; within `ask_each_fact_once` it is called once for each key."""
    facts = _known_facts.get()
    if facts is None:
        return find()
    if key not in facts:
        facts[key] = find()
    answer: T = facts[key]
    return answer


def provide_fact(key: tuple[Hashable, ...], fact: object) -> None:
    """Give `remember_fact` a fact that was read for many at once; within `ask_each_fact_once`."""
    remember_fact(key, lambda: fact)


def provide_answer(
    question: Question[Any], person: int, registration_request: int, answer: object
) -> None:
    """Give an account predicate its answer for a person and a request, by their keys.

    For predicates that respect `ask_each_fact_once`, within such a block.
    """
    provide_fact(make_fact_key(question, User, person, registration_request), answer)


def is_fact_known(key: tuple[Hashable, ...]) -> bool:
    """Whether `remember_fact` already knows the answer."""
    return key in (_known_facts.get() or {})


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


def is_author(person: Person, registration_request: RegistrationRequest) -> bool:
    return registration_request.author_id == person.pk


def q_is_author(person: User | Value) -> Q:
    return Q(author=person)


def q_person_is_author(registration_request: RegistrationRequest) -> Q:
    return Q(pk=registration_request.author_id)


@_fact
def is_delegate(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a delegate of the organization making the request."""
    return registration_request.organization.delegates.filter(pk=person.pk).exists()


def q_is_delegate(person: User | Value) -> Q:
    return Q(organization__in=Organization.objects.filter(delegates=person))


def q_person_is_delegate(registration_request: RegistrationRequest) -> Q:
    return Q(
        pk__in=User.objects.filter(delegated_by=registration_request.organization_id).values("pk")
    )


@_fact
def is_co_editor(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a co-editor of this request."""
    return registration_request.co_editors.filter(pk=person.pk).exists()


def q_is_co_editor(person: User | Value) -> Q:
    return Q(pk__in=RegistrationRequest.objects.filter(co_editors=person).values("pk"))


def q_person_is_co_editor(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=User.objects.filter(co_edited_requests=registration_request).values("pk"))


@_fact
def has_co_edited(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is or ever was a co-editor: leaving makes nobody neutral."""
    ties = Q(co_edited_requests=registration_request)
    ties |= Q(invitations_followed__registration_request=registration_request)
    return isinstance(person, User) and User.objects.filter(ties, pk=person.pk).exists()


def q_has_co_edited(person: User | Value) -> Q:
    followed = Invitation.objects.filter(joined_by=person)
    return q_is_co_editor(person) | Q(pk__in=followed.values("registration_request"))


def q_person_has_co_edited(registration_request: RegistrationRequest) -> Q:
    followed = registration_request.invitations.filter(joined_by__isnull=False)
    return q_person_is_co_editor(registration_request) | Q(pk__in=followed.values("joined_by"))


def belongs_to_organization(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` belongs to the organization making the request."""
    return (
        isinstance(person, User)
        and person.organization_id is not None
        and person.organization_id == registration_request.organization_id
    )


def q_belongs_to_organization(person: User) -> Q:
    return Q(organization=person.organization_id) if person.organization_id else NOTHING


def q_person_belongs_to_organization(registration_request: RegistrationRequest) -> Q:
    return Q(organization=registration_request.organization_id)


@_fact
def is_on_holder_side(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a tie to the holder of the namespace to be changed.

    No matter who asks for the change, it needs the holder's consent, so these people judge none of
    it. A person who was given only the namespace counts, even if others have come to speak for it
    since.
    """
    namespace = registration_request.namespace
    if namespace is None:
        return False
    registrant = namespace.registrant
    return (registrant is not None and is_tied_to(person, registrant)) or (
        namespace.speakers.filter(person=person.pk).exists()
    )


def q_is_on_holder_side(person: User | Value) -> Q:
    held = Namespace.objects.filter(
        registrant__in=Organization.objects.filter(q_is_tied_to(person))
    )
    alone = NamespaceSpeaker.objects.filter(person=person)
    return Q(namespace__in=held.values("pk")) | Q(namespace__in=alone.values("namespace"))


def q_person_is_on_holder_side(registration_request: RegistrationRequest) -> Q:
    namespace = registration_request.namespace
    if namespace is None:
        return NOTHING
    alone = Q(pk__in=namespace.speakers.values("person"))
    return alone | q_person_is_tied_to(namespace.registrant) if namespace.registrant else alone


def is_registrant(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may act for the registrant: author or delegate."""
    return person.is_active and (
        is_author(person, registration_request) or is_delegate(person, registration_request)
    )


def may_withdraw(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can end the request at once: its author, or the scheduler once announced."""
    return is_the_clock(person, registration_request) or (
        person.is_active and is_author(person, registration_request)
    )


def may_announce_withdrawal(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a delegate who did not start the request: others can stop them."""
    return is_registrant(person, registration_request) and not is_author(
        person, registration_request
    )


def may_write(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the draft, if there is one."""
    return is_registrant(person, registration_request) or (
        person.is_active and is_co_editor(person, registration_request)
    )


def q_may_write(person: User) -> Q:
    if not person.is_active:
        return NOTHING
    return q_is_author(person) | q_is_delegate(person) | q_is_co_editor(person)


def q_person_may_write(registration_request: RegistrationRequest) -> Q:
    return Q(is_active=True) & (
        q_person_is_author(registration_request)
        | q_person_is_delegate(registration_request)
        | q_person_is_co_editor(registration_request)
    )


def may_edit(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the text now."""
    if registration_request.state not in WRITABLE_STATES:
        return False
    if registration_request.state == State.APPEALED and registration_request.draft is None:
        return False
    return may_write(person, registration_request)


@dataclass(frozen=True, slots=True)
class Stake:
    """One way of being party to a request: its name, its predicate and that predicate's twins."""

    name: str
    holds: Callable[[Person, RegistrationRequest], bool]
    q: Callable[[User], Q]
    q_person: Callable[[RegistrationRequest], Q]


STAKES: Final = (
    Stake("author", is_author, q_is_author, q_person_is_author),
    Stake("delegate", is_delegate, q_is_delegate, q_person_is_delegate),
    Stake("co_editor", has_co_edited, q_has_co_edited, q_person_has_co_edited),
    Stake(
        "organization",
        belongs_to_organization,
        q_belongs_to_organization,
        q_person_belongs_to_organization,
    ),
    Stake("holder", is_on_holder_side, q_is_on_holder_side, q_person_is_on_holder_side),
)
"""Everything that makes a person party to a request, closest tie first."""


def name_stake(person: Person, registration_request: RegistrationRequest) -> str:
    """Return the name of what makes `person` party to the request, or empty."""
    held = (stake.name for stake in STAKES if stake.holds(person, registration_request))
    return next(held, "")


def is_party(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a stake in the request, which no expert judging it may have."""
    return bool(name_stake(person, registration_request))


def q_is_party(person: User) -> Q:
    return reduce(or_, [stake.q(person) for stake in STAKES])


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

    Being appointed for one request is such a role.
    """
    return (
        isinstance(person, User)
        and person.is_active
        and (bool(person.granted_roles) or person.is_superuser or is_appointed(person))
        and not person.has_second_factor
    )


LIVE_APPOINTMENT: Final = Q(declined_at=None, registration_request__state__in=LIVE_STATES)
"""Appointments that were not declined, for requests that have not ended."""


def is_appointed(person: User) -> bool:
    """Whether `person` was appointed for a request that has not ended, and has not declined."""

    def find() -> bool:
        return Appointment.objects.filter(LIVE_APPOINTMENT, person=person).exists()

    return remember_fact(("is_appointed", person.pk), find)


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


def list_conflicts_about(registration_request: RegistrationRequest) -> QuerySet[ConflictOfInterest]:
    """Return the conflicts of interest with the organization making the request and, for a change,
    with the one that holds the namespace.
    """
    bodies = [registration_request.organization_id]
    namespace = registration_request.namespace
    if namespace and namespace.registrant_id:
        bodies.append(namespace.registrant_id)
    return ConflictOfInterest.objects.filter(organization__in=bodies)


@_fact
def has_declared_conflict(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` declared a conflict of interest with the organization making the request, or
    with the one that holds the namespace.
    """
    return (
        isinstance(person, User)
        and list_conflicts_about(registration_request).filter(expert=person).exists()
    )


def q_has_declared_conflict(person: User | Value) -> Q:
    bodies = ConflictOfInterest.objects.filter(expert=person).values("organization")
    held = Namespace.objects.filter(registrant__in=bodies)
    return Q(organization__in=bodies) | Q(namespace__in=held.values("pk"))


def q_person_has_declared_conflict(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=list_conflicts_about(registration_request).values("expert"))


@_fact
def find_appointment(
    person: Person, registration_request: RegistrationRequest
) -> Appointment | None:
    """Return the appointment of `person` for this one request, whatever they answered."""
    return registration_request.appointments.filter(person_id=person.pk).first()


def is_temporary_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` accepted to be the expert on this one request, which has not ended.

    With a second factor, like every role.
    """
    if not (person.is_active and registration_request.state in LIVE_STATES):
        return False
    own = find_appointment(person, registration_request)
    return own is not None and own.accepted_at is not None and has_factor(person)


def has_factor(person: Person) -> bool:
    """Whether `person` signs in with a second factor."""
    return isinstance(person, User) and person.has_second_factor


def q_person_has_factor() -> Q:
    holders = User.objects.filter(authenticator__type__in=SECOND_FACTORS)
    return Q(pk__in=holders.values("pk"))


def q_is_temporary_expert(person: User) -> Q:
    if not person.is_active or not has_factor(person):
        return NOTHING
    accepted = Appointment.objects.accepted().filter(person=person)
    return Q(state__in=LIVE_STATES, pk__in=accepted.values("registration_request"))


def q_person_is_temporary_expert(registration_request: RegistrationRequest) -> Q:
    if registration_request.state not in LIVE_STATES:
        return NOTHING
    accepted = registration_request.appointments.accepted()
    return Q(is_active=True, pk__in=accepted.values("person")) & q_person_has_factor()


REQUEST_FACTS: Final = {
    is_delegate: q_is_delegate,
    is_co_editor: q_is_co_editor,
    has_co_edited: q_has_co_edited,
    is_on_holder_side: q_is_on_holder_side,
    has_declared_conflict: q_has_declared_conflict,
}
"""Predicates that query the database, each with its query form: one query answers all of them."""


@_fact
def may_take(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may be the expert on this request: an expert with no stake in it."""
    return (
        (is_expert(person) or is_temporary_expert(person, registration_request))
        and not is_party(person, registration_request)
        and not has_declared_conflict(person, registration_request)
    )


@_fact
def find_assignment(person: Person, registration_request: RegistrationRequest) -> Assignment | None:
    """Return the assignment of `person` on this request, even if they stepped back."""
    return registration_request.assignments.filter(expert_id=person.pk).first()


def has_taken(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is on this request as an expert, and has not stepped back."""
    own = find_assignment(person, registration_request)
    return own is not None and own.recused_at is None


def q_has_taken(person: User | Value) -> Q:
    own = Assignment.objects.active().filter(expert=person)
    return Q(pk__in=own.values("registration_request"))


def q_person_has_taken(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=registration_request.assignments.active().values("expert"))


def has_stepped_back(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was an expert on this request, and stepped back."""
    own = find_assignment(person, registration_request)
    return own is not None and own.recused_at is not None


def q_person_has_stepped_back(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=registration_request.assignments.stepped_back().values("expert"))


def may_lead(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is the lead, and has no stake in this request."""
    return is_lead(person) and may_take(person, registration_request)


def may_assign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may assign an expert to this request: the lead anyone, experts only
    themselves; the scheduler follows the rota.
    """
    return (
        may_join(person, registration_request)
        or may_lead(person, registration_request)
        or is_the_clock(person, registration_request)
    )


def may_join(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may take this request: not on it yet, and never stepped back from it."""
    return (
        may_take(person, registration_request)
        and find_assignment(person, registration_request) is None
    )


def is_reviewer(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert on this request, has no stake and has not stepped back."""
    return may_take(person, registration_request) and has_taken(person, registration_request)


def is_assigned_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may judge: on this request, and declared free of conflict."""
    if not may_take(person, registration_request):
        return False
    own = find_assignment(person, registration_request)
    return own is not None and own.recused_at is None and own.declared_at is not None


def has_to_declare(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was assigned to this request and has yet to declare about conflicts."""
    return is_reviewer(person, registration_request) and not is_assigned_expert(
        person, registration_request
    )


def has_to_answer_appointment(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was appointed for this request, and has yet to answer."""
    own = find_appointment(person, registration_request) if person.is_active else None
    return own is not None and own.is_open


def may_accept_appointment(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may become the temporary expert: appointed, and with no stake in it.

    People without a second factor set one up first, and can decline meanwhile.
    """
    return (
        has_to_answer_appointment(person, registration_request)
        and has_factor(person)
        and not is_party(person, registration_request)
        and not has_declared_conflict(person, registration_request)
        and not has_stepped_back(person, registration_request)
    )


def may_ask_for_expert(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may ask the standards body for a temporary expert: any of the experts.

    A declared conflict does not prevent it: it is why they ask.
    """
    return is_expert(person) and not is_party(person, registration_request)


def may_publish(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may publish this request: the registrar, with no stake in it.

    If every registrar has one, the standards body does it.
    """
    if is_party(person, registration_request):
        return False
    return is_registrar(person) or (
        holds_role(person, Role.STANDARDS_BODY) and lacks_registrar(registration_request)
    )


def lacks_registrar(registration_request: RegistrationRequest) -> bool:
    """Whether there is no registrar without a stake in the request."""
    stakes = [stake.q_person(registration_request) for stake in STAKES]
    registrars = User.objects.filter(q_person_holds_role(Role.REGISTRAR))
    neutral = registrars.exclude(reduce(or_, stakes))
    key = ("lacks registrar", registration_request.pk)
    return remember_fact(key, lambda: not neutral.exists())


def may_register(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may enter what was approved: the registrar, or the scheduler if a registrar
    has cited the RFC that changes a reference.
    """
    if is_the_clock(person, registration_request):
        return registration_request.events.filter(
            verb__in=enums.list_verbs_of_kind(VerbKind.RFC_CITATION)
        ).exists()
    return may_publish(person, registration_request)


def may_verify_holder(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may record that the holder of a namespace agrees to its change."""
    return registration_request.needs_holder_consent and may_publish(person, registration_request)


def may_show_to_list(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may release a change not made by the holder to the discussion list: an
    expert or the registrar, with no stake in it.
    """
    return registration_request.needs_holder_consent and (
        may_take(person, registration_request) or may_publish(person, registration_request)
    )


SECOND_OFFICER_CHANGES: Final = frozenset({ChangeKind.TRANSFER, ChangeKind.STATUS})
"""Changes of a registered namespace that one officer can never make alone."""


def may_countersign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may confirm this change as second officer, with no stake in it.

    A registrar, or the standards body if there is no other: the same person never both confirms and
    publishes, which the workflow checks in the journal.
    """
    return registration_request.change in SECOND_OFFICER_CHANGES and (
        may_publish(person, registration_request) or may_direct(person, registration_request)
    )


def may_cite_rfc(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may enter that a published RFC changes a reference: a registrar with no tie
    to the organization or to the holder.
    """
    return (
        registration_request.change == ChangeKind.REFERENCE
        and is_registrar(person)
        and not is_delegate(person, registration_request)
        and not belongs_to_organization(person, registration_request)
        and not is_on_holder_side(person, registration_request)
    )


def may_object(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may object for the holder: one of its speakers, or its published contact."""
    namespace = registration_request.namespace
    if not registration_request.needs_holder_consent or namespace is None:
        return False
    if isinstance(person, PublishedContact):
        return person.request_id == registration_request.pk
    return person.is_active and speaks_for_namespace(person, namespace)


def may_end_objection(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may withdraw an objection: anyone who could have raised it."""
    return may_object(person, registration_request) or (
        registration_request.needs_holder_consent
        and isinstance(person, User)
        and person.is_active
        and registration_request.events.filter(verb="object", actor=person).exists()
    )


def may_overrule(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may direct that the holder's objection does not stop a change."""
    return registration_request.needs_holder_consent and may_direct(person, registration_request)


def may_step_back(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert who has not stepped back from this request yet."""
    is_one = is_expert(person) or is_temporary_expert(person, registration_request)
    return is_one and not has_stepped_back(person, registration_request)


def may_direct(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` speaks for the standards body, with no stake in the request."""
    return holds_role(person, Role.STANDARDS_BODY) and not is_party(person, registration_request)


def may_return(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` checks the form of this request: registrar or lead, with no stake."""
    return may_publish(person, registration_request) or may_lead(person, registration_request)


def may_reroute(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may change the path: the registrant, or the lead."""
    return is_registrant(person, registration_request) or may_lead(person, registration_request)


def may_appeal(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may appeal: anyone affected, but not the body that hears the appeal."""
    return has_confirmed_address(person) and not holds_role(person, Role.STANDARDS_BODY)


def may_join_appeal(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may join the current appeal: may appeal, and has not done so yet."""
    if not may_appeal(person, registration_request):
        return False
    appeals = registration_request.events.of_kind(VerbKind.APPEAL)
    heard = appeals.filter(at__gte=registration_request.state_since)
    return not heard.filter(actor_id=person.pk).exists()


def may_keep(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may keep a request that would expire: the registrant.

    The registry itself does it for a reader of the body's contact address.
    """
    return is_registrant(person, registration_request) or is_the_clock(person, registration_request)


def may_comment(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may write a public message: anyone with a confirmed mail address."""
    return registration_request.state in LIVE_STATES and has_confirmed_address(person)


def may_moderate(person: Person) -> bool:
    """Whether `person` may hide a message from readers: the lead expert or the registrar."""
    return is_lead(person) or is_registrar(person)


def may_read_expert_notes(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can read and write the notes among experts on this request."""
    return may_take(person, registration_request)


def may_remark(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may remark on a passage: an expert on the request, while it is judged."""
    return registration_request.state in REVIEW_STATES and is_assigned_expert(
        person, registration_request
    )


def may_recognise(person: Person) -> bool:
    """Whether `person` decides who is recognised for the fast track (6.3)."""
    return holds_role(person, Role.STANDARDS_BODY)


def speaks_for(person: Person, organization: Organization) -> bool:
    """Whether `person` is a delegate of `organization`.

    Belonging to it is not enough: no letter announces that, there is no delay, and no source is
    required.
    """
    return organization.delegates.filter(pk=person.pk).exists()


def q_person_speaks_for(organization: Organization) -> Q:
    return Q(pk__in=organization.delegates.values("pk"))


def is_tied_to(person: Person, organization: Organization) -> bool:
    """Whether `person` belongs to `organization` or is its delegate, and so never judges it."""
    return (isinstance(person, User) and person.organization_id == organization.pk) or speaks_for(
        person, organization
    )


def q_is_tied_to(person: User | Value) -> Q:
    own = Organization.objects.filter(people=person)
    spoken_for = Organization.objects.filter(delegates=person)
    return Q(pk__in=own.values("pk")) | Q(pk__in=spoken_for.values("pk"))


def q_person_is_tied_to(organization: Organization) -> Q:
    return Q(organization=organization) | q_person_speaks_for(organization)


def speaks_for_namespace(person: Person, namespace: Namespace) -> bool:
    """Whether `person` speaks for the holder of `namespace`, or for the namespace alone."""
    registrant = namespace.registrant
    return (registrant is not None and speaks_for(person, registrant)) or (
        namespace.speakers.filter(build_speaker_condition(), person=person.pk).exists()
    )


def q_person_speaks_for_namespace(namespace: Namespace) -> Q:
    speakers = NamespaceSpeaker.objects.filter(build_speaker_condition(), namespace=namespace)
    alone = Q(pk__in=speakers.values("person"))
    return alone | q_person_speaks_for(namespace.registrant) if namespace.registrant else alone


def build_speaker_condition() -> Q:
    """Return which of the speakers for a single namespace are valid.

    The author of a new one while nobody else acts for its body; a person found by a search, always.
    """
    others = User.objects.filter(delegated_by=OuterRef("namespace__registrant")).exclude(
        pk=OuterRef("person")
    )
    alone = Q(~Exists(others), namespace__registrant__isnull=False)
    return Q(holder_search__isnull=False) | alone


def has_stake_in(person: Person, namespace: Namespace) -> bool:
    """Whether `person` speaks for a namespace, belongs to the body that holds it, or is party to a
    request that would change it.
    """
    registrant = namespace.registrant
    return (
        speaks_for_namespace(person, namespace)
        or (registrant is not None and is_tied_to(person, registrant))
        or any(is_party(person, each) for each in namespace.requests.live())
    )


def may_search_holder(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may search for the holder of `namespace`: a registrar with no stake in it.

    If every registrar has one, the standards body does it.
    """
    return is_neutral_registrar(person, lambda each: has_stake_in(each, namespace))


def is_neutral_registrar(person: Person, has_stake: Callable[[User], bool]) -> bool:
    """Whether `person` is a registrar without a stake, or stands in if every registrar has one.

    As `may_publish` does for requests: then it is up to the standards body.
    """
    if not isinstance(person, User) or has_stake(person):
        return False
    if is_registrar(person):
        return True
    registrars = User.objects.filter(q_person_holds_role(Role.REGISTRAR))
    return holds_role(person, Role.STANDARDS_BODY) and all(has_stake(each) for each in registrars)


def may_decide_search(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may decide who speaks for `namespace`: the standards body, with no stake."""
    return holds_role(person, Role.STANDARDS_BODY) and not has_stake_in(person, namespace)


def may_answer_search(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may say that the holder of `namespace` is there: one of its speakers."""
    return person.is_active and speaks_for_namespace(person, namespace)


def is_delegate_of(person: Person, organization: Organization) -> bool:
    """Whether `person` is a delegate of `organization`: writes and submits on its behalf."""
    return person.is_active and organization.delegates.filter(pk=person.pk).exists()


def q_person_is_delegate_of(organization: Organization) -> Q:
    return Q(is_active=True, pk__in=organization.delegates.values("pk"))


def may_name_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` may decide who else acts for `organization`."""
    return is_delegate_of(person, organization) or is_administrator(person)


def may_see_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` may see who acts for `organization`."""
    return may_name_delegates(person, organization) or is_registrar(person)


def may_confirm_claim(person: Person, change: DelegateChange) -> bool:
    """Whether `person` may confirm whose a claimed domain is: a registrar without a part in it.

    If every registrar has one, the standards body does it.
    """
    return is_neutral_registrar(person, lambda each: has_part_in_claim(each, change))


def has_part_in_claim(person: User, change: DelegateChange) -> bool:
    """Whether `person` is to act for the body, asked for that, or has a tie to the body already."""
    is_own = person.pk in (change.person_id, change.asked_by_id)
    return is_own or is_tied_to(person, change.organization)


def may_set_website(person: Person) -> bool:
    """Whether `person` may set an organization's website, which proofs are based on."""
    return is_registrar(person) or is_administrator(person)


def may_invite(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may decide who else writes this one request."""
    return registration_request.state in LIVE_STATES and is_registrant(person, registration_request)


def may_note_sightings(person: Person) -> bool:
    """Whether `person` may record a NID seen in use without registration."""
    return is_expert(person) or is_registrar(person)


def may_keep_entries(person: Person) -> bool:
    """Whether `person` may enter facts besides the versions of namespaces: the registrar."""
    return is_registrar(person)


def may_confirm_contact(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may confirm the contact of `namespace`: a delegate of its holder."""
    holder = namespace.registrant_id
    return holder is not None and is_delegate_of(person, Organization(pk=holder))


def may_answer_enquiries(person: Person) -> bool:
    """Whether `person` can read and answer enquiries before a draft: experts, the registrar."""
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


def may_manage_services(person: Person, namespace: Namespace) -> bool:
    """Whether `person` may edit the services of `namespace`, and load its locators: the registrar,
    or a delegate of the registrant.
    """
    if is_registrar(person):
        return True
    return namespace.registrant is not None and is_delegate_of(person, namespace.registrant)


def may_manage_vocabularies(person: Person) -> bool:
    """Whether `person` may change the registries of query keywords and service designators."""
    return is_registrar(person)
