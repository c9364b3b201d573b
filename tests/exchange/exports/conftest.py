"""The current registry, one of our own namespaces in it, and its files."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry import workflow
from registry.exchange.exports import refresh_exports
from registry.models import RegistrationRequest, User
from tests.recorded_rows import recorded

Fetch = Callable[[str], bytes]


@pytest.fixture
@recorded
def registered(shipped: None, approved: RegistrationRequest, registrar: User) -> None:
    """Today's namespaces, and `seedbank` with a text we hold."""
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328", "RFC 7354"])


@pytest.fixture
def fetch(client: Client, registered: None) -> Fetch:
    """Return a function from the name of a file to the site's response, once it is built."""

    def fetched(name: str) -> bytes:
        refresh_exports(at_once=True)
        response = client.get(f"/exports/{name}")
        assert response.status_code == 200
        return response.content

    return fetched
