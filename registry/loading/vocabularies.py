"""The two registries of draft -03, section 9.2, as they begin; what is changed here stays."""

from __future__ import annotations

from django.db import transaction

from registry.choices import DesignatorStatus, KeywordScope
from registry.loading.columns import Check, filled, longest, one_of, text, wrong_values
from registry.loading.defects import BadFiles, Defect
from registry.loading.reading import DATA
from registry.loading.table import Row, read_table
from registry.loading.tally import Tally
from registry.models import QueryKeyword, ServiceDesignator

DESIGNATORS: dict[str, Check] = {
    "name": filled(text(longest(ServiceDesignator, "name"))),
    "purpose": filled(text(longest(ServiceDesignator, "purpose"))),
    "status": one_of(*DesignatorStatus.values),
    "reference": filled(text(longest(ServiceDesignator, "reference"))),
}
KEYWORDS: dict[str, Check] = {
    "keyword": filled(text(longest(QueryKeyword, "keyword"))),
    "purpose": filled(text(longest(QueryKeyword, "purpose"))),
    "scope": one_of(*KeywordScope.values),
    "reference": filled(text(longest(QueryKeyword, "reference"))),
}


def rows_of(name: str, columns: dict[str, Check]) -> list[Row]:
    """Return the rows of a shipped file; raise `BadFiles` with every defect of it."""
    table = read_table(DATA / name, list(columns))
    defects = [
        Defect(table.name, row.line, trouble)
        for row in table.rows
        for trouble in wrong_values(row, columns)
    ]
    if defects or table.defects:
        raise BadFiles([*table.defects, *defects])
    return list(table.rows)


def load_vocabularies() -> Tally:
    """Write the entries that are not there yet, all or none; return what that did.

    They come before services, each of which is of one of these kinds.
    """
    designators = rows_of("service-designators.csv", DESIGNATORS)
    keywords = rows_of("query-keywords.csv", KEYWORDS)
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
    return Tally(added=added, unchanged=len(designators) + len(keywords) - added)
