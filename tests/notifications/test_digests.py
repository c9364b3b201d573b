"""Daily digests of what people follow."""

from __future__ import annotations

import datetime
import uuid

import pytest
import time_machine
from django.utils import timezone

from registry import notifications, workflow
from registry.actions import discussion
from registry.actions.follows import FollowTarget, start_following
from registry.enums import LetterDelivery
from registry.models import Letter, RegistrationRequest, User
from tests.factories import UserFactory
from tests.notifications.conftest import work
from tests.notifications.smtp import MailServer

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)


@pytest.fixture
def reader(in_review: RegistrationRequest, expert: User) -> User:
    """Somebody who follows a request once a day, with three letters waiting since today."""
    reader = UserFactory.create(email="reader@people.example", delivery=LetterDelivery.DIGEST)
    start_following(reader, FollowTarget(in_review))
    workflow.perform(in_review, "decline", actor=expert, comment="Say <who> assigns.")
    discussion.add_comment(in_review, author=expert, text="The desk would do.", key=uuid.uuid4())
    workflow.perform(in_review, "withdraw", actor=in_review.author, comment="Another way.")
    Letter.objects.exclude(recipient=reader).delete()
    return reader


def test_day_comes_in_one_letter_after_it_is_over(reader: User, mail_server: MailServer) -> None:
    now = timezone.now()

    today = notifications.send_digests(now)
    tomorrow = [notifications.send_digests(now + DAY) for _run in range(3)]
    work()

    assert (today, tomorrow) == (0, [1, 0, 0])
    assert mail_server.addresses == ["reader@people.example"]
    _to, letter = mail_server.taken[0]
    assert letter["Subject"] == "[Registry] 3 things happened"
    body = letter.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    order = [
        text.index(words)
        for words in ("declined round 1", "Say <who> assigns.", "The desk would do.", "withdrew")
    ]
    assert order == sorted(order)


def test_events_of_the_next_day_come_the_day_after(
    reader: User, draft: RegistrationRequest
) -> None:
    now = timezone.now()
    notifications.send_digests(now + DAY)
    with time_machine.travel(now + DAY, tick=False):
        workflow.perform(draft, "reopen", actor=draft.author)

    assert notifications.send_digests(now + DAY) == 0
    assert notifications.send_digests(now + 2 * DAY) == 1


def test_nobody_gets_two_on_one_day_also_where_something_came_late(
    reader: User, draft: RegistrationRequest
) -> None:
    now = timezone.now()
    notifications.send_digests(now + DAY)
    workflow.perform(draft, "reopen", actor=draft.author)

    assert notifications.send_digests(now + DAY) == 0
    assert notifications.send_digests(now + 2 * DAY) == 1


def test_former_follower_gets_none_of_it(reader: User) -> None:
    reader.follows.all().delete()

    assert notifications.send_digests(timezone.now() + DAY) == 0
    assert not Letter.objects.waiting().exists()


def test_nothing_is_gathered_for_an_account_that_was_switched_off(reader: User) -> None:
    User.objects.filter(pk=reader.pk).update(is_active=False)

    assert notifications.send_digests(timezone.now() + DAY) == 0
    assert [letter.dropped_at is None for letter in Letter.objects.all()] == [False] * 3


def test_one_click_ends_all_of_it(reader: User, mail_server: MailServer) -> None:
    notifications.send_digests(timezone.now() + DAY)

    work()

    _to, letter = mail_server.taken[0]
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "/account/follows/leave-all/" in letter["List-Unsubscribe"]
