"""The two registries of draft -03, section 9.2: read, exported, and kept by the registrar."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from http import HTTPStatus

import pytest
from django.test import Client

from registry.actions import enquiries, resolution_services
from registry.actions.resolution_services import DESIGNATOR_VOCABULARY, KEYWORD_VOCABULARY
from registry.exchange import seed
from registry.journal import row_verification
from registry.models import (
    Enquiry,
    Event,
    Letter,
    Namespace,
    Organization,
    QueryKeyword,
    ServiceDesignator,
    User,
)
from tests.factories import (
    NamespaceFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
KEYWORD = {
    "keyword": "lang",
    "purpose": "language of the answer",
    "scope": "specific",
    "reference": "RFC 9901",
    "supported_by": "Sample RFC 9902\n",
}


@pytest.fixture(autouse=True)
def begun() -> None:
    """The vocabularies in their initial state."""
    seed.load_vocabularies()
    NamespaceFactory.create(nid="sample")


# Reading


@pytest.mark.parametrize(
    ("name", "header", "row", "policy"),
    [
        (
            "query-keywords",
            ["Keyword", "Purpose", "Scope", "Reference", "Supported by"],
            [
                "s",
                "intended URN resolution service",
                "global",
                "draft-ietf-urnbis-rfc2141bis-urn-03, section 2.3.1",
                "",
            ],
            "IETF Review",
        ),
        (
            "resolution-services",
            ["Name", "Purpose", "Status", "Reference"],
            ["I=I", "URI equal to URI?", "provisional", "RFC 2483, section 4.9"],
            "RFC required",
        ),
    ],
)
def test_registry_is_read_as_a_page_and_as_files(
    name: str, header: list[str], row: list[str], policy: str
) -> None:
    page, text, table, data = (
        Client().get(f"/registries/{name}{ending}") for ending in ("/", ".txt", ".csv", ".json")
    )

    rows = list(csv.reader(io.StringIO(table.content.decode())))
    assert (rows[0], row in rows) == (header, True)
    assert dict(zip(header, row, strict=True)) in json.loads(data.content)["entries"]
    assert policy in text_of(page)
    assert policy in json.loads(data.content)["policy"]
    assert all(cell in text.content.decode() for cell in (*header, *row, policy))
    assert table["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert table["Access-Control-Allow-Origin"] == "*"


def test_services_stand_in_the_order_of_the_draft() -> None:
    rows = list(csv.reader(io.StringIO(Client().get(SERVICES_CSV).content.decode())))

    assert [row[0] for row in rows[1:]] == [
        *("I2L", "I2Ls", "I2R", "I2Rs", "I2C", "I2Cs", "I2N", "I2Ns", "I=I")
    ]


SERVICES_CSV = "/registries/resolution-services.csv"


def test_file_that_did_not_change_is_not_sent_again() -> None:
    first = Client().get(SERVICES_CSV)

    again = Client().get(SERVICES_CSV, headers={"if-none-match": first["ETag"]})

    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")


# Keeping


def test_registrar_enters_a_word_once_with_a_reference(registrar: User, sign_in: SignIn) -> None:
    browser = sign_in(registrar)

    pages = [browser.post("/registries/query-keywords/enter/", KEYWORD, follow=True) for _ in "12"]

    assert ["“lang” is entered." in text_of(page) for page in pages] == [True, True]
    entry = QueryKeyword.objects.get(pk="lang")
    assert entry.supported_by == [["sample", "RFC 9902"]]
    (event,) = Event.objects.filter(verb="add_keyword")
    assert (event.subject, event.comment, event.actor) == ("lang", "RFC 9901", registrar)


@pytest.mark.parametrize("name", ["query-keywords", "resolution-services"])
def test_form_for_an_entry_says_of_each_empty_field_what_belongs_there(
    name: str, registrar: User, sign_in: SignIn
) -> None:
    chosen = {"scope": "global", "status": "std"}

    page = sign_in(registrar).post(f"/registries/{name}/enter/", chosen)

    assert len(page.context["form"].errors) == 3
    assert "This field is required." not in text_of(page)


def test_change_rests_on_a_document_and_keeps_what_was(registrar: User, sign_in: SignIn) -> None:
    entry = ServiceDesignator.objects.get(pk="I2L")
    url = "/registries/resolution-services/I2L/change/"
    typed = {
        "name": "another",
        "purpose": entry.purpose,
        "status": "deprecated",
        "reference": entry.reference,
        "seen": resolution_services.mark_entry_edition(DESIGNATOR_VOCABULARY, entry),
    }
    browser = sign_in(registrar)

    without = browser.post(url, typed)
    browser.post(url, typed | {"ground": "IESG Approval, 3 May"})
    stale = browser.post(url, typed | {"ground": "Again", "status": "provisional"})

    assert list(without.context["form"].errors) == ["ground"]
    (event,) = Event.objects.filter(verb="change_designator")
    assert event.comment == "IESG Approval, 3 May"
    assert (event.data["before"]["status"], event.data["status"]) == ("provisional", "deprecated")
    assert stale.status_code == HTTPStatus.CONFLICT
    assert not ServiceDesignator.objects.filter(pk="another").exists()


def test_supporters_of_a_keyword_change_nothing_of_its_meaning(registrar: User) -> None:
    # Draft -03, section 9.2.1: changes in the "Supported by" list are non-substantive.
    for said in ({"supported_by": [["sample", "RFC 9902"]]}, {"purpose": "another"}):
        entry = QueryKeyword.objects.get(pk="c")
        seen = resolution_services.mark_entry_edition(KEYWORD_VOCABULARY, entry)
        resolution_services.change_entry(
            KEYWORD_VOCABULARY, entry, actor=registrar, seen=seen, ground="A letter", **said
        )

    events = Event.objects.filter(verb="change_keyword").order_by("number")
    assert [event.data["substantive"] for event in events] == [False, True]


@pytest.mark.parametrize(
    ("registry", "typed", "words"),
    [
        ("query-keywords", KEYWORD | {"keyword": "1x"}, "“1x” is not a keyword"),
        ("query-keywords", KEYWORD | {"keyword": "a--b"}, "“a--b” is not a keyword"),
        ("query-keywords", KEYWORD | {"keyword": "s"}, "“s” is already entered."),
        ("query-keywords", KEYWORD | {"reference": ""}, "Name the document"),
        ("query-keywords", KEYWORD | {"supported_by": "sample"}, "Line 1: write a NID"),
        ("query-keywords", KEYWORD | {"supported_by": "nobody x"}, "Not registered: nobody."),
        ("query-keywords", KEYWORD | {"supported_by": "sample x\nsample y"}, "more than once"),
        (
            "resolution-services",
            {"name": "I2X", "purpose": "x", "status": "std", "reference": "a page"},
            "With this status an RFC is required",
        ),
        (
            "resolution-services",
            {"name": "a b", "purpose": "x", "status": "provisional", "reference": "a page"},
            "“a b” is not a name",
        ),
    ],
)
def test_entries_that_the_draft_does_not_allow_are_refused(
    registry: str, typed: dict[str, str], words: str, registrar: User, sign_in: SignIn
) -> None:
    page = sign_in(registrar).post(f"/registries/{registry}/enter/", typed)

    assert page.status_code == HTTPStatus.OK
    assert words in text_of(page)
    assert not Event.objects.exclude(verb="import_vocabularies").exists()


@pytest.mark.parametrize("who", ["outsider", "expert", "standards_body"])
def test_nobody_but_the_registrar_keeps_them(
    who: str, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)

    page = sign_in(person).post("/registries/query-keywords/enter/", KEYWORD)

    assert page.status_code == HTTPStatus.FORBIDDEN
    with expect_refusal("not_registrar"):
        resolution_services.add_entry(
            KEYWORD_VOCABULARY, actor=person, key="x", purpose="", supported_by=[]
        )


# Being listed under "Supported by" (draft -03, section 9.2.1)

SUPPORT = {
    "keyword": "c",
    "reference": "https://www.northlight.example/parts",
    "demonstration": "urn:sample:1?c=toc at resolver.example leads to the table of contents.",
}


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    """A namespace whose holder the registrant acts for."""
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(nid="seedbank", registrant=organization)


def test_representative_asks_to_be_listed_and_the_registrar_lists_the_namespace(
    namespace: Namespace, registrant: User, registrar: User, lead: User, sign_in: SignIn
) -> None:
    url = "/namespaces/seedbank/services/supported-by/"

    pages = [sign_in(registrant).post(url, SUPPORT, follow=True) for _ in "12"]

    enquiry = Enquiry.objects.get()
    assert [page.redirect_chain for page in pages] == [[(enquiry.get_absolute_url(), 302)]] * 2
    assert (enquiry.asked_by, enquiry.is_public) == (registrant, True)
    assert SUPPORT["demonstration"] in enquiry.question
    assert {letter.recipient for letter in Letter.objects.all()} == {registrar, lead}

    entry = QueryKeyword.objects.get(pk="c")
    (line,) = [line for line in enquiry.question.split("\n") if line.startswith("seedbank ")]
    typed = {
        "purpose": entry.purpose,
        "scope": entry.scope,
        "reference": entry.reference,
        "supported_by": line,
        "ground": f"Enquiry {enquiry.pk}",
        "seen": resolution_services.mark_entry_edition(KEYWORD_VOCABULARY, entry),
    }
    sign_in(registrar).post("/registries/query-keywords/c/change/", typed)
    enquiries.answer_enquiry(enquiry, actor=registrar, answer="It is listed.")

    entry.refresh_from_db()
    assert entry.supported_by == [["seedbank", SUPPORT["reference"]]]
    assert Event.objects.get(verb="change_keyword").comment == f"Enquiry {enquiry.pk}"
    assert Letter.objects.filter(recipient=registrant, text__contains="It is listed.").exists()
    assert not [words for words in row_verification.verify_rows() if "querykeyword" in words]


def ask(namespace: Namespace, person: User) -> Enquiry:
    return resolution_services.ask_keyword_support(
        namespace,
        actor=person,
        keyword=QueryKeyword.objects.get(pk="c"),
        reference=SUPPORT["reference"],
        demonstration=SUPPORT["demonstration"],
    )


def test_listed_namespace_does_not_ask_again(namespace: Namespace, registrant: User) -> None:
    QueryKeyword.objects.filter(pk="c").update(supported_by=[["seedbank", "RFC 9902"]])

    with expect_refusal("already_listed"):
        ask(namespace, registrant)


@pytest.mark.parametrize("who", ["outsider", "expert", "standards_body"])
def test_nobody_asks_for_a_namespace_of_others(
    who: str, namespace: Namespace, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)

    page = sign_in(person).post("/namespaces/seedbank/services/supported-by/", SUPPORT)

    assert page.status_code == HTTPStatus.FORBIDDEN
    with expect_refusal("not_allowed"):
        ask(namespace, person)


def test_other_registries_there_are_not(registrar: User, sign_in: SignIn) -> None:
    browser = sign_in(registrar)

    answers = [browser.get(f"/registries/others{end}") for end in ("/", ".csv", "/enter/")]

    assert [answer.status_code for answer in answers] == [HTTPStatus.NOT_FOUND] * 3
