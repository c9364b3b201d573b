"""The account log has a line for whatever happens to an account, whoever does it."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from registry.actions.bans import ban_account
from registry.enums import AccountEventKind, LetterReason, Role, TokenScope
from registry.models import AccountEvent, Letter, OfficerChange, Token, User
from registry.rate_limits import FACTOR_LIMITS
from registry.scheduler import tick
from tests.factories import PASSWORD
from tests.letters import go_on_from_reset_link
from tests.notifications.test_bounces import write_report
from tests.sign_in import make_totp_code
from tests.web.test_elsewhere import sign_in_elsewhere
from tests.web.test_second_factor import set_up_app

pytestmark = pytest.mark.django_db

HERE, NETWORK = "192.0.2.77", "192.0.2.0/24"
NEW_PASSWORD: Final = "otter gravel sonnet twelve"
OTHER: Final = "other@people.example"


@dataclass
class World:
    """Somebody without a role, an officer with a second factor, and who may change accounts."""

    person: User
    officer: User
    administrator: User
    fixture: Callable[[str], Any]

    def client(self, user: User | None = None) -> Client:
        """Return a browser in a known network, in which somebody may be signed in."""
        client = Client(REMOTE_ADDR=HERE)
        if user is not None:
            client.force_login(user)
        return client


@dataclass(frozen=True)
class Line:
    """What a line of the log says, apart from its kind."""

    user: User | None
    actor: User | None = None
    network: str = NETWORK
    detail: str = ""


Act = Callable[[World], list[Line]]
ACTS: dict[AccountEventKind, list[Act]] = {}
"""What leads to each kind of line, at every door, and the lines that result."""


def leads_to(kind: AccountEventKind) -> Callable[[Act], Act]:
    """Add a function to the table."""

    def add(act: Act) -> Act:
        ACTS.setdefault(kind, []).append(act)
        return act

    return add


def enter_password(client: Client, person: User, password: str = PASSWORD) -> Any:
    return client.post("/accounts/sign-in/", {"login": person.email, "password": password})


def change_password(client: Client) -> None:
    said = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    client.post("/accounts/password/change/", said)


def change_address(client: Client, act: str) -> None:
    client.post("/accounts/email/", {"email": OTHER, act: "1"})


def add_address(person: User) -> None:
    EmailAddress.objects.create(user=person, email=OTHER, verified=True)


def edit_account(world: World, **changes: Any) -> None:
    """Save the page of an account in the administration."""
    person = world.person
    said = {"email": person.email, "name": person.name, "is_active": "on", **changes}
    path = f"/admin/registry/user/{person.pk}/change/"
    answer = world.client(world.administrator).post(path, said)
    assert answer.status_code == 302


def choose_action(world: World, action: str, reason: str = "") -> None:
    """Do something to an account in the administration's list."""
    said = {"action": action, "reason": reason, ACTION_CHECKBOX_NAME: [world.person.pk]}
    world.client(world.administrator).post("/admin/registry/user/", said)


def give_token(person: User) -> Token:
    made: tuple[Token, str] = Token.objects.create(
        user=person, name="a program", form_key=uuid.uuid4()
    )
    return made[0]


@leads_to(AccountEventKind.SIGNED_IN)
def sign_in_with_a_password(world: World) -> list[Line]:
    enter_password(world.client(), world.person)
    return [Line(world.person, detail="password")]


@leads_to(AccountEventKind.SIGNED_IN)
def sign_in_with_a_second_factor(world: World) -> list[Line]:
    client = world.client()
    enter_password(client, world.officer)
    client.post("/accounts/factors/authenticate/", {"code": make_totp_code()})
    return [Line(world.officer, detail="password, totp")]


@leads_to(AccountEventKind.SIGN_IN_FAILED)
def enter_a_wrong_password(world: World) -> list[Line]:
    enter_password(world.client(), world.person, "wrong")
    return [Line(world.person)]


@leads_to(AccountEventKind.SIGN_IN_FAILED)
def enter_an_address_without_an_account(world: World) -> list[Line]:
    said = {"login": "nobody@people.example", "password": PASSWORD}
    world.client().post("/accounts/sign-in/", said)
    return [Line(None)]


@leads_to(AccountEventKind.LOCKED)
def enter_too_many_wrong_passwords(world: World) -> list[Line]:
    for _time in range(11):
        enter_password(world.client(), world.person, "wrong")
    return [Line(world.person)]


@leads_to(AccountEventKind.LOCKED)
def enter_a_right_password_where_one_is_unknown_after_many_wrong_ones(world: World) -> list[Line]:
    for n in range(10):
        client = Client(REMOTE_ADDR=f"203.0.113.{n}")
        enter_password(client, world.person, "wrong")
    enter_password(world.client(), world.person)
    return [Line(world.person)]


@leads_to(AccountEventKind.LOCKED)
def enter_too_many_wrong_codes(world: World) -> list[Line]:
    client = world.client()
    enter_password(client, world.officer)
    for _time in range(FACTOR_LIMITS[0][0]):
        client.post("/accounts/factors/authenticate/", {"code": "abcdef"})
    return [Line(world.officer)]


@leads_to(AccountEventKind.REAUTHENTICATED)
def confirm_with_a_factor(world: World) -> list[Line]:
    client = world.client(world.officer)
    client.post("/accounts/factors/reauthenticate/", {"code": make_totp_code()})
    return [Line(world.officer)]


@leads_to(AccountEventKind.REAUTHENTICATED)
def confirm_with_a_recovery_code(world: World) -> list[Line]:
    [code, *_others] = RecoveryCodes.activate(world.officer).get_unused_codes()
    client = world.client(world.officer)
    client.post("/accounts/factors/reauthenticate/", {"code": code})
    return [Line(world.officer)]


@leads_to(AccountEventKind.REAUTHENTICATED)
def confirm_with_a_password(world: World) -> list[Line]:
    world.client(world.person).post("/accounts/reauthenticate/", {"password": PASSWORD})
    return [Line(world.person)]


@leads_to(AccountEventKind.REAUTHENTICATED)
def confirm_with_a_letter(world: World) -> list[Line]:
    client = world.client(world.person)
    client.post("/account/confirm/", {"send": "1"})
    [code] = re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", Letter.objects.latest("pk").text)
    client.post("/account/confirm/", {"code": code})
    return [Line(world.person)]


@leads_to(AccountEventKind.SESSION_EXPIRED)
def come_back_too_late(world: World) -> list[Line]:
    client = world.client(world.person)
    client.get("/account/requests/")
    with time_machine.travel(timezone.now() + datetime.timedelta(days=8)):
        client.get("/account/requests/")
    return [Line(world.person)]


@leads_to(AccountEventKind.SESSIONS_ENDED)
def end_other_sessions(world: World) -> list[Line]:
    world.client(world.person).post("/account/sessions/", {"session": "others"})
    return [Line(world.person)]


@leads_to(AccountEventKind.SESSIONS_ENDED)
def end_the_sessions_of_another(world: World) -> list[Line]:
    choose_action(world, "end_access")
    return [Line(world.person, world.administrator)]


@leads_to(AccountEventKind.PASSWORD_CHANGED)
def choose_a_new_password(world: World) -> list[Line]:
    change_password(world.client(world.person))
    return [Line(world.person)]


@leads_to(AccountEventKind.PASSWORD_CHANGED)
def choose_a_new_password_by_letter(world: World) -> list[Line]:
    client = world.client()
    client.post("/accounts/password/reset/", {"email": world.person.email})
    [path] = re.findall(r"https?://[^/\s]+(\S+)", Letter.objects.latest("pk").text)
    form = go_on_from_reset_link(client, path)
    client.post(form, dict.fromkeys(("password1", "password2"), NEW_PASSWORD))
    return [Line(world.person)]


@leads_to(AccountEventKind.RESET_LINK_USED)
def go_on_from_the_link_of_a_letter(world: World) -> list[Line]:
    client = world.client()
    client.post("/accounts/password/reset/", {"email": world.person.email})
    [path] = re.findall(r"https?://[^/\s]+(\S+)", Letter.objects.latest("pk").text)
    go_on_from_reset_link(client, path)
    return [Line(world.person)]


@leads_to(AccountEventKind.PASSWORD_CHANGED)
def have_the_operator_set_a_password(world: World) -> list[Line]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("getpass.getpass", lambda **asked: NEW_PASSWORD)
        call_command("changepassword", world.person.email, verbosity=0)
    return [Line(world.person, network="", detail="changepassword")]


@leads_to(AccountEventKind.ADDRESS_ADDED)
def add_an_address(world: World) -> list[Line]:
    change_address(world.client(world.person), "action_add")
    return [Line(world.person)]


@leads_to(AccountEventKind.ADDRESS_CHANGED)
def choose_another_main_address(world: World) -> list[Line]:
    add_address(world.person)
    change_address(world.client(world.person), "action_primary")
    return [Line(world.person)]


@leads_to(AccountEventKind.ADDRESS_CHANGED)
def change_the_address_of_another(world: World) -> list[Line]:
    edit_account(world, email=OTHER)
    return [Line(world.person, world.administrator)]


@leads_to(AccountEventKind.ADDRESS_REMOVED)
def remove_an_address(world: World) -> list[Line]:
    add_address(world.person)
    change_address(world.client(world.person), "action_remove")
    return [Line(world.person)]


@leads_to(AccountEventKind.FACTOR_ADDED)
def add_an_app(world: World) -> list[Line]:
    set_up_app(world.client(world.person))
    return [Line(world.person)]


@leads_to(AccountEventKind.FACTOR_REMOVED)
def remove_an_app(world: World) -> list[Line]:
    world.client(world.officer).post("/accounts/factors/totp/deactivate/")
    return [Line(world.officer)]


@leads_to(AccountEventKind.FACTOR_FAILED)
def enter_a_wrong_code(world: World) -> list[Line]:
    client = world.client()
    enter_password(client, world.officer)
    client.post("/accounts/factors/authenticate/", {"code": "abcdef"})
    return [Line(world.officer)]


@leads_to(AccountEventKind.FACTOR_FAILED)
def confirm_with_a_wrong_code(world: World) -> list[Line]:
    client = world.client(world.officer)
    client.post("/accounts/factors/reauthenticate/", {"code": "abcdef"})
    return [Line(world.officer)]


@leads_to(AccountEventKind.CODES_MADE)
def make_new_recovery_codes(world: World) -> list[Line]:
    RecoveryCodes.activate(world.officer)
    world.client(world.officer).post("/accounts/factors/recovery-codes/generate/")
    return [Line(world.officer)]


@leads_to(AccountEventKind.CHANGE_ANNOUNCED)
def announce_a_reset(world: World) -> list[Line]:
    call_command("reset_factor", world.officer.email)
    return [Line(world.officer, network="", detail="Reset a second factor")]


@leads_to(AccountEventKind.CHANGE_STOPPED)
def stop_a_reset(world: World) -> list[Line]:
    call_command("reset_factor", world.officer.email)
    key = OfficerChange.objects.get().key
    world.client().post(f"/officers/stop/{key}/", {"reason": "I did not ask."})
    return [Line(world.officer, detail="Reset a second factor")]


@leads_to(AccountEventKind.RESET_DONE)
def let_a_reset_happen(world: World) -> list[Line]:
    call_command("reset_factor", world.officer.email)
    tick(timezone.now() + datetime.timedelta(hours=25))
    return [Line(world.officer, network="")]


@leads_to(AccountEventKind.TOKEN_MADE)
def make_a_token(world: World) -> list[Line]:
    said = {"name": "a program", "days": "30", "key": uuid.uuid4(), "scopes": [TokenScope.READ]}
    world.client(world.person).post("/account/tokens/", said)
    return [Line(world.person, detail="a program")]


@leads_to(AccountEventKind.TOKEN_REVOKED)
def revoke_a_token(world: World) -> list[Line]:
    token = give_token(world.person)
    world.client(world.person).post(f"/account/tokens/{token.form_key}/revoke/")
    return [Line(world.person, detail="a program")]


@leads_to(AccountEventKind.TOKENS_ENDED)
def end_tokens_with_the_password(world: World) -> list[Line]:
    give_token(world.person)
    change_password(world.client(world.person))
    return [Line(world.person, detail="Password changed")]


@leads_to(AccountEventKind.TOKENS_ENDED)
def end_the_tokens_of_another(world: World) -> list[Line]:
    give_token(world.person)
    choose_action(world, "end_access")
    return [Line(world.person, world.administrator)]


@leads_to(AccountEventKind.TOKENS_ENDED)
def end_tokens_with_the_address_of_another(world: World) -> list[Line]:
    give_token(world.person)
    edit_account(world, email=OTHER)
    return [Line(world.person, world.administrator)]


@leads_to(AccountEventKind.TOKENS_ENDED)
def end_tokens_with_a_ban(world: World) -> list[Line]:
    give_token(world.person)
    choose_action(world, "ban", "It sold seeds.")
    return [Line(world.person, world.administrator, detail="It sold seeds.")]


@leads_to(AccountEventKind.ROLE_GIVEN)
def give_a_role(world: World) -> list[Line]:
    edit_account(world, groups=Group.objects.get(name=Role.REGISTRAR).pk)
    tick(timezone.now() + datetime.timedelta(hours=25))
    return [Line(world.person, world.administrator, network="", detail=Role.REGISTRAR)]


@leads_to(AccountEventKind.ROLE_GIVEN)
def give_a_role_by_command(world: World) -> list[Line]:
    call_command("grant_role", world.person.email, "registrar")
    return [Line(world.person, network="", detail=Role.REGISTRAR)]


@leads_to(AccountEventKind.ROLE_TAKEN)
def take_a_role(world: World) -> list[Line]:
    world.person.groups.add(Group.objects.get(name=Role.REGISTRAR))
    edit_account(world)
    tick(timezone.now() + datetime.timedelta(hours=25))
    return [Line(world.person, world.administrator, network="", detail=Role.REGISTRAR)]


@leads_to(AccountEventKind.SWITCHED_OFF)
def ban_an_account(world: World) -> list[Line]:
    choose_action(world, "ban", "It sold seeds.")
    return [Line(world.person, world.administrator, detail="It sold seeds.")]


@leads_to(AccountEventKind.SWITCHED_ON)
def lift_a_ban(world: World) -> list[Line]:
    ban_account(world.person, reason="It sold seeds.", actor=world.administrator)
    choose_action(world, "lift", "It was another.")
    return [Line(world.person, world.administrator, detail="It was another.")]


@leads_to(AccountEventKind.LETTER_BOUNCED)
def receive_a_returned_letter(world: World) -> list[Line]:
    letter = Letter.objects.create(
        key="one",
        recipient=world.person,
        address=world.person.email,
        reason=LetterReason.NAMED,
        subject="A request",
        text="Look at it.",
        written_at=timezone.now(),
    )
    report = world.fixture("tmp_path") / "report"
    report.write_bytes(write_report(letter))
    call_command("receive_bounce", report)
    address = world.person.email
    answer = f"5.1.1 smtp; 550 5.1.1 <{address}>: Recipient address rejected: User unknown"
    return [Line(world.person, network="", detail=f"{address}: {answer}")]


@leads_to(AccountEventKind.CONNECTED)
def connect_an_account_elsewhere(world: World) -> list[Line]:
    world.fixture("provider")
    sign_in_elsewhere(world.client(world.person), "connect")
    return [Line(world.person)]


@leads_to(AccountEventKind.DISCONNECTED)
def disconnect_an_account_elsewhere(world: World) -> list[Line]:
    world.fixture("provider")
    client = world.client(world.person)
    sign_in_elsewhere(client, "connect")
    account = world.person.socialaccount_set.get()
    client.post("/accounts/elsewhere/", {"account": account.pk})
    return [Line(world.person)]


@pytest.fixture
def world(
    registrant: User, expert: User, administrator: User, request: pytest.FixtureRequest
) -> World:
    return World(registrant, expert, administrator, request.getfixturevalue)


@pytest.mark.parametrize(
    ("kind", "act"),
    [
        pytest.param(kind, act, id=f"{kind}-{act.__name__}")
        for kind, acts in ACTS.items()
        for act in acts
    ],
)
def test_each_act_is_logged_with_its_network_and_whoever_did_it(
    kind: AccountEventKind,
    act: Act,
    world: World,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        expected = act(world)

    lines = AccountEvent.objects.filter(kind=kind).order_by("pk")
    assert [
        Line(line.user, line.actor, network=line.network, detail=line.detail) for line in lines
    ] == expected


def test_every_kind_of_line_has_an_act_that_leads_to_it() -> None:
    assert set(ACTS) == set(AccountEventKind)
