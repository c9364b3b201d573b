"""A side challenges an expert, who decides nothing until somebody else has answered."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from registry import workflow
from registry.actions import discussion
from registry.enums import MessageMark, Role, State, Turn
from registry.models import Letter, Message, RegistrationRequest, User
from registry.selectors import find_current_turn
from registry.selectors.challenges import list_message_marks
from tests.days import days_later
from tests.factories import UserFactory, let_speak_for
from tests.refusals import expect_refusal
from tests.web.experts import SignIn

pytestmark = pytest.mark.django_db


def write(registration_request: RegistrationRequest, author: User, mark: str) -> Message:
    """Write a message that is marked so."""
    message = discussion.add_comment(
        registration_request, author=author, text="He works for them.", key=uuid.uuid4(), mark=mark
    )
    registration_request.refresh_from_db()
    return message


def challenge(registration_request: RegistrationRequest, author: User, expert: User) -> Message:
    return write(registration_request, author, f"challenge:{expert.pk}")


def list_kinds(person: User, registration_request: RegistrationRequest) -> list[str]:
    marks = list_message_marks(person, registration_request)
    return [value.partition(":")[0] for value, _label in marks]


def test_challenged_expert_decides_nothing_until_the_lead_has_answered(
    in_review: RegistrationRequest, registrant: User, expert: User, lead: User
) -> None:
    before = find_current_turn(in_review).turn
    challenged = challenge(in_review, registrant, expert)
    waits = find_current_turn(in_review)
    with expect_refusal("expert_unchallenged"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    told = Letter.objects.filter(event__verb="challenge").values_list("recipient", flat=True)

    answer = write(in_review, lead, f"answer:{challenged.number}")
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")

    assert before == Turn.EXPERTS
    assert (waits.turn, waits.people) == (Turn.LEAD, ("Lova Lead",))
    assert (waits.challenges, str(waits.then)) == ((str(waits.then),), waits.challenges[0])
    assert {expert.pk, lead.pk} <= set(told)
    assert (answer.mark, answer.answers) == (MessageMark.ANSWER, challenged)
    assert in_review.state == State.APPROVED


def test_other_expert_decides_meanwhile(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    second = UserFactory.create(name="Sefa Second", roles=[Role.EXPERT])
    workflow.perform(in_review, "assign", actor=second)
    challenge(in_review, registrant, expert)

    waits = find_current_turn(in_review)
    workflow.perform(in_review, "approve", actor=second, comment="Sound.")

    assert (waits.turn, waits.people) == (Turn.EXPERTS, ("Sefa Second",))
    assert waits.challenges


def test_challenge_ends_when_the_lead_takes_the_expert_off(
    in_review: RegistrationRequest, registrant: User, expert: User, lead: User
) -> None:
    challenge(in_review, registrant, expert)

    workflow.perform(in_review, "recuse", actor=lead, leaver=expert, comment="He does.")

    assert find_current_turn(in_review).challenges == ()


def test_side_challenges_each_expert_once(
    in_review: RegistrationRequest, registrant: User, expert: User, outsider: User, lead: User
) -> None:
    second = UserFactory.create(roles=[Role.EXPERT])
    workflow.perform(in_review, "assign", actor=second)
    let_speak_for(in_review.organization, outsider)
    first = challenge(in_review, registrant, expert)
    write(in_review, lead, f"answer:{first.number}")

    offered = [value for value, _label in list_message_marks(outsider, in_review)]

    assert offered == [f"challenge:{second.pk}"]
    with pytest.raises(workflow.ActionRefused):
        challenge(in_review, outsider, expert)


def test_standards_body_answers_after_seven_days_or_if_the_lead_is_challenged(
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    lead: User,
    standards_body: User,
) -> None:
    workflow.perform(in_review, "assign", actor=lead)
    challenge(in_review, registrant, expert)
    early = list_kinds(standards_body, in_review)
    challenge(in_review, registrant, lead)
    of_lead = list_kinds(standards_body, in_review), list_kinds(lead, in_review)
    with days_later(8):
        late = list_kinds(standards_body, in_review)
        waits = find_current_turn(in_review)

    assert early == []
    assert of_lead == (["answer"], ["answer"])
    assert late == ["answer", "answer"]
    assert waits.turn == Turn.STANDARDS_BODY


def test_nobody_but_a_side_challenges(
    in_review: RegistrationRequest, expert: User, lead: User, registrar: User, outsider: User
) -> None:
    people = (expert, lead, registrar, outsider)

    assert [list_kinds(each, in_review) for each in people] == [[], [], [], []]
    with pytest.raises(workflow.ActionRefused):
        challenge(in_review, outsider, expert)


@pytest.mark.pages
def test_queue_and_page_say_who_has_to_answer_until_when(
    in_review: RegistrationRequest, registrant: User, expert: User, lead: User, sign_in: SignIn
) -> None:
    challenge(in_review, registrant, expert)
    (sentence,) = find_current_turn(in_review).challenges

    page = sign_in(registrant).get(in_review.get_absolute_url()).content.decode()
    queue = sign_in(lead).get(reverse("review:index"), {"tab": "open"}).content.decode()

    assert sentence in page
    assert sentence in queue
