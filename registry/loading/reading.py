"""The two files of namespaces, read as one list of facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from registry.choices import Kind
from registry.loading.columns import (
    GUESS,
    NAMESPACE_COLUMNS,
    NO_DATE,
    PROVENANCE_COLUMNS,
    REFERENCE_SEPARATOR,
    UNCHECKED_ADDRESS,
    Check,
    wrong_values,
)
from registry.loading.defects import BadFiles, Defect
from registry.loading.table import Row, Table, read_table
from registry.urn.nid import canonical, informal_number

DATA = Path(__file__).resolve().parent.parent / "data"
NAMESPACES = DATA / "urn-namespaces.csv"
PROVENANCE = DATA / "urn-namespaces-provenance.csv"
SHIPPED_SOURCE = "IANA, URN Namespaces registry, update of 2026-05-28"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the files say of one namespace, in the words of the tables.

    `registrant` is the name of the organization, empty where it is not known.
    """

    nid: str
    registrant: str
    facts: Mapping[str, Any]
    provenance: Mapping[str, Any]


def read(namespaces: Path = NAMESPACES, provenance: Path = PROVENANCE) -> list[Entry]:
    """Return the entries of both files; raise `BadFiles` with every defect of either."""
    tables: list[Table] = []
    defects: list[Defect] = []
    for path, columns in ((namespaces, NAMESPACE_COLUMNS), (provenance, PROVENANCE_COLUMNS)):
        try:
            table = read_table(path, list(columns))
        except BadFiles as refusal:
            defects += refusal.defects
        else:
            tables.append(table)
            defects += [*table.defects, *wrong_rows(table, columns)]
    if len(tables) == 2:
        defects += wrong_pairs(*tables)
    if defects:
        raise BadFiles(defects)
    others = {canonical(row["nid"]): row for row in tables[1].rows}
    return [entry(row, others[canonical(row["nid"])]) for row in tables[0].rows]


def wrong_rows(table: Table, columns: Mapping[str, Check]) -> Iterator[Defect]:
    """Yield what is wrong within single rows, and NIDs that are there twice."""
    first_lines: dict[str, int] = {}
    for row in table.rows:
        for text in wrong_values(row, columns):
            yield Defect(table.name, row.line, text)
        if disagrees_with_form(row["nid"], row["kind"]):
            text = f"“{row['nid']}” is not {row['kind']} by its form (RFC 8141, section 5)."
            yield Defect(table.name, row.line, text)
        first = first_lines.setdefault(canonical(row["nid"]), row.line)
        if first != row.line:
            text = f"“{row['nid']}” is also in line {first}; case makes no difference."
            yield Defect(table.name, row.line, text)


def disagrees_with_form(nid: str, kind: str) -> bool:
    """Whether one of the two kinds is claimed for a NID of the form of the other."""
    return kind in Kind.values and (kind == Kind.INFORMAL) != (informal_number(nid) is not None)


def wrong_pairs(namespaces: Table, provenance: Table) -> Iterator[Defect]:
    """Yield where the two files do not say the same, or one says what the other does not."""
    rows = {canonical(row["nid"]): row for row in namespaces.rows}
    others = {canonical(row["nid"]): row for row in provenance.rows}
    for nid in rows.keys() - others.keys():
        text = f"“{nid}” has no row in {provenance.name}."
        yield Defect(namespaces.name, rows[nid].line, text)
    for nid, other in others.items():
        if nid not in rows:
            text = f"“{other['nid']}” is not in {namespaces.name}."
            yield Defect(provenance.name, other.line, text)
        else:
            for text in disagreements(rows[nid], other):
                yield Defect(provenance.name, other.line, text)


def disagreements(row: Row, other: Row) -> Iterator[str]:
    """Yield what the provenance of a namespace says otherwise than its facts."""
    if row["kind"] != other["kind"]:
        yield f"kind: “{other['kind']}”, but “{row['kind']}” among the namespaces."
    if bool(row["registered"]) == (other["registered_source"] == NO_DATE):
        has = "a date" if row["registered"] else "no date"
        yield f"registered_source: “{other['registered_source']}”, but there is {has}."
    if bool(row["template_url"]) != bool(other["template_url_source"]):
        has = "an address" if row["template_url"] else "no address"
        yield f"template_url_source: “{other['template_url_source']}”, but there is {has}."


def entry(row: Row, other: Row) -> Entry:
    """Return the facts of a namespace; guesses and unchecked addresses are left out."""
    return Entry(
        nid=canonical(row["nid"]),
        registrant=known(row["registrant_organization"]),
        facts={
            "nid_as_registered": row["nid"],
            "kind": Kind(row["kind"]),
            "informal_number": informal_number(row["nid"]),
            "summary": known(row["purpose_hint"]),
            "references": [each for each in row["reference"].split(REFERENCE_SEPARATOR) if each],
            "registered_on": row["registered"],
            "last_known_version": other["template_version"],
        },
        provenance={
            "is_verified": row["confidence"] == "seen",
            "registered_source": other["registered_source"],
            "template_url": ""
            if other["template_url_source"] == UNCHECKED_ADDRESS
            else row["template_url"],
            "template_date": other["template_date"],
            "template_generation": other["template_generation"],
            "note": other["note"],
        },
    )


def known(value: str) -> str:
    """Return `value` unless it is a guess."""
    return "" if GUESS in value else value
