"""However much activity there is, a page makes the same number of queries."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from pytest_django import Settings

from benchmarks import crowd as crowds, opened, published, recorded
from registry import journal
from registry.journal import row_verification

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 3, 3, 12, tzinfo=datetime.UTC)
"""A working day: who is late, and since when, is the same whenever the test runs."""


@pytest.mark.whole
@time_machine.travel(NOON, tick=False)
def test_pages_of_the_process_ask_no_more_for_many_requests_than_for_few(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF = opened.__name__
    monkeypatch.setattr(opened, "RUNS", 1)
    crowd = crowds.make_people()
    crowds.add_requests(crowd, count=100, rounds=2)
    few = opened.measure(crowd)

    crowds.add_requests(crowd, count=100, rounds=10)
    many = opened.measure(crowd)

    dearer = {
        name: (few[name].queries, figure.queries)
        for name, figure in many.items()
        if figure.queries > few[name].queries
    }
    assert dearer == {}
    assert list(journal.verify()) == []


def test_registry_made_in_bulk_is_one_whose_journal_tells_of_every_row() -> None:
    published.fill(40, 2)

    recorded.record_rows()

    assert [*journal.verify(), *row_verification.verify_rows()] == []
