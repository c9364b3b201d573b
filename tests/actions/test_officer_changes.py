"""Changes of who may decide: who hears of them, who stops them, and who decides then."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import scheduler
from registry.actions.officer_changes import (
    change_address,
    close_account,
    decide_change,
    give_role,
    stop_change,
    take_role,
)
from registry.enums import Role
from registry.models import Event, Letter, OfficerChange, Organization, SchedulerDay, User
from registry.workflow import ActionRefused
from tests.factories import UserFactory, let_speak_for

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_day(settings: Settings) -> None:
    """Changes wait a day, as in production."""
    settings.REGISTRY_OFFICER_CHANGE_MINUTES = 1_440


def tick_after(hours: float) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(hours=hours), tick=False):
        scheduler.tick()


def roles(person: User) -> set[str]:
    return set(User.objects.get(pk=person.pk).granted_roles)


def test_role_is_announced_to_all_officers_and_held_a_day_later(
    administrator: User, expert: User, outsider: User
) -> None:
    give_role(outsider, Role.REGISTRAR, actor=administrator)

    announced = Event.objects.latest("number")
    assert announced.verb == "announce_officer_change"
    addresses = set(Letter.objects.values_list("address", flat=True))
    assert addresses == {administrator.email, expert.email, outsider.email}

    tick_after(23)
    assert roles(outsider) == set()

    tick_after(25)
    assert roles(outsider) == {Role.REGISTRAR}
    assert Event.objects.get(verb="admin.change").actor == administrator


def test_address_of_an_officer_stays_until_the_day_is_over_and_is_told(
    administrator: User, expert: User
) -> None:
    old = expert.email
    change_address(expert, "ede@elsewhere.example", actor=administrator)

    letter = Letter.objects.get(address=old)
    assert "/officers/stop/" in letter.text
    assert User.objects.get(pk=expert.pk).email == old

    tick_after(25)

    assert User.objects.get(pk=expert.pk).email == "ede@elsewhere.example"
    assert not EmailAddress.objects.get(user=expert).verified


def test_address_of_somebody_who_decides_nothing_changes_at_once(
    administrator: User, outsider: User
) -> None:
    assert change_address(outsider, "olaf@elsewhere.example", actor=administrator) is None
    assert User.objects.get(pk=outsider.pk).email == "olaf@elsewhere.example"


def test_delegate_chooses_another_main_address_a_day_later(
    outsider: User, organization: Organization, sign_in: Callable[[User], Client]
) -> None:
    let_speak_for(organization, outsider)
    EmailAddress.objects.create(user=outsider, email="olaf@elsewhere.example", verified=True)

    sign_in(outsider).post(
        "/accounts/email/", {"action_primary": "", "email": "olaf@elsewhere.example"}
    )
    before = User.objects.get(pk=outsider.pk).email
    tick_after(25)

    assert before == "outsider@people.example"
    assert User.objects.get(pk=outsider.pk).email == "olaf@elsewhere.example"
    assert EmailAddress.objects.filter(user=outsider, verified=True).count() == 2


def test_closed_account_of_an_officer_loses_its_roles_with_it(
    administrator: User, expert: User
) -> None:
    close_account(expert, reason="It was taken over.", actor=administrator)
    before = User.objects.get(pk=expert.pk).is_active

    tick_after(25)

    expert.refresh_from_db()
    assert (before, expert.is_active, expert.groups.count()) == (True, False, 0)


def test_role_is_granted_by_command_at_once_only_while_nobody_holds_it(outsider: User) -> None:
    first, second = outsider, UserFactory.create()

    call_command("grant_role", first.email, "registrar", stdout=io.StringIO())
    call_command("grant_role", second.email, "registrar", stdout=(out := io.StringIO()))

    assert roles(first) == {Role.REGISTRAR}
    assert roles(second) == set()
    assert "Announced to all officers" in out.getvalue()
    assert OfficerChange.objects.get().asked_by is None


def test_officer_who_loses_by_a_change_stops_it(administrator: User, expert: User) -> None:
    change = take_role(expert, Role.EXPERT, actor=administrator)

    stop_change(change, actor=expert, reason="Nobody asked me.")
    tick_after(48)

    assert roles(expert) == {Role.EXPERT}
    assert OfficerChange.objects.get().is_stopped


def test_stranger_stops_nothing(administrator: User, outsider: User, registrant: User) -> None:
    change = give_role(outsider, Role.EXPERT, actor=administrator)

    with pytest.raises(ActionRefused, match="Only officers"):
        stop_change(change, actor=registrant, reason="I do not like it.")


@pytest.mark.parametrize("is_right", [True, False])
def test_standards_body_decides_about_a_stopped_change(
    is_right: bool, administrator: User, expert: User, outsider: User, standards_body: User
) -> None:
    change = give_role(outsider, Role.REGISTRAR, actor=administrator)
    stop_change(change, actor=expert, reason="Who is this?")

    decide_change(change, actor=standards_body, is_right=is_right, reason="We know them.")

    assert roles(outsider) == ({Role.REGISTRAR} if is_right else set())
    assert not OfficerChange.objects.pending().exists()


def test_two_administrators_decide_and_one_alone_does_not(
    administrator: User, expert: User, outsider: User
) -> None:
    second = UserFactory.create(roles=[Role.ADMINISTRATOR], is_staff=True)
    change = give_role(outsider, Role.REGISTRAR, actor=administrator)
    stop_change(change, actor=expert, reason="Who is this?")

    for _time in range(2):
        decide_change(change, actor=administrator, is_right=True, reason="I know them.")
    alone = roles(outsider)
    decide_change(change, actor=second, is_right=True, reason="I too.")

    assert (alone, roles(outsider)) == (set(), {Role.REGISTRAR})


def test_nobody_decides_about_themselves(administrator: User, expert: User) -> None:
    change = give_role(administrator, Role.STANDARDS_BODY, actor=administrator)
    stop_change(change, actor=expert, reason="You alone?")

    with pytest.raises(ActionRefused, match="not about themselves"):
        decide_change(change, actor=administrator, is_right=True, reason="Yes.")


def test_clock_that_jumps_puts_nothing_into_effect_unheard(
    administrator: User, outsider: User
) -> None:
    SchedulerDay.objects.record(timezone.localdate())
    give_role(outsider, Role.REGISTRAR, actor=administrator)

    with time_machine.travel(timezone.now() + datetime.timedelta(400), tick=False):
        scheduler.tick()
        assert roles(outsider) == set()
