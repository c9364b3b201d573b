"""Requests that wait for one office: lines of the lists of registrar and standards body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from registry.models import RegistrationRequest
from registry.pages.queue import days_until, kind
from registry.queries.holder import missing_holder_word


@dataclass(frozen=True, slots=True)
class Row:
    """One request that waits; `stake` says why the reader leaves it to another, if so.

    `missing_word` says that the word of the holder is missing, where it is.
    """

    registration_request: RegistrationRequest
    kind: str
    is_late: bool
    stake: str
    missing_word: str


def rows(found: Iterable[RegistrationRequest], another_acts: Callable[[str], str]) -> list[Row]:
    """Return the lines of requests that were read by `workload.with_stake_of`.

    `another_acts` puts a stake into words, none into an empty text.
    """
    return [
        Row(
            each,
            kind(each),
            (days_until(each.promised_by) or 0) < 0,
            another_acts(stake),
            missing_holder_word(each),
        )
        for each in found
        for stake in [vars(each)["stake"]]
    ]
