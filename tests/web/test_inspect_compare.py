"""The page that compares two URNs."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def test_without_two_names_the_page_asks_for_them_and_keeps_the_one(client: Client) -> None:
    response = client.get("/inspect/compare/", {"a": "urn:isbn:1"})

    page = response.content.decode()
    assert "First URN" in text_of(response)
    assert 'value="urn:isbn:1"' in page
    assert 'class="note' not in page


@pytest.mark.parametrize(
    ("first", "second", "verdict", "decided"),
    [
        (
            "urn:example:a",
            "urn:example:a",
            "The same name They are identical, character by character.",
            ["Everything that counts is the same."],
        ),
        (
            "URN:example:a",
            "urn:Example:a",
            "The same name They are written differently, in ways that RFC 8141 ignores.",
            [
                "The scheme differs in case alone, which is ignored.",
                "The NIDs differ in case alone, which is ignored.",
            ],
        ),
        (
            "urn:example:%c3",
            "urn:example:%C3",
            "The same name",
            ["The hexadecimal digits of percent-encodings differ in case alone"],
        ),
        (
            "urn:example:a?+x?=y#z",
            "urn:example:a",
            "The same name",
            [
                "The r-components differ; they are left out of the comparison.",
                "The q-components differ",
                "The f-components differ",
            ],
        ),
        (
            "urn:example:a",
            "urn:examples:a",
            "Different names by RFC 8141 Their NIDs differ",
            ["The NIDs differ, first at character 12 of the one and character 12 of the other."],
        ),
        (
            "urn:example:%61bc",
            "urn:EXAMPLE:abc",
            "Different names by RFC 8141 Their NSSs differ.",
            [
                "The NIDs differ in case alone, which is ignored.",
                "The NSSs differ, first at character 13 of the one and character 13 of the other.",
            ],
        ),
    ],
    ids=[
        "the same",
        "case, 3.1",
        "percent, 3.1",
        "components, 3.1",
        "NID, 3.1",
        "decodes not, 3.1",
    ],
)
def test_two_names_are_compared_and_the_rule_that_decided_is_named(
    client: Client, first: str, second: str, verdict: str, decided: list[str]
) -> None:
    page = text_of(client.get("/inspect/compare/", {"a": first, "b": second}))

    assert verdict in page
    assert [rule for rule in decided if rule not in page] == []
    assert "RFC 8141, section 3.1" in page


def test_the_first_character_that_differs_is_boxed_in_both(client: Client) -> None:
    page = client.get("/inspect/compare/", {"a": "urn:a1:xy", "b": "urn:a1:x"}).content.decode()

    assert 'data-at="character 9">y<' in page
    assert 'data-at="the end, after character 8"' in page


def test_what_is_no_urn_is_pinpointed_and_not_compared(client: Client) -> None:
    page = text_of(client.get("/inspect/compare/", {"a": "urn:nbn:a b", "b": "urn:nbn:ab"}))

    assert "They cannot be compared" in page
    assert "A space cannot stand in the NSS (character 10)." in page
    assert page.count("Inspect it") == 1


def test_the_page_of_one_name_leads_to_the_comparison(client: Client) -> None:
    page = client.get("/inspect/", {"urn": 'urn:nbn:x?="'.replace('"', "'")}).content.decode()

    assert '<form class="finder" action="/inspect/compare/">' in page
    assert '<input type="hidden" name="a" value="urn:nbn:x?=&#x27;">' in page


@pytest.mark.parametrize("text", ["urn:x1:" + "a" * 100_000, "\x00" * 50_000, "urn:x1:a\u2028"])
def test_hostile_texts_are_answered(client: Client, text: str) -> None:

    with stopped_if_endless():
        response = client.get("/inspect/compare/", {"a": text, "b": text + "b"})

    assert response.status_code == 200
    assert "\x00" not in text_of(response).replace(text, "")


def test_two_names_that_only_their_namespace_makes_the_same_are_told_apart_by_the_rfc(
    client: Client,
) -> None:
    NamespaceFactory.create(nid="nbn")

    page = text_of(
        client.get("/inspect/compare/", {"a": "urn:nbn:fi-fe1", "b": "urn:nbn:FI-fe1?=x"})
    )

    assert "Same name, by a rule of nbn" in page
    assert "By RFC 8141 alone they differ. The NSSs differ, first at character 9" in page
    assert "their namespace does not count the case of letters in “prefix”." in page
    assert "RFC 8458, section 4" in page
    assert "The q-components differ; they are left out of the comparison." in page


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("urn:nbn:fi-fe1", "urn:nbn:fi-FE1", "their namespace has nothing that merges them."),
        ("urn:nbn:F1-x", "urn:nbn:f1-x", "one of them is against the rule of both."),
        ("urn:unruled:a", "urn:unruled:A", "We hold no rule for unruled"),
    ],
    ids=["nothing merges", "against the rule", "no rule"],
)
def test_names_that_their_namespace_keeps_apart_say_why(
    client: Client, first: str, second: str, said: str
) -> None:
    for nid in ("nbn", "unruled"):
        NamespaceFactory.create(nid=nid)

    page = text_of(client.get("/inspect/compare/", {"a": first, "b": second}))

    assert "Different names by RFC 8141" in page
    assert said in page
    assert "Same name" not in page


def test_a_namespace_that_nobody_registered_merges_nothing(client: Client) -> None:
    page = text_of(client.get("/inspect/compare/", {"a": "urn:nbn:fi-1", "b": "urn:nbn:FI-1"}))

    assert "Different names by RFC 8141" in page
    assert "rule of nbn" not in page
