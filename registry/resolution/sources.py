"""What the registry knows of a namespace to resolve its names: services and locator tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import OuterRef, QuerySet, Subquery

from registry.enums import NamespaceStatus, TableState
from registry.models import Locator, LocatorTable, Namespace, ResolutionService
from registry.selectors import VersionMemory
from registry.selectors.name_rules import (
    NameRule,
    NamespaceEquivalence,
    find_equivalence,
    find_equivalence_of_namespace,
    find_equivalences,
    find_name_rule,
    map_versions_in_force,
    strip_explanations,
)
from registry.urn import URN
from registry.urn.equivalence import fold_percent_octets


@dataclass(frozen=True, slots=True)
class FoldedName:
    """An NSS or a prefix of one: folded as in section 3.1, and in its form for comparison.

    The form for comparison lacks what the namespace ignores.
    """

    text: str
    compared: str

    @classmethod
    def of(cls, equivalence: NamespaceEquivalence | None, text: str) -> FoldedName:
        """Fold a name, or part of one, of a namespace with that equivalence."""
        text = fold_percent_octets(text)
        return cls(text, equivalence.find_merged(text) if equivalence else text)

    def behind(self, prefix: FoldedName) -> str | None:
        """Return what follows `prefix`, or None if the name does not begin with it.

        With the name's own letters, unless ignoring differences changes their number.
        """
        if not self.compared.startswith(prefix.compared):
            return None
        is_as_long = len(self.text) == len(self.compared)
        if is_as_long and len(prefix.text) == len(prefix.compared):
            return self.text[len(prefix.text) :]
        return self.compared[len(prefix.compared) :] if prefix.text else self.text


@dataclass(frozen=True, slots=True)
class ServiceOffer:
    """One service in use, as choosing needs it."""

    key: int
    nid: str
    service: str
    prefix: str
    template: str
    media_type: str
    language: str
    priority: int
    operator: str
    begins: FoldedName

    @classmethod
    def of(cls, service: ResolutionService) -> ServiceOffer:
        """Return a service as an offer, saved or not."""
        nid, prefix = service.namespace.nid, service.prefix
        equivalence = find_equivalence_of_namespace(service.namespace)
        said = (service.service_id, prefix, service.template, service.media_type)
        more = (service.language, service.priority, service.operator)
        return cls(service.pk or 0, nid, *said, *more, FoldedName.of(equivalence, prefix))


@dataclass(frozen=True, slots=True)
class ResolvableNamespace:
    """A registered namespace with its services, and the key of its locator table, if any.

    `rule` and `equivalence` check and compare its names, if known.
    """

    key: int
    nid: str
    status: str
    table: int | None
    offers: Sequence[ServiceOffer]
    rule: NameRule | None = None
    equivalence: NamespaceEquivalence | None = None

    @property
    def has_table(self) -> bool:
        """Whether locators were loaded for it."""
        return self.table is not None

    @property
    def is_in_force(self) -> bool:
        """Whether nothing speaks against using it; its names resolve in any case."""
        return self.status == NamespaceStatus.ACTIVE

    @property
    def namespace(self) -> Namespace:
        """The namespace itself, with only its keys."""
        return Namespace(pk=self.key, nid=self.nid, status=self.status)


SERVICE_ORDER: Final = ("service__position", "prefix", "priority", "pk")
OFFER_COLUMNS: Final = (
    "pk",
    "namespace__nid",
    "service",
    "prefix",
    "template",
    "media_type",
    "language",
    "priority",
    "operator",
)


def read_resolvable_namespace(nid: str) -> ResolvableNamespace | None:
    """Return what the tables say about a namespace."""
    tables = LocatorTable.objects.filter(namespace=OuterRef("pk"), state=TableState.CURRENT)
    found = (
        Namespace.objects.filter(nid=nid)
        .annotate(table=Subquery(tables.values("pk")))
        .values_list("pk", "nid", "status", "table")
        .first()
    )
    if found is None:
        return None
    current = map_versions_in_force({nid}).get(nid)
    equivalence = find_equivalence(nid, current)
    services = ResolutionService.objects.filter(namespace=found[0])
    return ResolvableNamespace(
        *found,
        offers=load_offers(services, {nid: equivalence}),
        rule=strip_explanations(find_name_rule(nid, current)),
        equivalence=equivalence,
    )


find_resolvable_namespace: Final = VersionMemory(read_resolvable_namespace)
"""Returns what is known of a registered namespace by its canonical NID."""


def load_offers(
    services: QuerySet[ResolutionService],
    equivalences: Mapping[str, NamespaceEquivalence | None] | None = None,
) -> list[ServiceOffer]:
    """Return services as offers, without withdrawn ones, in the order of the page.

    `equivalences` are those of their namespaces by NID, looked up if not given.
    """
    rows = list(
        services.filter(withdrawn_at__isnull=True)
        .order_by(*SERVICE_ORDER)
        .values_list(*OFFER_COLUMNS)
    )
    if equivalences is None:
        equivalences = find_equivalences({row[1] for row in rows})
    return [ServiceOffer(*(*row, FoldedName.of(equivalences[row[1]], row[3]))) for row in rows]


def map_services_in_use() -> dict[int, set[str]]:
    """Return by the key of each namespace which services it has; two queries.

    A locator table counts as `I2L`.
    """
    found: dict[int, set[str]] = {}
    rows = ResolutionService.objects.in_use().values_list("namespace", "service")
    tables = LocatorTable.objects.filter(state=TableState.CURRENT).values_list("namespace")
    for key, service in (*rows, *((key, "I2L") for (key,) in tables)):
        found.setdefault(key, set()).add(service)
    return found


def services_in_use(namespace: Namespace) -> QuerySet[ResolutionService]:
    """Return the services of a namespace that are in use, in the order in which pages show them."""
    return (
        ResolutionService.objects.in_use()
        .filter(namespace=namespace)
        .select_related("service", "namespace")
        .order_by(*SERVICE_ORDER)
    )


LOCATOR_KEY_OCTETS: Final = 16


def find_locator(
    namespace: Namespace,
    urn: URN,
    equivalence: NamespaceEquivalence | None = None,
    table: int | None = None,
) -> str | None:
    """Return the locator of `urn`, a name of `namespace`, in the table in use.

    `equivalence` is that of the namespace, and `table` the key of the table that was in use a
    moment ago; they are looked up if not given. With both it takes one query, if the name is in
    that table.
    """
    equivalence = equivalence or find_equivalence_of_namespace(namespace)
    compared, folded = find_compared_name(urn, equivalence), fold_percent_octets(urn.nss)
    keys = list(dict.fromkeys(map(build_locator_key, (compared, folded))))
    if table is not None and (locator := find_locator_in_table(table, keys)):
        return locator
    # It is not there, or another table has come into use since.
    current = namespace.locator_tables.filter(state=TableState.CURRENT).first()
    if current is None or current.pk == table:
        return None
    return find_locator_in_table(current.pk, keys)


def find_locator_in_table(table: int, keys: Sequence[bytes]) -> str | None:
    """Return the locator of the first key that a table has, or None if it is not in use."""
    found = Locator.objects.filter(table=table, table__state=TableState.CURRENT, key__in=keys)
    # A table loaded before the namespace declared its equivalence has names as they were written.
    by_key = {bytes(key): locator for key, locator in found.values_list("key", "locator")}
    return next((by_key[key] for key in keys if key in by_key), None)


def has_locators(namespace: Namespace) -> bool:
    """Whether a table of `namespace` is in use."""
    return namespace.locator_tables.filter(state=TableState.CURRENT).exists()


def find_compared_name(urn: URN, equivalence: NamespaceEquivalence | None) -> str:
    """Return the NSS of `urn` in its form for comparison: the same for names that are the same.

    Percent-octets are folded by section 3.1, and then what the namespace ignores is removed.
    """
    if equivalence is None:
        return fold_percent_octets(urn.nss)
    return equivalence.find_compared_name(urn)


def build_locator_key(compared: str) -> bytes:
    """Return the lookup key of a name's row, from its form for comparison."""
    return hashlib.blake2b(compared.encode("ascii"), digest_size=LOCATOR_KEY_OCTETS).digest()


def load_services(keys: Iterable[int]) -> dict[int, ResolutionService]:
    """Return the services of these keys by key, each with what it does and its names."""
    return ResolutionService.objects.select_related("service", "namespace").in_bulk(list(keys))
