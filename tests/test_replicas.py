"""Which database anonymous requests read from; `tests/live/test_replicas.py` has real ones."""

from __future__ import annotations

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from registry.http.cache import PublicCacheMiddleware
from registry.models import Counter, Namespace, RateLimit, User
from registry.replicas import (
    MAX_REPLICA_DELAY,
    ReplicaChoice,
    ReplicaRouter,
    find_reading_alias,
    reading_from,
)
from tests.test_settings import PRODUCTION, load_settings

PRIMARY = DEFAULT_DB_ALIAS
NEAR, FAR = "replica_1", "replica_2"


class Servers:
    """Databases, by their versions, with None for one that is away."""

    def __init__(self, **versions: int | None) -> None:
        self.versions = versions

    def ask(self, alias: str) -> int:
        """Return the version there."""
        version = self.versions[alias]
        if version is None:
            raise OperationalError("It is away.")
        return version


class Clock:
    """A clock that stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        """Return the seconds, like `time.monotonic`."""
        return self.now

    def shift(self, seconds: float) -> None:
        """Let some time pass."""
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock used to choose replicas."""
    clock = Clock()
    monkeypatch.setattr("registry.replicas.time", clock)
    return clock


def list_chosen(choice: ReplicaChoice, servers: Servers, times: int = 4) -> list[str]:
    """Return where several anonymous requests read from."""
    return [choice.choose(servers.ask)[0] for _time in range(times)]


def test_replicas_that_keep_up_take_turns() -> None:
    choice = ReplicaChoice([NEAR, FAR])
    servers = Servers(default=7, replica_1=7, replica_2=7)

    assert list_chosen(choice, servers) == [NEAR, FAR, NEAR, FAR]


def test_one_that_is_behind_is_read_for_ten_seconds_and_then_left_out(
    clock: Clock,
) -> None:
    choice, servers = ReplicaChoice([NEAR]), Servers(default=7, replica_1=7)
    list_chosen(choice, servers)
    clock.shift(1.5)
    servers.versions[PRIMARY] = 8

    at_once = list_chosen(choice, servers)
    clock.shift(MAX_REPLICA_DELAY - 2)
    just_before = list_chosen(choice, servers)
    clock.shift(2)
    after = list_chosen(choice, servers)

    assert at_once == just_before == [NEAR] * 4
    assert after == [PRIMARY] * 4


def test_one_that_was_behind_when_nobody_looked_is_not_trusted(
    clock: Clock,
) -> None:
    choice, servers = ReplicaChoice([NEAR]), Servers(default=7, replica_1=7)
    list_chosen(choice, servers)
    servers.versions[PRIMARY] = 8
    clock.shift(3_600)

    assert list_chosen(choice, servers) == [PRIMARY] * 4


def test_nobody_is_answered_from_an_older_version_than_somebody_before() -> None:
    choice = ReplicaChoice([NEAR, FAR])
    servers = Servers(default=8, replica_1=8, replica_2=7)

    assert list_chosen(choice, servers) == [NEAR] * 4


def test_version_seen_on_the_primary_counts_too() -> None:
    choice, servers = ReplicaChoice([NEAR]), Servers(default=8, replica_1=7)

    choice.note_primary(servers.ask)

    assert list_chosen(choice, servers) == [PRIMARY] * 4


def test_one_that_is_away_is_left_alone_for_a_while(clock: Clock) -> None:
    choice, servers = ReplicaChoice([NEAR]), Servers(default=7, replica_1=None)

    away = list_chosen(choice, servers)
    servers.versions[NEAR] = 7
    still = list_chosen(choice, servers)
    clock.shift(6)

    assert away == still == [PRIMARY] * 4
    assert list_chosen(choice, servers) == [NEAR] * 4


def test_replicas_serve_strangers_without_the_primary(
    clock: Clock,
) -> None:
    choice, servers = ReplicaChoice([NEAR]), Servers(default=7, replica_1=7)
    list_chosen(choice, servers)
    servers.versions[PRIMARY] = None
    clock.shift(60)

    assert list_chosen(choice, servers) == [NEAR] * 4
    servers.versions[NEAR] = None
    with pytest.raises(OperationalError):
        choice.choose(servers.ask)


@pytest.mark.parametrize(
    ("near", "far", "is_replayed"), [(5, 5, True), (5, 4, False), (5, None, True), (6, 9, True)]
)
def test_event_is_replayed_once_every_replica_that_answers_has_it(
    near: int, far: int | None, is_replayed: bool
) -> None:
    choice = ReplicaChoice([NEAR, FAR])
    servers = Servers(default=9, replica_1=near, replica_2=far)

    assert choice.have_replayed(5, servers.ask) is is_replayed


def test_replica_is_never_written_or_migrated(db: None) -> None:
    router = ReplicaRouter()

    with reading_from(NEAR):
        # The test itself is within a transaction, like somebody who writes.
        assert find_reading_alias() == PRIMARY
        assert router.db_for_write(Namespace) == PRIMARY
    assert router.allow_migrate(NEAR, "registry") is False
    assert router.allow_migrate(PRIMARY, "registry") is True


def test_replica_is_read_within_the_block_alone() -> None:
    router = ReplicaRouter()

    with reading_from(NEAR):
        inside = [router.db_for_read(each) for each in (Namespace, User, Counter, RateLimit)]
    outside = router.db_for_read(Namespace)

    assert (inside, outside) == ([NEAR] * 4, PRIMARY)


@pytest.mark.parametrize("method", ["get", "post"])
def test_writer_is_marked_for_half_a_minute_with_replicas(
    db: None, settings: Settings, method: str
) -> None:
    client = Client()
    settings.REGISTRY_REPLICAS = [NEAR]

    response = getattr(client, method)("/about/")

    marked = response.cookies.get("wrote")
    assert (marked is not None) is (method == "post")
    assert marked is None or (marked["max-age"], marked["httponly"]) == (30, True)


@pytest.mark.parametrize(
    ("headers", "place"),
    [({}, NEAR), ({"Authorization": "Bearer unknown"}, PRIMARY), ({"Cookie": "wrote=1"}, PRIMARY)],
    ids=["a stranger", "a token", "somebody who wrote"],
)
@pytest.mark.parametrize(
    "path", ["/api/v1/namespaces/", "/find/?q=isbn", "/log/", "/log/entries/1/", "/log/checkpoint"]
)
def test_only_strangers_are_read_from_a_replica_whatever_else_is_sent(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    headers: dict[str, str],
    place: str,
    path: str,
) -> None:
    choice, servers = ReplicaChoice([NEAR]), Servers(default=7, replica_1=7)
    read_from: list[str] = []
    settings.REGISTRY_REPLICAS = [NEAR]
    monkeypatch.setattr("registry.selectors.registry_version.replicas", choice)
    monkeypatch.setattr("registry.selectors.registry_version.ask_registry_version", servers.ask)

    def note_place(request: HttpRequest) -> HttpResponse:
        read_from.append(find_reading_alias())
        return HttpResponse("An answer.")

    PublicCacheMiddleware(note_place)(RequestFactory(headers=headers).get(path))

    assert read_from == [place]


def test_replicas_stand_in_the_settings() -> None:
    postgresql = "postgres://registry:secret@localhost"
    named = {
        "REGISTRY_DATABASE_URL": f"{postgresql}/registry",
        "REGISTRY_REPLICA_URLS": f"{postgresql}:5433/registry, {postgresql}:5434/registry",
    }

    loaded = load_settings(**PRODUCTION | named)

    assert loaded["REGISTRY_REPLICAS"] == [NEAR, FAR]
    assert [loaded["DATABASES"][each]["PORT"] for each in (NEAR, FAR)] == [5433, 5434]
    assert loaded["DATABASE_ROUTERS"] == ["registry.replicas.ReplicaRouter"]
