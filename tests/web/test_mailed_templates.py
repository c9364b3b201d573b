"""A template mailed to the list becomes a draft once its sender confirms it."""

from __future__ import annotations

import datetime
import io
import os
import re
import sys
from collections.abc import Callable
from email.message import EmailMessage

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import journal
from registry.enums import State
from registry.models import Event, Letter, MailedTemplate, Message, RegistrationRequest, User
from registry.scheduler import tick
from registry.template import write
from tests.actions.letters import letter
from tests.factories import UserFactory
from tests.template.samples import FORMAL, INFORMAL
from tests.web.pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]

Deliver = Callable[[EmailMessage], str]
LIST_ID = "URN discussion <urn-list.lists.example>"
SENDER = "Maja Müller <Maja@elsewhere.example>"


@pytest.fixture
def deliver(monkeypatch: pytest.MonkeyPatch) -> Deliver:
    """Return a function that pipes a letter into the command, and returns its output."""

    def piped(written: EmailMessage) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written.as_bytes())))
        printed = io.StringIO()
        call_command("receive_mail", stdout=printed)
        return printed.getvalue().strip()

    return piped


def template_letter(text: str = "", **headers: str) -> EmailMessage:
    """Return a letter to the list with a template."""
    told = {"subject": "A namespace for seed vaults", "sender": SENDER, "List_Id": LIST_ID}
    greeting = "Dear all,\n\nplease review.\n\n"
    return letter(text or greeting + write(FORMAL), **(told | headers))


def page_of(mailed: MailedTemplate) -> str:
    return f"/account/templates/{mailed.key}/"


def answers(client: Client, mailed: MailedTemplate) -> dict[str, str]:
    """Return what the page would send with its first button."""
    form = client.get(page_of(mailed)).context["form"]
    return {name: str(form[name].value() or "") for name in form.fields}


@pytest.fixture
def mailed(deliver: Deliver) -> MailedTemplate:
    """A template that came through the list, and waits for its sender."""
    assert deliver(template_letter()) == (
        "1 letter taken: a template, about which its sender is asked."
    )
    return MailedTemplate.objects.get()


def test_sender_of_a_template_is_asked_by_a_letter_and_nothing_is_public(
    mailed: MailedTemplate, client: Client
) -> None:
    (asking,) = Letter.objects.all()
    found = re.search(r"http\S+/account/templates/\S+/", asking.text)

    assert found is not None
    assert found[0].endswith(page_of(mailed))
    assert asking.address == "maja@elsewhere.example"
    assert "urn:seedbank" in asking.subject
    assert "urn-list@lists.example" in asking.text
    assert (RegistrationRequest.objects.count(), Message.objects.count()) == (0, 0)
    assert Event.objects.count() == 0
    assert "Northlight" in mailed.text
    for place in (
        "/requests/",
        "/",
        "/organizations/",
        "/sitemap-requests.xml",
        "/api/v1/requests/",
    ):
        assert "Northlight" not in client.get(place).content.decode()


def test_page_makes_nothing_and_is_for_its_reader_alone(
    mailed: MailedTemplate, client: Client
) -> None:
    page = client.get(page_of(mailed))
    client.get(page_of(mailed) + "?disown=1")

    assert page.context["found"] == (10, 13)
    assert "10 of 13" in text_of(page)
    assert "no-store" in page["Cache-Control"]
    assert client.get("/account/templates/somebody-guessed/").status_code == 404
    assert MailedTemplate.objects.filter(pk=mailed.pk, registration_request=None).exists()
    assert RegistrationRequest.objects.count() == 0


def test_button_makes_a_private_draft_with_every_field_of_the_letter(
    mailed: MailedTemplate, sign_in: Callable[[User], Client], outsider: User, client: Client
) -> None:
    browser = sign_in(outsider)

    done = browser.post(page_of(mailed), answers(browser, mailed))

    made = RegistrationRequest.objects.get()
    draft = made.draft
    assert draft is not None
    assert (made.author, made.state, made.nid) == (outsider, State.DRAFT, "seedbank")
    assert str(made.organization) == FORMAL["registrant"].splitlines()[0]
    for name in ("purpose", "syntax", "assignment", "security_privacy", "grammar", "resolution"):
        assert draft.template[name].split() == FORMAL[name].split()
    assert "Dear all" not in write(draft.template)
    assert done["Location"] == reverse("requests:send", args=[made.slug])
    assert client.get(made.get_absolute_url()).status_code == 404
    mailed.refresh_from_db()
    assert (mailed.registration_request, mailed.text, mailed.address) == (made, "", "")
    assert list(journal.verify()) == []


def test_answers_given_before_making_an_account_are_kept(
    mailed: MailedTemplate, client: Client
) -> None:
    posted = answers(client, mailed) | {"summary": "Seeds, by vault"}

    led = client.post(page_of(mailed), posted)

    assert led.status_code == 302
    assert led["Location"].startswith("/accounts/sign-in/?next=/account/templates/")
    assert RegistrationRequest.objects.count() == 0
    person = UserFactory.create()
    client.force_login(person)
    assert answers(client, mailed)["summary"] == "Seeds, by vault"
    client.post(page_of(mailed), answers(client, mailed))
    assert RegistrationRequest.objects.get().author == person


def test_second_press_makes_no_second_draft(
    mailed: MailedTemplate, sign_in: Callable[[User], Client], outsider: User
) -> None:
    browser = sign_in(outsider)
    posted = answers(browser, mailed)

    browser.post(page_of(mailed), posted)
    again = browser.post(page_of(mailed), posted)
    stranger = sign_in(UserFactory.create()).get(page_of(mailed))

    made = RegistrationRequest.objects.get()
    assert again["Location"] == made.get_absolute_url()
    assert stranger.status_code == 404
    assert made.reference not in stranger.content.decode()


def test_missing_fields_are_asked_for_on_the_page(
    deliver: Deliver, sign_in: Callable[[User], Client], outsider: User
) -> None:
    deliver(template_letter(write(FORMAL.replace(registrant="", nid="xn--seeds"))))
    mailed, browser = MailedTemplate.objects.get(), sign_in(outsider)

    refused = browser.post(page_of(mailed), answers(browser, mailed))

    assert refused.context["form"].errors.keys() == {"nid", "organization"}
    assert RegistrationRequest.objects.count() == 0
    posted = answers(browser, mailed) | {"nid": "seedbank", "organization": "Northlight"}
    browser.post(page_of(mailed), posted)
    assert RegistrationRequest.objects.get().nid == "seedbank"


def test_informal_template_becomes_an_informal_request(
    deliver: Deliver, sign_in: Callable[[User], Client], outsider: User
) -> None:
    deliver(template_letter(write(INFORMAL)))
    mailed, browser = MailedTemplate.objects.get(), sign_in(outsider)

    browser.post(page_of(mailed), answers(browser, mailed))

    assert RegistrationRequest.objects.get().is_informal


def test_template_that_its_sender_disowns_is_deleted(
    mailed: MailedTemplate, client: Client
) -> None:
    client.post(page_of(mailed), {"disown": "1"})

    assert not MailedTemplate.objects.exists()
    assert client.get(page_of(mailed)).status_code == 404


def test_template_is_deleted_after_14_days(mailed: MailedTemplate, client: Client) -> None:
    tick(mailed.received_at + datetime.timedelta(days=13, hours=23))
    held = MailedTemplate.objects.exists()
    MailedTemplate.objects.update(received_at=timezone.now() - datetime.timedelta(days=14))
    gone = client.get(page_of(mailed)).status_code
    tick()

    assert (held, gone, MailedTemplate.objects.exists()) == (True, 404, False)


def test_template_in_an_attached_text_is_read(deliver: Deliver) -> None:
    written = template_letter("Please find our template attached.\n")
    written.add_attachment(write(FORMAL), filename="template.txt")

    deliver(written)

    assert MailedTemplate.objects.get().text.startswith("Namespace Identifier: seedbank")


def test_sender_is_asked_by_reply_to_if_the_list_writes_its_own_address(
    deliver: Deliver,
) -> None:
    sender = "Maja via urn-list <urn-list@lists.example>"

    deliver(template_letter(sender=sender, Reply_To="Maja <maja@elsewhere.example>"))

    assert MailedTemplate.objects.get().address == "maja@elsewhere.example"


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"Auto_Submitted": "auto-replied"}, "A machine wrote this letter."),
        ({"Auto_Submitted": "auto-generated"}, "A machine wrote this letter."),
        ({"message_id": "<R-2026-0001.round-1.0a1b@127.0.0.1>"}, "A machine wrote this letter."),
        ({"sender": "The registry <registry@registry.example>"}, "A machine wrote this letter."),
        (
            {"List_Id": "Digest <weekly.other.example>"},
            "The template came through another mailing list.",
        ),
        ({"List_Id": "", "Precedence": "list"}, "The template came through another mailing list."),
        (
            {"sender": "urn-list@lists.example"},
            "The template came without an address that could be asked.",
        ),
        ({"sender": "nobody"}, "The template came without an address that could be asked."),
        (
            {"sender": "urn-bounces@lists.example"},
            "The template came from an address that no person reads.",
        ),
        (
            {"sender": "No-Reply@elsewhere.example"},
            "The template came from an address that no person reads.",
        ),
    ],
)
def test_letters_of_machines_and_other_lists_are_left_out(
    deliver: Deliver, headers: dict[str, str], words: str
) -> None:
    written = template_letter(**{name: value for name, value in headers.items() if value})
    if headers.get("List_Id") == "":
        del written["List-Id"]

    assert deliver(written) == f"Left out. {words}"
    assert not MailedTemplate.objects.exists()
    assert not Letter.objects.exists()


@pytest.mark.parametrize(
    "written",
    [
        template_letter(In_Reply_To="<two@elsewhere.example>"),
        template_letter(References="<two@elsewhere.example>"),
        template_letter(subject="Re: A namespace for seed vaults"),
        template_letter("\n".join(f"> {line}" for line in write(FORMAL).split("\n"))),
        template_letter("Purpose: to ask you all for lunch.\n"),
    ],
    ids=["answers", "refers", "re", "quotes", "no template"],
)
def test_answers_and_other_letters_make_no_template(
    deliver: Deliver, written: EmailMessage
) -> None:
    with pytest.raises(CommandError, match="names no request") as refusal:
        deliver(written)

    assert refusal.value.returncode == os.EX_NOUSER
    assert not MailedTemplate.objects.exists()


def test_letter_that_names_a_request_is_for_its_discussion(
    deliver: Deliver, in_review: RegistrationRequest
) -> None:
    deliver(template_letter(subject=f"{in_review.reference}: our text"))

    assert (in_review.messages.count(), MailedTemplate.objects.count()) == (1, 0)


def test_templates_of_one_address_are_limited_to_three_a_day(deliver: Deliver) -> None:
    printed = [
        deliver(template_letter(message_id=f"<{number}@elsewhere.example>")) for number in range(4)
    ]
    other = deliver(
        template_letter(message_id="<5@elsewhere.example>", sender="else@elsewhere.example")
    )

    taken, left_out = "1 letter taken", "Left out."
    assert [each.startswith(taken) for each in printed] == [True, True, True, False]
    assert printed[3].startswith(left_out)
    assert other.startswith(taken)
    assert Letter.objects.count() == 4


def test_letter_delivered_twice_asks_once(deliver: Deliver, mailed: MailedTemplate) -> None:
    assert deliver(template_letter()).startswith("Left out.")
    assert (MailedTemplate.objects.count(), Letter.objects.count()) == (1, 1)


def test_database_refuses_to_hold_a_text_of_which_a_draft_was_made(
    mailed: MailedTemplate, draft: RegistrationRequest
) -> None:
    with pytest.raises(IntegrityError, match="mailed_template_taken_is_not_held"):
        MailedTemplate.objects.filter(pk=mailed.pk).update(registration_request=draft)
