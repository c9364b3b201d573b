"""However much is going on, a page asks the database as often as before."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from benchmarks import crowd as crowds, opened
from registry import journal

pytestmark = pytest.mark.django_db


def test_pages_of_the_process_ask_as_often_for_many_requests_as_for_few(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF = opened.__name__
    monkeypatch.setattr(opened, "RUNS", 1)
    crowd = crowds.make_people()
    crowds.add_requests(crowd, count=100, rounds=2)
    few = opened.measure(crowd)

    crowds.add_requests(crowd, count=100, rounds=10)
    many = opened.measure(crowd)

    assert {name: figure.queries for name, figure in many.items()} == {
        name: figure.queries for name, figure in few.items()
    }
    assert list(journal.verify()) == []
