"""Beginning, finishing, stopping and dropping tables: who may, and what the journal keeps."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.choices import TableState
from registry.gateway.clearing import clear
from registry.gateway.tables import UNDER_WAY, current_table, table_under_way
from registry.models import LocatorTable, Namespace, User
from registry.rules import Person
from registry.workflow.recording import record
from registry.workflow.step import Refused, Superseded


class Stopped(Exception):
    """Somebody, or the clock, stopped the loading meanwhile."""


def begin(
    namespace: Namespace,
    *,
    actor: Person,
    file_name: str,
    state: TableState = TableState.LOADING,
    octets: int | None = None,
    over: LocatorTable | None,
) -> LocatorTable:
    """Return a new table of `namespace`, to be loaded in place of `over`, which was in use.

    Raises `Refused` for whoever may not, and while another is being loaded; `Superseded` where
    another table is in use by now.
    """
    ask(actor, namespace)
    with transaction.atomic():
        lock(namespace)
        if busy := table_under_way(namespace):
            words = _("A table for %(nid)s is being loaded: %(file)s. Wait for its end or stop it.")
            raise Refused(words % {"nid": namespace.nid, "file": busy.file_name})
        if current_table(namespace) != over:
            raise Superseded(_("Another table came into use meanwhile. Look at it first."))
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


def put_in_use(table: LocatorTable, sha256: str) -> None:
    """Have `table`, whose rows are all there, answer from now on; raise `Stopped` if it was."""
    actor, now = table.loaded_by or rules.CLOCK, timezone.now()
    # Whoever sent it may have left the organization since.
    ask(actor, table.namespace)
    with transaction.atomic():
        lock(table.namespace)
        before = current_table(table.namespace)
        if before:
            end(before, TableState.REPLACED)
        loading = LocatorTable.objects.filter(pk=table.pk, state=TableState.LOADING)
        if not loading.update(
            state=TableState.CURRENT, rows=table.rows, sha256=sha256, moved_at=now, ended_at=now
        ):
            raise Stopped
        data = {"table": table.pk, "rows": table.rows, "sha256": sha256}
        record(table.namespace, actor=actor, verb="load_locators", data=data)


def stop(table: LocatorTable, *, actor: Person) -> None:
    """Stop the loading of a table; of one that has come to its end nothing changes."""
    ask(actor, table.namespace)
    under_way = LocatorTable.objects.filter(pk=table.pk, state__in=UNDER_WAY)
    with transaction.atomic():
        if under_way.update(state=TableState.STOPPED, ended_at=timezone.now()):
            clear.enqueue(table.pk)


def drop(table: LocatorTable, *, actor: Person) -> None:
    """Take the table out of use; done twice, once."""
    ask(actor, table.namespace)
    with transaction.atomic():
        lock(table.namespace)
        if current_table(table.namespace) != table:
            return
        end(table, TableState.DROPPED)
        data = {"table": table.pk, "rows": table.rows}
        record(table.namespace, actor=actor, verb="drop_locators", data=data)


def end(table: LocatorTable, state: TableState) -> None:
    """Have a table in use answer no longer, and its rows removed when there is time."""
    LocatorTable.objects.filter(pk=table.pk).update(state=state)
    clear.enqueue(table.pk)


def ask(actor: Person, namespace: Namespace) -> None:
    """Raise `Refused` for whoever keeps no locators of `namespace`; the registry itself may."""
    if not isinstance(actor, rules.Clock) and not rules.may_keep_services(actor, namespace):
        words = _("Locators of %(nid)s are kept by its registrant's delegates and the registrar.")
        raise Refused(words % {"nid": namespace.nid})


def lock(namespace: Namespace) -> None:
    """Have others who change tables of `namespace` wait for the end of the transaction."""
    Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
