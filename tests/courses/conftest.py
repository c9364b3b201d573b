"""The registry of today, and a clock for each course."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.courses.story import Story, travelling


@pytest.fixture
def story(db: None, settings: Settings) -> Iterator[Story]:
    """A course about to begin, where the word of a holder waits for the days of the process."""
    settings.REGISTRY_WORD_DAYS = 7
    yield from travelling()
