"""Bioregistry's paths, compared with its own web application on our registry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from starlette.testclient import TestClient

from registry import workflow
from registry.exchange.exports.bioregistry import PrefixIndex, find_name_pattern, fold_prefix
from registry.exchange.exports.entries import NamespaceEntry
from registry.models import Organization, Registration, RegistrationRequest, User
from tests.costs import not_counting
from tests.exchange.exports.conftest import Fetch
from tests.factories import NamespaceFactory, let_speak_for

SHOWN = {"METAREGISTRY_EXAMPLE_PREFIX": "isbn", "METAREGISTRY_EXAMPLE_IDENTIFIER": "0451450523"}

ALIKE = (
    "/api/registry",
    "/api/registry/isbn",
    "/api/registry/ISBN",
    "/api/registry/urn-7",
    "/api/registry/URN_7",
    "/api/registry/seedbank",
    "/api/registry/c2pa",
    "/api/registry/nope",
    "/api/search",
    "/api/search?q=",
    "/api/search?q=is",
    "/api/search?q=IS-B",
    "/api/search?q=urn",
    "/api/search?q=seed%0Abank",
    "/api/search?q=nope",
    "/api/autocomplete",
    "/api/autocomplete?q=isb",
    "/api/autocomplete?q=nope:1",
    "/api/context.jsonld",
    "/api/context.jsonld?prefix=isbn",
    "/api/context.jsonld?prefix=isbn,%20ISSN,nope&prefix=lex",
    "/api/reference/nope:1",
    "/api/reference/isbn:0451450523?format=nope",
)


@pytest.fixture
def theirs(fetch: Fetch) -> TestClient:
    """Bioregistry's application with our namespaces as its registry."""
    # Importing it takes seconds and starts a process, and only these tests need it.
    with not_counting():
        from bioregistry import Manager, Resource
        from bioregistry.app.impl import get_app

    records = json.loads(fetch("bioregistry.json"))
    manager = Manager(
        registry={prefix: Resource(**facts) for prefix, facts in records.items()},
        metaregistry={},
        collections={},
        contexts={},
    )
    app = get_app(manager=manager, config=dict(SHOWN), first_party=False, return_flask=False)
    return TestClient(app, raise_server_exceptions=False, follow_redirects=False)


def said(answer: Any) -> tuple[int, str, Any]:
    """Return a response's status, media type and value."""
    kind = answer.headers["Content-Type"]
    return answer.status_code, kind, without_nothing(answer.json())


def without_nothing(value: Any) -> Any:
    """Return the value without explicit nulls."""
    if isinstance(value, dict):
        return {key: without_nothing(each) for key, each in value.items() if each is not None}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value


def test_each_path_is_answered_as_bioregistry_answers_it(
    client: Client, theirs: TestClient
) -> None:
    ours = {path: said(client.get(path)) for path in ALIKE}

    assert ours == {path: said(theirs.get(path)) for path in ALIKE}


def test_autocompletion_leads_to_pages_of_this_site(client: Client, theirs: TestClient) -> None:
    for typed, here in (
        ("isbn", "/namespaces/isbn/"),
        ("isbn:0451450523", "/resolve/urn:isbn:0451450523"),
        ("ISBN:0451450523", "/resolve/urn:isbn:0451450523"),
    ):
        ours = client.get("/api/autocomplete", {"q": typed}).json()
        other = theirs.get("/api/autocomplete", params={"q": typed}).json()

        assert ours.pop("url") == here
        assert other.pop("url") == f"/{typed.lower()}"
        assert ours == other


def test_name_is_known_as_a_urn_and_to_our_resolver(client: Client, theirs: TestClient) -> None:
    ours = client.get("/api/reference/ISBN:0451450523").json()
    other = theirs.get("/api/reference/ISBN:0451450523").json()

    assert ours["query"] == other["query"]
    assert ours["providers"]["default"] == other["providers"]["default"] == "urn:isbn:0451450523"
    assert ours["providers"]["registry"].endswith("/resolve/urn:isbn:0451450523")


def test_name_may_have_colons_of_its_own(client: Client, theirs: TestClient) -> None:
    path = "/api/reference/lex:br:federal:lei:2008-06-19;11705"

    ours = client.get(path)

    assert ours.json()["query"] == {
        "prefix": "lex",
        "identifier": "br:federal:lei:2008-06-19;11705",
    }
    assert theirs.get(path).json() == {"detail": "invalid prefix: lex:br:federal:lei"}


@pytest.fixture
def spoken_for(organization: Organization, registrant: User) -> None:
    """The registrant speaks for the organization, which holds a namespace."""
    let_speak_for(organization, registrant)


def test_name_that_does_not_fit_is_refused_with_the_expression(
    client: Client,
    theirs: TestClient,
    spoken_for: None,
    informal_approved: RegistrationRequest,
    registrar: User,
) -> None:
    workflow.perform(informal_approved, "register", actor=registrar, references=["Letter"])
    nid, pattern = "urn-9", "^[a-z]{2,5}:[0-9]{4}(?::d[1-9][0-9]{0,2})?$"

    fits, refused = (client.get(f"/api/reference/{nid}:{name}") for name in ("ab:1234", "ab:12"))
    typed = client.get(f"/api/autocomplete?q={nid}:ab:12").json()

    assert fits.json()["providers"]["default"] == f"urn:{nid}:ab:1234"
    assert refused.status_code == 404
    assert refused.json() == {"detail": f"invalid identifier: {nid}:ab:12 for pattern {pattern}"}
    assert typed["pattern"] == pattern
    assert (typed["success"], typed["reason"], typed["url"]) == (False, "failed validation", None)


def test_rules_in_abnf_are_told_as_expressions_of_what_follows_the_prefix(
    registered: None, client: Client, theirs: TestClient
) -> None:
    ours = client.get("/api/registry/isbn").json()["pattern"]
    refused = [each.get("/api/reference/isbn:12") for each in (client, theirs)]

    assert ours == "^(?:97[89](?:-?[0-9]){10}|[0-9](?:-?[0-9]){8}-?[0-9Xx])$"
    assert [each.status_code for each in refused] == [404, 404]
    assert refused[0].json() == refused[1].json()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "start", "text", "pattern"),
    [
        ("abnf", "", 'nss = "a" 2DIGIT', "^[Aa][0-9]{2}$"),
        ("abnf", "name", 'other = "b"\nname = "urn:isbn:" 1*DIGIT', "^[0-9]+$"),
        ("regex", "", "a|b+", "^(?:a|b+)$"),
        ("regex", "", "^urn:isbn:[0-9]$", "^[0-9]$"),
        ("abnf", "", 'nss = "(" nss ")" / "x"', ""),
        ("regex", "", "[0-9", "^(?:97[89](?:-?[0-9]){10}|[0-9](?:-?[0-9]){8}-?[0-9Xx])$"),
    ],
)
def test_grammar_of_the_version_in_force_comes_before_the_rule_that_is_held(
    kind: str, start: str, text: str, pattern: str
) -> None:
    version = Registration(grammar=text, grammar_kind=kind, grammar_start=start)

    entry = NamespaceEntry(NamespaceFactory.build(nid="isbn"), (version,))

    assert find_name_pattern(entry) == pattern


def test_other_formats_are_refused_by_name(client: Client, registered: None) -> None:
    answer = client.get("/api/registry/isbn?format=yaml")

    assert answer.status_code == 400
    assert answer.json() == {"detail": "bad query parameter format=yaml. Should be one of ['json']"}


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/registry", "/api/search?q=is", "/api/registry/nope"])
def test_scripts_of_any_site_may_read(client: Client, path: str) -> None:
    answer = client.get(path)

    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert client.post(path).status_code == 405


def test_search_finds_what_a_look_at_each_would() -> None:
    nids = ["a", "ab", "a-b-c", "bab", "xyz", "zx"]

    found = PrefixIndex.of(iter(nids))

    for typed in ("a", "ab", "A-B", "bc", "x", "zx", "z", "q", "yz\nzx"):
        assert found.search(typed) == sorted(
            nid for nid in nids if fold_prefix(typed) in fold_prefix(nid)
        )
