"""Common programs, reading the registry over HTTP as it is served in production."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

import feedparser
import pytest
from django.core.management import call_command
from pyshacl import validate
from rdflib import SKOS, Graph
from rdflib.compare import isomorphic

from registry import workflow
from registry.models import Namespace, RegistrationRequest, User
from tests.live.servers import build_exports, gunicorn
from tests.programs import program

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # rdflib reads JSON-LD with a class of its own that it has deprecated.
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated"),
]

FEEDS = (
    "/requests.atom",
    "/requests.atom?state=open",
    "/requests/{slug}.atom",
    "/namespaces.atom",
    "/namespaces.atom?kind=formal",
    "/namespaces/seedbank.atom",
    "/namespaces/seedbank/versions/1.atom",
)


@pytest.fixture
def site(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    approved: RegistrationRequest,
    registrar: User,
) -> Iterator[str]:
    """The current registry with one of our own namespaces, without a proxy."""
    monkeypatch.setenv("no_proxy", "*")
    call_command("load_registry", verbosity=0)
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    with gunicorn(tmp_path) as url:
        build_exports(tmp_path, url)
        yield url


def fetched(url: str, **headers: str) -> bytes:
    """Return the response."""
    opener = build_opener(ProxyHandler({}))
    with opener.open(Request(url, headers=headers), timeout=60) as answer:
        octets: bytes = answer.read()
    return octets


def test_feedparser_follows_every_feed(
    site: str, approved: RegistrationRequest, informal_draft: RegistrationRequest, registrant: User
) -> None:
    feeds = [site + path.format(slug=approved.slug) for path in FEEDS]
    first = {url: feedparser.parse(url) for url in feeds}
    unchanged = {
        url: feedparser.parse(url, etag=read.etag, modified=read.modified).status
        for url, read in first.items()
    }

    workflow.perform(informal_draft, "submit", actor=registrant)
    Namespace.objects.get(nid="isbn").save()
    second = {url: feedparser.parse(url) for url in feeds}

    assert set(unchanged.values()) == {304}
    assert {(read.status, read.bozo, read.version) for read in first.values()} == {
        (200, False, "atom10")
    }
    assert {url: read.feed.id for url, read in first.items()} == dict(
        zip(feeds, feeds, strict=True)
    )
    for url, read in first.items():
        ids = [entry.id for entry in read.entries]
        assert len(ids) == len(set(ids))
        assert [entry.id for entry in second[url].entries if entry.id in ids] == ids
    assert len(second[feeds[0]].entries) == len(first[feeds[0]].entries) + 1
    assert len(first[feeds[-1]].entries) == 1


def test_rdflib_is_given_a_graph_at_the_address_of_the_page_and_it_has_the_shape(
    site: str,
) -> None:
    shapes = Graph().parse(f"{site}/exports/shapes.ttl", format="turtle")
    for page in ("/namespaces/seedbank/", "/namespaces/isbn/", "/namespaces/"):
        turtle = Graph().parse(site + page, format="turtle")
        jsonld = Graph().parse(site + page, format="json-ld")

        conforms, _graph, words = validate(turtle, shacl_graph=shapes)

        assert isomorphic(turtle, jsonld)
        assert set(turtle.subjects(SKOS.notation))
        assert conforms, words


def test_xmllint_finds_the_xml_to_follow_the_schemas_that_are_published(
    site: str, approved: RegistrationRequest, tmp_path: Path
) -> None:
    xmllint = program("xmllint")
    documents = {
        "urn-namespaces.rng": ("/exports/urn-namespaces.xml", "/namespaces.xml?kind=informal"),
        "urn-registry.rng": (
            "/namespaces/seedbank.xml",
            "/namespaces/isbn.xml",
            "/namespaces/seedbank/versions/1.xml",
            f"/requests/{approved.slug}.xml",
            f"/requests/{approved.slug}/rounds/1.xml",
            "/requests.xml",
            "/organizations.xml",
            "/sightings.xml",
        ),
    }
    for schema, paths in documents.items():
        (tmp_path / schema).write_bytes(fetched(f"{site}/exports/{schema}"))
        names = []
        for number, path in enumerate(paths):
            names.append(f"{schema}-{number}.xml")
            (tmp_path / names[-1]).write_bytes(fetched(site + path))

        command = [xmllint, "--nonet", "--noout", "--relaxng", schema, *names]
        said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

        assert (said.returncode, said.stderr.splitlines()) == (
            0,
            [f"{name} validates" for name in names],
        )
