"""The current registry, and a clock for each story."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.courses.story import Story, travelling


@pytest.fixture
def story(
    db: None, settings: Settings, inviting_comments: None, explaining_decisions: None
) -> Iterator[Story]:
    """A story about to begin, with the waiting times and the list of the real process."""
    settings.REGISTRY_LIST_ADDRESS = "urn-list@lists.example"
    yield from travelling()
