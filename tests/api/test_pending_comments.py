"""Programs' comments wait a minute like those of pages, and can be taken back meanwhile."""

from __future__ import annotations

import datetime
import uuid

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.actions.pending_comments import publish_comment
from registry.models import Event, Letter, Message, PendingComment, RegistrationRequest, User
from tests.api.clients import Program

pytestmark = pytest.mark.django_db

WORDS = "Who may join the federation?"


@pytest.fixture(autouse=True)
def a_minute(settings: Settings) -> None:
    """Comments wait, as they do on the real site; earlier tests wrote nothing."""
    settings.REGISTRY_COMMENT_SECONDS = 60
    cache.clear()


def publish_after_a_minute() -> str:
    with time_machine.travel(timezone.now() + datetime.timedelta(seconds=61)):
        return publish_comment.func(PendingComment.objects.get().pk)


def test_comment_of_a_program_is_read_by_its_author_alone_for_a_minute_and_tells_nobody(
    in_review: RegistrationRequest, outsider: User, lead: User, registrant: User
) -> None:
    letters, events = Letter.objects.count(), Event.objects.count()
    program, pending = Program.of(outsider), f"{in_review.slug}/pending-comments/"

    sent = program.post(f"{in_review.slug}/messages/", {"text": WORDS, "section": "purpose"})

    own = program.get(pending).json()["results"]
    assert (sent.status_code, sent.json()["text"], sent.json()["section"]) == (
        202,
        WORDS,
        "purpose",
    )
    assert own == [sent.json()]
    for other in (lead, registrant):
        assert Program.of(other).get(pending).json()["results"] == []
        assert WORDS not in Program.of(other).get(f"{in_review.slug}/messages/").content.decode()
    assert Program(Client()).get(pending).status_code == 401
    assert (Letter.objects.count(), Event.objects.count()) == (letters, events)
    assert not Message.objects.exists()


def test_comment_is_a_message_after_the_minute(
    in_review: RegistrationRequest, outsider: User
) -> None:
    program = Program.of(outsider)
    said = {"text": WORDS, "key": str(uuid.uuid4())}
    program.post(f"{in_review.slug}/messages/", said)

    ran = publish_after_a_minute()

    again = program.post(f"{in_review.slug}/messages/", said)
    (public,) = Program(Client()).get(f"{in_review.slug}/messages/").json()["results"]
    assert ran == "published"
    assert (public["text"], public["number"]) == (WORDS, 1)
    assert (again.status_code, again.json()["number"]) == (201, 1)
    assert program.get(f"{in_review.slug}/pending-comments/").json()["results"] == []


def test_same_key_sends_one_comment(in_review: RegistrationRequest, outsider: User) -> None:
    program, said = Program.of(outsider), {"text": WORDS, "key": str(uuid.uuid4())}

    first, second = (program.post(f"{in_review.slug}/messages/", said) for _time in range(2))

    assert first.json() == second.json()
    assert PendingComment.objects.count() == 1


def test_program_takes_its_comment_back_once(
    in_review: RegistrationRequest, outsider: User
) -> None:
    program = Program.of(outsider)
    at = program.post(f"{in_review.slug}/messages/", {"text": WORDS}).json()["url"]

    taken, again = program.client.delete(at), program.client.delete(at)

    assert (taken.status_code, taken.json()["text"]) == (200, WORDS)
    assert again.status_code == 404
    assert not PendingComment.objects.exists()
    assert not Message.objects.exists()


def test_others_take_nothing_back_and_public_comments_stay(
    in_review: RegistrationRequest, outsider: User, lead: User
) -> None:
    program = Program.of(outsider)
    at = program.post(f"{in_review.slug}/messages/", {"text": WORDS}).json()["url"]

    by_other = Program.of(lead).client.delete(at)
    by_nobody = Client().delete(at)
    ran = publish_after_a_minute()
    too_late = program.client.delete(at)

    assert [each.status_code for each in (by_other, by_nobody, too_late)] == [404, 401, 404]
    assert ran == "published"
    assert Message.objects.get().text == WORDS


def test_discussion_closing_within_the_minute_tells_the_program_why(
    in_review: RegistrationRequest, outsider: User, registrant: User
) -> None:
    program = Program.of(outsider)
    program.post(f"{in_review.slug}/messages/", {"text": WORDS})
    workflow.perform(in_review, "withdraw", actor=registrant, comment="Not now.")

    ran = publish_after_a_minute()

    (kept,) = program.get(f"{in_review.slug}/pending-comments/").json()["results"]
    assert ran == "refused"
    assert kept["text"] == WORDS
    assert kept["refusal"] == discussion.explain_closed_discussion(in_review)


def test_last_comment_that_the_limit_allows_is_published_too(
    settings: Settings, in_review: RegistrationRequest, outsider: User
) -> None:
    settings.REGISTRY_COMMENTS_PER_HOUR = 1
    program = Program.of(outsider)
    program.post(f"{in_review.slug}/messages/", {"text": WORDS})

    ran = publish_after_a_minute()
    one_more = program.post(f"{in_review.slug}/messages/", {"text": "Who may leave?"})

    assert ran == "published"
    assert one_more.status_code == 429
    assert one_more.json()["type"].endswith("#too-often")
    assert "page" not in one_more.json()["detail"]
    assert int(one_more.headers["Retry-After"]) > 3000
