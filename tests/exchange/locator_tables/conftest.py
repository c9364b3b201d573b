"""A namespace with somebody who loads its locators, and the worker."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from registry.exchange import locator_tables
from registry.models import LocatorTable, Namespace, Organization, User
from registry.resolution.sources import find_locator
from registry.urn import parse
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
)

Load = Callable[..., LocatorTable]


@pytest.fixture(autouse=True)
def uploads(settings: Settings, tmp_path: Path) -> Path:
    """A folder for waiting files, separate from other tests."""
    settings.REGISTRY_UPLOADS = tmp_path / "uploads"
    return tmp_path / "uploads"


@pytest.fixture
def namespace(organization: Organization) -> Namespace:
    """A namespace of the organization without a rule for its names."""
    return NamespaceFactory.create(nid="lantern", registrant=organization)


@pytest.fixture
def delegate(organization: Organization, registrant: User) -> User:
    """A delegate of its registrant."""
    let_speak_for(organization, registrant)
    return registrant


@pytest.fixture
def load(namespace: Namespace, registrar: User) -> Load:
    """A function that loads a text as the registrar, replacing the table in use."""

    def loaded(text: str | bytes, namespace: Namespace = namespace) -> LocatorTable:
        octets = text.encode() if isinstance(text, str) else text
        table = locator_tables.begin_table(
            namespace,
            actor=registrar,
            file_name="table.csv",
            over=locator_tables.find_current_table(namespace),
        )
        return locator_tables.load_table(table, io.BytesIO(octets))

    return loaded


def found(namespace: Namespace, *names: str) -> list[str | None]:
    """Return where the registry says the names lead."""
    return [find_locator(namespace, parse(f"urn:{namespace.nid}:{name}")) for name in names]
