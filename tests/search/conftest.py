"""The registry as shipped, with its index."""

from __future__ import annotations

import pytest

from registry.search import rebuild_index
from tests.recorded_rows import recorded


@pytest.fixture
@recorded
def shipped(shipped: None) -> None:
    """The registry as it is shipped, with its index."""
    rebuild_index()
