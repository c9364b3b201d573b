"""Pictures drawn on the server: days by whose turn, registrations and ages, states and paths."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from datetime import UTC

import pytest
import time_machine
from django.test import Client

from registry import workflow
from registry.enums import State
from registry.models import RegistrationRequest, User
from registry.presenters.course_drawing import ARROWS, PLACES
from registry.workflow import VERBS
from registry.workflow.step import Transition
from tests.factories import NamespaceFactory
from tests.web.experts import REASONS
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(
        datetime.datetime(2026, 6, 1, 10, tzinfo=UTC), tick=False
    ) as traveller:
        yield traveller


def test_request_shows_its_days_by_whose_turn_it_was(
    in_review: RegistrationRequest,
    expert: User,
    client: Client,
    clock: time_machine.Traveller,
) -> None:
    clock.shift(datetime.timedelta(6))
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    clock.shift(datetime.timedelta(2))

    page = client.get(in_review.get_absolute_url())

    picture = page.context["discussion"].turns
    assert [(str(each.name), each.x, each.width, each.days) for each in picture.stretches] == [
        ("Experts", "0.00%", "75.00%", "6 days"),
        ("Registrant", "75.00%", "25.00%", "2 days"),
    ]
    assert "Experts: 6 days Registrant: 2 days" in text_of(page)
    assert "1 June 2026" in text_of(page)
    assert 'aria-describedby="turns-list"' in page.content.decode()


def test_draft_has_no_days_to_show(
    draft: RegistrationRequest, registrant: User, client: Client
) -> None:
    client.force_login(registrant)

    assert client.get(draft.get_absolute_url()).context["discussion"].turns is None


def test_figures_show_registrations_a_year_with_the_years_between(client: Client) -> None:
    for nid, day in (("one", "2019"), ("two", "2019-03"), ("three", "2021-01-02"), ("four", "")):
        NamespaceFactory.create(nid=nid, registered_on=day)

    page = client.get("/requests/figures/")

    chart = page.context["registrations"]
    counted = {each.label: each.count for each in chart.columns}
    assert counted == {
        **dict.fromkeys(map(str, range(2019, 2027)), 0),
        "2019": 2,
        "2021": 1,
    }
    assert (chart.total, chart.left_out) == (3, 1)
    assert "Of 1 namespace" in text_of(page)
    assert "2019 2 2020 0 2021 1" in text_of(page)


def test_figures_show_open_requests_by_age(
    in_review: RegistrationRequest, client: Client, clock: time_machine.Traveller
) -> None:
    clock.shift(datetime.timedelta(30))

    page = client.get("/requests/figures/")

    assert [each.count for each in page.context["ages"].columns] == [0, 0, 1, 0, 0]
    assert "28–89 1" in text_of(page)


def test_guide_draws_every_state_and_only_steps_of_the_table(client: Client) -> None:
    page = client.get("/guide/paths/")

    html = page.content.decode()
    svg = re.search(r'<svg class="course".*?</svg>', html, re.DOTALL)
    assert svg is not None
    assert set(PLACES) == set(State)
    for state in State:
        assert f">{state.label}</text>" in svg[0]
    for arrow in ARROWS:
        transition = VERBS[arrow.verb]
        assert isinstance(transition, Transition)
        assert arrow.source in transition.sources
        if isinstance(transition.target, State):
            assert arrow.target == transition.target
        assert f"{arrow.source.label}: “{arrow.label}” leads to {arrow.target.label}." in text_of(
            page
        )


def test_pictures_need_no_script_or_style_of_their_own(
    in_review: RegistrationRequest, client: Client
) -> None:
    for path in (in_review.get_absolute_url(), "/requests/figures/", "/guide/paths/"):
        for svg in re.findall(r"<svg.*?</svg>", client.get(path).content.decode(), re.DOTALL):
            assert "style=" not in svg
            assert "<script" not in svg
            assert "<title" in svg
