"""The seed files of namespaces, reserved names and vocabularies: read and loaded."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from django.db import models, transaction
from django.db.models import Q

from registry import journal, search
from registry.enums import (
    DesignatorStatus,
    EvidenceKind,
    KeywordScope,
    NamespaceKind,
    ReservedList,
    State,
)
from registry.exchange.seed.csv_files import (
    GUESS_MARK,
    NAMESPACE_COLUMNS,
    NO_DATE_MARK,
    PROVENANCE_COLUMNS,
    REFERENCE_SEPARATOR,
    UNCHECKED_ADDRESS_MARK,
    ColumnCheck,
    CSVRow,
    CSVTable,
    Defect,
    InvalidSeedFiles,
    LoadCounts,
    find_max_length,
    find_wrong_values,
    make_choice_check,
    make_required_check,
    make_text_check,
    read_csv_table,
    read_utf8_file,
)
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_row
from registry.lookalikes import compare_organization_names
from registry.models import (
    Counter,
    Namespace,
    Organization,
    Provenance,
    QueryKeyword,
    ReservedName,
    ServiceDesignator,
)
from registry.namespace_rules.rules import COUNTRIES_FILE
from registry.selectors import raise_registry_version
from registry.selectors.organizations import are_recorded_as_two
from registry.urn.nid import canonical, informal_number

DATA_FOLDER = Path(__file__).resolve().parent / "data"
NAMESPACES_FILE = DATA_FOLDER / "urn-namespaces.csv"
PROVENANCE_FILE = DATA_FOLDER / "urn-namespaces-provenance.csv"
LIKE_REGISTRANTS_SOURCE = "Both are registrants in the IANA registry of URN namespaces."
SHIPPED_SOURCE = "IANA, URN Namespaces registry, update of 2026-05-28"


@dataclass(frozen=True, slots=True)
class SeedNamespace:
    """What the files say about one namespace, by the tables' columns.

    `registrant` is the name of the organization, empty if unknown.
    """

    nid: str
    registrant: str
    facts: Mapping[str, Any]
    provenance: Mapping[str, Any]


def read_namespaces(
    namespaces: Path = NAMESPACES_FILE, provenance: Path = PROVENANCE_FILE
) -> list[SeedNamespace]:
    """Return the entries of both files; raise `InvalidSeedFiles` with every error in either."""
    tables: list[CSVTable] = []
    defects: list[Defect] = []
    for path, columns in ((namespaces, NAMESPACE_COLUMNS), (provenance, PROVENANCE_COLUMNS)):
        try:
            table = read_csv_table(path, list(columns))
        except InvalidSeedFiles as refusal:
            defects += refusal.defects
        else:
            tables.append(table)
            defects += [*table.defects, *find_wrong_namespace_rows(table, columns)]
    if len(tables) == 2:
        defects += find_wrong_pairs(*tables)
    if defects:
        raise InvalidSeedFiles(defects)
    others = {canonical(row["nid"]): row for row in tables[1].rows}
    return [make_seed_namespace(row, others[canonical(row["nid"])]) for row in tables[0].rows]


def find_wrong_namespace_rows(
    table: CSVTable, columns: Mapping[str, ColumnCheck]
) -> Iterator[Defect]:
    """Yield errors within single rows, and duplicate NIDs."""
    first_lines: dict[str, int] = {}
    for row in table.rows:
        for text in find_wrong_values(row, columns):
            yield Defect(table.name, row.line, text)
        if is_nid_of_other_kind(row["nid"], row["kind"]):
            text = f"“{row['nid']}” is not {row['kind']} by its form (RFC 8141, section 5)."
            yield Defect(table.name, row.line, text)
        first = first_lines.setdefault(canonical(row["nid"]), row.line)
        if first != row.line:
            text = f"“{row['nid']}” is also in line {first}; case makes no difference."
            yield Defect(table.name, row.line, text)


def is_nid_of_other_kind(nid: str, kind: str) -> bool:
    """Whether a NID has the form of the other kind than the one claimed."""
    return kind in NamespaceKind.values and (kind == NamespaceKind.INFORMAL) != (
        informal_number(nid) is not None
    )


def find_wrong_pairs(namespaces: CSVTable, provenance: CSVTable) -> Iterator[Defect]:
    """Yield where the two files contradict each other, or one lacks what the other has."""
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
            for text in find_disagreements(rows[nid], other):
                yield Defect(provenance.name, other.line, text)


def find_disagreements(row: CSVRow, other: CSVRow) -> Iterator[str]:
    """Yield where the provenance of a namespace contradicts its facts."""
    if row["kind"] != other["kind"]:
        yield f"kind: “{other['kind']}”, but “{row['kind']}” among the namespaces."
    if bool(row["registered"]) == (other["registered_source"] == NO_DATE_MARK):
        has = "a date" if row["registered"] else "no date"
        yield f"registered_source: “{other['registered_source']}”, but there is {has}."
    if bool(row["template_url"]) != bool(other["template_url_source"]):
        has = "an address" if row["template_url"] else "no address"
        yield f"template_url_source: “{other['template_url_source']}”, but there is {has}."


def make_seed_namespace(row: CSVRow, other: CSVRow) -> SeedNamespace:
    """Return the facts of a namespace, leaving out guesses and unchecked addresses."""
    return SeedNamespace(
        nid=canonical(row["nid"]),
        registrant=drop_guess(row["registrant_organization"]),
        facts={
            "nid_as_registered": row["nid"],
            "kind": NamespaceKind(row["kind"]),
            "informal_number": informal_number(row["nid"]),
            "summary": drop_guess(row["purpose_hint"]),
            "background": row["background"],
            "references": [each for each in row["reference"].split(REFERENCE_SEPARATOR) if each],
            "registered_on": row["registered"],
            "last_known_version": other["template_version"],
        },
        provenance={
            "is_verified": row["confidence"] == "seen",
            "registered_source": other["registered_source"],
            "template_url": ""
            if other["template_url_source"] == UNCHECKED_ADDRESS_MARK
            else row["template_url"],
            "template_date": other["template_date"],
            "template_generation": other["template_generation"],
        },
    )


def drop_guess(value: str) -> str:
    """Return `value` unless it is a guess."""
    return "" if GUESS_MARK in value else value


def load_namespaces(entries: Iterable[SeedNamespace], source: str = SHIPPED_SOURCE) -> LoadCounts:
    """Write all `entries`, or none; return the counts.

    Each namespace that is added or changed has its event in the journal. One that a request here
    registered or changed is left alone: its facts are the registry's own.
    """
    entries = list(entries)
    with transaction.atomic():
        # In the order of a publication: the number, the rows, and the journal last.
        Counter.objects.raise_to(Counter.INFORMAL, find_highest_number(entries))
        known = {each.nid: each for each in lock_namespaces()}
        ours = find_nids_decided_here()
        put_down = [
            LoadOutcome("kept")
            if entry.nid in ours
            else load_seed_namespace(entry, known.get(entry.nid), source)
            for entry in entries
        ]
        record_like_registrants(each.namespace for each in put_down if each.before is None)
        for each in put_down:
            each.tell(source)
        search.refresh_namespaces(each.namespace for each in put_down if each.namespace)
    return LoadCounts(**Count(each.what for each in put_down))


def record_like_registrants(namespaces: Iterable[Namespace | None]) -> None:
    """Record that registrants with like names are two bodies: the list names both.

    Without that, each would need the consent of the other for a new namespace. Those that are
    written the same stay one.
    """
    bodies = {each.registrant for each in namespaces if each and each.registrant}
    for one, other in combinations(sorted(bodies, key=lambda body: body.name), 2):
        if compare_organization_names(one.name, other.name) and not are_recorded_as_two(one, other):
            entry = {"kind": EvidenceKind.OTHER_BODY, "value": str(other.pk)}
            one.evidence.append(entry | {"source": LIKE_REGISTRANTS_SOURCE})
            one.save(update_fields=["evidence"])


def find_highest_number(entries: Iterable[SeedNamespace]) -> int:
    """Return the highest informal number in use, here or in `entries`."""
    here = Namespace.objects.aggregate(highest=models.Max("informal_number"))["highest"]
    return max([here or 0, *(entry.facts["informal_number"] or 0 for entry in entries)])


def lock_namespaces() -> models.QuerySet[Namespace]:
    """Return every namespace, locked until the transaction ends."""
    rows = Namespace.objects.for_lists().order_by("nid")
    return rows.select_for_update(of=("self",), no_key=True)


def find_nids_decided_here() -> frozenset[str]:
    """Return the NIDs of the namespaces whose facts come from a request decided here."""
    ours = Namespace.objects.filter(
        Q(registrations__isnull=False) | Q(requests__state=State.REGISTERED)
    )
    return frozenset(ours.values_list("nid", flat=True))


@dataclass(frozen=True, slots=True)
class LoadOutcome:
    """The outcome of one entry, in the words of `LoadCounts`, and the details of it.

    `digest` is that of the namespace before.
    """

    what: str
    namespace: Namespace | None = None
    before: Mapping[str, Any] | None = None
    digest: str = NEW_ROW

    def tell(self, source: str) -> None:
        """Write the event, if anything was written."""
        if self.namespace is None:
            return
        comment, data = "Added.", dict[str, Any](source=source)
        if self.before is not None:
            comment, data = describe_changed_facts(self.before), data | {"before": self.before}
        rows: dict[str, str | None] = {build_row_key(self.namespace): self.digest}
        if self.namespace.registrant:
            rows[build_row_key(self.namespace.registrant)] = None
        journal.append(
            self.namespace, actor=None, verb="import", comment=comment, data=data, rows=rows
        )


def load_seed_namespace(entry: SeedNamespace, known: Namespace | None, source: str) -> LoadOutcome:
    """Write one entry over what is `known`."""
    digest = digest_row(known) if known else NEW_ROW
    namespace = known or Namespace(nid=entry.nid)
    provenance = getattr(known, "provenance", None) or Provenance()
    registrant = Organization.objects.named(entry.registrant) if entry.registrant else None
    changes = apply_differences(namespace, {**entry.facts, "registrant": registrant})
    changes |= apply_differences(provenance, entry.provenance)
    if known and not changes:
        return LoadOutcome("unchanged")
    namespace.save()
    provenance.namespace, provenance.source = namespace, source
    provenance.save()
    return (
        LoadOutcome("changed", namespace, changes, digest)
        if known
        else LoadOutcome("added", namespace)
    )


def describe_changed_facts(changes: Iterable[str]) -> str:
    """Say which facts were changed, by the tables' columns."""
    labels = {
        field.name: str(field.verbose_name)
        for model in (Provenance, Namespace)
        for field in model._meta.fields
    }
    return f"Changed: {', '.join(labels[name] for name in changes)}."


def apply_differences(row: models.Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Set `values` on `row`; return the old values of those that changed."""
    before = {name: getattr(row, name) for name in values}
    for name, value in values.items():
        setattr(row, name, value)
    return {
        name: str(was) if isinstance(was, models.Model) else was
        for name, was in before.items()
        if was != values[name]
    }


ReservedNames = Mapping[tuple[str, str], str]
"""What each name of each list stands for."""


def read_reserved_names() -> ReservedNames:
    """Return the shipped names with what they stand for."""
    return dict(list_shipped_names())


def list_shipped_names() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield list, name and note of each shipped name."""
    for name in read_utf8_file(DATA_FOLDER / "uri-schemes.txt").lower().split():
        yield (ReservedList.SCHEME, name), ""
    for name in read_utf8_file(DATA_FOLDER / "top-level-domains.txt").split():
        yield (ReservedList.DOMAIN, name), ""
    for row in read_csv_table(COUNTRIES_FILE, ["alpha2", "alpha3", "name"]).rows:
        yield (ReservedList.COUNTRY, row["alpha2"]), row["name"]
        yield (ReservedList.COUNTRY, row["alpha3"]), row["name"]
    for row in read_csv_table(DATA_FOLDER / "identifier-systems.csv", ["name", "words"]).rows:
        yield (ReservedList.SYSTEM, row["name"]), row["words"]


def load_reserved_names(names: ReservedNames) -> LoadCounts:
    """Write `names`, all or none; return the counts. Other names stay."""
    with transaction.atomic():
        known = {(each.list, each.name): each for each in ReservedName.objects.all()}
        added = [
            ReservedName(list=key[0], name=key[1], note=note)
            for key, note in names.items()
            if key not in known
        ]
        changed = [
            known[key] for key, note in names.items() if key in known and known[key].note != note
        ]
        for each in changed:
            each.note = names[each.list, each.name]
        ReservedName.objects.bulk_create(added)
        ReservedName.objects.bulk_update(changed, ["note"])
        if added or changed:
            raise_registry_version()
    return LoadCounts(len(added), len(changed), len(names) - len(added) - len(changed))


DESIGNATOR_COLUMNS: dict[str, ColumnCheck] = {
    "name": make_required_check(make_text_check(find_max_length(ServiceDesignator, "name"))),
    "purpose": make_required_check(make_text_check(find_max_length(ServiceDesignator, "purpose"))),
    "status": make_choice_check(*DesignatorStatus.values),
    "reference": make_required_check(
        make_text_check(find_max_length(ServiceDesignator, "reference"))
    ),
}
KEYWORD_COLUMNS: dict[str, ColumnCheck] = {
    "keyword": make_required_check(make_text_check(find_max_length(QueryKeyword, "keyword"))),
    "purpose": make_required_check(make_text_check(find_max_length(QueryKeyword, "purpose"))),
    "scope": make_choice_check(*KeywordScope.values),
    "reference": make_required_check(make_text_check(find_max_length(QueryKeyword, "reference"))),
}


def read_vocabulary_rows(name: str, columns: dict[str, ColumnCheck]) -> list[CSVRow]:
    """Return the rows of a shipped file; raise `InvalidSeedFiles` with every error in it."""
    table = read_csv_table(DATA_FOLDER / name, list(columns))
    defects = [
        Defect(table.name, row.line, trouble)
        for row in table.rows
        for trouble in find_wrong_values(row, columns)
    ]
    if defects or table.defects:
        raise InvalidSeedFiles([*table.defects, *defects])
    return list(table.rows)


def load_vocabularies() -> LoadCounts:
    """Write the entries that are not there yet, all or none; return the counts.

    They come before services, each of which is of one of these kinds. What is added has one event
    in the journal.
    """
    designators = read_vocabulary_rows("service-designators.csv", DESIGNATOR_COLUMNS)
    keywords = read_vocabulary_rows("query-keywords.csv", KEYWORD_COLUMNS)
    with transaction.atomic():
        entries: list[tuple[ServiceDesignator | QueryKeyword, bool]] = [
            ServiceDesignator.objects.get_or_create(
                name=row["name"],
                defaults={**dict(row.values), "position": place},
            )
            for place, row in enumerate(designators, start=1)
        ]
        entries += [
            QueryKeyword.objects.get_or_create(keyword=row["keyword"], defaults=row.values)
            for row in keywords
        ]
        added = [entry for entry, is_new in entries if is_new]
        if added:
            journal.append(
                added[0],
                actor=None,
                verb="import_vocabularies",
                data={"count": len(added), "entries": list(map(str, added))},
                rows=dict.fromkeys(map(build_row_key, added), NEW_ROW),
            )
            search.refresh_vocabularies()
    return LoadCounts(added=len(added), unchanged=len(entries) - len(added))
