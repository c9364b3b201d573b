"""The page of turnaround figures: charts, tables and CSV."""

from __future__ import annotations

import csv
import datetime
import re
from collections.abc import Iterator
from datetime import UTC

import pytest
import time_machine
from django.test import Client

from registry import workflow
from registry.exchange.exports.csv_tables import escape_formula
from registry.models import RegistrationRequest, User
from registry.presenters.figures import build_grid_lines
from tests.web.pages import rows_of, text_of

pytestmark = pytest.mark.django_db

NONE = ["–none", "–none"]
MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


@pytest.fixture
def declined(
    in_review: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> RegistrationRequest:
    """A request that was declined after eight days, two and a half days ago."""
    clock.shift(datetime.timedelta(8))
    workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")
    clock.shift(datetime.timedelta(2.5))
    return in_review


def test_tables_hold_the_numbers(client: Client, declined: RegistrationRequest) -> None:
    rows = rows_of(client.get("/requests/figures/"))

    for row in (
        ["In review", "1", "8.0", "8.0", "0", *NONE],
        ["Declined", "0", *NONE, "1", "2.5", "2.5"],
        ["The designated experts", "1", "8.0", "8.0", "0", *NONE],
        ["The registrant", "0", *NONE, "1", "2.5", "2.5"],
    ):
        assert row in rows


def test_charts_are_drawn_from_the_same_numbers(
    client: Client, declined: RegistrationRequest
) -> None:
    response = client.get("/requests/figures/")

    groups = response.context["groups"]
    states, turns = (group.chart for group in groups)
    page = response.content.decode()
    assert [(str(bar.label), bar.median, bar.percentile) for bar in states.bars] == [
        ("In review", "100.00%", "100.00%")
    ]
    assert [line.days for line in turns.lines] == [0, 2, 4, 6, 8]
    drawn = [f'<svg role="img" aria-labelledby="{each.key}-chart"' for each in groups]
    assert [page.count(each) for each in drawn] == [1, 1]
    rect = re.search('<rect class="chart__bar" [^>]*>', page)
    assert rect is not None
    assert 'width="100.00%"' in rect[0]
    assert not re.search(r"<svg[^>]* style=|<script>", page)


@pytest.mark.parametrize(
    ("longest", "days"),
    [
        (0, [0, 1]),
        (0.4, [0, 1]),
        (5, [0, 1, 2, 3, 4, 5]),
        (5.1, [0, 2, 4, 6]),
        (180, [0, 50, 100, 150, 200]),
        (99_999, [0, *range(5000, 100_001, 5000)]),
    ],
)
def test_lines_of_the_grid_are_round_numbers(longest: float, days: list[int]) -> None:
    assert [line.days for line in build_grid_lines(longest)] == days


def test_year_shows_what_ended_in_it(
    client: Client, declined: RegistrationRequest, clock: time_machine.Traveller, registrant: User
) -> None:
    clock.shift(datetime.timedelta(300))
    workflow.perform(declined, "withdraw", actor=registrant)

    this, last, nonsense = (
        client.get("/requests/figures/", {"year": year}) for year in ("2027", "2026", "x")
    )

    assert [tab.title for tab in this.context["tabs"]] == ["All years", "2027", "2026"]
    assert [tab.title for tab in this.context["tabs"] if tab.current] == ["2027"]
    assert "Declined 1 302.5 302.5" in text_of(this)
    assert "Declined 0" in text_of(last)
    assert "Declined 1 302.5 302.5" in text_of(nonsense)
    assert 'href="/requests/figures.csv?year=2026"' in last.content.decode()


def test_figures_are_had_as_csv(client: Client, declined: RegistrationRequest) -> None:
    response = client.get("/requests/figures.csv")

    rows = {each["key"]: each for each in csv.DictReader(response.content.decode().splitlines())}
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'attachment; filename="figures.csv"'
    assert rows["in_review"] == {
        "by": "state",
        "key": "in_review",
        "name": "In review",
        "ended": "1",
        "median_days": "8.00",
        "percentile_95_days": "8.00",
        "waiting": "0",
        "waiting_median_days": "",
        "waiting_longest_days": "",
    }
    assert rows["declined"]["waiting_longest_days"] == "2.50"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"])
def test_cells_of_the_csv_are_never_formulas(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


def test_figures_are_empty_before_anything_ended(
    client: Client, draft: RegistrationRequest, registrant: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)

    response = client.get("/requests/figures/")

    assert ["0", *NONE, "1", "0.0", "0.0"] in [row[1:] for row in rows_of(response)]

    assert not any(group.chart.bars for group in response.context["groups"])


def test_list_of_requests_and_the_guide_lead_to_the_figures(client: Client) -> None:
    for address in ("/requests/", "/about/"):
        assert 'href="/requests/figures/"' in client.get(address).content.decode()
