"""A withdrawn name disappears everywhere, and every proof still holds."""

from __future__ import annotations

import io
import json
import uuid

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from lxml import html

from registry import journal, workflow
from registry.actions import discussion, incoming_mail
from registry.actions.withdrawn_names import compile_names
from registry.exchange.backup import BackupExtent, write_backup
from registry.journal.log_worker import build_log
from registry.models import (
    Event,
    IdempotencyRecord,
    Letter,
    Message,
    RegistrationRequest,
    Report,
    User,
)
from registry.transparency.entries import WITHDRAWN_NAME
from registry.transparency.merkle import hash_leaf
from registry.transparency.notes import VerifierKey
from registry.transparency.proof_files import LogProof
from tests.actions.letters import letter

pytestmark = pytest.mark.django_db


@pytest.fixture
def acted(
    mailing_list: str,
    draft: RegistrationRequest,
    registrant: User,
    expert: User,
) -> RegistrationRequest:
    """A request that the registrant sent, and that others wrote and heard about."""
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    assert Letter.objects.filter(text__contains=registrant.name).exists()
    return draft


def find_columns_with(words: set[str]) -> set[str]:
    """Return the columns of the database that contain one of the words in any row."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        for value in model._base_manager.values_list(field.attname, flat=True)
        if isinstance(value, str | dict | list) and any(word in str(value) for word in words)
    }


def forget(person: User) -> str:
    """Withdraw a name; return the command's output."""
    out = io.StringIO()
    call_command("forget", person.email, stdout=out)
    return out.getvalue()


def test_name_goes_from_pages_dumps_and_letters(
    acted: RegistrationRequest, registrant: User
) -> None:
    name, address = registrant.name, registrant.email
    before = Client().get(f"{acted.get_absolute_url()}history/").content.decode()
    assert name in before

    forget(registrant)

    history = Client().get(f"{acted.get_absolute_url()}history/").content.decode()
    assert name not in history
    assert "Name withdrawn" in history
    for extent in BackupExtent:
        dump = b"".join(write_backup(extent)).decode()
        assert name not in dump
        assert address not in dump
    assert not Letter.objects.filter(text__contains=name).exists()
    assert not Letter.objects.filter(address=address).exists()


@pytest.fixture
def known_everywhere(
    approved: RegistrationRequest, registrant: User, registrar: User
) -> RegistrationRequest:
    """A request, and all other places where the registrant's name is stored."""
    registrant.name = "Ünal O'Registrant"
    registrant.save()
    now = timezone.now()
    discussion.add_comment(approved, author=registrant, text="A word of mine.", key=uuid.uuid4())
    Letter.objects.create(
        key="broken-line",
        address=registrar.email,
        subject="A decision",
        text="Told by Ünal\n  O'Registrant, and by nobody else.",
        written_at=now,
    )
    Report.objects.create(
        text="A link leads nowhere.",
        name=registrant.name,
        address=registrant.email,
        author=registrant,
        sent_at=now,
    )
    EmailAddress.objects.create(user=registrant, email="private@people.example", verified=True)
    letter = (
        b'From: "=?utf-8?q?=C3=9Cnal_O=27Registrant?=" <elsewhere@people.example>\r\n'
        b"Subject: %s\r\nMessage-ID: <1@people.example>\r\n\r\nA word by mail."
    )
    mailed = incoming_mail.receive_letter(letter % approved.reference.encode())
    assert isinstance(mailed, Message)
    assert (mailed.author, mailed.author_name) == (None, registrant.name)
    responses = {registrant: {"key": "mine"}, registrar: {"key": "theirs"}}
    for person, facts in responses.items():
        said = {"phrase": "Sent by Ünal O'Registrant", "people": ["private@people.example"]}
        IdempotencyRecord.objects.create(
            person=person, digest="0" * 64, status=200, body=json.dumps(said), **facts
        )
    SocialAccount.objects.create(user=registrant, provider="orcid", uid="0000-0001-2345-6789")
    LogEntry.objects.log_actions(registrar.pk, [registrant], CHANGE, single_object=True)
    return approved


@pytest.mark.whole
def test_no_column_of_the_database_has_the_name(
    known_everywhere: RegistrationRequest, registrant: User
) -> None:
    surname = {"O'Registrant", "O&#x27;Registrant", "\\'Registrant"}
    words = surname | {
        "Runa Registrant",
        registrant.email,
        "private@people.example",
        "0000-0001-2345-6789",
    }
    assert {
        "registry.Letter.html",
        "registry.Letter.text",
        "registry.IdempotencyRecord.body",
    } <= (find_columns_with(words))
    senders = Letter.objects.values_list("headers__From", flat=True)
    assert any("=?" in sender for sender in senders if sender)

    forget(registrant)

    assert find_columns_with(words) == set()
    assert not any("=?" in sender for sender in senders.all() if sender)
    [response] = IdempotencyRecord.objects.all()
    assert json.loads(response.body) == {
        "phrase": f"Sent by {WITHDRAWN_NAME}",
        "people": ["Name withdrawn"],
    }


def test_longer_of_two_names_is_withdrawn_whole() -> None:
    pattern = compile_names(["Ana", "Ana Lima"])

    assert pattern.sub("…", "Ana Lima, Ana and Anatolia") == "…, … and Anatolia"


def test_somebody_whose_name_is_part_of_another_word_is_withdrawn_from_names_alone(
    approved: RegistrationRequest, registrant: User
) -> None:
    registrant.name = "Ana"
    registrant.save()
    Letter.objects.create(
        key="two-words",
        address="reader@people.example",
        subject="Anatolia, by Ana",
        text="Ana (Ana) of Anatolia.",
        written_at=timezone.now(),
    )

    forget(registrant)

    letter = Letter.objects.get(key="two-words")
    assert (letter.subject, letter.text) == (
        f"Anatolia, by {WITHDRAWN_NAME}",
        f"{WITHDRAWN_NAME} ({WITHDRAWN_NAME}) of Anatolia.",
    )


def test_copies_and_published_texts_remain_as_the_privacy_page_says(
    approved: RegistrationRequest, registrant: User, registrar: User
) -> None:
    """Copies that others made, and the Registrant section of a published text."""
    registrant.name = "Northlight Seed Vault Federation"
    registrant.save()
    quoted = "> Northlight Seed Vault Federation wrote\nI agree."
    discussion.add_comment(approved, author=registrar, text=quoted, key=uuid.uuid4())
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])
    published = "/namespaces/seedbank.txt"
    before = Client().get(published).content
    page = " ".join(html.fromstring(Client().get("/privacy/").content).text_content().split())
    assert (
        "Two things remain: copies that others have already made, and the Registrant section of a "
        "published text, which is part of that text."
    ) in page

    forget(registrant)

    after = Client().get(published).content
    assert b"Registrant:\n   Northlight Seed Vault Federation" in after
    assert after == before
    copy = Client().get(f"{approved.get_absolute_url()}").content.decode()
    assert "Northlight Seed Vault Federation wrote" in copy
    assert list(journal.verify()) == []


def test_every_proof_holds_and_the_journal_is_whole(
    acted: RegistrationRequest, registrant: User
) -> None:
    build_log()
    key = VerifierKey.parse(Client().get("/log/key").content.decode())
    kept = LogProof.parse(Client().get("/log/entries/2.tlog-proof").content)
    entries = list(Event.objects.order_by("number").values_list("entry", flat=True))

    forget(registrant)

    lines = Event.objects.order_by("number")
    assert list(lines.values_list("entry", flat=True))[: len(entries)] == entries
    assert list(journal.verify()) == []
    kept.verify(hash_leaf(kept.extra), [key])
    assert build_log().head.size == len(entries) + 2


def test_nobody_signs_in_to_the_account_any_more(
    acted: RegistrationRequest, registrant: User
) -> None:
    forget(registrant)

    registrant.refresh_from_db()
    assert (registrant.is_active, registrant.has_usable_password()) == (False, False)
    assert registrant.name == "Name withdrawn"
    with pytest.raises(CommandError, match=r"registrant@people\.example"):
        call_command("forget", "registrant@people.example", stdout=io.StringIO())


@pytest.mark.whole
def test_name_on_letters_without_an_account_goes_with_what_recognizes_their_sender(
    in_review: RegistrationRequest, registrant: User
) -> None:
    for number, sender in enumerate(
        (
            "Maja Müller <maja@elsewhere.example>",
            f"{registrant.name} <Maja@elsewhere.example>",
            "Max Müller <max@elsewhere.example>",
        )
    ):
        written = letter(
            f"Text {number}.", sender=sender, message_id=f"<{number}@elsewhere.example>"
        )
        incoming_mail.receive_letter(written.as_bytes())
    digests = set(Message.objects.values_list("sender_digest", flat=True))
    assert [len(digests), {len(each) for each in digests}] == [2, {64}]
    holding = {
        extent
        for extent in BackupExtent
        if any(digest.encode() in b"".join(write_backup(extent)) for digest in digests)
    }
    assert holding == {BackupExtent.COMPLETE}
    assert Letter.objects.filter(text__contains="Maja Müller").exists()

    call_command("forget", "maja@Elsewhere.example", stdout=io.StringIO())

    messages = in_review.messages.values_list("author_name", "sender_digest")
    assert [(name, bool(digest)) for name, digest in messages] == [
        ("Name withdrawn", False),
        ("Name withdrawn", False),
        ("Max Müller", True),
    ]
    assert find_columns_with({"Maja", "maja"}) == set()
    # A letter can come with any name: that of an account stays with what the account did.
    assert in_review.events.filter(actor=registrant, actor_name=registrant.name).exists()
    assert Letter.objects.filter(text__contains=registrant.name).exists()
    assert list(journal.verify()) == []
    with pytest.raises(CommandError, match=r"maja@elsewhere\.example"):
        call_command("forget", "maja@elsewhere.example", stdout=io.StringIO())


def test_letters_from_an_address_of_the_account_lose_whatever_name_they_came_with(
    in_review: RegistrationRequest, registrant: User
) -> None:
    registrant.is_active = False
    registrant.save()
    sender = f"A Pen Name <{registrant.email}>"
    incoming_mail.receive_letter(letter(sender=sender).as_bytes())
    assert in_review.messages.get().author is None

    forget(registrant)

    message = in_review.messages.get()
    assert (message.author_name, message.sender_digest) == ("Name withdrawn", "")


def test_forget_prints_the_texts_that_still_have_the_name(
    approved: RegistrationRequest, registrant: User, outsider: User
) -> None:
    text = f"As {registrant.name} says, the codes are permanent."
    discussion.add_comment(approved, author=outsider, text=text, key=uuid.uuid4())
    message = approved.messages.get()

    printed = forget(registrant)

    assert f"  message {message.pk}, {message}: text" in printed.splitlines()
    message.refresh_from_db()
    assert registrant.name in message.text


def test_forget_prints_no_texts_when_none_is_left(
    acted: RegistrationRequest, registrant: User
) -> None:
    assert "These texts" not in forget(registrant)
