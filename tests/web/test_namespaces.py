"""The list of namespaces: filters, order, pages."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.enums import NamespaceKind, NamespaceStatus
from registry.models import RegistrationRequest, User
from tests.factories import NamespaceFactory, OrganizationFactory
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

ROW = re.compile(r'<td class="nid"><a href="/namespaces/([^/]+)/">')


def listed(client: Client, query: str = "") -> list[str]:
    """Return the listed NIDs, in order."""
    return ROW.findall(client.get(f"/namespaces/?{query}").content.decode())


@pytest.fixture
def shelf() -> None:
    """Four namespaces that differ in everything that can be filtered."""
    library = OrganizationFactory.create(name="Public Library of Isby")
    NamespaceFactory.create(
        nid="books",
        summary="Printed matter",
        registrant=library,
        references=["RFC8458"],
        registered_on="2008-07",
    )
    NamespaceFactory.create(
        nid="charts",
        summary="Sea charts",
        registrant=OrganizationFactory.create(name="Harbour Office"),
        registered_on="2010-03-04",
        status=NamespaceStatus.DEPRECATED,
    )
    NamespaceFactory.create(nid="3tides", summary="Tides", registered_on="2008")
    NamespaceFactory.create(
        nid="urn-4", kind=NamespaceKind.INFORMAL, informal_number=4, summary="Buoys"
    )


@pytest.mark.parametrize(
    ("query", "nids"),
    [
        ("", ["3tides", "books", "charts", "urn-4"]),
        ("q=library", ["books"]),
        ("q=PRINTED+isby", ["books"]),
        ("q=RFC+8458", ["books"]),
        ("q=library+chart", []),
        ("kind=formal", ["3tides", "books", "charts"]),
        ("kind=formal&kind=informal", ["3tides", "books", "charts", "urn-4"]),
        ("kind=informal", ["urn-4"]),
        ("status=deprecated", ["charts"]),
        ("kind=informal&status=deprecated", []),
        ("has=text", []),
        ("since=2008", ["3tides", "books", "charts"]),
        ("since=2009", ["charts"]),
        ("until=2008", ["3tides", "books"]),
        ("since=2008&until=2008", ["3tides", "books"]),
        ("until=2007", []),
        ("sort=-nid", ["urn-4", "charts", "books", "3tides"]),
        ("sort=registrant", ["charts", "books", "3tides", "urn-4"]),
        ("sort=-registrant", ["books", "charts", "3tides", "urn-4"]),
        ("sort=registered", ["3tides", "books", "charts", "urn-4"]),
        ("sort=-registered", ["charts", "books", "3tides", "urn-4"]),
        ("sort=nonsense", ["3tides", "books", "charts", "urn-4"]),
    ],
)
@pytest.mark.usefixtures("shelf")
def test_list_shows_what_the_filters_let_through_in_order(
    client: Client, query: str, nids: list[str]
) -> None:
    assert listed(client, query) == nids


@pytest.mark.usefixtures("shelf")
def test_filter_finds_texts_on_file_and_requests_for_change(
    client: Client, approved: RegistrationRequest, registrar: User
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    assert listed(client, "has=text") == ["seedbank"]
    assert listed(client, "has=revision") == []
    assert listed(client, "has=text&has=revision") == []


@pytest.mark.parametrize(
    ("query", "typed", "field", "code"),
    [
        ("since=20x8", "20x8", "since", "invalid"),
        ("until=99999", "99999", "until", "invalid"),
        ("since=٢٠٠٨", "٢٠٠٨", "since", "invalid"),
        ("since=2010&until=2008", "2008", "until", "order"),
        ("q=" + "a" * 201, "a" * 201, "q", "max_length"),
        ("kind=grand", "", "kind", "invalid_choice"),
        ("q=%3Cscript%3E%1b", "&lt;script&gt;", "q", "control_character"),
    ],
)
@pytest.mark.usefixtures("shelf")
def test_invalid_filter_is_explained_and_the_list_stays(
    client: Client, query: str, typed: str, field: str, code: str
) -> None:
    response = client.get(f"/namespaces/?{query}&status=deprecated")

    assert code in error_codes(response, field)
    (error,) = response.context["form"].errors[field]
    assert error in text_of(response)
    assert typed in response.content.decode()
    assert ROW.findall(response.content.decode()) == ["charts"]


@pytest.mark.usefixtures("shelf")
def test_error_is_shown_beside_its_field_and_announced(client: Client) -> None:
    page = client.get("/namespaces/", {"since": "20x8"}).content.decode()

    control = next(tag for tag in re.findall(r"<input[^>]*>", page) if 'name="since"' in tag)
    assert 'aria-invalid="true"' in control
    assert 'aria-describedby="id_since_error"' in control
    assert page.index('id="id_since_error"') < page.index(control)


@pytest.mark.usefixtures("shelf")
def test_choices_say_how_many_they_would_leave(
    client: Client,
) -> None:
    page = text_of(client.get("/namespaces/", {"kind": "formal", "since": "2008"}))

    assert "Formal 3 Informal 0" in page
    assert "Active 2 Deprecated 1 Obsolete 0" in page
    assert all(f"{choice} 0" in page for choice in ("on file", "syntax", "Resolves", "revised"))
    assert "3 namespaces" in page
    assert "Formal, from year 2008" in page


@pytest.mark.usefixtures("shelf")
def test_empty_list_offers_what_is_near_and_a_way_back(client: Client) -> None:
    response = client.get("/namespaces/", {"q": "boks"})

    page = response.content.decode()
    empty = page.partition('class="empty"')[2].partition("</main>")[0]
    assert 'href="/namespaces/books/"' in empty
    assert 'href="/namespaces/"' in empty


@pytest.mark.usefixtures("shelf")
def test_unknown_facts_are_said_to_be_not_known(client: Client) -> None:
    page = text_of(client.get("/namespaces/", {"q": "buoys"}))

    row = page.partition("urn-4 Buoys")[2]
    assert row.count("not known") == 3


@pytest.fixture
def many() -> None:
    """A hundred and twenty namespaces: sixty under a, fifty-nine under b, one digit."""
    for number in range(60):
        NamespaceFactory.create(nid=f"a{number:03}")
    for number in range(59):
        NamespaceFactory.create(nid=f"b{number:03}")
    NamespaceFactory.create(nid="3gpp")


@pytest.mark.usefixtures("many")
def test_long_list_is_divided_and_can_be_shown_whole(client: Client) -> None:
    first, last = listed(client), listed(client, "page=3")

    assert (len(first), len(last)) == (50, 20)
    assert first[0] == "3gpp"
    assert last[-1] == "b058"
    assert len(listed(client, "show=all")) == 120


@pytest.mark.parametrize(("page", "first"), [("999", "b039"), ("-1", "b039"), ("x", "3gpp")])
@pytest.mark.usefixtures("many")
def test_page_number_out_of_range_is_the_nearest_one(client: Client, page: str, first: str) -> None:
    assert listed(client, f"page={page}")[0] == first


@pytest.mark.usefixtures("many")
def test_letter_leads_to_the_page_where_its_names_begin(client: Client) -> None:
    page = client.get("/namespaces/", {"sort": "-nid", "kind": "formal"}).content.decode()

    links = dict(re.findall(r'<li><a href="([^"]+#l-.)"[^>]*>(.)</a>', page))
    places = {text: link.replace("&amp;", "&") for link, text in links.items()}
    assert sorted(places) == ["#", "A", "B"]
    assert places["B"] == "?kind=formal&page=2#l-b"
    target = client.get(f"/namespaces/{places['B'].partition('#')[0]}").content.decode()
    assert target.count('id="l-b"') == 1
    assert ROW.findall(target[target.index('id="l-b"') :])[0] == "b000"


@pytest.mark.usefixtures("many")
def test_next_page_keeps_filters_and_order(client: Client) -> None:
    page = client.get("/namespaces/", {"kind": "formal", "sort": "-nid"}).content.decode()

    found = re.search(r'rel="next" href="([^"]+)"', page)
    assert found is not None
    asked = parse_qs(urlsplit(found[1].replace("&amp;", "&")).query)
    assert asked == {"kind": ["formal"], "sort": ["-nid"], "page": ["2"]}


@pytest.mark.usefixtures("shelf")
def test_heading_sorts_and_a_second_click_reverses(client: Client) -> None:
    once = client.get("/namespaces/", {"sort": "registered"}).content.decode()

    assert '<th scope="col" class="num" aria-sort="ascending"><a href="?sort=-registered">' in once
    assert '<th scope="col"><a href="?sort=nid">' in once


@pytest.mark.usefixtures("many")
def test_list_makes_no_more_queries_for_many_rows_than_for_few(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # The rows, and all counts together; for words, also how often the index has them.
    with django_assert_num_queries(3):
        client.get("/namespaces/", {"q": "3gpp"})
    with django_assert_num_queries(2):
        client.get("/namespaces/", {"show": "all"})


def test_empty_registry_has_an_empty_list(client: Client) -> None:
    assert "0 namespaces" in text_of(client.get("/namespaces/"))


def test_summary_is_text_and_never_markup(client: Client) -> None:
    NamespaceFactory.create(nid="sly", summary="<script>alert(1)</script>")

    for address in ("/namespaces/", "/namespaces/sly/", "/"):
        page = client.get(address).content.decode()
        assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in client.get("/namespaces/").content.decode()
