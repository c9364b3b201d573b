"""The page of results, suggestions, and filters."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from registry.exchange.records import FolderLibrary, ImportResult, import_records
from registry.models import Namespace
from tests.factories import ServiceFactory
from tests.records import FIXTURES
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

LOOKS_LIKE = "Looks like a name of"


@pytest.fixture(autouse=True)
def index(shipped: None) -> None:
    """The registry as shipped, for every test here."""


def test_words_lead_to_one_page_with_the_best_first_and_the_others_in_groups(
    client: Client,
) -> None:
    response = client.get("/find/", {"q": "books"})

    page = text_of(response)
    assert page.index("Best matches isbn") < page.index("Organizations")
    assert '<a class="nid" href="/namespaces/isbn/">isbn</a>' in response.content.decode()


def test_typing_mistake_is_mended_and_said(client: Client) -> None:
    page = text_of(client.get("/find/", {"q": "brodcasting"}))

    assert "“broadcasting”" in page
    assert "ebu" in page


def test_bare_name_is_recognised_and_offered_as_a_urn(client: Client) -> None:
    response = client.get("/find/", {"q": "0-395-36341-1"})

    assert 'href="/inspect/?urn=urn%3Aisbn%3A978-0-395-36341-6"' in response.content.decode()


def test_bare_name_with_a_wrong_digit_is_recognised_as_that(client: Client) -> None:
    page = text_of(client.get("/find/", {"q": "0-395-36341-2"}))

    assert "isbn with a mistake" in page


@pytest.mark.whole
@pytest.mark.parametrize(
    ("typed", "nid"),
    [
        ("2070-1721", "issn"),
        ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "uuid"),
        ("10.1000/182", "doi"),
        ("1.3.6.1.4.1.343", "oid"),
        ("5493001KJTIIGC8Y1R12", "lei"),
        ("978 0 395 36341 6", "isbn"),
        ("0000 0001 2103 2683", "isni"),
        ("RFC 8141", "ietf"),
    ],
)
def test_names_are_recognised_by_the_rule_of_their_namespace(
    client: Client, typed: str, nid: str
) -> None:
    assert f"{LOOKS_LIKE} {nid}" in text_of(client.get("/find/", {"q": typed}))


@pytest.mark.whole
@pytest.mark.parametrize("typed", ["12345", "hello world", "2026-11-23", "10.5", "books"])
def test_other_texts_are_taken_for_no_name(client: Client, typed: str) -> None:
    assert LOOKS_LIKE not in text_of(client.get("/find/", {"q": typed}))


def test_filters_leave_the_namespaces_that_have_what_is_asked_for(client: Client) -> None:
    both = client.get("/find/", {"q": "broadcasting"}).content.decode()
    checked = client.get("/find/", {"q": "broadcasting", "has": "syntax"}).content.decode()

    assert 'href="/namespaces/itu/"' in both
    assert 'href="/namespaces/itu/"' not in checked
    assert 'href="/namespaces/ebu/"' in checked


def test_filter_leaves_the_namespaces_of_which_a_service_resolves_names(client: Client) -> None:
    ServiceFactory.create(namespace=Namespace.objects.get(nid="itu"))

    found = client.get("/find/", {"q": "broadcasting", "has": "resolves"}).content.decode()

    assert 'href="/namespaces/itu/"' in found
    assert 'href="/namespaces/ebu/"' not in found


def test_filter_leaves_the_namespaces_of_which_the_text_is_held(
    client: Client, tmp_path: Path
) -> None:
    itu = Namespace.objects.select_related("provenance").filter(nid="itu")
    document = tmp_path / "urn-formal" / "itu"
    document.parent.mkdir()
    template = (FIXTURES / "plain_flush.txt").read_text("utf-8").replace("fernleaf", "itu")
    document.write_text(template, "utf-8")

    before = client.get("/find/", {"q": "broadcasting", "has": "text"}).content.decode()
    read = list(import_records(itu, FolderLibrary(tmp_path)))
    after = client.get("/find/", {"q": "broadcasting", "has": "text"}).content.decode()

    assert ImportResult.NEW in {each.result for each in read}
    assert 'href="/namespaces/itu/"' not in before
    assert 'href="/namespaces/itu/"' in after
    assert 'href="/namespaces/ebu/"' not in after


@pytest.mark.whole
def test_filters_together_leave_what_has_all_of_it(client: Client) -> None:
    ServiceFactory.create(namespace=Namespace.objects.get(nid="itu"))

    asked = {"q": "broadcasting", "has": ["resolves", "syntax"]}
    found = client.get("/find/", asked).content.decode()

    assert 'href="/namespaces/itu/"' not in found
    assert 'href="/namespaces/ebu/"' not in found


def test_filters_are_folded_until_one_is_set_and_say_how_many_are(client: Client) -> None:
    none = client.get("/find/", {"q": "broadcasting"}).content.decode()
    one = client.get("/find/", {"q": "broadcasting", "has": "syntax"}).content.decode()

    assert '<details class="fold">' in none
    assert "<summary>Filters, 0 set</summary>" in none
    assert '<details class="fold" open>' in one
    assert "<summary>Filters, 1 set</summary>" in one


def test_list_finds_what_search_finds_and_filters_alike(client: Client) -> None:
    page = text_of(client.get("/namespaces/", {"q": "books", "has": ["syntax"]}))

    assert "“books”" in page
    assert "isbn" in page


def test_nothing_found_says_so_and_offers_a_way_on(client: Client) -> None:
    response = client.get("/find/", {"q": "quixotic"})

    assert response.status_code == 200
    assert "“quixotic”" in text_of(response)


@pytest.mark.whole
@pytest.mark.parametrize(
    "typed",
    ['"', "a OR b", "NEAR(a b)", "isbn*", "'; DROP TABLE x", "{stems}: x", "é", "—", "\u0130"],
)
def test_no_text_is_taken_for_an_operator(client: Client, typed: str) -> None:
    assert client.get("/find/", {"q": f"{typed} books"}).status_code == 200
    assert client.get("/find/suggestions/", {"q": typed}).status_code == 200


def test_suggestions_are_options_that_lead_somewhere(client: Client) -> None:
    page = client.get("/find/suggestions/", {"q": "libr"}).content.decode()

    assert 'role="option"' in page
    assert 'data-href="/namespaces/nbn/"' in page


def test_nothing_typed_has_no_suggestions(client: Client) -> None:
    assert "option" not in client.get("/find/suggestions/", {"q": ""}).content.decode()


def test_results_page_asks_the_database_a_bounded_number_of_times(
    client: Client, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        client.get("/find/", {"q": "digital video broadcasting standards for phones"})
