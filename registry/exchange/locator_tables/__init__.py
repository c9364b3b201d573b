"""Locator tables: names and locators that organizations load for their namespaces.

A table is loaded as a whole or not at all, and with little memory whatever its size: its lines are
read and checked, sorted by lookup key, and written in that order, invisibly. Then the table
replaces the previous one in one short transaction.
"""

from registry.exchange.locator_tables.lifecycle import (
    LoadingStopped,
    begin_table,
    clear_table,
    drop_table,
    find_current_table,
    find_last_refused_table,
    find_table_under_way,
    list_tables,
    read_table_rows,
    stop_table,
)
from registry.exchange.locator_tables.lines import MAX_REPORTED_LINES, write_report_csv
from registry.exchange.locator_tables.loader import (
    UploadTooLarge,
    load_table,
    load_waiting_table,
    receive_upload,
    store_upload,
    sweep_uploads,
)

__all__ = [
    "MAX_REPORTED_LINES",
    "LoadingStopped",
    "UploadTooLarge",
    "begin_table",
    "clear_table",
    "drop_table",
    "find_current_table",
    "find_last_refused_table",
    "find_table_under_way",
    "list_tables",
    "load_table",
    "load_waiting_table",
    "read_table_rows",
    "receive_upload",
    "stop_table",
    "store_upload",
    "sweep_uploads",
    "write_report_csv",
]
