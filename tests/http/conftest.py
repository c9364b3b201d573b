"""The registry with its cache of public responses, which other tests turn off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry.http import shared_pages
from registry.http.shared_pages import SharedPage, render_shared_page
from registry.http.wsgi import CachingWSGIHandler
from tests.factories import NamespaceFactory


@pytest.fixture
def remembering(settings: Settings, db: None) -> None:
    """Responses are cached from now on. Each `Client` stands for a worker with its own cache."""
    settings.REGISTRY_CACHE_BYTES = 4_000_000
    NamespaceFactory.create(nid="isbn", references=["RFC 8141"])


@pytest.fixture
def visitor(remembering: None) -> Client:
    """Somebody without cookies."""
    return Client()


@pytest.fixture
def door(remembering: None, monkeypatch: pytest.MonkeyPatch) -> CachingWSGIHandler:
    """An entry point that keeps the connection of the test's transaction."""
    monkeypatch.setattr(connection, "close_if_unusable_or_obsolete", lambda: None)
    return CachingWSGIHandler()


@pytest.fixture
def moment() -> Iterator[None]:
    """Time stands still: pages of requests say how many days it was whose turn."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture
def sharing(settings: Settings) -> None:
    """Pages are kept from now on; each `Client` stands for a worker with a memory of its own."""
    settings.REGISTRY_CACHE_BYTES = 16_000_000


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, SharedPage | None]]:
    """The addresses whose page was drawn to be shared, each with what came of it."""
    found: list[tuple[str, SharedPage | None]] = []

    def draw(*drawn: Any) -> SharedPage | None:
        found.append((drawn[0].path, render_shared_page(*drawn)))
        return found[-1][1]

    monkeypatch.setattr(shared_pages, "render_shared_page", draw)
    return found
