"""What experts say about themselves: days away, and standing conflicts of interest."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from registry.models import Event, RegistrationRequest, User
from registry.selectors.experts import find_next_expert
from tests.factories import RegistrantFactory
from tests.web.experts import SignIn, verbs
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

PAGES = ("/review/away/", "/review/conflicts/")


def days(first: date, last: date) -> dict[str, str]:
    return {"first_day": first.isoformat(), "last_day": last.isoformat()}


@pytest.mark.parametrize("who", ["registrant", "outsider"])
def test_days_away_are_for_officers(
    who: str, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    assert sign_in(request.getfixturevalue(who)).get(PAGES[0]).status_code == 403


@pytest.mark.parametrize("who", ["registrant", "registrar", "outsider"])
def test_conflicts_are_for_experts(
    who: str, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    assert sign_in(request.getfixturevalue(who)).get(PAGES[1]).status_code == 403


def test_expert_notes_days_away_and_takes_them_out_again(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client, today = sign_in(expert), timezone.localdate()

    client.post(PAGES[0], days(today, today + timedelta(9)))
    absence = expert.absences.get()
    away = find_next_expert(sent)
    client.post(f"/review/away/{absence.pk}/back/")

    assert (absence.first_day, absence.last_day) == (today, today + timedelta(9))
    assert away is None
    assert find_next_expert(sent) == expert


def test_days_that_overlap_become_one_absence(expert: User, sign_in: SignIn) -> None:
    client, today = sign_in(expert), timezone.localdate()
    first = days(today, today + timedelta(5))

    for typed in (first, first, days(today + timedelta(4), today + timedelta(9))):
        client.post(PAGES[0], typed)

    absence = expert.absences.get()
    assert (absence.first_day, absence.last_day) == (today, today + timedelta(9))


@pytest.mark.parametrize(("first", "last", "code"), [(5, 4, "before_first"), (-9, -1, "past")])
def test_invalid_days_are_refused(
    first: int, last: int, code: str, expert: User, sign_in: SignIn
) -> None:
    today = timezone.localdate()
    typed = days(today + timedelta(first), today + timedelta(last))

    page = sign_in(expert).post(PAGES[0], typed)

    assert list(page.context["form"].errors) == ["last_day"]
    assert error_codes(page, "last_day") == [code]
    assert typed["first_day"] in page.content.decode()
    assert not expert.absences.exists()


def test_nobody_takes_out_days_of_others(expert: User, lead: User, sign_in: SignIn) -> None:
    absence = expert.absences.create(first_day=date(2099, 1, 1), last_day=date(2099, 1, 2))

    sign_in(lead).post(f"/review/away/{absence.pk}/back/")

    assert expert.absences.get() == absence


def test_expert_declares_a_conflict_that_takes_them_off_its_requests(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    typed = {"organization": in_review.organization_id, "reason": "I advised them."}

    page = sign_in(expert).post(PAGES[1], typed, follow=True)

    assert expert.conflicts.get().organization == in_review.organization
    assert str(in_review.organization) in text_of(page)
    assert "I advised them." in text_of(page)
    assert verbs(in_review)[-1] == "recuse"


def test_expert_ends_a_conflict_once_and_the_journal_keeps_it(
    expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    client.post(PAGES[1], {"organization": RegistrantFactory.create().pk})
    conflict = expert.conflicts.get()

    for _ in range(2):
        client.post(f"/review/conflicts/{conflict.pk}/end/")

    told = Event.objects.filter(actor=expert).values_list("verb", flat=True)
    assert list(told) == ["declare_conflict", "end_conflict"]
    assert not expert.conflicts.exists()


def test_nobody_ends_a_conflict_of_others(expert: User, lead: User, sign_in: SignIn) -> None:
    sign_in(expert).post(PAGES[1], {"organization": RegistrantFactory.create().pk})
    conflict = expert.conflicts.get()

    sign_in(lead).post(f"/review/conflicts/{conflict.pk}/end/")

    assert expert.conflicts.get() == conflict


@pytest.mark.parametrize("typed", ["", "0", "x"])
def test_conflict_needs_an_organization(typed: str, expert: User, sign_in: SignIn) -> None:
    page = sign_in(expert).post(PAGES[1], {"organization": typed})

    assert list(page.context["form"].errors) == ["organization"]
    assert not expert.conflicts.exists()
