"""The page that inspects one URN."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from registry.models import RegistrationRequest
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_without_a_urn_the_page_asks_for_one(client: Client) -> None:
    for query in ({}, {"urn": "  "}):
        response = client.get("/inspect/", query)

        assert "Inspect a URN" in text_of(response)
        assert 'class="note' not in response.content.decode()


def test_a_name_in_a_registered_namespace_is_taken_apart(client: Client) -> None:
    NamespaceFactory.create(nid="nbn", summary="national bibliography numbers")

    response = client.get(
        "/inspect/", {"urn": "URN:NBN:fi-fe%c3%a42010?+lang=sv?=format=pdf#page=12"}
    )

    page = text_of(response)
    assert "A valid NBN This does not tell you whether the name has been assigned." in page
    assert "Syntax RFC 8141 Well formed." in page
    assert "Scheme URN Case is ignored" in page
    assert "NID NBN Case is ignored. National bibliography numbers, formal" in page
    assert "NSS fi-fe%c3%a42010 The name within nbn." in page
    assert "r-component lang=sv Meant for a resolver. RFC 8141 advises against using it" in page
    assert "q-component format=pdf Passed to the resource. Not compared" in page
    assert "f-component page=12 Used by the reader’s software. Not compared" in page
    assert "One caution, about the r-component." in page
    assert "Canonical form urn:nbn:fi-fe%C3%A42010 Scheme" in page
    assert 'data-copy="urn:nbn:fi-fe%C3%A42010"' in response.content.decode()


def test_components_that_are_not_there_are_not_listed_but_an_empty_fragment_is(
    client: Client,
) -> None:
    without, empty = (
        text_of(client.get("/inspect/", {"urn": urn})) for urn in ("urn:nbn:1", "urn:nbn:1#")
    )

    assert "f-component" not in without
    assert "q-component" not in without
    assert "f-component Used by the reader’s software." in empty


def test_a_name_in_no_registered_namespace_is_well_formed_all_the_same(client: Client) -> None:
    NamespaceFactory.create(nid="isbn", summary="book numbers")

    page = text_of(client.get("/inspect/", {"urn": "urn:isnb:1"}))

    assert "No namespace “isnb” is registered" in page
    assert "isbn Book numbers Two neighbouring characters are swapped" in page
    assert "A valid URN" not in page


def test_a_prefix_written_twice_is_offered_once(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = text_of(client.get("/inspect/", {"urn": "urn:isbn:urn:isbn:0-395-36341-1"}))

    assert "Not a valid ISBN: character 10 cannot be “u”" in page
    assert "Did you mean: urn:isbn:0-395-36341-1 (written with “urn:isbn:” only once)" in page


def test_a_request_for_the_namespace_is_named(
    client: Client, in_review: RegistrationRequest
) -> None:
    page = text_of(client.get("/inspect/", {"urn": "urn:SeedBank:1"}))

    assert f"Requests for this namespace {in_review.reference}" in page


@pytest.mark.parametrize(
    ("typed", "what", "mend", "rule"),
    [
        (
            "urn:nbn:fi-fe2010 03",
            "A space cannot stand in the NSS (character 18).",
            "If it belongs to the name, write it as %20; if not, remove it.",
            "(RFC 8141, section 2)",
        ),
        (
            "urn:nbn:fi?lang=sv",
            "A “?” without “+” or “=” after it cannot stand in a URN (character 11).",
            "Write “?=” before a q-component",
            "(RFC 8141, section 2)",
        ),
        (
            "isbn:978",
            "“i” stands where a URN has its scheme, “urn:” (character 1).",
            "A URN begins with “urn:”",
            "(RFC 8141, section 2)",
        ),
        (
            "urn:nbn",
            "The NSS is missing (after character 7).",
            "After the NID come a colon and the name itself",
            "(RFC 8141, section 2)",
        ),
    ],
    ids=["space in NSS, 2", "bare question mark, 2", "scheme, 2", "no NSS, 2"],
)
def test_what_is_no_urn_is_shown_at_the_character_with_rule_and_mend(
    client: Client, typed: str, what: str, mend: str, rule: str
) -> None:
    response = client.get("/inspect/", {"urn": typed})

    page = text_of(response)
    assert response.status_code == 200
    assert "Not a URN" in page
    assert what in page
    assert mend in page
    assert rule in page
    assert 'class="pinpoint"' in response.content.decode()
    assert 'aria-describedby="verdict"' in response.content.decode()


def test_what_was_typed_stays_in_the_box(client: Client) -> None:
    page = client.get("/inspect/", {"urn": 'urn:nbn:"x"&<y>'}).content.decode()

    assert 'value="urn:nbn:&quot;x&quot;&amp;&lt;y&gt;"' in page
    assert "<y>" not in page


def test_blanks_around_a_name_are_left_out_and_it_is_said(client: Client) -> None:
    page = text_of(client.get("/inspect/", {"urn": " urn:nbn:1\n"}))

    assert "Spaces around what you typed were left out" in page
    assert "No namespace “nbn” is registered" in page


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
    assert "Not a URN The byte %ED at character 9 of “urn” is not UTF-8." in text_of(response)


def test_a_name_too_long_to_draw_says_so(client: Client) -> None:
    page = text_of(client.get("/inspect/", {"urn": "urn:nbn:" + "a" * 3_000 + " " * 3 + "b"}))

    assert "What you typed has 3012 characters, too many to draw here." in page


def test_reading_asks_little_of_the_database(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        NamespaceFactory.create(nid=f"isb{number}")

    # Two of them are for the rules that suggest whole names instead.
    with django_assert_max_num_queries(8):
        client.get("/inspect/", {"urn": "urn:isb:1"})


def test_all_that_is_wrong_is_listed_in_order_and_what_is_right_too(client: Client) -> None:
    NamespaceFactory.create(nid="nbn", summary="national bibliography numbers")

    page = text_of(client.get("/inspect/", {"urn": "urn:nbn:fi-fe2010 03?lang=sv"}))

    findings = page[page.index("All findings, in order") :]
    places = [findings.index(said) for said in ("(character 18)", "(character 21)", "nbn is reg")]
    assert places == sorted(places)
    assert "National bibliography numbers" in findings


def test_repairs_are_links_that_say_what_was_changed(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "urn:nbn:fi 1?x"})

    assert 'href="/inspect/?urn=urn%3Anbn%3Afi1%3F%3Dx"' in response.content.decode()
    assert "urn:nbn:fi1?=x (space removed, “?” read as “?=”)" in text_of(response)


def test_what_each_specification_would_have_said_is_told_in_words(client: Client) -> None:
    response = client.get("/inspect/", {"urn": "urn:example:a?s=I2L#f"})

    page = text_of(response)
    assert "RFC 2141 A URN" in page
    assert "NSS a?s=I2L#f" in page
    assert "query s=I2L; fragment f" in page
    assert "q-component s=I2L; f-component f" in page
    assert "RFC 8141 in force Not a URN" in page
    assert 'href="/inspect/?urn=urn%3Aexample%3Aa%3F%3Ds%3DI2L%23f"' in response.content.decode()


def test_a_name_that_all_specifications_read_alike_says_so(client: Client) -> None:
    page = text_of(client.get("/inspect/", {"urn": "urn:example:a"}))

    assert page.count("The same parts as by RFC 8141.") == 3
    assert "Written by RFC 8141" not in page


def test_the_form_for_reading_is_marked_as_not_canonical(client: Client) -> None:
    decoded, plain = (
        text_of(client.get("/inspect/", {"urn": urn}))
        for urn in ("urn:example:caf%C3%A9", "urn:example:cafe")
    )

    assert "For reading urn:example:café Decoded for reading. This is not a URN" in decoded
    assert "For reading" not in plain


def test_the_result_is_offered_as_data(client: Client) -> None:
    page = client.get("/inspect/", {"urn": "urn:example:a?=b&c#d"}).content.decode()

    address = "/api/v1/urn/parse/?urn=urn%3Aexample%3Aa%3F%3Db%26c%23d"
    assert f'href="{address}"' in page
    assert client.get(address).json()["text"] == "urn:example:a?=b&c#d"


def test_the_three_pages_are_tabs_of_each_other(client: Client) -> None:
    for address in ("/inspect/", "/inspect/compare/", "/inspect/list/"):
        page = client.get(address).content.decode()

        assert f'<a href="{address}" aria-current="page">' in page
        assert page.count('href="/inspect/list/"') == 1


def test_a_name_that_follows_the_rule_of_its_namespace_is_told_so_and_explained(
    client: Client,
) -> None:
    NamespaceFactory.create(nid="isbn")

    page = text_of(client.get("/inspect/", {"urn": "urn:isbn:0395363411"}))

    assert "A valid ISBN This does not tell you" in page
    assert "Not looked at: Whether the hyphens stand where the ranges of the agency" in page
    assert "Registration of isbn by the International ISBN Agency, version 2 (2017)" in page
    assert "Registrant 395; Publication 36341; Check digit 1" in page
    assert "Canonical form urn:isbn:0395363411" in page
    assert "Form preferred by isbn urn:isbn:978-0-395-36341-6 The way isbn prefers" in page


@pytest.mark.parametrize(
    ("name", "title", "said"),
    [
        (
            "urn:isbn:978-0-395-36341-5",
            "Not a valid ISBN: the check digit should be 6, not 5",
            "Did you mean: urn:isbn:978-0-395-36341-6",
        ),
        (
            "urn:nbn:f1-x",
            "Not a valid NBN: character 10 cannot be “1”",
            "RFC 8458, sections 4.2 and 4.3",
        ),
        (
            "urn:nbn:hr:217:395837",
            "May not be a valid NBN",
            "A hyphen should part prefix and number",
        ),
        (
            "urn:nbn:fi-" + "a" * 100_000,
            "A URN that could not be checked as NBN",
            "We do not decide about",
        ),
        (
            "urn:unruled:1",
            "A well-formed URN in a registered namespace",
            "We hold no rule for names in unruled, so only RFC 8141 was checked.",
        ),
    ],
    ids=["check digit", "grammar", "caution", "not decided", "no rule"],
)
def test_the_worst_finding_is_the_one_result_and_the_syntax_a_line_of_the_table(
    client: Client, name: str, title: str, said: str
) -> None:
    for nid in ("isbn", "nbn", "unruled"):
        NamespaceFactory.create(nid=nid)

    response = client.get("/inspect/", {"urn": name})

    page = text_of(response)
    assert title in page
    assert said in page
    assert "Syntax RFC 8141 Well formed" in page
    assert response.content.decode().count('class="note') == 1


def test_a_repaired_name_is_a_link(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = client.get("/inspect/", {"urn": "urn:isbn:0-395-36341-2"}).content.decode()

    assert 'href="/inspect/?urn=urn%3Aisbn%3A0-395-36341-1"' in page


def test_a_wrong_identifier_is_offered_with_the_whole_name(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = text_of(client.get("/inspect/", {"urn": "urn:isnb:978-0-395-36341-6#page"}))

    assert "Did you mean: urn:isbn:978-0-395-36341-6#page (“isnb” read as “isbn”)" in page


def test_a_bare_name_is_offered_as_a_urn(client: Client) -> None:
    page = text_of(client.get("/inspect/", {"urn": "0-395-36341-1"}))

    assert "Did you mean: urn:isbn:978-0-395-36341-6 (read as a name in isbn)" in page


def test_where_a_name_leads_comes_right_after_the_result(client: Client) -> None:
    NamespaceFactory.create(nid="isbn")

    page = text_of(client.get("/inspect/", {"urn": "urn:isbn:0395363411"}))

    assert page.index("A valid ISBN") < page.index("Where it resolves") < page.index("Scheme urn")


def test_earlier_specifications_are_folded_away(client: Client) -> None:
    page = client.get("/inspect/", {"urn": "urn:isbn:0395363411"}).content.decode()

    assert '<details class="panel" id="specifications">' in page


def test_the_character_that_is_against_the_rule_is_boxed(client: Client) -> None:
    NamespaceFactory.create(nid="nbn")

    page = client.get("/inspect/", {"urn": "URN:NBN:f1-x#page"}).content.decode()

    assert 'data-at="character 10">1<' in page


def test_names_of_no_registered_namespace_are_measured_by_no_rule(client: Client) -> None:
    page = text_of(client.get("/inspect/", {"urn": "urn:isbn:1"}))

    assert "No namespace “isbn” is registered" in page
    assert "rule of isbn" not in page


def test_a_rule_and_where_a_name_resolves_cost_few_questions_of_the_database(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    NamespaceFactory.create(nid="isbn")

    with django_assert_max_num_queries(6):
        client.get("/inspect/", {"urn": "urn:isbn:9780395363416"})
