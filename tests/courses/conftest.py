"""The registry of today, and a clock for each course."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.courses.story import Story, travelling


@pytest.fixture
def story(db: None) -> Iterator[Story]:
    """A course about to begin."""
    yield from travelling()
