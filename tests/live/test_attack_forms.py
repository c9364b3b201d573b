"""The forms of all pages, filled in maliciously by each of the cast, on a running server.

Every request gets a response, and never an error of ours; refused posts leave nothing behind. `make
tests` tries a share of it; `make attack` tries 2,000 posts, or as many as
`REGISTRY_TEST_ATTACK_POSTS` says. A post is identified by its number, which alone determines it.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import pytest
from django.conf import settings as settings_now
from django.db import connection
from django.test import Client
from lxml import html
from pytest_django import Settings

from registry import journal
from registry.models import User
from tests.browser import scene
from tests.browser.places import PLACES
from tests.live.hostile import CHANGES, Answer, Post, read_form, send
from tests.live.servers import gunicorn

pytestmark = pytest.mark.django_db(transaction=True)

POSTS: Final = int(os.environ.get("REGISTRY_TEST_ATTACK_POSTS", "60"))
SEED: Final = 8141
CAST: Final = ("", "registrant", "outsider", "expert", "lead", "registrar", "standards", "admin")
ON_EVERY_PAGE: Final = {"/find/", "/theme/", "/accounts/sign-out/"}
"""Targets of the forms that are on every page: one of twenty posts is enough for them."""
OF_ADMINISTRATORS: Final = (
    "/admin/registry/user/add/",
    "/admin/registry/user/{admin}/change/",
    "/admin/registry/user/{admin}/password/",
    "/admin/registry/user/",
    "/admin/registry/organization/add/",
    "/admin/registry/organization/{body}/change/",
    "/admin/registry/reservedname/add/",
    "/admin/registry/event/",
)
PASSES: Final = frozenset(
    {
        "django_session",
        "registry_cache",
        "registry_ratelimit",
        "registry_signinsource",
        "registry_readmarker",
    }
)
"""Tables of visitors and counts, which do not record what was done."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[str]:
    monkeypatch.setenv("REGISTRY_COMMENTS_PER_HOUR", "1000000")
    monkeypatch.setenv("REGISTRY_NAMESERVERS", "127.0.0.1:9")
    settings.EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    with gunicorn(tmp_path) as url:
        yield url


def state() -> str:
    """Return a digest of all rows that record what was done."""
    digest = hashlib.sha256()
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table not in PASSES:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                digest.update(repr((table, sorted(map(repr, cursor.fetchall())))).encode())
    return digest.hexdigest()


@dataclass
class Attack:
    """Somebody who goes from page to page and sends changed forms."""

    host: str
    people: Mapping[str, User]
    addresses: list[tuple[str, str]]
    statuses: Tally[int] = field(default_factory=Tally)
    forms: set[tuple[str, str]] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    without_forms: set[tuple[str, str]] = field(default_factory=set)

    def send_some(self, posts: int) -> None:
        """Send a number of posts, to the forms of pages in turn."""
        for number in count():
            if self.statuses.total() >= posts:
                return
            address, person = self.addresses[number % len(self.addresses)]
            assert self.statuses.total() or number < len(self.addresses), "no page has a form"
            if (address, person) in self.without_forms:
                continue
            rng = Random(f"{SEED} {number}")
            post = self.find_form(address, person, rng)
            if post is not None:
                self.forms.add((post.method, post.target))
                self.send_changed(number, person, post, rng)

    def find_form(self, address: str, person: str, rng: Random) -> Post | None:
        """Return a form of the page as `person` sees it, None if the page has none of its own."""
        headers = {"Host": self.host.encode()}
        cookies = self.cookies_of(person)
        page = send(self.host, Post("GET", address, [], headers | written(cookies)).octets())
        self.judge(f"reading {address} as {person or 'anybody'}", page)
        headers |= written(cookies | page.cookies) | {"Origin": f"http://{self.host}".encode()}
        headers["Referer"] = f"http://{self.host}{address}".encode()
        if page.status in {301, 302, 303} or not page.text.strip():
            self.without_forms.add((address, person))
            return None
        document = html.document_fromstring(page.text)
        own = [
            read
            for form in document.forms
            if (read := read_form(form, address, headers)).target not in ON_EVERY_PAGE
            or rng.random() < 0.05
        ]
        if not own:
            self.without_forms.add((address, person))
            return None
        return rng.choice(own)

    def cookies_of(self, person: str) -> dict[str, str]:
        """Return the cookie of somebody who has just signed in; a stranger has none."""
        if not person:
            return {}
        client = Client()
        client.force_login(User.objects.get(pk=self.people[person].pk))
        name = settings_now.SESSION_COOKIE_NAME
        return {name: client.cookies[name].value}

    def send_changed(self, number: int, person: str, post: Post, rng: Random) -> None:
        """Send the form changed, and check that a refusal has changed nothing."""
        done = [rng.choice(CHANGES) for _change in range(rng.choice((1, 1, 2, 3)))]
        for change in done:
            change(rng, post)
        octets, before = post.octets(), state()
        answer = send(self.host, octets)
        self.statuses[answer.status] += 1
        names = ", ".join(change.__name__ for change in done)
        what = f"post {number} as {person or 'anybody'} ({names}):\n{octets[:1500]!r}"
        self.judge(what, answer)
        if answer.status >= 400 and state() != before:
            self.failures.append(f"{what}\nwas answered {answer.status}, and something was done.")

    def judge(self, what: str, answer: Answer) -> None:
        """Record our own errors."""
        if not 200 <= answer.status < 500 or "Traceback (most recent call last)" in answer.text:
            self.failures.append(f"{what}\nwas answered {answer.status}: {answer.text[:300]}")


def written(cookies: Mapping[str, str]) -> dict[str, bytes]:
    """Return the Cookie header."""
    said = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return {"Cookie": said.encode()} if said else {}


def pages_of(the_scene: scene.Scene, administrator: User) -> list[tuple[str, str]]:
    """Return every page with each of the cast, in random order; their own pages more often."""
    found = [(the_scene.address(each.address), each.person) for each in PLACES]
    every = [(address, person) for address, _person in dict.fromkeys(found) for person in CAST]
    keys = {"admin": administrator.pk, "body": the_scene.keys["body"]}
    admin = [(address.format_map(keys), "admin") for address in OF_ADMINISTRATORS]
    rng = Random(SEED)
    first, then = dict.fromkeys(found + admin), dict.fromkeys(every)
    own, others = list(first), [each for each in then if each not in first]
    rng.shuffle(own)
    rng.shuffle(others)
    return [pair for n, each in enumerate(others) for pair in (own[n % len(own)], each)]


def test_no_form_can_be_filled_in_so_that_the_fault_is_ours(
    tmp_path: Path, site: str, administrator: User
) -> None:
    the_scene = scene.build(scene.cast())
    people = {**the_scene.people, "admin": administrator}
    attack = Attack(site.removeprefix("http://"), people, pages_of(the_scene, administrator))

    attack.send_some(POSTS)

    log = (tmp_path / "log").read_text("utf-8", "replace")
    print(f"{attack.statuses.total()} posts: {dict(sorted(attack.statuses.items()))}")
    print(f"to {len(attack.forms)} forms")
    print(*attack.failures, sep="\n\n")
    assert attack.failures == []
    assert [line for line in log.splitlines() if "ERROR" in line] == []
    assert list(journal.verify()) == []
    connection.check_constraints()
