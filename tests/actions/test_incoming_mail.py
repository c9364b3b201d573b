"""The mailing list in the discussion, as the mail server delivers it."""

from __future__ import annotations

import io
import os
import sys
import uuid
from collections.abc import Callable
from html import unescape

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from registry import journal, workflow
from registry.actions import discussion
from registry.enums import MessageChannel
from registry.exchange.backup import BackupExtent
from registry.models import Message, RegistrationRequest, User
from registry.notifications.webhooks import build_event_payload
from registry.presenters.discussion import fold_quotes
from tests.actions.letters import TEXT, letter, raw
from tests.exchange.backup.conftest import octets, rows
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

Deliver = Callable[[bytes], str]
UNVERIFIED = "By mail, address not verified"


@pytest.fixture
def deliver(monkeypatch: pytest.MonkeyPatch) -> Deliver:
    """Return a function that pipes a letter into the command, and returns its output."""

    def piped(written: bytes) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
        printed = io.StringIO()
        call_command("receive_mail", stdout=printed)
        return printed.getvalue().strip()

    return piped


def refused(deliver: Deliver, written: bytes) -> tuple[int, str]:
    """Return the exit code and the message for a letter that is refused."""
    with pytest.raises(CommandError) as refusal:
        deliver(written)
    return refusal.value.returncode, str(refusal.value)


def test_letter_with_the_reference_in_its_subject_becomes_a_message(
    deliver: Deliver, client: Client, in_review: RegistrationRequest
) -> None:
    deliver(letter(subject="Question on r-2026-0001").as_bytes())

    message = in_review.messages.get()
    assert (message.channel, message.author, message.author_name, message.message_id) == (
        MessageChannel.LIST,
        None,
        "Maja Müller",
        "<one@elsewhere.example>",
    )
    words = text_of(client.get(in_review.get_absolute_url()))
    assert f"Maja Müller {UNVERIFIED}" in words
    assert TEXT in words
    assert "maja@elsewhere.example" not in words
    assert list(journal.verify()) == []


def test_answer_by_mail_stands_below_the_message_it_answers(
    deliver: Deliver, in_review: RegistrationRequest, outsider: User
) -> None:
    question = discussion.add_comment(in_review, author=outsider, text="Why?", key=uuid.uuid4())

    deliver(letter(subject="Re: why", In_Reply_To=question.message_id).as_bytes())
    deliver(
        letter(
            "And why so?",
            subject="Re: why",
            message_id="<two@elsewhere.example>",
            References=f"{question.message_id} <one@elsewhere.example>",
        ).as_bytes()
    )

    answers = in_review.messages.filter(channel=MessageChannel.LIST)
    assert [each.answers for each in answers] == [question, question]


def test_letter_in_answer_to_one_of_ours_finds_its_request(
    deliver: Deliver, in_review: RegistrationRequest
) -> None:
    ours = f"<{in_review.reference}.event-7.0a1b2c@127.0.0.1>"

    deliver(letter(subject="Re: asked for changes", References=ours).as_bytes())

    assert in_review.messages.get().answers is None


def test_second_delivery_changes_nothing(deliver: Deliver, in_review: RegistrationRequest) -> None:
    deliver(letter().as_bytes())
    before = in_review.events.count()

    printed = deliver(letter("Changed on the way.").as_bytes())

    assert printed.startswith("Left out.")
    assert in_review.messages.get().text == TEXT
    assert in_review.events.count() == before


def test_same_text_under_another_message_id_is_one_message(
    deliver: Deliver, in_review: RegistrationRequest
) -> None:
    deliver(letter(message_id="<one@elsewhere.example>").as_bytes())

    printed = deliver(letter(message_id="<two@elsewhere.example>").as_bytes())
    deliver(
        letter(sender="Other <other@elsewhere.example>", message_id="<three@x.example>").as_bytes()
    )

    assert printed.startswith("Left out.")
    senders = in_review.messages.values_list("author_name", flat=True)
    assert list(senders) == ["Maja Müller", "Other"]


def test_eleventh_letter_within_an_hour_waits_for_a_moderator(
    deliver: Deliver, client: Client, in_review: RegistrationRequest, lead: User
) -> None:
    for number in range(1, 12):
        written = letter(f"Point {number} of many.", message_id=f"<{number}@elsewhere.example>")
        deliver(written.as_bytes())

    assert "Point 10 of many." in text_of(client.get(in_review.get_absolute_url()))
    assert "Point 11 of many." not in text_of(client.get(in_review.get_absolute_url()))
    assert in_review.events.filter(verb="comment").count() == 10
    discussion.unhide_message(in_review.messages.get(number=11), moderator=lead)
    assert "Point 11 of many." in text_of(client.get(in_review.get_absolute_url()))
    assert list(journal.verify()) == []


def test_known_address_gives_a_name_and_no_role(
    deliver: Deliver, client: Client, in_review: RegistrationRequest, registrar: User
) -> None:
    deliver(letter(sender=f"Somebody <{registrar.email.upper()}>").as_bytes())

    message, event = in_review.messages.get(), in_review.events.get(verb="comment")
    assert (message.author, message.author_name) == (registrar, "Rafe Registrar")
    assert (event.actor, event.actor_name) == (None, "The registry")
    assert event.data == {"message": 1, "channel": "list"}
    words = text_of(client.get(in_review.get_absolute_url()))
    assert f"Rafe Registrar {UNVERIFIED}" in words


def test_programs_are_told_that_a_letter_proves_nobody(
    deliver: Deliver, client: Client, in_review: RegistrationRequest, registrar: User
) -> None:
    discussion.add_comment(in_review, author=registrar, text="It is me.", key=uuid.uuid4())
    deliver(letter(sender=f"Somebody <{registrar.email}>").as_bytes())
    place = in_review.get_absolute_url()
    expected = [("site", True), ("list", False)]

    by_api = client.get(f"/api/v1{place}messages/").json()["results"]
    on_page = client.get(f"{place[:-1]}.json").json()["messages"]
    dumped = rows(octets(BackupExtent.PUBLIC))["registry.message"]
    feed = unescape(client.get(f"{place[:-1]}.atom").content.decode())
    hooked = [build_event_payload(each)["data"] for each in in_review.events.filter(verb="comment")]

    for told in (by_api, on_page, dumped):
        assert {each.get("author_name") for each in told} == {"Rafe Registrar"}
        assert [(each["channel"], each["is_sender_verified"]) for each in told] == expected
    assert feed.count("the address was not verified") == 1
    assert [each["is_sender_verified"] for each in hooked] == [True, False]


def test_database_has_no_letter_with_a_verified_sender(
    deliver: Deliver, in_review: RegistrationRequest
) -> None:
    deliver(letter().as_bytes())

    with pytest.raises(IntegrityError, match="message_by_mail_is_unverified"):
        in_review.messages.update(is_sender_verified=True)


def test_quotations_and_signatures_are_folded(
    deliver: Deliver, client: Client, in_review: RegistrationRequest
) -> None:
    quoted = "On Monday Ede wrote:\n> Who may join?\n> And leave?"

    deliver(letter(f"{quoted}\n\nAnybody.\n\n-- \nMaja\n").as_bytes())

    page = client.get(in_review.get_absolute_url())
    said = page.context["discussion"].entries[-1]
    assert [(part.is_folded, part.text.strip()) for part in said.parts] == [
        (True, quoted),
        (False, "Anybody."),
        (True, "--\nMaja"),
    ]
    assert page.content.decode().count("<summary>Quoted text</summary>") == 2


QUOTED = "> Who may join?\n> And leave?"
ATTRIBUTIONS = (
    "On Mon, Nov 23, 2026 at 5:39 PM, Ede Expert\n<ede at people.example> wrote:",
    "On 23 Nov 2026, at 17:39, Ede Expert\n<ede@people.example>\nwrote:",
    "On Mon, Nov 23, 2026 at 5:39 PM Ede Expert <ede@people.example> wrote:",
    "Am 23.11.2026 um 17:39 schrieb Ede Expert\n<ede@people.example>:",
    "Le lun. 23 nov. 2026 à 17:39, Ede Expert <ede@people.example> a\nécrit :",
    "El lun, 23 nov 2026 a las 17:39, Ede Expert (<ede@people.example>)\nescribió:",
    "Op 23-11-2026 om 17:39 schreef Ede Expert:",
    "在 2026年11月23日，17:39，Ede Expert <ede@people.example> 写道：",
    '"Ede Expert" <ede@people.example>\nwrote on Mon, 23 Nov 2026:',
    "* Ede Expert <ede@people.example> [2026-11-23 17:39]:",
    "In message <abc@people.example>\nEde Expert writes:",
    "Ede Expert <ede@people.example> writes:",
)


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_lines_that_attribute_a_quotation_are_folded_with_it(attribution: str) -> None:
    parts = fold_quotes(f"Hello.\n\n{attribution}\n{QUOTED}\n\nAnybody.")

    assert [(part.is_folded, part.text.strip()) for part in parts] == [
        (False, "Hello."),
        (True, f"{attribution}\n{QUOTED}"),
        (False, "Anybody."),
    ]


@pytest.mark.parametrize(
    "quoted",
    ["EE> Who?\nEE> And?", ">> Who?\n> And?\n> > All.", "Ede wrote:\n| Who?\n| And?"],
    ids=["initials", "several depths", "bars"],
)
def test_lines_with_other_signs_of_quotation_are_folded(quoted: str) -> None:
    parts = fold_quotes(f"{quoted}\n\nAnybody.")

    assert [(part.is_folded, part.text.strip()) for part in parts] == [
        (True, quoted),
        (False, "Anybody."),
    ]


@pytest.mark.parametrize(
    "trailer",
    [
        "-----Original Message-----\nFrom: Ede\n\nWho?",
        "-----Ursprüngliche Nachricht-----\nVon: Ede\n\nWer?",
        "________________________________\nFrom: Ede <ede@people.example>\nSent: Monday\n\nWho?",
        "From: Ede <ede@people.example>\nDate: Monday\n\nWho?",
        "---------- Forwarded message ---------\nFrom: Ede\nDate: Monday\n\nWho?",
        "From: Ede\nReply-To: A\nTo: B\nCc: C\nDate: Monday\n\nWho?",
        "---- On Mon, 23 Nov 2026 17:39:00 +0000 Ede wrote ---\n\nWho?",
        "Begin forwarded message:\n\nFrom: Ede",
        "_______________________________________________\nurn mailing list\nurn@lists.example",
        "Sent from my telephone",
    ],
    ids=lambda trailer: trailer.strip("-_\n").split("\n")[0],
)
def test_lines_that_programs_and_lists_put_below_a_letter_are_folded(trailer: str) -> None:
    parts = fold_quotes(f"Anybody.\n\n{trailer}\n")

    assert [(part.is_folded, part.text.strip()) for part in parts] == [
        (False, "Anybody."),
        (True, trailer),
    ]


def test_words_that_a_margin_quotes_are_folded() -> None:
    parts = fold_quotes("Anybody.\n\n    On Monday, November 23, 2026, Ede wrote: \n \n Who?\n")

    assert [part.is_folded for part in parts] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "| name | rule |\n| a | b |",
        "On reflection I have this:\nno quotation",
        "--- Summary ---\nNote: all is well",
        "a -> b",
        "Von: mir",
    ],
)
def test_words_of_the_writer_are_not_folded(text: str) -> None:
    (part,) = fold_quotes(text)

    assert (part.is_folded, part.text) == (False, text)


def test_markup_in_a_letter_is_text(
    deliver: Deliver, client: Client, in_review: RegistrationRequest
) -> None:
    hostile = "<script>alert(1)</script>"
    sender = f'"{hostile}" <x@elsewhere.example>'

    deliver(letter(hostile, sender=sender).as_bytes())

    page = client.get(in_review.get_absolute_url()).content.decode()
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)") >= 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"message_id": "<R-2026-0001.1@127.0.0.1>"},
        {"message_id": "<R-2026-0001.event-3.0a1b@127.0.0.1>"},
        {"sender": "The registry <registry@registry.example>"},
    ],
)
def test_letters_of_machines_and_our_own_are_left_out(
    deliver: Deliver, in_review: RegistrationRequest, headers: dict[str, str]
) -> None:
    assert deliver(letter(**headers).as_bytes()).startswith("Left out.")
    assert not in_review.messages.exists()


def test_letter_without_a_place_is_sent_back_with_the_reason(
    deliver: Deliver, in_review: RegistrationRequest, draft: RegistrationRequest, registrant: User
) -> None:
    nowhere = refused(deliver, letter(subject="Hello").as_bytes())
    workflow.perform(in_review, "withdraw", actor=registrant)
    ended = refused(deliver, letter().as_bytes())

    assert [code for code, _words in (nowhere, ended)] == [os.EX_NOUSER] * 2
    assert ["R-2026-0001 is closed" in words for _code, words in (nowhere, ended)] == [False, True]
    assert not Message.objects.exists()


def test_draft_that_was_never_sent_is_not_found_by_mail(
    deliver: Deliver, draft: RegistrationRequest
) -> None:
    code, words = refused(deliver, letter(subject=draft.reference).as_bytes())

    assert (code, "names no request" in words) == (os.EX_NOUSER, True)


def test_answer_to_a_note_among_experts_does_not_become_public(
    deliver: Deliver, in_review: RegistrationRequest, expert: User
) -> None:
    note = discussion.add_note(in_review, author=expert, text="A doubt.", key=uuid.uuid4())

    code, words = refused(deliver, letter(In_Reply_To=note.message_id).as_bytes())

    assert (code, "note among experts" in words) == (os.EX_NOUSER, True)
    assert in_review.messages.count() == 1


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (raw(body=b"x" * 60_000), "The text has more than 50,000 characters."),
        (raw(body=b"x" * 1_000_000), "The letter has more than 1,000,000 bytes."),
        (b"", "The letter has no text."),
    ],
)
def test_letter_of_which_nothing_can_be_made_is_a_fault_of_its_data(
    deliver: Deliver, in_review: RegistrationRequest, written: bytes, words: str
) -> None:
    assert refused(deliver, written) == (os.EX_DATAERR, words)
    assert not in_review.messages.exists()
