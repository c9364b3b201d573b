"""Each delivery arrives once if the receiver is up, and eventually if it was not."""

from __future__ import annotations

import datetime
import threading
import uuid

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import scheduler, workflow
from registry.background import PENDING_TASK_TIMEOUT, TaskPending
from registry.enums import WebhookTopic
from registry.models import (
    Letter,
    RegistrationRequest,
    User,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
)
from registry.notifications import webhooks
from registry.notifications.outbox import REPLAY_PAUSE, send_letter
from registry.notifications.webhooks import (
    DELIVERY_LEASE,
    DELIVERY_LOG_LIFETIME,
    deliver_webhook,
)
from registry.safe_http import FetchLimits
from tests.notifications.conftest import work, worker
from tests.notifications.webhooks.conftest import Add, address, read_messages, verbs
from tests.servers import Answering, WebServer, leading, saying, web_server

pytestmark = pytest.mark.django_db

RESTS = [datetime.timedelta(minutes=count) for count in (1, 5, 30, 120, 360, 1440)]
"""Pauses between attempts, as the page about hooks promises."""


@pytest.fixture
def delivery(hook: Webhook, sent: RegistrationRequest) -> WebhookDelivery:
    """A pending delivery: that a request was sent. There are no other tasks."""
    Letter.objects.all().delete()
    DBTaskResult.objects.exclude(task_path=deliver_webhook.module_path).delete()
    return WebhookDelivery.objects.get(hook=hook)


def tries(delivery: WebhookDelivery) -> list[tuple[int | None, str]]:
    """Return the log of a delivery."""
    return list(delivery.tries.values_list("status", "note"))


def later(delivery: WebhookDelivery, times: int) -> list[datetime.timedelta]:
    """Run the worker this many times, each when something is due; return the pauses between."""
    now, rests = timezone.now(), []
    for _time in range(times):
        with time_machine.travel(now, tick=False):
            work()
        delivery.refresh_from_db()
        if delivery.not_before is None:
            break
        rests.append(delivery.not_before - now)
        now = delivery.not_before
    return rests


def test_delivery_is_posted_once_however_often_the_worker_runs(
    delivery: WebhookDelivery, receiver: WebServer
) -> None:
    work()
    deliver_webhook.call(delivery.pk)
    webhooks.requeue_deliveries()
    work()
    delivery.refresh_from_db()

    assert len(receiver.sent) == 1
    assert delivery.delivered_at is not None
    assert tries(delivery) == [(204, "")]


@pytest.mark.parametrize(
    ("is_replayed", "what", "waiting"), [(False, "waits for replicas", 1), (True, "delivered", 0)]
)
def test_delivery_waits_until_replicas_have_its_event(
    delivery: WebhookDelivery,
    receiver: WebServer,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    is_replayed: bool,
    what: str,
    waiting: int,
) -> None:
    settings.REGISTRY_REPLICAS = ["replica"]
    monkeypatch.setattr(webhooks, "is_replayed", lambda event: is_replayed)
    DBTaskResult.objects.all().delete()

    assert deliver_webhook.call(delivery.pk) == what
    assert len(receiver.sent) == 1 - waiting
    assert DBTaskResult.objects.filter(run_after__gt=timezone.now()).count() == waiting
    monkeypatch.setattr(webhooks, "is_replayed", lambda event: True)
    with time_machine.travel(timezone.now() + REPLAY_PAUSE, tick=False):
        work()
    assert len(receiver.sent) == 1


def test_trial_of_a_hook_waits_for_no_replica(
    hook: Webhook, receiver: WebServer, settings: Settings
) -> None:
    settings.REGISTRY_REPLICAS = ["replica"]
    webhooks.send_trial(hook)

    work()

    assert len(receiver.sent) == 1


def test_receiver_that_is_down_is_told_once_it_is_up(
    hook: Webhook, delivery: WebhookDelivery
) -> None:
    with web_server(saying(b"", 204)) as gone:
        port = gone.port
    Webhook.objects.filter(pk=hook.pk).update(url=f"http://127.0.0.1:{port}/in")

    work()
    delivery.refresh_from_db()
    down = (delivery.delivered_at, tries(delivery))
    with web_server(saying(b"Thanks.", 200), port=port) as server:
        work()
        too_early = len(server.sent)
        with time_machine.travel(timezone.now() + RESTS[0], tick=False):
            work()
        delivery.refresh_from_db()
        arrived = read_messages(server)

    assert down == (None, [(None, f"127.0.0.1:{port} cannot be reached.")])
    assert (too_early, len(arrived)) == (0, 1)
    assert delivery.delivered_at is not None
    assert tries(delivery)[1:] == [(200, "Thanks.")]


def test_same_message_keeps_its_id_from_attempt_to_attempt(
    hook: Webhook, delivery: WebhookDelivery
) -> None:
    answers = iter([saying(b"", 500), saying(b"", 503), saying(b"", 200)])
    with web_server(lambda to: next(answers)(to)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        later(delivery, 3)
        sent = [headers for headers, _body in server.sent]

    assert len(sent) == 3
    assert len({headers["webhook-id"] for headers in sent}) == 1
    assert len({headers["webhook-timestamp"] for headers in sent}) == 3
    assert [status for status, _note in tries(delivery)] == [500, 503, 200]


def test_rests_grow_until_it_is_given_up_the_hook_stopped_and_its_owner_told(
    hook: Webhook, delivery: WebhookDelivery, outsider: User
) -> None:
    with web_server(saying(b"Out of order.\n\x00", 500)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))

        rests = later(delivery, 10)
        count = len(server.sent)

    hook.refresh_from_db()
    assert rests == RESTS
    assert count == 1 + len(RESTS)
    assert tries(delivery) == [(500, "Out of order.")] * count
    assert delivery.given_up_at is not None
    assert hook.stopped_at is not None
    letter = Letter.objects.get()
    assert letter.address == outsider.email
    assert "“Mirror”" in letter.subject
    assert hook.get_absolute_url() in letter.text


def test_hook_that_took_something_meanwhile_is_not_stopped(
    hook: Webhook, delivery: WebhookDelivery, expert: User
) -> None:
    assert delivery.event
    refused = f"event-{delivery.event.number}"

    def answer(to: Answering) -> None:
        saying(b"", 500 if to.headers["webhook-id"] == refused else 200)(to)

    with web_server(answer) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        assert delivery.event.registration_request
        workflow.perform(delivery.event.registration_request, "assign", actor=expert)
        later(delivery, 10)

    hook.refresh_from_db()
    assert delivery.given_up_at is not None
    assert hook.stopped_at is None


def test_earlier_deliveries_keep_a_hook_from_being_stopped_no_longer(
    hook: Webhook, delivery: WebhookDelivery, expert: User, receiver: WebServer
) -> None:
    work()
    assert delivery.event is not None
    assert delivery.event.registration_request is not None
    with web_server(saying(b"", 500)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        workflow.perform(delivery.event.registration_request, "assign", actor=expert)
        silent = WebhookDelivery.objects.get(delivered_at=None)
        later(silent, 10)

    hook.refresh_from_db()
    assert (len(receiver.sent), silent.given_up_at is None) == (1, False)
    assert hook.stopped_at is not None


def test_receiver_that_is_gone_for_good_is_told_nothing_more(
    hook: Webhook, delivery: WebhookDelivery
) -> None:
    with web_server(saying(b"", 410)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        later(delivery, 3)
        count = len(server.sent)

    hook.refresh_from_db()
    assert (count, hook.stopped_at is None) == (1, False)
    assert "410" in Letter.objects.get().text


def test_receiver_that_is_slow_is_not_waited_for(
    hook: Webhook, delivery: WebhookDelivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "DELIVERY_LIMITS", FetchLimits(octets=100, seconds=0.2))
    done = threading.Event()

    with web_server(lambda to: done.wait(5)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        work()
        done.set()

    [(status, note)] = tries(delivery)
    assert (status, "in full" in note) == (None, True)


def test_nothing_is_sent_to_where_a_receiver_leads(
    hook: Webhook, delivery: WebhookDelivery, receiver: WebServer
) -> None:
    with web_server(leading(address(receiver), 308)) as leads:
        Webhook.objects.filter(pk=hook.pk).update(url=address(leads))
        work()

    [(status, note)] = tries(delivery)
    assert (status, receiver.sent) == (308, [])
    assert address(receiver) in note


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308, 400, 404, 500])
def test_refused_delivery_is_not_counted_and_tried_again(
    hook: Webhook, delivery: WebhookDelivery, status: int
) -> None:
    with web_server(saying(b"", status)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        rests = later(delivery, 2)

    assert len(server.sent) == 2
    assert (delivery.delivered_at, rests) == (None, RESTS[:2])


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_accepted_delivery_is_delivered_by_whichever_status_says_so(
    hook: Webhook, delivery: WebhookDelivery, status: int
) -> None:
    with web_server(saying(b"", status)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        rests = later(delivery, 2)

    assert (len(server.sent), rests) == (1, [])
    assert delivery.delivered_at is not None


def test_hook_of_an_account_that_was_closed_is_not_called(
    hook: Webhook, delivery: WebhookDelivery, receiver: WebServer, outsider: User
) -> None:
    User.objects.filter(pk=outsider.pk).update(is_active=False)

    work()
    delivery.refresh_from_db()

    assert (receiver.sent, delivery.given_up_at is None) == ([], False)


def test_no_delivery_is_written_for_the_hook_of_an_account_that_was_closed(
    hook: Webhook, draft: RegistrationRequest, registrant: User, outsider: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)
    before = hook.deliveries.count()
    User.objects.filter(pk=outsider.pk).update(is_active=False)

    workflow.perform(draft, "reroute", actor=registrant, standards_action=True)

    assert (before, hook.deliveries.count()) == (1, 1)


def test_no_trial_is_posted_for_an_account_that_was_closed(
    hook: Webhook, receiver: WebServer, outsider: User
) -> None:
    trial = webhooks.send_trial(hook)
    User.objects.filter(pk=outsider.pk).update(is_active=False)

    work()
    trial.refresh_from_db()

    assert (receiver.sent, trial.given_up_at is None) == ([], False)


@pytest.mark.parametrize("host", ["127.0.0.2", "[::1]", "10.0.0.1", "169.254.169.254"])
def test_nothing_is_posted_into_a_private_network(
    host: str, hook: Webhook, delivery: WebhookDelivery, receiver: WebServer
) -> None:
    Webhook.objects.filter(pk=hook.pk).update(url=f"http://{host}:{receiver.port}/in")

    work()

    [(status, note)] = tries(delivery)
    assert (status, receiver.sent) == (None, [])
    assert "public Internet" in note


def test_waiting_deliveries_of_a_stopped_hook_are_not_sent(
    hook: Webhook, delivery: WebhookDelivery, receiver: WebServer
) -> None:
    webhooks.stop_webhook(hook)

    work()
    delivery.refresh_from_db()

    assert (receiver.sent, delivery.given_up_at is None) == ([], False)


def test_deliveries_a_hook_is_no_longer_for_are_not_sent(
    hook: Webhook, delivery: WebhookDelivery, receiver: WebServer
) -> None:
    Webhook.objects.filter(pk=hook.pk).update(topic=WebhookTopic.REQUEST, subject="R-2020-0001")

    work()
    delivery.refresh_from_db()

    assert (receiver.sent, delivery.given_up_at is None) == ([], False)


def test_delivery_whose_worker_was_killed_is_sent_after_its_lease(
    delivery: WebhookDelivery, receiver: WebServer
) -> None:
    assert webhooks.claim_delivery(delivery.pk) is not None
    DBTaskResult.objects.all().delete()

    swept = [webhooks.requeue_deliveries()]
    now = timezone.now() + DELIVERY_LEASE
    with time_machine.travel(now, tick=False):
        swept.append(scheduler.tick(now).done["delivery"])
        swept.append(webhooks.requeue_deliveries())
        work()

    assert swept == [0, 1, 0]
    assert len(receiver.sent) == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_post_each_delivery_once(
    add: Add, receiver: WebServer, draft: RegistrationRequest, registrant: User
) -> None:
    for _number in range(8):
        add()
    workflow.perform(draft, "submit", actor=registrant)
    tasks = DBTaskResult.objects.filter(task_path=deliver_webhook.module_path)
    assert tasks.count() == 8
    for delivery in WebhookDelivery.objects.all():
        deliver_webhook.enqueue(delivery.pk)

    def run(name: str) -> None:
        worker(name).run()
        connection.close()

    threads = [threading.Thread(target=run, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(receiver.sent) == 8
    assert WebhookDelivery.objects.filter(delivered_at__isnull=False).count() == 8
    assert WebhookAttempt.objects.count() == 8


def test_delivery_can_be_sent_again_under_the_same_id(
    hook: Webhook, delivery: WebhookDelivery, receiver: WebServer
) -> None:
    work()

    webhooks.retry_delivery(delivery)
    webhooks.retry_delivery(WebhookDelivery.objects.get(pk=delivery.pk))
    work()

    assert len(receiver.sent) == 2
    assert len({headers["webhook-id"] for headers, _body in receiver.sent}) == 1
    assert len(tries(delivery)) == 2


def test_nothing_is_sent_again_to_a_hook_that_is_stopped(
    hook: Webhook, delivery: WebhookDelivery
) -> None:
    work()
    webhooks.stop_webhook(hook)
    hook.refresh_from_db()

    with pytest.raises(webhooks.WebhookError, match="Start it first"):
        webhooks.retry_delivery(WebhookDelivery.objects.get(pk=delivery.pk))


def test_trial_is_posted_by_the_worker_and_tried_once(hook: Webhook, receiver: WebServer) -> None:
    webhooks.stop_webhook(hook)

    trial = webhooks.send_trial(hook)
    posted_at_once = len(receiver.sent)
    work()
    trial.refresh_from_db()

    assert (posted_at_once, trial.delivered_at is None) == (0, False)
    assert verbs(receiver) == ["trial"]
    assert len(read_messages(receiver, hook.secret)) == 1
    Webhook.objects.filter(pk=hook.pk).update(url="http://127.0.0.1:9/")
    failed = webhooks.send_trial(Webhook.objects.get(pk=hook.pk))
    assert webhooks.requeue_deliveries() == 0
    work()
    failed.refresh_from_db()
    assert (failed.given_up_at is None, failed.not_before) == (False, None)
    assert webhooks.requeue_deliveries() == 0


def test_trial_that_fails_does_not_stop_the_hook(hook: Webhook) -> None:
    with web_server(saying(b"", 500)) as server:
        Webhook.objects.filter(pk=hook.pk).update(url=address(server))
        trial = webhooks.send_trial(Webhook.objects.get(pk=hook.pk))
        work()
        count = len(server.sent)

    hook.refresh_from_db()
    trial.refresh_from_db()
    assert (count, trial.given_up_at is None) == (1, False)
    assert hook.stopped_at is None
    assert not Letter.objects.exists()


def test_person_waits_for_one_trial_before_the_next(
    hook: Webhook, add: Add, receiver: WebServer
) -> None:
    webhooks.send_trial(hook)
    for each in (hook, add()) * 6:
        with pytest.raises(TaskPending):
            webhooks.send_trial(each)
    work()

    webhooks.send_trial(hook)
    work()
    assert verbs(receiver) == ["trial", "trial"]


def test_trial_whose_worker_was_killed_does_not_shut_its_owner_out(
    hook: Webhook, receiver: WebServer
) -> None:
    webhooks.send_trial(hook)
    task = DBTaskResult.objects.get()
    task.claim("killed")
    later = timezone.now() + PENDING_TASK_TIMEOUT

    with time_machine.travel(later, tick=False):
        second = webhooks.send_trial(hook)
        work()

    second.refresh_from_db()
    assert second.delivered_at == later


def test_trials_have_a_limit(hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MAX_TRIALS_PER_HOUR", 2)
    for _trial in range(2):
        webhooks.send_trial(hook)
        work()

    with pytest.raises(webhooks.TooManyTrials, match="Wait an hour"):
        webhooks.send_trial(hook)


def test_hour_after_many_trials_there_is_room_for_more(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "MAX_TRIALS_PER_HOUR", 1)
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        webhooks.send_trial(hook)
        work()

    with (
        time_machine.travel(now + datetime.timedelta(minutes=59), tick=False),
        pytest.raises(webhooks.WebhookError, match="Wait an hour"),
    ):
        webhooks.send_trial(hook)
    with time_machine.travel(now + datetime.timedelta(hours=1), tick=False):
        webhooks.send_trial(hook)

    assert hook.deliveries.count() == 2


def test_trials_of_one_person_leave_another_their_room(
    hook: Webhook, registrant: User, receiver: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "MAX_TRIALS_PER_HOUR", 1)
    other = webhooks.add_webhook(
        registrant,
        name="Other",
        url=address(receiver),
        topic=WebhookTopic.REQUESTS,
        subject="",
        form_key=uuid.uuid4(),
    )
    webhooks.send_trial(hook)

    webhooks.send_trial(other)
    work()

    assert verbs(receiver) == ["trial", "trial"]


def test_task_for_something_else_is_none_for_a_delivery(delivery: WebhookDelivery) -> None:
    DBTaskResult.objects.all().delete()
    send_letter.enqueue(delivery.pk)

    assert webhooks.requeue_deliveries() == 1


def test_log_forgets_what_was_settled_long_ago(
    hook: Webhook, delivery: WebhookDelivery, add: Add
) -> None:
    work()
    waits = WebhookDelivery.objects.create(
        hook=add(), event=delivery.event, written_at=timezone.now()
    )
    WebhookDelivery.objects.update(
        written_at=timezone.now() - DELIVERY_LOG_LIFETIME - datetime.timedelta(days=1)
    )

    webhooks.requeue_deliveries()

    assert list(WebhookDelivery.objects.all()) == [waits]


def test_hooks_have_a_limit_and_a_second_click_adds_none(
    add: Add, outsider: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = add()
    same = webhooks.add_webhook(
        outsider,
        name="Again",
        url=first.url,
        topic=WebhookTopic.REQUESTS,
        subject="",
        form_key=first.form_key,
    )
    monkeypatch.setattr(webhooks, "MAX_WEBHOOKS_PER_PERSON", 1)

    with pytest.raises(webhooks.WebhookError, match="limit"):
        add()

    assert same == first
    assert Webhook.objects.count() == 1


def test_add_webhook_accepts_the_key_of_a_hook_of_somebody_else(
    hook: Webhook, registrant: User
) -> None:
    other = webhooks.add_webhook(
        registrant,
        name="Other",
        url=hook.url,
        topic=WebhookTopic.REQUESTS,
        subject="",
        form_key=hook.form_key,
    )

    assert (other == hook, other.owner) == (False, registrant)


def test_unconfirmed_address_adds_no_hook(add: Add, outsider: User) -> None:
    outsider.emailaddress_set.update(verified=False)

    with pytest.raises(webhooks.WebhookError, match="Confirm"):
        add()


def test_trial_that_is_sent_again_is_sent(hook: Webhook, receiver: WebServer) -> None:
    trial = webhooks.send_trial(hook)
    work()

    webhooks.retry_delivery(WebhookDelivery.objects.get(pk=trial.pk))
    work()

    assert len(receiver.sent) == 2
    assert {headers["webhook-id"] for headers, _body in receiver.sent} == {f"trial-{trial.pk}"}


def test_trials_sent_again_count_among_the_trials_of_an_hour(
    hook: Webhook, receiver: WebServer
) -> None:
    trial = webhooks.send_trial(hook)
    work()
    for _time in range(webhooks.MAX_TRIALS_PER_HOUR - 1):
        webhooks.retry_delivery(WebhookDelivery.objects.get(pk=trial.pk))
        work()

    with pytest.raises(webhooks.WebhookError, match="Wait an hour"):
        webhooks.retry_delivery(WebhookDelivery.objects.get(pk=trial.pk))
