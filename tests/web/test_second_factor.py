"""A role needs a second factor, and some actions require confirming who one is."""

from __future__ import annotations

import datetime
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth.models import Group
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import permissions, workflow
from registry.actions import speakers
from registry.actions.officer_changes import reset_factor
from registry.assurance import Assurance, ConfirmationNeeded, ScopeMissing, acting_with
from registry.demonstration import cast as sample_cast
from registry.enums import Role, State, TokenScope
from registry.models import OfficerChange, Organization, RegistrationRequest, Token, User
from registry.scheduler import tick
from registry.selectors.experts import list_experts
from tests.factories import (
    PASSWORD,
    UserFactory,
    let_speak_for,
)
from tests.letters import go_on_from_reset_link, link_in_last_letter, send_account_letters
from tests.sign_in import ALL_SCOPES, make_totp_code, remove_factors
from tests.web.pages import error_codes, text_of
from tools.sign_in import TOTP_SECRET, record_sign_in

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
OFFICES = {
    Role.EXPERT: "/review/",
    Role.LEAD: "/review/",
    Role.REGISTRAR: "/publish/",
    Role.STANDARDS_BODY: "/direction/",
    Role.ADMINISTRATOR: "/admin/",
}
RESTS = "Your role is inactive until your account has a second factor."


@pytest.fixture(autouse=True)
def unlimited(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False


def make_officer(role: Role, *, with_factor: bool) -> User:
    """Return somebody with a role, with or without a factor."""
    officer = UserFactory.create(roles=[role], is_staff=role == Role.ADMINISTRATOR)
    if not with_factor:
        remove_factors(officer)
    return officer


def enter_password(person: User) -> tuple[Client, Any]:
    """Return a client after sending the sign-in form, and the response."""
    client = Client()
    return client, client.post("/accounts/sign-in/", {"login": person.email, "password": PASSWORD})


def is_signed_in(client: Client) -> bool:
    return client.get("/account/requests/").status_code == 200


def token_of(person: User, scopes: list[str] = ALL_SCOPES) -> dict[str, str]:
    """Return the header with which somebody's program sends a token."""
    _token, shown = Token.objects.create(
        user=person, name="test", form_key=uuid.uuid4(), scopes=scopes
    )
    return {"authorization": f"Token {shown}"}


@pytest.mark.parametrize("role", list(Role), ids=str)
def test_role_without_a_second_factor_opens_no_office(role: Role, sign_in: SignIn) -> None:
    officer = make_officer(role, with_factor=True)
    resting = make_officer(role, with_factor=False)

    opened = sign_in(officer).get(OFFICES[role])
    refused = sign_in(resting).get(OFFICES[role])

    assert opened.status_code == 200
    assert refused.status_code == 403
    assert RESTS in text_of(refused)
    assert permissions.holds_role(officer, role)
    assert not permissions.holds_role(User.objects.get(pk=resting.pk), role)


@pytest.mark.parametrize("scopes", [ALL_SCOPES, ["read", "write"]], ids=["publish", "write"])
def test_token_does_not_act_for_a_suspended_role(
    approved: RegistrationRequest, registrar: User, scopes: list[str]
) -> None:
    remove_factors(registrar)
    headers = token_of(registrar, scopes)
    path = f"/api/v1/requests/{approved.reference}/verbs/register/"

    answer = Client().post(path, {}, "application/json", headers=headers | {"if-match": '"9"'})

    approved.refresh_from_db()
    assert answer.status_code in {403, 412}
    assert approved.state == State.APPROVED


def test_suspended_role_acts_by_no_function(in_review: RegistrationRequest, expert: User) -> None:
    remove_factors(expert)

    with pytest.raises(workflow.ActionRefused, match="is inactive until"):
        workflow.perform(in_review, "approve", actor=expert, comment="Sound.")


def test_superuser_without_a_factor_does_not_enter_the_administration(sign_in: SignIn) -> None:
    root = User.objects.create_superuser("root@people.example", PASSWORD, name="Root")

    refused = sign_in(root).get("/admin/")

    assert refused.status_code == 403
    assert RESTS in text_of(refused)


def test_login_page_of_the_administration_opens_nothing(administrator: User) -> None:
    client = Client()

    client.post("/admin/login/", {"username": administrator.email, "password": PASSWORD})

    assert not is_signed_in(client)


def test_experts_without_a_factor_are_offered_for_no_request(expert: User, lead: User) -> None:
    remove_factors(expert)

    assert list(list_experts()) == [lead]


def test_officer_signs_in_by_password_and_code(expert: User) -> None:
    client, answer = enter_password(expert)
    before = is_signed_in(client)

    client.post("/accounts/factors/authenticate/", {"code": make_totp_code()})

    assert answer.headers["Location"] == "/accounts/factors/authenticate/"
    assert not before
    assert is_signed_in(client)
    line = expert.account_events.get(kind="signed_in")
    assert line.detail == "password, totp"


def test_code_of_a_letter_does_not_replace_the_second_factor(expert: User) -> None:
    client = Client()
    client.post("/accounts/login/code/", {"email": expert.email})
    send_account_letters()
    [code] = re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[-1].body))

    answer = client.post("/accounts/login/code/confirm/", {"code": code})

    assert answer.headers["Location"] == "/accounts/factors/authenticate/"
    assert not is_signed_in(client)


def test_password_reset_does_not_replace_the_second_factor(expert: User) -> None:
    client = Client()
    client.post("/accounts/password/reset/", {"email": expert.email})
    form = go_on_from_reset_link(client, link_in_last_letter(expert.email))

    client.post(form, dict.fromkeys(("password1", "password2"), "otter gravel sonnet twelve"))

    assert not is_signed_in(client)


def test_code_is_good_once_and_wrong_ones_are_logged(expert: User) -> None:
    first, _answer = enter_password(expert)
    code = make_totp_code()
    first.post("/accounts/factors/authenticate/", {"code": code})
    second, _answer = enter_password(expert)

    again = second.post("/accounts/factors/authenticate/", {"code": code})

    assert is_signed_in(first)
    assert not is_signed_in(second)
    assert error_codes(again, "code") == ["incorrect_code"]
    assert expert.account_events.filter(kind="factor_failed").count() == 1


def test_recovery_code_signs_in_once_and_is_not_readable_in_the_database(
    expert: User,
) -> None:
    codes = RecoveryCodes.activate(expert).get_unused_codes()
    first, _answer = enter_password(expert)
    first.post("/accounts/factors/authenticate/", {"code": codes[3]})
    second, _answer = enter_password(expert)

    second.post("/accounts/factors/authenticate/", {"code": codes[3]})

    stored = str(Authenticator.objects.get(user=expert, type="recovery_codes").data)
    assert {len(code) for code in codes} == {8}
    assert is_signed_in(first)
    assert not is_signed_in(second)
    assert [code for code in codes if code in stored] == []
    second.post("/accounts/factors/authenticate/", {"code": codes[4]})
    assert is_signed_in(second)


def test_person_given_a_role_is_led_to_set_up_a_factor(outsider: User) -> None:
    outsider.groups.add(Group.objects.get(name=Role.EXPERT))

    client, answer = enter_password(outsider)

    assert answer.headers["Location"] == "/accounts/factors/"
    assert RESTS in text_of(client.get("/account/requests/"))


def set_up_app(client: Client) -> Any:
    """Set up an authenticator app on its page, and return the response."""
    page = client.get("/accounts/factors/totp/activate/").content.decode()
    found = re.search(r"Secret: <code[^>]*>([A-Z2-7]+)<", page)
    assert found
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.sign_in.TOTP_SECRET", found[1])
        code = make_totp_code()
    return client.post("/accounts/factors/totp/activate/", {"code": code})


@pytest.mark.django_db(transaction=True)
def test_first_factor_ends_what_was_opened_without_one(outsider: User, sign_in: SignIn) -> None:
    outsider.groups.add(Group.objects.get(name=Role.EXPERT))
    here, there, headers = sign_in(outsider), sign_in(outsider), token_of(outsider)
    assert Client().get("/api/v1/namespaces/", headers=headers).status_code == 200

    set_up_app(here)

    assert here.get("/review/").status_code == 200
    assert not is_signed_in(there)
    assert Client().get("/api/v1/namespaces/", headers=headers).status_code == 401
    send_account_letters()
    subjects = [str(letter.subject) for letter in mail.outbox]
    assert any("set up" in subject for subject in subjects)
    shown = text_of(here.get("/accounts/factors/recovery-codes/"))
    assert "shown only once" in shown


def test_secrets_of_factors_are_encrypted_in_the_database(expert: User) -> None:
    kept = Authenticator.objects.get(user=expert).data["secret"]

    assert kept.startswith("box1:")
    assert TOTP_SECRET not in kept


def test_password_is_not_enough_to_change_the_factors_of_an_account(
    expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    record_sign_in(client, expert, ago=3600)

    asked = client.get("/accounts/factors/totp/deactivate/")
    by_password = client.post("/accounts/reauthenticate/", {"password": PASSWORD})

    assert asked.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    assert by_password.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    client.post("/accounts/factors/totp/deactivate/")
    assert Authenticator.objects.filter(user=expert).exists()


@pytest.fixture
def relying_party(settings: Settings) -> str:
    """The domain of passkeys, set, where the site is asked under other names too."""
    settings.REGISTRY_RELYING_PARTY = "passkeys.example"
    settings.ALLOWED_HOSTS = ["testserver", "stranger.example"]
    return "passkeys.example"


@pytest.mark.parametrize("host", ["testserver", "stranger.example"])
def test_new_passkey_belongs_to_the_domain_of_the_settings(
    host: str, relying_party: str, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get("/accounts/factors/webauthn/add/", headers={"host": host})

    [data] = re.findall(r'<script id="passkey_data"[^>]*>(.*?)</script>', page.content.decode())
    assert json.loads(data)["creation_options"]["publicKey"]["rp"]["id"] == relying_party


@pytest.mark.parametrize("host", ["testserver", "stranger.example"])
def test_passkeys_of_the_domain_of_the_settings_sign_in_at_any_host(
    host: str, relying_party: str
) -> None:
    headers = {"host": host, "x-requested-with": "XMLHttpRequest"}

    answer = Client().get("/accounts/factors/webauthn/login/", headers=headers)

    assert answer.json()["request_options"]["publicKey"]["rpId"] == relying_party


# Confirming again, before important actions.


@pytest.fixture
def session() -> Assurance:
    """A session without a recent confirmation."""
    return Assurance(word_at=1.0, factor_at=1.0)


def test_registration_asks_to_authenticate_again_and_goes_on(
    informal_approved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)
    record_sign_in(client, registrar, ago=3600)
    path = f"/publish/{informal_approved.slug}/"
    sent = {
        "verb": "register",
        "references": "Accession names",
        "confirmation": informal_approved.reference,
        "seen": str(informal_approved.revision),
    }

    asked = client.post(path, sent)
    informal_approved.refresh_from_db()
    before = informal_approved.state
    client.post(asked.headers["Location"], {"code": make_totp_code(), "next": path})

    informal_approved.refresh_from_db()
    assert asked.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    assert before == State.APPROVED
    assert informal_approved.state == State.REGISTERED
    assert registrar.account_events.filter(kind="reauthenticated").count() == 1


@pytest.mark.parametrize(
    ("found", "error"),
    [
        (Assurance(word_at=1e12), ConfirmationNeeded),
        (Assurance(factor_at=1.0), ConfirmationNeeded),
        (Assurance(scopes=frozenset({TokenScope.READ, TokenScope.WRITE})), ScopeMissing),
    ],
    ids=["a password alone", "a factor long ago", "a token that writes"],
)
def test_registration_needs_enough_assurance(
    informal_approved: RegistrationRequest,
    registrar: User,
    found: Assurance,
    error: type[Exception],
) -> None:
    with acting_with(lambda: found), pytest.raises(error):
        workflow.perform(informal_approved, "register", actor=registrar)

    informal_approved.refresh_from_db()
    assert informal_approved.state == State.APPROVED


def test_token_that_may_publish_registers(
    informal_approved: RegistrationRequest, registrar: User
) -> None:
    found = Assurance(scopes=frozenset({TokenScope.PUBLISH}))

    with acting_with(lambda: found):
        workflow.perform(informal_approved, "register", actor=registrar)

    assert informal_approved.state == State.REGISTERED


def test_naming_delegates_asks_to_authenticate_again_without_a_factor(
    organization: Organization,
    registrant: User,
    outsider: User,
    sign_in: SignIn,
    session: Assurance,
) -> None:
    let_speak_for(organization, registrant)
    with acting_with(lambda: session), pytest.raises(ConfirmationNeeded):
        speakers.name_speaker(organization, outsider.email, actor=registrant)
    client = sign_in(registrant)
    record_sign_in(client, registrant, ago=3600)
    there = "/account/confirm/?next=/account/"
    client.post(there, {"send": "1"})
    send_account_letters()
    [code] = re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", str(mail.outbox[-1].body))
    wrong = client.post(there, {"code": "AAAA-AAAA"})

    client.post(there, {"code": code.lower()})
    form = {"act": "name", "address": outsider.email}
    client.post(f"/organizations/{organization.pk}/delegates/", form)

    assert list(wrong.context["form"].errors) == ["code"]
    assert organization.speakers.filter(person=outsider).exists()


def test_letter_code_is_no_way_around_a_second_factor(expert: User, sign_in: SignIn) -> None:
    client = sign_in(expert)

    assert client.get("/account/confirm/").status_code == 403
    assert client.post("/account/confirm/", {"send": "1"}).status_code == 403


def test_giving_a_role_asks_to_authenticate_again(
    administrator: User, outsider: User, sign_in: SignIn
) -> None:
    client = sign_in(administrator)
    record_sign_in(client, administrator, ago=3600)
    group = Group.objects.get(name=Role.REGISTRAR)
    sent = {"email": outsider.email, "name": "Olaf", "is_active": "on", "groups": group.pk}

    asked = client.post(f"/admin/registry/user/{outsider.pk}/change/", sent)

    assert asked.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    assert not outsider.groups.exists()


@pytest.mark.parametrize("act", ["action_add", "action_primary", "action_remove"])
def test_changing_addresses_asks_to_authenticate_again(
    act: str, expert: User, sign_in: SignIn
) -> None:
    expert.emailaddress_set.create(email="other@people.example", verified=True)
    client = sign_in(expert)
    record_sign_in(client, expert, ago=3600)
    address = "new@people.example" if act == "action_add" else "other@people.example"

    asked = client.post("/accounts/email/", {"email": address, act: "1"})

    assert asked.headers["Location"].startswith("/accounts/factors/reauthenticate/")
    kept = {(each.email, each.primary) for each in expert.emailaddress_set.all()}
    assert kept == {(expert.email, True), ("other@people.example", False)}


# A lost factor.


def test_lost_factor_is_removed_a_day_after_a_letter(
    expert: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.REGISTRY_OFFICER_CHANGE_MINUTES = 1_440
    client = sign_in(expert)
    call_command("reset_factor", expert.email)
    send_account_letters()
    body = mail.outbox[-1].body

    tick(timezone.now() + datetime.timedelta(hours=23))
    early = Authenticator.objects.filter(user=expert).exists()
    tick(timezone.now() + datetime.timedelta(hours=25))

    assert "loses the second factor" in body
    assert early
    assert not Authenticator.objects.filter(user=expert).exists()
    assert not is_signed_in(client)
    assert not permissions.is_expert(User.objects.get(pk=expert.pk))


def test_removal_of_a_factor_is_stopped_by_the_link_of_the_letter(expert: User) -> None:
    call_command("reset_factor", expert.email)
    path = re.sub(r"https?://[^/]+", "", link_in_last_letter(expert.email))

    page = Client().get(path)
    is_waiting = OfficerChange.objects.waiting().exists()
    Client().post(path, {"reason": "I did not ask."})
    tick(timezone.now() + datetime.timedelta(days=2))

    assert page.status_code == 200
    assert is_waiting
    assert Authenticator.objects.filter(user=expert).exists()


def test_removal_of_a_factor_announced_twice_is_not_put_off(expert: User) -> None:
    first = reset_factor(expert)
    with time_machine.travel(timezone.now() + datetime.timedelta(hours=5)):
        second = reset_factor(expert)

    assert first.asked_at == second.asked_at


def test_reset_refuses_an_account_without_a_factor(outsider: User) -> None:
    with pytest.raises(CommandError, match=outsider.email):
        call_command("reset_factor", outsider.email)

    assert not OfficerChange.objects.exists()


# The demonstration.


def test_demonstration_shows_codes_that_sign_in(settings: Settings, client: Client) -> None:
    settings.DEMONSTRATION = True
    for body in (sample_cast.NORTHLIGHT, sample_cast.SALTMARSH):
        Organization.objects.create(name=body)
    sample_cast.make_cast()
    client.post(
        "/accounts/sign-in/",
        {"login": "registrar@people.example", "password": sample_cast.PASSWORD},
    )
    page = text_of(client.get("/accounts/factors/authenticate/"))
    found = re.search(r"registrar@people\.example (\d{6})", page)
    assert found

    client.post("/accounts/factors/authenticate/", {"code": found[1]})

    assert "Sample codes" in page
    assert client.get("/publish/").status_code == 200


@pytest.mark.parametrize(
    "officer", [each.email for each in sample_cast.CAST if each.role], ids=lambda email: email
)
def test_sample_officers_sign_in_with_the_code_that_is_shown(
    officer: str, settings: Settings, client: Client
) -> None:
    settings.DEMONSTRATION = True
    for body in (sample_cast.NORTHLIGHT, sample_cast.SALTMARSH):
        Organization.objects.create(name=body)
    sample_cast.make_cast()
    client.post("/accounts/sign-in/", {"login": officer, "password": sample_cast.PASSWORD})
    before = is_signed_in(client)
    page = text_of(client.get("/accounts/sign-in/", follow=True))
    codes = dict(re.findall(r"(\S+@\S+) (\d{6})\b", page))

    client.post("/accounts/factors/authenticate/", {"code": codes[officer]})

    assert not before
    assert set(codes) == {each.email for each in sample_cast.CAST if each.role}
    assert is_signed_in(client)


def test_production_shows_no_codes(settings: Settings, client: Client) -> None:
    for body in (sample_cast.NORTHLIGHT, sample_cast.SALTMARSH):
        Organization.objects.create(name=body)
    sample_cast.make_cast()
    settings.DEMONSTRATION = True
    assert "Sample codes" in text_of(client.get("/accounts/sign-in/"))

    settings.DEMONSTRATION = False

    assert "Sample codes" not in text_of(client.get("/accounts/sign-in/"))
