"""A mail server and the worker of the tests."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry.models import Letter
from tests.notifications.smtp import MailServer


def point_at(settings: Settings, port: int) -> None:
    """Send mail to a server on this machine."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port


@pytest.fixture
def mail_server(settings: Settings) -> Iterator[MailServer]:
    """A running mail server, to which the registry sends."""
    server = MailServer()
    point_at(settings, server.port)
    yield server
    server.stop()


@pytest.fixture
def no_mail_server(settings: Settings) -> int:
    """The port of a stopped mail server, to which the registry sends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    point_at(settings, port)
    return port


def worker(name: str) -> Worker:
    """The worker, run until no task is ready."""
    return Worker(
        queue_names=["default"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=name,
        excluded_queue_names=[],
    )


def work() -> None:
    """Do every ready task as the worker does, on the connection of the test."""
    one = worker("one")
    while task := DBTaskResult.objects.ready().first():
        task.claim(one.worker_id)
        one.run_task(task)


@pytest.fixture
def find_recipients() -> Callable[[str], dict[str, str]]:
    """A function from a verb to the recipients of its last event, and the reasons."""

    def list_reasons(verb: str) -> dict[str, str]:
        letters = Letter.objects.filter(event__verb=verb)
        last = letters.order_by("-event__number").values("event")[:1]
        return dict(letters.filter(event__in=last).values_list("address", "reason"))

    return list_reasons
