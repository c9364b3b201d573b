"""nginx caches anonymous responses, and nothing else, with its file and over TLS."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest
from django.conf import global_settings
from django.db import transaction
from pytest_django import Settings

from registry.selectors import raise_registry_version
from tests.factories import NamespaceFactory, UserFactory
from tests.live.proxies import CACHING_PROXY, nginx
from tests.live.servers import gunicorn
from tests.live.test_production import PRODUCTION, Answer, Browser
from tests.programs import PATIENCE, free_port

pytestmark = pytest.mark.django_db(transaction=True)

PATH: Final = "/namespaces/lantern/"


@contextmanager
def open_site(home: Path, seconds: int) -> Iterator[Browser]:
    """Serve the registry behind a caching nginx; yield an anonymous client."""
    NamespaceFactory.create(nid="lantern")
    tls = free_port()
    with (
        gunicorn(home, **PRODUCTION, REGISTRY_SHARED_CACHE_SECONDS=str(seconds)) as inside,
        nginx(home, CACHING_PROXY, site=inside, tls=tls),
    ):
        yield Browser(tls)


def find_source(answer: Answer) -> str:
    """Return how nginx got a response; empty if it did not look in its cache."""
    return answer.headers.get("X-Cache-Status", "")


def test_strangers_are_given_what_nginx_has_and_nobody_else_is(
    tmp_path: Path, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    registrant = UserFactory.create()
    with open_site(tmp_path, 600) as stranger:
        somebody = Browser(stranger.port)
        assert somebody.sign_in(registrant).status == 302

        first, again = stranger.ask(PATH), stranger.ask(PATH)
        others = [
            somebody.ask(PATH),
            stranger.ask(PATH, Cookie="theme=dark"),
            stranger.ask(PATH, Authorization="Token nobody"),
            stranger.ask(PATH, HX_Request="true"),
        ]
        personal = [stranger.ask("/account/"), stranger.ask("/account/")]
        in_forms = ask_in_each_form(stranger), ask_in_each_form(stranger)
        names = ["urn:lantern:a%2Cb", "urn:lantern:a,b"] * 2
        resolved = [stranger.ask(f"/resolve/{name}") for name in names]

    assert [find_source(each) for each in (first, again)] == ["MISS", "HIT"]
    assert again.text == first.text
    assert again.headers["Cache-Control"] == (
        "public, max-age=0, s-maxage=600, stale-while-revalidate=600, stale-if-error=3600"
    )
    assert [find_source(each) for each in others] == ["", "", "", ""]
    assert others[0].headers["Cache-Control"] == "no-store"
    assert (registrant.name in others[0].text, registrant.name in again.text) == (True, False)
    assert "HIT" not in {find_source(each) for each in personal}

    told = [
        (each.headers["Content-Type"], each.headers.get("Content-Encoding", ""))
        for each in in_forms[1]
    ]
    assert told == [
        ("text/html; charset=utf-8", ""),
        ("application/json", ""),
        ("text/turtle; charset=utf-8", ""),
        ("text/html; charset=utf-8", "gzip"),
        ("text/html; charset=utf-8", "br"),
        ("text/html; charset=utf-8", ""),
    ]
    assert [each.text for each in in_forms[1]] == [each.text for each in in_forms[0]]
    assert [find_source(each) for each in in_forms[1]] == ["HIT"] * len(told)
    assert len({each.headers["Vary"] for each in in_forms[1]}) == 1
    assert [name in answer.text for name, answer in zip(names, resolved, strict=True)] == [True] * 4


def ask_in_each_form(stranger: Browser) -> list[Answer]:
    """Return the responses at one address to clients that ask for different formats."""
    forms: tuple[dict[str, str], ...] = (
        {},
        {"Accept": "application/json"},
        {"Accept": "text/turtle"},
        {"Accept_Encoding": "gzip"},
        {"Accept_Encoding": "br"},
        {"Accept_Language": "en"},
    )
    return [stranger.ask(PATH, "GET", None, **form) for form in forms]


def test_nginx_gives_strangers_stale_pages_without_the_registry(tmp_path: Path) -> None:
    NamespaceFactory.create(nid="lantern")
    tls = free_port()
    with ExitStack() as running:
        inside = running.enter_context(ExitStack())
        address = inside.enter_context(
            gunicorn(tmp_path, **PRODUCTION, REGISTRY_SHARED_CACHE_SECONDS="1")
        )
        running.enter_context(nginx(tmp_path, CACHING_PROXY, site=address, tls=tls))
        stranger = Browser(tls)
        before = stranger.ask(PATH)
        inside.close()
        # Beyond both the second for which nginx need not ask, and the one in which it asks aside.
        time.sleep(3)
        stale = stranger.ask(PATH)
        others = [stranger.ask("/namespaces/"), stranger.ask(PATH, Cookie="sessionid=somebody")]

    assert (before.status, find_source(before)) == (200, "MISS")
    assert (stale.status, find_source(stale), stale.text) == (200, "STALE", before.text)
    assert [each.status for each in others] == [502, 502]


def test_nginx_refreshes_a_page_without_making_anybody_wait(tmp_path: Path) -> None:
    seconds = 4
    with open_site(tmp_path, seconds) as stranger:
        before = stranger.ask(PATH)
        # nginx counts whole seconds, and may ask aside for as long again.
        time.sleep(seconds * 1.4)
        meanwhile = stranger.ask(PATH)
        give_up = time.monotonic() + PATIENCE
        while find_source(after := stranger.ask(PATH)) != "HIT":
            assert time.monotonic() < give_up
            time.sleep(0.1)

    assert (find_source(meanwhile), meanwhile.text) == ("STALE", before.text)
    assert (after.status, after.text) == (200, before.text)


def test_publication_is_seen_once_the_seconds_are_over(tmp_path: Path) -> None:
    path = "/namespaces/beacon/"
    with open_site(tmp_path, 2) as stranger:
        before = stranger.ask(path)

        with transaction.atomic():
            NamespaceFactory.create(nid="beacon")
            raise_registry_version()
        give_up = time.monotonic() + PATIENCE
        while (after := stranger.ask(path)).status == before.status:
            assert time.monotonic() < give_up
            time.sleep(0.1)

    assert (before.status, after.status) == (404, 200)
