"""The first hour: an account that can sign in, and roles for others, without mail or a page."""

from __future__ import annotations

import datetime
import io

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from registry import journal
from registry.enums import AccountEventKind, Role
from registry.models import AccountEvent, Event, Letter, User
from registry.scheduler import tick
from registry.selectors.experts import map_expert_days
from tests.factories import PASSWORD, UserFactory
from tools.sign_in import sign_in

pytestmark = pytest.mark.django_db


def grant(*words: str) -> str:
    """Call the command and return its output."""
    said = io.StringIO()
    call_command("grant_role", *words, stdout=said)
    return said.getvalue()


def create_superuser(monkeypatch: pytest.MonkeyPatch) -> User:
    """Create the first account as at a terminal without prompts."""
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    given = ["--noinput", "--email", "Root@people.example", "--name", "Rut Root"]
    call_command("createsuperuser", *given, stdout=io.StringIO())
    return User.objects.get(email__iexact="root@people.example")


def test_first_account_enters_the_administration_with_a_second_factor_and_no_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root, client = create_superuser(monkeypatch), Client()

    client.post("/accounts/sign-in/", {"login": "root@people.example", "password": PASSWORD})

    assert client.session["_auth_user_id"] == str(root.pk)
    assert client.get("/admin/").status_code == 403
    sign_in(client, root)
    assert client.get("/admin/").status_code == 200
    assert EmailAddress.objects.filter(user=root, verified=True, primary=True).count() == 1


def test_other_accounts_are_made_unconfirmed() -> None:
    person = User.objects.create_user("somebody@people.example", PASSWORD)

    assert not EmailAddress.objects.filter(user=person).exists()


@pytest.mark.parametrize("role", Role)
def test_each_role_is_granted_and_stands_in_the_journal(role: Role) -> None:
    person = UserFactory.create(name="Nora New")

    said = grant(person.email.upper(), role.value.title())

    line = Event.objects.latest("number")
    assert User.objects.get(pk=person.pk).granted_roles == {role}
    assert said == f"{person.email} is {role.value} now. Line {line.number} of the journal.\n"
    assert (line.verb, line.actor, line.actor_name) == (
        "admin.change",
        None,
        "The operator",
    )
    assert line.data["account_id"] == person.pk
    assert line.data["changed"]["groups"] == {"from": [], "to": [role.value]}
    assert list(journal.verify()) == []


def test_granted_role_is_told_by_letter_and_account_log() -> None:
    person = UserFactory.create()

    grant(person.email, Role.REGISTRAR)

    letter = Letter.objects.get(address=person.email)
    assert f"“{Role.REGISTRAR}”" in letter.text
    line = AccountEvent.objects.get(user=person)
    assert (line.kind, line.detail) == (AccountEventKind.ROLE_GIVEN, Role.REGISTRAR)


def test_unquoted_role_of_two_words_is_one_role() -> None:
    person = UserFactory.create()

    grant(person.email, "designated", "expert")
    grant(person.email, "lead-expert")

    assert User.objects.get(pk=person.pk).granted_roles == {Role.EXPERT, Role.LEAD}
    assert Event.objects.latest("number").data["changed"]["groups"]["from"] == [Role.EXPERT]


def test_line_reads_as_that_of_the_administration_does() -> None:
    superuser = User.objects.create_superuser("root@people.example", PASSWORD, name="Rut Root")
    here, there = UserFactory.create(name="Here"), UserFactory.create(name="There")
    client = Client()
    sign_in(client, superuser)
    registrar = Role.REGISTRAR

    grant(here.email, registrar)
    form = {"email": there.email, "name": there.name, "is_active": "on"}
    group = here.groups.get()
    answer = client.post(f"/admin/registry/user/{there.pk}/change/", form | {"groups": [group.pk]})
    tick(timezone.now() + datetime.timedelta(hours=25))

    by_command, by_page = Event.objects.order_by("number").filter(verb="admin.change")
    assert answer.status_code == 302
    assert by_command.data["changed"] == by_page.data["changed"]
    assert by_command.data.keys() == by_page.data.keys()


def test_history_of_experts_knows_who_was_made_one_by_the_command() -> None:
    person = UserFactory.create()

    grant(person.email, Role.EXPERT)

    assert list(map_expert_days([person.pk])) == [person.pk]


def test_administrator_may_enter_the_administration() -> None:
    person, client = UserFactory.create(), Client()
    client.force_login(person)
    before = client.get("/admin/").status_code

    grant(person.email, Role.ADMINISTRATOR)
    sign_in(client, User.objects.get(pk=person.pk))

    assert (before, client.get("/admin/").status_code) == (403, 200)
    changed = Event.objects.latest("number").data["changed"]
    assert changed["is_staff"] == {"from": False, "to": True}


@pytest.mark.parametrize(
    ("address", "role", "reason"),
    [
        ("nobody@people.example", "registrar", "There is no account with the address"),
        ("held@people.example", "registrar", "already holds the role “registrar”"),
        ("off@people.example", "registrar", "is disabled"),
        ("held@people.example", "king", "The roles are: designated expert, lead expert, "),
    ],
)
def test_refused_role_says_why_and_leaves_no_line(address: str, role: str, reason: str) -> None:
    UserFactory.create(email="held@people.example", roles=[Role.REGISTRAR])
    UserFactory.create(email="off@people.example", is_active=False)
    before = Event.objects.count()

    with pytest.raises(CommandError, match=reason):
        grant(address, role)

    assert Event.objects.count() == before
    assert not User.objects.get(email="off@people.example").groups.exists()
