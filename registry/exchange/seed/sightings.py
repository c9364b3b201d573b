"""Identifiers known to be in use without registration, each with its public source."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.db import transaction
from django.utils import timezone

from registry import journal, selectors
from registry.exchange.seed.csv_files import (
    ColumnCheck,
    CSVTable,
    Defect,
    InvalidSeedFiles,
    LoadCounts,
    check_nid,
    check_web_address,
    find_max_length,
    find_wrong_values,
    make_required_check,
    make_text_check,
    read_csv_table,
)
from registry.exchange.seed.namespaces import DATA_FOLDER
from registry.models import Event, Sighting
from registry.urn.nid import canonical

SIGHTINGS_FILE: Final = DATA_FOLDER / "sightings.csv"
SIGHTING_COLUMNS: Final[Mapping[str, ColumnCheck]] = {
    "nid": check_nid,
    "user_of_it": make_required_check(make_text_check(find_max_length(Sighting, "user_of_it"))),
    "evidence": make_required_check(make_text_check(1_000)),
    "source": make_required_check(check_web_address),
}


@dataclass(frozen=True, slots=True)
class SeedSighting:
    """One identifier of the file, by the table's columns."""

    nid: str
    user_of_it: str
    evidence: str


def read_sightings(path: Path = SIGHTINGS_FILE) -> list[SeedSighting]:
    """Return the sightings of a file; raise `InvalidSeedFiles` with every error in it."""
    table = read_csv_table(path, list(SIGHTING_COLUMNS))
    if defects := [*table.defects, *find_wrong_sighting_rows(table)]:
        raise InvalidSeedFiles(defects)
    return [
        SeedSighting(
            nid=canonical(row["nid"]),
            user_of_it=row["user_of_it"],
            evidence=f"{row['evidence']}.\n\nSource: {row['source']}",
        )
        for row in table.rows
    ]


def find_wrong_sighting_rows(table: CSVTable) -> Iterator[Defect]:
    """Yield errors within single rows, and duplicate identifiers."""
    first_lines: dict[str, int] = {}
    for row in table.rows:
        for trouble in find_wrong_values(row, SIGHTING_COLUMNS):
            yield Defect(table.name, row.line, trouble)
        if (first := first_lines.setdefault(canonical(row["nid"]), row.line)) != row.line:
            yield Defect(table.name, row.line, f"The same identifier is also in line {first}.")


def load_sightings(entries: Iterable[SeedSighting]) -> LoadCounts:
    """Write all `entries`, or none; return the counts.

    What experts corrected or withdrew stays as they left it, and what has been registered is not
    listed again.
    """
    with transaction.atomic():
        held = {
            each.nid: each
            for each in Sighting.objects.select_for_update(no_key=True).filter(noted_by=None)
        }
        edited = find_nids_edited_by_people()
        registered = selectors.registered_nids()
        did = [
            "kept"
            if each.nid in edited or each.nid in registered
            else load_sighting(each, held.get(each.nid))
            for each in entries
        ]
    return LoadCounts(**Count(did))


def find_nids_edited_by_people() -> frozenset[str]:
    """Return the NIDs whose shipped sighting somebody here corrected or withdrew."""
    acts = Event.objects.filter(
        verb__in=("correct_sighting", "withdraw_sighting"), actor__isnull=False
    )
    return frozenset(acts.values_list("data__nid", flat=True))


def load_sighting(given: SeedSighting, held: Sighting | None) -> str:
    """Write one sighting over what is held; return the outcome, in the words of `LoadCounts`."""
    said = {"user_of_it": given.user_of_it, "evidence": given.evidence}
    data = {"nid": given.nid, **said}
    if held is None:
        noted = Sighting.objects.create(nid=given.nid, noted_at=timezone.now(), **said)
        journal.append(noted, actor=None, verb="note_sighting", data=data)
        return "added"
    if all(getattr(held, name) == words for name, words in said.items()):
        return "unchanged"
    before = {"nid": held.nid, "user_of_it": held.user_of_it, "evidence": held.evidence}
    for name, words in said.items():
        setattr(held, name, words)
    held.save()
    journal.append(held, actor=None, verb="correct_sighting", data=data | {"before": before})
    return "changed"
