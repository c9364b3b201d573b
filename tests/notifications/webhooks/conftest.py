"""A receiver on this machine, and hooks that post to it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings
from standardwebhooks import Webhook as WebhookVerifier

from registry.enums import WebhookTopic
from registry.models import User, Webhook
from registry.notifications import webhooks
from tests.servers import WebServer, saying, web_server

Add = Callable[..., Webhook]


@pytest.fixture(autouse=True)
def loopback(settings: Settings) -> None:
    """One of this machine's addresses stands for the Internet."""
    settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]


@pytest.fixture
def receiver() -> Iterator[WebServer]:
    """A receiver that accepts everything."""
    with web_server(saying(b"", 204)) as server:
        yield server


@pytest.fixture
def add(outsider: User, receiver: WebServer) -> Add:
    """A function that adds a hook, by default for all requests."""

    def added(
        topic: WebhookTopic = WebhookTopic.REQUESTS, subject: str = "", **said: Any
    ) -> Webhook:
        given: dict[str, Any] = {"name": "Mirror", "url": address(receiver), **said}
        return webhooks.add_webhook(
            outsider, topic=topic, subject=subject, form_key=uuid.uuid4(), **given
        )

    return added


@pytest.fixture
def hook(add: Add) -> Webhook:
    """A hook for all requests."""
    return add()


def address(server: WebServer) -> str:
    """Return where a server listens."""
    return f"http://127.0.0.1:{server.port}/in"


def read_messages(server: WebServer, secret: str = "") -> list[dict[str, Any]]:
    """Return the messages to a receiver, each verified by an independent library."""
    if secret:
        for headers, body in server.sent:
            WebhookVerifier(secret).verify(body, headers)
    return [json.loads(body) for _headers, body in server.sent]


def verbs(server: WebServer) -> list[str]:
    """Return the verbs of the events that a receiver got, in the events' order."""
    messages = read_messages(server)
    return [
        each["type"] for each in sorted(messages, key=lambda each: each["data"].get("number", 0))
    ]
