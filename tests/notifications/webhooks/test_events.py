"""Hooks get what feeds contain, nothing else, and in verifiable form."""

from __future__ import annotations

import base64
import datetime
import uuid

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings
from standardwebhooks import Webhook as WebhookVerifier, WebhookVerificationError

from registry import workflow
from registry.actions import co_editors, discussion
from registry.enums import WebhookTopic
from registry.models import (
    Event,
    Message,
    Namespace,
    RegistrationRequest,
    User,
    Webhook,
    WebhookDelivery,
)
from registry.notifications import webhooks
from registry.selectors.case import open_case
from registry.selectors.events import (
    public_events_about,
    public_namespace_events,
    public_request_events,
)
from registry.web.exports.feeds import build_feed_entries
from registry.workflow.events import record_event
from tests.factories import NamespaceFactory
from tests.notifications.conftest import work
from tests.notifications.webhooks.conftest import (
    Add,
    read_messages,
    verbs,
)
from tests.servers import WebServer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = "https://registry.example"


def test_hook_is_told_of_what_the_feed_of_requests_tells(
    hook: Webhook, receiver: WebServer, draft: RegistrationRequest, registrant: User, expert: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    workflow.perform(draft, "approve", actor=expert, comment="Sound.")
    work()

    said = {each["data"]["id"]: each["data"] for each in read_messages(receiver)}
    feed = {each.id: each for each in build_feed_entries(public_request_events())}
    assert said.keys() == feed.keys()
    for name, data in said.items():
        assert (data["link"], data["actor"]) == (feed[name].url, feed[name].author)
        assert feed[name].title.endswith(f"{data['actor']} {data['words']}")
    assert verbs(receiver) == ["submit", "assign", "approve"]


def test_payload_says_everything_of_the_act(
    hook: Webhook, receiver: WebServer, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    work()

    event = Event.objects.get(verb="approve")
    page = f"https://registry.example{in_review.get_absolute_url()}"
    assert next(each for each in read_messages(receiver) if each["type"] == "approve") == {
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
            "state_word": "Approved",
            "request": {"name": in_review.reference, "url": page},
            "namespace": None,
            "link": page,
        },
    }


def test_library_that_is_not_ours_verifies_the_signature(
    hook: Webhook, receiver: WebServer, sent: RegistrationRequest
) -> None:
    work()

    assert len(read_messages(receiver, hook.secret)) == 1
    [(headers, body)] = receiver.sent
    event = Event.objects.get(verb="submit")
    assert headers["webhook-id"] == f"event-{event.number}"
    with pytest.raises(WebhookVerificationError):
        WebhookVerifier(hook.secret).verify(body + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        WebhookVerifier("whsec_" + base64.b64encode(b"x" * 32).decode()).verify(body, headers)


def test_both_secrets_verify_during_a_change_and_a_second_click_changes_nothing(
    hook: Webhook, receiver: WebServer, sent: RegistrationRequest
) -> None:
    before = hook.secret
    webhooks.rotate_secret(hook, seen=before)
    webhooks.rotate_secret(hook, seen=before)
    hook.refresh_from_db()

    work()

    assert hook.secret != before
    assert len(read_messages(receiver, before)) == len(read_messages(receiver, hook.secret)) == 1


@pytest.mark.parametrize(("seconds", "signatures"), [(-1, 2), (0, 1)])
def test_secret_that_was_changed_signs_for_a_day(
    hook: Webhook, receiver: WebServer, sent: RegistrationRequest, seconds: int, signatures: int
) -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        webhooks.rotate_secret(hook, seen=hook.secret)

    with time_machine.travel(now + datetime.timedelta(days=1, seconds=seconds), tick=False):
        work()

    [(headers, _body)] = receiver.sent
    assert len(headers["webhook-signature"].split()) == signatures


def test_each_topic_is_told_of_its_own_acts(
    add: Add,
    receiver: WebServer,
    approved: RegistrationRequest,
    registrar: User,
) -> None:
    topics = {
        add(WebhookTopic.REQUESTS): ["register"],
        add(WebhookTopic.NAMESPACES): ["register", "note"],
        add(WebhookTopic.REQUEST, approved.reference): ["register"],
        add(WebhookTopic.REQUEST, "R-2020-0001"): [],
        add(WebhookTopic.NAMESPACE, "seedbank"): ["register", "note"],
        add(WebhookTopic.NAMESPACE, "isbn"): ["other"],
    }
    other = NamespaceFactory.create(nid="isbn")
    add(WebhookTopic.NAMESPACES, url="http://127.0.0.1:9/")

    workflow.perform(
        approved,
        "register",
        actor=registrar,
        data={
            "references": [],
            "registered_text": workflow.preview_published_text(open_case(approved)),
        },
    )
    with transaction.atomic():
        record_event(Namespace.objects.get(nid="seedbank"), actor=registrar, verb="note")
        record_event(other, actor=registrar, verb="other")

    for hook, expected in topics.items():
        events = Event.objects.filter(pk__in=hook.deliveries.values("event")).order_by("number")
        found = list(events.values_list("verb", flat=True))
        if hook.topic == WebhookTopic.NAMESPACES:
            expected = [*expected, "other"]
        assert found == expected, hook.topic
    assert [event.verb for event in public_namespace_events()] == ["other", "note", "register"]
    seedbank = Namespace.objects.get(nid="seedbank")
    assert {event.verb for event in public_events_about(seedbank)} >= {"note", "register"}


def test_nobody_is_told_of_a_draft(
    hook: Webhook, draft: RegistrationRequest, registrant: User, receiver: WebServer
) -> None:
    workflow.perform(draft, "withdraw", actor=registrant, comment="Another way.")
    work()

    assert Event.objects.filter(registration_request=draft).exists()
    assert (WebhookDelivery.objects.count(), receiver.sent) == (0, [])


def test_news_for_the_writers_alone_is_not_told(
    hook: Webhook, in_review: RegistrationRequest, registrant: User, receiver: WebServer
) -> None:
    co_editors.invite_co_editor(in_review, "new@people.example", actor=registrant)
    work()

    assert Event.objects.filter(verb="invite").exists()
    assert "invite" not in verbs(receiver)


def test_message_is_told_and_one_that_is_hidden_is_not(
    hook: Webhook,
    receiver: WebServer,
    in_review: RegistrationRequest,
    outsider: User,
    lead: User,
) -> None:
    for text in ("Which name?", "Buy our seeds."):
        discussion.add_comment(in_review, author=outsider, text=text, key=uuid.uuid4())
    spam = Message.objects.get(text="Buy our seeds.")

    discussion.hide_message(spam, moderator=lead, reason="An advertisement.")
    work()

    texts = [
        each["data"]["message"] for each in read_messages(receiver) if each["type"] == "comment"
    ]
    assert sorted(texts, key=str) == [None, "Which name?"]
    assert not any(b"Buy our seeds" in body for _headers, body in receiver.sent)


def test_notes_among_experts_are_not_told(
    hook: Webhook, receiver: WebServer, in_review: RegistrationRequest, expert: User
) -> None:
    discussion.add_note(in_review, author=expert, text="Between us.", key=uuid.uuid4())
    work()

    assert Message.objects.filter(text="Between us.").exists()
    assert not any(b"Between us" in body for _headers, body in receiver.sent)


def test_act_that_is_rolled_back_is_told_to_nobody(
    hook: Webhook, sent: RegistrationRequest, expert: User
) -> None:
    WebhookDelivery.objects.all().delete()
    DBTaskResult.objects.all().delete()

    with transaction.atomic():
        record_event(sent, actor=expert, verb="assign")
        meanwhile = WebhookDelivery.objects.count()
        transaction.set_rollback(True)

    assert meanwhile == 1
    assert (WebhookDelivery.objects.count(), DBTaskResult.objects.count()) == (0, 0)


def test_stopped_hooks_and_those_of_switched_off_accounts_are_not_told(
    add: Add, outsider: User, sent: RegistrationRequest, expert: User
) -> None:
    WebhookDelivery.objects.all().delete()
    stopped = add()
    webhooks.stop_webhook(stopped)
    workflow.perform(sent, "assign", actor=expert)
    of_stopped = WebhookDelivery.objects.count()
    webhooks.start_webhook(stopped)
    User.objects.filter(pk=outsider.pk).update(is_active=False)
    workflow.perform(sent, "approve", actor=expert, comment="Sound.")

    assert (of_stopped, WebhookDelivery.objects.count()) == (0, 0)
