"""A table is loaded whole or not at all, and refusals are reported."""

from __future__ import annotations

import hashlib
import io
import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from registry import permissions
from registry.enums import TableState
from registry.exchange import locator_tables
from registry.exchange.locator_tables import (
    MAX_REPORTED_LINES,
    loader,
)
from registry.journal.event_messages import describe_event
from registry.models import Event, Locator, LocatorTable, Namespace, User
from registry.workflow import ActionRefused, ConcurrentChange
from tests.exchange.locator_tables.conftest import Load, found
from tests.factories import (
    NamespaceFactory,
    end_speaking_for,
)
from tests.notifications.conftest import work

pytestmark = pytest.mark.django_db

A, B = "https://a.example/", "https://b.example/"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"a,{A}\nb,{B}\n", id="CSV of NSSs"),
        pytest.param(f"urn:lantern:a,{A}\nURN:Lantern:b,{B}\n", id="CSV of whole names"),
        pytest.param(f'name,locator\r\n"a","{A}"\r\n"b",{B}', id="with a header, quotes and CRLF"),
        pytest.param(
            f"\ufeffName,Locator\na,{A}\n\n\nb,{B}\n\n", id="byte order mark, empty lines"
        ),
        pytest.param(
            f'{{"name": "a", "locator": "{A}"}}\n{{"locator": "{B}", "name": "b", "more": 1}}',
            id="JSON lines",
        ),
    ],
)
def test_names_are_found_once_their_table_is_loaded(
    text: str, load: Load, namespace: Namespace
) -> None:
    table = load(text)

    assert (table.state, table.rows, table.refused, table.report) == ("current", 2, 0, [])
    assert table.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert found(namespace, "a", "b", "c") == [A, B, None]


def test_journal_tells_who_loaded_how_much(
    load: Load, namespace: Namespace, registrar: User
) -> None:
    table = load(f"a,{A}\nb,{B}\n")

    event = Event.objects.latest("number")
    assert (event.actor, event.verb, event.namespace) == (registrar, "load_locators", namespace)
    assert event.data == {"table": table.pk, "rows": 2, "sha256": table.sha256}
    assert " 2 " in describe_event(event)


LINES = [
    pytest.param("a", "The line has 1 cell.", id="no locator"),
    pytest.param("a,b,c", "The line has 3 cells.", id="too many cells"),
    pytest.param(f'"a,{A}', "The quotation marks do not match.", id="an open quotation mark"),
    pytest.param(f'a"b"c,"{A}"x', "The quotation marks do not match.", id="text behind one"),
    pytest.param(f"urn:isbn:1,{A}", "The name is one of “isbn”.", id="another namespace"),
    pytest.param(f"a#f,{A}", "A component follows the name (?+, ?= or #).", id="a fragment"),
    pytest.param(f"a?=q,{A}", "A component follows the name (?+, ?= or #).", id="a query"),
    pytest.param(f"ä,{A}", "The line holds a character beyond ASCII.", id="beyond ASCII"),
    pytest.param(
        b"\xff,https://a.example/", "The line holds a character beyond ASCII.", id="octets"
    ),
    pytest.param("a,b.example", "The locator is not a complete web address.", id="no scheme"),
    pytest.param("a,/b", "The locator is not a complete web address.", id="relative, RFC 3986 4.2"),
    pytest.param("a,https:b", "The locator is not a complete web address.", id="no server"),
    pytest.param("a,javascript://b", "The locator is not a complete web address.", id="a script"),
    pytest.param("a,data:,b", "The line has 3 cells.", id="data"),
    pytest.param("a,urn:isbn:1", "The locator is not a complete web address.", id="a name"),
    pytest.param(
        "a,https://u:p@a.example/",
        "The locator contains a user name, or names no server.",
        id="a password",
    ),
    pytest.param(
        "a,https://:80/", "The locator contains a user name, or names no server.", id="a port"
    ),
    pytest.param(
        "a" * 2001 + f",{A}", "The name has more than 2,000 characters.", id="a long name"
    ),
    pytest.param(
        f"a,{A}" + "b" * 2000, "The locator has more than 2,000 characters.", id="a long locator"
    ),
    pytest.param("a" * 70_000, "The line has more than 65,536 octets.", id="a line without end"),
]


@pytest.mark.parametrize(("line", "told"), LINES)
def test_line_that_cannot_be_taken_is_told_and_nothing_is_loaded(
    line: str | bytes, told: str, load: Load, namespace: Namespace
) -> None:
    octets = line.encode() if isinstance(line, str) else line

    table = load(f"z,{A}\n".encode() + octets + f"\ny,{B}\n".encode())

    assert (table.state, table.refused, table.rows) == ("refused", 1, 0)
    assert [(row["line"], row["what"]) for row in table.report] == [(2, told)]
    assert table.report[0]["how"]
    assert found(namespace, "z", "y") == [None, None]
    assert not Locator.objects.exists()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(f"a b,{A}", id="a blank in the name, RFC 8141 section 2"),
        pytest.param("a,https://a.example/ b", id="a blank in the locator, RFC 3986"),
        pytest.param("a,https://a.example/\x07", id="a control character"),
        pytest.param("a\x00,https://a.example/", id="NUL"),
        pytest.param("a,https://a.example/%zz", id="half a triplet"),
        pytest.param("a,https://[::1/", id="half an address"),
    ],
)
def test_line_without_a_urn_or_uri_is_reported(line: str, load: Load) -> None:
    table = load(line + "\n")

    assert (table.state, table.refused, len(table.report)) == ("refused", 1, 1)


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        '{"name": "a"}',
        '{"name": "a", "locator": null}',
        '{"name": "a", "locator": "https://a.example/"',
        "null",
        '{"name": "\\ud800", "locator": "https://a.example/"}',
        '{"name": "a", "locator": "https://a.example/\\u0000"}',
    ],
)
def test_json_line_that_cannot_be_taken_is_told(line: str, load: Load) -> None:
    table = load(json.dumps({"name": "z", "locator": A}) + f"\n{line}\n")

    assert (table.state, table.refused) == ("refused", 1)
    assert table.report[0]["line"] == 2


def test_name_against_the_rule_of_its_namespace_is_refused_with_the_reason(load: Load) -> None:
    namespace = NamespaceFactory.create(nid="isbn")

    table = load(f"978-0-395-36341-6,{A}\n978-0-395-36341-7,{B}\n", namespace)

    assert [row["line"] for row in table.report] == [2]
    assert "check digit" in table.report[0]["what"]
    assert "ISO 2108" in table.report[0]["how"]


@pytest.mark.parametrize(
    ("nid", "lines"),
    [
        pytest.param("lantern", ["a%2c", "a%2C"], id="RFC 8141, section 3.1"),
        pytest.param("lantern", ["a", "urn:Lantern:a"], id="in full and in short"),
        pytest.param("isbn", ["978-0-395-36341-6", "0395363411"], id="ISBN of ten digits"),
    ],
)
def test_two_lines_with_equivalent_names_are_told_with_both_numbers(
    nid: str, lines: list[str], load: Load, namespace: Namespace
) -> None:
    other = namespace if nid == namespace.nid else NamespaceFactory.create(nid=nid)

    table = load("".join(f"{name},{A}\n" for name in lines), other)

    assert (table.state, table.refused) == ("refused", 1)
    assert (table.report[0]["line"], "line 1" in table.report[0]["what"]) == (2, True)


def test_first_refused_lines_are_told_and_all_are_counted(load: Load) -> None:
    doubles = "".join(f"a,{A}\n" for _ in range(MAX_REPORTED_LINES + 1))

    table = load("wrong\n" + doubles + "wrong\n" * MAX_REPORTED_LINES)

    assert table.refused == 1 + MAX_REPORTED_LINES + MAX_REPORTED_LINES
    assert [row["line"] for row in table.report] == [1, *range(3, MAX_REPORTED_LINES + 2)]


def test_empty_file_is_refused(load: Load) -> None:
    table = load("\n\n")

    assert (table.state, "no rows" in table.report[0]["what"]) == ("refused", True)


def test_file_with_too_many_rows_is_refused(load: Load, settings: Settings) -> None:
    settings.REGISTRY_LOCATOR_ROWS = 2

    fits, does_not = load(f"a,{A}\nb,{A}\n"), load(f"a,{A}\nb,{A}\nc,{A}\n")

    assert (fits.state, does_not.state) == ("current", "refused")
    assert " 2 rows" in does_not.report[0]["what"]


def test_table_takes_the_place_of_the_one_before_and_a_refused_one_does_not(
    load: Load, namespace: Namespace
) -> None:
    first = load(f"a,{A}\nb,{A}\n")
    refused = load("wrong\n")
    between = found(namespace, "a", "b")
    second = load(f"b,{B}\n")
    first.refresh_from_db()

    assert (first.state, refused.state, second.state) == ("replaced", "refused", "current")
    assert between == [A, A]
    assert found(namespace, "a", "b") == [None, B]


def test_rows_of_a_table_that_was_replaced_go_with_the_next_work(load: Load) -> None:
    first, second = load(f"a,{A}\nb,{A}\n"), load(f"b,{B}\n")
    assert first.locators.count() == 2

    work()

    assert (first.locators.count(), second.locators.count()) == (0, 1)


def test_more_than_memory_should_hold_is_sorted_in_files(
    load: Load, namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "ROWS_PER_RUN", 10)
    monkeypatch.setattr(loader, "ROWS_PER_LOCATOR_INSERT", 7)
    names = [f"n{number}" for number in range(105)]

    table = load("".join(f"{name},{A}{name}\n" for name in names))
    double = load("".join(f"{name},{A}\n" for name in [*names, "n3"]))

    assert (table.state, table.rows) == ("current", 105)
    assert found(namespace, *names) == [A + name for name in names]
    keys = list(table.locators.order_by("pk").values_list("key", flat=True))
    assert keys == sorted(map(bytes, keys))
    assert (double.state, double.report[0]["line"]) == ("refused", 106)
    work()
    assert Locator.objects.count() == 105


def test_progress_can_be_read_while_a_table_is_loaded(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "ROWS_PER_LOCATOR_INSERT", 2)
    octets, seen = f"a,{A}\nb,{A}\nc,{A}\n".encode(), []
    table = locator_tables.begin_table(
        namespace, actor=permissions.CLOCK, file_name="t", octets=66, over=None
    )

    def told(table: LocatorTable) -> None:
        kept = LocatorTable.objects.get(pk=table.pk)
        seen.append((kept.bytes_read, kept.rows_read, kept.rows))
        assert found(namespace, "a") == [None]

    locator_tables.load_table(table, io.BytesIO(octets), told)

    assert seen == [(42, 2, 0), (63, 3, 0), (63, 3, 2), (63, 3, 3)]
    assert found(namespace, "a") == [A]


# Who may


def test_only_the_registrar_and_delegates_of_the_registrant_load(
    namespace: Namespace, registrar: User, delegate: User, outsider: User, expert: User
) -> None:
    def begins(person: User) -> bool:
        try:
            table = locator_tables.begin_table(namespace, actor=person, file_name="t", over=None)
        except ActionRefused:
            return False
        locator_tables.stop_table(table, actor=person)
        return True

    may = [begins(person) for person in (registrar, delegate, outsider, expert)]

    assert may == [True, True, False, False]


def test_nobody_in_particular_is_not_taken_for_the_registry(namespace: Namespace) -> None:
    from_nobody = AnonymousUser()

    with pytest.raises(ActionRefused):
        locator_tables.begin_table(namespace, actor=from_nobody, file_name="t", over=None)


def test_delegate_removed_during_a_load_has_loaded_nothing(
    namespace: Namespace, delegate: User
) -> None:
    table = locator_tables.begin_table(namespace, actor=delegate, file_name="t", over=None)
    assert namespace.registrant
    end_speaking_for(namespace.registrant)

    with pytest.raises(ActionRefused):
        locator_tables.load_table(table, io.BytesIO(f"a,{A}\n".encode()))

    assert (table.state, found(namespace, "a")) == ("stopped", [None])


def test_one_table_is_loaded_at_a_time(namespace: Namespace, registrar: User) -> None:
    locator_tables.begin_table(namespace, actor=registrar, file_name="one.csv", over=None)

    with pytest.raises(ActionRefused, match=r"one\.csv"):
        locator_tables.begin_table(namespace, actor=registrar, file_name="two.csv", over=None)


def test_replacing_another_table_than_the_one_seen_is_refused(
    load: Load, namespace: Namespace, registrar: User
) -> None:
    seen = load(f"a,{A}\n")
    load(f"b,{B}\n")

    with pytest.raises(ConcurrentChange):
        locator_tables.begin_table(namespace, actor=registrar, file_name="t", over=seen)


# Ends


def test_table_that_is_stopped_leaves_nothing(
    namespace: Namespace, registrar: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "ROWS_PER_LOCATOR_INSERT", 1)
    table = locator_tables.begin_table(namespace, actor=registrar, file_name="t", over=None)

    def stop_once_written(table: LocatorTable) -> None:
        if table.rows:
            locator_tables.stop_table(table, actor=registrar)

    with pytest.raises(locator_tables.LoadingStopped):
        locator_tables.load_table(table, io.BytesIO(f"a,{A}\nb,{B}\n".encode()), stop_once_written)
    work()

    assert (table.state, found(namespace, "a", "b")) == ("stopped", [None, None])
    assert not Locator.objects.exists()


def test_stream_that_breaks_off_leaves_nothing(namespace: Namespace, registrar: User) -> None:
    table = locator_tables.begin_table(namespace, actor=registrar, file_name="t", over=None)
    broken = io.BytesIO(f"a,{A}\n".encode())
    broken.close()

    with pytest.raises(ValueError, match="closed file"):
        locator_tables.load_table(table, broken)

    assert (table.state, found(namespace, "a")) == ("stopped", [None])


def test_dropped_table_answers_no_longer_and_dropping_twice_is_told_once(
    load: Load, namespace: Namespace, registrar: User
) -> None:
    table = load(f"a,{A}\n")

    locator_tables.drop_table(table, actor=registrar)
    locator_tables.drop_table(table, actor=registrar)
    work()

    assert found(namespace, "a") == [None]
    assert not Locator.objects.exists()
    told = Event.objects.filter(verb="drop_locators")
    assert [event.data for event in told] == [{"table": table.pk, "rows": 1}]


def test_only_who_may_load_drops_and_stops(
    load: Load, namespace: Namespace, registrar: User, outsider: User
) -> None:
    table = load(f"a,{A}\n")
    under_way = locator_tables.begin_table(namespace, actor=registrar, file_name="t", over=table)

    for act in (locator_tables.drop_table, locator_tables.stop_table):
        with pytest.raises(ActionRefused):
            act(under_way if act is locator_tables.stop_table else table, actor=outsider)

    states = LocatorTable.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [TableState.CURRENT, TableState.LOADING]


def test_current_table_can_be_read_back(load: Load, namespace: Namespace) -> None:
    table = load(f"a%2c,{A}\nb,{B}\n")

    with CaptureQueriesContext(connection) as asked:
        rows = sorted(locator_tables.read_table_rows(table))

    assert rows == [("urn:lantern:a%2c", A), ("urn:lantern:b", B)]
    assert len(asked) <= 2
