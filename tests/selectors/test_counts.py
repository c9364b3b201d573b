"""Counting no further than a badge shows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import User
from registry.selectors.counts import MAX_COUNTED, count_for_badge
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_rows_that_a_badge_does_not_show_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    UserFactory.create_batch(3)
    monkeypatch.setattr("registry.selectors.counts.MAX_COUNTED", 2)

    with CaptureQueriesContext(connection) as asked:
        count = count_for_badge(User.objects.order_by("name"))

    (query,) = asked.captured_queries
    assert (count, "LIMIT 2" in query["sql"], "ORDER BY" in query["sql"]) == (2, True, False)


def test_few_are_counted_exactly() -> None:
    UserFactory.create_batch(3)

    assert count_for_badge(User.objects.order_by("name")) == 3 < MAX_COUNTED
