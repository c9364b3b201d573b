"""SQL that is built once per process, and the version that says how long results are valid."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model, QuerySet, Value
from django.utils import timezone

from registry.models import Counter, Event
from registry.replicas import MAX_REPLICA_DELAY, find_reading_alias, replicas

VERSION_COUNTERS: Final = (Counter.EVENT, Counter.SHOWN)
# Run for every request, so it is as short as a query can be.
VERSION_SQL: Final = f"SELECT value FROM {Counter._meta.db_table} WHERE name IN (%s, %s)"

REPLAY_PATIENCE: Final = datetime.timedelta(seconds=MAX_REPLICA_DELAY + 5)
"""After this long, people are notified of an event whether or not it was replayed."""


def find_registry_version(alias: str | None = None) -> int:
    """Return the current version, in one small query; if `alias` names a database, in that one.

    Every event raises it, as does a change of a public page without one, which calls
    `raise_registry_version`.
    """
    with connections[alias or find_reading_alias()].cursor() as cursor:
        cursor.execute(VERSION_SQL, VERSION_COUNTERS)
        return sum(value for (value,) in cursor.fetchall())


def ask_registry_version(alias: str) -> int:
    """Return the version in one database, over a working connection; raises its errors."""
    connections[alias].close_if_unusable_or_obsolete()
    return find_registry_version(alias)


def choose_database() -> tuple[str, int]:
    """Return the database to read for an anonymous reader, and the registry's version there."""
    if not replicas.aliases:
        return DEFAULT_DB_ALIAS, find_registry_version()
    return replicas.choose(ask_registry_version)


def note_reading_of_primary() -> None:
    """Let nobody get an older version than the primary has now; for people who are not anonymous.

    Costs a query if there are replicas, and nothing if there are none.
    """
    replicas.note_primary(ask_registry_version)


def is_replayed(event: Event) -> bool:
    """Whether all replicas that serve anonymous readers have an event.

    What leads people to a page about it may then be sent. Nothing waits longer than a replica may
    lag: after that, replicas that have not replayed it are not read.
    """
    age = timezone.now() - event.at
    if not replicas.aliases or age > REPLAY_PATIENCE:
        return True
    return replicas.have_replayed(event.number, ask_last_line)


def ask_last_line(alias: str) -> int:
    """Return the number of the last event in one database; raises its errors."""
    connections[alias].close_if_unusable_or_obsolete()
    found = Counter.objects.using(alias).filter(name=Counter.EVENT)
    return found.values_list("value", flat=True).first() or 0


def raise_registry_version() -> None:
    """Raise the version: something public changed that the journal does not record."""
    Counter.objects.take(Counter.SHOWN)


# Building it takes ten times as long as running it on a small table.

M = TypeVar("M", bound=Model)
Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class QueryGap:
    """A placeholder among the values of a query, filled when the query is run."""

    place: int


def fill_gaps(values: Sequence[Any], given: Sequence[int | str]) -> list[Any]:
    """Return the values of a query with its gaps filled."""
    return [given[each.place] if isinstance(each, QueryGap) else each for each in values]


class PreparedQuery(Generic[M]):
    """A query with one gap or more, such as a NID or a key, whose SQL is built once.

    It finds what its queryset would: models, with `select_related` and annotations.
    """

    def __init__(self, ask: Callable[..., QuerySet[M]], gaps: int = 1) -> None:
        self.ask, self.gaps = ask, gaps

    @cached_property
    def plan(self) -> QueryPlan[M]:
        """The compiled query, built on first use."""
        return QueryPlan(self.ask(*(Value(QueryGap(place)) for place in range(self.gaps))))

    def __call__(self, *given: int | str) -> list[M]:
        """Return the rows for these values; one query."""
        plan = self.plan
        with connections[find_reading_alias()].cursor() as cursor:
            cursor.execute(plan.sql, fill_gaps(plan.values, given))
            return plan.models(cursor.fetchall())

    def first(self, *given: int | str) -> M | None:
        """Return the first row for these values, or None."""
        return next(iter(self(*given)), None)


class PreparedCount:
    """A query with one gap, prepared like `PreparedQuery`, that counts rows up to `most`."""

    def __init__(self, ask: Callable[[Value], QuerySet[Any]], most: int) -> None:
        self.ask, self.most = ask, most

    @cached_property
    def plan(self) -> tuple[str, Sequence[Any]]:
        """The SQL and its values."""
        found = self.ask(Value(QueryGap(0))).order_by().values("pk")[: self.most]
        sql, values = found.query.get_compiler(connection=connection).as_sql()
        return f"SELECT COUNT(*) FROM ({sql}) AS found", values

    def __call__(self, value: int | str) -> int:
        """Return the count for `value`; one query."""
        sql, values = self.plan
        with connections[find_reading_alias()].cursor() as cursor:
            cursor.execute(sql, fill_gaps(values, [value]))
            return int(cursor.fetchone()[0])


class QueryPlan(Generic[M]):
    """SQL, its values, and how models are built from the rows it returns."""

    def __init__(self, question: QuerySet[M]) -> None:
        # `connection` is that of the current thread.
        self.compiler = question.query.get_compiler(connection=connection)
        self.sql, self.values = self.compiler.as_sql()
        columns = [column for column, _sql, _name in self.compiler.select]
        self.converters = self.compiler.get_converters(columns)
        self.beside: dict[str, int] = self.compiler.annotation_col_map or {}
        self.part: ColumnGroup[M] = ColumnGroup(self.compiler.klass_info, columns)

    def models(self, rows: list[Row]) -> list[M]:
        """Return the models of the rows, each with its annotations."""
        found = []
        for row in self.compiler.apply_converters(rows, self.converters):
            model = self.part.made(row)
            vars(model).update({name: row[place] for name, place in self.beside.items()})
            found.append(model)
        return found


class ColumnGroup(Generic[M]):
    """The columns of a row for one model, and those for its related models."""

    def __init__(self, told: Mapping[str, Any], columns: Sequence[Any]) -> None:
        places = told["select_fields"]
        self.model: type[M] = told["model"]
        self.names = [columns[place].target.attname for place in places]
        self.columns = slice(places[0], places[-1] + 1)
        self.key = places[self.names.index(self.model._meta.pk.attname)]
        self.others = [
            (ColumnGroup[Model](each, columns), each["local_setter"], each["remote_setter"])
            for each in told.get("related_klass_infos", ())
        ]

    def made(self, row: Row) -> M:
        """Return the model of a row, with its related models as far as there are any."""
        model = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.columns])
        for part, keep_here, keep_there in self.others:
            if row[part.key] is None:
                keep_here(model, None)
            else:
                other = part.made(row)
                keep_here(model, other)
                keep_there(other, model)
        return model
