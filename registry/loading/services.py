"""The resolution services that are public knowledge, each with where that is known from."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from registry import journal
from registry.loading.columns import Check, filled, is_nid, longest, quoted, text, wrong_values
from registry.loading.defects import BadFiles, Defect
from registry.loading.reading import DATA
from registry.loading.table import Row, Table, read_table
from registry.loading.tally import Tally
from registry.models import Event, Namespace, ResolutionService
from registry.resolution.choosing import ALIASES
from registry.resolution.template import TemplateError, read as read_template, read_alias
from registry.urn.nid import canonical
from registry.urn.spec.directives import SERVICES as DESIGNATORS

SERVICES: Final = DATA / "resolution-services.csv"
BY_PEOPLE: Final = ("add_service", "change_service", "withdraw_service")
KEY: Final = ("service_id", "prefix", "template")
MOST_PRIORITY: Final = 32_767


@dataclass(frozen=True, slots=True)
class ServiceEntry:
    """One service of the file, in the words of the table."""

    nid: str
    facts: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, ...]:
        """What tells it from others of its namespace."""
        return tuple(str(self.facts[name]) for name in KEY)


def is_priority(value: str) -> str:
    """A small whole number."""
    is_one = value.isascii() and value.isdecimal() and int(value) <= MOST_PRIORITY
    return "" if is_one else f"{quoted(value)} is not a whole number up to {MOST_PRIORITY}."


def is_designator(value: str) -> str:
    """One of the services of RFC 2483."""
    return "" if value in DESIGNATORS else f"{quoted(value)} is no service of RFC 2483."


COLUMNS: Final[Mapping[str, Check]] = {
    "nid": is_nid,
    "service": is_designator,
    "prefix": text(longest(ResolutionService, "prefix")),
    "template": filled(text(longest(ResolutionService, "template"))),
    "media_type": text(longest(ResolutionService, "media_type")),
    "language": text(longest(ResolutionService, "language")),
    "priority": is_priority,
    "operator": filled(text(longest(ResolutionService, "operator"))),
    "source": filled(text(longest(ResolutionService, "source"))),
}


def read_services(path: Path = SERVICES) -> list[ServiceEntry]:
    """Return the services of a file; raise `BadFiles` with every defect of it."""
    table = read_table(path, list(COLUMNS))
    if defects := [*table.defects, *wrong_rows(table)]:
        raise BadFiles(defects)
    return [entry(row) for row in table.rows]


def wrong_rows(table: Table) -> Iterator[Defect]:
    """Yield what is wrong within single rows, and services that are there twice."""
    first_lines: dict[tuple[str, ...], int] = {}
    for row in table.rows:
        for trouble in (*wrong_values(row, COLUMNS), *wrong_template(row)):
            yield Defect(table.name, row.line, trouble)
        key = tuple(row[name] for name in ("nid", "service", "prefix", "template"))
        if (first := first_lines.setdefault(key, row.line)) != row.line:
            yield Defect(table.name, row.line, f"The same service is also in line {first}.")


def wrong_template(row: Row) -> Iterator[str]:
    """Yield why a template may not be used."""
    try:
        (read_alias if row["service"] in ALIASES else read_template)(row["template"])
    except TemplateError as error:
        yield f"template: {error}"


def entry(row: Row) -> ServiceEntry:
    """Return a row as what is to be written."""
    names = ("prefix", "template", "media_type", "language", "operator", "source")
    facts: dict[str, Any] = {name: row[name] for name in names}
    facts |= {"service_id": row["service"], "priority": int(row["priority"])}
    return ServiceEntry(canonical(row["nid"]), facts)


def load_services(entries: Iterable[ServiceEntry], source: str = SERVICES.name) -> Tally:
    """Write all `entries`, or none; return what that did.

    Each namespace whose services are added or changed has its line in the journal. Where people
    have kept the services of a namespace here, they are left as they are; one that is missing from
    the file stays, and so do its services.
    """
    by_nid: dict[str, list[ServiceEntry]] = {}
    for each in entries:
        by_nid.setdefault(each.nid, []).append(each)
    with transaction.atomic():
        rows = Namespace.objects.filter(nid__in=by_nid).order_by("nid")
        found = list(rows.select_for_update(no_key=True))
        ours = kept_by_people()
        written = [
            (namespace, put_all(namespace, by_nid[namespace.nid], is_ours=namespace.pk in ours))
            for namespace in found
        ]
        for namespace, did in written:
            tell(namespace, did, source)
    return Tally(**Count(what for _namespace, did in written for what, _entry in did))


def kept_by_people() -> frozenset[int | None]:
    """Return the keys of namespaces whose services somebody here has seen to."""
    acts = Event.objects.filter(verb__in=BY_PEOPLE, namespace__isnull=False)
    return frozenset(acts.values_list("namespace", flat=True))


def put_all(
    namespace: Namespace, entries: list[ServiceEntry], *, is_ours: bool
) -> list[tuple[str, ServiceEntry]]:
    """Write the services of one namespace; return what that did with each."""
    held = {
        tuple(str(getattr(each, name)) for name in KEY): each
        for each in ResolutionService.objects.in_use().filter(namespace=namespace)
    }
    return [
        ("kept" if is_ours else put(namespace, each, held.get(each.key)), each) for each in entries
    ]


def tell(namespace: Namespace, did: list[tuple[str, ServiceEntry]], source: str) -> None:
    """Write the line of the journal about what was done, if anything was."""
    templates = [each.facts["template"] for what, each in did if what in {"added", "changed"}]
    if templates:
        data = {"nid": namespace.nid, "source": source, "count": len(templates)}
        journal.append(
            namespace, actor=None, verb="import_services", data=data | {"templates": templates}
        )


def put(namespace: Namespace, given: ServiceEntry, held: ResolutionService | None) -> str:
    """Write one service over what is held; return what that did, in the words of `Tally`."""
    if held is None:
        ResolutionService.objects.create(namespace=namespace, **given.facts)
        return "added"
    if all(getattr(held, name) == value for name, value in given.facts.items()):
        return "unchanged"
    for name, value in given.facts.items():
        setattr(held, name, value)
    held.save()
    return "changed"
