"""Imported records on the pages of their namespaces: marked as such, with their source."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from lxml import etree

from registry import workflow
from registry.enums import RequestPath
from registry.inspection.result import ResultKind
from registry.licences import IETF_TRUST, Terms, find_terms
from registry.models import Namespace, Organization, User
from registry.workflow import drafts
from tests.factories import (
    formal_text,
    let_speak_for,
)
from tests.records import copy_documents, import_from, make_imported_namespace
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copy_documents(tmp_path)


@pytest.fixture
def needle(folder: Path) -> Namespace:
    """A namespace with a template in one RFC, and an update of it in another."""
    namespace = make_imported_namespace("needle", "RFC9998", "RFC9997")
    import_from(folder)
    return namespace


@pytest.fixture
def clasp(folder: Path) -> Namespace:
    """A namespace whose template IANA keeps, with a grammar in it."""
    namespace = make_imported_namespace(
        "clasp", template_url="https://www.iana.org/assignments/urn-formal/clasp"
    )
    import_from(folder)
    return namespace


def test_imported_record_is_shown_field_by_field_with_its_source(
    client: Client, needle: Namespace
) -> None:
    response = client.get("/namespaces/needle/")

    page = text_of(response)
    assert "RFC 9998, pages 1–2, lines " in page
    assert "RFC 9997, page" in page
    assert "Bobbin Square 1, 3301 Hemford" in page
    fields = {
        field.name: (field.record.document.name, field.value)
        for section in response.context["page"].sections
        for field in section.fields
    }
    assert fields["registrant"][0] == "RFC 9997"
    assert "Bobbin Square 1" in fields["registrant"][1]
    assert fields["syntax"][0] == "RFC 9998"
    assert "RFC 9997; “Declared registrant" in page
    assert 'id="syntax"' in response.content.decode()


def test_fields_not_understood_are_shown_as_found(client: Client, folder: Path) -> None:
    document = folder / "rfc9999.txt"
    odd = document.read_text("utf-8").replace("2004-06-01\n", "2004-06-01\n      Bound in green.\n")
    document.write_text(odd, "utf-8")
    make_imported_namespace("wickpat", "RFC9999")
    import_from(folder)

    response = client.get("/namespaces/wickpat/")

    ((record, passage),) = response.context["page"].left_over
    assert (record.document.name, passage["first"], passage["last"]) == ("RFC 9999", 25, 29)
    assert passage["label"] == "Registration Information"
    page = text_of(response)
    assert f"“{passage['label']}”" in page
    assert "Bound in green." in page
    assert 'href="#left-over"' in response.content.decode()


def test_grammar_in_the_text_checks_names_and_is_had_as_a_file(
    client: Client, clasp: Namespace
) -> None:
    right = client.get("/namespaces/clasp/", {"name": "urn:clasp:hemford:42"})
    wrong = client.get("/namespaces/clasp/", {"name": "urn:clasp:42:Ä"})
    grammar = client.get("/namespaces/clasp.abnf").content.decode()

    result = right.context["checked"].result
    assert result.kind == ResultKind.VALID
    assert result.source.startswith("urn-formal/clasp")
    assert result.source in text_of(right)
    assert wrong.context["checked"].result.kind != ResultKind.VALID
    assert result.source in " ".join(grammar.replace("\n;", " ").split())


def test_record_has_a_page_with_the_text_as_found(client: Client, needle: Namespace) -> None:
    record = needle.imported_records.get(is_update=True)

    response = client.get(record.get_absolute_url())
    text = client.get(f"/namespaces/needle/records/{record.number}.txt").content.decode()

    page = text_of(response)
    assert "needle in RFC 9997" in page
    assert record.sha256 in page
    assert record.document.sha256 in page
    ((label, url),) = response.context["comparisons"]
    assert label.startswith("RFC 9998")
    assert f'href="{url}"' in response.content.decode()
    assert text.startswith(f"{record.text}\n")
    assert client.get("/namespaces/needle/records/9/").status_code == 404


def test_record_says_on_whose_terms_its_text_is_wherever_it_is_read(
    client: Client, needle: Namespace
) -> None:
    record = needle.imported_records.get(number=1)
    terms = {"publisher": "IETF Trust", "url": "https://trustee.ietf.org/license-info/"}
    words = f"Its text is on the terms of others: IETF Trust, {terms['url']}"
    link = f'<a href="{terms["url"]}">IETF Trust</a>'

    path = f"/namespaces/needle/records/{record.number}"
    told = client.get("/namespaces/needle.json").json()["imported"]["records"]
    listed = client.get("/api/v1/namespaces/needle/records/").json()["results"]
    xml = etree.fromstring(client.get(f"{path}.xml").content)
    plain = client.get(f"{path}.txt").content.decode().removeprefix(record.text)

    assert client.get(f"{path}.json").json()["terms"] == terms
    assert {etree.QName(each).localname: each.text for each in xml.iterfind("{*}terms/*")} == terms
    assert f"{words}\n" in plain
    assert str(record.document) in plain
    assert [each["terms"] for each in (*told, *listed)] == [terms] * 4
    assert words in " ".join(client.get("/namespaces/needle.txt").content.decode().split())
    for page in (f"{path}/", "/namespaces/needle/"):
        assert link in client.get(page).content.decode()


@pytest.mark.parametrize(
    ("address", "publisher", "url"),
    [
        ("https://www.rfc-editor.org/rfc/rfc8141.txt", "IETF Trust", IETF_TRUST.url),
        ("https://datatracker.ietf.org/doc/draft-x/", "IETF Trust", IETF_TRUST.url),
        (
            "https://www.iana.org/assignments/urn-formal/nbn",
            "IANA",
            "https://www.iana.org/help/licensing-terms",
        ),
        ("https://needles.example/spec", "needles.example", "https://needles.example/spec"),
        ("https://notietf.org/spec", "notietf.org", "https://notietf.org/spec"),
        ("A shelf", "A shelf", "A shelf"),
    ],
)
def test_terms_are_those_of_whoever_published_the_document(
    address: str, publisher: str, url: str
) -> None:
    assert find_terms(address) == Terms(publisher, url)


def test_older_reading_leads_to_the_newer_one(
    client: Client, needle: Namespace, folder: Path
) -> None:
    document = folder / "rfc9998.txt"
    document.write_text(document.read_text("utf-8").replace("Eyelet Street 9", "Hook Street 3"))
    import_from(folder)

    page = client.get("/namespaces/needle/records/1/")
    compared = text_of(client.get("/namespaces/needle/compare/r1..r3/"))

    assert page.context["newest"].number == 3
    assert "Read record 3" in text_of(page)
    assert "Hook Street 3" in compared


def test_records_are_in_the_data_of_the_namespace(client: Client, needle: Namespace) -> None:
    told = client.get("/namespaces/needle.json").json()["imported"]
    listed = client.get("/api/v1/namespaces/needle/records/").json()["results"]
    one = client.get("/api/v1/namespaces/needle/records/1/").json()
    plain = client.get("/namespaces/needle.txt").content.decode()

    assert told["template"]["version"] == "3"
    assert [each["document"] for each in told["records"]] == ["RFC 9998", "RFC 9997"]
    assert [each["number"] for each in listed] == [2, 1]
    assert one["text"] == needle.imported_records.get(number=1).text
    assert {"field": "nid", "label": "Namespace ID", "first": 26, "last": 28} in one["sources"]
    assert "RFC 9998, lines" in plain
    assert "Bobbin Square 1" in plain


def test_comparison_in_the_wrong_order_leads_to_the_right_one(
    client: Client, needle: Namespace
) -> None:
    answer = client.get("/namespaces/needle/compare/r2..r1/")

    assert answer.headers["Location"] == "/namespaces/needle/compare/r1..r2/"


def test_version_is_compared_with_the_record_that_it_revises(
    client: Client,
    needle: Namespace,
    registrant: User,
    organization: Organization,
    expert: User,
    registrar: User,
) -> None:
    needle.registrant = organization
    needle.save()
    let_speak_for(organization, registrant)
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Needles of the Guild",
        namespace=needle,
    )
    draft = asked.draft
    assert draft is not None
    assert "its paper" in draft.template.syntax
    text = formal_text("needle").replace(revision_information="All fields are written anew.")
    drafts.save_draft(draft, text.to_dict(), seen=0)
    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "assign", actor=expert)
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")
    workflow.perform(asked, "register", actor=registrar, references=["RFC 9998"])

    page = client.get("/namespaces/needle/")
    compared = text_of(client.get("/namespaces/needle/compare/r1..4/"))

    assert needle.registrations.get().number == 4
    assert 'href="/namespaces/needle/compare/r1..4/"' in page.content.decode()
    assert "RFC 9998, record 1" in compared
    assert "Version 4" in compared
    assert "its paper" in compared
