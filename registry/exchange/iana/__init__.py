"""Staying in sync with IANA's list of URN namespaces: reading, comparing, adopting."""

from registry.exchange.iana.differences import (
    MAX_CHANGES_AT_ONCE,
    Difference,
    DifferenceKind,
    FieldChange,
    compare_with_registry,
)
from registry.exchange.iana.listing import IANAEntry, IANAListing, InvalidListing, read_listing
from registry.exchange.iana.sync import (
    IANAUnavailable,
    SyncReport,
    enter_difference,
    find_newest_snapshot,
    list_differences,
    read_snapshot,
    request_daily_sync,
    set_difference_aside,
    synchronize,
)

__all__ = [
    "MAX_CHANGES_AT_ONCE",
    "Difference",
    "DifferenceKind",
    "FieldChange",
    "IANAEntry",
    "IANAListing",
    "IANAUnavailable",
    "InvalidListing",
    "SyncReport",
    "compare_with_registry",
    "enter_difference",
    "find_newest_snapshot",
    "list_differences",
    "read_listing",
    "read_snapshot",
    "request_daily_sync",
    "set_difference_aside",
    "synchronize",
]
