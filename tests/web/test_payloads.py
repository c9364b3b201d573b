"""What people write is plain text everywhere: pages, feeds, files, letters, in every field.

Every column that people type into is filled with payloads, bypassing the forms and their checks, so
that only the code that writes pages keeps them from running. The same payloads are sent as whatever
an address reads from its query. A stranger sees all payloads in every field, each of the cast some
of them, at every address. `tests/browser/test_payloads.py` opens each kind of page, file
and letter in a real browser.
"""

from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from typing import Any, Final, cast

import pytest
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.core.management import call_command
from django.db import models
from django.http import HttpResponseBase, QueryDict
from django.test import Client
from lxml import etree, html

from registry.actions import discussion
from registry.enums import Role
from registry.exchange.exports import refresh_exports
from registry.models import (
    IANASnapshot,
    Letter,
    Message,
    RegistrationRequest,
    User,
)
from registry.notifications.outbox import build_mail
from tests.addresses import list_addresses
from tests.conftest import without_triggers
from tests.factories import UserFactory
from tests.payloads import CARRIERS, PAYLOADS, PAYLOADS_BY_CALL
from tests.populated_registry import Cast

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
LONG: Final = "\n\n".join(PAYLOADS)
OF_OURS: Final = frozenset(
    {
        *("BuiltExport", "Counter", "IANASnapshot", "IdempotencyRecord", "Letter", "Locator"),
        *("LogOrigin", "RateLimit", "ReadMarker", "Reminder", "SearchDocument", "SearchWord"),
        *("SignInSource", "Follow"),
    }
)
"""Tables that nobody types into: keys, digests, counters, and derived data."""
MADE_BY_US: Final = frozenset(
    {
        *("key", "secret", "previous_secret", "digest", "sha256", "etag", "token_key", "password"),
        *("statement", "entry", "actor_salt", "details_salt", "seal_salt", "compared_by"),
        *("message_id", "generation", "last_modified", "section", "question", "reader"),
        *("check_name", "template_generation", "registered_source", "network", "text_licence"),
        *("Event.verb", "Event.source", "Event.target", "RegistrationRequest.reference"),
        *("Webhook.subject", "ServiceDesignator.name", "DocumentSource.name"),
    }
)
"""Columns whose values we generate, by column or by table and column."""
TYPED_ALL_THE_SAME: Final = frozenset({"Enquiry.question", "Recognition.statement"})
WELL_FORMED: Final = frozenset(
    {
        *("nid", "nid_as_registered", "version", "date", "grammar", "grammar_start", "url"),
        *("website", "template", "address", "email", "prefix", "media_type", "language"),
        *("keyword", "domain", "registered_on", "last_known_version", "template_url", "page"),
        *("template_date", "read_from", "asked_from", "answered_by", "stopped_by"),
        *("ReservedName.name", "updated_on"),
    }
)
"""Columns whose forms and readers accept only identifiers, addresses, dates or grammars."""
ADDRESSES: Final = frozenset({"href", "src", "action", "formaction", "data", "srcdoc", "poster"})
FAULTS: Final = {500, 502, 503, 504}
XHTML: Final = "http://www.w3.org/1999/xhtml"
RUNS: Final = re.compile(r"[\x00-\x20]*(javascript|vbscript|data:text)", re.IGNORECASE)


def is_typed(column: models.Field[Any, Any]) -> bool:
    """Whether a column stores what people type, unchanged."""
    names = {column.name, f"{column.model.__name__}.{column.name}"}
    return (
        isinstance(column, models.CharField | models.TextField)
        and not column.choices
        and (bool(names & TYPED_ALL_THE_SAME) or not names & (MADE_BY_US | WELL_FORMED))
    )


def fill_with_payloads(each: int = len(PAYLOADS)) -> set[str]:
    """Put payloads wherever people type, this many in each long text; return the columns."""
    filled, supply = set(), cycle(PAYLOADS_BY_CALL)
    with without_triggers():
        for model in apps.get_app_config("registry").get_models():
            if model.__name__ in OF_OURS:
                continue
            for column in filter(is_typed, model._meta.concrete_fields):
                said = model._base_manager.exclude(**{column.name: ""})
                for pk in list(said.values_list("pk", flat=True)):
                    text = "\n\n".join(islice(supply, 1 if column.max_length else each))
                    text = text[: column.max_length]
                    model._base_manager.filter(pk=pk).update(**{column.name: text})
                    filled.add(f"{model.__name__}.{column.name}")
    return filled


def find_markup(text: str) -> Iterator[str]:
    """Yield what in a page would run, load or lead somewhere because of user input."""
    for element in html.document_fromstring(text).iter():
        tag = element.tag
        if not isinstance(tag, str):
            continue
        if tag == "script" and not element.get("src") and "json" not in element.get("type", ""):
            yield f"script: {element.text}"
        if tag in {"iframe", "object", "embed", "base"} or (tag == "style" and element.text):
            yield tag
        for name, value in element.items():
            if name.lower().startswith("on"):
                yield f"{name}={value}"
            if name in ADDRESSES and (RUNS.match(value) or leads_away(value)):
                yield f"{name}={value}"


def leads_away(address: str) -> bool:
    """Whether an address leads to the host of the payloads."""
    return re.match(r"(\w+:)?//evil", address) is not None


def test_payloads_are_text_in_letters_and_one_line_in_their_headers(
    in_review: RegistrationRequest, outsider: User
) -> None:
    fill_with_payloads()
    outsider.refresh_from_db()
    before = {*Letter.objects.values_list("pk", flat=True)}

    for number in range(0, len(PAYLOADS), 25):
        words = "\n\n".join(PAYLOADS[number : number + 25])
        discussion.add_comment(in_review, author=outsider, text=words, key=uuid.uuid4())

    written = Letter.objects.exclude(pk__in=before)
    assert written.exclude(html="").exists()
    for letter in written:
        assert list(find_markup(letter.html or "<p></p>")) == []
        message = build_mail(letter).message()
        for name, value in message.items():
            assert "\n" not in value.replace("\n ", ""), name
        assert set(message.keys()) >= {"Subject", "To", "From"}
        assert message.get_all("Bcc") is None
    assert Message.objects.filter(author=outsider).count() == 8
    assert mail.outbox == []


def test_columns_are_filled_or_known_to_take_nothing_typed() -> None:
    names = {
        name
        for model in apps.get_app_config("registry").get_models()
        for column in model._meta.concrete_fields
        for name in (column.name, f"{model.__name__}.{column.name}")
    }
    known = {model.__name__ for model in apps.get_app_config("registry").get_models()}

    assert known >= OF_OURS
    assert names >= MADE_BY_US | WELL_FORMED | TYPED_ALL_THE_SAME


class AskedNames:
    """Which query parameters are read while responding to an address."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.names: set[str] = set()
        for method in ("__getitem__", "__contains__", "get", "getlist"):
            patch.setattr(QueryDict, method, self.watch(getattr(QueryDict, method)))

    def watch(self, read: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method of a query that records the requested name."""

        def note(query: QueryDict, name: Any, *rest: Any) -> Any:
            if isinstance(name, str) and not query._mutable:
                self.names.add(name)
            return read(query, name, *rest)

        return note


def find_running_parts(response: HttpResponseBase) -> Iterator[str]:
    """Yield what in a response would run in a browser, whatever its format."""
    text = b"".join(cast("Iterable[bytes]", response)).decode("utf-8", "replace")
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if response.headers.get("X-Content-Type-Options") != "nosniff":
        yield "a browser may take it for another kind"
    if kind == "text/html":
        yield from find_markup(text) if text.strip() else ()
    elif kind in {"image/svg+xml", "application/xhtml+xml", "text/xml"}:
        yield f"{kind} runs scripts"
    elif kind.endswith("xml"):
        yield from find_markup_in_feed(text)
    elif kind.endswith("json"):
        json.loads(text)
    location = response.headers.get("Location", "")
    if RUNS.match(location) or leads_away(location):
        yield f"leads to {location}"


def find_markup_in_feed(text: str) -> Iterator[str]:
    """Yield what in XML would run: elements of HTML, and HTML that it contains as text."""
    for element in etree.fromstring(text.encode()).iter(etree.Element):
        name = etree.QName(element)
        if name.namespace == XHTML:
            yield f"{name.localname} of HTML"
        if element.get("type") in {"html", "xhtml"} and (element.text or "").strip():
            yield from find_markup(element.text or "")
        for value in element.attrib.values():
            if RUNS.match(value):
                yield f"{name.localname} with {value}"


def is_for_everybody(address: str) -> bool:
    """Whether a stranger sees more there than the way to sign in."""
    return not address.startswith(("/account/", "/admin/", "/api/v1/account/"))


@pytest.fixture
def filled(populated: Cast) -> None:
    """A registry in which every text that people type is a payload, or several."""
    assert len(fill_with_payloads()) > 60
    call_command("rebuild_search")
    refresh_exports(at_once=True)


@pytest.mark.whole
def test_payloads_run_at_no_public_address(filled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = AskedNames(monkeypatch)
    client, supply = Client(raise_request_exception=False), cycle(PAYLOADS)
    running, seen, read = [], set[str](), set[str]()

    for address in filter(is_for_everybody, list_addresses()):
        asked.names.clear()
        answers = [client.get(address)]
        if names := set(asked.names):
            read |= names
            answers += [
                client.get(address, dict.fromkeys(names, LONG)),
                client.get(address, {name: next(supply) for name in names}),
            ]
        for response in answers:
            if response.status_code in FAULTS:
                running.append((address, str(response.status_code)))
            seen.add(response.headers.get("Content-Type", "").partition(";")[0])
            running += [(address, each) for each in find_running_parts(response)]

    assert running == []
    assert {"text/html", "application/atom+xml", "application/json", "text/csv"} <= seen
    assert {"q", "page", "order", "round", "nid", "head"} <= read


AREAS: Final = {
    "registrant": ("/account/", "/requests/", "/api/v1/account/"),
    "expert": ("/review/",),
    "lead": ("/review/",),
    "registrar": ("/publish/",),
    "standards body": ("/direction/",),
    "administrator": ("/admin/registry/",),
}
"""Where each of the cast sees what a stranger does not."""
MARKS: Final = ("alert(1)", "window.hit=1", "evil.example", "document.title=")
"""What a payload has however it is escaped."""


@pytest.fixture
def readers(populated: Cast) -> dict[str, User]:
    """The cast by their roles, in a registry over whose texts the payloads are spread."""
    with without_triggers():
        IANASnapshot.objects.all().delete()  # It is not XML, as every IANA list is.
    people = {
        "registrant": populated.registrant,
        "expert": populated.expert,
        "lead": populated.lead,
        "registrar": populated.registrar,
        "standards body": UserFactory.create(roles=[Role.STANDARDS_BODY]),
        "administrator": UserFactory.create(roles=[Role.ADMINISTRATOR], is_staff=True),
    }
    assert len(fill_with_payloads(each=len(CARRIERS))) > 60
    discussed = RegistrationRequest.objects.get(nid="watermill")
    author = User.objects.get(pk=populated.outsider.pk)
    discussion.add_comment(discussed, author=author, text=LONG, key=uuid.uuid4())
    call_command("rebuild_search")
    refresh_exports(at_once=True)
    return people


@pytest.mark.whole
def test_payloads_run_at_no_address_for_anybody(
    readers: dict[str, User], bare_refusals: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, supply = AskedNames(monkeypatch), cycle(PAYLOADS)
    faults, shown = [], {name: Counter[str]() for name in readers}

    for name, person in readers.items():
        client = Client(raise_request_exception=False)
        client.force_login(person)
        for address in list_addresses():
            asked.names.clear()
            answers = [client.get(address)]
            area = next((each for each in AREAS[name] if address.startswith(each)), None)
            if area and asked.names:
                answers.append(client.get(address, {each: next(supply) for each in asked.names}))
            for answer in answers:
                faults += [(name, address, fault) for fault in find_faults(answer)]
            if area and any(mark in str(answers[0].content) for mark in MARKS):
                shown[name][area] += 1
        assert SESSION_KEY in client.session, "somebody who was signed out proves nothing"

    assert faults == []
    for name, areas in AREAS.items():
        assert {area for area in areas if shown[name][area] < 2} == set(), (name, shown)


def find_faults(response: HttpResponseBase) -> Iterator[str]:
    """Yield what is wrong with a response: a fault, or something that could run or be framed."""
    if response.status_code in FAULTS:
        yield str(response.status_code)
    policy = response.headers.get("Content-Security-Policy", "")
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if is_page and "frame-ancestors 'none'" not in policy:
        yield "may be framed"
    yield from find_running_parts(response)
