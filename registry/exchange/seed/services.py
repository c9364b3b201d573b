"""Publicly known resolution services, each with its source."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.db import transaction

from registry import journal
from registry.exchange.seed.csv_files import (
    ColumnCheck,
    CSVRow,
    CSVTable,
    Defect,
    InvalidSeedFiles,
    LoadCounts,
    check_nid,
    find_max_length,
    find_wrong_values,
    make_required_check,
    make_text_check,
    quote_value,
    read_csv_table,
)
from registry.exchange.seed.namespaces import DATA_FOLDER
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_row
from registry.models import Event, Namespace, ResolutionService
from registry.resolution.resolver import ALIAS_SERVICES
from registry.resolution.uri_templates import (
    UriTemplateError,
    parse_alias_template,
    parse_uri_template as read_template,
)
from registry.urn.nid import canonical
from registry.urn.spec import SERVICE_DESIGNATORS as DESIGNATORS

SERVICES_FILE: Final = DATA_FOLDER / "resolution-services.csv"
VERBS_OF_PEOPLE: Final = ("add_service", "change_service", "withdraw_service")
SERVICE_KEY: Final = ("service_id", "prefix", "template")
MAX_PRIORITY: Final = 32_767


@dataclass(frozen=True, slots=True)
class SeedService:
    """One service of the file, by the table's columns."""

    nid: str
    facts: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, ...]:
        """What distinguishes it from others of its namespace."""
        return tuple(str(self.facts[name]) for name in SERVICE_KEY)


class ServiceLoad(NamedTuple):
    """What became of a service, in the words of `LoadCounts`, and its earlier digest."""

    outcome: str
    service: ResolutionService | None = None
    digest: str = NEW_ROW


def check_priority(value: str) -> str:
    """A small integer."""
    is_one = value.isascii() and value.isdecimal() and int(value) <= MAX_PRIORITY
    return "" if is_one else f"{quote_value(value)} is not a whole number up to {MAX_PRIORITY}."


def check_designator(value: str) -> str:
    """One of the services of RFC 2483."""
    return "" if value in DESIGNATORS else f"{quote_value(value)} is no service of RFC 2483."


SERVICE_COLUMNS: Final[Mapping[str, ColumnCheck]] = {
    "nid": check_nid,
    "service": check_designator,
    "prefix": make_text_check(find_max_length(ResolutionService, "prefix")),
    "template": make_required_check(
        make_text_check(find_max_length(ResolutionService, "template"))
    ),
    "media_type": make_text_check(find_max_length(ResolutionService, "media_type")),
    "language": make_text_check(find_max_length(ResolutionService, "language")),
    "priority": check_priority,
    "operator": make_required_check(
        make_text_check(find_max_length(ResolutionService, "operator"))
    ),
    "source": make_required_check(make_text_check(find_max_length(ResolutionService, "source"))),
}


def read_services(path: Path = SERVICES_FILE) -> list[SeedService]:
    """Return the services of a file; raise `InvalidSeedFiles` with every error in it."""
    table = read_csv_table(path, list(SERVICE_COLUMNS))
    if defects := [*table.defects, *find_wrong_service_rows(table)]:
        raise InvalidSeedFiles(defects)
    return [make_seed_service(row) for row in table.rows]


def find_wrong_service_rows(table: CSVTable) -> Iterator[Defect]:
    """Yield errors within single rows, and duplicate services."""
    first_lines: dict[tuple[str, ...], int] = {}
    for row in table.rows:
        for trouble in (*find_wrong_values(row, SERVICE_COLUMNS), *find_template_errors(row)):
            yield Defect(table.name, row.line, trouble)
        key = tuple(row[name] for name in ("nid", "service", "prefix", "template"))
        if (first := first_lines.setdefault(key, row.line)) != row.line:
            yield Defect(table.name, row.line, f"The same service is also in line {first}.")


def find_template_errors(row: CSVRow) -> Iterator[str]:
    """Yield why a template may not be used."""
    try:
        (parse_alias_template if row["service"] in ALIAS_SERVICES else read_template)(
            row["template"]
        )
    except UriTemplateError as error:
        yield f"template: {error}"


def make_seed_service(row: CSVRow) -> SeedService:
    """Return a row as what is to be written."""
    names = ("prefix", "template", "media_type", "language", "operator", "source")
    facts: dict[str, Any] = {name: row[name] for name in names}
    facts |= {"service_id": row["service"], "priority": int(row["priority"])}
    return SeedService(canonical(row["nid"]), facts)


def load_services(entries: Iterable[SeedService], source: str = SERVICES_FILE.name) -> LoadCounts:
    """Write all `entries`, or none; return the counts.

    Each namespace whose services are added or changed has its event in the journal. Services of a
    namespace that people have edited here are left alone; so are those of namespaces missing in the
    file.
    """
    by_nid: dict[str, list[SeedService]] = {}
    for each in entries:
        by_nid.setdefault(each.nid, []).append(each)
    with transaction.atomic():
        rows = Namespace.objects.filter(nid__in=by_nid).order_by("nid")
        found = list(rows.select_for_update(no_key=True))
        ours = find_namespaces_edited_by_people()
        written = [
            (
                namespace,
                load_namespace_services(
                    namespace, by_nid[namespace.nid], is_ours=namespace.pk in ours
                ),
            )
            for namespace in found
        ]
        for namespace, loads in written:
            record_services_load(namespace, loads, source)
    return LoadCounts(**Count(load.outcome for _namespace, loads in written for load in loads))


def find_namespaces_edited_by_people() -> frozenset[int | None]:
    """Return the keys of namespaces whose services somebody here has edited."""
    acts = Event.objects.filter(verb__in=VERBS_OF_PEOPLE, namespace__isnull=False)
    return frozenset(acts.values_list("namespace", flat=True))


def load_namespace_services(
    namespace: Namespace, entries: list[SeedService], *, is_ours: bool
) -> list[ServiceLoad]:
    """Write the services of one namespace; return the outcome of each."""
    held = {
        tuple(str(getattr(each, name)) for name in SERVICE_KEY): each
        for each in ResolutionService.objects.in_use().filter(namespace=namespace)
    }
    return [
        ServiceLoad("kept") if is_ours else load_service(namespace, each, held.get(each.key))
        for each in entries
    ]


def record_services_load(namespace: Namespace, loads: list[ServiceLoad], source: str) -> None:
    """Write the event about what was done, if anything was."""
    services = [(load.service, load.digest) for load in loads if load.service]
    if services:
        data = {
            "nid": namespace.nid,
            "source": source,
            "count": len(services),
            "templates": [service.template for service, _digest in services],
        }
        rows = {build_row_key(service): digest for service, digest in services}
        journal.append(namespace, actor=None, verb="import_services", data=data, rows=rows)


def load_service(
    namespace: Namespace, given: SeedService, held: ResolutionService | None
) -> ServiceLoad:
    """Write one service over what is held; return the outcome."""
    if held is None:
        service = ResolutionService.objects.create(namespace=namespace, **given.facts)
        return ServiceLoad("added", service)
    if all(getattr(held, name) == value for name, value in given.facts.items()):
        return ServiceLoad("unchanged")
    digest = digest_row(held)
    for name, value in given.facts.items():
        setattr(held, name, value)
    held.save()
    return ServiceLoad("changed", held, digest)
