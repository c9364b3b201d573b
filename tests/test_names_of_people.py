"""Nobody appears as somebody else: names hide nothing, and only officers have badges."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from registry.actions import discussion, incoming_mail, remarks
from registry.enums import RemarkWeight
from registry.models import Message, Organization, RegistrationRequest, User
from registry.validators import (
    strip_invisible,
    validate_name,
    validate_name_of_person,
)
from tests.actions.letters import letter
from tests.api.clients import JSON, Program
from tests.factories import PASSWORD, UserFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]

UNSEEN = {
    "direction override": "Rafe\u202e Registrar",
    "isolate": "Rafe \u2066Registrar\u2069",
    "right-to-left mark": "Rafe\u200f Registrar",
    "zero-width blank": "Rafe\u200b Registrar",
    "zero-width joiner": "Rafe\u200d Registrar",
    "byte order mark": "\ufeffRafe Registrar",
    "soft hyphen": "Ra\u00adfe Registrar",
    "line break": "Rafe\nRegistrar",
    "line separator": "Rafe\u2028Registrar",
    "control": "Rafe\u0007 Registrar",
    "no-break blank": "Rafe\u00a0Registrar",
    "tag character": "Rafe Registrar\U000e0041",
    "filler": "Rafe\u3164Registrar",
    "braille blank": "Rafe\u2800Registrar",
    "variation selector": "Rafe\ufe0f Registrar",
    "private character": "Rafe Registrar \uf4d7",
}
unseen = pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
REFUSED = "is an invisible character, a line break or an unusual space."


@unseen
@pytest.mark.parametrize("check", [validate_name, validate_name_of_person])
def test_invisible_character_is_refused_in_a_name(check: Callable[[str], None], name: str) -> None:
    with pytest.raises(ValidationError, match=r"Character \d+ of the name \(U\+"):
        check(name)


@pytest.mark.parametrize(
    "name",
    [
        "Rafe Registrar",
        "Žofie Dvořáková-O’Neill, Jr.",
        "Zoe\u0308 Combining",
        "李小龍",
        "محمد علي",
        "ישראל ישראלי",
        "Станислав Ё.",
        "R2-D2 & Co.",
    ],
)
def test_names_of_all_scripts_are_accepted(name: str) -> None:
    validate_name_of_person(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Mallory [Registrar]", "Square brackets mark the offices"),
        ("The Registry", "This is the name of the registry"),
        ("The  Rеgistry", "This is the name of the registry"),
        ("REGISTRAR", "one of its offices"),
        ("Designated Expert", "one of its offices"),
        ("…", "needs a letter or a digit"),
    ],
)
def test_name_that_reads_like_another_thing_is_refused(name: str, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        validate_name_of_person(name)


TAKEN = {
    "same": "Rafe Registrar",
    "double blank": "Rafe  Registrar",
    "no blank": "RafeRegistrar",
    "capitals": "RAFE REGISTRAR",
    "Cyrillic": "Rаfе Rеgistrar",
    "Greek": "Rafe Registrαr",
    "accent": "Rafé Registrar",
    "digit": "Rafe Reg1strar",
    "full stop": "Rafe Registrar.",
}
taken = pytest.mark.parametrize("name", TAKEN.values(), ids=TAKEN)
TAKEN_WORDS = "This can be taken for the name of an officer of the registry."


@taken
def test_refuse_name_of_officer_knows_what_looks_alike(registrar: User, name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        User.objects.refuse_name_of_officer(name)

    assert refusal.value.code == "name_of_officer"


@pytest.mark.parametrize("name", ["Rafe R. Registrar", "Rafaela Registrar", "Раиса Регистратор"])
def test_refuse_name_of_officer_accepts_what_readers_tell_apart(registrar: User, name: str) -> None:
    User.objects.refuse_name_of_officer(name)


def test_refuse_name_of_officer_leaves_officers_and_unchanged_names_alone(registrar: User) -> None:
    namesake = UserFactory.create(name=registrar.name)

    User.objects.refuse_name_of_officer("Rafe REGISTRAR", registrar)
    User.objects.refuse_name_of_officer(namesake.name, namesake)


def test_refuse_name_of_officer_forgets_who_is_none_any_more(registrar: User) -> None:
    registrar.groups.clear()

    User.objects.refuse_name_of_officer("Rafe Registrar")


# Entry points


@unseen
def test_nobody_signs_up_under_such_a_name(client: Client, name: str) -> None:
    said = {"name": name, "email": "new@people.example", "password1": PASSWORD}

    answer = client.post("/accounts/sign-up/", said)

    assert REFUSED in text_of(answer)
    assert not User.objects.filter(email="new@people.example").exists()


@pytest.mark.parametrize("name", ["Rafe\u202e Registrar", "Olaf [Registrar]"])
def test_nobody_takes_such_a_name_on_the_page_or_by_a_program(
    name: str, outsider: User, sign_in: SignIn
) -> None:
    said = {"name": name, "delivery": "at_once"}
    page = sign_in(outsider).post("/account/", said)
    client = Program.of(outsider).client
    seen = {"if-match": client.get("/api/v1/account/").headers["ETag"]}
    program = client.patch("/api/v1/account/", {"name": name}, JSON, headers=seen)

    outsider.refresh_from_db()
    assert outsider.name == "Olaf Outsider"
    assert page.status_code == 200
    assert (program.status_code, list(program.json()["errors"])) == (400, ["name"])


def test_nobody_signs_up_under_the_name_of_an_officer(client: Client, registrar: User) -> None:
    form = {"name": "RAFE  Registrar", "email": "new@people.example", "password1": PASSWORD}

    answer = client.post("/accounts/sign-up/", form)

    assert TAKEN_WORDS in text_of(answer)
    assert not User.objects.filter(email="new@people.example").exists()


def test_nobody_takes_the_name_of_an_officer_on_the_page_or_by_a_program(
    registrar: User, outsider: User, administrator: User, sign_in: SignIn
) -> None:
    name = "Rаfe Registrar"
    page = sign_in(outsider).post("/account/", {"name": name, "delivery": "at_once"})
    client = Program.of(outsider).client
    headers = {"if-match": client.get("/api/v1/account/").headers["ETag"]}
    program = client.patch("/api/v1/account/", {"name": name}, JSON, headers=headers)
    row = {"email": outsider.email, "name": name, "is_active": "on"}
    admin = sign_in(administrator).post(f"/admin/registry/user/{outsider.pk}/change/", row)

    outsider.refresh_from_db()
    assert outsider.name == "Olaf Outsider"
    assert [TAKEN_WORDS in text_of(answer) for answer in (page, admin)] == [True, True]
    assert (program.status_code, list(program.json()["errors"])) == (400, ["name"])


def test_administrators_give_nobody_such_a_name(
    administrator: User, outsider: User, organization: Organization, sign_in: SignIn
) -> None:
    browser = sign_in(administrator)
    person = {"email": outsider.email, "name": "Rafe\u202e Registrar", "is_active": "on"}
    body = {"name": "North\u200blight"}

    answers = (
        browser.post(f"/admin/registry/user/{outsider.pk}/change/", person),
        browser.post(f"/admin/registry/organization/{organization.pk}/change/", body),
    )

    assert [REFUSED in text_of(answer) for answer in answers] == [True, True]


def test_no_request_is_started_for_a_body_of_such_a_name(registrant: User, sign_in: SignIn) -> None:
    said = {"organization": "North\u200blight Seed Vault Federation"}

    answer = sign_in(registrant).post("/requests/new/", said)

    assert REFUSED in text_of(answer)


def test_letter_to_the_list_loses_what_would_be_refused(in_review: RegistrationRequest) -> None:
    sender = '"Rafe\u202e [Registrar]" <a@elsewhere.example>'
    message = incoming_mail.receive_letter(
        letter(subject=in_review.reference, sender=sender).as_bytes()
    )

    assert isinstance(message, Message)
    assert message.author_name == "Rafe Registrar"
    assert strip_invisible("\u200b[]") == ""


# The badge


def test_officers_carry_a_badge_wherever_public_pages_name_them(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    discussion.add_comment(in_review, author=expert, text="Which codes?", key=uuid.uuid4())
    remarks.add_remark(
        in_review,
        actor=expert,
        round_number=1,
        section="syntax",
        weight=RemarkWeight.MUST_FIX,
        text="Unclear.",
    )

    page = in_review.get_absolute_url()
    thread, history = (text_of(client.get(f"{page}{more}")) for more in ("", "history/"))
    feed = unescape(client.get(f"{page.rstrip('/')}.atom").content.decode())

    badge = "Ede Expert [Designated expert]"
    assert f"Must fix, remark 1 {badge}, " in thread
    assert "Runa Registrant sent" in thread
    assert thread.count(badge) == 3
    assert (history.count(badge), "Runa Registrant sent" in history) == (3, True)
    assert feed.count("<bdi>Ede Expert</bdi> <span") == 3


def test_namesake_of_an_officer_has_no_badge(
    in_review: RegistrationRequest, registrar: User, client: Client
) -> None:
    mallory = UserFactory.create(name="Rafe Registrar")
    for author in (registrar, mallory):
        discussion.add_comment(in_review, author=author, text="Hello.", key=uuid.uuid4())

    page = text_of(client.get(in_review.get_absolute_url()))

    assert page.count("Hello.") == 2
    assert page.count("Rafe Registrar [Registrar]") == 1


def test_badge_goes_with_the_office(
    in_review: RegistrationRequest, registrar: User, client: Client
) -> None:
    discussion.add_comment(in_review, author=registrar, text="Hello.", key=uuid.uuid4())
    before = text_of(client.get(in_review.get_absolute_url()))
    registrar.groups.clear()

    after = text_of(client.get(in_review.get_absolute_url()))
    assert ("[Registrar]" in before, "[Registrar]" in after) == (True, False)


def test_letter_in_the_name_of_an_officer_has_no_badge(
    in_review: RegistrationRequest, registrar: User, client: Client
) -> None:
    sender = f"{registrar.name} <{registrar.email}>"
    incoming_mail.receive_letter(letter(subject=in_review.reference, sender=sender).as_bytes())

    page = text_of(client.get(in_review.get_absolute_url()))

    assert "Rafe Registrar By mail" in page
    assert "[Registrar]" not in page


def test_name_with_marks_of_direction_from_before_moves_nothing_beside_it(
    in_review: RegistrationRequest, outsider: User, client: Client
) -> None:
    User.objects.filter(pk=outsider.pk).update(name="Olaf\u202e")
    outsider.refresh_from_db()
    discussion.add_comment(in_review, author=outsider, text="Hello.", key=uuid.uuid4())

    assert "<bdi>Olaf\u202e</bdi>" in client.get(in_review.get_absolute_url()).content.decode()
