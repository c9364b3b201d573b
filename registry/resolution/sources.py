"""What the registry knows of a namespace to resolve its names: services and tables of locators."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.db.models import OuterRef, QuerySet, Subquery, Value

from registry.enums import NamespaceStatus, TableState
from registry.models import Locator, LocatorTable, Namespace, ResolutionService
from registry.selectors import PreparedQuery, find_registry_version
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
    """An NSS or the beginning of one: in the letters of section 3.1, and as it is compared.

    What is compared is without what its namespace does not count.
    """

    text: str
    compared: str

    @classmethod
    def of(cls, equivalence: NamespaceEquivalence | None, text: str) -> FoldedName:
        """Fold what is in a name of a namespace with that equivalence."""
        text = fold_percent_octets(text)
        return cls(text, equivalence.find_merged(text) if equivalence else text)

    def behind(self, prefix: FoldedName) -> str | None:
        """Return what stands behind `prefix`, none where the name does not begin so.

        In the letters of the name, where what its namespace does not count leaves their number.
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
    """A registered namespace with its services, and the key of its table of locators, if any.

    `rule` and `equivalence` are what its names are measured and compared by, where that is known.
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
        """Whether nothing is said against using it; its names resolve in any case."""
        return self.status == NamespaceStatus.ACTIVE

    @property
    def namespace(self) -> Namespace:
        """The namespace itself, with no more than its keys."""
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


def find_resolvable_namespace(nid: str, version: int | None = None) -> ResolvableNamespace | None:
    """Return what is known of a registered namespace by its canonical NID.

    It is kept until the registry's version changes, so that a name costs one small question, and
    none where somebody has just asked for the `version`.
    """
    return read_resolvable_namespace(nid, find_registry_version() if version is None else version)


@lru_cache(maxsize=1_000)
def read_resolvable_namespace(nid: str, version: int) -> ResolvableNamespace | None:
    """Return what the tables say of a namespace in this version of the registry; three queries."""
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


def load_offers(
    services: QuerySet[ResolutionService],
    equivalences: Mapping[str, NamespaceEquivalence | None] | None = None,
) -> list[ServiceOffer]:
    """Return services as offers, those that were taken away left out, in the order of the page.

    `equivalences` are those of their namespaces by NID, looked up where nobody has done so.
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
    """Return by the key of each namespace which services are had of it; two queries.

    A table of locators is an `I2L`.
    """
    found: dict[int, set[str]] = {}
    rows = ResolutionService.objects.in_use().values_list("namespace", "service")
    tables = LocatorTable.objects.filter(state=TableState.CURRENT).values_list("namespace")
    for key, service in (*rows, *((key, "I2L") for (key,) in tables)):
        found.setdefault(key, set()).add(service)
    return found


def services_in_use(namespace: Namespace | Value) -> QuerySet[ResolutionService]:
    """Return the services of a namespace that are in use, in the order in which pages show them."""
    return (
        ResolutionService.objects.in_use()
        .filter(namespace=namespace)
        .select_related("service", "namespace")
        .order_by(*SERVICE_ORDER)
    )


LOCATOR_KEY_OCTETS: Final = 16
CURRENT_TABLE_QUERY: Final = PreparedQuery(
    lambda key: LocatorTable.objects.filter(namespace_id=key, state=TableState.CURRENT)
)


def find_locator(
    namespace: Namespace,
    urn: URN,
    equivalence: NamespaceEquivalence | None = None,
    table: int | None = None,
) -> str | None:
    """Return the locator of `urn`, a name of `namespace`, in the table in use.

    `equivalence` is that of the namespace, and `table` the key of the table that was in use a
    moment ago; they are looked up where nobody has done so. One query with both, where the name is
    in that table.
    """
    equivalence = equivalence or find_equivalence_of_namespace(namespace)
    compared, folded = find_compared_name(urn, equivalence), fold_percent_octets(urn.nss)
    keys = list(dict.fromkeys(map(build_locator_key, (compared, folded))))
    if table is not None and (locator := find_locator_in_table(table, keys)):
        return locator
    # It is not there, or another table has come into use since.
    current = CURRENT_TABLE_QUERY.first(namespace.pk)
    if current is None or current.pk == table:
        return None
    return find_locator_in_table(current.pk, keys)


def find_locator_in_table(table: int, keys: Sequence[bytes]) -> str | None:
    """Return the locator of the first key that a table has, none where it is not in use."""
    # PostgreSQL has these rows in partitions by their table, and looks at one of them alone where
    # its key is in the question.
    found = Locator.objects.filter(table=table, table__state=TableState.CURRENT, key__in=keys)
    # A table that was loaded before the namespace declared it still has names as they are written.
    by_key = {bytes(key): locator for key, locator in found.values_list("key", "locator")}
    return next((by_key[key] for key in keys if key in by_key), None)


def has_locators(namespace: Namespace) -> bool:
    """Whether a table of `namespace` is in use."""
    return bool(CURRENT_TABLE_QUERY(namespace.pk))


def find_compared_name(urn: URN, equivalence: NamespaceEquivalence | None) -> str:
    """Return the NSS of `urn` as it is compared: the same for names that are the same.

    Percent-octets are folded as section 3.1 does it, and then what the namespace does not count.
    """
    if equivalence is None:
        return fold_percent_octets(urn.nss)
    return equivalence.find_compared_name(urn)


def build_locator_key(compared: str) -> bytes:
    """Return by what the row of a name is found, which is given as it is compared."""
    return hashlib.blake2b(compared.encode("ascii"), digest_size=LOCATOR_KEY_OCTETS).digest()


def load_services(keys: Iterable[int]) -> dict[int, ResolutionService]:
    """Return the services of these keys by key, each with what it does and for whom."""
    return ResolutionService.objects.select_related("service", "namespace").in_bulk(list(keys))
