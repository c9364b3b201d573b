"""Who may do what: what having a stake, or a disabled account, takes away."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import permissions, workflow
from registry.enums import ChangeKind, Role, State
from registry.models import (
    Namespace,
    Organization,
    RegistrationRequest,
    User,
)
from registry.selectors.actors import list_ties
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RequestFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tools.sign_in import give_factor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("tie", ["author", "delegate", "co-editor", "same organization"])
@pytest.mark.parametrize(
    "judge", [Role.EXPERT, Role.LEAD, Role.REGISTRAR, Role.STANDARDS_BODY], ids=str
)
def test_nobody_judges_a_request_of_their_own(judge: Role, tie: str) -> None:
    body = OrganizationFactory.create()
    person = UserFactory.create(roles=[judge])
    states = {Role.REGISTRAR: State.APPROVED, Role.STANDARDS_BODY: State.REPORTED}
    registration_request = RequestFactory.create(
        organization=body, state=states.get(judge, State.IN_REVIEW)
    )
    before = {each.verb for each in workflow.available_transitions(registration_request, person)}

    make_party(person, registration_request, tie)

    after = {each.verb for each in workflow.available_transitions(registration_request, person)}
    assert before
    own = {"submit", "reroute", "withdraw", "recuse", "appeal"}
    assert after <= own


@pytest.mark.parametrize("tie", ["delegate", "member", "speaker"])
@pytest.mark.parametrize(
    "judge", [Role.EXPERT, Role.LEAD, Role.REGISTRAR, Role.STANDARDS_BODY], ids=str
)
def test_nobody_judges_a_strangers_change_of_a_namespace_to_whose_holder_they_have_a_tie(
    judge: Role, tie: str
) -> None:
    holder, person = OrganizationFactory.create(), UserFactory.create(roles=[judge])
    namespace = NamespaceFactory.create(registrant=holder)
    states = {Role.REGISTRAR: State.APPROVED, Role.STANDARDS_BODY: State.REPORTED}
    asked = RequestFactory.create(
        namespace=namespace, change=ChangeKind.REVISION, state=states.get(judge, State.IN_REVIEW)
    )
    before = {each.verb for each in workflow.available_transitions(asked, person)}

    if tie == "delegate":
        let_speak_for(holder, person)
    elif tie == "member":
        person.organization = holder
        person.save()
    else:
        let_speak_for(namespace, person)

    after = {each.verb for each in workflow.available_transitions(asked, person)}
    assert before
    assert after & before <= {"recuse", "appeal", "object"}
    assert permissions.name_stake(person, asked) == "holder"


def test_expert_in_conflict_with_the_holder_judges_no_strangers_change(
    expert: User,
) -> None:
    holder = OrganizationFactory.create()
    asked = RequestFactory.create(
        namespace=NamespaceFactory.create(registrant=holder),
        change=ChangeKind.REVISION,
        state=State.IN_REVIEW,
    )
    before = permissions.may_take(expert, asked)
    expert.conflicts.create(organization=holder, declared_at=timezone.now())

    assert (before, permissions.may_take(expert, asked)) == (True, False)


def make_party(person: User, registration_request: RegistrationRequest, tie: str) -> None:
    """Give `person` a stake in the request."""
    if tie == "author":
        registration_request.author = person
        registration_request.save()
    elif tie == "delegate":
        let_speak_for(registration_request.organization, person)
    elif tie == "co-editor":
        registration_request.co_editors.add(person)
    else:
        person.organization = registration_request.organization
        person.save()


def test_expert_who_becomes_party_no_longer_decides(
    in_review: RegistrationRequest, expert: User
) -> None:
    assert permissions.is_assigned_expert(expert, in_review)

    let_speak_for(in_review.organization, expert)

    with expect_refusal("role"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")


def test_delegate_acts_for_the_organization(
    draft: RegistrationRequest, outsider: User, organization: Organization
) -> None:
    assert workflow.available_transitions(draft, outsider) == []

    let_speak_for(organization, outsider)

    assert [each.verb for each in workflow.available_transitions(draft, outsider)] == [
        "submit",
        "reroute",
        "withdraw",
    ]


def test_co_editor_writes_and_does_not_send(draft: RegistrationRequest, outsider: User) -> None:
    draft.co_editors.add(outsider)

    assert permissions.may_edit(outsider, draft)
    assert workflow.available_transitions(draft, outsider) == []


def test_account_switched_off_may_do_nothing(in_review: RegistrationRequest, expert: User) -> None:
    assert workflow.available_transitions(in_review, expert)
    User.objects.filter(pk=expert.pk).update(is_active=False)

    assert workflow.available_transitions(in_review, User.objects.get(pk=expert.pk)) == []


# Each predicate is compared with its twins. A new `q_…` is found here by its name.

TWINS = sorted(name for name in vars(permissions) if name.startswith("q_"))


@pytest.fixture
def requests() -> list[RegistrationRequest]:
    """Two requests; to the first, somebody has every possible relation."""
    asked, other = RequestFactory.create_batch(2, state=State.IN_REVIEW)
    for role in Role:
        UserFactory.create(roles=[role])
    for is_active in (True, False):
        for tie, tied in TIES.items():
            person = UserFactory.create(name=tie, roles=[Role.EXPERT], is_active=is_active)
            tied(asked, person)
            if tie == "declared":
                other.assignments.create(expert=person, assigned_at=timezone.now())
    holds = NamespaceFactory.create(registrant=asked.organization)
    unheld = NamespaceFactory.create()
    alone = NamespaceFactory.create(registrant=OrganizationFactory.create())
    shared = NamespaceFactory.create(registrant=asked.organization)
    for namespace in (unheld, alone, shared, holds):
        let_speak_for(namespace, UserFactory.create())
    return [
        asked,
        other,
        RequestFactory.create(
            author=User.objects.filter(is_active=False).earliest("pk"),
            organization=other.organization,
        ),
        RequestFactory.create(author=asked.author, organization=other.organization),
        *(
            RequestFactory.create(
                namespace=namespace, change=ChangeKind.REVISION, organization=other.organization
            )
            for namespace in (holds, unheld, alone)
        ),
    ]


def follow_invitation(registration_request: RegistrationRequest, person: User) -> None:
    """Make `person` a former co-editor: they accepted an invitation, and left."""
    now = timezone.now()
    registration_request.invitations.create(
        address=person.email,
        invited_by=registration_request.author,
        invited_at=now,
        joined_by=person,
        closed_at=now,
    )


def join_organization(registration_request: RegistrationRequest, person: User) -> None:
    person.organization = registration_request.organization
    person.save()


def assign(**facts: Any) -> Callable[[RegistrationRequest, User], object]:
    """Return a function that assigns a person to a request as an expert."""
    now = timezone.now()
    return lambda registration_request, person: registration_request.assignments.create(
        expert=person, assigned_at=now, **facts
    )


def assign_for_once_with_factor(registration_request: RegistrationRequest, person: User) -> None:
    give_factor(person)
    assign(is_temporary=True)(registration_request, person)


TIES: dict[str, Callable[[RegistrationRequest, User], object]] = {
    "stranger": lambda registration_request, person: None,
    "author": lambda registration_request, person: RequestFactory.create(
        author=person, organization=registration_request.organization
    ),
    "delegate": lambda registration_request, person: let_speak_for(
        registration_request.organization, person
    ),
    "co-editor": lambda registration_request, person: registration_request.co_editors.add(person),
    "former co-editor": follow_invitation,
    "member": join_organization,
    "in conflict": lambda registration_request, person: person.conflicts.create(
        organization=registration_request.organization, declared_at=timezone.now()
    ),
    "assigned": assign(),
    "declared": assign(declared_at=timezone.now()),
    "recused": assign(recused_at=timezone.now()),
    "temporary": assign(is_temporary=True),
    "temporary, with a factor": assign_for_once_with_factor,
}
"""The relations that people can have to a request."""


@pytest.mark.whole
@pytest.mark.parametrize("name", TWINS)
def test_database_answers_as_the_predicate(name: str, requests: list[RegistrationRequest]) -> None:
    of_people = name.startswith("q_person_")
    predicate = getattr(permissions, name.removeprefix("q_person_" if of_people else "q_"))

    answers = {
        (person.pk, *key(thing)): predicate(person, *thing)
        for person in User.objects.all()
        for thing in things_of(predicate)
    }

    found = find_people(name, predicate) if of_people else find_things(name, predicate)
    assert set(answers.values()) == {True, False}
    assert found == sorted(pair for pair, holds in answers.items() if holds)


@pytest.mark.whole
def test_ties_of_many_people_equal_the_ties_of_each(
    requests: list[RegistrationRequest],
) -> None:
    people = list(User.objects.all())
    expected: dict[tuple[int, int], set[str]] = {}
    for asked in requests:
        for person in people:
            held = {each.name for each in permissions.STAKES if each.holds(person, asked)}
            if permissions.has_declared_conflict(person, asked):
                held.add("conflict")
            if held:
                expected[asked.pk, person.pk] = held

    found = list_ties(requests, User.objects.all())

    names = {name for names in found.values() for name in names}
    assert names == {*(stake.name for stake in permissions.STAKES), "conflict"}
    assert found == expected


def key(thing: Iterable[Any]) -> tuple[Any, ...]:
    """Return the key of a pair: the row, or the roles."""
    return tuple(each.pk if isinstance(each, Model) else each for each in thing)


def things_of(predicate: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return the things a predicate of a person can be asked about."""
    parameters = list(inspect.signature(predicate).parameters)[1:]
    if parameters == ["registration_request"]:
        return [(each,) for each in RegistrationRequest.objects.order_by("pk")]
    if parameters == ["organization"]:
        return [(each,) for each in Organization.objects.order_by("pk")]
    if parameters == ["namespace"]:
        return [(each,) for each in Namespace.objects.order_by("pk")]
    if parameters == ["roles"]:
        return [(role,) for role in Role]
    assert parameters == []
    return [()]


def find_people(name: str, predicate: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return whom the database finds for each thing."""
    twin = getattr(permissions, name)
    return sorted(
        (person.pk, *key(thing))
        for thing in things_of(predicate)
        for person in User.objects.filter(twin(*thing))
    )


def find_things(name: str, predicate: Callable[..., bool]) -> list[tuple[Any, ...]]:
    """Return what the database finds for each person."""
    twin = getattr(permissions, name)
    return sorted(
        (person.pk, found.pk)
        for person in User.objects.all()
        for thing in things_of(predicate)[:1]
        for found in type(thing[0]).objects.filter(twin(person))
    )


def test_each_stake_names_a_predicate_and_its_own_twins() -> None:
    named = [
        (stake.holds.__name__, stake.q.__name__, stake.q_person.__name__)
        for stake in permissions.STAKES
    ]

    assert named == [(name, f"q_{name}", f"q_person_{name}") for name, *_twins in named]


# Each role, each standing and each state separately.


@pytest.fixture
def cast(
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
    administrator: User,
    outsider: User,
) -> dict[str, permissions.Person]:
    """One person of each role, and people with none or none they can use."""
    everything = UserFactory.create(is_active=False, roles=list(Role))
    return {
        "expert": expert,
        "lead": lead,
        "registrar": registrar,
        "body": standards_body,
        "administrator": administrator,
        "outsider": outsider,
        "switched off": everything,
        "anonymous": AnonymousUser(),
        "clock": permissions.CLOCK,
    }


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (permissions.is_expert, "expert lead"),
        (permissions.is_lead, "lead"),
        (permissions.is_registrar, "registrar"),
        (permissions.is_administrator, "administrator"),
        (permissions.may_moderate, "lead registrar"),
        (permissions.may_recognise, "body"),
        (permissions.may_record_speakers, "registrar"),
        (permissions.may_rule_on_speakers, "body"),
        (permissions.may_note_sightings, "expert lead registrar"),
        (permissions.may_manage_vocabularies, "registrar"),
        (
            permissions.has_confirmed_address,
            "expert lead registrar body administrator outsider",
        ),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_role_alone_allows_what_the_table_says(
    cast: dict[str, permissions.Person],
    predicate: Callable[[permissions.Person], bool],
    expected: str,
) -> None:
    assert [name for name, person in cast.items() if predicate(person)] == expected.split()


REQUEST_ROLES: dict[str, str] = {
    "may_take": "expert lead",
    "may_join": "expert lead",
    "may_lead": "lead",
    "may_assign": "expert lead clock",
    "may_publish": "registrar",
    "may_direct": "body",
    "may_reroute": "lead",
    "may_step_back": "expert lead",
    "may_read_expert_notes": "expert lead",
    "may_appeal": "expert lead registrar administrator outsider",
    "may_comment": "expert lead registrar body administrator outsider",
    "may_write": "",
    "may_edit": "",
    "may_invite": "",
    "may_remark": "",
    "is_assigned_expert": "",
    "may_recuse": "expert lead",
    "is_the_clock": "clock",
}


@pytest.mark.parametrize("name", REQUEST_ROLES)
def test_role_allows_on_others_requests_what_the_table_says(
    name: str, cast: dict[str, permissions.Person], sent: RegistrationRequest
) -> None:
    predicate = getattr(permissions, name)

    allowed = [who for who, person in cast.items() if predicate(person, sent)]

    assert allowed == REQUEST_ROLES[name].split()


def test_administration_needs_the_role_or_a_superusers_factor(
    cast: dict[str, permissions.Person],
) -> None:
    factors = {"with a factor": True, "without": False}
    superusers = {name: UserFactory.create(is_superuser=True) for name in factors}
    give_factor(superusers["with a factor"])
    closed = UserFactory.create(is_superuser=True, is_active=False)
    give_factor(closed)
    people = {**cast, **superusers, "closed": closed}

    allowed = [who for who, each in people.items() if permissions.may_administrate(each)]
    assert isinstance(people["administrator"], User)
    people["administrator"].is_staff = False

    assert allowed == ["administrator", "with a factor"]
    assert not permissions.may_administrate(people["administrator"])


def test_address_that_was_not_confirmed_is_none(outsider: User) -> None:
    outsider.emailaddress_set.update(verified=False)

    assert not permissions.has_confirmed_address(outsider)


@pytest.mark.parametrize("role", [Role.LEAD, Role.EXPERT], ids=str)
def test_experts_permissions_follow_their_standing_on_the_request(
    sent: RegistrationRequest, role: Role
) -> None:
    person, now = UserFactory.create(roles=[role]), timezone.now()
    names = ("may_join", "is_assigned_expert", "may_step_back")

    def allowed() -> list[str]:
        return [name for name in names if getattr(permissions, name)(person, sent)]

    standings = [allowed()]
    assignment = sent.assignments.create(expert=person, assigned_at=now)
    standings.append(allowed())
    sent.assignments.filter(pk=assignment.pk).update(recused_at=now)
    standings.append(allowed())

    assert standings == [
        ["may_join", "may_step_back"],
        ["is_assigned_expert", "may_step_back"],
        [],
    ]


@pytest.mark.parametrize("tie", ["author", "delegate", "co-editor", "same organization"])
def test_expert_with_a_stake_steps_back_and_does_nothing_else(
    in_review: RegistrationRequest, expert: User, tie: str
) -> None:
    names = ("is_assigned_expert", "may_remark", "may_read_expert_notes")
    assert all(getattr(permissions, name)(expert, in_review) for name in names)

    make_party(expert, in_review, tie)

    assert not any(getattr(permissions, name)(expert, in_review) for name in names)
    assert permissions.may_step_back(expert, in_review)


def test_conflict_that_was_declared_is_with_that_organization_alone(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    other = RequestFactory.create(state=State.IN_REVIEW)

    expert.conflicts.create(organization=in_review.organization, declared_at=timezone.now())

    assert not permissions.may_take(expert, in_review)
    assert permissions.may_take(expert, other)
    assert permissions.may_take(lead, in_review)


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("may_edit", {"draft", "changes_requested", "declined", "appealed", "advisory"}),
        ("may_invite", set(State.values) - {"registered", "withdrawn", "refused", "expired"}),
        ("may_comment", set(State.values) - {"registered", "withdrawn", "refused", "expired"}),
    ],
)
def test_authors_permissions_end_with_the_state(
    name: str, states: set[str], registrant: User, draft: RegistrationRequest
) -> None:
    allowed = set()
    for state in State:
        draft.state = state
        if getattr(permissions, name)(registrant, draft):
            allowed.add(str(state))

    assert allowed == states


def test_experts_remark_while_a_text_is_judged(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    allowed = set()
    for state in State:
        in_review.state = state
        if permissions.may_remark(expert, in_review):
            allowed.add(str(state))
        assert not permissions.may_remark(lead, in_review)

    assert allowed == {"in_review", "advisory"}


def test_co_editors_write_a_request_and_registrants_send_it(
    draft: RegistrationRequest, registrant: User, outsider: User, organization: Organization
) -> None:
    delegate, colleague = UserFactory.create(), UserFactory.create(organization=organization)
    let_speak_for(organization, delegate)
    draft.co_editors.add(outsider)
    people = {
        "author": registrant,
        "delegate": delegate,
        "co-editor": outsider,
        "colleague": colleague,
    }

    def allowed(name: str) -> list[str]:
        return [who for who, each in people.items() if getattr(permissions, name)(each, draft)]

    before = {name: allowed(name) for name in ("may_write", "is_registrant", "may_reroute")}
    User.objects.update(is_active=False)
    for each in people.values():
        each.refresh_from_db()

    assert before == {
        "may_write": ["author", "delegate", "co-editor"],
        "is_registrant": ["author", "delegate"],
        "may_reroute": ["author", "delegate"],
    }
    assert [allowed(name) for name in before] == [[], [], []]


def test_standing_on_a_request_counts_for_one_person_there(
    draft: RegistrationRequest, informal_draft: RegistrationRequest, outsider: User, expert: User
) -> None:
    draft.co_editors.add(outsider)
    draft.assignments.create(expert=expert, assigned_at=timezone.now(), declared_at=timezone.now())
    other = UserFactory.create(roles=[Role.EXPERT])

    facts = {
        "is_co_editor": outsider,
        "has_co_edited": outsider,
        "has_taken": expert,
        "is_assigned_expert": expert,
    }
    for name, person in facts.items():
        predicate = getattr(permissions, name)
        assert predicate(person, draft), name
        assert not predicate(person, informal_draft), name
        assert not predicate(other, draft), name


def test_former_co_editor_alone_has_co_edited_the_request(
    draft: RegistrationRequest, outsider: User, registrant: User
) -> None:
    now = timezone.now()
    draft.invitations.create(
        address="a@people.example", invited_by=registrant, invited_at=now, closed_at=now
    )
    before = permissions.has_co_edited(outsider, draft)

    draft.invitations.create(
        address="b@people.example",
        invited_by=registrant,
        invited_at=now,
        closed_at=now,
        joined_by=outsider,
    )

    assert (before, permissions.has_co_edited(outsider, draft)) == (False, True)
    assert not permissions.may_write(outsider, draft)
    assert not permissions.has_co_edited(UserFactory.create(), draft)


def test_delegates_and_members_are_tied_to_their_organization_alone(
    organization: Organization, cast: dict[str, permissions.Person]
) -> None:
    delegate, member = UserFactory.create(), UserFactory.create(organization=organization)
    closed = UserFactory.create(is_active=False)
    let_speak_for(organization, delegate, closed)
    other = OrganizationFactory.create()
    people = {"delegate": delegate, "member": member, "closed": closed, **cast}

    def allowed(name: str, body: Organization) -> list[str]:
        return [who for who, each in people.items() if getattr(permissions, name)(each, body)]

    assert allowed("is_delegate_of", organization) == ["delegate"]
    assert allowed("may_see_speakers", organization) == ["delegate", "registrar", "body"]
    assert allowed("speaks_for", organization) == ["delegate", "closed"]
    assert allowed("is_tied_to", organization) == ["delegate", "member", "closed"]
    for name in ("is_delegate_of", "speaks_for", "is_tied_to"):
        assert allowed(name, other) == []


def test_services_are_managed_by_delegates_and_registrars(
    organization: Organization, cast: dict[str, permissions.Person]
) -> None:
    delegate = UserFactory.create()
    let_speak_for(organization, delegate)
    people = {"delegate": delegate, **cast}
    held, unheld, others = (
        NamespaceFactory.create(registrant=body)
        for body in (organization, None, OrganizationFactory.create())
    )

    allowed = [
        [who for who, each in people.items() if permissions.may_manage_services(each, namespace)]
        for namespace in (held, unheld, others)
    ]

    assert allowed == [["delegate", "registrar"], ["registrar"], ["registrar"]]


def test_contact_is_confirmed_by_a_delegate_of_the_holder_alone(
    registrant: User, registrar: User, organization: Organization, outsider: User
) -> None:
    namespace = NamespaceFactory.create(registrant=organization)
    let_speak_for(organization, registrant)
    let_speak_for(OrganizationFactory.create(), outsider)
    people: list[permissions.Person] = [registrant, outsider, registrar, AnonymousUser()]

    assert [permissions.may_confirm_contact(each, namespace) for each in people] == [
        True,
        False,
        False,
        False,
    ]


def test_each_fact_is_asked_once_within_a_block_and_anew_outside(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    with permissions.ask_each_fact_once():
        before = permissions.has_taken(expert, in_review), permissions.has_taken(lead, in_review)
        in_review.assignments.update(recused_at=timezone.now())
        within = permissions.has_taken(expert, in_review)
    after = permissions.has_taken(expert, in_review)

    assert (before, within, after) == ((True, False), True, False)


FACTS = (
    "is_delegate",
    "is_co_editor",
    "has_co_edited",
    "has_declared_conflict",
    "may_take",
    "has_taken",
    "has_stepped_back",
    "is_assigned_expert",
)


@pytest.mark.parametrize("name", FACTS)
def test_fact_costs_one_query_within_a_block(
    name: str,
    in_review: RegistrationRequest,
    informal_draft: RegistrationRequest,
    expert: User,
    lead: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    pairs = [(who, asked) for who in (expert, lead) for asked in (in_review, informal_draft)]
    plain = [[getattr(permissions, fact)(*pair) for fact in FACTS] for pair in pairs]

    with permissions.ask_each_fact_once():
        first = [[getattr(permissions, fact)(*pair) for fact in FACTS] for pair in pairs]
        with django_assert_num_queries(0):
            again = [getattr(permissions, name)(*pair) for pair in pairs]

    assert first == plain
    assert again == [facts[FACTS.index(name)] for facts in plain]


def test_unsaved_person_is_asked_about_each_time_within_a_block(
    in_review: RegistrationRequest,
) -> None:
    with permissions.ask_each_fact_once():
        asked = [
            permissions.is_delegate(each, in_review)
            for each in (AnonymousUser(), permissions.CLOCK, in_review.author)
        ]

    assert asked == [False, False, False]
