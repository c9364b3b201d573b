"""Verifies rows against the journal: texts, registrants, where names lead, who decides.

`registry.journal` verifies the chain itself. The last recorded state of every row is kept in a
temporary file, so that memory stays bounded however many rows there are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When

from registry import journal
from registry.enums import TableState
from registry.journal.row_digests import (
    build_row_key,
    digest_locators,
    digest_row,
    stored_rows,
)
from registry.models import (
    Event,
    HeldNid,
    ImportedRecord,
    LocatorTable,
    Namespace,
    Organization,
    QueryKeyword,
    Registration,
    RegistrationRequest,
    ResolutionService,
    Round,
    ServiceDesignator,
    Speaker,
    User,
)
from registry.transparency.canonical_json import parse_canonical
from registry.transparency.errors import MalformedText
from registry.transparency.replay import PRIVATE_PREFIXES, SealedEntries

CHUNK_SIZE: Final = 100
"""Of rows in memory: each may contain a whole template."""
UNSEEN_PREFIXES: Final = ("organization ", *PRIVATE_PREFIXES)
"""How the keys of rows begin of which a public dump may have none, whatever its entries say."""
LOCATORS_PER_CHUNK: Final = 5_000
WITHOUT_DIGESTS: Final = (
    "No line says what rows said: the registry was made before lines did so. Make it anew: move "
    "the database away, then migrate and load_registry, or demonstration."
)


class KnownRow(NamedTuple):
    """What the journal last recorded of a row: its digest, or for a request its state."""

    line: int
    subject: str
    said: str


class KnownRows:
    """What the journal last recorded of each row, in a temporary file, for one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        connection.execute(
            "CREATE TABLE known (key TEXT PRIMARY KEY, line INTEGER, subject TEXT, said TEXT)"
        )

    def get(self, key: str) -> KnownRow | None:
        """Return what was recorded of a row, or None."""
        words = "SELECT line, subject, said FROM known WHERE key = ?"
        row = self.connection.execute(words, [key]).fetchone()
        return KnownRow(*row) if row else None

    def put(self, key: str, known: KnownRow) -> None:
        """Store what was recorded of a row, replacing what was before."""
        self.connection.execute("REPLACE INTO known VALUES (?, ?, ?, ?)", [key, *known])

    def pop(self, key: str) -> KnownRow | None:
        """Return what was recorded of a row, and forget it."""
        known = self.get(key)
        self.connection.execute("DELETE FROM known WHERE key = ?", [key])
        return known

    def left(self) -> Iterator[tuple[str, KnownRow]]:
        """Yield what was recorded of rows that were never looked up."""
        words = "SELECT key, line, subject, said FROM known ORDER BY line, key"
        for key, *known in self.connection.execute(words):
            yield key, KnownRow(*known)


def verify_rows(*, withheld: bool = False) -> Iterator[str]:
    """Yield one sentence for each row that differs from the journal.

    If events may be `withheld`, their entries are read, and an organization that one of them may
    have changed is not reported, nor anything private: events about what administrators do are not
    public.
    """
    if lacks_digests():
        yield WITHOUT_DIGESTS
        return
    sealed = SealedEntries()
    with closing(sqlite3.connect("")) as connection:
        known = KnownRows(connection)
        yield from read_lines(known, sealed, withheld=withheld)
        for rows in list_verified_tables(withheld=withheld):
            for row in rows.iterator(chunk_size=CHUNK_SIZE):
                last = known.pop(build_row_key(row))
                yield from compare_row(row, last, sealed)
                if last and isinstance(row, LocatorTable):
                    yield from verify_locators(row, last)
        for key, last in known.left():
            if last.said and not (withheld and key.startswith(UNSEEN_PREFIXES)):
                yield f"Line {last.line} ({last.subject}) tells of {key}, which is not there."


def lacks_digests() -> bool:
    """Whether there are rows to verify, and events, none of which has a digest of a row."""
    has_rows = any(rows.exists() for rows in list_verified_tables(withheld=True))
    return has_rows and Event.objects.exists() and not Event.objects.exclude(rows={}).exists()


def read_lines(known: KnownRows, sealed: SealedEntries, *, withheld: bool) -> Iterator[str]:
    """Store what events say about rows; yield a sentence if one found a row other than it was left.

    Otherwise the next action on a row would cover up a secret change.
    """
    if withheld:
        lines = Event.objects.exclude(~Q(verb=journal.WITHHELD_VERB), rows={}, target="")
    else:
        lines = Event.objects.exclude(rows={}, target="")
    columns = ("number", "subject", "rows", "registration_request", "source", "target")
    is_withheld = When(verb=journal.WITHHELD_VERB, then=F("entry"))
    unread = Case(is_withheld, default=Value(""), output_field=models.TextField())
    told_lines = lines.order_by("number").values_list(*columns, unread)
    for number, subject, rows, asked, source, target, entry in told_lines.iterator(
        chunk_size=CHUNK_SIZE
    ):
        told: dict[str, list[str]] = dict(rows)
        if asked and target:
            told[f"registrationrequest {asked}"] = [source, target]
        if entry and not told:
            told = read_withheld_entry(number, entry, sealed)
        for key, (before, after) in told.items():
            last = known.get(key)
            if last and last.said != before and not sealed.may_hide(key, last.line):
                left = f"line {last.line} left it"
                yield f"Line {number} ({subject}) found {key} otherwise than {left}."
            known.put(key, KnownRow(number, subject, after))


def read_withheld_entry(number: int, octets: str, sealed: SealedEntries) -> dict[str, list[str]]:
    """Return what the entry of a withheld event says openly of rows; nothing if it is malformed.

    Whether it is the entry that was signed is verified by `registry.journal`.
    """
    try:
        entry = parse_canonical(octets.encode())
        if "sealed" in entry:
            return dict(sealed.read(number, entry))
        told = dict(entry["rows"])
        if entry["request"] and entry["target"]:
            told[f"registrationrequest {entry['request']}"] = [entry["source"], entry["target"]]
    except (MalformedText, UnicodeEncodeError, KeyError, TypeError, ValueError, AttributeError):
        return {}
    return told


def list_verified_tables(*, withheld: bool) -> tuple[QuerySet[Any], ...]:
    """Return the rows that the journal must cover, table by table.

    In a registry from a public dump nobody may do anything, whatever the journal says.
    """
    sent = Round.objects.sent()
    return (
        RegistrationRequest.objects.all(),
        sent.select_related("registration_request"),
        stored_rows(Registration).select_related("namespace"),
        stored_rows(ImportedRecord).select_related("namespace", "document"),
        stored_rows(Namespace),
        Organization.objects.annotate(
            is_concerned=Q(recognised_on__isnull=False)
            | Exists(Namespace.objects.filter(registrant=OuterRef("pk")))
            | Exists(sent.filter(registration_request__organization=OuterRef("pk")))
        ),
        ServiceDesignator.objects.all(),
        QueryKeyword.objects.all(),
        ResolutionService.objects.select_related("namespace"),
        LocatorTable.objects.filter(state=TableState.CURRENT).select_related("namespace"),
        HeldNid.objects.all(),
        *(() if withheld else list_tables_of_people()),
    )


def list_tables_of_people() -> tuple[QuerySet[Any], ...]:
    """Return the rows that say who decides and who acts for whom."""
    powers = Q(is_superuser=True) | Q(is_staff=True)
    groups = User.groups.through.objects.filter(user=OuterRef("pk"))
    return (
        stored_rows(User).filter(powers | Exists(groups)),
        Speaker.objects.in_effect().select_related("organization", "namespace", "person"),
    )


def compare_row(row: models.Model, last: KnownRow | None, sealed: SealedEntries) -> Iterator[str]:
    """Yield a sentence if a row differs from its last record, or has none."""
    if last is None:
        if needs_line(row, sealed):
            yield f"No line tells of {label_row(row)}."
    elif not last.said:
        yield f"There is {label_row(row)} again, which line {last.line} took away."
    elif last.said != read_current_value(row) and not sealed.may_hide(
        build_row_key(row), last.line, is_shown=True
    ):
        yield f"What {label_row(row)} says is not what line {last.line} left."


def verify_locators(table: LocatorTable, last: KnownRow) -> Iterator[str]:
    """Yield a sentence if the rows of a locator table are not those that were put in use."""
    rows = table.locators.order_by("key").values_list("key", "name", "locator")
    if digest_locators(rows.iterator(chunk_size=LOCATORS_PER_CHUNK)) != table.locators_sha256:
        yield f"The locators of {label_row(table)} are not those that line {last.line} put in use."


def needs_line(row: models.Model, sealed: SealedEntries) -> bool:
    """Whether an event about this row must exist and be readable."""
    if not isinstance(row, Organization):
        return True
    is_hidden = sealed.may_hide(build_row_key(row), 0, is_shown=True)
    return bool(vars(row)["is_concerned"]) and not is_hidden


def read_current_value(row: models.Model) -> str:
    """Return a row's current value as events record it: its digest, or for a request its state."""
    return str(row.state) if isinstance(row, RegistrationRequest) else digest_row(row)


def label_row(row: models.Model) -> str:
    """Name a row by its table, key and name, for somebody looking for it."""
    return f"{build_row_key(row)} “{row}”"
