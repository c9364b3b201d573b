"""The registry as shipped, with its index."""

from __future__ import annotations

import pytest

from registry.exchange.seed import load_namespaces, load_vocabularies, read_namespaces
from registry.search import rebuild_index


@pytest.fixture
def shipped(db: None) -> None:
    load_namespaces(read_namespaces())
    load_vocabularies()
    rebuild_index()
