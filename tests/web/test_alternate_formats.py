"""The same address in another format: by its extension, and by Accept."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from pathlib import Path as FilePath

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from lxml import etree, html
from pytest_django import DjangoAssertNumQueries

from registry import batches, sightings, workflow
from registry.actions import discussion, remarks
from registry.enums import NamespaceStatus, RequestPath, Role
from registry.exchange.exports import refresh_exports
from registry.http.formats import FORMATS, FORMATS_BY_THING
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.template import write
from registry.template.checklist import QUESTIONS
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RegistrantFactory,
    UserFactory,
    create_sent_requests,
)
from tests.recorded_rows import recorded
from tests.records import copy_documents, import_from, make_imported_namespace
from tests.small_changes import record_consent
from tests.template.samples import REVISION

pytestmark = pytest.mark.django_db

FOLDER = FilePath(__file__).parents[2] / "registry/exchange/exports"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
ONE_ALTERNATE = {"json": ".jsonld", "jsonld": "/"}
"""The only formats JSON-LD clients are told of: PyLD fails with several."""
LISTS = ("namespaces", "requests", "organizations", "sightings")


@pytest.fixture
@recorded
def places(approved: RegistrationRequest, registrar: User, tmp_path: FilePath) -> dict[str, str]:
    """The pages of one thing of each kind, without their trailing slash."""
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    make_imported_namespace("wickpat", "RFC9999")
    import_from(copy_documents(tmp_path), "wickpat")
    return {
        "record": "/namespaces/wickpat/records/1",
        "namespace": "/namespaces/seedbank",
        "version": "/namespaces/seedbank/versions/1",
        "request": f"/requests/{approved.slug}",
        "round": f"/requests/{approved.slug}/rounds/1",
        "organization": f"/organizations/{approved.organization_id}",
        **{each: f"/{each}" for each in LISTS},
    }


@pytest.fixture
@recorded
def revised(
    places: dict[str, str],
    registrant: User,
    expert: User,
    registrar: User,
    organization: Organization,
) -> None:
    """Version 2 of `seedbank`."""
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions held by federated seed vaults",
        namespace=Namespace.objects.get(nid="seedbank"),
    )
    assert asked.draft is not None
    drafts.save_draft(asked.draft, REVISION.to_dict(), seen=0)
    workflow.perform(asked, "submit", actor=registrant)
    record_consent(asked)
    workflow.perform(asked, "assign", actor=expert)
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")
    workflow.perform(asked, "register", actor=registrar)


@pytest.mark.parametrize(
    ("thing", "ending"),
    [(thing, ending) for thing in FORMATS_BY_THING for ending in FORMATS_BY_THING[thing]],
)
def test_each_thing_is_read_in_each_of_its_forms(
    thing: str, ending: str, places: dict[str, str], client: Client
) -> None:
    answer = client.get(f"{places[thing]}.{ending}")

    assert answer.status_code == 200
    assert answer["Content-Type"] == FORMATS[ending].media_type
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert len(answer.content) > 0 or thing == "sightings"


@pytest.mark.parametrize(
    ("form", "api"),
    [
        ("/namespaces/seedbank.json", "/api/v1/namespaces/seedbank/"),
        ("/namespaces/seedbank/versions/1.json", "/api/v1/namespaces/seedbank/versions/1/"),
        ("/requests/{slug}.json", "/api/v1/requests/{slug}/"),
        ("/requests/{slug}/rounds/1.json", "/api/v1/requests/{slug}/rounds/1/"),
    ],
)
def test_json_says_what_the_api_says(
    form: str, api: str, places: dict[str, str], approved: RegistrationRequest, client: Client
) -> None:
    host = {"Host": "127.0.0.1:8000"}

    told = [client.get(path.format(slug=approved.slug), headers=host) for path in (form, api)]

    here, there = (each.json() for each in told)
    assert told[1].status_code == 200
    assert len(here) > 3
    assert {name: there[name] for name in here} == here


def test_xml_follows_the_schemas_that_are_published(
    places: dict[str, str], expert: User, client: Client
) -> None:
    sightings.note_sighting(nid="playbill", actor=expert, evidence="Seen in a letter.")
    refresh_exports()
    ours = etree.RelaxNG(etree.fromstring(client.get("/exports/urn-registry.rng").content))
    iana = etree.RelaxNG(etree.fromstring(client.get("/exports/urn-namespaces.rng").content))

    for thing in FORMATS_BY_THING:
        document = etree.fromstring(client.get(f"{places[thing]}.xml").content)

        (iana if thing == "namespaces" else ours).assertValid(document)


def test_xml_of_a_request_that_is_discussed_follows_its_schema(
    in_review: RegistrationRequest, expert: User, outsider: User, lead: User, client: Client
) -> None:
    discussion.add_comment(in_review, author=outsider, text="Who\uffff assigns?", key=uuid.uuid4())
    bad = discussion.add_comment(in_review, author=outsider, text="Buy seeds", key=uuid.uuid4())
    discussion.hide_message(bad, moderator=lead, reason="Advertising.")
    answers = {question.slug: "yes" for question in QUESTIONS}
    remarks.answer_checklist(in_review, actor=expert, round_number=1, answers=answers)
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    ours = etree.RelaxNG(etree.parse(FOLDER / "urn-registry.rng"))

    document = etree.fromstring(client.get(f"/requests/{in_review.slug}.xml").content)

    ours.assertValid(document)
    assert document.findtext("messages/message/text") == "Who\N{REPLACEMENT CHARACTER} assigns?"


def test_schema_refuses_broken_xml(places: dict[str, str], client: Client) -> None:
    ours = etree.RelaxNG(etree.parse(FOLDER / "urn-registry.rng"))
    sound = client.get("/namespaces/seedbank.xml").content

    broken = sound.replace(b"<kind>formal</kind>", b"<kind>grand</kind>")

    assert ours.validate(etree.fromstring(sound))
    assert not ours.validate(etree.fromstring(broken))


@pytest.mark.parametrize(
    ("accept", "ending"),
    [
        ("application/json", "json"),
        ("application/ld+json;q=0.9, text/turtle", "ttl"),
        ("text/csv, text/html;q=0.9", "csv"),
        ("application/json, text/plain, */*", "json"),
        ("application/*", "json"),
        ("text/xml", "xml"),
        ("application/atom+xml", "atom"),
        ("Text/Turtle", "ttl"),
        ("text/html;q=0, */*", "json"),
        ("application/json;version=1", "json"),
    ],
)
def test_accept_at_the_page_itself_chooses_a_form(
    accept: str, ending: str, places: dict[str, str], client: Client
) -> None:
    headers = {"Accept": accept}

    answer = client.get("/namespaces/seedbank/", headers=headers)

    there = client.get(f"/namespaces/seedbank.{ending}")
    assert answer.status_code == 200
    assert answer.content == there.content
    assert answer["Content-Location"] == f"/namespaces/seedbank.{ending}"
    assert answer["Link"] == there["Link"]
    assert "Accept" in answer["Vary"]


@pytest.mark.parametrize(
    "accept",
    [
        "",
        BROWSER,
        "*/*",
        "text/*",
        "text/html, application/json",
        "application/xhtml+xml",
        "nonsense",
    ],
)
def test_browsers_and_those_who_take_anything_have_the_page(
    accept: str, places: dict[str, str], client: Client
) -> None:
    headers = {"Accept": accept} if accept else {}

    answer = client.get("/namespaces/seedbank/", headers=headers)

    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "Content-Location" not in answer
    assert "Accept" in answer["Vary"]


def test_htmx_has_its_part_of_the_page_whatever_it_accepts(
    places: dict[str, str], client: Client
) -> None:
    headers = {"Accept": "application/json", "HX-Request": "true"}

    answer = client.get("/namespaces/seedbank/?name=urn:seedbank:x", headers=headers)

    assert answer["Content-Type"] == "text/html; charset=utf-8"


def test_unacceptable_format_is_answered_with_those_there_are(
    places: dict[str, str], client: Client
) -> None:
    answer = client.get("/namespaces/?kind=formal", headers={"Accept": "image/png"})

    assert answer.status_code == 406
    assert "/namespaces.csv?kind=formal text/csv" in answer.content.decode()
    assert '</namespaces.csv?kind=formal>; rel="alternate"; type="text/csv"' in answer["Link"]


@pytest.mark.parametrize("thing", [each for each in FORMATS_BY_THING if each != "round"])
def test_page_names_its_forms_in_its_head_and_in_the_header_alike(
    thing: str, places: dict[str, str], client: Client
) -> None:
    answer = client.get(f"{places[thing]}/")

    document = html.document_fromstring(answer.content)
    head = [
        (each.get("href"), each.get("type"))
        for each in document.xpath("//head/link[@rel='alternate']")
    ]
    header = re.findall(r'<([^>]*)>; rel="alternate"; type="([^"]*)"', answer["Link"])
    assert head == header
    assert [href.partition(".")[2] for href, _type in head] == list(FORMATS_BY_THING[thing])
    for href, media_type in head:
        there = client.get(href)
        assert (there.status_code, there["Content-Type"].partition(";")[0]) == (200, media_type)


@pytest.mark.parametrize("ending", FORMATS_BY_THING["version"])
def test_forms_lead_back_to_the_page_and_to_one_another(
    ending: str, places: dict[str, str], client: Client
) -> None:
    links = client.get(f"/namespaces/seedbank/versions/1.{ending}")["Link"]

    if ending in ONE_ALTERNATE:
        assert re.findall(r'<([^>]*)>; rel="alternate"', links) == [
            f"/namespaces/seedbank/versions/1{ONE_ALTERNATE[ending]}"
        ]
    else:
        assert '</namespaces/seedbank/versions/1/>; rel="alternate"; type="text/html"' in links
        assert links.count('rel="alternate"') == len(FORMATS_BY_THING["version"])
    assert '<http://127.0.0.1:8000/namespaces/seedbank/versions/1/>; rel="canonical"' in links
    assert f"versions/1.{ending}>" not in links


@pytest.mark.parametrize(
    ("path", "described_by"),
    [
        ("/namespaces/seedbank.ttl", '</exports/shapes.ttl>; rel="describedby"'),
        ("/namespaces.jsonld", '</exports/shapes.ttl>; rel="describedby"'),
        ("/namespaces/seedbank.xml", '</exports/urn-registry.rng>; rel="describedby"'),
        ("/namespaces.xml", '</exports/urn-namespaces.rng>; rel="describedby"'),
        ("/requests.json", '</api/schema/>; rel="service-desc"'),
    ],
)
def test_forms_lead_to_what_describes_them(
    path: str, described_by: str, places: dict[str, str], client: Client
) -> None:
    refresh_exports(at_once=True)
    answer = client.get(path)
    described = client.get(described_by[1:].partition(">")[0])

    assert described_by in answer["Link"]
    assert described.status_code == 200


def test_versions_lead_to_one_another(revised: None, client: Client) -> None:
    first = client.get("/namespaces/seedbank/versions/1/")["Link"]
    second = client.get("/namespaces/seedbank/versions/2.json")["Link"]
    latest = '</namespaces/seedbank/versions/2/>; rel="latest-version"'

    assert '</namespaces/seedbank/versions/2/>; rel="successor-version"' in first
    assert "predecessor" not in first
    assert '</namespaces/seedbank/versions/1/>; rel="predecessor-version"' in second
    assert '</namespaces/seedbank/>; rel="version-history"' in second
    assert all(latest in each for each in (first, second))
    assert latest in client.get("/namespaces/seedbank/")["Link"]


@pytest.mark.parametrize("ending", ["", *FORMATS_BY_THING["namespace"]])
def test_nid_in_another_case_leads_to_the_one_that_stays(
    ending: str, places: dict[str, str], client: Client
) -> None:
    # A file refuses unknown parameters; a page passes them on.
    behind = f".{ending}" if ending else "/?a=b&c=%C3%A9"

    answer = client.get(f"/namespaces/SeedBank{behind}")

    assert answer.status_code == 301
    assert answer["Location"] == f"/namespaces/seedbank{behind}"


@pytest.mark.parametrize("status", NamespaceStatus)
@pytest.mark.parametrize("ending", FORMATS_BY_THING["namespace"])
def test_nid_that_was_ever_registered_is_never_unknown(
    ending: str, status: NamespaceStatus, client: Client
) -> None:
    NamespaceFactory.create(nid="old-things", status=status, summary="Things of old")

    answer = client.get(f"/namespaces/old-things.{ending}", follow=True)

    assert answer.status_code == 200
    assert b"old-things" in answer.content


@pytest.mark.whole
def test_text_that_is_missing_is_replaced_by_what_is_known(client: Client) -> None:
    call_command("load_registry", verbosity=0)

    text = client.get("/namespaces/3gpp2.txt").content.decode()
    section = client.get("/namespaces/3gpp2.rfc.xml")

    assert text.startswith("Namespace Identifier: 3gpp2\n\nKind: Formal\n")
    assert "https://www.iana.org/assignments/urn-formal/3gpp2" in text
    assert max(map(len, text.splitlines())) <= 72
    assert (section.status_code, section["Location"]) == (303, "/namespaces/3gpp2.txt")


@pytest.mark.whole
def test_grammar_is_that_of_the_registration_or_of_the_rulebook_or_of_all_namespaces(
    places: dict[str, str], client: Client
) -> None:
    call_command("load_registry", verbosity=0)
    NamespaceFactory.create(nid="unruled")

    own, held, none = (
        client.get(f"/namespaces/{nid}.abnf").content.decode()
        for nid in ("seedbank", "isbn", "unruled")
    )

    current = Namespace.objects.get(nid="seedbank").current
    assert current is not None
    assert current.grammar.strip() in own
    assert "version 1" in own
    assert "own reading" in held
    assert "isbn-13" in held
    assert 'assigned-name = "urn:unruled:" NSS' in none


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (
            "/namespaces/seedbnk.json",
            "No namespace “seedbnk” is registered. Close to it: seedbank.",
        ),
        ("/namespaces/seedbank/versions/7.json", "No version 7 of “seedbank” is held here."),
        ("/requests/r-2020-0001.json", "There is no request R-2020-0001."),
        ("/requests/{slug}/rounds/9.json", "There is no round 9."),
        ("/namespaces/-x.json", "There is nothing at this address."),
        ("/somewhere/else.json", "There is nothing at this address."),
    ],
)
def test_missing_thing_is_a_problem_or_a_line_in_plain_text(
    path: str, words: str, places: dict[str, str], approved: RegistrationRequest, client: Client
) -> None:
    asked = path.format(slug=approved.slug)

    problem = client.get(asked)
    line = client.get(asked.replace(".json", ".txt"))

    assert problem["Content-Type"] == "application/problem+json"
    assert problem.json() == {
        "type": f"{settings.SITE}/api/problems/#not-found",
        "title": "There is nothing",
        "status": 404,
        "detail": words,
    }
    assert (problem.status_code, line.status_code) == (404, 404)
    assert line["Content-Type"] == "text/plain; charset=utf-8"
    assert line.content.decode() == f"Not Found. {words}\n"


@pytest.mark.parametrize(
    "path", ["/namespaces/seedbank.pdf", "/namespaces/seedbank.", "/namespaces/seedbank.json.gz"]
)
def test_ending_that_nothing_has_is_not_found(
    path: str, places: dict[str, str], client: Client
) -> None:
    answer = client.get(path)

    assert answer.status_code == 404
    assert b".json, .xml, .csv" in answer.content


@pytest.mark.whole
@pytest.mark.parametrize("thing", FORMATS_BY_THING)
def test_unchanged_form_is_not_sent_again(
    thing: str, places: dict[str, str], client: Client
) -> None:
    for ending in FORMATS_BY_THING[thing]:
        path = f"{places[thing]}.{ending}"
        first = client.get(path)
        has = {"If-None-Match": first["ETag"]}
        since = {"If-Modified-Since": first["Last-Modified"]}

        again = [client.get(path, headers=headers) for headers in (has, since)]

        assert [(each.status_code, each.content) for each in again] == [(304, b""), (304, b"")]
        assert {each["Access-Control-Allow-Origin"] for each in again} == {"*"}


def test_form_is_sent_anew_once_the_thing_changed(places: dict[str, str], client: Client) -> None:
    paths = ["/namespaces/seedbank.json", "/namespaces.csv", "/namespaces.ttl"]
    tags = [client.get(path)["ETag"] for path in paths]

    Namespace.objects.filter(nid="seedbank").update(status=NamespaceStatus.DEPRECATED)
    after = [
        client.get(path, headers={"If-None-Match": tag})
        for path, tag in zip(paths, tags, strict=True)
    ]

    assert [each.status_code for each in after] == [200, 200, 200]


@pytest.mark.parametrize("thing", FORMATS_BY_THING)
def test_formats_look_up_no_session_and_no_user(
    thing: str, places: dict[str, str], client: Client, registrant: User
) -> None:
    client.force_login(registrant)
    paths = [f"{places[thing]}.{ending}" for ending in FORMATS_BY_THING[thing]]

    with CaptureQueriesContext(connection) as asked:
        answers = [client.get(path) for path in paths]

    tables = " ".join(query["sql"] for query in asked.captured_queries)
    assert "django_session" not in tables
    assert [each for each in answers if "Cookie" in each.get("Vary", "")] == []


def test_draft_has_no_format_even_for_its_author(
    draft: RegistrationRequest, registrant: User, client: Client
) -> None:
    client.force_login(registrant)
    page = f"/requests/{draft.slug}"

    forms = [client.get(f"{page}.{ending}") for ending in FORMATS_BY_THING["request"]]
    lists = [client.get(f"/requests.{ending}") for ending in FORMATS_BY_THING["requests"]]
    asked = client.get(f"{page}/", headers={"Accept": "application/json"})

    assert client.get(f"{page}/").status_code == 200
    assert {each.status_code for each in forms} == {404}
    assert asked.status_code == 404
    assert [each for each in lists if draft.reference in each.content.decode()] == []
    assert client.get(f"{page}/rounds/1.txt").status_code == 404


def test_hidden_messages_and_notes_are_in_no_format(
    in_review: RegistrationRequest, expert: User, outsider: User, lead: User, client: Client
) -> None:
    discussion.add_note(in_review, author=expert, text="Between us.", key=uuid.uuid4())
    discussion.add_comment(in_review, author=outsider, text="Who assigns?", key=uuid.uuid4())
    bad = discussion.add_comment(in_review, author=outsider, text="Buy seeds", key=uuid.uuid4())
    discussion.hide_message(bad, moderator=lead, reason="Advertising.")

    forms = {
        ending: client.get(f"/requests/{in_review.slug}.{ending}").content.decode()
        for ending in FORMATS_BY_THING["request"]
    }

    assert "Who assigns?" in forms["json"]
    assert "Who assigns?" in forms["xml"]
    for text in forms.values():
        assert "Buy seeds" not in text
        assert "Between us." not in text


@pytest.mark.parametrize("query", ["", "kind=informal", "q=charts", "status=obsolete", "sort=-nid"])
def test_filtered_list_is_what_the_page_shows_with_all_its_rows(query: str, client: Client) -> None:
    for number in range(60):
        NamespaceFactory.create(nid=f"charts-{number:02}", summary="Sea charts")
    NamespaceFactory.create(nid="urn-4", kind="informal", informal_number=4)
    page = client.get(f"/namespaces/?{query}&show=all").content.decode()

    rows = list(
        csv.DictReader(io.StringIO(client.get(f"/namespaces.csv?{query}").content.decode()))
    )
    told = client.get(f"/namespaces.json?{query}").json()

    shown = re.findall(r'<td class="nid"><a href="/namespaces/([^/]+)/">', page)
    assert [row["nid"] for row in rows] == shown
    assert [each["nid"] for each in told["results"]] == shown
    assert told["count"] == len(shown)


def test_requests_are_filtered_as_on_their_page(
    in_review: RegistrationRequest, client: Client
) -> None:
    found = [
        client.get(f"/requests.json?state={state}").json()["count"]
        for state in ("in_review", "registered")
    ]
    entries = [
        client.get(f"/requests.atom?state={state}").content.count(b"<entry>")
        for state in ("in_review", "registered")
    ]

    assert found == [1, 0]
    assert entries == [2, 0]


def test_feed_of_a_filtered_list_has_an_id_of_its_own(
    places: dict[str, str], client: Client
) -> None:
    formal = client.get("/namespaces.atom?kind=formal")
    informal = client.get("/namespaces.atom?kind=informal").content.decode()

    root = etree.fromstring(formal.content)
    assert root.findtext("{*}id") == "http://127.0.0.1:8000/namespaces.atom?kind=formal"
    titles = " ".join(entry.findtext("{*}title", "") for entry in root.iterfind("{*}entry"))
    assert "seedbank" in titles
    assert "wickpat" in titles
    assert "<entry>" not in informal


@pytest.mark.parametrize("letter", ["a", "ä", "\N{SEEDLING}"])
def test_long_search_is_answered_with_headers_that_a_proxy_takes(
    client: Client, letter: str
) -> None:
    short = client.get("/namespaces/", {"q": letter})
    long = client.get("/namespaces/", {"q": letter * 400})

    assert short["Link"].count('rel="alternate"') > 5
    for answer in (short, long):
        assert answer.status_code == 200
        assert len(answer.get("Link", "")) <= 2_000
    assert long.content.decode().count('rel="alternate"') > 5


def test_cells_are_never_formulas(client: Client) -> None:
    NamespaceFactory.create(nid="sums", summary='=HYPERLINK("https://x.example")')
    RegistrantFactory.create(name="@SUM(A1)")

    namespaces = client.get("/namespaces.csv").content.decode()
    organizations = client.get("/organizations.csv").content.decode()

    assert "'=HYPERLINK" in namespaces
    assert "'@SUM" in organizations


def test_long_list_is_sent_as_it_is_written(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.web.exports.views.MAX_ROWS_AT_ONCE", 10)
    for number in range(20):
        NamespaceFactory.create(nid=f"long-{number:02}")

    answer = client.get("/namespaces.json")
    told = json.loads(answer.getvalue())
    again = client.get("/namespaces.json", headers={"If-None-Match": answer["ETag"]})

    assert answer.streaming
    assert len(told["results"]) == 20
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("thing", "ending"),
    [
        (thing, ending)
        for thing in ("namespaces", "requests", "organizations", "sightings")
        for ending in FORMATS_BY_THING[thing]
        # A feed has the latest alone, and IANA's text is as wide as its longest line.
        if ending != "atom" and (thing, ending) != ("namespaces", "txt")
    ],
)
def test_first_row_of_a_long_list_is_sent_before_the_last_is_read(
    thing: str, ending: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    expert = UserFactory.create(roles=[Role.EXPERT])
    for number, registration_request in enumerate(create_sent_requests(9)):
        NamespaceFactory.create(nid=f"long-{number}", registrant=registration_request.organization)
        sightings.note_sighting(nid=f"seen-{number}", actor=expert, evidence="Seen.")
    whole = client.get(f"/{thing}.{ending}").content
    monkeypatch.setattr("registry.web.exports.views.MAX_ROWS_AT_ONCE", 3)
    monkeypatch.setattr(batches, "ROWS_PER_CHUNK", 3)
    monkeypatch.setattr("registry.selectors.case.BATCH_SIZE", 3)
    first_row = {
        "namespaces": b"long-0",
        "requests": b"asked",
        "organizations": b"Sample Body ",
        "sightings": b"seen-8",
    }[thing]

    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"/{thing}.{ending}")
        pieces, sent = iter(answer), b""
        while first_row not in sent:
            sent += next(pieces)
        asked = len(queries)
        sent += b"".join(pieces)

    assert answer.streaming
    assert asked < len(queries)
    assert sent == whole


def test_many_rows_take_no_more_queries_than_few(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(40):
        NamespaceFactory.create(nid=f"many-{number:02}", registrant=OrganizationFactory.create())

    for ending in FORMATS_BY_THING["namespaces"]:
        with django_assert_max_num_queries(10):
            client.get(f"/namespaces.{ending}")


def test_round_has_a_page_of_its_own_address(
    places: dict[str, str], approved: RegistrationRequest, client: Client
) -> None:
    answer = client.get(f"{places['round']}/")
    sent = approved.rounds.get(number=1)

    assert answer["Location"] == f"/requests/{approved.slug}/template/?round=1"
    assert client.get(f"{places['round']}.txt").content.decode() == write(sent.template)


def test_sighting_keeps_to_itself_who_is_written_to(expert: User, client: Client) -> None:
    sightings.note_sighting(
        nid="playbill", actor=expert, evidence="Seen in a letter.", address="office@body.example"
    )

    forms = [
        client.get(f"/sightings.{ending}").content.decode()
        for ending in FORMATS_BY_THING["sightings"]
    ]

    assert [each for each in forms if "playbill" not in each] == []
    assert [each for each in forms if "office@body.example" in each] == []


@pytest.mark.parametrize(
    "address",
    [
        "/namespaces.json?cursor=2004",
        "/namespaces.csv?fields=nid",
        "/namespaces.ttl?page=2",
        "/requests.json?nid=isbn",
        "/organizations.json?kind=formal",
        "/namespaces/seedbank.json?fields=nid",
        "/namespaces/seedbank.atom?since=1",
        "/namespaces/seedbank/versions/1.xml?x",
        "/exports/registry.ttl?kind=formal",
        "/exports/registry-dump.jsonl?date=2004",
        "/exports/urn-formal/seedbank?version=1",
    ],
)
def test_unknown_parameter_of_a_format_is_refused(
    address: str, places: dict[str, str], client: Client
) -> None:
    answer = client.get(address)

    name = re.split(r"[?=]", address)[1]
    is_json = answer["Content-Type"] == "application/problem+json"
    words = answer.json()["detail"] if is_json else answer.content.decode()
    assert answer.status_code == 400
    assert f"“{name}”" in words
    assert "/api/v1/" in words
    assert not is_json or list(answer.json()["errors"]) == [name]


def test_page_leads_to_its_forms_with_the_parameters_that_they_know(
    places: dict[str, str], client: Client
) -> None:
    answer = client.get("/namespaces/?kind=formal&page=1&utm_source=letter")

    hrefs = re.findall(r'<([^>]*)>; rel="alternate"', answer["Link"])
    assert [href.partition("?")[2] for href in hrefs] == ["kind=formal"] * len(hrefs)
    assert all(client.get(href).status_code == 200 for href in hrefs)


def test_namespace_without_a_text_names_no_form_that_leads_elsewhere(client: Client) -> None:
    NamespaceFactory.create(nid="bare")

    page, plain = client.get("/namespaces/bare/"), client.get("/namespaces/bare.txt")

    for answer in (page, plain):
        hrefs = re.findall(r'<([^>]*)>; rel="alternate"', answer["Link"])
        assert len(hrefs) > 5
        assert {client.get(href).status_code for href in hrefs} == {200}
    assert b"bare.md" not in page.content
    assert client.get("/namespaces/bare.md").status_code == 303


@pytest.mark.parametrize(
    ("address", "accept", "location"),
    [
        ("/", "application/json", "/api/v1/"),
        ("/", "application/ld+json", "/exports/catalogue.jsonld"),
        ("/", "text/turtle", "/exports/catalogue.ttl"),
        ("/api/", "application/json", "/api/v1/"),
        ("/api/", "application/vnd.oai.openapi+json", "/api/schema/"),
        ("/exports/", "application/ld+json, application/json", "/exports/catalogue.jsonld"),
        ("/exports/", "text/turtle", "/exports/catalogue.ttl"),
        ("/exports/", "text/plain", "/exports/SHA256SUMS"),
    ],
)
def test_pages_without_a_thing_follow_accept(
    address: str, accept: str, location: str, client: Client
) -> None:
    refresh_exports(at_once=True)

    answer = client.get(address, headers={"Accept": accept})

    assert (answer.status_code, answer["Content-Location"]) == (200, location)
    assert answer.content == client.get(location).content
    assert "Accept" in answer["Vary"]


@pytest.mark.parametrize("address", ["/", "/api/", "/exports/"])
def test_pages_without_a_thing_are_html_for_browsers_and_refuse_the_rest(
    address: str, client: Client
) -> None:
    page = client.get(address, headers={"Accept": BROWSER})
    refused = client.get(address, headers={"Accept": "image/png"})

    assert page["Content-Type"] == "text/html; charset=utf-8"
    assert 'rel="alternate"' in page["Link"]
    assert refused.status_code == 406
    assert "application/" in refused.content.decode()


def test_organization_tells_programs_what_it_holds(
    places: dict[str, str], approved: RegistrationRequest, client: Client
) -> None:
    path = places["organization"]

    told = client.get(f"{path}/", headers={"Accept": "application/json"}).json()
    text = client.get(f"{path}.txt").content.decode()

    assert (told["name"], told["namespaces"]) == (approved.organization.name, ["seedbank"])
    assert (told["delegate_count"], told["ways"]) == (0, [])
    assert "seedbank" in text


def test_organization_of_drafts_alone_is_no_file(
    draft: RegistrationRequest, client: Client
) -> None:
    answer = client.get(f"/organizations/{draft.organization_id}.json")

    assert answer.status_code == 404
