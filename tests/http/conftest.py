"""The registry with its cache of public responses, which other tests turn off."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from registry.http.cache import CachingWSGIHandler
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
