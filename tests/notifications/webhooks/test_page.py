"""Webhooks on the pages of their owners."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from registry.enums import WebhookTopic
from registry.models import (
    RegistrationRequest,
    User,
    Webhook,
    WebhookDelivery,
)
from tests.factories import NamespaceFactory
from tests.notifications.conftest import work
from tests.notifications.webhooks.conftest import (
    Add,
    address,
    read_messages,
    verbs,
)
from tests.servers import WebServer, saying, web_server

pytestmark = pytest.mark.django_db

PAGE = "/account/hooks/"
SignIn = Callable[[User], Client]


def asked(receiver: WebServer, **said: Any) -> dict[str, Any]:
    """Return what the form posts."""
    given = {"name": "Mirror", "url": address(receiver), "topic": "requests", "subject": ""}
    return {**given, "key": uuid.uuid4(), **said}


def page(answer: Any) -> str:
    """Return the text of a page."""
    return " ".join(answer.content.decode().split())


@pytest.mark.pages
def test_hook_is_added_tried_and_its_log_read(
    receiver: WebServer, outsider: User, sign_in: SignIn
) -> None:
    client = sign_in(outsider)

    added = page(client.post(PAGE, asked(receiver), follow=True))
    hook = Webhook.objects.get(owner=outsider)
    pressed = page(client.post(f"{PAGE}{hook.pk}/trial/", follow=True))
    waiting = client.get(f"{PAGE}{hook.pk}/", headers={"hx-request": "true"})
    work()
    over = client.get(f"{PAGE}{hook.pk}/", headers={"hx-request": "true"})
    tried = page(client.get(f"{PAGE}{hook.pk}/"))

    assert hook.secret in added
    assert "test is being" in pressed
    assert (waiting.status_code, over.headers["HX-Refresh"]) == (204, "true")
    assert "test is being" not in tried
    assert "Arrived" in tried
    assert "<b>204</b>" in tried
    assert verbs(receiver) == ["trial"]
    assert len(read_messages(receiver, hook.secret)) == 1


@pytest.mark.pages
def test_trial_that_does_not_arrive_is_told(hook: Webhook, outsider: User, sign_in: SignIn) -> None:
    with web_server(saying(b"Not here.", 404)) as server:
        Webhook.objects.update(url=address(server))
        client = sign_in(outsider)
        client.post(f"{PAGE}{hook.pk}/trial/")
        work()
        tried = page(client.get(f"{PAGE}{hook.pk}/"))

    assert "Given up" in tried
    assert "Not here." in tried
    assert "<b>404</b>" in tried


@pytest.mark.pages
def test_log_tells_each_attempt_and_an_act_can_be_sent_again(
    hook: Webhook, receiver: WebServer, sent: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    client = sign_in(outsider)
    with web_server(saying(b"Out of order.", 500)) as server:
        Webhook.objects.update(url=address(server))
        work()
    waits = page(client.get(hook.get_absolute_url()))
    Webhook.objects.update(url=address(receiver))
    WebhookDelivery.objects.update(given_up_at="2026-01-01T00:00Z", not_before=None)
    delivery = WebhookDelivery.objects.get()

    client.post(f"{PAGE}{hook.pk}/deliveries/{delivery.pk}/again/")
    work()
    done = page(client.get(hook.get_absolute_url()))

    assert f"{sent}: Runa Registrant" in waits
    assert "<b>500</b>" in waits
    assert "Out of order." in waits
    assert "Tried again from" in waits
    assert "Arrived" in done
    assert verbs(receiver) == ["submit"]


@pytest.mark.pages
def test_hook_is_stopped_started_given_a_fresh_secret_and_removed_each_click_once(
    hook: Webhook, outsider: User, sign_in: SignIn
) -> None:
    client, here = sign_in(outsider), f"{PAGE}{hook.pk}/"

    stopped = [page(client.post(f"{here}stop/", follow=True)) for _click in range(2)]
    of_stopped = page(client.get(here))
    started = page(client.post(f"{here}start/", follow=True))
    for _click in range(2):
        rotated = page(client.post(f"{here}rotate/", {"seen": hook.secret}, follow=True))
    before, fresh = hook.secret, Webhook.objects.get().secret
    removed = [page(client.post(f"{here}remove/", follow=True)) for _click in range(2)]

    assert ["Stopped." in text for text in stopped] == [True, True]
    assert f'action="{here}start/"' in of_stopped
    assert "Started." in started
    assert (fresh in rotated, fresh == before) == (True, False)
    assert ["no webhooks" in text for text in removed] == [True, True]
    assert not Webhook.objects.exists()


@pytest.mark.pages
@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"name": ""}, "Say what the webhook is for."),
        ({"url": ""}, "Enter the address at which the program listens."),
        ({"url": "ftp://a.example/"}, "The address has to begin with https:// or http://"),
        ({"url": "https://u:p@a.example/"}, "The address contains a user name"),
        ({"url": "https://a.example:22/"}, "Port 22 is not one that web servers use."),
        ({"topic": ""}, "Choose what to send it."),
        ({"topic": "request", "subject": "R-2020-0001"}, "There is no public request with this"),
        ({"topic": "namespace", "subject": "nobody"}, "No namespace with this identifier"),
        ({"topic": "namespace", "subject": ""}, "No namespace with this identifier"),
    ],
)
def test_invalid_hook_is_told_and_nothing_is_lost(
    said: dict[str, str], words: str, receiver: WebServer, outsider: User, sign_in: SignIn
) -> None:
    answer = page(sign_in(outsider).post(PAGE, asked(receiver, **said)))

    assert words in answer
    assert said.get("name", "Mirror") in answer
    assert not Webhook.objects.exists()


@pytest.mark.pages
@pytest.mark.parametrize("typed", ["sample", "Sample", "urn:sample:"])
def test_one_identifier_is_named_as_people_write_it(
    typed: str, receiver: WebServer, outsider: User, sign_in: SignIn
) -> None:
    NamespaceFactory.create(nid="sample")

    sign_in(outsider).post(PAGE, asked(receiver, topic="namespace", subject=typed))

    assert Webhook.objects.get().subject == "sample"


@pytest.mark.pages
def test_draft_cannot_be_named(
    draft: RegistrationRequest, receiver: WebServer, outsider: User, sign_in: SignIn
) -> None:
    said = asked(receiver, topic="request", subject=draft.reference)

    answer = sign_in(outsider).post(PAGE, said)

    assert list(answer.context["form"].errors) == ["subject"]
    assert not Webhook.objects.exists()


@pytest.mark.pages
def test_second_click_adds_none(receiver: WebServer, outsider: User, sign_in: SignIn) -> None:
    client, said = sign_in(outsider), asked(receiver)

    answers = [client.post(PAGE, said) for _click in range(2)]

    assert len({answer["Location"] for answer in answers}) == Webhook.objects.count() == 1


@pytest.mark.pages
def test_form_comes_filled_in_from_where_feeds_are_linked(outsider: User, sign_in: SignIn) -> None:
    answer = page(sign_in(outsider).get(f"{PAGE}?topic=namespace&subject=isbn"))

    assert 'value="isbn"' in answer
    assert re.search('<input[^>]* value="namespace"[^>]* checked', answer)


@pytest.mark.pages
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", ""),
        ("post", "trial/"),
        ("post", "stop/"),
        ("post", "rotate/"),
        ("post", "deliveries/{}/again/"),
    ],
)
def test_nobody_else_finds_a_hook(
    method: str,
    path: str,
    hook: Webhook,
    sent: RegistrationRequest,
    receiver: WebServer,
    registrar: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    delivery = WebhookDelivery.objects.get()
    here = f"{PAGE}{hook.pk}/{path.format(delivery.pk)}"

    stranger, other = (getattr(each, method)(here) for each in (client, sign_in(registrar)))

    assert (stranger.status_code, other.status_code) == (302, 404)
    assert receiver.sent == []


@pytest.mark.pages
def test_nobody_else_removes_a_hook(hook: Webhook, registrar: User, sign_in: SignIn) -> None:
    sign_in(registrar).post(f"{PAGE}{hook.pk}/remove/")

    assert Webhook.objects.filter(pk=hook.pk).exists()


@pytest.mark.pages
def test_unknown_act_is_not_found(hook: Webhook, outsider: User, sign_in: SignIn) -> None:
    assert sign_in(outsider).post(f"{PAGE}{hook.pk}/explode/").status_code == 404


@pytest.mark.pages
def test_list_shows_mine_alone(add: Add, outsider: User, registrar: User, sign_in: SignIn) -> None:
    add(WebhookTopic.NAMESPACES, name="Library mirror")

    mine, others = (page(sign_in(each).get(PAGE)) for each in (outsider, registrar))

    assert "Library mirror" in mine
    assert "Library mirror" not in others
