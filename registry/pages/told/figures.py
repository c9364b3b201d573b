"""What programs are told of how long requests take."""

from __future__ import annotations

from registry.pages.told.written import Told
from registry.queries.figures import Row


def figure_told(row: Row) -> Told:
    """Return how long stays take in a state, with a party or altogether; in days."""
    by, key = row.track
    return {
        "by": by,
        "key": str(key) or None,
        "name": str(row.label),
        "ended": row.closed.number,
        "median_days": rounded(row.closed.median),
        "percentile_95_days": rounded(row.closed.percentile),
        "waiting": row.open.number,
        "waiting_median_days": rounded(row.open.median),
        "waiting_longest_days": rounded(row.open.longest),
    }


def rounded(days: float | None) -> float | None:
    """Return days with two decimals, as pages and the CSV file have them."""
    return None if days is None else round(days, 2)
