"""Contacting the registrar: the contact page, the queue of reports, and security.txt."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry.models import Letter, Report, User
from tests.web.pages import rows_of, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
TEXT, ANSWER = "The contact has moved.", "Thank you, it is mended."


def send(client: Client, **typed: str) -> HttpResponseBase:
    return client.post("/contact/", {"text": TEXT} | typed)


@pytest.mark.parametrize("address", ["/", "/namespaces/", "/guide/urns/", "/no/such/page/"])
def test_every_page_leads_to_the_contact_page_and_says_which_page_it_is(
    client: Client, address: str
) -> None:
    page = client.get(address).content.decode()

    assert f'href="/contact/?about={address}"' in page
    assert "Something wrong here?" in page


def test_contact_form_begins_with_the_page_it_is_about(client: Client) -> None:
    here = client.get("/contact/", {"about": "/namespaces/isbn/"}).content.decode()
    elsewhere = client.get("/contact/", {"about": "https://a.example/"}).content.decode()

    assert 'value="/namespaces/isbn/"' in here
    assert 'value="https://a.example/"' not in elsewhere


def test_report_without_an_account_reaches_the_registrar_and_nobody_else(
    client: Client, registrar: User, expert: User, sign_in: SignIn
) -> None:
    response = send(client, page="/namespaces/isbn/", address="ines@reader.example")

    assert response.headers["Location"] == "/contact/sent/"
    report = Report.objects.get()
    ((_sent_at, *row),) = rows_of(sign_in(registrar).get("/publish/reports/"))
    assert row == ["/namespaces/isbn/", TEXT, "ines@reader.example"]
    assert sign_in(registrar).get("/publish/").context["open_reports"] == 1
    for other in (Client(), sign_in(expert)):
        for address in ("/publish/reports/", report.get_absolute_url()):
            assert other.get(address).status_code in (302, 403)


def test_reader_gets_no_letter_before_a_registrar_answers(client: Client) -> None:
    send(client, address="victim@reader.example")

    assert Letter.objects.count() == 0


def test_answer_of_a_registrar_is_sent_once_and_closes_the_report(
    client: Client, registrar: User, sign_in: SignIn
) -> None:
    send(client, address="ines@reader.example")
    report = Report.objects.get()
    office = sign_in(registrar)

    office.post(report.get_absolute_url(), {"answer": ANSWER})
    again = office.post(report.get_absolute_url(), {"answer": "Once more."})

    letter = Letter.objects.get()
    assert letter.address == "ines@reader.example"
    assert ANSWER in letter.text
    assert TEXT not in letter.text
    assert again.status_code == 409
    assert rows_of(office.get("/publish/reports/")) == []


def test_letter_to_a_reader_is_previewed_without_sending_it(
    client: Client, registrar: User, sign_in: SignIn
) -> None:
    send(client, address="ines@reader.example")
    report = Report.objects.get()
    office = sign_in(registrar)
    typed = {"answer": ANSWER}

    page = office.post(report.get_absolute_url(), {**typed, "preview": "1"})

    report.refresh_from_db()
    assert (report.closed_at, Letter.objects.count()) == (None, 0)
    preview = page.context["letters"]
    assert ANSWER in preview.text
    assert " ".join(preview.text.split()) in text_of(page)
    office.post(report.get_absolute_url(), typed)
    sent = Letter.objects.get()
    assert (sent.subject, sent.text.partition("\n-- \n")[0].strip()) == (
        preview.subject,
        preview.text,
    )


def test_preview_without_an_answer_shows_no_letter(
    client: Client, registrar: User, sign_in: SignIn
) -> None:
    send(client, address="ines@reader.example")
    report = Report.objects.get()

    page = sign_in(registrar).post(report.get_absolute_url(), {"answer": "", "preview": "1"})

    report.refresh_from_db()
    assert page.context["letters"].text == ""
    assert 'class="letter"' not in page.content.decode()
    assert report.closed_at is None


def test_report_without_an_address_is_closed_without_an_answer(
    client: Client, registrar: User, sign_in: SignIn
) -> None:
    send(client)
    report = Report.objects.get()
    office = sign_in(registrar)

    refused = office.post(report.get_absolute_url(), {"answer": "To whom?"})
    office.post(report.get_absolute_url(), {"answer": ""})

    assert refused.status_code == 409
    report.refresh_from_db()
    assert (report.closed_by, report.answer) == (registrar, "")
    assert Letter.objects.count() == 0


def test_report_without_a_text_is_asked_for_it_once(client: Client) -> None:
    response = client.post("/contact/", {"text": "", "page": "/namespaces/isbn/"})

    page = response.content.decode()
    assert list(response.context["form"].errors) == ["text"]
    assert page.count('class="error-summary"') == 1
    assert 'value="/namespaces/isbn/"' in page


def test_network_has_a_limit_of_reports_an_hour(client: Client, settings: Settings) -> None:
    settings.REGISTRY_REPORTS_PER_HOUR = 2
    for number in range(2):
        send(client, text=f"Report {number}")

    refused = send(client, text="Report 3")

    assert refused.status_code == 429
    assert Report.objects.count() == 2


def test_same_report_sent_twice_is_kept_once(client: Client) -> None:
    send(client)
    send(client)

    assert Report.objects.count() == 1


def test_contact_page_says_who_the_experts_are(
    client: Client, lead: User, expert: User, registrar: User
) -> None:
    page = client.get("/contact/")

    offices = dict(page.context["offices"])
    assert offices["Lead expert"] == ["Lova Lead"]
    assert offices["Designated expert"] == ["Ede Expert"]
    assert offices["Registrar"] == ["Rafe Registrar"]
    for name in ("Lova Lead", "Ede Expert", "Rafe Registrar"):
        assert name in text_of(page)


def test_security_txt_names_the_contact_and_when_it_ends(client: Client) -> None:
    response = client.get("/.well-known/security.txt")

    lines = dict(line.split(": ", 1) for line in response.content.decode().splitlines())
    assert lines["Contact"].endswith("/contact/")
    assert datetime.datetime.fromisoformat(lines["Expires"]) > timezone.now()
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
