"""A queue of more requests than anybody reads: which of them it lists."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from registry.enums import Role
from registry.models import RegistrationRequest, User
from registry.selectors import review_queue
from registry.selectors.review_queue import (
    find_queue_neighbours,
    list_queue_keys,
    list_requests_for_lead,
)
from registry.web.review import queue
from tests.factories import UserFactory
from tests.web.experts import SignIn, make_many
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

MOST = 3


@pytest.fixture(autouse=True)
def bound(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (review_queue, queue):
        monkeypatch.setattr(module, "MAX_QUEUED", MOST)


def make_waiting(*days: int) -> list[RegistrationRequest]:
    """Return an untaken request for each number of days in review."""
    made = make_many(len(days))
    for each, since in zip(made, days, strict=True):
        each.state_since = timezone.now() - timedelta(since)
        each.save()
    return made


def list_rows(client: Client, query: str) -> list[RegistrationRequest]:
    rows = client.get(f"/review/?{query}").context["rows"]
    return [row.registration_request for row in rows]


@pytest.mark.parametrize("sort", ["turn", "oldest", "due"])
def test_requests_longest_in_their_state_are_listed(
    sort: str, expert: User, sign_in: SignIn
) -> None:
    newest, *longest, newer = make_waiting(1, 9, 8, 7, 2)

    rows = list_rows(sign_in(expert), f"tab=unassigned&sort={sort}")

    assert set(rows) == set(longest)
    assert {newest, newer}.isdisjoint(rows)


def test_latest_requests_listed_are_those_that_changed_last(expert: User, sign_in: SignIn) -> None:
    made = make_waiting(1, 9, 2, 3, 8)

    rows = list_rows(sign_in(expert), "tab=unassigned&sort=latest")

    assert rows == [made[0], made[2], made[3]]


def test_page_says_that_there_are_more_and_words_find_them(expert: User, sign_in: SignIn) -> None:
    newest = make_waiting(1, 9, 8, 7)[0]
    client = sign_in(expert)

    whole = text_of(client.get("/review/?tab=unassigned"))
    narrowed = client.get(f"/review/?tab=unassigned&words={newest.reference}")

    told = f"This list has {MOST} requests at most: those that have been in their state longest."
    assert told in whole
    assert [row.registration_request for row in narrowed.context["rows"]] == [newest]
    assert told not in text_of(narrowed)


def test_requests_that_nobody_can_decide_are_first_for_the_lead(lead: User) -> None:
    stuck, *untaken, stuck_lately = make_waiting(9, 8, 7, 6, 1)
    gone = UserFactory.create(roles=[Role.EXPERT])
    for each in (stuck, stuck_lately):
        each.assignments.create(expert=gone, assigned_at=timezone.now())
    gone.groups.clear()

    found = list_requests_for_lead(lead, RegistrationRequest.objects.all())
    keys = list_queue_keys(lead, found, "due")

    assert set(keys) == {stuck.pk, untaken[0].pk, untaken[1].pk}


def test_neighbours_are_those_of_the_list(expert: User) -> None:
    newest, *longest = make_waiting(1, 9, 8, 7)
    for each in (newest, *longest):
        each.assignments.create(expert=expert, assigned_at=timezone.now())

    between = find_queue_neighbours(expert, longest[1])
    beyond = find_queue_neighbours(expert, newest)

    assert between == (longest[0].reference, longest[2].reference)
    assert beyond == (None, longest[0].reference)
