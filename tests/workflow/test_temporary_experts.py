"""If none of the experts can judge a request, the standards body appoints somebody for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import permissions, workflow
from registry.enums import LetterReason, Role, State, Turn
from registry.models import ConflictOfInterest, Letter, RegistrationRequest, Token, User
from registry.selectors import find_current_turn
from registry.workflow import ActionRefused
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
    """Somebody whom the standards body has appointed, with no second factor and no answer yet."""
    workflow.perform(
        unjudged, "appoint", actor=standards_body, comment="Knows seeds.", address=outsider.email
    )
    return outsider


@pytest.fixture
def appointed(unsure: User) -> User:
    """Somebody whom the standards body has appointed, and who has not answered yet."""
    give_factor(unsure)
    return unsure


def test_nobody_is_asked_for_or_appointed_while_an_expert_is_free(
    in_review: RegistrationRequest,
    expert: User,
    lead: User,
    standards_body: User,
    outsider: User,
) -> None:
    assert {"ask_for_expert", "appoint"}.isdisjoint(
        offered(lead, in_review) | offered(standards_body, in_review)
    )
    with expect_refusal("nobody_can_judge"):
        workflow.perform(in_review, "ask_for_expert", actor=lead, comment="Why not?")
    with expect_refusal("nobody_can_judge"):
        workflow.perform(
            in_review,
            "appoint",
            actor=standards_body,
            comment="Why not?",
            address=outsider.email,
        )


def test_lead_asks_and_the_standards_body_appoints(
    unjudged: RegistrationRequest, expert: User, lead: User, standards_body: User, outsider: User
) -> None:
    before = find_current_turn(unjudged)
    workflow.perform(unjudged, "ask_for_expert", actor=lead, comment="All of us wrote it.")
    asked = find_current_turn(unjudged)
    give_factor(outsider)
    workflow.perform(
        unjudged, "appoint", actor=standards_body, comment="Knows seeds.", address=outsider.email
    )
    workflow.perform(unjudged, "accept_appointment", actor=outsider)
    accepted = find_current_turn(unjudged)
    workflow.perform(unjudged, "approve", actor=outsider, comment="Sound.")

    assert (before.turn, before.people) == (Turn.LEAD, ("Lova Lead",))
    assert (asked.turn, asked.people) == (Turn.STANDARDS_BODY, ("Stine Standards",))
    assert (accepted.turn, accepted.people) == (Turn.EXPERTS, ("Olaf Outsider",))
    assert unjudged.state == State.APPROVED
    letters = Letter.objects.filter(event__verb="ask_for_expert")
    assert standards_body.email in letters.values_list("address", flat=True)
    assert [each.verb for each in unjudged.events.order_by("-number")[:4]] == [
        *("approve", "accept_appointment", "appoint", "ask_for_expert"),
    ]


@pytest.mark.pages
def test_page_on_which_the_lead_assigns_leads_to_asking_where_nobody_is_free(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    page = reverse("review:assign", args=[in_review.slug])
    ask = reverse("requests:act", args=[in_review.slug, "ask_for_expert"])
    while_free = ask in sign_in(lead).get(page).content.decode()
    declare_conflict(expert, in_review)
    workflow.perform(in_review, "recuse", actor=lead, comment="I know the author.")

    browser = sign_in(lead)

    assert (while_free, ask in browser.get(page).content.decode()) == (False, True)
    assert browser.get(ask).status_code == 200


def test_standards_body_has_the_turn_at_once_where_the_lead_is_in_conflict_too(
    in_review: RegistrationRequest, expert: User, lead: User, standards_body: User
) -> None:
    for person in (expert, lead):
        declare_conflict(person, in_review)

    waiting = find_current_turn(in_review)

    assert (waiting.turn, waiting.people) == (Turn.STANDARDS_BODY, ("Stine Standards",))
    assert "RFC 8126, section 5.2" in str(waiting.then)
    assert "appoint" in offered(standards_body, in_review)


@pytest.mark.pages
def test_appointing_somebody_asks_once_more_who_one_is(
    unjudged: RegistrationRequest, standards_body: User, outsider: User, sign_in: SignIn
) -> None:
    browser = sign_in(standards_body)
    record_sign_in(browser, standards_body, ago=3600)
    path = reverse("requests:act", args=[unjudged.slug, "appoint"])
    sent = {"seen": unjudged.revision, "comment": "Knows seeds.", "address": outsider.email}

    asked = browser.post(path, sent)
    before = unjudged.appointments.exists()
    browser.post(asked.headers["Location"], {"code": make_totp_code(), "next": path})

    assert asked.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    assert not before
    assert unjudged.appointments.get().person == outsider


@pytest.mark.pages
@pytest.mark.parametrize(
    ("scopes", "status"), [(["read", "write"], 403), (["read", "write", "publish"], 200)]
)
def test_token_appoints_somebody_if_it_may_give_its_owners_word(
    scopes: list[str],
    status: int,
    unjudged: RegistrationRequest,
    standards_body: User,
    outsider: User,
) -> None:
    program = Program.of(standards_body)
    Token.objects.update(scopes=scopes)

    answer = program.take(unjudged.slug, "appoint", comment="Knows seeds.", address=outsider.email)

    assert answer.status_code == status
    assert unjudged.appointments.exists() == (status == 200)


@pytest.mark.pages
def test_appointee_is_told_and_judges_only_after_accepting(
    appointed: User, unjudged: RegistrationRequest, sign_in: SignIn
) -> None:
    letter = Letter.objects.get(event__verb="appoint", recipient=appointed)
    page = reverse("review:detail", args=[unjudged.slug])
    browser = sign_in(appointed)

    before = browser.get(page).status_code, offered(appointed, unjudged)
    accept = reverse("requests:act", args=[unjudged.slug, "accept_appointment"])
    opened = browser.get(accept)
    seen = opened.context["form"]["seen"].value()
    waits = find_current_turn(unjudged).people
    browser.post(accept, {"seen": seen})
    unjudged.refresh_from_db()

    assert letter.reason == LetterReason.NAMED
    assert before[0] == 403
    assert {"accept_appointment", "decline_appointment"} <= before[1]
    assert waits == ("Stine Standards", "Olaf Outsider")
    assert browser.get(page).status_code == 200
    assert {"approve", "decline", "request_changes", "recuse"} <= offered(appointed, unjudged)
    own = unjudged.assignments.get(expert=appointed)
    assert own.declared_at


# Second factors


@pytest.mark.pages
def test_appointment_rests_on_every_page_without_a_second_factor(
    unsure: User, unjudged: RegistrationRequest, sign_in: SignIn
) -> None:
    accept = reverse("requests:act", args=[unjudged.slug, "accept_appointment"])
    browser = sign_in(unsure)

    words = permissions.explain_missing_factor(unsure)
    page = browser.get(accept)
    posted = browser.post(accept, {"seen": unjudged.revision})
    own = browser.get(unjudged.get_absolute_url()).content.decode()

    assert (page.status_code, posted.status_code) == (403, 403)
    assert words
    assert words in page.content.decode()
    assert words in own
    assert reverse("mfa_index") in own
    assert not unjudged.assignments.filter(expert=unsure).exists()
    assert find_current_turn(unjudged).people == ("Stine Standards",)
    give_factor(unsure)
    assert "accept_appointment" in offered(unsure, unjudged)
    assert find_current_turn(unjudged).people == ("Stine Standards", "Olaf Outsider")


@pytest.mark.pages
def test_appointment_rests_for_programs_without_a_second_factor(
    unsure: User, unjudged: RegistrationRequest
) -> None:
    answer = Program.of(unsure).take(unjudged.slug, "accept_appointment")
    with expect_refusal("second_factor"):
        workflow.perform(unjudged, "accept_appointment", actor=unsure)

    assert answer.status_code == 403
    assert permissions.explain_missing_factor(unsure) in answer.json()["detail"]
    assert not unjudged.assignments.filter(expert=unsure).exists()


@pytest.mark.pages
def test_appointee_without_a_second_factor_can_decline(
    unsure: User, unjudged: RegistrationRequest
) -> None:
    answer = Program.of(unsure).take(unjudged.slug, "decline_appointment", comment="No time.")

    assert answer.status_code == 200
    assert not permissions.explain_missing_factor(User.objects.get(pk=unsure.pk))


@pytest.mark.pages
@pytest.mark.parametrize("verb", ["approve", "decline", "request_changes", "recuse"])
def test_temporary_expert_who_loses_the_second_factor_judges_no_longer_by_page_or_api(
    verb: str, appointed: User, unjudged: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    workflow.perform(unjudged, "accept_appointment", actor=appointed)
    path = reverse("review:detail", args=[unjudged.slug])
    before = verb in offered(appointed, unjudged)
    remove_factors(appointed)
    appointed = User.objects.get(pk=appointed.pk)
    browser, said = sign_in(appointed), {"verb": verb, "comment": "Sound."}

    answers = [
        browser.get(path),
        browser.post(path, {**said, "seen": unjudged.revision}),
        Program.of(appointed).take(unjudged.slug, verb, comment="Sound."),
    ]
    unjudged.refresh_from_db()

    assert before
    assert [each.status_code for each in answers] == [403, 403, 403]
    assert verb not in offered(appointed, unjudged)
    assert unjudged.state == State.IN_REVIEW
    assert find_current_turn(unjudged).turn == Turn.STANDARDS_BODY
    give_factor(appointed)
    assert verb in offered(appointed, unjudged)
    assert find_current_turn(unjudged).people == ("Olaf Outsider",)


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
    appointed: User,
    unjudged: RegistrationRequest,
    informal_draft: RegistrationRequest,
    registrant: User,
    sign_in: SignIn,
) -> None:
    workflow.perform(unjudged, "accept_appointment", actor=appointed)
    workflow.perform(informal_draft, "submit", actor=registrant)
    browser = sign_in(appointed)

    assert browser.get(reverse("review:detail", args=[unjudged.slug])).status_code == 200
    assert browser.get(reverse("review:notes", args=[unjudged.slug])).status_code == 200
    assert browser.get(reverse("review:detail", args=[informal_draft.slug])).status_code == 403
    assert browser.get(reverse("review:index")).status_code == 403
    assert "assign" not in offered(appointed, informal_draft)


def test_they_accept_and_judge_with_a_second_factor_alone(
    appointed: User, unjudged: RegistrationRequest
) -> None:
    remove_factors(appointed)
    with expect_refusal("second_factor"):
        workflow.perform(unjudged, "accept_appointment", actor=appointed)
    give_factor(appointed)
    workflow.perform(unjudged, "accept_appointment", actor=appointed)

    remove_factors(appointed)

    assert not permissions.is_temporary_expert(appointed, unjudged)
    with pytest.raises(ActionRefused):
        workflow.perform(unjudged, "approve", actor=appointed, comment="Sound.")
    assert unjudged.state == State.IN_REVIEW


def test_it_ends_with_the_request(
    appointed: User, unjudged: RegistrationRequest, registrant: User
) -> None:
    workflow.perform(unjudged, "accept_appointment", actor=appointed)
    during = permissions.is_temporary_expert(appointed, unjudged)

    workflow.perform(unjudged, "withdraw", actor=registrant)

    assert (during, permissions.is_temporary_expert(appointed, unjudged)) == (True, False)
    assert not permissions.may_take(appointed, unjudged)


def test_declined_appointment_returns_to_the_standards_body(
    appointed: User, unjudged: RegistrationRequest, standards_body: User, registrar: User
) -> None:
    workflow.perform(unjudged, "decline_appointment", actor=appointed, comment="No time.")

    waiting = find_current_turn(unjudged)

    assert (waiting.turn, waiting.people) == (Turn.STANDARDS_BODY, ("Stine Standards",))
    assert offered(appointed, unjudged).isdisjoint({"accept_appointment", "approve"})
    with expect_refusal("appointee_can_judge"):
        workflow.perform(
            unjudged, "appoint", actor=standards_body, comment="Again.", address=appointed.email
        )
    workflow.perform(
        unjudged, "appoint", actor=standards_body, comment="Careful.", address=registrar.email
    )
    assert "accept_appointment" in offered(registrar, unjudged)


@pytest.mark.parametrize("tie", ["author", "delegate", "conflict", "stranger"])
def test_nobody_with_a_stake_is_appointed(
    tie: str, unjudged: RegistrationRequest, standards_body: User, outsider: User
) -> None:
    address = outsider.email
    if tie == "author":
        address = unjudged.author.email
    elif tie == "delegate":
        let_speak_for(unjudged.organization, outsider)
    elif tie == "conflict":
        declare_conflict(outsider, unjudged)
    else:
        address = "nobody@people.example"

    with expect_refusal("appointee_can_judge"):
        workflow.perform(
            unjudged, "appoint", actor=standards_body, comment="Knows seeds.", address=address
        )

    assert not unjudged.appointments.exists()


def test_appointee_with_a_new_stake_cannot_accept(
    appointed: User, unjudged: RegistrationRequest
) -> None:
    let_speak_for(unjudged.organization, appointed)

    with expect_refusal("role"):
        workflow.perform(unjudged, "accept_appointment", actor=appointed)


@pytest.mark.pages
def test_standards_body_judges_itself_by_appointing_one_of_its_own(
    unjudged: RegistrationRequest, standards_body: User
) -> None:
    answer = Program.of(standards_body).take(
        unjudged.slug, "appoint", comment="We judge it.", address=standards_body.email
    )
    unjudged.refresh_from_db()
    workflow.perform(unjudged, "accept_appointment", actor=standards_body)

    assert answer.status_code == 200
    assert "decline" in offered(standards_body, unjudged)


def test_expert_who_joined_the_team_since_is_enough(
    unjudged: RegistrationRequest, lead: User, standards_body: User
) -> None:
    assert "ask_for_expert" in offered(lead, unjudged)

    UserFactory.create(roles=[Role.EXPERT])

    assert find_current_turn(unjudged).turn == Turn.LEAD
    assert "ask_for_expert" not in offered(lead, unjudged)
