"""The tables of a namespace: begun, put in use, stopped, dropped, and cleared of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from registry import permissions
from registry.enums import TableState
from registry.errors import RegistryError
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_row
from registry.models import Locator, LocatorTable, Namespace, User
from registry.permissions import Person
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, ConcurrentChange

STATES_UNDER_WAY: Final = (TableState.WAITING, TableState.LOADING)


def list_tables(namespace: Namespace) -> QuerySet[LocatorTable]:
    """Return all tables ever loaded or attempted, newest first."""
    return LocatorTable.objects.filter(namespace=namespace).select_related("loaded_by")


def find_current_table(namespace: Namespace) -> LocatorTable | None:
    return list_tables(namespace).filter(state=TableState.CURRENT).first()


def find_table_under_way(namespace: Namespace) -> LocatorTable | None:
    """Return the table that is being loaded, or waits to be."""
    return list_tables(namespace).filter(state__in=STATES_UNDER_WAY).first()


def find_last_refused_table(namespace: Namespace) -> LocatorTable | None:
    """Return the latest table, if it was refused or not completed."""
    last = list_tables(namespace).exclude(state__in=STATES_UNDER_WAY).first()
    failed = (TableState.REFUSED, TableState.STOPPED)
    return last if last and last.state in failed else None


def read_table_rows(table: LocatorTable) -> Iterator[tuple[str, str]]:
    """Yield the full names and the locators of a table, a few thousand at a time."""
    start = f"urn:{table.namespace.nid}:"
    rows = table.locators.order_by("key").values_list("name", "locator")
    for name, locator in rows.iterator(chunk_size=5_000):
        yield start + name, locator


ROWS_PER_DELETE: Final = 10_000
STATES_WITH_ROWS: Final = (TableState.WAITING, TableState.LOADING, TableState.CURRENT)


@task(priority=-20)
def clear_table(table_id: int) -> int:
    """Delete all rows of a table that is neither in use nor being loaded; return how many.

    Each batch is a short transaction, so that others get a turn in between.
    """
    if LocatorTable.objects.filter(pk=table_id, state__in=STATES_WITH_ROWS).exists():
        return 0
    removed = 0
    while some := delete_some_rows(table_id):
        removed += some
    return removed


@transaction.atomic
def delete_some_rows(table_id: int) -> int:
    """Delete the first rows by key."""
    rows = Locator.objects.filter(table_id=table_id)
    keys = rows.order_by("key").values_list("key", flat=True)[:ROWS_PER_DELETE]
    last = list(keys)[-1:]
    return rows.filter(key__lte=last[0]).delete()[0] if last else 0


class LoadingStopped(RegistryError):
    """Somebody, or the scheduler, stopped the loading meanwhile."""

    def __init__(self) -> None:
        super().__init__("Somebody stopped it. Nothing was loaded.")


def begin_table(
    namespace: Namespace,
    *,
    actor: Person,
    file_name: str,
    state: TableState = TableState.LOADING,
    octets: int | None = None,
    over: LocatorTable | None,
) -> LocatorTable:
    """Return a new table of `namespace`, to be loaded in place of `over`, which was in use.

    Raises `ActionRefused` for people who may not, and while another table is being loaded;
    `ConcurrentChange` if another table is in use by now.
    """
    refuse_other_keepers(actor, namespace)
    with transaction.atomic():
        lock_tables_of_namespace(namespace)
        if busy := find_table_under_way(namespace):
            words = _("A table for %(nid)s is being loaded: %(file)s. Wait for its end or stop it.")
            raise ActionRefused(words % {"nid": namespace.nid, "file": busy.file_name})
        if find_current_table(namespace) != over:
            raise ConcurrentChange(_("Another table came into use meanwhile. Look at it first."))
        now = timezone.now()
        return LocatorTable.objects.create(
            namespace=namespace,
            loaded_by=actor if isinstance(actor, User) else None,
            file_name="".join(filter(str.isprintable, file_name))[:200],
            state=state,
            bytes_given=octets,
            started_at=now,
            moved_at=now,
        )


def put_table_in_use(table: LocatorTable, sha256: str, locators_sha256: str) -> None:
    """Put `table`, now complete, in use; raise `LoadingStopped` if it was stopped.

    The journal has the digest of its locators, by which they are verified.
    """
    actor, now = table.loaded_by or permissions.CLOCK, timezone.now()
    # The person who sent it may have left the organization since.
    refuse_other_keepers(actor, table.namespace)
    with transaction.atomic():
        lock_tables_of_namespace(table.namespace)
        before = find_current_table(table.namespace)
        rows: dict[str, str | None] = {build_row_key(table): NEW_ROW}
        if before:
            rows[build_row_key(before)] = digest_row(before)
            end_table(before, TableState.REPLACED)
        loading = LocatorTable.objects.filter(pk=table.pk, state=TableState.LOADING)
        if not loading.update(
            state=TableState.CURRENT,
            rows=table.rows,
            sha256=sha256,
            locators_sha256=locators_sha256,
            moved_at=now,
            ended_at=now,
        ):
            raise LoadingStopped
        data = {"table": table.pk, "rows": table.rows, "sha256": sha256}
        record_event(table.namespace, actor=actor, verb="load_locators", data=data, rows=rows)


def stop_table(table: LocatorTable, *, actor: Person) -> None:
    """Stop the loading of a table; does nothing if it has finished."""
    refuse_other_keepers(actor, table.namespace)
    under_way = LocatorTable.objects.filter(pk=table.pk, state__in=STATES_UNDER_WAY)
    with transaction.atomic():
        if under_way.update(state=TableState.STOPPED, ended_at=timezone.now()):
            clear_table.enqueue(table.pk)


def drop_table(table: LocatorTable, *, actor: Person) -> None:
    """Take the table out of use; doing it twice counts once."""
    refuse_other_keepers(actor, table.namespace)
    with transaction.atomic():
        lock_tables_of_namespace(table.namespace)
        current = find_current_table(table.namespace)
        if current != table:
            return
        rows: dict[str, str | None] = {build_row_key(current): digest_row(current)}
        end_table(table, TableState.DROPPED)
        data = {"table": table.pk, "rows": table.rows}
        record_event(table.namespace, actor=actor, verb="drop_locators", data=data, rows=rows)


def end_table(table: LocatorTable, state: TableState) -> None:
    """Take a table out of use, and have its rows deleted when there is time."""
    LocatorTable.objects.filter(pk=table.pk).update(state=state)
    clear_table.enqueue(table.pk)


def refuse_other_keepers(actor: Person, namespace: Namespace) -> None:
    """Raise `ActionRefused` unless `actor` is the scheduler or may keep the locators."""
    if not isinstance(actor, permissions.Clock) and not permissions.may_manage_services(
        actor, namespace
    ):
        words = _("Locators of %(nid)s are kept by its registrant's delegates and the registrar.")
        raise ActionRefused(words % {"nid": namespace.nid})


def lock_tables_of_namespace(namespace: Namespace) -> None:
    """Make others who change tables of `namespace` wait for the end of the transaction."""
    Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
