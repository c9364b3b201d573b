"""The registrar's pages of readings: doubtful ones first, and what can be corrected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from registry import workflow
from registry.enums import RequestPath
from registry.exchange.records import ImportResult
from registry.models import (
    Event,
    ImportedRecord,
    Letter,
    Namespace,
    Organization,
    RecordContact,
    User,
)
from registry.template import write
from registry.workflow import drafts
from tests.factories import formal_text
from tests.records import copy_documents, import_from, make_imported_namespace
from tests.refusals import explain_missing_consent
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = copy_documents(tmp_path)
    document = folder / "rfc9999.txt"
    odd = document.read_text("utf-8").replace("2004-06-01\n", "2004-06-01\n      Bound in green.\n")
    document.write_text(odd, "utf-8")
    return folder


@pytest.fixture
def wickpat(folder: Path) -> Namespace:
    """A namespace whose document has a line that no field takes."""
    namespace = make_imported_namespace("wickpat", "RFC9999")
    import_from(folder)
    return namespace


@pytest.fixture
def office(registrar: User, sign_in: SignIn) -> Client:
    return sign_in(registrar)


def correction(record: ImportedRecord, **changes: str) -> dict[str, str]:
    """Return what the form posts, with these fields changed."""
    template = record.template
    return {name: template[name] for name in template.to_dict()} | changes


def test_doubtful_readings_come_first_and_missing_texts_are_listed(
    office: Client, folder: Path, wickpat: Namespace
) -> None:
    (folder / "urn-formal/lace").write_text(write(formal_text("lace")), "utf-8")
    make_imported_namespace("lace", "A Guild")
    make_imported_namespace("bobbin", "RFC9996")
    import_from(folder)

    page = text_of(office.get("/publish/readings/"))
    desk = text_of(office.get("/publish/"))

    assert page.index(" Doubtful ") < page.index("wickpat") < page.index("Without doubt")
    assert page.index("Without doubt") < page.rindex("lace")
    assert wickpat.imported_records.get().doubts[0] in page
    assert "bobbin RFC9996" in page
    assert "1 doubtful reading" in desk
    assert "1 namespace" in desk


def test_readings_are_for_the_registrar(
    client: Client, wickpat: Namespace, sign_in: SignIn, expert: User
) -> None:
    addresses = ("/publish/readings/", "/publish/readings/wickpat/1/")

    assert [client.get(url).status_code for url in addresses] == [302, 302]
    assert [sign_in(expert).get(url).status_code for url in addresses] == [403, 403]


def test_correction_is_a_new_record_beside_the_one_before(
    office: Client, client: Client, wickpat: Namespace, registrar: User
) -> None:
    record = wickpat.imported_records.get()
    text, reason = "Numbers are never taken out of the book.", "It says how it goes on."

    answer = office.post(
        "/publish/readings/wickpat/1/",
        correction(record, interoperability=text, reason=reason),
    )

    new = wickpat.imported_records.get(number=2)
    assert answer.headers["Location"] == "/publish/readings/wickpat/2/"
    assert new.interoperability == text
    assert (new.text, new.document, new.sha256) == (record.text, record.document, record.sha256)
    assert (new.corrected_by, new.corrected_fields) == (registrar, ["interoperability"])
    assert new.doubts == []
    assert ImportedRecord.objects.get(pk=record.pk).interoperability == ""
    event = Event.objects.get(verb="correct_record")
    assert (event.actor, event.comment) == (registrar, reason)
    assert "A registrar corrected" in text_of(client.get("/namespaces/wickpat/"))
    shown = text_of(client.get("/namespaces/wickpat/records/2/"))
    assert f"{registrar} corrected" in shown
    assert reason in shown


def test_correction_in_words_that_the_document_does_not_have_is_refused(
    office: Client, wickpat: Namespace
) -> None:
    record = wickpat.imported_records.get()

    answer = office.post(
        "/publish/readings/wickpat/1/",
        correction(record, purpose="Wicks of every kind.", reason="It is clearer."),
    )

    assert answer.status_code == 409
    assert "“Wicks of every kind.”" in text_of(answer)
    assert wickpat.imported_records.count() == 1


def test_correction_without_a_change_or_a_reason_is_refused(
    office: Client, wickpat: Namespace
) -> None:
    record = wickpat.imported_records.get()

    same = office.post("/publish/readings/wickpat/1/", correction(record, reason="Hm."))
    silent = office.post("/publish/readings/wickpat/1/", correction(record, purpose=""))

    assert (same.status_code, bool(same.context["form"].non_field_errors())) == (409, True)
    assert error_codes(silent, "reason") == ["required"]
    assert wickpat.imported_records.count() == 1


def test_older_reading_cannot_be_corrected(office: Client, wickpat: Namespace) -> None:
    record = wickpat.imported_records.get()
    typed = correction(record, purpose="", reason="It says nothing.")
    office.post("/publish/readings/wickpat/1/", typed)

    answer = office.post("/publish/readings/wickpat/1/", typed)

    assert answer.status_code == 412
    assert answer.context["newest"] == wickpat.imported_records.get(number=2)
    assert wickpat.imported_records.count() == 2


def test_correction_stays_when_the_same_document_is_read_again(
    office: Client, wickpat: Namespace, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = wickpat.imported_records.get()
    typed = correction(record, purpose="", reason="It says nothing.")
    office.post("/publish/readings/wickpat/1/", typed)

    [same] = import_from(folder)
    monkeypatch.setattr(
        "registry.exchange.records.importer.list_doubts", lambda *_given, several: ["Look again."]
    )
    [better] = import_from(folder)
    [again] = import_from(folder)

    assert [each.result for each in (same, better, again)] == [
        ImportResult.UNCHANGED,
        ImportResult.NEWER,
        ImportResult.UNCHANGED,
    ]
    newest = wickpat.imported_records.get(number=3)
    assert (newest.purpose, newest.corrected_fields) == ("", ["purpose"])
    assert newest.corrected_by is None


def test_addresses_in_the_text_are_shown_to_the_registrar_alone(
    office: Client, client: Client, wickpat: Namespace, sign_in: SignIn, expert: User
) -> None:
    api = "/api/v1/namespaces/wickpat/records/1/contacts/"

    page = text_of(office.get("/publish/readings/wickpat/1/"))

    assert "patterns@candles.example" in page
    assert office.get(api).json()[0]["address"] == "patterns@candles.example"
    assert client.get(api).status_code in (401, 403)
    assert sign_in(expert).get(api).status_code == 403


def test_confirmed_address_is_told_of_requests_and_proves_nothing(
    office: Client,
    wickpat: Namespace,
    registrant: User,
    organization: Organization,
    registrar: User,
) -> None:
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Wick patterns",
        namespace=wickpat,
    )
    assert asked.draft is not None
    text = formal_text("wickpat").replace(revision_information="All fields are written anew.")
    drafts.save_draft(asked.draft, text.to_dict(), seen=0)
    url = "/publish/readings/wickpat/1/contact/"
    address = {"address": "patterns@candles.example"}

    office.post(url, address)
    office.post(url, {"address": "other@candles.example", "source": "A letter."})
    assert not RecordContact.objects.exists()
    office.post(url, address | {"source": "It answered a letter of 20 November."})
    office.post(url, address | {"source": "It answered a letter of 20 November."})
    workflow.perform(asked, "submit", actor=registrant)

    contact = RecordContact.objects.get()
    letters = Letter.objects.filter(address="patterns@candles.example")
    assert contact.confirmed_by == registrar
    assert [each.reason for each in letters] == ["contact"]
    assert "patterns@candles.example" not in str(
        Event.objects.filter(verb="confirm_record_contact").values("data", "comment")
    )
    assert explain_missing_consent(asked)


def test_withdrawn_address_is_told_of_nothing_more(
    office: Client, wickpat: Namespace, registrar: User
) -> None:
    office.post(
        "/publish/readings/wickpat/1/contact/",
        {"address": "patterns@candles.example", "source": "A letter."},
    )
    contact = RecordContact.objects.get()

    answer = office.post(f"/publish/readings/wickpat/1/contact/{contact.pk}/")

    assert answer.headers["Location"] == "/publish/readings/wickpat/1/"
    assert not RecordContact.objects.exists()
    assert Event.objects.filter(verb="withdraw_record_contact", actor=registrar).count() == 1


def test_programs_of_the_registrar_correct_and_confirm_too(
    office: Client, client: Client, wickpat: Namespace
) -> None:
    url = "/api/v1/namespaces/wickpat/records/1/"
    said = {"template": {"purpose": ""}, "reason": "It says nothing."}
    contact = {"address": "patterns@candles.example", "how": "A letter."}

    corrected = office.post(f"{url}correct/", said, content_type="application/json")
    confirmed = office.post(f"{url}contacts/", contact, content_type="application/json")
    withdrawn = office.delete(f"{url}contacts/", contact, content_type="application/json")
    refused = client.post(f"{url}correct/", said, content_type="application/json")

    assert (corrected.status_code, corrected.json()["number"]) == (201, 2)
    assert corrected.json()["template"]["purpose"] is None
    assert confirmed.json()[0]["how"] == "A letter."
    assert withdrawn.json()[0]["confirmed_at"] is None
    assert refused.status_code in (401, 403)
