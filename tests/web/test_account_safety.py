"""What ends sessions and tokens, letters about an account, and its log."""

from __future__ import annotations

import datetime
import hashlib
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import identify_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import settings as registry_settings
from registry.actions.account_security import (
    MAX_LOGGED_FAILURES_PER_DAY,
    delete_old_account_events,
    record_account_event,
)
from registry.actions.roles import change_role
from registry.enums import AccountEventKind, Role
from registry.models import AccountEvent, RegistrationRequest, Token, User
from tests.factories import PASSWORD
from tests.letters import go_on_from_reset_link, send_account_letters, subject_of
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

HOME, ELSEWHERE = "192.0.2.77", "198.51.100.7"
NEW_PASSWORD = "otter gravel sonnet twelve"


@pytest.fixture(autouse=True)
def unlimited(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False


def signed_in(person: User, *, at: str = HOME, agent: str = "Sample Browser 1") -> Client:
    """Return a client in which somebody signed in on the page."""
    client = Client(REMOTE_ADDR=at, headers={"user-agent": agent})
    client.post("/accounts/sign-in/", {"login": person.email, "password": PASSWORD})
    assert is_signed_in(client)
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/account/requests/").status_code == 200


def change_password(client: Client, new: str = NEW_PASSWORD) -> Any:
    """Change the password on its page."""
    said = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    return client.post("/accounts/password/change/", said)


def make_token(person: User) -> str:
    _token, shown = Token.objects.create(user=person, name="old", form_key=uuid.uuid4())
    return str(shown)


def is_token_good(shown: str) -> bool:
    headers = {"authorization": f"Token {shown}"}
    return Client().get("/api/v1/namespaces/", headers=headers).status_code == 200


def kinds_of(person: User) -> list[str]:
    return list(person.account_events.order_by("pk").values_list("kind", flat=True))


def subjects() -> list[str]:
    send_account_letters()
    return [letter.subject.removeprefix("[URN Namespace Registry] ") for letter in mail.outbox]


def test_password_change_ends_other_sessions_and_all_tokens(registrant: User) -> None:
    here, there = signed_in(registrant), signed_in(registrant, at=ELSEWHERE)
    token = make_token(registrant)
    assert is_token_good(token)

    change_password(here)

    assert is_signed_in(here)
    assert not is_signed_in(there)
    assert not is_token_good(token)


def test_password_chosen_by_the_link_of_a_letter_ends_sessions_and_tokens(
    registrant: User,
) -> None:
    there, token = signed_in(registrant), make_token(registrant)
    client = Client()
    client.post("/accounts/password/reset/", {"email": registrant.email})
    send_account_letters()
    [path] = re.findall(r"https?://[^/\s]+(\S+)", str(mail.outbox[-1].body))
    form = go_on_from_reset_link(client, path)

    client.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})

    registrant.refresh_from_db()
    assert registrant.check_password(NEW_PASSWORD)
    assert not is_signed_in(there)
    assert not is_token_good(token)


def test_password_changed_by_the_command_ends_sessions_and_tokens(
    registrant: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, token = signed_in(registrant), make_token(registrant)
    monkeypatch.setattr("getpass.getpass", lambda **asked: NEW_PASSWORD)

    call_command("changepassword", registrant.email, verbosity=0)

    assert not is_signed_in(there)
    assert not is_token_good(token)
    assert subject_of("password_changed") in subjects()


def test_person_ends_one_session_or_all_others(registrant: User) -> None:
    here, there, third = (signed_in(registrant, agent=f"Browser {n}") for n in range(3))
    page = text_of(here.get("/account/sessions/"))
    listed = registrant.usersession_set.get(user_agent="Browser 1")

    here.post("/account/sessions/", {"session": str(listed.pk)})
    after_one = [is_signed_in(client) for client in (here, there, third)]
    here.post("/account/sessions/", {"session": "others"})

    assert "Browser 0 This browser" in page
    assert "Browser 2" in page
    assert after_one == [True, False, True]
    assert [is_signed_in(client) for client in (here, there, third)] == [True, False, False]


def test_ending_all_others_ends_unlisted_sessions_too(registrant: User) -> None:
    here, unlisted = signed_in(registrant), Client()
    unlisted.force_login(registrant)
    registrant.usersession_set.exclude(user_agent="Sample Browser 1").delete()
    assert is_signed_in(unlisted)

    here.post("/account/sessions/", {"session": "others"})

    assert is_signed_in(here)
    assert not is_signed_in(unlisted)


def test_nobody_ends_the_session_of_another(registrant: User, outsider: User) -> None:
    there = signed_in(registrant)
    listed = registrant.usersession_set.get()

    signed_in(outsider).post("/account/sessions/", {"session": str(listed.pk)})

    assert is_signed_in(there)


@pytest.fixture
def temporary_expert(outsider: User, sent: RegistrationRequest) -> User:
    """Somebody without a role who is the expert for one request."""
    sent.assignments.create(expert=outsider, assigned_at=timezone.now(), is_temporary=True)
    return outsider


@pytest.mark.parametrize(
    ("role", "idle", "whole"),
    [
        ("registrant", datetime.timedelta(days=7), datetime.timedelta(days=30)),
        ("registrar", datetime.timedelta(hours=1), datetime.timedelta(hours=12)),
        ("temporary_expert", datetime.timedelta(hours=1), datetime.timedelta(hours=12)),
    ],
)
def test_sessions_end_idle_and_after_a_time_in_all_sooner_for_officers(
    role: str,
    idle: datetime.timedelta,
    whole: datetime.timedelta,
    request: pytest.FixtureRequest,
    sign_in: Callable[[User], Client],
) -> None:
    person, began = request.getfixturevalue(role), timezone.now()
    with time_machine.travel(began, tick=False) as clock:
        lazy, busy = sign_in(person), sign_in(person)
        assert is_signed_in(lazy)
        seen = []
        while timezone.now() - began <= whole:
            seen.append(is_signed_in(busy))
            clock.shift(idle * 0.9)
        late = is_signed_in(busy)

    with time_machine.travel(began + idle + datetime.timedelta(minutes=1), tick=False):
        idle_too_long = is_signed_in(lazy)

    assert len(seen) > 3
    assert all(seen)
    assert not late
    assert not idle_too_long
    assert kinds_of(person).count(AccountEventKind.SESSION_EXPIRED) == 2


@pytest.mark.parametrize(
    "password",
    [
        "short words",
        "password12345",
        "urn namespace registry",
        "runa registrant 8141",
        "registrant@people.example",
        "a" * 100,
    ],
)
def test_passwords_that_are_guessed_soon_are_refused(password: str, registrant: User) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, registrant)


@pytest.mark.parametrize(
    "password", [PASSWORD, NEW_PASSWORD, "kelp viola dune " * 20, "żółw gęś ąć 71 mgła"]
)
def test_long_phrases_are_taken_however_long(password: str, registrant: User) -> None:
    validate_password(password, registrant)


def test_passwords_are_hashed_by_argon2_and_old_ones_anew_at_sign_in(
    settings: Settings, registrant: User
) -> None:
    settings.PASSWORD_HASHERS = registry_settings.PASSWORD_HASHERS
    registrant.password = make_password(PASSWORD, hasher="pbkdf2_sha256")
    registrant.save()

    signed_in(registrant)

    registrant.refresh_from_db()
    assert identify_hasher(registrant.password).algorithm == "argon2"


def test_letters_tell_of_a_new_browser_but_not_of_the_first(registrant: User) -> None:
    first = signed_in(registrant)
    first.post("/accounts/sign-out/")
    first.post("/accounts/sign-in/", {"login": registrant.email, "password": PASSWORD})
    quiet = subjects()

    signed_in(registrant, agent="Another Browser")

    assert quiet == []
    assert subjects() == [subject_of("new_device")]
    assert "Another Browser" in str(mail.outbox[0].body)
    assert "192.0.2.0/24" in str(mail.outbox[0].body)


def test_letter_tells_of_a_new_password(registrant: User) -> None:
    change_password(signed_in(registrant))

    assert subjects() == [subject_of("password_changed")]


def test_letters_to_the_old_address_and_the_log_tell_of_added_and_removed_ones(
    registrant: User,
) -> None:
    client, old = signed_in(registrant), registrant.email
    new = {"email": "new@people.example"}

    client.post("/accounts/email/", {**new, "action_add": "1"})
    client.post("/accounts/email/", {**new, "action_remove": "1"})

    added, removed = subject_of("email_added"), subject_of("email_deleted")
    assert subjects().count(added) == 1
    assert kinds_of(registrant) == ["signed_in", "address_added", "address_removed"]
    addressees = {letter.subject.partition("] ")[2]: letter.to for letter in mail.outbox}
    assert addressees[added] == [old]
    assert addressees[removed] == [old]


def test_letter_to_the_old_address_says_in_words_what_to_do_about_a_new_main_one(
    registrant: User,
) -> None:
    client, old = signed_in(registrant), registrant.email
    registrant.emailaddress_set.create(email="new@people.example", verified=True)

    client.post("/accounts/email/", {"email": "new@people.example", "action_primary": "1"})

    registrant.refresh_from_db()
    assert registrant.email == "new@people.example"
    assert subjects() == [subject_of("email_changed")]
    [letter] = mail.outbox
    text = " ".join(str(letter.body).split())
    assert letter.to == [old]
    assert f"from {old} to new@people.example" in text
    assert "192.0.2.0/24" in text
    assert "If it was not you, choose a new password at once" in text


@pytest.mark.parametrize("is_kept", [True, False], ids=["among the fallbacks", "forgotten"])
def test_sessions_and_links_in_letters_last_as_long_as_the_secret_key_is_kept(
    is_kept: bool, settings: Settings, registrant: User
) -> None:
    here, there = signed_in(registrant), Client()
    there.post("/accounts/password/reset/", {"email": registrant.email})
    send_account_letters()
    [path] = re.findall(r"https?://[^/\s]+(\S+)", str(mail.outbox[-1].body))

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if is_kept else []
    settings.SECRET_KEY = "another key of the tests 0123456789 abcdefghijklmnopqrstuvwxyz"
    stays = is_signed_in(here)
    form = there.get(path, follow=True).request["PATH_INFO"]
    for _click in ("Continue", "Set the password"):
        there.post(form, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})

    registrant.refresh_from_db()
    assert stays == is_kept
    assert registrant.check_password(NEW_PASSWORD) == is_kept


def test_letters_about_accounts_name_the_site_whatever_host_is_asked(
    settings: Settings, registrant: User
) -> None:
    settings.SITE = "https://urn.example"
    settings.ALLOWED_HOSTS = ["testserver", "stranger.example"]
    client = Client(headers={"host": "stranger.example"})
    client.force_login(registrant)

    change_password(client)

    send_account_letters()
    assert "stranger" not in str(mail.outbox[-1].message())
    assert "urn.example" in str(mail.outbox[-1].body)


def test_roles_given_and_taken_are_logged_and_told_by_letter(
    administrator: User, registrant: User
) -> None:
    for is_given in (True, False):
        change_role(registrant, Role.REGISTRAR, is_given=is_given, actor=administrator)

    lines = registrant.account_events.order_by("pk").values_list("kind", "detail", "actor")
    assert list(lines) == [
        (AccountEventKind.ROLE_GIVEN, "registrar", administrator.pk),
        (AccountEventKind.ROLE_TAKEN, "registrar", administrator.pk),
    ]
    assert subjects() == [subject_of("roles_changed")] * 2
    assert "“registrar”" in str(mail.outbox[0].body)


def test_log_tells_its_owner_who_came_from_which_network(registrant: User) -> None:
    Client(REMOTE_ADDR=ELSEWHERE).post(
        "/accounts/sign-in/", {"login": registrant.email, "password": "wrong"}
    )
    client = signed_in(registrant)
    change_password(client)

    said = text_of(client.get("/account/log/"))

    assert kinds_of(registrant) == ["sign_in_failed", "signed_in", "password_changed"]
    assert "A sign-in failed" in said
    assert "from 198.51.100.0/24" in said
    assert ELSEWHERE not in said
    kept = {*AccountEvent.objects.values_list("network", flat=True)}
    assert kept == {"192.0.2.0/24", "198.51.100.0/24"}
    assert registrant.usersession_set.get().ip == "192.0.2.0"


def test_nobody_reads_the_log_of_another(registrant: User, outsider: User) -> None:
    record_account_event(registrant, AccountEventKind.TOKEN_MADE, detail="very own token")

    assert "very own token" in text_of(signed_in(registrant).get("/account/log/"))
    assert "very own token" not in text_of(signed_in(outsider).get("/account/log/"))


def test_flood_of_failures_fills_no_table(registrant: User) -> None:
    for _time in range(MAX_LOGGED_FAILURES_PER_DAY + 5):
        record_account_event(registrant, AccountEventKind.SIGN_IN_FAILED)

    assert registrant.account_events.count() == MAX_LOGGED_FAILURES_PER_DAY


def test_log_is_forgotten_after_its_own_time(settings: Settings, registrant: User) -> None:
    settings.REGISTRY_ACCOUNT_LOG_DAYS = 30
    for days in (10, 40):
        record_account_event(registrant, AccountEventKind.SIGNED_IN, detail=f"{days}")
        AccountEvent.objects.filter(detail=f"{days}").update(
            at=timezone.now() - datetime.timedelta(days)
        )

    forgotten = delete_old_account_events(timezone.now())

    assert forgotten == 1
    assert [line.detail for line in registrant.account_events.all()] == ["10"]


def test_passwords_are_changed_and_sessions_ended_in_one_place_by_administrators_too(
    administrator: User,
) -> None:
    client, shown = Client(), make_token(administrator)
    client.force_login(administrator)
    said = {
        "old_password": PASSWORD,
        "new_password1": NEW_PASSWORD,
        "new_password2": NEW_PASSWORD,
    }

    changed = client.post("/admin/password_change/", said)
    left = client.post("/admin/logout/")

    assert changed.headers["Location"] == "/accounts/password/change/"
    assert left.headers["Location"] == "/accounts/sign-out/"
    administrator.refresh_from_db()
    assert administrator.check_password(PASSWORD)
    assert is_token_good(shown)


def test_administrators_end_sessions_and_tokens_of_others(
    administrator: User, registrant: User, sign_in: Callable[[User], Client]
) -> None:
    there, token = signed_in(registrant), make_token(registrant)
    chosen = {"action": "end_access", "_selected_action": [str(registrant.pk)]}

    sign_in(administrator).post("/admin/registry/user/", chosen)

    assert not is_signed_in(there)
    assert not is_token_good(token)
    assert registrant.account_events.filter(kind="sessions_ended", actor=administrator).exists()


@pytest.fixture
def breached(tmp_path: Path, settings: Settings) -> list[str]:
    """Passwords in a file like that of Have I Been Pwned, sorted by digest."""
    known = [f"{word} {word} kelp viola" for word in ("dune", "moss", "fern", "reed", "sedge")]
    digests = sorted((hashlib.sha1(each.encode()).hexdigest().upper(), each) for each in known)
    file = tmp_path / "breached.txt"
    lines = (f"{digest}:{7**place}\r\n" for place, (digest, _each) in enumerate(digests))
    file.write_text("".join(lines), "ascii", newline="")
    settings.REGISTRY_BREACHED_PASSWORDS = str(file)
    return [each for _digest, each in digests]


def test_breached_passwords_are_refused_and_all_others_taken(
    breached: list[str], registrant: User
) -> None:
    for password in breached:
        with pytest.raises(ValidationError) as refusal:
            validate_password(password, registrant)
        assert [error.code for error in refusal.value.error_list] == ["password_breached"]
        validate_password(f"{password} ocean", registrant)


def test_passwords_that_everybody_takes_are_refused_without_a_file(registrant: User) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("1qaz2wsx3edc", registrant)

    assert "password_too_common" in [error.code for error in refused.value.error_list]
