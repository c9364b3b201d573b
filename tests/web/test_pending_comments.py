"""A comment becomes public a minute after Send; until then only its author sees it."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import workflow
from registry.actions.pending_comments import publish_comment, publish_due_comments, send_comment
from registry.models import Event, Letter, Message, PendingComment, RegistrationRequest, User
from registry.workflow import ActionRefused
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
WORDS = "Who may join?"


@pytest.fixture(autouse=True)
def a_minute(settings: Settings) -> None:
    settings.REGISTRY_COMMENT_SECONDS = 60


def say(registration_request: RegistrationRequest, author: User) -> PendingComment:
    sent = send_comment(registration_request, author=author, text=WORDS, key=uuid.uuid4())
    assert isinstance(sent, PendingComment)
    return sent


def after(seconds: int) -> time_machine.travel:
    return time_machine.travel(timezone.now() + datetime.timedelta(seconds=seconds))


def back(pending: PendingComment) -> str:
    return f"{pending.registration_request.get_absolute_url()}comment/{pending.pk}/back/"


def test_comment_is_seen_and_mailed_to_nobody_within_its_minute(
    in_review: RegistrationRequest,
    outsider: User,
    registrant: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    letters, events = Letter.objects.count(), Event.objects.count()
    page = in_review.get_absolute_url()

    sign_in(outsider).post(f"{page}comment/", {"text": WORDS, "key": str(uuid.uuid4())})

    assert WORDS in text_of(sign_in(outsider).get(page))
    assert WORDS not in client.get(page).content.decode()
    assert WORDS not in sign_in(registrant).get(page).content.decode()
    assert WORDS not in client.get(f"{page.rstrip('/')}.json").content.decode()
    assert (Letter.objects.count(), Event.objects.count()) == (letters, events)
    assert not Message.objects.exists()


def test_comment_is_taken_back_by_one_click_and_its_text_given_back(
    in_review: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    pending, browser = say(in_review, outsider), sign_in(outsider)

    page = browser.post(back(pending))
    again = browser.post(back(pending))
    with after(120):
        ran = publish_comment.func(pending.pk)

    assert page.status_code == 200
    assert page.context["form"]["text"].value() == WORDS
    assert again["Location"].startswith(in_review.get_absolute_url())
    assert ran == "left alone"
    assert not Message.objects.exists()


def test_comment_becomes_a_message_with_its_letters_after_the_minute(
    in_review: RegistrationRequest, outsider: User, client: Client
) -> None:
    pending = say(in_review, outsider)
    too_early = publish_comment.func(pending.pk)

    with after(61):
        ran = publish_comment.func(pending.pk), publish_comment.func(pending.pk)

    event = in_review.events.last()
    assert event is not None
    assert too_early == "left alone"
    assert ran == ("published", "left alone")
    assert (event.verb, event.actor) == ("comment", outsider)
    assert Letter.objects.filter(event=event).exists()
    assert WORDS in text_of(client.get(in_review.get_absolute_url()))
    assert not PendingComment.objects.exists()


def test_task_waits_for_the_minute_and_the_scheduler_replaces_a_lost_one(
    in_review: RegistrationRequest, outsider: User
) -> None:
    pending = say(in_review, outsider)
    task = DBTaskResult.objects.get(task_path=publish_comment.module_path)
    DBTaskResult.objects.all().delete()

    early = publish_due_comments(timezone.now())
    with after(61):
        due = publish_due_comments(timezone.now())

    assert task.run_after == pending.publish_at
    assert (early, due) == (0, 1)
    assert Message.objects.get().text == WORDS


def test_scheduler_publishes_so_many_at_once_and_the_oldest_first(
    in_review: RegistrationRequest, outsider: User, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.actions.pending_comments.MAX_PUBLISHED_TOGETHER", 2)
    for person in (outsider, lead, outsider):
        say(in_review, person)
    DBTaskResult.objects.all().delete()

    with after(61):
        published = [publish_due_comments(timezone.now()) for _time in range(3)]

    authors = Message.objects.order_by("number").values_list("author", flat=True)
    assert published == [2, 1, 0]
    assert list(authors) == [outsider.pk, lead.pk, outsider.pk]


def test_second_click_sends_nothing_twice(in_review: RegistrationRequest, outsider: User) -> None:
    key = uuid.uuid4()
    first, second = (
        send_comment(in_review, author=outsider, text=WORDS, key=key) for _click in range(2)
    )

    assert first == second
    assert PendingComment.objects.count() == 1


def test_author_keeps_the_text_if_the_discussion_closes_within_the_minute(
    in_review: RegistrationRequest, outsider: User, registrant: User, sign_in: SignIn
) -> None:
    pending = say(in_review, outsider)
    workflow.perform(in_review, "withdraw", actor=registrant, comment="Not now.")

    with after(61):
        ran = publish_comment.func(pending.pk)

    pending.refresh_from_db()
    page = text_of(sign_in(outsider).get(in_review.get_absolute_url()))
    assert ran == "refused"
    assert pending.refusal
    assert pending.refusal in page
    assert WORDS in page
    assert not Message.objects.exists()


def test_comment_is_taken_back_by_nobody_else(
    in_review: RegistrationRequest, outsider: User, lead: User, client: Client, sign_in: SignIn
) -> None:
    pending = say(in_review, outsider)

    sign_in(lead).post(back(pending))
    client.post(back(pending))

    assert PendingComment.objects.filter(pk=pending.pk).exists()


def test_comments_that_wait_count_against_the_limit(
    settings: Settings, in_review: RegistrationRequest, outsider: User
) -> None:
    settings.REGISTRY_COMMENTS_PER_HOUR = 1
    say(in_review, outsider)

    with pytest.raises(ActionRefused, match="limit"):
        say(in_review, outsider)

    assert PendingComment.objects.count() == 1


def test_preview_shows_the_comment_as_readers_will_and_sends_nothing(
    in_review: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    text = "See https://vaults.example/ first."

    page = sign_in(outsider).post(
        f"{in_review.get_absolute_url()}comment/", {"text": text, "preview": "1"}
    )

    drawn = page.content.decode()
    assert 'href="https://vaults.example/" rel="nofollow noopener"' in drawn
    assert page.context["form"]["text"].value() == text
    assert not PendingComment.objects.exists()
    assert not Message.objects.exists()
