"""What the page of a namespace's locators shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from registry import gateway, rules
from registry.choices import TableState
from registry.models import LocatorTable, Namespace
from registry.rules import Person

LINES: Final = 20
"""So many refused lines are shown; the whole report is a file."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the loading of a table is: first its file is read, then its rows are written."""

    table: LocatorTable

    @property
    def is_waiting(self) -> bool:
        """Whether no worker has begun with it."""
        return self.table.state == TableState.WAITING

    @property
    def is_read(self) -> bool:
        """Whether the file is read to its end."""
        return self.table.bytes_given is not None and self.table.bytes_read >= (
            self.table.bytes_given
        )

    @property
    def share(self) -> int | None:
        """How much of the step at hand is done, in per cent; none where nobody knows."""
        table = self.table
        done, of = (
            (table.rows, table.rows_read) if self.is_read else (table.bytes_read, table.bytes_given)
        )
        return 100 * done // of if of else None


def shown(namespace: Namespace, reader: Person) -> dict[str, Any]:
    """Return the table in use, and for those who keep it what else there is to know."""
    context: dict[str, Any] = {
        "namespace": namespace,
        "current": gateway.current_table(namespace),
        "may_keep": rules.may_keep_services(reader, namespace),
    }
    if context["may_keep"]:
        under_way = gateway.table_under_way(namespace)
        refused = gateway.last_refused(namespace)
        context |= {
            "progress": Progress(under_way) if under_way else None,
            "refused": None if under_way else refused,
            "lines": refused.report[:LINES] if refused else [],
            "tables": gateway.tables_of(namespace)[:LINES],
        }
    return context
