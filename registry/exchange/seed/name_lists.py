"""Lists of names as seed data: reserved names (RFC 8141, section 5.1) and resolver vocabularies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import transaction

from registry.enums import DesignatorStatus, KeywordScope, ReservedList
from registry.exchange.seed.csv_files import (
    ColumnCheck,
    CSVRow,
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
from registry.exchange.seed.namespaces import DATA_FOLDER
from registry.models import QueryKeyword, ReservedName, ServiceDesignator
from registry.selectors import raise_registry_version

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
    for row in read_csv_table(DATA_FOLDER / "iso-3166.csv", ["alpha2", "alpha3", "name"]).rows:
        yield (ReservedList.COUNTRY, row["alpha2"]), row["name"]
        yield (ReservedList.COUNTRY, row["alpha3"]), row["name"]
    for row in read_csv_table(DATA_FOLDER / "identifier-systems.csv", ["name", "words"]).rows:
        yield (ReservedList.SYSTEM, row["name"]), row["words"]


def load_reserved_names(names: ReservedNames) -> LoadCounts:
    """Write `names`, all or none; return what that did. Names not among them stay."""
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
    """Return the rows of a shipped file; raise `InvalidSeedFiles` with every defect of it."""
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
    """Write the entries that are not there yet, all or none; return what that did.

    They come before services, each of which is of one of these kinds.
    """
    designators = read_vocabulary_rows("service-designators.csv", DESIGNATOR_COLUMNS)
    keywords = read_vocabulary_rows("query-keywords.csv", KEYWORD_COLUMNS)
    with transaction.atomic():
        added = sum(
            ServiceDesignator.objects.get_or_create(
                name=row["name"],
                defaults={**dict(row.values), "position": place},
            )[1]
            for place, row in enumerate(designators, start=1)
        )
        added += sum(
            QueryKeyword.objects.get_or_create(keyword=row["keyword"], defaults=row.values)[1]
            for row in keywords
        )
    return LoadCounts(added=added, unchanged=len(designators) + len(keywords) - added)
