"""The page that compares two URNs."""

from __future__ import annotations

import pytest
from django.test import Client

from registry.inspection import ComparedPair
from tests.endless import stopped_if_endless
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


def compare(client: Client, first: str, second: str) -> ComparedPair:
    """Return what the page is about."""
    pair: ComparedPair = client.get("/inspect/compare/", {"a": first, "b": second}).context["pair"]
    return pair


def test_page_without_two_names_asks_for_them_and_keeps_the_one(client: Client) -> None:
    page = client.get("/inspect/compare/", {"a": "urn:isbn:1"}).content.decode()

    assert 'name="b"' in page
    assert 'value="urn:isbn:1"' in page
    assert 'class="note' not in page


@pytest.mark.parametrize(
    ("first", "second", "verdict", "decided"),
    [
        ("urn:example:a", "urn:example:a", "The same name", []),
        ("URN:example:a", "urn:Example:a", "The same name", ["The scheme", "The NIDs"]),
        ("urn:example:%c3", "urn:example:%C3", "The same name", ["hexadecimal digits"]),
        (
            "urn:example:a?+x?=y#z",
            "urn:example:a",
            "The same name",
            ["r-components", "q-components", "f-components"],
        ),
        ("urn:example:a", "urn:examples:a", "Different names", ["The NIDs", "at character 12"]),
        (
            "urn:example:%61bc",
            "urn:EXAMPLE:abc",
            "Different names",
            ["The NIDs", "The NSSs", "at character 13"],
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
def test_names_are_compared_and_the_rule_that_decided_is_named(
    client: Client, first: str, second: str, verdict: str, decided: list[str]
) -> None:
    page = text_of(client.get("/inspect/compare/", {"a": first, "b": second}))

    result, _heading, grounds = page.partition("What decided")
    named = {"The scheme", "The NIDs", "The NSSs", "hexadecimal digits"}
    named |= {"r-components", "q-components", "f-components"}
    assert verdict in result
    assert {rule for rule in named if rule in grounds} == {
        ground for ground in decided if not ground.startswith("at ")
    }
    assert all(ground in grounds for ground in decided)
    assert "RFC 8141, section 3.1" in grounds


def test_first_character_that_differs_is_boxed_in_both(client: Client) -> None:
    page = client.get("/inspect/compare/", {"a": "urn:a1:xy", "b": "urn:a1:x"}).content.decode()

    assert 'data-at="character 9">y<' in page
    assert page.count("<mark data-at=") == 2
    assert "after character 8" in page


def test_text_that_is_no_urn_is_pinpointed_and_not_compared(client: Client) -> None:
    response = client.get("/inspect/compare/", {"a": "urn:nbn:a b", "b": "urn:nbn:ab"})

    pair = response.context["pair"]
    assert (pair.comparison, pair.malformed) == (None, (pair.first,))
    assert pair.first.error.position == 9
    page = response.content.decode()
    assert 'class="note bad"' in page
    assert page.count('class="pinpoint"') == 1
    assert pair.first.error.message in text_of(response)


def test_page_of_one_name_leads_to_the_comparison(client: Client) -> None:
    page = client.get("/inspect/", {"urn": 'urn:nbn:x?="'.replace('"', "'")}).content.decode()

    form = page.partition('action="/inspect/compare/"')[2].partition("</form>")[0]
    assert 'name="a" value="urn:nbn:x?=&#x27;"' in form
    assert 'name="b"' in form


@pytest.mark.parametrize("text", ["urn:x1:" + "a" * 100_000, "\x00" * 50_000, "urn:x1:a\u2028"])
def test_hostile_texts_are_answered(client: Client, text: str) -> None:

    with stopped_if_endless():
        response = client.get("/inspect/compare/", {"a": text, "b": text + "b"})

    assert response.status_code == 200
    assert "\x00" not in text_of(response).replace(text, "")


def test_names_that_only_their_namespace_merges_differ_by_the_rfc(
    client: Client,
) -> None:
    NamespaceFactory.create(nid="nbn")

    response = client.get("/inspect/compare/", {"a": "urn:nbn:fi-fe1", "b": "urn:nbn:FI-fe1?=x"})

    pair = response.context["pair"]
    assert (pair.is_merged, pair.comparison.is_equivalent) == (True, False)
    page = text_of(response)
    assert "by a rule of nbn" in page
    assert "first at character 9" in page
    assert pair.by_namespace.message in page
    assert "RFC 8458, section 4" in page
    assert "q-components" in page


@pytest.mark.parametrize(
    ("first", "second", "nid"),
    [
        ("urn:nbn:fi-fe1", "urn:nbn:fi-FE1", "nbn"),
        ("urn:nbn:F1-x", "urn:nbn:f1-x", "nbn"),
        ("urn:unruled:a", "urn:unruled:A", "unruled"),
    ],
    ids=["nothing merges", "against the rule", "no rule"],
)
def test_names_that_their_namespace_keeps_apart_say_why(
    client: Client, first: str, second: str, nid: str
) -> None:
    for known in ("nbn", "unruled"):
        NamespaceFactory.create(nid=known)

    response = client.get("/inspect/compare/", {"a": first, "b": second})

    pair, page = response.context["pair"], text_of(response)
    assert (pair.is_merged, pair.comparison.is_equivalent) == (False, False)
    assert "Different names" in page
    why = pair.by_namespace.message if pair.by_namespace is not None else f"no rule for {nid}"
    assert why in page.partition("What decided")[2]


def test_namespace_that_nobody_registered_merges_nothing(client: Client) -> None:
    pair = compare(client, "urn:nbn:fi-1", "urn:nbn:FI-1")

    assert pair.comparison
    assert not pair.comparison.is_equivalent
    assert pair.by_namespace is None


def test_texts_that_only_a_draft_takes_for_urns_are_compared_by_both_of_its_steps(
    client: Client,
) -> None:
    page = text_of(
        client.get("/inspect/compare/", {"a": "urn:ab:c?a=1&b=2", "b": "URN:ab:c?b=2&a=1"})
    )

    assert "draft -03, step 5a: the same" in page
    assert "draft -03, step 5b: the same" in page
    assert "RFC 8141: not compared" in page
