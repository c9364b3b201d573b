"""Cached public responses: never outdated, the same for all, and never another person's."""

from __future__ import annotations

import datetime
import gzip
from collections.abc import Callable
from uuid import uuid4

import brotli
import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from registry import selectors, workflow
from registry.actions import discussion
from registry.exchange.exports import refresh_exports
from registry.models import RegistrationRequest, User
from tests.factories import ServiceFactory

PUBLIC = (
    "/",
    "/namespaces/",
    "/namespaces/isbn/",
    "/namespaces.atom",
    "/requests/",
    "/guide/",
    "/about/",
    "/exports/",
    "/exports/bioregistry.json",
    "/api/",
    "/api/v1/namespaces/isbn/",
    "/organizations/",
    "/sightings/",
    "/inspect/",
)
MACHINES = ("/exports/bioregistry.json", "/namespaces.atom", "/exports/urn-namespaces-1.csv")


def questions(client: Client, path: str, target: str = "") -> list[str]:
    """Return the database queries for `path`, sent as `target`."""
    with CaptureQueriesContext(connection) as captured:
        client.get(path, RAW_URI=target)
    return [query["sql"] for query in captured]


def build_files_for(path: str) -> None:
    """Have the worker's files built if one of them is requested."""
    if path.startswith("/exports/"):
        refresh_exports(at_once=True)


def looked_up(asked: list[str]) -> list[str]:
    """Return the queries about the reader: their session, and their account."""
    about = ("django_session", '"registry_user"."id" = ')
    return [sql for sql in asked if any(each in sql for each in about)]


@pytest.mark.django_db(transaction=True)
def test_redirect_asks_for_the_version_of_the_registry_once(visitor: Client) -> None:
    ServiceFactory.create(namespace__nid="sample")
    first, other = "/resolve/urn:sample:1", "/resolve/urn:sample:2"
    visitor.get(first, RAW_URI=first)

    asked = questions(visitor, other, other)

    assert visitor.get(other, RAW_URI=other)["Location"] == "https://names.example/2"
    assert [sql for sql in asked if "registry_counter" not in sql] == []
    assert len(asked) == 1


@pytest.mark.parametrize("path", PUBLIC)
def test_public_answer_is_made_once(visitor: Client, path: str) -> None:
    build_files_for(path)
    first = visitor.get(path)
    asked = questions(visitor, path)
    again = visitor.get(path)

    assert first.status_code == 200
    assert not first.cookies
    assert [sql for sql in asked if "registry_counter" not in sql] == []
    assert len(asked) == 1
    assert (again.content, again.headers) == (first.content, first.headers)


@pytest.mark.parametrize("path", PUBLIC)
def test_nobody_without_a_cookie_is_looked_up(visitor: Client, path: str) -> None:
    asked = questions(visitor, path)

    assert looked_up(asked) == []


@pytest.mark.parametrize("path", MACHINES)
def test_nobody_is_looked_up_for_what_programs_read(
    remembering: None, sign_in: Callable[[User], Client], outsider: User, path: str
) -> None:
    client = sign_in(outsider)

    made, again = questions(client, path), questions(client, path)

    assert made
    assert again
    assert looked_up(made + again) == []


def test_person_who_is_signed_in_is_looked_up_where_a_page_is_different_for_them(
    remembering: None, sign_in: Callable[[User], Client], outsider: User
) -> None:
    client = sign_in(outsider)
    client.get("/about/")

    asked = questions(client, "/about/")

    # Their session, their account, and their part of the navigation.
    assert len(looked_up(asked)) == 3


@pytest.mark.whole
def test_publication_is_visible_to_all_at_once(
    visitor: Client, approved: RegistrationRequest, registrar: User
) -> None:
    other = Client()
    for client in (visitor, other):
        assert client.get("/namespaces/seedbank/").status_code == 404
        refresh_exports(at_once=True)
        assert b"seedbank" not in client.get("/exports/urn-namespaces.txt").content

    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])
    # Files are up to the worker; what it built appears at once as well.
    refresh_exports(at_once=True)

    for client in (visitor, other):
        assert client.get("/namespaces/seedbank/").status_code == 200
        assert b"seedbank" in client.get("/exports/urn-namespaces.txt").content


def test_hidden_message_is_gone_at_once(
    visitor: Client, in_review: RegistrationRequest, outsider: User, lead: User
) -> None:
    path = in_review.get_absolute_url()
    message = discussion.add_comment(
        in_review, author=outsider, text="A quarrelsome remark.", key=uuid4()
    )
    said = visitor.get(path)

    discussion.hide_message(message, moderator=lead, reason="Not about the request.")

    assert b"A quarrelsome remark." in said.content
    assert b"A quarrelsome remark." not in visitor.get(path).content


def test_raised_registry_version_shows_pages_anew(visitor: Client) -> None:
    visitor.get("/namespaces/isbn/")
    before = selectors.find_registry_version()

    selectors.raise_registry_version()

    assert selectors.find_registry_version() == before + 1
    assert len(questions(visitor, "/namespaces/isbn/")) > 1


def test_page_that_speaks_of_days_is_right_on_the_next(
    visitor: Client, in_review: RegistrationRequest
) -> None:
    path = in_review.get_absolute_url()
    today = visitor.get(path).content
    tomorrow = timezone.now() + datetime.timedelta(days=1)

    with time_machine.travel(tomorrow):
        assert visitor.get(path).content != today


def test_signed_in_persons_page_is_never_kept_for_others(
    remembering: None, sign_in: Callable[[User], Client], registrar: User
) -> None:
    client = sign_in(registrar)

    own = client.get("/about/")
    client.cookies.clear()
    everybodys = client.get("/about/")

    assert b"data-signs-out" in own.content
    assert own.headers["Cache-Control"] == "no-store"
    assert b"data-signs-out" not in everybodys.content
    assert everybodys.headers["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_page_for_everybody_is_not_for_whoever_is_signed_in(
    remembering: None, sign_in: Callable[[User], Client], registrar: User
) -> None:
    client = sign_in(registrar)
    session = client.cookies["sessionid"].value
    del client.cookies["sessionid"]
    client.get("/about/")

    client.cookies["sessionid"] = session

    assert b"data-signs-out" in client.get("/about/").content


def test_colours_that_were_chosen_are_kept_for_whoever_chose_them(visitor: Client) -> None:
    light = visitor.get("/about/")

    visitor.post("/theme/", {"theme": "dark", "next": "/about/"})
    dark = visitor.get("/about/")
    asked = questions(visitor, "/about/")
    visitor.cookies.clear()

    assert len(asked) == 1
    assert b'data-bs-theme="dark"' in dark.content
    assert b'data-bs-theme="dark"' not in light.content
    assert dark.headers["Cache-Control"] == "private"
    assert visitor.get("/about/").content == light.content


def test_message_is_read_by_the_person_it_is_for(visitor: Client) -> None:
    visitor.get("/")
    told = visitor.get("/find/?q=", follow=True)
    visitor.cookies.clear()

    assert b"Type an identifier" in told.content
    assert b"Type an identifier" not in visitor.get("/").content


def test_page_with_a_token_is_not_for_all(visitor: Client) -> None:
    first = visitor.get("/requests/new/")
    second = Client().get("/requests/new/")

    assert first.cookies["csrftoken"].value != second.cookies["csrftoken"].value
    assert first.headers["Cache-Control"] == "private"


@pytest.mark.parametrize("path", ["/about/", "/exports/bioregistry.json", "/namespaces.atom"])
def test_known_etag_is_answered_not_modified(visitor: Client, path: str) -> None:
    build_files_for(path)
    whole = visitor.get(path)
    etag = whole.headers["ETag"]

    same = visitor.get(path, headers={"If-None-Match": f'"another", W/{etag}'})
    other = visitor.get(path, headers={"If-None-Match": '"another"'})

    assert (same.status_code, same.content) == (304, b"")
    assert same.headers["ETag"] == etag
    assert "Content-Type" not in same.headers
    assert other.content == whole.content


def test_conditional_request_is_answered_alike_the_first_time(visitor: Client) -> None:
    etag = Client().get("/namespaces.atom").headers["ETag"]

    first = visitor.get("/namespaces.atom", headers={"If-None-Match": etag})
    asked = questions(visitor, "/namespaces.atom")

    assert first.status_code == 304
    assert len(asked) == 1


def test_feed_is_not_sent_to_whoever_has_it_by_its_date(
    visitor: Client, sent: RegistrationRequest
) -> None:
    feed = visitor.get("/requests.atom")
    latest = feed.headers["Last-Modified"]

    since = visitor.get("/requests.atom", headers={"If-Modified-Since": latest})
    before = visitor.get(
        "/requests.atom", headers={"If-Modified-Since": "Wed, 01 Jan 1969 00:00:00 GMT"}
    )

    assert since.status_code == 304
    assert before.status_code == 200


@pytest.mark.parametrize("path", ["/about/", "/requests/", "/requests/new/", "/nowhere/"])
def test_head_of_an_answer_is_that_of_the_whole(visitor: Client, path: str) -> None:
    head = visitor.head(path)
    whole = Client().get(path)

    assert head.status_code == whole.status_code
    assert head.content == b""
    assert head.headers["Content-Length"] == str(len(whole.content))
    assert head.headers.get("ETag") == whole.headers.get("ETag")


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip, deflate", "gzip"),
        ("*", "gzip"),
        ("GZIP;q=0.5", "gzip"),
        ("gzip;q=0", None),
        ("br", "br"),
        ("", None),
        ("identity", None),
    ],
)
def test_long_page_is_compressed_for_clients_that_accept_it(
    visitor: Client, accepted: str, coding: str | None
) -> None:
    plain = visitor.get("/about/")

    given = visitor.get("/about/", headers={"Accept-Encoding": accepted})

    assert given.headers.get("Content-Encoding") == coding
    unpack = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}[coding]
    assert unpack(given.content) == plain.content
    assert given.headers["Content-Length"] == str(len(given.content))
    assert (given.headers["ETag"] == plain.headers["ETag"]) is (coding is None)
    assert "Accept-Encoding" in plain.headers["Vary"]


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_packed_answer_is_known_by_its_own_tag(visitor: Client, coding: str) -> None:
    packed = visitor.get("/about/", headers={"Accept-Encoding": coding})

    again = visitor.get(
        "/about/",
        headers={"Accept-Encoding": coding, "If-None-Match": packed.headers["ETag"]},
    )

    assert again.status_code == 304


def test_two_names_of_the_site_are_told_apart(visitor: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["registry.example", "other.example"]
    first = visitor.get("/api/v1/namespaces/", headers={"Host": "registry.example"})

    second = visitor.get("/api/v1/namespaces/", headers={"Host": "other.example"})
    barred = visitor.get("/api/v1/namespaces/", headers={"Host": "evil.example"})

    assert b"registry.example" in first.content
    assert b"other.example" in second.content
    assert barred.status_code == 400


def test_names_that_differ_in_what_they_encode_are_different_addresses(visitor: Client) -> None:
    # Django decodes the path, so only the original target distinguishes them.
    path = "/namespaces/isbn/"
    questions(visitor, path)

    same = questions(visitor, path)
    other = questions(visitor, path, target="/namespaces/%69sbn/")

    assert len(same) == 1
    assert len(other) > 1


def test_htmx_request_is_given_the_part_and_not_the_page(visitor: Client) -> None:
    path = "/namespaces/isbn/?name=0451450523"
    whole = visitor.get(path)

    part = visitor.get(path, headers={"HX-Request": "true"})

    assert b"<html" in whole.content
    assert b"<html" not in part.content


@pytest.mark.whole
def test_missing_pages_leave_room_for_others_in_the_cache(
    remembering: None, settings: Settings
) -> None:
    settings.REGISTRY_CACHE_BYTES = 800_000
    client = Client()
    client.get("/about/")

    for number in range(60):
        assert client.get(f"/namespaces/none-{number}x/").status_code == 404

    assert len(questions(client, "/about/")) == 1
    assert len(questions(client, "/namespaces/none-0x/")) > 1
    assert len(questions(client, "/namespaces/none-59x/")) == 1


def test_error_is_not_kept(visitor: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["registry.example"]
    assert visitor.get("/about/").status_code == 400

    settings.ALLOWED_HOSTS = ["testserver"]

    assert visitor.get("/about/").status_code == 200


def test_writing_is_never_answered_from_memory(
    visitor: Client, in_review: RegistrationRequest
) -> None:
    visitor.get(in_review.get_absolute_url())

    answer = visitor.post(f"{in_review.get_absolute_url()}comment/", {"text": "Words."})

    assert answer.status_code == 302
    assert answer.headers["Cache-Control"] == "no-store"


def test_form_for_everybody_is_taken_from_our_own_pages_alone(
    in_review: RegistrationRequest,
) -> None:
    client = Client(enforce_csrf_checks=True)
    path = f"{in_review.get_absolute_url()}comment/"

    ours = client.post(path, {"text": "Words."}, headers={"Origin": "http://testserver"})
    forged = client.post(path, {"text": "Words."}, headers={"Origin": "https://evil.example"})
    unsaid = client.post(path, {"text": "Words."})

    assert ours.headers["Location"].startswith("/accounts/sign-in/")
    assert (forged.status_code, unsaid.status_code) == (403, 403)


def test_namespace_that_is_unknown_today_is_found_when_it_is_registered(
    visitor: Client, registrar: User, approved: RegistrationRequest
) -> None:
    assert visitor.get("/api/v1/namespaces/seedbank/").status_code == 404

    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])

    assert visitor.get("/api/v1/namespaces/seedbank/").status_code == 200


def test_new_name_of_a_person_is_shown_at_once(
    visitor: Client, sign_in: Callable[[User], Client], in_review: RegistrationRequest
) -> None:
    author = in_review.author
    before = selectors.find_registry_version()

    sign_in(author).post("/account/", {"name": "Another Name", "delivery": "at_once"})

    author.refresh_from_db()
    assert author.name == "Another Name"
    assert selectors.find_registry_version() == before + 1


def test_every_answer_says_the_one_policy(visitor: Client) -> None:
    said = {
        visitor.get(path).headers["Content-Security-Policy"]
        for path in ("/about/", "/nowhere/", "/accounts/sign-in/", "/exports/bioregistry.json")
    }

    assert said == {
        "base-uri 'none'; connect-src 'self'; default-src 'none'; font-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; manifest-src 'self'; "
        "script-src 'self'; style-src 'self'"
    }


def test_compressed_api_answer_keeps_a_usable_etag(
    visitor: Client,
) -> None:
    address = "/api/v1/"

    plain = visitor.get(address)
    packed = visitor.get(address, headers={"accept-encoding": "gzip"})
    tag = packed["ETag"]
    again = visitor.get(address, headers={"accept-encoding": "gzip", "if-none-match": tag})
    seen = visitor.get(address, headers={"if-match": tag})
    changed = visitor.get(address, headers={"if-match": '"other-gzip"'})

    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert [each.status_code for each in (again, seen, changed)] == [304, 200, 412]
