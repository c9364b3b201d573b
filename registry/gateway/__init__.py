"""The gateway: tables of names and locators that organizations load for their namespaces.

A table is loaded as a whole or not at all, and however large it is, in little memory: its lines
are read and measured, sorted by the key they are found by, and written in that order, where
nobody sees them. Then the table takes the place of the one before in one short transaction.
"""

from registry.gateway.acts import Stopped, begin, drop, stop
from registry.gateway.clearing import clear
from registry.gateway.loading import load
from registry.gateway.report import KEPT, as_csv
from registry.gateway.tables import (
    current_table,
    last_refused,
    rows_of,
    table_under_way,
    tables_of,
)
from registry.gateway.waiting import TooLarge, keep, load_waiting, receive, sweep

__all__ = [
    "KEPT",
    "Stopped",
    "TooLarge",
    "as_csv",
    "begin",
    "clear",
    "current_table",
    "drop",
    "keep",
    "last_refused",
    "load",
    "load_waiting",
    "receive",
    "rows_of",
    "stop",
    "sweep",
    "table_under_way",
    "tables_of",
]
