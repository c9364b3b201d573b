"""Where a name leads, what is known about it, and the locator tables behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.urls import get_script_prefix, reverse

from registry import permissions, resolution
from registry.enums import TableState
from registry.exchange import locator_tables
from registry.models import LocatorTable, Namespace, ResolutionService
from registry.namespace_rules import Ruling, find_namespace_rule as rule_of
from registry.permissions import Person
from registry.resolution import (
    ResolutionQuery,
    ResolutionTarget,
    ResolvableNamespace,
    TargetChoice,
)
from registry.urn import URN, URNSyntaxError, nid as nids, parse


@dataclass(frozen=True, slots=True)
class ResolutionWay:
    """One address of a name, with the service that leads there; None for a row of a table."""

    target: ResolutionTarget
    service: ResolutionService | None

    @property
    def is_alias(self) -> bool:
        """Whether it is another name, and not an address."""
        return not self.target.is_address


@dataclass(frozen=True, slots=True)
class ResolutionWays:
    """Everything that a name leads to: addresses of what it names, descriptions and aliases."""

    resources: tuple[ResolutionWay, ...] = ()
    descriptions: tuple[ResolutionWay, ...] = ()
    aliases: tuple[ResolutionWay, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.resources or self.descriptions or self.aliases)


def find_ways(urn: URN) -> ResolutionWays:
    """Return where a name leads, without contacting other servers."""
    known = resolution.find_resolvable_namespace(nids.canonical(urn.nid))
    if known is None:
        return ResolutionWays()
    choices = [
        resolution.choose_targets(known, urn, ResolutionQuery(service))
        for service in ("I2Ls", "I2Cs", "I2Ns")
    ]
    return ResolutionWays(*pair_targets_with_services(*choices))


def pair_targets_with_services(*choices: TargetChoice) -> list[tuple[ResolutionWay, ...]]:
    """Return the targets of each choice with the services they come from, in one query."""
    keys = [each.offer.key for choice in choices for each in choice.targets if each.offer]
    services = resolution.load_services(keys)
    return [
        tuple(
            ResolutionWay(each, services.get(each.offer.key) if each.offer else None)
            for each in choice.targets
        )
        for choice in choices
    ]


def serialize_choice(
    urn: URN,
    namespace: Namespace | None,
    choice: TargetChoice,
    objection: Ruling | None = None,
) -> dict[str, Any]:
    """Return a choice as JSON data; `objection` is why it breaks its namespace's rule."""
    said = {"finding": objection.message, "rule": objection.source} if objection else {}
    return {
        "urn": urn.text,
        "service": choice.service or "I2L",
        "namespace": build_namespace_url(urn.nid),
        "status": (namespace.status or None) if namespace else None,
        "targets": list(serialize_targets(choice.targets)),
        **said,
    }


@dataclass(frozen=True, slots=True)
class ResolvedLine:
    """Where one name of many leads; `kind` is that of the refusal if it leads nowhere."""

    number: int
    name: str | None
    status: HTTPStatus
    kind: str = ""
    targets: tuple[ResolutionTarget, ...] = ()
    finding: str = ""


NamespaceLookup = Callable[[str], ResolvableNamespace | None]


def resolve_name(number: int, name: str, service: str, find: NamespaceLookup) -> ResolvedLine:
    """Return where `name` leads, and the status with which `/resolve/` answers for it.

    `find` returns what is known of a namespace, each of which is looked up once for many names.
    """
    try:
        urn = parse(name)
    except URNSyntaxError:
        return ResolvedLine(number, name, HTTPStatus.BAD_REQUEST, "malformed")
    known = find(nids.canonical(urn.nid))
    if known is None:
        return ResolvedLine(number, name, HTTPStatus.NOT_FOUND, "not-registered")
    choice = resolution.choose_targets(known, urn, ResolutionQuery(service, falls_back=True))
    objection = resolution.find_rule_objection(known, urn)
    finding = objection.message if objection else ""
    if not choice.targets:
        return ResolvedLine(number, name, HTTPStatus.NOT_FOUND, "not-resolvable", finding=finding)
    status = HTTPStatus.SEE_OTHER
    if objection or choice.best is None:
        status = HTTPStatus.MULTIPLE_CHOICES
    elif choice.is_for_several or not choice.best.is_address:
        status = HTTPStatus.OK
    return ResolvedLine(number, name, status, "", choice.targets, finding)


def serialize_resolved_line(line: ResolvedLine) -> dict[str, Any]:
    """Return the JSON data for one name of many."""
    kinds = f"{settings.SITE}{reverse('resolve:index')}#"
    return {
        "line": line.number,
        "urn": line.name,
        "status": int(line.status),
        "type": kinds + line.kind if line.kind else None,
        "finding": line.finding or None,
        "targets": list(serialize_targets(line.targets)),
    }


def make_choice_linkset(urn: URN, choice: TargetChoice) -> dict[str, Any]:
    """Return where a name leads as links (RFC 9264): the resource, descriptions, aliases."""
    links: dict[str, list[dict[str, Any]]] = {}
    for each in choice.targets:
        rel = "describedby" if each.is_description else "alternate"
        link: dict[str, Any] = {"href": each.address}
        if each.offer and each.offer.media_type:
            link["type"] = each.offer.media_type
        if each.offer and each.offer.language:
            link["hreflang"] = [each.offer.language]
        links.setdefault(rel if each.is_address else OWL_SAME_AS, []).append(link)
    about = [{"href": build_namespace_url(urn.nid)}]
    return {"linkset": [{"anchor": urn.text, **links, "collection": about}]}


RFC_PATTERN: Final = re.compile(r"RFC ?([0-9]{1,5})", re.I)


def list_explanations(known: ResolvableNamespace) -> tuple[str, ...]:
    """Return the explanations of a namespace, for a name that leads nowhere.

    These are its page here, then its documents of record, then its template at IANA.
    """
    addresses = [build_namespace_url(known.nid)]
    facts = Namespace.objects.filter(pk=known.key)
    for references, template in facts.values_list("references", "provenance__template_url"):
        for reference in references:
            if found := RFC_PATTERN.fullmatch(reference):
                addresses.append(f"https://www.rfc-editor.org/info/rfc{found[1]}")
            elif reference.startswith(("https://", "http://")):
                addresses.append(reference)
        if template:
            addresses.append(template)
    return tuple(dict.fromkeys(addresses))


def serialize_targets(targets: Iterable[ResolutionTarget]) -> Iterable[dict[str, Any]]:
    """Yield the JSON data of targets."""
    for each in targets:
        yield {
            "address": each.address,
            "service": each.service,
            "media_type": (each.offer.media_type or None) if each.offer else None,
            "language": (each.offer.language or None) if each.offer else None,
            "operator": (each.offer.operator or None) if each.offer else None,
            "components": [str(done.words) for done in each.carried],
        }


def build_namespace_url(nid: str) -> str:
    return settings.SITE + find_namespace_path(nids.canonical(nid), get_script_prefix())


@lru_cache(maxsize=1024)
def find_namespace_path(nid: str, mounted_at: str) -> str:
    """Return the path of the page of a namespace, cached per place of the application."""
    return reverse("namespaces:detail", args=[nid])


DCTERMS = "http://purl.org/dc/terms/"
RDFS_SEE_ALSO = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
OWL_SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"


@dataclass(frozen=True, slots=True)
class NameDescription:
    """A name, the page of its namespace, its preferred form, addresses and other names."""

    urn: URN
    namespace: str
    status: str
    preferred: str
    addresses: tuple[str, ...]
    descriptions: tuple[str, ...]
    aliases: tuple[str, ...]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the description as labels and values."""
        yield "URN", self.urn.text
        yield "Canonical form", self.urn.assigned_name
        if self.preferred:
            yield "Preferred form", self.preferred
        yield "Namespace", f"{self.namespace} ({self.status})"
        yield from (("Resolves to", address) for address in self.addresses)
        yield from (("Described at", address) for address in self.descriptions)
        yield from (("Also named", name) for name in self.aliases)

    def statements(self) -> Iterator[tuple[str, str]]:
        """Yield the description as properties and values in Turtle."""
        yield f"{DCTERMS}identifier", json.dumps(self.urn.assigned_name)
        yield f"{DCTERMS}isPartOf", f"<{self.namespace}>"
        for address in (*self.addresses, *self.descriptions):
            yield RDFS_SEE_ALSO, f"<{address}>"
        for name in self.aliases:
            yield OWL_SAME_AS, f"<{name}>"

    def graph(self) -> dict[str, Any]:
        """Return the same as JSON-LD, with additional data under names of its own."""
        return {
            "@context": {
                "identifier": f"{DCTERMS}identifier",
                "namespace": {"@id": f"{DCTERMS}isPartOf", "@type": "@id"},
                "addresses": {"@id": RDFS_SEE_ALSO, "@type": "@id"},
                "descriptions": {"@id": RDFS_SEE_ALSO, "@type": "@id"},
                "aliases": {"@id": OWL_SAME_AS, "@type": "@id"},
            },
            "@id": self.urn.text,
            "identifier": self.urn.assigned_name,
            "preferred": self.preferred or None,
            "namespace": self.namespace,
            "status": self.status,
            "addresses": list(self.addresses),
            "descriptions": list(self.descriptions),
            "aliases": list(self.aliases),
        }


def describe_name(urn: URN, known: ResolvableNamespace) -> NameDescription:
    """Return what is known about a name of a registered namespace."""
    rule = rule_of(urn.nid)
    found = {
        service: tuple(
            each.address
            for each in resolution.choose_targets(known, urn, ResolutionQuery(service)).targets
        )
        for service in ("I2Ls", "I2Cs", "I2Ns")
    }
    return NameDescription(
        urn,
        build_namespace_url(known.nid),
        known.status,
        rule.check(urn).preferred if rule else "",
        found["I2Ls"],
        found["I2Cs"],
        found["I2Ns"],
    )


MAX_REPORT_LINES_SHOWN: Final = 20
"""How many refused lines are shown; the whole report is a file."""


@dataclass(frozen=True, slots=True)
class LoadingProgress:
    """The progress of loading a table: its file is read first, then its rows are written."""

    table: LocatorTable

    @property
    def is_waiting(self) -> bool:
        """Whether no worker has begun with it."""
        return self.table.state == TableState.WAITING

    @property
    def is_read(self) -> bool:
        """Whether the file has been read to its end."""
        return self.table.bytes_given is not None and self.table.bytes_read >= (
            self.table.bytes_given
        )

    @property
    def share(self) -> int | None:
        """The progress of the current step, in per cent; None if unknown."""
        table = self.table
        done, of = (
            (table.rows, table.rows_read) if self.is_read else (table.bytes_read, table.bytes_given)
        )
        return 100 * done // of if of else None


def build_locator_context(namespace: Namespace, reader: Person) -> dict[str, Any]:
    """Return the table in use, and for its keepers everything else about the tables."""
    context: dict[str, Any] = {
        "namespace": namespace,
        "current": locator_tables.find_current_table(namespace),
        "may_keep": permissions.may_manage_services(reader, namespace),
    }
    if context["may_keep"]:
        under_way = locator_tables.find_table_under_way(namespace)
        refused = locator_tables.find_last_refused_table(namespace)
        context |= {
            "progress": LoadingProgress(under_way) if under_way else None,
            "refused": None if under_way else refused,
            "lines": refused.report[:MAX_REPORT_LINES_SHOWN] if refused else [],
            "tables": locator_tables.list_tables(namespace)[:MAX_REPORT_LINES_SHOWN],
        }
    return context
