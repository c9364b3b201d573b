"""Webhooks, managed by programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from registry.models import (
    RegistrationRequest,
    User,
    Webhook,
    WebhookDelivery,
)
from tests.notifications.conftest import work
from tests.notifications.webhooks.conftest import (
    Add,
    address,
    read_messages,
)
from tests.servers import WebServer

pytestmark = pytest.mark.django_db

HOOKS = "/api/v1/account/hooks/"
JSON = "application/json"
SignIn = Callable[[User], Client]


def said(receiver: WebServer, **changes: Any) -> dict[str, Any]:
    """Return a program's input for a webhook."""
    return {"name": "Mirror", "url": address(receiver), "topic": "requests"} | changes


@pytest.mark.pages
def test_program_adds_a_hook_and_reads_its_log(
    receiver: WebServer,
    outsider: User,
    sign_in: SignIn,
    in_review: RegistrationRequest,
    registrant: User,
) -> None:
    client = sign_in(outsider)

    made = client.post(HOOKS, said(receiver), JSON)
    hook = Webhook.objects.get()
    tried = client.post(f"{HOOKS}{hook.pk}/trial/")
    posted_at_once = len(receiver.sent)
    work()
    log = client.get(f"{HOOKS}{hook.pk}/deliveries/").json()["results"]

    assert (made.status_code, made.json()["secret"]) == (201, hook.secret)
    assert "secret" not in client.get(HOOKS).json()[0]
    assert (tried.status_code, tried.json()["attempts"], posted_at_once) == (202, [], 0)
    assert client.get(tried.headers["Location"]).json() == log[0]
    assert len(read_messages(receiver, hook.secret)) == 1
    [trial] = log
    assert (trial["verb"], trial["webhook_id"]) == (None, f"trial-{trial['id']}")
    assert [attempt["status"] for attempt in trial["attempts"]] == [204]


@pytest.mark.pages
def test_program_has_an_act_told_again(
    hook: Webhook, receiver: WebServer, sent: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    client, delivery = sign_in(outsider), WebhookDelivery.objects.get()
    work()

    again = client.post(f"{HOOKS}{hook.pk}/deliveries/{delivery.pk}/again/")
    work()

    assert (again.status_code, again.json()["verb"]) == (202, "submit")
    assert len(receiver.sent) == 2


@pytest.mark.pages
def test_program_stops_starts_rotates_and_removes(
    hook: Webhook, outsider: User, sign_in: SignIn
) -> None:
    client, here = sign_in(outsider), f"{HOOKS}{hook.pk}/"

    stopped = client.post(f"{here}stop/").json()
    again = client.post(f"{here}deliveries/1/again/").status_code
    started = client.post(f"{here}start/").json()
    rotated = client.post(f"{here}rotate/").json()
    removed = [client.delete(here).status_code for _time in range(2)]

    assert stopped["stopped_at"] is not None
    assert started["stopped_at"] is None
    assert again == 404
    assert rotated["secret"] not in ("", hook.secret)
    assert removed == [204, 404]


@pytest.mark.pages
def test_invalid_hook_is_told_by_field(
    receiver: WebServer, outsider: User, sign_in: SignIn
) -> None:
    client = sign_in(outsider)

    answers = [
        client.post(HOOKS, said(receiver, url="ftp://a.example/"), JSON),
        client.post(HOOKS, said(receiver, topic="request", subject="R-2020-0001"), JSON),
        client.post(HOOKS, said(receiver, colour="red"), JSON),
    ]

    errors = [list(answer.json()["errors"]) for answer in answers]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert errors == [["url"], ["subject"], ["colour"]]
    assert not Webhook.objects.exists()


@pytest.mark.pages
def test_hooks_of_others_are_not_found_and_nobody_has_any_without_an_account(
    add: Add, client: Client, registrar: User, sign_in: SignIn
) -> None:
    hook = add()
    paths = ["", f"{hook.pk}/", f"{hook.pk}/deliveries/"]

    strangers = [client.get(HOOKS + path).status_code for path in paths]
    others = [sign_in(registrar).get(HOOKS + path) for path in paths]
    removed = sign_in(registrar).delete(f"{HOOKS}{hook.pk}/")

    assert strangers == [401, 401, 401]
    assert [answer.status_code for answer in others] == [200, 404, 404]
    assert others[0].json() == []
    assert (removed.status_code, Webhook.objects.count()) == (404, 1)


@pytest.mark.pages
def test_unknown_act_is_not_found(hook: Webhook, outsider: User, sign_in: SignIn) -> None:
    assert sign_in(outsider).post(f"{HOOKS}{hook.pk}/explode/").status_code == 404


@pytest.mark.pages
@pytest.mark.parametrize(
    "url",
    [
        "https://localhost/in",
        "https://hooks.localhost:8443/in",
        "http://[::1]/in",
        "http://10.1.2.3/in",
        "http://169.254.169.254/latest/",
        "http://192.168.0.7:8080/",
        "https://printer.local/in",
        "https://receiver.invalid/in",
    ],
)
def test_address_where_nothing_can_ever_arrive_is_refused_when_it_is_made(
    url: str, receiver: WebServer, outsider: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.REGISTRY_FETCH_NETWORKS = []

    refused = sign_in(outsider).post(HOOKS, said(receiver, url=url), JSON)

    assert refused.status_code == 400
    assert "public Internet" in refused.json()["errors"]["url"][0]
    assert not Webhook.objects.exists()


@pytest.mark.pages
def test_address_of_a_network_that_the_settings_allow_is_taken(
    receiver: WebServer, outsider: User, sign_in: SignIn
) -> None:
    taken = sign_in(outsider).post(HOOKS, said(receiver, url="http://localhost:8080/in"), JSON)

    assert taken.status_code == 201


@pytest.mark.pages
def test_program_has_a_trial_sent_again(
    hook: Webhook, receiver: WebServer, sign_in: SignIn
) -> None:
    client = sign_in(hook.owner)
    trial = client.post(f"{HOOKS}{hook.pk}/trial/").json()
    work()

    again = client.post(f"{HOOKS}{hook.pk}/deliveries/{trial['id']}/again/")
    work()

    assert again.status_code == 202
    assert len(receiver.sent) == 2
