"""A folder of documents of record, and namespaces that they registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry.models import Namespace
from tests.records import copy_documents, make_imported_namespace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copies of the documents of record."""
    return copy_documents(tmp_path)


@pytest.fixture
def wickpat(db: None) -> Namespace:
    """A namespace that one RFC registered."""
    return make_imported_namespace("wickpat", "RFC9999")


@pytest.fixture
def needle(db: None) -> Namespace:
    """A namespace that an RFC registered together with another one, and a later RFC updated."""
    return make_imported_namespace("needle", "RFC9998", "RFC9997")


@pytest.fixture
def thread(db: None) -> Namespace:
    """The other namespace of the same RFC."""
    return make_imported_namespace("thread", "RFC 9998")


@pytest.fixture
def clasp(db: None) -> Namespace:
    """A namespace whose template IANA keeps."""
    return make_imported_namespace(
        "clasp",
        "Buckle Works",
        template_url="https://www.iana.org/assignments/urn-formal/clasp",
    )
