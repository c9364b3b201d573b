"""Feeds of requests and namespaces, as feed readers read them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from registry import workflow
from registry.actions import discussion
from registry.enums import RequestPath
from registry.journal.log_worker import build_log
from registry.models import Event, Organization, RegistrationRequest, User
from registry.transparency.notes import Note, SignerKey
from registry.transparency.verification import verify_head
from registry.workflow import drafts
from tests.factories import OrganizationFactory

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = "https://registry.example"


@dataclass(frozen=True)
class Read:
    """A parsed feed: its id, its own address, and its entries."""

    id: str
    self: str
    entries: list[dict[str, str]]

    @property
    def titles(self) -> list[str]:
        """The titles, newest first."""
        return [entry["title"] for entry in self.entries]


def read(client: Client, path: str) -> Read:
    """Return what a feed reader finds at `path`."""
    response = client.get(path)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    links = {link.get("rel"): link.get("href", "") for link in feed.iter(f"{ATOM}link")}
    entries = [
        {child.tag.removeprefix(ATOM): child.text or child.get("href") or "" for child in entry}
        for entry in feed.findall(f"{ATOM}entry")
    ]
    return Read(feed.findtext(f"{ATOM}id", ""), links["self"], entries)


def verbs_of(feed: Read) -> list[str]:
    """Return the verbs of the events that a feed's entries are about."""
    numbers = [int(entry["id"].rpartition("/")[2]) for entry in feed.entries]
    verbs = dict(Event.objects.values_list("number", "verb"))
    return [verbs[number] for number in numbers]


def test_feed_of_a_request_tells_every_public_act_with_its_reasons(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    workflow.perform(in_review, "decline", actor=expert, comment="Say <who> assigns.")

    feed = read(client, f"/requests/{in_review.slug}.atom")

    assert feed.self == f"https://registry.example/requests/{in_review.slug}.atom"
    assert verbs_of(feed) == ["decline", "assign", "submit"]
    assert [title.partition(": ")[0] for title in feed.titles] == [str(in_review)] * 3
    for title, actor in zip(
        feed.titles, ("Ede Expert", "Ede Expert", "Runa Registrant"), strict=True
    ):
        assert title.partition(": ")[2].startswith(f"{actor} ")
    newest = feed.entries[0]
    event = Event.objects.get(verb="decline")
    assert newest["id"] == f"tag:registry.example,{event.at:%Y-%m-%d}:event/{event.number}"
    assert newest["link"] == f"https://registry.example/requests/{in_review.slug}/"
    assert newest["updated"].startswith(f"{event.at:%Y-%m-%dT%H:%M:%S}")
    assert "Say &lt;who&gt; assigns." in newest["content"]


def test_drafts_and_their_events_are_in_no_feed(
    in_review: RegistrationRequest, registrant: User, organization: Organization, client: Client
) -> None:
    drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="x",
        nid="hush",
    )

    everything = read(client, "/requests.atom")

    assert Event.objects.filter(verb="start").count() == 2
    assert [title for title in everything.titles if "draft" in title or "hush" in title] == []
    assert len(everything.titles) == 2


def test_notes_of_experts_and_hidden_messages_are_in_no_feed(
    in_review: RegistrationRequest, expert: User, outsider: User, lead: User, client: Client
) -> None:
    discussion.add_note(in_review, author=expert, text="Between us.", key=uuid.uuid4())
    discussion.add_comment(in_review, author=outsider, text="Who assigns?", key=uuid.uuid4())
    bad = discussion.add_comment(in_review, author=outsider, text="Buy seeds", key=uuid.uuid4())
    discussion.hide_message(bad, moderator=lead, reason="Advertising.")

    for path in ("/requests.atom", f"/requests/{in_review.slug}.atom"):
        contents = "".join(entry["content"] for entry in read(client, path).entries)

        assert "Who assigns?" in contents
        assert "Advertising." in contents
        assert [text for text in ("Between us.", "Buy seeds") if text in contents] == []


def test_draft_has_no_feed(draft: RegistrationRequest, client: Client) -> None:
    client.force_login(draft.author)

    assert client.get(f"/requests/{draft.slug}.atom").status_code == 404


def test_feed_of_namespaces_tells_what_is_new_and_that_of_one_what_is_asked(
    approved: RegistrationRequest, registrar: User, client: Client
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    revision = drafts.start_request(
        author=approved.author,
        path=RequestPath.COMMUNITY,
        organization=OrganizationFactory.create(),
        summary="Anew",
        namespace=approved.namespace,
    )

    every = read(client, "/namespaces.atom")
    one = read(client, "/namespaces/seedbank.atom")

    (title,) = every.titles
    assert title.startswith(f"{approved}: Rafe Registrar ")
    assert every.entries[0]["link"] == "https://registry.example/namespaces/seedbank/"
    assert verbs_of(every) == ["register"]
    assert verbs_of(one) == ["register", "approve", "assign", "submit"]
    assert every.entries[0]["id"] == one.entries[0]["id"]
    assert revision.reference not in "".join(one.titles)


def test_addresses_in_another_case_lead_to_the_one_that_stays(
    approved: RegistrationRequest, registrar: User, client: Client
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    answers = [
        client.get(path)
        for path in ("/namespaces/SeedBank.atom", f"/requests/{approved.reference}.atom")
    ]

    assert [(answer.status_code, answer["Location"]) for answer in answers] == [
        (301, "/namespaces/seedbank.atom"),
        (301, f"/requests/{approved.slug}.atom"),
    ]


@pytest.mark.parametrize(
    "path", ["/namespaces/unknown.atom", "/namespaces/-x.atom", "/requests/r-2026-9.atom"]
)
def test_missing_thing_has_no_feed(path: str, client: Client) -> None:
    assert client.get(path).status_code == 404


def test_unchanged_feed_is_not_sent_again(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    path = f"/requests/{in_review.slug}.atom"
    first = client.get(path)
    has = {"If-None-Match": first["ETag"]}
    since = {"If-Modified-Since": first["Last-Modified"]}

    again = [client.get(path, headers=headers).status_code for headers in (has, since)]
    workflow.perform(in_review, "withdraw", actor=in_review.author)
    after = client.get(path, headers=has)

    assert again == [304, 304]
    assert (after.status_code, after["ETag"] != first["ETag"]) == (200, True)


def test_feed_changes_when_a_message_of_it_is_hidden(
    in_review: RegistrationRequest, outsider: User, lead: User, client: Client
) -> None:
    message = discussion.add_comment(in_review, author=outsider, text="Buy seeds", key=uuid.uuid4())
    path = f"/requests/{in_review.slug}.atom"
    before = client.get(path)

    discussion.hide_message(message, moderator=lead, reason="Advertising.")
    after = client.get(path, headers={"If-None-Match": before["ETag"]})

    assert b"Buy seeds" in before.content
    assert (after.status_code, b"Buy seeds" in after.content) == (200, False)


def test_feed_replaces_characters_that_xml_cannot_have(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    workflow.perform(in_review, "decline", actor=expert, comment="A\x0bB\uffff & <C>")

    entry = read(client, f"/requests/{in_review.slug}.atom").entries[0]

    assert (
        "A\N{REPLACEMENT CHARACTER}B\N{REPLACEMENT CHARACTER} &amp; &lt;C&gt;" in entry["content"]
    )


@pytest.mark.whole
def test_many_entries_take_no_more_queries_than_one(
    in_review: RegistrationRequest,
    outsider: User,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
    settings: Settings,
) -> None:
    settings.REGISTRY_COMMENTS_PER_HOUR = 100
    for number in range(60):
        discussion.add_comment(in_review, author=outsider, text=f"No. {number}", key=uuid.uuid4())

    with django_assert_num_queries(3):
        feed = read(client, "/requests.atom")

    assert len(feed.entries) == 50
    assert "No. 59" in feed.entries[0]["content"]


@pytest.mark.parametrize(
    ("page", "feed"),
    [
        ("/requests/", "/requests.atom"),
        ("/namespaces/", "/namespaces.atom"),
        ("/requests/{slug}/", "/requests/{slug}.atom"),
        ("/requests/{slug}/history/", "/requests/{slug}.atom"),
        ("/namespaces/seedbank/", "/namespaces/seedbank.atom"),
    ],
)
def test_pages_name_their_feed(
    approved: RegistrationRequest, registrar: User, client: Client, page: str, feed: str
) -> None:
    workflow.perform(approved, "register", actor=registrar)

    head, _body, _rest = (
        client.get(page.format(slug=approved.slug)).content.decode().partition("</head>")
    )

    assert 'type="application/atom+xml" title="' in head
    assert f'href="{feed.format(slug=approved.slug)}">' in head


@pytest.mark.parametrize("path", ["/requests.atom", "/namespaces.atom"])
def test_feed_carries_the_signed_head_of_the_log(
    path: str,
    in_review: RegistrationRequest,
    client: Client,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = SignerKey.generate(settings.REGISTRY_LOG_ORIGIN)
    monkeypatch.setenv("REGISTRY_LOG_KEY", key.export())
    name = "{https://registry.example/ns#}checkpoint"
    assert ElementTree.fromstring(client.get(path).content).findtext(name) is None

    built = build_log()
    feed = ElementTree.fromstring(client.get(path).content)

    note = Note.parse(feed.findtext(name, "").encode())
    assert verify_head(note, [key.verifier()]) == built.head
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links["related"] == "https://registry.example/log/checkpoint"
