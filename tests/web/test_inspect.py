"""The page that inspects one URN."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from registry.http.query_string import NotUTF8
from registry.inspection import Inspection, ResultKind
from registry.models import RegistrationRequest
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory, ServiceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def inspect(client: Client, urn: str) -> Inspection:
    """Return what the page is about."""
    found: Inspection = client.get("/inspect/", {"urn": urn}).context["inspection"]
    return found


def test_page_without_a_urn_asks_for_one(client: Client) -> None:
    for query in ({}, {"urn": "  "}):
        page = client.get("/inspect/", query).content.decode()

        assert 'name="urn"' in page
        assert 'class="note' not in page


def test_name_in_a_registered_namespace_is_taken_apart(client: Client) -> None:
    NamespaceFactory.create(nid="nbn", summary="national bibliography numbers")

    response = client.get(
        "/inspect/", {"urn": "URN:NBN:fi-fe%c3%a42010?+lang=sv?=format=pdf#page=12"}
    )

    page = text_of(response)
    assert "A valid NBN" in page
    assert "Scheme URN" in page
    assert "NID NBN" in page
    assert "National bibliography numbers, formal" in page
    assert "NSS fi-fe%c3%a42010" in page
    assert "r-component lang=sv" in page
    assert "q-component format=pdf" in page
    assert "f-component page=12" in page
    assert "Canonical form urn:nbn:fi-fe%C3%A42010" in page
    assert 'data-copy="urn:nbn:fi-fe%C3%A42010"' in response.content.decode()


def test_valid_name_is_not_said_to_be_assigned_in_so_many_words(client: Client) -> None:
    NamespaceFactory.create(nid="nbn")

    page = text_of(client.get("/inspect/", {"urn": "urn:nbn:fi-fe2010"}))

    assert "This does not tell you whether the name has been assigned." in page


def test_components_are_listed_if_they_are_there_even_empty(
    client: Client,
) -> None:
    without, empty = (
        text_of(client.get("/inspect/", {"urn": urn})) for urn in ("urn:nbn:1", "urn:nbn:1#")
    )

    assert "f-component" not in without
    assert "q-component" not in without
    assert "f-component" in empty


def test_name_in_no_registered_namespace_is_well_formed_all_the_same(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")

    response = client.get("/inspect/", {"urn": "urn:isnb:1"})

    found = response.context["inspection"]
    assert (found.result.kind, found.error) == (ResultKind.UNREGISTERED, None)
    assert [alike.nid for alike in found.near] == ["isbn"]
    assert "isbn Book numbers" in text_of(response)


def test_prefix_written_twice_is_offered_once(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.get("/inspect/", {"urn": "urn:isbn:urn:isbn:0-395-36341-1"})

    result = response.context["inspection"].result
    assert (result.kind, result.position) == (ResultKind.INVALID, 9)
    assert 'href="/inspect/?urn=urn%3Aisbn%3A0-395-36341-1"' in response.content.decode()


def test_request_for_the_namespace_is_named(client: Client, in_review: RegistrationRequest) -> None:
    page = client.get("/inspect/", {"urn": "urn:SeedBank:1"}).content.decode()

    assert f'<a href="{in_review.get_absolute_url()}">{in_review.reference}</a>' in page


@pytest.mark.parametrize(
    ("typed", "component", "position"),
    [
        ("urn:nbn:fi-fe2010 03", "nss", 17),
        ("urn:nbn:fi?lang=sv", "nss", 10),
        ("isbn:978", "scheme", 0),
        ("urn:nbn", "nss", 7),
    ],
    ids=["space in NSS, 2", "bare question mark, 2", "scheme, 2", "no NSS, 2"],
)
def test_text_that_is_no_urn_is_shown_at_the_character_with_rule_and_mend(
    client: Client, typed: str, component: str, position: int
) -> None:
    response = client.get("/inspect/", {"urn": typed})

    page, error = text_of(response), response.context["inspection"].error
    assert response.status_code == 200
    assert (error.component, error.position) == (component, position)
    assert "(RFC 8141, section 2)" in error.rule
    assert all(part in page for part in (error.message, error.mend, error.rule))
    assert 'class="pinpoint"' in response.content.decode()
    assert 'aria-describedby="verdict"' in response.content.decode()


def test_typed_text_stays_in_the_box(client: Client) -> None:
    page = client.get("/inspect/", {"urn": 'urn:nbn:"x"&<y>'}).content.decode()

    assert 'value="urn:nbn:&quot;x&quot;&amp;&lt;y&gt;"' in page
    assert "<y>" not in page


def test_spaces_around_a_name_are_left_out_and_the_page_says_so(client: Client) -> None:
    response = client.get("/inspect/", {"urn": " urn:nbn:1\n"})

    assert response.context["inspection"].text == "urn:nbn:1"
    assert "Spaces around" in text_of(response)
    assert "Spaces around" not in text_of(client.get("/inspect/", {"urn": "urn:nbn:1"}))


@pytest.mark.parametrize(
    "typed",
    [
        "urn:nbn:" + "a" * 100_000,
        "urn:nbn:" + "%" * 100_000,
        "urn:" + "n" * 100_000,
        "x" * 100_000,
        "urn:nbn:" + "?" * 100_000,
        "urn:nbn:a" + "\x00" * 50_000,
        "urn:nbn:a\u202e\x1b[31m\x00\n\r\u2028",
        "urn:nbn:\ufeff\u200b",
        "urn:ｎbn:x",
    ],
    ids=["long", "percents", "long NID", "no scheme", "marks", "NULs", "controls", "BOM", "wide"],
)
def test_hostile_text_is_answered(client: Client, typed: str) -> None:

    with stopped_if_endless():
        response = client.get("/inspect/", {"urn": typed})

    assert response.status_code == 200
    assert "\x1b" not in text_of(response)


def test_octets_that_are_no_text_are_answered(client: Client) -> None:
    response = client.get("/inspect/?urn=urn:nbn:%ED%A0%80%FF")

    assert response.status_code == 400
    assert isinstance(response.context["error"], NotUTF8)
    assert "%ED at character 9" in text_of(response)


def test_name_too_long_to_draw_is_counted(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "urn:nbn:" + "a" * 3_000 + " " * 3 + "b"})

    assert "3012 characters" in text_of(response)
    assert 'class="pinpoint"' not in response.content.decode()


def test_inspection_makes_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        NamespaceFactory.create(nid=f"isb{number}")

    # Two of them are for the rules that suggest whole names instead.
    with django_assert_max_num_queries(8):
        client.get("/inspect/", {"urn": "urn:isb:1"})


def test_findings_are_listed_in_order_good_ones_last(client: Client) -> None:
    NamespaceFactory.create(nid="nbn", summary="national bibliography numbers")

    response = client.get("/inspect/", {"urn": "urn:nbn:fi-fe2010 03?lang=sv"})

    problems = response.context["inspection"].problems
    assert [problem.position for problem in problems] == [17, 20]
    findings = text_of(response).partition("All findings")[2]
    passed = findings.index("National bibliography numbers")
    order = [*(findings.index(problem.message) for problem in problems), passed]
    assert order == sorted(order)


def test_repairs_are_links_that_say_what_was_changed(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "urn:nbn:fi 1?x"})

    assert 'href="/inspect/?urn=urn%3Anbn%3Afi1%3F%3Dx"' in response.content.decode()
    repair = response.context["inspection"].repairs[0]
    assert len(repair.changes) == 2
    assert f"urn:nbn:fi1?=x ({', '.join(repair.changes)})" in text_of(response)


def test_each_specification_is_listed_with_its_reading(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "urn:example:a?s=I2L#f"})

    readings = response.context["specifications"]
    assert [
        (reading.title.rpartition("-")[2], reading.reading.is_valid) for reading in readings
    ] == [("RFC 2141", True), ("03", True), ("12", True), ("RFC 8141", False)]
    page = text_of(response)
    assert "NSS a?s=I2L#f" in page
    assert "query s=I2L; fragment f" in page
    assert "q-component s=I2L; f-component f" in page
    assert 'href="/inspect/?urn=urn%3Aexample%3Aa%3F%3Ds%3DI2L%23f"' in response.content.decode()


def test_specifications_that_read_a_name_alike_are_said_to(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "urn:example:a"})

    readings = response.context["specifications"]
    assert [(reading.differing, reading.converted) for reading in readings] == [({}, "")] * 4
    assert text_of(response).count("The same parts") == 3


def test_decoded_form_is_marked_as_not_canonical(client: Client) -> None:
    decoded, plain = (
        text_of(client.get("/inspect/", {"urn": urn}))
        for urn in ("urn:example:caf%C3%A9", "urn:example:cafe")
    )

    assert "urn:example:café Decoded for reading." in decoded
    assert "Decoded for reading." not in plain


def test_result_is_offered_as_data(client: Client) -> None:
    page = client.get("/inspect/", {"urn": "urn:example:a?=b&c#d"}).content.decode()

    address = "/api/v1/urn/parse/?urn=urn%3Aexample%3Aa%3F%3Db%26c%23d"
    assert f'href="{address}"' in page
    assert client.get(address).json()["text"] == "urn:example:a?=b&c#d"


def test_pages_are_tabs_of_each_other(client: Client) -> None:
    for address in ("/inspect/", "/inspect/compare/", "/inspect/list/"):
        page = client.get(address).content.decode()

        assert f'<a href="{address}" aria-current="page">' in page
        assert page.count('href="/inspect/list/"') == 1


def test_name_that_follows_its_rule_is_explained(
    client: Client,
) -> None:
    NamespaceFactory.create(nid="isbn")

    response = client.get("/inspect/", {"urn": "urn:isbn:0395363411"})

    page, found = text_of(response), response.context["inspection"]
    assert found.result.kind == ResultKind.VALID
    assert found.finding.left_open in page
    assert f"Names in isbn are also checked by a rule: {found.finding.document}" in page
    assert "The name within isbn. Registration group 0;" in page
    assert "Registrant 395; Publication 36341; Check digit 1" in page
    assert "Canonical form urn:isbn:0395363411" in page
    assert 'data-copy="urn:isbn:978-0-395-36341-6"' in response.content.decode()


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [
        (
            "urn:isbn:978-0-395-36341-5",
            ResultKind.INVALID,
            "Did you mean: urn:isbn:978-0-395-36341-6",
        ),
        ("urn:nbn:f1-x", ResultKind.INVALID, "RFC 8458, sections 4.2 and 4.3"),
        ("urn:nbn:hr:217:395837", ResultKind.DOUBTFUL, "RFC 8458"),
        ("urn:nbn:fi-" + "a" * 100_000, ResultKind.NOT_DECIDED, "RFC 8458"),
        ("urn:unruled:1", ResultKind.UNCHECKED, "RFC 8141"),
    ],
    ids=["check digit", "grammar", "caution", "not decided", "no rule"],
)
def test_worst_finding_is_the_one_result_and_the_syntax_a_row(
    client: Client, name: str, kind: ResultKind, shown: str
) -> None:
    for nid in ("isbn", "nbn", "unruled"):
        NamespaceFactory.create(nid=nid)

    response = client.get("/inspect/", {"urn": name})

    result = response.context["inspection"].result
    assert result.kind == kind
    verdict = text_of(response).partition(result.title)[2]
    assert verdict.index(result.detail) < verdict.index("Syntax RFC 8141")
    assert shown in verdict
    assert response.content.decode().count('class="note') == 1


def test_repaired_name_is_a_link(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = client.get("/inspect/", {"urn": "urn:isbn:0-395-36341-2"}).content.decode()

    assert 'href="/inspect/?urn=urn%3Aisbn%3A0-395-36341-1"' in page


def test_similar_identifier_is_offered_with_the_whole_name(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = client.get("/inspect/", {"urn": "urn:isnb:978-0-395-36341-6#page"}).content.decode()

    assert 'href="/inspect/?urn=urn%3Aisbn%3A978-0-395-36341-6%23page"' in page


def test_bare_name_is_offered_as_a_urn(client: Client) -> None:
    page = client.get("/inspect/", {"urn": "0-395-36341-1"}).content.decode()

    assert 'href="/inspect/?urn=urn%3Aisbn%3A978-0-395-36341-6"' in page


def test_resolution_comes_right_after_the_result(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = text_of(client.get("/inspect/", {"urn": "urn:isbn:0395363411"}))

    assert page.index("A valid ISBN") < page.index("Where it resolves") < page.index("Scheme urn")


def test_wrong_name_is_offered_no_resolver(client: Client) -> None:
    namespace = NamespaceFactory.create(nid="isbn")
    ServiceFactory.create(namespace=namespace)

    right, wrong = (
        client.get("/inspect/", {"urn": f"urn:isbn:039536341{digit}"}).content.decode()
        for digit in "12"
    )

    assert 'id="where-it-resolves"' in right
    assert 'id="where-it-resolves"' not in wrong


def test_earlier_specifications_are_folded_away(client: Client) -> None:
    page = client.get("/inspect/", {"urn": "urn:isbn:0395363411"}).content.decode()

    assert '<details class="panel" id="specifications">' in page


def test_character_against_the_rule_is_boxed(client: Client) -> None:
    NamespaceFactory.create(nid="nbn")

    page = client.get("/inspect/", {"urn": "URN:NBN:f1-x#page"}).content.decode()

    assert 'data-at="character 10">1<' in page


def test_names_in_no_registered_namespace_are_checked_by_no_rule(client: Client) -> None:
    found = inspect(client, "urn:isbn:1")

    assert (found.result.kind, found.finding) == (ResultKind.UNREGISTERED, None)


def test_rule_and_resolution_make_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    NamespaceFactory.create(nid="isbn")

    # Five of them read its namespace, and three how it is resolved.
    with django_assert_max_num_queries(8):
        client.get("/inspect/", {"urn": "urn:isbn:9780395363416"})
