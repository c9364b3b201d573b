"""Who may do what: small predicates of a person and a request.

Roles are groups; being party to a request is a fact about the request (docs/process.md, People).

Where the same is asked of the database, the `Q` that asks it stands below the predicate and has
its name: of `is_author(person, registration_request)`, the twin `q_is_author(person)` finds the
requests that a person started, and `q_person_is_author(registration_request)` the people who
started a request. Twins join no tables, so they combine by `|`, `&` and `~`, and no row comes
twice. Whoever changes the one changes the other: `tests/test_permissions.py` holds every pair
against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from registry.enums import LIVE_STATES, REVIEW_STATES, WRITABLE_STATES, Role, State, VerbKind
from registry.models import (
    Assignment,
    ConflictOfInterest,
    Invitation,
    Namespace,
    Organization,
    RegistrationRequest,
    User,
)

Person = User | AnonymousUser

NOTHING: Final = Q(pk__in=())
"""What no row fulfils."""


T = TypeVar("T")
Question = Callable[[Person, RegistrationRequest], T]
_known_facts: ContextVar[dict[tuple[Hashable, ...], Any] | None] = ContextVar(
    "known_facts", default=None
)


@contextmanager
def ask_each_fact_once() -> Iterator[None]:
    """Within the block, ask the database once for each fact about a person and a request.

    For what only reads and offers what may be done: a dozen predicates build on the same few
    facts. What is then done is asked anew, outside of any such block. One within another knows
    what that knows.
    """
    known = _known_facts.get()
    token = _known_facts.set({} if known is None else known)
    try:
        yield
    finally:
        _known_facts.reset(token)


def _fact(question: Question[T]) -> Question[T]:
    """Have `question`, which asks the database, heed `ask_each_fact_once`."""

    @wraps(question)
    def ask(person: Person, registration_request: RegistrationRequest) -> T:
        if person.pk is None or registration_request.pk is None:
            return question(person, registration_request)
        key = (question, type(person), person.pk, registration_request.pk)
        return remember_fact(key, lambda: question(person, registration_request))

    return ask


def remember_fact(key: tuple[Hashable, ...], find: Callable[[], T]) -> T:
    """Return what `find` returns; within `ask_each_fact_once` it is called once for each key."""
    facts = _known_facts.get()
    if facts is None:
        return find()
    if key not in facts:
        facts[key] = find()
    answer: T = facts[key]
    return answer


class Clock(AnonymousUser):
    """What acts when a time is up: holds no role, and does what no person may."""


CLOCK = Clock()


def is_the_clock(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether it is not a person who acts but the clock."""
    return isinstance(person, Clock)


def has_confirmed_address(person: Person) -> bool:
    """Whether `person` has an account in use, with a mail address that was confirmed."""
    return (
        isinstance(person, User)
        and person.is_active
        and person.emailaddress_set.filter(verified=True).exists()
    )


def is_author(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` started the request."""
    return registration_request.author_id == person.pk


def q_is_author(person: User) -> Q:
    return Q(author=person)


def q_person_is_author(registration_request: RegistrationRequest) -> Q:
    return Q(pk=registration_request.author_id)


@_fact
def is_delegate(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether the organization that asks named `person` a delegate."""
    return registration_request.organization.delegates.filter(pk=person.pk).exists()


def q_is_delegate(person: User) -> Q:
    return Q(organization__in=Organization.objects.filter(delegates=person))


def q_person_is_delegate(registration_request: RegistrationRequest) -> Q:
    return Q(
        pk__in=User.objects.filter(delegated_by=registration_request.organization_id).values("pk")
    )


@_fact
def is_co_editor(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` was invited to write this one request."""
    return registration_request.co_editors.filter(pk=person.pk).exists()


def q_is_co_editor(person: User) -> Q:
    return Q(pk__in=RegistrationRequest.objects.filter(co_editors=person).values("pk"))


def q_person_is_co_editor(registration_request: RegistrationRequest) -> Q:
    return Q(pk__in=User.objects.filter(co_edited_requests=registration_request).values("pk"))


@_fact
def has_co_edited(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is or ever was a co-editor: leaving again makes nobody neutral."""
    return is_co_editor(person, registration_request) or (
        isinstance(person, User)
        and registration_request.invitations.filter(joined_by=person).exists()
    )


def q_has_co_edited(person: User) -> Q:
    followed = Invitation.objects.filter(joined_by=person)
    return q_is_co_editor(person) | Q(pk__in=followed.values("registration_request"))


def q_person_has_co_edited(registration_request: RegistrationRequest) -> Q:
    followed = registration_request.invitations.filter(joined_by__isnull=False)
    return q_person_is_co_editor(registration_request) | Q(pk__in=followed.values("joined_by"))


def belongs_to_organization(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` belongs to the organization that asks."""
    return (
        isinstance(person, User)
        and person.organization_id is not None
        and person.organization_id == registration_request.organization_id
    )


def q_belongs_to_organization(person: User) -> Q:
    return Q(organization=person.organization_id) if person.organization_id else NOTHING


def q_person_belongs_to_organization(registration_request: RegistrationRequest) -> Q:
    return Q(organization=registration_request.organization_id)


def is_registrant(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may act for the registrant: author or delegate."""
    return person.is_active and (
        is_author(person, registration_request) or is_delegate(person, registration_request)
    )


def may_withdraw(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` ends the request at once: its author, and the clock what was announced."""
    return is_the_clock(person, registration_request) or (
        person.is_active and is_author(person, registration_request)
    )


def may_announce_withdrawal(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a delegate who did not start the request: others can stop them."""
    return is_registrant(person, registration_request) and not is_author(
        person, registration_request
    )


def may_write(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may edit the draft, were there one."""
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
    """One way of being party to a request: its name, its predicate and the twins of that."""

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
)
"""Everything that makes somebody party to a request, the closest tie first."""


def name_stake(person: Person, registration_request: RegistrationRequest) -> str:
    """Return the name of what makes `person` party to the request, empty for nothing."""
    held = (stake.name for stake in STAKES if stake.holds(person, registration_request))
    return next(held, "")


def is_party(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a stake in the request: no expert judges such a one."""
    return bool(name_stake(person, registration_request))


def holds_role(person: Person, *roles: Role) -> bool:
    """Whether `person` holds any of `roles`, by an account in use."""
    return isinstance(person, User) and person.has_role(*roles)


def q_person_holds_role(*roles: Role) -> Q:
    holders = User.objects.filter(groups__name__in=roles)
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
    """Whether `person` keeps accounts and roles."""
    return holds_role(person, Role.ADMINISTRATOR)


def is_lead(person: Person) -> bool:
    """Whether `person` leads the experts."""
    return holds_role(person, Role.LEAD)


def conflicts_between(
    expert: OuterRef | int | None, organization: OuterRef | int
) -> QuerySet[ConflictOfInterest]:
    """Return the conflicts of interest that `expert` declared with `organization`."""
    return ConflictOfInterest.objects.filter(expert=expert, organization=organization)


@_fact
def has_declared_conflict(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` declared a conflict of interest with the organization that asks."""
    return (
        isinstance(person, User)
        and conflicts_between(person.pk, registration_request.organization_id).exists()
    )


def q_has_declared_conflict(person: User) -> Q:
    return Q(Exists(conflicts_between(person.pk, OuterRef("organization"))))


def q_person_has_declared_conflict(registration_request: RegistrationRequest) -> Q:
    return Q(Exists(conflicts_between(OuterRef("pk"), registration_request.organization_id)))


@_fact
def may_take(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may be the expert on this request: an expert with no stake in it."""
    return (
        is_expert(person)
        and not is_party(person, registration_request)
        and not has_declared_conflict(person, registration_request)
    )


@_fact
def find_assignment(person: Person, registration_request: RegistrationRequest) -> Assignment | None:
    """Return what ties `person` to this request as an expert, one who stepped back too."""
    return registration_request.assignments.filter(expert_id=person.pk).first()


def has_taken(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is on this request as an expert, and has not stepped back."""
    own = find_assignment(person, registration_request)
    return own is not None and own.recused_at is None


def q_has_taken(person: User) -> Q:
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
    """Whether `person` leads the experts, and has no stake in this request."""
    return is_lead(person) and may_take(person, registration_request)


def may_assign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may put an expert on this request: the lead anybody, an expert only
    themselves; the clock acts by the rota."""
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
    """Whether `person` was put on this request and has not said yet to be free of conflict."""
    return is_reviewer(person, registration_request) and not is_assigned_expert(
        person, registration_request
    )


def may_publish(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may enter this request: the registrar, with no stake in it."""
    return is_registrar(person) and not is_party(person, registration_request)


def may_verify_holder(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may record that the holder of a namespace agrees to its change."""
    return registration_request.needs_holder_consent and may_publish(person, registration_request)


def may_step_back(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an expert who has not stepped back from this request yet."""
    return is_expert(person) and not has_stepped_back(person, registration_request)


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
    """Whether `person` may join the appeal that is heard: may appeal, and has not done so yet."""
    if not may_appeal(person, registration_request):
        return False
    appeals = registration_request.events.of_kind(VerbKind.APPEAL)
    heard = appeals.filter(at__gte=registration_request.state_since)
    return not heard.filter(actor_id=person.pk).exists()


def may_comment(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` may write a public message: anyone whose mail address is confirmed."""
    return registration_request.state in LIVE_STATES and has_confirmed_address(person)


def may_moderate(person: Person) -> bool:
    """Whether `person` may hide a message from readers: the lead expert or the registrar."""
    return is_lead(person) or is_registrar(person)


def may_read_expert_notes(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` reads and writes the notes among experts on this request."""
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
    """Whether `person` belongs to `organization`, or is a delegate of it."""
    return (
        isinstance(person, User) and person.organization_id == organization.pk
    ) or organization.delegates.filter(pk=person.pk).exists()


def q_speaks_for(person: User) -> Q:
    return Q(pk=person.organization_id) | Q(pk__in=person.delegated_by.values("pk"))


def q_person_speaks_for(organization: Organization) -> Q:
    return Q(organization=organization) | Q(pk__in=organization.delegates.values("pk"))


def is_delegate_of(person: Person, organization: Organization) -> bool:
    """Whether `person` is a delegate of `organization`: writes and sends in its name."""
    return person.is_active and organization.delegates.filter(pk=person.pk).exists()


def q_person_is_delegate_of(organization: Organization) -> Q:
    return Q(is_active=True, pk__in=organization.delegates.values("pk"))


def may_name_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` says who else acts for `organization`."""
    return is_delegate_of(person, organization) or is_administrator(person)


def may_see_delegates(person: Person, organization: Organization) -> bool:
    """Whether `person` is told who acts for `organization`."""
    return may_name_delegates(person, organization) or is_registrar(person)


def may_set_website(person: Person) -> bool:
    """Whether `person` says which site is an organization's own, on which proofs rest."""
    return is_registrar(person) or is_administrator(person)


def may_invite(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` says who else writes this one request."""
    return registration_request.state in LIVE_STATES and is_registrant(person, registration_request)


def may_note_sightings(person: Person) -> bool:
    """Whether `person` may note a NID seen in use without registration."""
    return is_expert(person) or is_registrar(person)


def may_manage_services(person: Person, namespace: Namespace) -> bool:
    """Whether `person` says where names of `namespace` resolve, and loads its locators: the
    registrar, or a delegate of the registrant."""
    if is_registrar(person):
        return True
    return namespace.registrant is not None and is_delegate_of(person, namespace.registrant)


def may_manage_vocabularies(person: Person) -> bool:
    """Whether `person` changes the registries of query keywords and service designators."""
    return is_registrar(person)
