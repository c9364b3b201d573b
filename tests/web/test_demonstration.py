"""The demonstration's mail, read in the browser instead of being sent."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from registry.demonstration import mailbox
from tests.letters import send_account_letters

pytestmark = pytest.mark.django_db

ADDRESS = "http://127.0.0.1:8000/accounts/confirm-email/NDI:1x&y=2/"


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Return the folder in which letters are stored."""
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    return tmp_path / "mail"


def keep(subject: str, body: str = "Hello.") -> str:
    """Have the demonstration store a letter; return its name."""
    return mailbox.save_mail(EmailMessage(subject, body, to=["runa@people.example"])).name


def page_of(name: str) -> str:
    """Return the page that shows the letter of that name."""
    return Client().get(reverse("demonstration:letter", args=[name])).content.decode()


def test_mail_page_without_letters_says_how_to_get_one(folder: Path) -> None:
    response = Client().get(reverse("demonstration:mail"))

    assert response.context["letters"] == []
    assert "No mail yet" in response.content.decode()


def test_letters_are_listed_newest_first_with_subject_addressee_and_time(folder: Path) -> None:
    first, second = keep("Confirm your address"), keep("Prüfung: Ω")

    response = Client().get(reverse("demonstration:mail"))

    shown = response.context["letters"]
    assert [(each.name, each.subject, each.to) for each in shown] == [
        (second, "Prüfung: Ω", "runa@people.example"),
        (first, "Confirm your address", "runa@people.example"),
    ]
    assert abs((shown[0].at - datetime.now(UTC)).total_seconds()) < 60
    assert "Prüfung: Ω" in response.content.decode()


def test_mail_page_counts_the_letters_that_wait_for_the_worker(
    folder: Path, client: Client
) -> None:
    client.post(reverse("account_reset_password"), {"email": "runa@people.example"})
    before = client.get(reverse("demonstration:mail"))
    send_account_letters()
    after = client.get(reverse("demonstration:mail"))

    assert (before.context["unsent"], after.context["unsent"]) == (1, 0)
    assert "1 letter" in before.content.decode()
    assert "1 letter" not in after.content.decode()


def test_mail_page_lists_50_letters_and_leads_to_the_others(folder: Path) -> None:
    names = [keep(f"Letter {number}") for number in range(52)]

    second = Client().get(reverse("demonstration:mail"), {"page": "2"})

    assert [each.name for each in second.context["letters"]] == [names[1], names[0]]


def test_letters_to_one_address_can_be_read_alone(folder: Path) -> None:
    mine = keep("Mine")
    mailbox.save_mail(EmailMessage("Another's", "Hello.", to=["sefa@people.example"]))

    response = Client().get(reverse("demonstration:mail"), {"to": "runa@people.example"})

    assert [each.name for each in response.context["letters"]] == [mine]
    assert response.context["to"] == "runa@people.example"
    assert 'aria-current="true">runa@people.example<' in response.content.decode()


def test_letter_is_shown_with_addresses_to_follow_and_no_markup_of_its_own(
    folder: Path,
) -> None:
    name = keep("Confirm <b>now</b>", f"Dear <script>alert(1)</script>\n\nFollow {ADDRESS}")

    page = page_of(name)

    assert 'href="http://127.0.0.1:8000/accounts/confirm-email/NDI:1x&amp;y=2/"' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Confirm &lt;b&gt;now&lt;/b&gt;" in page


def test_plain_text_is_shown_of_a_letter_in_two_forms(folder: Path) -> None:
    letter = EmailMultiAlternatives("Two forms", "Plain words.", to=["runa@people.example"])
    letter.attach_alternative("<p>Other words.</p>", "text/html")
    name = mailbox.save_mail(letter).name

    found = mailbox.find_letter(name)

    assert found is not None
    assert found.text.strip() == "Plain words."


@pytest.mark.parametrize(
    ("content", "subject", "text"),
    [
        pytest.param(b"", "", "", id="empty"),
        pytest.param(b"\x00\xff\xfe", "", "\x00\ufffd\ufffd", id="no-headers"),
        pytest.param(
            b"Subject: =?utf-99?B?AAAA?=\n\nWords.", "=?utf-99?B?AAAA?=", "Words.", id="subject"
        ),
        pytest.param(
            b"Subject: S\nContent-Type: text/plain; charset=utf-99\n\nW\xc3\xb6rds.",
            "S",
            "Wörds.",
            id="charset",
        ),
        pytest.param(
            b"Subject: S\nContent-Type: multipart/mixed; boundary=b\n\nno part", "S", "", id="parts"
        ),
    ],
)
def test_broken_letter_breaks_no_page(
    folder: Path, content: bytes, subject: str, text: str
) -> None:
    kept = keep("Whole")
    name = "20261120T101112000000-0a1b2c3d.eml"
    (folder / name).write_bytes(content)

    listed = Client().get(reverse("demonstration:mail"))
    shown = Client().get(reverse("demonstration:letter", args=[name]))

    assert {each.name for each in listed.context["letters"]} == {kept, name}
    assert shown.status_code == 200
    assert (shown.context["letter"].subject, shown.context["letter"].text) == (subject, text)


@pytest.mark.parametrize(
    "name",
    [
        "..%2Fsecret-key",
        "secret-key",
        "20261120T101112000000-0a1b2c3d.eml%00",
        "20261320T101112000000-0a1b2c3d.eml",
        "20261120T101112000000-0a1b2c3d.eml",
    ],
)
def test_other_files_cannot_be_read_by_their_names(folder: Path, name: str) -> None:
    kept = keep("Whole")
    (folder / "secret-key").write_text("the secret", encoding="ascii")
    (folder.parent / "secret-key").write_text("the secret", encoding="ascii")
    assert page_of(kept).count("Whole") > 0

    response = Client().get(f"/demonstration/mail/{name}/")

    assert response.status_code == 404
    assert "the secret" not in response.content.decode()


@pytest.mark.parametrize("name", ["", "a-letter"])
def test_mail_page_is_not_found_outside_the_demonstration(
    folder: Path, settings: Settings, name: str
) -> None:
    kept = keep("Confirm your address")
    address = (
        reverse("demonstration:letter", args=[kept]) if name else reverse("demonstration:mail")
    )
    assert "Confirm your address" in Client().get(address).content.decode()
    settings.DEMONSTRATION = False

    response = Client().get(address)

    assert response.status_code == 404
    assert "Confirm your address" not in response.content.decode()
