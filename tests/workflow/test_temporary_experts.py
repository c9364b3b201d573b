"""If none of the experts can judge a request, the standards body assigns somebody for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import permissions, workflow
from registry.enums import Role, State, Turn
from registry.models import ConflictOfInterest, Letter, RegistrationRequest, Token, User
from registry.selectors import find_current_turn
from tests.api.clients import Program
from tests.factories import (
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.sign_in import make_totp_code, remove_factors
from tools.sign_in import give_factor, record_sign_in

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def declare_conflict(person: User, registration_request: RegistrationRequest) -> None:
    ConflictOfInterest.objects.create(
        expert=person,
        organization=registration_request.organization,
        declared_at=timezone.now(),
    )


def offered(person: User, registration_request: RegistrationRequest) -> set[str]:
    return {each.verb for each in workflow.available_transitions(registration_request, person)}


@pytest.fixture
def unjudged(
    in_review: RegistrationRequest, expert: User, lead: User, standards_body: User, outsider: User
) -> RegistrationRequest:
    """A request whose only expert has a conflict, and from which the lead stepped back."""
    declare_conflict(expert, in_review)
    workflow.perform(in_review, "recuse", actor=lead, comment="I wrote the draft standard.")
    return in_review


@pytest.fixture
def unsure(unjudged: RegistrationRequest, standards_body: User, outsider: User) -> User:
    """Somebody whom the standards body has assigned, with no second factor."""
    workflow.perform(
        unjudged, "assign", actor=standards_body, comment="Knows seeds.", expert=outsider
    )
    return outsider


@pytest.fixture
def temporary(unsure: User) -> User:
    """Somebody whom the standards body has assigned, and who can judge."""
    give_factor(unsure)
    return unsure


def test_standards_body_assigns_nobody_while_an_expert_is_free(
    in_review: RegistrationRequest, standards_body: User, outsider: User, lead: User
) -> None:
    assert "assign" not in offered(standards_body, in_review)
    with expect_refusal("role"):
        workflow.perform(in_review, "assign", actor=standards_body, comment="Why not?")
    with expect_refusal("expert_can_judge"):
        workflow.perform(in_review, "assign", actor=lead, comment="Why not?", expert=outsider)


@pytest.mark.pages
def test_standards_body_has_the_turn_at_once_and_assigns_on_its_page(
    unjudged: RegistrationRequest, standards_body: User, outsider: User, sign_in: SignIn
) -> None:
    waits = find_current_turn(unjudged)
    page = reverse("review:assign", args=[unjudged.slug])
    browser = sign_in(standards_body)
    linked = page in browser.get(unjudged.get_absolute_url()).content.decode()
    form = {"seen": unjudged.revision, "expert": outsider.email}
    silent = browser.post(page, form)
    browser.post(page, form | {"comment": "Knows seeds."})
    give_factor(outsider)
    unjudged.refresh_from_db()
    assigned = find_current_turn(unjudged)
    workflow.perform(unjudged, "approve", actor=outsider, comment="Sound.")

    assert (waits.turn, waits.people) == (Turn.STANDARDS_BODY, ("Stine Standards",))
    assert "RFC 8126, section 5.2" in str(waits.then)
    assert linked
    assert list(silent.context["form"].errors) == ["comment"]
    assert (assigned.turn, assigned.people) == (Turn.EXPERTS, ("Olaf Outsider",))
    assert unjudged.state == State.APPROVED
    assert Letter.objects.filter(event__verb="assign", recipient=outsider).exists()
    approval = unjudged.events.latest("number")
    assert (approval.verb, approval.data["declares"]) == ("approve", True)


def test_standards_body_reviews_it_itself(
    unjudged: RegistrationRequest, standards_body: User
) -> None:
    workflow.perform(unjudged, "assign", actor=standards_body, comment="Nobody else can.")
    workflow.perform(unjudged, "approve", actor=standards_body, comment="Sound.")

    assert unjudged.state == State.APPROVED


@pytest.mark.pages
def test_assigning_somebody_without_a_role_asks_once_more_who_one_is(
    unjudged: RegistrationRequest, standards_body: User, outsider: User, sign_in: SignIn
) -> None:
    browser = sign_in(standards_body)
    record_sign_in(browser, standards_body, ago=3600)
    path = reverse("review:assign", args=[unjudged.slug])
    sent = {"seen": unjudged.revision, "comment": "Knows seeds.", "expert": outsider.email}

    asked = browser.post(path, sent)
    before = unjudged.assignments.filter(expert=outsider).exists()
    browser.post(asked.headers["Location"], {"code": make_totp_code(), "next": path})

    assert asked.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    assert not before
    assert unjudged.assignments.get(expert=outsider).is_temporary


@pytest.mark.pages
@pytest.mark.parametrize(
    ("scopes", "status"), [(["read", "write"], 403), (["read", "write", "publish"], 200)]
)
def test_token_assigns_somebody_if_it_may_give_its_owners_word(
    scopes: list[str],
    status: int,
    unjudged: RegistrationRequest,
    standards_body: User,
    outsider: User,
) -> None:
    program = Program.of(standards_body)
    Token.objects.update(scopes=scopes)

    answer = program.take(unjudged.slug, "assign", comment="Knows seeds.", expert=outsider.email)

    assert answer.status_code == status
    assert unjudged.assignments.filter(expert=outsider).exists() == (status == 200)


@pytest.mark.parametrize("tie", ["author", "delegate", "conflict", "recused"])
def test_nobody_with_a_stake_is_assigned(
    tie: str, unjudged: RegistrationRequest, standards_body: User, outsider: User, lead: User
) -> None:
    person = {"author": unjudged.author, "recused": lead}.get(tie, outsider)
    if tie == "delegate":
        let_speak_for(unjudged.organization, outsider)
    elif tie == "conflict":
        declare_conflict(outsider, unjudged)

    with expect_refusal("expert_can_judge"):
        workflow.perform(
            unjudged, "assign", actor=standards_body, comment="Knows seeds.", expert=person
        )


@pytest.mark.pages
def test_somebody_without_an_account_is_asked_to_create_one(
    unjudged: RegistrationRequest, standards_body: User, sign_in: SignIn
) -> None:
    page = reverse("review:assign", args=[unjudged.slug])
    form = {"seen": unjudged.revision, "comment": "Knows.", "expert": "nobody@people.example"}

    answer = sign_in(standards_body).post(page, form)

    assert answer.context["form"].has_error("expert", "no_account")


# Second factors


@pytest.mark.pages
@pytest.mark.parametrize("verb", ["approve", "decline", "request_changes"])
def test_temporary_expert_judges_by_page_and_api_with_a_second_factor_alone(
    verb: str, unsure: User, unjudged: RegistrationRequest, sign_in: SignIn
) -> None:
    path, browser = reverse("review:detail", args=[unjudged.slug]), sign_in(unsure)
    decision = {"verb": verb, "comment": "Sound.", "seen": unjudged.revision}

    page = browser.get(path)
    posted = browser.post(path, decision)
    called = Program.of(unsure).take(unjudged.slug, verb, comment="Sound.")
    waits = find_current_turn(unjudged)
    give_factor(unsure)

    words = permissions.explain_missing_factor(User.objects.get(pk=unsure.pk))
    assert (page.status_code, posted.status_code, called.status_code) == (200, 403, 403)
    assert "second factor" in page.content.decode()
    assert not words
    assert waits.turn == Turn.STANDARDS_BODY
    assert verb in offered(User.objects.get(pk=unsure.pk), unjudged)
    assert find_current_turn(unjudged).people == ("Olaf Outsider",)


@pytest.mark.pages
def test_temporary_expert_recuses_without_a_second_factor(
    unsure: User, unjudged: RegistrationRequest, standards_body: User
) -> None:
    answer = Program.of(unsure).take(unjudged.slug, "recuse", comment="No time.")

    assert answer.status_code == 200
    assert not permissions.explain_missing_factor(User.objects.get(pk=unsure.pk))
    assert find_current_turn(unjudged).people == ("Stine Standards",)


def test_temporary_expert_who_loses_the_second_factor_returns_the_turn(
    temporary: User, unjudged: RegistrationRequest
) -> None:
    before = find_current_turn(unjudged).turn
    remove_factors(temporary)

    assert (before, find_current_turn(unjudged).turn) == (Turn.EXPERTS, Turn.STANDARDS_BODY)


def test_silent_temporary_expert_is_replaced_by_the_standards_body(
    temporary: User, unjudged: RegistrationRequest, standards_body: User, registrar: User
) -> None:
    workflow.perform(
        unjudged,
        "assign",
        actor=standards_body,
        comment="Silent for a month.",
        expert=registrar,
        leaver=temporary,
    )

    assert find_current_turn(unjudged).people == (registrar.name,)


def test_officer_whose_role_rests_is_not_named_as_who_can_act(
    in_review: RegistrationRequest, expert: User, lead: User
) -> None:
    before = find_current_turn(in_review).people
    for person in (expert, lead):
        remove_factors(person)
    substitute = UserFactory.create(name="Esra Expert", roles=[Role.EXPERT])

    waiting = find_current_turn(RegistrationRequest.objects.get(pk=in_review.pk))

    assert set(before) <= {"Ede Expert", "Lova Lead"}
    assert before
    assert (waiting.turn, waiting.people) == (Turn.LEAD, (substitute.name,))


# What else they are


@pytest.mark.pages
def test_they_see_that_request_only(
    temporary: User,
    unjudged: RegistrationRequest,
    informal_draft: RegistrationRequest,
    registrant: User,
    sign_in: SignIn,
) -> None:
    workflow.perform(informal_draft, "submit", actor=registrant)
    browser = sign_in(temporary)

    assert browser.get(reverse("review:detail", args=[unjudged.slug])).status_code == 200
    assert browser.get(reverse("review:notes", args=[unjudged.slug])).status_code == 200
    assert browser.get(reverse("review:detail", args=[informal_draft.slug])).status_code == 403
    assert browser.get(reverse("review:index")).status_code == 403
    assert "assign" not in offered(temporary, informal_draft)


def test_it_ends_with_the_request(
    temporary: User, unjudged: RegistrationRequest, registrant: User
) -> None:
    during = permissions.is_temporary_expert(temporary, unjudged)

    workflow.perform(unjudged, "withdraw", actor=registrant)

    assert (during, permissions.is_temporary_expert(temporary, unjudged)) == (True, False)
    assert not permissions.may_take(temporary, unjudged)
