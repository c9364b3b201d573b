"""Messages about a request: from whom, once, not too often, and with an event in the journal."""

from __future__ import annotations

import datetime
import uuid

import pytest
import time_machine
from django.conf import settings as site
from pytest_django import Settings

from registry import journal, workflow
from registry.actions import discussion
from registry.enums import MessageAudience
from registry.models import Message, RegistrationRequest, User
from registry.workflow import ActionRefused
from tests.factories import (
    UserFactory,
    let_speak_for,
)

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)


def comment(
    registration_request: RegistrationRequest, author: User, text: str = "Who may join?"
) -> Message:
    return discussion.add_comment(registration_request, author=author, text=text, key=uuid.uuid4())


def test_comment_is_kept_with_its_message_id_and_told_by_its_number_alone(
    in_review: RegistrationRequest, outsider: User
) -> None:
    message = comment(in_review, outsider)

    event = in_review.events.get(verb="comment")
    assert (event.actor, event.data, event.comment) == (outsider, {"message": 1}, "")
    assert message.message_id == f"<{in_review.reference}.1@127.0.0.1>"
    assert site.SITE == "http://127.0.0.1:8000"
    assert list(journal.verify()) == []


def test_saying_something_takes_no_step(in_review: RegistrationRequest, outsider: User) -> None:
    revision = in_review.revision

    comment(in_review, outsider)

    in_review.refresh_from_db()
    assert in_review.revision == revision


def test_form_sent_twice_makes_one_message(in_review: RegistrationRequest, outsider: User) -> None:
    key = uuid.uuid4()

    first, second = (
        discussion.add_comment(in_review, author=outsider, text="Who may join?", key=key)
        for _click in range(2)
    )

    assert first == second
    assert in_review.events.filter(verb="comment").count() == 1


def test_old_form_sent_with_another_text_loses_nothing(
    in_review: RegistrationRequest, outsider: User
) -> None:
    key = uuid.uuid4()

    for text in ("Who may join?", "Who may leave?"):
        discussion.add_comment(in_review, author=outsider, text=text, key=key)

    texts = [message.text for message in in_review.messages.all()]
    assert texts == ["Who may join?", "Who may leave?"]


def test_answer_to_an_answer_stands_beside_it(
    in_review: RegistrationRequest, outsider: User, registrant: User
) -> None:
    question = comment(in_review, outsider)
    answer, again = (
        discussion.add_comment(
            in_review, author=registrant, text=text, key=uuid.uuid4(), answers=to
        )
        for text, to in (("Anybody.", question), ("Really.", question))
    )

    third = discussion.add_comment(
        in_review, author=outsider, text="Thank you.", key=uuid.uuid4(), answers=answer
    )

    assert [each.answers for each in (answer, again, third)] == [question] * 3


def test_nobody_comments_before_the_first_round_nor_after_the_end(
    draft: RegistrationRequest, registrant: User
) -> None:
    with pytest.raises(ActionRefused, match="first round"):
        comment(draft, registrant)
    workflow.perform(draft, "submit", actor=registrant)
    comment(draft, registrant)
    workflow.perform(draft, "withdraw", actor=registrant)

    with pytest.raises(ActionRefused, match="closed"):
        comment(draft, registrant)


def test_unconfirmed_account_is_told_to_confirm_before_commenting(
    in_review: RegistrationRequest,
) -> None:
    newcomer = UserFactory.create(confirmed=False)

    with pytest.raises(ActionRefused, match="Confirm yours first"):
        comment(in_review, newcomer)


def test_much_within_an_hour_is_refused_with_when_there_is_room_again(
    in_review: RegistrationRequest, outsider: User, registrant: User, settings: Settings
) -> None:
    settings.REGISTRY_COMMENTS_PER_HOUR = 2
    with time_machine.travel(NOON, tick=False) as clock:
        comment(in_review, outsider, "One.")
        clock.shift(600)
        comment(in_review, outsider, "Two.")

        with pytest.raises(ActionRefused, match=r"\b2\b.* 13:00 UTC"):
            comment(in_review, outsider, "Three.")
        comment(in_review, registrant, "Others go on.")
        clock.shift(3000)
        comment(in_review, outsider, "Three.")

    assert in_review.messages.count() == 4


def test_notes_among_experts_leave_no_trace_for_others(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    before = in_review.events.count()

    first = comment(in_review, outsider)
    note = discussion.add_note(in_review, author=expert, text="A doubtful body.", key=uuid.uuid4())
    second = comment(in_review, outsider, "And who may leave?")

    assert [first.number, note.number, second.number] == [1, 1, 2]
    assert note.audience == MessageAudience.EXPERTS
    assert in_review.events.count() == before + 2
    assert list(Message.objects.public()) == [first, second]


@pytest.mark.parametrize("person", ["registrant", "outsider", "registrar", "standards_body"])
def test_only_experts_without_a_stake_write_notes(
    request: pytest.FixtureRequest, in_review: RegistrationRequest, person: str
) -> None:
    author = request.getfixturevalue(person)

    with pytest.raises(ActionRefused, match=discussion.describe_note_readers()):
        discussion.add_note(in_review, author=author, text="Hear me.", key=uuid.uuid4())

    assert not in_review.messages.exists()


def test_expert_with_a_stake_writes_no_notes(in_review: RegistrationRequest, lead: User) -> None:
    discussion.add_note(in_review, author=lead, text="I read it.", key=uuid.uuid4())
    let_speak_for(in_review.organization, lead)

    with pytest.raises(ActionRefused):
        discussion.add_note(in_review, author=lead, text="I wrote it.", key=uuid.uuid4())

    assert in_review.messages.count() == 1
