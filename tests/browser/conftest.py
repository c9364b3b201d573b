"""A real browser and a real server, and one registry for all tests of a module."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings as settings_now
from django.core.management import call_command
from django.test import Client, override_settings
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from registry.models import User
from tests.browser import scene
from tests.browser.scene import Scene
from tests.recorded_rows import copy_or_build
from tools.browser import NONE_FOUND

# Playwright's sync API runs an event loop in the test's thread; Django's guard against database
# calls from event loops does not know that this one never awaits them.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

BROWSER = os.environ.get("REGISTRY_TEST_BROWSER", "")

PATIENCE = 60_000  # milliseconds that a busy machine may take; fast pages are not slowed down
expect.set_options(timeout=PATIENCE)

Windows = Callable[..., BrowserContext]
Browse = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Fail without a browser: `make test` asks for one on every machine."""
    if not BROWSER:
        pytest.fail(NONE_FOUND, pytrace=False)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the Chromium that was found, quietly and for this machine only."""
    return {
        **browser_type_launch_args,
        "executable_path": BROWSER,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings for as long as the server may respond: requests may outlive their test."""
    with override_settings(
        # All tests come from one address, as if they were one person.
        ACCOUNT_RATE_LIMITS=False,
        REGISTRY_CHECK_SECONDS_PER_MINUTE=1_000,
        # The cast sign in once for all the tests of a module.
        ACCOUNT_REAUTHENTICATION_TIMEOUT=36_000,
        REGISTRY_COMMENT_SECONDS=0,
        DEMONSTRATION=True,
        STATIC_ROOT=tmp_path_factory.mktemp("static"),
        EMAIL_BACKEND="registry.demonstration.mailbox.DemonstrationMailBackend",
        EMAIL_FILE_PATH=tmp_path_factory.mktemp("mail"),
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        STORAGES={
            **settings_now.STORAGES,
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    ):
        yield


@pytest.fixture(autouse=True)
def files_of_its_own(site: None) -> None:
    """Keep the module's settings for each of its tests."""


@pytest.fixture(scope="module", autouse=True)
def transactional_db(
    site: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """One database for the tests of a module, emptied after it.

    It has the name of pytest-django's fixture, which is emptied after each test: a registry with
    all its namespaces must not be filled again for every page.
    """
    with django_db_blocker.unblock():
        yield
        call_command("flush", verbosity=0, interactive=False)


@pytest.fixture(scope="module")
def db(transactional_db: None) -> None:
    """The same database, under its other name."""


@pytest.fixture(scope="module")
def live_server(transactional_db: None) -> Iterator[LiveServer]:
    """The registry, served to the browser for as long as its database exists."""
    server = LiveServer("127.0.0.1")
    yield server
    server.stop()


@contextmanager
def opening(browser: Browser, url: str) -> Iterator[Windows]:
    """Return a function that opens browsers with separate cookies; close them at the end."""
    opened: list[BrowserContext] = []

    def open_window(person: User | None = None, **options: Any) -> BrowserContext:
        context = browser.new_context(base_url=url, **options)
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        if person:
            sign_in(context, person, url)
        return context

    yield open_window
    for context in opened:
        context.close()


def sign_in(context: BrowserContext, person: User, url: str) -> None:
    """Give the browser the session of somebody signed in."""
    client = Client()
    client.force_login(person)
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": url}])


@pytest.fixture(scope="module")
def people(transactional_db: None) -> dict[str, User]:
    """The cast, for as long as their database exists."""
    return scene.cast()


@pytest.fixture(scope="module")
def registrant(people: dict[str, User]) -> User:
    return people["registrant"]


@pytest.fixture(scope="module")
def expert(people: dict[str, User]) -> User:
    return people["expert"]


@pytest.fixture(scope="module")
def registrar(people: dict[str, User]) -> User:
    return people["registrar"]


@pytest.fixture(scope="module")
def outsider(people: dict[str, User]) -> User:
    return people["outsider"]


@pytest.fixture(scope="module")
def the_scene(people: dict[str, User], tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A registry in which something of everything has happened."""
    # The folder of a worker lies in one of the whole run.
    run = tmp_path_factory.getbasetemp()
    run = run.parent if "PYTEST_XDIST_WORKER" in os.environ else run
    return copy_or_build(run / "scene", lambda: scene.build(people))


@pytest.fixture(scope="module")
def windows(browser: Browser, live_server: LiveServer) -> Iterator[Windows]:
    """Return a function that opens a browser for a signed-in person or a stranger.

    It stays open until the end of the module.
    """
    with opening(browser, live_server.url) as open_window:
        yield open_window


@pytest.fixture
def browse(browser: Browser, live_server: LiveServer) -> Iterator[Browse]:
    """Return a function that opens a page, for a signed-in person or a stranger.

    Its keywords are those of Playwright's `new_context`, such as `viewport`.
    """
    with opening(browser, live_server.url) as open_window:
        yield lambda person=None, **options: open_window(person, **options).new_page()
