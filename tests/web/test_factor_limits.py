"""Wrong codes lock out only the clients that enter them, and codes cannot be guessed."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
import time_machine
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from registry.actions.account_security import MAX_LOGGED_FAILURES_PER_DAY, record_account_event
from registry.enums import AccountEventKind, Role
from registry.models import Letter, RateLimit, Token, User
from registry.rate_limits import FACTOR_LIMITS, MAX_CODE_ATTEMPTS
from tests.factories import PASSWORD, UserFactory
from tests.letters import go_on_from_reset_link, send_account_letters, subject_of
from tests.sign_in import make_totp_code, remove_factors
from tests.web.pages import error_codes, text_of
from tests.web.test_second_factor import set_up_app
from tools.sign_in import record_sign_in

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
HOME, ATTACKER = "192.0.2.1", "198.51.100.7"
SIGN_IN, CONFIRM = "/accounts/factors/authenticate/", "/accounts/factors/reauthenticate/"
WRONG_CODE = "This code is wrong, used or expired."
LOCKED = "Too many wrong codes."

NEW_PASSWORD = "otter gravel sonnet twelve"
(MOST_AT_ONCE, AT_ONCE), (MOST_IN_ALL, IN_ALL) = FACTOR_LIMITS


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Time stands still unless a test moves it."""
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


def enter_password(person: User, *, at: str = HOME, client: Client | None = None) -> Client:
    """Return a client that is asked for the second factor of somebody."""
    client = client or Client(REMOTE_ADDR=at)
    sent = {"login": person.email, "password": PASSWORD}
    answer = client.post("/accounts/sign-in/", sent)
    assert answer.headers["Location"] == SIGN_IN
    return client


def enter_code(client: Client, code: str, path: str = SIGN_IN) -> str:
    """Return what the page says to a code."""
    return text_of(client.post(path, {"code": code}))


def is_signed_in(client: Client) -> bool:
    return client.get("/account/requests/").status_code == 200


def list_wrong_codes(kind: str, times: int) -> list[str]:
    """Return wrong codes that look like those of an app, or like recovery codes."""
    digits = {"app": 6, "recovery": 8}[kind]
    right = {make_totp_code(step) for step in (-1, 0, 1)}
    codes = (f"{n:0{digits}}" for n in range(times + len(right)))
    return [code for code in codes if code not in right][:times]


def fail(person: User, times: int = MOST_AT_ONCE, kind: str = "app") -> list[str]:
    """Enter wrong codes in a few sessions and networks; return what the pages say."""
    clients = [enter_password(person, at=f"203.0.113.{n}") for n in range(3)]
    codes = list_wrong_codes(kind, times)
    return [enter_code(client, code) for client, code in zip(cycle(clients), codes)]


def know_browser(person: User) -> Client:
    """Return a browser in which somebody has signed in before."""
    client = enter_password(person)
    enter_code(client, make_totp_code(-1))
    assert is_signed_in(client)
    client.post("/accounts/sign-out/")
    return client


def letters_about_codes() -> list[str]:
    """Return the texts of the letters that tell of wrong codes."""
    send_account_letters()
    return [
        " ".join(str(letter.body).split())
        for letter in mail.outbox
        if str(letter.subject).endswith(subject_of("factor_locked"))
    ]


@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_right_code_is_not_checked_after_ten_wrong_ones(
    expert: User, kind: str, clock: time_machine.Traveller
) -> None:
    recovery = RecoveryCodes.activate(expert).get_unused_codes()
    said = fail(expert, kind=kind)
    clients = [enter_password(expert, at=ATTACKER) for _time in range(3)]

    refused = [
        enter_code(clients[0], make_totp_code()),
        enter_code(clients[1], recovery[0]),
        enter_code(clients[2], list_wrong_codes(kind, 1)[0]),
    ]
    locked_out = [is_signed_in(client) for client in clients]
    clock.shift(AT_ONCE + datetime.timedelta(seconds=1))
    later = enter_password(expert, at=ATTACKER)
    enter_code(later, make_totp_code())

    assert [WRONG_CODE in each for each in said] == [True] * MOST_AT_ONCE
    assert [LOCKED in each for each in refused] == [True] * 3
    assert locked_out == [False] * 3
    assert is_signed_in(later)


def test_attempts_in_one_session_count_as_in_many(expert: User) -> None:
    client = enter_password(expert)
    said = [enter_code(client, code) for code in list_wrong_codes("app", MOST_AT_ONCE + 5)]

    enter_code(client, make_totp_code())

    assert [LOCKED in each for each in said] == [False] * MOST_AT_ONCE + [True] * 5
    assert not is_signed_in(client)


@pytest.mark.whole
def test_attempts_spread_over_time_are_limited_too(
    expert: User, clock: time_machine.Traveller
) -> None:
    said: list[str] = []
    for _quarter in range(MOST_IN_ALL // MOST_AT_ONCE):
        said += fail(expert)
        clock.shift(AT_ONCE + datetime.timedelta(seconds=1))
    client = enter_password(expert, at=ATTACKER)

    refused = enter_code(client, make_totp_code())
    clock.shift(IN_ALL)
    later = enter_password(expert, at=ATTACKER)
    enter_code(later, make_totp_code())

    assert [WRONG_CODE in each for each in said] == [True] * MOST_IN_ALL
    assert LOCKED in refused
    assert not is_signed_in(client)
    assert is_signed_in(later)


@pytest.mark.parametrize("between", ["", " "], ids=["as before", "with a space"])
def test_code_of_an_app_works_once_for_as_long_as_it_is_valid(
    between: str, expert: User, clock: time_machine.Traveller
) -> None:
    code = make_totp_code(1)
    first = enter_password(expert)
    enter_code(first, code)
    clock.shift(datetime.timedelta(seconds=31))
    second = enter_password(expert)

    said = enter_code(second, f"{code[:3]}{between}{code[3:]}")

    assert code in {make_totp_code(-1), make_totp_code()}
    assert is_signed_in(first)
    assert not is_signed_in(second)
    assert WRONG_CODE in said
    assert expert.account_events.filter(kind="factor_failed").count() == 1


@pytest.mark.whole
def test_codes_that_are_not_checked_do_not_prolong_the_wait(
    expert: User, clock: time_machine.Traveller
) -> None:
    fail(expert, times=MOST_IN_ALL + MOST_AT_ONCE)

    clock.shift(AT_ONCE + datetime.timedelta(seconds=1))
    client = enter_password(expert)
    enter_code(client, make_totp_code())

    assert is_signed_in(client)


def test_owner_gets_in_with_a_browser_used_before(expert: User) -> None:
    browser = know_browser(expert)
    fail(expert)
    assert LOCKED in enter_code(enter_password(expert), make_totp_code())

    enter_code(enter_password(expert, client=browser), make_totp_code())

    assert is_signed_in(browser)


def test_browser_used_before_has_a_limit_of_its_own(expert: User) -> None:
    browser = know_browser(expert)
    enter_password(expert, client=browser)
    said = [enter_code(browser, code) for code in list_wrong_codes("app", MOST_AT_ONCE + 1)]
    elsewhere = enter_password(expert, at=ATTACKER)

    enter_code(elsewhere, make_totp_code())

    assert [LOCKED in each for each in said] == [False] * MOST_AT_ONCE + [True]
    assert is_signed_in(elsewhere)


def test_other_accounts_sign_in_from_the_same_network(expert: User, registrar: User) -> None:
    client = enter_password(expert, at=ATTACKER)
    for code in list_wrong_codes("app", MOST_AT_ONCE + 1):
        enter_code(client, code)
    other = enter_password(registrar, at=ATTACKER)

    enter_code(other, make_totp_code())

    assert is_signed_in(other)


def test_right_code_is_no_failure(expert: User) -> None:
    fail(expert, times=MOST_AT_ONCE - 1)
    first, second = enter_password(expert), enter_password(expert)
    enter_code(first, make_totp_code())

    enter_code(second, make_totp_code(1))

    assert is_signed_in(first)
    assert is_signed_in(second)
    assert {row.used for row in RateLimit.objects.filter(pk__startswith="factors:")} == {
        MOST_AT_ONCE - 1
    }


def test_right_code_does_not_forget_the_wrong_ones_of_others(expert: User) -> None:
    fail(expert, times=MOST_AT_ONCE - 1)
    enter_code(enter_password(expert), make_totp_code())

    said = fail(expert, times=2)

    assert [LOCKED in each for each in said] == [False, True]


def test_confirmation_follows_the_same_rule(expert: User, sign_in: SignIn) -> None:
    client = sign_in(expert)
    record_sign_in(client, expert, ago=3600)
    said = [enter_code(client, code, CONFIRM) for code in list_wrong_codes("app", MOST_AT_ONCE)]

    refused = enter_code(client, make_totp_code(), CONFIRM)
    asked = client.get("/accounts/factors/totp/deactivate/")
    at_sign_in = enter_code(enter_password(expert), make_totp_code())

    assert [WRONG_CODE in each for each in said] == [True] * MOST_AT_ONCE
    assert LOCKED in refused
    assert asked.headers["Location"].startswith(CONFIRM)
    assert LOCKED in at_sign_in


def test_confirmation_in_a_known_browser_works_beside_an_attacker(expert: User) -> None:
    browser = know_browser(expert)
    enter_code(enter_password(expert, client=browser), make_totp_code())
    fail(expert)

    answer = browser.post(CONFIRM, {"code": make_totp_code(1), "next": "/account/"})

    assert answer.status_code == 302


def test_programs_work_on_while_codes_are_not_checked(expert: User) -> None:
    _token, shown = Token.objects.create(user=expert, name="test", form_key=uuid.uuid4())
    fail(expert, times=MOST_AT_ONCE + 1)

    answer = Client().get(
        "/api/v1/requests/", headers={"authorization": f"Token {shown}"}, REMOTE_ADDR=ATTACKER
    )

    assert answer.status_code == 200


@pytest.mark.whole
def test_owner_learns_of_wrong_codes_by_one_letter_and_in_the_log(
    expert: User, clock: time_machine.Traveller
) -> None:
    fail(expert, times=MOST_AT_ONCE - 1)
    early = letters_about_codes()
    client = enter_password(expert, at=ATTACKER)
    enter_code(client, "abcdef")

    [letter] = letters_about_codes()
    lines = list(expert.account_events.filter(kind=AccountEventKind.LOCKED))
    clock.shift(AT_ONCE + datetime.timedelta(seconds=1))
    fail(expert, times=MOST_AT_ONCE)

    assert early == []
    assert "198.51.100.0/24" in letter
    assert "/accounts/password/reset/" in letter
    assert [(line.network, line.actor) for line in lines] == [("198.51.100.0/24", None)]
    assert len(letters_about_codes()) == 1
    assert expert.account_events.filter(kind=AccountEventKind.LOCKED).count() == 2
    clock.shift(datetime.timedelta(days=1))
    fail(expert, times=MOST_AT_ONCE)
    assert len(letters_about_codes()) == 2


@pytest.mark.whole
def test_letters_say_in_words_until_when_and_how_to_get_in_meanwhile(
    expert: User, clock: time_machine.Traveller
) -> None:
    begun = timezone.now()
    know_browser(expert)
    for _time in range(MOST_IN_ALL // MOST_AT_ONCE):
        fail(expert, times=MOST_AT_ONCE)
        clock.shift(AT_ONCE + datetime.timedelta(seconds=1))

    short, long = letters_about_codes()

    assert f"Until {begun + AT_ONCE:%-d %B %Y, %H:%M} UTC codes are checked only in" in short
    assert f"Until {begun + IN_ALL:%-d %B %Y, %H:%M} UTC codes are checked only in" in long
    for letter in (short, long):
        assert "in browsers in which you have signed in before" in letter
        assert "with a passkey. Elsewhere a new password ends the wait" in letter


def test_letter_says_in_words_that_only_a_known_browser_has_to_wait(expert: User) -> None:
    client = know_browser(expert)
    enter_password(expert, client=client)

    for code in list_wrong_codes("app", MOST_AT_ONCE):
        enter_code(client, code)

    [letter] = letters_about_codes()
    assert "no code is checked in that browser, in which you have signed in before" in letter
    assert "or in another browser" in letter


def test_attempts_that_are_not_checked_are_in_the_log_too(expert: User) -> None:
    fail(expert, times=MOST_AT_ONCE + 3)

    kinds = list(expert.account_events.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["factor_failed"] * MOST_AT_ONCE + ["locked"] * 4


def test_letter_says_in_words_that_the_attacker_reads_the_mail(expert: User) -> None:
    client = Client()
    client.post("/accounts/login/code/", {"email": expert.email})
    client.post("/accounts/login/code/confirm/", {"code": read_code()})

    for code in list_wrong_codes("app", MOST_AT_ONCE):
        enter_code(client, code)

    assert "Somebody signed in with a code from your email" in letters_about_codes()[0]
    assert "secure your email" in letters_about_codes()[0]


def test_letter_says_in_words_that_the_attacker_is_signed_in(expert: User, sign_in: SignIn) -> None:
    client = sign_in(expert)

    for code in list_wrong_codes("app", MOST_AT_ONCE):
        enter_code(client, code, CONFIRM)

    assert "Somebody who is signed in to your account" in letters_about_codes()[0]
    assert "/account/sessions/" in letters_about_codes()[0]


def test_wrong_passwords_keep_no_wrong_codes_out_of_the_log(expert: User) -> None:
    for _time in range(MAX_LOGGED_FAILURES_PER_DAY + 1):
        record_account_event(expert, AccountEventKind.SIGN_IN_FAILED)

    fail(expert)

    assert expert.account_events.filter(kind="factor_failed").count() == MOST_AT_ONCE
    assert expert.account_events.filter(kind="locked").count() == 1


def choose_password_by_letter(person: User) -> None:
    """Choose a new password with the link of a letter."""
    client = Client()
    client.post("/accounts/password/reset/", {"email": person.email})
    send_account_letters()
    [path] = re.findall(r"https?://[^/\s]+(\S+)", str(mail.outbox[-1].body))
    form = go_on_from_reset_link(client, path)
    client.post(form, dict.fromkeys(("password1", "password2"), NEW_PASSWORD))
    person.refresh_from_db()
    assert person.check_password(NEW_PASSWORD)
    person.set_password(PASSWORD)
    person.save()


@pytest.mark.whole
def test_new_password_ends_the_wait_but_not_time_and_again(
    expert: User, clock: time_machine.Traveller
) -> None:
    fail(expert)
    choose_password_by_letter(expert)
    client = enter_password(expert)
    enter_code(client, make_totp_code())
    is_over = is_signed_in(client)
    fail(expert)
    clock.shift(datetime.timedelta(minutes=5))

    choose_password_by_letter(expert)

    assert is_over
    assert LOCKED in enter_code(enter_password(expert), make_totp_code())


def test_operator_ends_the_wait_with_a_new_password(
    expert: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(expert)
    monkeypatch.setattr("getpass.getpass", lambda **asked: PASSWORD)
    assert LOCKED in enter_code(enter_password(expert), make_totp_code())

    call_command("changepassword", expert.email, verbosity=0)
    client = enter_password(expert)
    enter_code(client, make_totp_code())

    assert is_signed_in(client)


@pytest.mark.django_db(transaction=True)
def test_browsers_from_before_the_factor_are_not_known_after_it() -> None:
    officer = UserFactory.create(roles=[Role.EXPERT])
    remove_factors(officer)
    early, here = Client(), Client()
    for client in (early, here):
        client.post("/accounts/sign-in/", {"login": officer.email, "password": PASSWORD})
        assert is_signed_in(client)
    early.post("/accounts/sign-out/")
    set_up_app(here)
    here.post("/accounts/sign-out/")
    fail(officer)

    said = [
        enter_code(enter_password(officer, client=client), list_wrong_codes("app", 1)[0])
        for client in (early, here)
    ]

    assert [LOCKED in each for each in said] == [True, False]


@pytest.mark.django_db(transaction=True)
def test_new_factor_begins_without_the_wrong_codes_of_the_old_one(expert: User) -> None:
    fail(expert)
    remove_factors(expert)
    client = Client()
    client.post("/accounts/sign-in/", {"login": expert.email, "password": PASSWORD})
    set_up_app(client)

    said = enter_code(enter_password(expert), list_wrong_codes("app", 1)[0])

    assert WRONG_CODE in said


# Codes from letters are long, so attempts are counted for the code alone.


def read_code() -> str:
    """Return the code in the last letter."""
    send_account_letters()
    [code] = re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[-1].body))
    return str(code)


def try_at_once(client: Client, path: str, codes: list[str]) -> list[Any]:
    """Send codes as if at the same time: each finds the session as it was before all others."""
    before = dict(client.session.items())
    answers = []
    for code in codes:
        session = client.session
        session.update(before)
        session.save()
        answers.append(client.post(path, {"code": code}))
    return answers


def test_codes_to_sign_in_cannot_be_tried_at_once(registrant: User) -> None:
    client = Client()
    client.post("/accounts/login/code/", {"email": registrant.email})
    code, wrong = read_code(), ["AAAA-AAAA"] * MAX_CODE_ATTEMPTS

    answers = try_at_once(client, "/accounts/login/code/confirm/", [*wrong, code])

    assert error_codes(answers[-1], "code") == ["too_many_codes"]
    assert not is_signed_in(client)


def test_code_to_sign_in_works_at_the_second_attempt(registrant: User) -> None:
    client = Client()
    client.post("/accounts/login/code/", {"email": registrant.email})
    code = read_code()

    try_at_once(client, "/accounts/login/code/confirm/", ["AAAA-AAAA", code])

    assert is_signed_in(client)


def test_unknown_addresses_are_refused_codes_as_known_ones_are() -> None:
    client = Client()
    client.post("/accounts/login/code/", {"email": "nobody@people.example"})

    answers = try_at_once(
        client, "/accounts/login/code/confirm/", ["AAAA-AAAA"] * (MAX_CODE_ATTEMPTS + 1)
    )

    assert not Letter.objects.filter(subject__contains="Your code").exists()
    assert error_codes(answers[0], "code") == ["incorrect_code"]
    assert error_codes(answers[-1], "code") == ["too_many_codes"]


def test_codes_of_a_confirmation_cannot_be_tried_at_once(registrant: User, sign_in: SignIn) -> None:
    client, path = sign_in(registrant), "/account/confirm/"
    record_sign_in(client, registrant, ago=3600)
    client.post(path, {"send": "1"})
    code, wrong = read_code(), ["AAAA-AAAA"] * MAX_CODE_ATTEMPTS

    answers = try_at_once(client, path, [*wrong, code])

    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert answers[-1].context["sent"] is False
    assert not registrant.account_events.filter(kind="reauthenticated").exists()
