"""The forms of all pages, each sent by each of the cast: nobody does what is not theirs to do.

A form is read from the page of somebody who has it and filled in well, so that nothing but who
sends it is wrong with it. Everybody then sends it: as it is, with unexpected values and other ways
to act, and with the keys of other things in it. Steps are also asked for without any form. What
each of the cast may cause is written down in `tests.web.form_rules`. Every post is undone, so none
depends on another.

`make test-all` sends one form of each kind, and a share of the changed ones; `make soak` sends the
forms of every page, changed in as many ways as `REGISTRY_TEST_SOAK_FORMS` says.
"""

from __future__ import annotations

import datetime
import os
import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http.cookies import SimpleCookie
from random import Random
from typing import Any, Final

import pytest
import time_machine
from django.db import connection, transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import timezone
from lxml import html
from pytest_django import Settings

from registry import workflow
from registry.actions import conflicts_of_interest, discussion, speakers
from registry.enums import RequestPath
from registry.models import Event, Namespace, Organization, RegistrationRequest, User
from registry.models.dates import Dates
from tests.browser import scene
from tests.browser.places import PLACES, Place
from tests.factories import OrganizationFactory, UserFactory, formal_text, let_speak_for, start
from tests.live.hostile import CHANGES, Post, read_form
from tests.web.form_rules import (
    ACTS,
    BY_LETTER,
    CAST,
    FOLLOWS,
    OF_REQUESTS,
    OPEN_TO_ALL,
    OTHER_ROWS,
    OWN_ROWS,
    PASSES,
    may_act,
    may_write,
)
from tools.sign_in import give_factor

pytestmark = pytest.mark.django_db

SEED: Final = 8141
CHANGED: Final = int(os.environ.get("REGISTRY_TEST_SOAK_FORMS", "0"))
"""How many changed forms each of the cast sends for every form; 0 is for a share of one."""
TRIES: Final = 2
"""How many forms of a kind are tried, if the first does nothing."""
ON_EVERY_PAGE: Final = frozenset({"/find/", "/theme/", "/accounts/sign-out/"})
FAULTS: Final = frozenset({500, 502, 503, 504})
NAMES_IN_SCENE: Final = {"unconfirmed": "newcomer", "co-editor": "without-password"}
"""Those of the cast whom the scene calls otherwise."""
MORE_PLACES: Final = (
    ("/review/{lent}/", "temporary"),
    ("/review/{lent}/remark/", "temporary"),
    ("/requests/{draft}/edit/syntax/", "co-editor"),
    ("/requests/{second-round}/comment/", "registrant"),
    ("/requests/{taken}/comment/", "lead"),
    ("/requests/{advisory}/comment/", "expert"),
    ("/requests/{transfer}/act/consent/", "outsider"),
    ("/requests/{transfer}/act/object/", "outsider"),
    ("/requests/{appealed}/act/decide_appeal/", "standards"),
    ("/namespaces/seedbank/holder/", "standards"),
    ("/namespaces/seedbank/errata/", "registrar"),
    ("/organizations/speakers/{speaker}/", "outsider"),
    ("/organizations/speakers/{other-delegate}/", "registrant"),
    ("/organizations/speakers/{evidence}/", "standards"),
)
"""Pages whose forms do something else for these readers."""
CONFIRMATION: Final = re.compile(r"Type\s+(\S+)\s+to confirm")
WRITING: Final = re.compile(
    r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM|REPLACE INTO)\s+"?(\w+)', re.IGNORECASE
)
KEY: Final = re.compile(r"[0-9]+")
CHOSEN: Final = (b"verb", b"about", b"act", b"method", b"lifts", b"enters", b"status")
"""Fields whose value decides what a form does: each value is a form of its own."""
PROSE: Final = frozenset({b"syntax", b"assignment", b"contact", b"notice"})
"""Fields to which something is added, so that a form that only saves has something to save."""
DATES: Final = frozenset({b"due_on", b"first_day", b"last_day", b"until"})
LATER: Final = str(timezone.localdate() + datetime.timedelta(60)).encode()
FILLED: Final = {
    b"answers": b"",
    b"assigner": b"",
    b"begins": b"",
    b"iana_reference": b"",
    b"language": b"",
    b"last_version": b"3",
    b"last_version_source": b"Their archive",
    b"media_type": b"",
    b"name": b"urn:nbn:fi-fe201003181510",
    b"nid": b"heather",
    b"occurrence": b"",
    b"quote": b"",
    b"rfc": b"",
    b"ruling": b"",
    b"seen": b"",
    b"since": b"1999-03-31",
    **dict.fromkeys((b"grammar_start", b"equivalence_parts", b"equivalence_prefixes"), b""),
    b"other": b"",
    b"keyword": b"edition-of",
    b"template": b"https://names.example/{+nss}",
    b"website": b"https://northlight.example/",
    b"withdraw": b"",
}
"""Values for empty fields that any text does not suit."""


@dataclass(frozen=True)
class Stage:
    """The cast, and what they act on."""

    people: Mapping[str, User | None]
    requests: Mapping[str, RegistrationRequest]
    places: list[tuple[str, str]]
    more_places: list[tuple[str, str]]

    def name_of(self, asked: RegistrationRequest | None) -> str:
        """Return the name of a request of the scene; empty for any other, or None."""
        return next((name for name, each in self.requests.items() if each == asked), "")


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    """Time stands still, so that everybody has signed in just now, however long it takes."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture
def stage(administrator: User, settings: Settings, bare_refusals: None) -> Stage:
    """A registry in which something of everything has happened, and a temporary expert."""
    settings.EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"
    built = scene.build(scene.cast())
    # What is begun from here on waits as it does for everybody.
    Dates().save()
    known = {**built.people, "administrator": administrator}
    known["temporary"] = UserFactory.create(email="temporary@people.example")
    requests = {**built.requests, "lent": lend(known)}
    requests["transfer"] = RegistrationRequest.objects.get(reference=built.keys["transfer"].upper())
    challenge(requests["taken"], known)
    keys = {**built.keys, **let_others_speak(known, built.keys["body"])}
    namespace = Namespace.objects.get(nid="seedbank")
    namespace.errata.create(text="The desk has moved.", sent_at=timezone.now())
    people = {
        name: known[NAMES_IN_SCENE.get(name, name)] if name != "stranger" else None for name in CAST
    }
    readers = {theirs: ours for ours, theirs in NAMES_IN_SCENE.items()}
    places = [
        (built.address(each.address), readers.get(each.person, each.person or "stranger"))
        for each in (PLACES if CHANGED else leave_out_reading(PLACES))
    ]
    more = [
        (scene.Scene(known, requests, keys).address(address), name) for address, name in MORE_PLACES
    ]
    return Stage(people, requests, list(dict.fromkeys(more + places)), more)


def leave_out_reading(places: Iterable[Place]) -> list[Place]:
    """Return the places of those signed in, and of the others the first that shows each page."""
    first: dict[str, Place] = {}
    for place in places:
        first.setdefault(place.name, place)
    return [place for place in places if place.person or first[place.name] == place]


def lend(people: Mapping[str, User]) -> RegistrationRequest:
    """Return a request that none of the experts can judge, and on which somebody else does."""
    body = OrganizationFactory.create(name="Harbour Lights Trust")
    lent = start(people["registrant"], body, formal_text("lanterns"), RequestPath.COMMUNITY)
    workflow.perform(lent, "submit", actor=people["registrant"])
    for name in ("expert", "second", "lead"):
        conflicts_of_interest.declare_conflict(people[name], body)
    temporary = people["temporary"]
    workflow.perform(
        lent,
        "assign",
        actor=people["standards"],
        comment="Knows lights.",
        expert=temporary,
    )
    give_factor(temporary)
    return lent


def challenge(registration_request: RegistrationRequest, people: Mapping[str, User]) -> None:
    """Let the registrant challenge the expert on a request."""
    discussion.add_comment(
        registration_request,
        author=people["registrant"],
        text="They sell the same seeds.",
        key=uuid.uuid4(),
        mark=f"challenge:{people['expert'].pk}",
    )


def let_others_speak(people: Mapping[str, User], body: str) -> dict[str, str]:
    """Add a delegate, and evidence about one that a colleague has yet to countersign.

    Forms name the account `somebody@people.example`, of whom nothing is known.
    """
    _somebody, delegate, claimant = (
        UserFactory.create(email=f"{name}@people.example", password=None)
        for name in ("somebody", "delegate", "claimant")
    )
    let_speak_for(Organization.objects.get(pk=body), delegate)
    evidence = speakers.record_speaker(
        Namespace.objects.get(nid="seedbank"),
        claimant.email,
        "Their statutes of 2019 name her.",
        actor=people["registrar"],
    )
    own = delegate.speaking.get()
    return {"other-delegate": str(own.pk), "evidence": str(evidence.pk)}


@dataclass(frozen=True)
class Outcome:
    """What a post was answered, what it did, and the rows without an event that it changed."""

    status: int
    page: str
    events: list[Event]
    rows: dict[str, list[dict[str, Any]]]

    @property
    def did_something(self) -> bool:
        """Whether anything is different because of the post."""
        return bool(self.events or self.rows)


class Sender:
    """Sends posts as each of the cast, and undoes what they do."""

    def __init__(self, people: Mapping[str, User | None]) -> None:
        self.clients = {name: Client(raise_request_exception=False) for name in people}
        for name, person in people.items():
            if person is not None:
                self.clients[name].force_login(person)
        self.cookies = {
            name: {key: each.value for key, each in client.cookies.items()}
            for name, client in self.clients.items()
        }
        self.written: set[str] = set()
        self.before: dict[str, dict[str, dict[str, Any]]] = {}
        self.last_event = Event.objects.latest("number").number

    def client_of(self, name: str) -> Client:
        """Return the client of one of the cast, signed in as at first."""
        client = self.clients[name]
        client.cookies = SimpleCookie(self.cookies[name])
        return client

    def read(self, name: str, address: str) -> str:
        """Return the page at an address, empty if it is none."""
        with transaction.atomic():
            response = self.client_of(name).get(address)
            transaction.set_rollback(True)
        return find_page(response)

    def send(self, name: str, post: Post) -> Outcome:
        """Send a post, undo it, and return what it did."""
        client = self.client_of(name)
        self.written.clear()
        with transaction.atomic():
            with connection.execute_wrapper(self.note_writing):
                response = client.generic(
                    post.method,
                    post.target,
                    post.written(),
                    post.kind(),
                    headers={key: value.decode("latin-1") for key, value in post.headers.items()},
                )
            events = list(
                Event.objects.filter(number__gt=self.last_event).select_related(
                    "registration_request"
                )
            )
            tables = self.written - PASSES if not events else set[str]()
            after = {table: read_rows(table) for table in tables}
            transaction.set_rollback(True)
        page = find_page(response)
        return Outcome(response.status_code, page, events, self.compare(after))

    def note_writing(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        """Remember which tables a statement writes to."""
        if statement := WRITING.match(sql):
            self.written.add(statement[1])
        return execute(sql, params, many, context)

    def compare(
        self, after: Mapping[str, dict[str, dict[str, Any]]]
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the rows that differ from those before, by their tables."""
        changed = {}
        for table, rows in after.items():
            if table not in self.before:
                self.before[table] = read_rows(table)
            both = self.before[table] | rows
            if differ := self.before[table].keys() ^ rows.keys():
                changed[table] = [both[each] for each in differ]
        return changed


def find_page(response: HttpResponseBase) -> str:
    """Return the page that a response is, empty if it is none."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    return response.content.decode() if is_page and isinstance(response, HttpResponse) else ""


def read_rows(table: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a table by what is in them."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        names = [column[0] for column in cursor.description]
        return {repr(row): dict(zip(names, row, strict=True)) for row in cursor.fetchall()}


def read_forms(page: str, address: str) -> Iterator[Post]:
    """Yield the forms of a page that post, filled in well: one for each thing they can do."""
    for form in html.document_fromstring(page).forms if page.strip() else ():
        post = read_form(form, address, {})
        if post.method == "POST" and post.target not in ON_EVERY_PAGE:
            yield from fill_in(form, post)


def fill_in(form: html.FormElement, post: Post) -> Iterator[Post]:
    """Yield a form with valid values, for each of its buttons and of the values that decide."""
    named = [
        (each.get("name").encode(), each.get("value", "").encode())
        for each in form.xpath(".//button[@name]")
    ]
    confirmed = CONFIRMATION.search(form.text_content())
    fields = [
        (name, confirmed[1].encode())
        if name == b"confirmation" and confirmed
        else (name, value_for(name, value, post.choices))
        for name, value in post.fields
        if (name, value) not in named
    ]
    given = {name for name, _value in [*fields, *named]}
    unchosen = {name: values for name, values in post.choices.items() if name not in given}
    buttons = [[], *([each] for each in named)]
    if named and not form.xpath(".//button[not(@name)]"):
        buttons.pop(0)
    ways = max((len(values) for name, values in unchosen.items() if name in CHOSEN), default=1)
    for way in range(ways):
        chosen = [(name, values[way % len(values)]) for name, values in unchosen.items()]
        for button in buttons if CHANGED else buttons[:1]:
            yield replace(post, fields=[*fields, *chosen, *button])


def value_for(name: bytes, value: bytes, choices: Mapping[bytes, list[bytes]]) -> bytes:
    """Return a valid value for a field in which a page, or `read_form`, has `value`."""
    if name in DATES:
        return LATER
    if value not in {b"Something.", b"\n"}:
        return value.removeprefix(b"\n") + (b"\n\nAlways." if name in PROSE else b"")
    if name in choices and name != b"ruling":
        return next(filter(None, choices[name]), b"")
    return FILLED.get(name, b"For good reasons.")


def name_form(post: Post, apart: object) -> tuple[object, ...]:
    """Return the kind of a form: where it leads, what it decides, what fields it has.

    `make soak` tells apart what each of them is about; `apart` is what else does.
    """
    path = post.target.partition("?")[0]
    found = resolve(path)
    words = [str(found.kwargs.get(each, "")) for each in ("verb", "act", "section")]
    decides = [value for name, value in post.fields if name in CHOSEN]
    names = [name for name, _value in post.fields]
    return (found.route, *words, *decides, *names, path if CHANGED else "", apart)


def collect_forms(stage: Stage, sender: Sender) -> list[tuple[str, Post, Outcome]]:
    """Return a form of each kind that does something, if any of the kind does.

    Each comes with whose page it was on, and the outcome when they send it. A form that is shown
    again for confirmation is collected as it is then, too.
    """
    forms: dict[tuple[object, ...], tuple[str, Post, Outcome]] = {}
    tried: Counter[tuple[object, ...]] = Counter()

    def collect(name: str, post: Post, apart: object) -> str:
        kind = name_form(post, apart)
        if tried[kind] == TRIES or (kind in forms and forms[kind][2].did_something):
            return ""
        tried[kind] += 1
        outcome = sender.send(name, post)
        if kind not in forms or outcome.did_something:
            forms[kind] = (name, post, outcome)
        return outcome.page

    for place in stage.places:
        address, name = place
        apart = place if place in stage.more_places else ""
        for post in read_forms(sender.read(name, address), address):
            for shown in read_forms(collect(name, post, apart), post.target):
                collect(name, shown, apart)
    return list(forms.values())


def find_faults(stage: Stage, name: str, post: Post, outcome: Outcome) -> Iterator[str]:
    """Yield what one of the cast should not have been able to do by a post."""
    person = stage.people[name]
    is_open = resolve_route(post).startswith(OPEN_TO_ALL)
    verbs = {event.verb for event in outcome.events}
    if outcome.status in FAULTS:
        yield f"was answered {outcome.status}"
    for event in outcome.events:
        asked = event.registration_request
        about = stage.name_of(asked) if asked else None
        if event.verb in BY_LETTER and (event.actor is None or is_open):
            continue
        if event.actor is None and FOLLOWS.get(event.verb) in verbs:
            continue
        if event.actor != person or not may_act(name, event.verb, about):
            yield f"{event.verb} of {about or event.subject} by {event.actor_name}"
    if is_open:
        return
    for table, rows in outcome.rows.items():
        if not all(may_change(stage, name, table, row) for row in rows):
            yield f"changed {table}: {rows}"


def may_change(stage: Stage, name: str, table: str, row: Mapping[str, Any]) -> bool:
    """Whether one of the cast may change a row without an event."""
    person = stage.people[name]
    if table == "registry_erratum":
        # From anybody; readers see it once the registrar has looked.
        return not (row["is_shown"] or row["answered_at"])
    if name in OTHER_ROWS.get(table, "").split():
        return True
    if table in OWN_ROWS:
        return bool(row[OWN_ROWS[table]] == (person.pk if person else None))
    if table in OF_REQUESTS:
        key = row.get("registration_request_id", row["id"])
        return any(each.pk == key and may_write(name, n) for n, each in stage.requests.items())
    return False


def resolve_route(post: Post) -> str:
    """Return the pattern of the address of a post; empty if there is none."""
    try:
        return resolve(post.target.partition("?")[0]).route
    except Resolver404:
        return ""


def in_turn(number: int) -> tuple[str, ...]:
    """Return those of the cast whose turn it is."""
    return tuple(CAST[(number + step) % len(CAST)] for step in (0, 3, 7))


def change(rng: Random, stage: Stage, post: Post) -> Post:
    """Return a post with other keys and verbs in it, or with something else that is hostile."""
    changed = replace(post, fields=list(post.fields), headers=dict(post.headers))
    ways: list[Callable[[Random, Post], None]] = [
        partial(name_another_thing, stage),
        name_another_verb,
        rng.choice(CHANGES),
    ]
    for way in rng.sample(ways, 2):
        way(rng, changed)
    return changed


def name_another_thing(stage: Stage, rng: Random, post: Post) -> None:
    """Replace the keys in the address and in the fields by those of other things."""
    slugs = [each.slug for each in stage.requests.values()]

    def other(text: str) -> str:
        if text in slugs:
            return rng.choice(slugs)
        return str(rng.randint(1, 40)) if KEY.fullmatch(text) else text

    path, _, query = post.target.partition("?")
    post.target = "/".join(map(other, path.split("/"))) + (f"?{query}" if query else "")
    post.fields = [
        (name, value if name == b"seen" else other(value.decode("latin-1")).encode("latin-1"))
        for name, value in post.fields
    ]


def name_another_verb(rng: Random, post: Post) -> None:
    """Replace the verb in the address or in the fields by another."""
    verbs = sorted(workflow.VERBS)
    parts = [rng.choice(verbs) if each in verbs else each for each in post.target.split("/")]
    post.target = "/".join(parts)
    post.fields = [
        (name, rng.choice(verbs).encode() if name == b"verb" else value)
        for name, value in post.fields
    ]


def ask_for_steps(stage: Stage) -> Iterator[Post]:
    """Yield a post for every step of the workflow, with all the input that any needs."""
    rng = Random(SEED)
    for verb in sorted(workflow.VERBS):
        names = sorted(stage.requests)
        for asked in map(stage.requests.get, names if CHANGED else rng.sample(names, 1)):
            assert asked is not None
            asked.refresh_from_db()
            fields = {
                "seen": asked.revision,
                "verb": verb,
                "comment": "For good reasons.",
                "reasons": "For good reasons.",
                "ground": "rule",
                "path": "informal",
                "address": "outsider@people.example",
                "confirmation": asked.nid,
            }
            post = [(key.encode(), str(value).encode()) for key, value in fields.items()]
            yield Post("POST", f"/requests/{asked.slug}/act/{verb}/", post, {})


def send_everything(stage: Stage, sender: Sender) -> Iterator[tuple[str, Post, Outcome]]:
    """Yield each post with who sent it and what it did."""
    for number, (reader, post, outcome) in enumerate(collect_forms(stage, sender)):
        yield reader, post, outcome
        rng = Random(f"{SEED} {number}")
        posts = [(name, post) for name in (CAST if CHANGED else in_turn(number))]
        for name in CAST * CHANGED or rng.sample(CAST, 1):
            posts.append((name, change(rng, stage, post)))
        for name, each in posts:
            yield name, each, sender.send(name, each)
    for number, post in enumerate(ask_for_steps(stage)):
        for name in in_turn(number):
            yield name, post, sender.send(name, post)


@pytest.mark.whole
def test_each_form_does_for_each_role_what_the_process_allows_and_no_more(stage: Stage) -> None:
    faults: list[str] = []
    done: dict[str, set[str]] = defaultdict(set)

    for name, post, outcome in send_everything(stage, Sender(stage.people)):
        for event in outcome.events:
            done[event.verb].add(name)
        for fault in find_faults(stage, name, post, outcome):
            faults.append(f"{name}: {post.method} {post.target} {post.fields}: {fault}")

    assert faults == []
    assert done.keys() >= ACTS.keys(), "what nobody does is not tested"
    if CHANGED:
        assert {verb: done[verb] for verb, people in ACTS.items() if done[verb] < people} == {}
