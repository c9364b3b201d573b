"""That hooks are told of what feeds tell, of nothing else, and in words that can be verified."""

from __future__ import annotations

import base64
import uuid

import pytest
from django.db import transaction
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings
from standardwebhooks import Webhook, WebhookVerificationError

from registry import hooks, workflow
from registry.choices import Topic
from registry.delegation import co_editors
from registry.discussion import messages, moderation
from registry.models import (
    Event,
    Hook,
    HookDelivery,
    Message,
    Namespace,
    RegistrationRequest,
    User,
)
from registry.pages.feeds import entries
from registry.queries.acts import acts_about, acts_on_namespaces, acts_on_requests
from registry.workflow.recording import record
from tests.factories import NamespaceFactory
from tests.hooks.conftest import Add, told, verbs
from tests.notices.conftest import work
from tests.servers import WebServer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = "https://registry.example"


def test_a_hook_is_told_of_what_the_feed_of_requests_tells(
    hook: Hook, receiver: WebServer, draft: RegistrationRequest, registrant: User, expert: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    workflow.perform(draft, "approve", actor=expert, comment="Sound.")
    work()

    said = {each["data"]["id"]: each["data"] for each in told(receiver)}
    feed = {each.id: each for each in entries(acts_on_requests())}
    assert said.keys() == feed.keys()
    for name, data in said.items():
        assert (data["link"], data["actor"]) == (feed[name].url, feed[name].author)
        assert feed[name].title.endswith(f"{data['actor']} {data['words']}")
    assert verbs(receiver) == ["submit", "assign", "approve"]


def test_what_is_told_says_everything_of_the_act(
    hook: Hook, receiver: WebServer, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    work()

    event = Event.objects.get(verb="approve")
    page = f"https://registry.example{in_review.get_absolute_url()}"
    assert next(each for each in told(receiver) if each["type"] == "approve") == {
        "type": "approve",
        "timestamp": event.at.isoformat(),
        "data": {
            "id": f"tag:registry.example,{event.at:%Y-%m-%d}:event/{event.number}",
            "number": event.number,
            "actor": "Ede Expert",
            "words": "approved round 1",
            "comment": "Sound.",
            "message": None,
            "is_sender_verified": None,
            "state": "approved",
            "request": {"name": in_review.reference, "url": page},
            "namespace": None,
            "link": page,
        },
    }


def test_a_library_that_is_not_ours_verifies_the_signature(
    hook: Hook, receiver: WebServer, sent: RegistrationRequest
) -> None:
    work()

    assert len(told(receiver, hook.secret)) == 1
    [(headers, body)] = receiver.sent
    event = Event.objects.get(verb="submit")
    assert headers["webhook-id"] == f"event-{event.number}"
    with pytest.raises(WebhookVerificationError):
        Webhook(hook.secret).verify(body + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        Webhook("whsec_" + base64.b64encode(b"x" * 32).decode()).verify(body, headers)


def test_while_a_secret_changes_over_both_verify_and_a_second_click_changes_nothing(
    hook: Hook, receiver: WebServer, sent: RegistrationRequest
) -> None:
    before = hook.secret
    hooks.rotate(hook, seen=before)
    hooks.rotate(hook, seen=before)
    hook.refresh_from_db()

    work()

    assert hook.secret != before
    assert len(told(receiver, before)) == len(told(receiver, hook.secret)) == 1


def test_each_topic_is_told_of_its_own_acts(
    add: Add,
    receiver: WebServer,
    approved: RegistrationRequest,
    registrar: User,
) -> None:
    topics = {
        add(Topic.REQUESTS): ["register"],
        add(Topic.NAMESPACES): ["register", "note"],
        add(Topic.REQUEST, approved.reference): ["register"],
        add(Topic.REQUEST, "R-2020-0001"): [],
        add(Topic.NAMESPACE, "seedbank"): ["register", "note"],
        add(Topic.NAMESPACE, "isbn"): ["other"],
    }
    other = NamespaceFactory.create(nid="isbn")
    add(Topic.NAMESPACES, url="http://127.0.0.1:9/")

    workflow.perform(
        approved,
        "register",
        actor=registrar,
        data={"references": [], "registered_text": workflow.expected_text(approved)},
    )
    with transaction.atomic():
        record(Namespace.objects.get(nid="seedbank"), actor=registrar, verb="note")
        record(other, actor=registrar, verb="other")

    for hook, expected in topics.items():
        events = Event.objects.filter(pk__in=hook.deliveries.values("event")).order_by("number")
        found = list(events.values_list("verb", flat=True))
        if hook.topic == Topic.NAMESPACES:
            expected = [*expected, "other"]
        assert found == expected, hook.topic
    assert [event.verb for event in acts_on_namespaces()] == ["other", "note", "register"]
    seedbank = Namespace.objects.get(nid="seedbank")
    assert {event.verb for event in acts_about(seedbank)} >= {"note", "register"}


def test_nobody_is_told_of_a_draft(
    hook: Hook, draft: RegistrationRequest, registrant: User, receiver: WebServer
) -> None:
    workflow.perform(draft, "withdraw", actor=registrant, comment="Another way.")
    work()

    assert Event.objects.filter(registration_request=draft).exists()
    assert (HookDelivery.objects.count(), receiver.sent) == (0, [])


def test_what_is_news_to_the_writers_alone_is_not_told(
    hook: Hook, in_review: RegistrationRequest, registrant: User, receiver: WebServer
) -> None:
    co_editors.invite(in_review, "new@people.example", actor=registrant)
    work()

    assert Event.objects.filter(verb="invite").exists()
    assert "invite" not in verbs(receiver)


def test_a_message_is_told_and_one_that_is_hidden_is_not(
    hook: Hook,
    receiver: WebServer,
    in_review: RegistrationRequest,
    outsider: User,
    lead: User,
) -> None:
    for text in ("Is this a name?", "Buy our seeds."):
        messages.comment(in_review, author=outsider, text=text, key=uuid.uuid4())
    spam = Message.objects.get(text="Buy our seeds.")

    moderation.hide(spam, moderator=lead, reason="An advertisement.")
    work()

    said = [each["data"]["message"] for each in told(receiver) if each["type"] == "comment"]
    assert sorted(said, key=str) == ["Is this a name?", None]
    assert not any(b"Buy our seeds" in body for _headers, body in receiver.sent)


def test_notes_among_experts_are_not_told(
    hook: Hook, receiver: WebServer, in_review: RegistrationRequest, expert: User
) -> None:
    messages.note(in_review, author=expert, text="Between us.", key=uuid.uuid4())
    work()

    assert Message.objects.filter(text="Between us.").exists()
    assert not any(b"Between us" in body for _headers, body in receiver.sent)


def test_an_act_that_is_rolled_back_is_told_to_nobody(
    hook: Hook, sent: RegistrationRequest, expert: User
) -> None:
    HookDelivery.objects.all().delete()
    DBTaskResult.objects.all().delete()

    with transaction.atomic():
        record(sent, actor=expert, verb="assign")
        meanwhile = HookDelivery.objects.count()
        transaction.set_rollback(True)

    assert meanwhile == 1
    assert (HookDelivery.objects.count(), DBTaskResult.objects.count()) == (0, 0)


def test_stopped_hooks_and_those_of_switched_off_accounts_are_not_told(
    add: Add, outsider: User, sent: RegistrationRequest, expert: User
) -> None:
    HookDelivery.objects.all().delete()
    stopped = add()
    hooks.stop(stopped)
    workflow.perform(sent, "assign", actor=expert)
    of_stopped = HookDelivery.objects.count()
    hooks.start(stopped)
    User.objects.filter(pk=outsider.pk).update(is_active=False)
    workflow.perform(sent, "approve", actor=expert, comment="Sound.")

    assert (of_stopped, HookDelivery.objects.count()) == (0, 0)
