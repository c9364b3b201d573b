"""A person's own data: downloaded as a file, deleted if unused, and deleted in time."""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import models
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry.actions import discussion
from registry.actions.own_data import (
    OWN_COLUMNS,
    DeletionRefused,
    collect_own_data,
    delete_old_invitations,
    delete_old_letters,
    delete_unused_account,
    iterate_mentions,
)
from registry.actions.roles import change_role
from registry.enums import END_STATES, LIVE_STATES, LetterReason, Role, State
from registry.models import Follow, Invitation, Letter, RegistrationRequest, Token, User, Webhook
from registry.scheduler import tick
from tests.factories import (
    NamespaceFactory,
    UserFactory,
    let_speak_for,
)
from tests.letters import send_account_letters
from tests.web.pages import error_codes, text_of
from tools.sign_in import TOTP_SECRET, give_factor, record_sign_in

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
LONG_AGO = datetime.timedelta(400)
WORDS = "A question of mine about the purpose."


def download(client: Client) -> dict[str, Any]:
    answer = client.get("/account/data/file/")
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.content)
    return found


# As a file.


def test_file_has_what_a_person_wrote_and_what_is_kept_of_them(
    in_review: RegistrationRequest, outsider: User, sign_in: SignIn
) -> None:
    discussion.add_comment(in_review, author=outsider, text=WORDS, key=uuid.uuid4())
    Follow.objects.create(person=outsider, nid="isbn", since=timezone.now())

    answer = sign_in(outsider).get("/account/data/file/")

    found = json.loads(answer.content)
    assert found["account"]["mail address"] == outsider.email
    assert [each["text"] for each in found["rows"]["registry.message.author"]] == [WORDS]
    assert [each["nid"] for each in found["rows"]["registry.follow.person"]] == ["isbn"]
    assert found["rows"]["account.emailaddress.user"][0]["email"] == outsider.email
    assert answer.headers["Content-Disposition"] == 'attachment; filename="own-data.json"'
    assert "no-store" in answer.headers["Cache-Control"]


def test_file_has_nothing_that_opens_the_account_and_nothing_of_others(
    in_review: RegistrationRequest, outsider: User, registrant: User, sign_in: SignIn
) -> None:
    give_factor(outsider)
    token, shown = Token.objects.create(user=outsider, name="laptop", form_key=uuid.uuid4())
    hook = Webhook.objects.create(
        owner=outsider,
        name="Mirror",
        url="https://program.example/",
        topic="requests",
        made_at=timezone.now(),
        form_key=uuid.uuid4(),
    )
    discussion.add_comment(in_review, author=registrant, text="Of another.", key=uuid.uuid4())

    text = json.dumps(download(sign_in(outsider)))

    assert "laptop" in text
    assert "Mirror" in text
    secrets = (shown, token.digest, hook.secret, outsider.password, TOTP_SECRET)
    assert [each for each in secrets if each in text] == []
    assert "Of another." not in text
    assert registrant.email not in text


def test_file_is_given_only_after_a_recent_authentication(outsider: User, sign_in: SignIn) -> None:
    client = sign_in(outsider)
    record_sign_in(client, outsider, ago=3000)

    answer = client.get("/account/data/file/")

    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert Client().get("/account/data/file/").status_code == 302


def test_rows_that_name_a_person_are_given_or_counted_without_secrets() -> None:
    fields = dict(iterate_mentions())
    given = {column for columns in OWN_COLUMNS.values() for column in columns}

    assert OWN_COLUMNS.keys() <= fields.keys()
    assert given & {"key", "secret", "digest", "code", "data", "session_key", "token_key"} == set()


def test_rows_of_others_that_name_a_person_are_counted(
    in_review: RegistrationRequest, outsider: User, lead: User
) -> None:
    discussion.add_comment(in_review, author=outsider, text=WORDS, key=uuid.uuid4())
    in_review.messages.update(hidden_by=lead, hidden_at=timezone.now(), hidden_reason="Off topic.")

    found = collect_own_data(lead)

    assert found["named in"]["registry.message.hidden_by"] == 1
    assert WORDS not in json.dumps(found, default=str)


# Deleted, if nothing was done.


def test_account_that_never_acted_is_deleted_by_its_owner(sign_in: SignIn) -> None:
    person = UserFactory.create(name="Nele Never")
    client = sign_in(person)
    client.get("/account/requests/")
    Token.objects.create(user=person, name="laptop", form_key=uuid.uuid4())

    answer = client.post("/account/data/", {"address": person.email.upper()})

    assert answer.headers["Location"] == "/"
    assert not User.objects.filter(pk=person.pk).exists()
    assert not Token.objects.exists()
    assert client.get("/account/").status_code == 302
    send_account_letters()
    assert [letter.to for letter in mail.outbox] == [[person.email]]
    assert "account was deleted" in mail.outbox[0].subject


def test_wrong_address_deletes_nothing(sign_in: SignIn, outsider: User) -> None:
    client = sign_in(outsider)

    page = client.post("/account/data/", {"address": "other@people.example"})

    assert error_codes(page, "address") == ["other"]
    assert User.objects.filter(pk=outsider.pk).exists()


def test_deletion_asks_to_authenticate_again(sign_in: SignIn, outsider: User) -> None:
    client = sign_in(outsider)
    record_sign_in(client, outsider, ago=3000)

    answer = client.post("/account/data/", {"address": outsider.email})

    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert User.objects.filter(pk=outsider.pk).exists()


def comment(person: User, asked: RegistrationRequest) -> None:
    discussion.add_comment(asked, author=person, text=WORDS, key=uuid.uuid4())


def hold_a_role(person: User, _asked: RegistrationRequest) -> None:
    change_role(person, Role.EXPERT, is_given=True, actor=None)


def have_held_a_role(person: User, asked: RegistrationRequest) -> None:
    hold_a_role(person, asked)
    change_role(person, Role.EXPERT, is_given=False, actor=None)


def speak_for_a_body(person: User, asked: RegistrationRequest) -> None:
    let_speak_for(asked.organization, person)


def write_with_others(person: User, asked: RegistrationRequest) -> None:
    asked.co_editors.add(person)


@pytest.mark.parametrize(
    "act", [comment, hold_a_role, have_held_a_role, speak_for_a_body, write_with_others]
)
def test_account_that_did_or_holds_something_stays(
    act: Callable[[User, RegistrationRequest], None],
    in_review: RegistrationRequest,
    outsider: User,
    sign_in: SignIn,
) -> None:
    act(outsider, in_review)

    with pytest.raises(DeletionRefused):
        delete_unused_account(outsider)
    page = sign_in(outsider).get("/account/data/")

    assert "Delete the account" in text_of(page)
    assert b'name="address"' not in page.content
    assert User.objects.filter(pk=outsider.pk, emailaddress__email=outsider.email).exists()
    assert not Letter.objects.filter(subject__contains="was deleted").exists()


def test_rows_of_acts_protect_the_account_in_the_database() -> None:
    """A new table that names actors without protecting them would go unnoticed; these may."""
    free = {
        name
        for name, field in iterate_mentions()
        if isinstance(field, models.ForeignKey) and field.remote_field.on_delete != models.PROTECT
    }

    assert free == {
        "account.emailaddress.user",
        "admin.logentry.user",
        "mfa.authenticator.user",
        "registry.absence.expert",
        "registry.accountevent.actor",
        "registry.accountevent.user",
        "registry.follow.person",
        "registry.idempotencyrecord.person",
        "registry.letter.recipient",
        "registry.officerchange.person",
        "registry.pendingcomment.author",
        "registry.readmarker.person",
        "registry.signinsource.user",
        "registry.token.user",
        "registry.webhook.owner",
        "socialaccount.socialaccount.user",
        "usersessions.usersession.user",
    }


def test_command_deletes_accounts_that_never_acted_and_refuses_others(
    in_review: RegistrationRequest, registrant: User, outsider: User
) -> None:
    call_command("delete_account", outsider.email.upper(), verbosity=0)

    assert not User.objects.filter(pk=outsider.pk).exists()
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_account", registrant.email)
    with pytest.raises(CommandError, match=outsider.email):
        call_command("delete_account", outsider.email)


# Deleted in time.


def write_letter(about: RegistrationRequest | None, *, sent: datetime.datetime | None) -> Letter:
    return Letter.objects.create(
        key=uuid.uuid4().hex,
        address="reader@people.example",
        reason=LetterReason.ACCOUNT,
        registration_request=about,
        subject="Something",
        text="Something happened.",
        written_at=timezone.now() - LONG_AGO,
        sent_at=sent,
    )


def test_letters_are_deleted_a_year_after_they_were_sent(settings: Settings) -> None:
    settings.REGISTRY_LETTER_DAYS = 365
    now = timezone.now()
    write_letter(None, sent=now - LONG_AGO)
    waiting, fresh = write_letter(None, sent=None), write_letter(None, sent=now)

    forgotten = delete_old_letters(now)

    assert forgotten == 1
    assert {*Letter.objects.all()} == {waiting, fresh}


@pytest.mark.parametrize("state", State)
def test_letters_about_a_request_stay_while_it_is_open(
    state: State, in_review: RegistrationRequest
) -> None:
    namespace = NamespaceFactory.create() if state == State.REGISTERED else None
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state=state, namespace=namespace)
    Letter.objects.all().delete()
    write_letter(in_review, sent=timezone.now() - LONG_AGO)

    delete_old_letters(timezone.now())

    assert Letter.objects.exists() == (state in LIVE_STATES)
    assert (state in LIVE_STATES) == (state not in END_STATES)


def test_letters_to_the_list_stay(in_review: RegistrationRequest) -> None:
    sent = in_review.rounds.get()
    Letter.objects.filter(round=sent).delete()
    letter = write_letter(None, sent=timezone.now() - LONG_AGO)
    Letter.objects.filter(pk=letter.pk).update(round=sent)

    assert delete_old_letters(timezone.now()) == 0


def test_invitations_that_nobody_followed_are_deleted_by_the_scheduler(
    in_review: RegistrationRequest, registrant: User, outsider: User, settings: Settings
) -> None:
    settings.REGISTRY_LETTER_DAYS, settings.REGISTRY_INVITATION_DAYS = 365, 14
    for address, joined_by, days in (
        ("never@people.example", None, 400),
        ("lately@people.example", None, 370),
        (outsider.email, outsider, 400),
    ):
        Invitation.objects.create(
            registration_request=in_review,
            address=address,
            invited_by=registrant,
            invited_at=timezone.now() - datetime.timedelta(days),
            joined_by=joined_by,
            closed_at=timezone.now() if joined_by else None,
        )

    tick(timezone.now())

    kept = {*Invitation.objects.values_list("address", flat=True)}
    assert kept == {"lately@people.example", outsider.email}
    assert delete_old_invitations(timezone.now()) == 0
