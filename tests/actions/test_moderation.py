"""Hiding a message: visibly, for everyone, and never permanently."""

from __future__ import annotations

import uuid

import pytest

from registry.actions import discussion
from registry.models import Message, RegistrationRequest, User
from tests.refusals import expect_refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def message(in_review: RegistrationRequest, outsider: User) -> Message:
    return discussion.add_comment(in_review, author=outsider, text="Buy seeds.", key=uuid.uuid4())


@pytest.mark.parametrize("person", ["lead", "registrar"])
def test_moderators_hide_with_their_name_and_a_reason_and_show_again(
    request: pytest.FixtureRequest, message: Message, person: str
) -> None:
    moderator = request.getfixturevalue(person)

    discussion.hide_message(message, moderator=moderator, reason="Advertising.")
    message.refresh_from_db()
    hidden = (message.hidden_by, message.hidden_reason, message.is_hidden)
    discussion.unhide_message(message, moderator=moderator, reason="It was a quotation.")
    message.refresh_from_db()

    assert hidden == (moderator, "Advertising.", True)
    assert (message.is_hidden, message.text) == (False, "Buy seeds.")
    told = message.registration_request.events.filter(data__message=1).exclude(verb="comment")
    assert [(event.verb, event.comment, event.actor) for event in told] == [
        ("hide_message", "Advertising.", moderator),
        ("show_message", "It was a quotation.", moderator),
    ]


@pytest.mark.parametrize("person", ["outsider", "registrant", "expert", "standards_body"])
def test_nobody_else_hides_anything(
    request: pytest.FixtureRequest, message: Message, person: str
) -> None:
    with expect_refusal("not_moderator"):
        discussion.hide_message(message, moderator=request.getfixturevalue(person), reason="Mine.")

    message.refresh_from_db()
    assert not message.is_hidden


def test_first_of_two_moderators_counts(message: Message, lead: User, registrar: User) -> None:
    discussion.hide_message(message, moderator=lead, reason="Advertising.")

    discussion.hide_message(message, moderator=registrar, reason="Spam.")

    message.refresh_from_db()
    assert (message.hidden_by, message.hidden_reason) == (lead, "Advertising.")
    assert message.registration_request.events.filter(verb="hide_message").count() == 1


def test_author_and_moderators_still_read_what_is_hidden(
    message: Message, outsider: User, lead: User, registrar: User, expert: User, registrant: User
) -> None:
    discussion.hide_message(message, moderator=lead, reason="Advertising.")
    message.refresh_from_db()

    readers = {outsider, lead, registrar, expert, registrant}

    assert {each for each in readers if discussion.may_read_message(each, message)} == {
        outsider,
        lead,
        registrar,
    }
