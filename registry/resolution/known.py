"""What the registry knows of a namespace for resolving its names, read in two queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet, Value

from registry.choices import Status, TableState
from registry.models import LocatorTable, Namespace, ResolutionService
from registry.queries import registry_version
from registry.resolution.prefixes import Folded


@dataclass(frozen=True, slots=True)
class Offer:
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
    begins: Folded

    @classmethod
    def of(cls, service: ResolutionService) -> Offer:
        """Return a service as an offer, saved or not."""
        nid, prefix = service.namespace.nid, service.prefix
        said = (service.service_id, prefix, service.template, service.media_type)
        more = (service.language, service.priority, service.operator)
        return cls(service.pk or 0, nid, *said, *more, Folded.of(nid, prefix))


@dataclass(frozen=True, slots=True)
class Known:
    """A registered namespace with its services; `has_table` where locators were loaded for it."""

    key: int
    nid: str
    status: str
    has_table: bool
    offers: Sequence[Offer]

    @property
    def is_in_force(self) -> bool:
        """Whether nothing is said against using it; its names resolve in any case."""
        return self.status == Status.ACTIVE

    @property
    def namespace(self) -> Namespace:
        """The namespace itself, with no more than its keys."""
        return Namespace(pk=self.key, nid=self.nid, status=self.status)


ORDER: Final = ("service__position", "prefix", "priority", "pk")
OFFER: Final = (
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


def known(nid: str, version: int | None = None) -> Known | None:
    """Return what is known of a registered namespace by its canonical NID.

    It is kept until the registry's version changes, so that a name costs one small question, and
    none where somebody has just asked for the `version`.
    """
    return read(nid, registry_version() if version is None else version)


@lru_cache(maxsize=1_000)
def read(nid: str, version: int) -> Known | None:
    """Return what the tables say of a namespace in this version of the registry; two queries."""
    tables = LocatorTable.objects.filter(namespace=OuterRef("pk"), state=TableState.CURRENT)
    found = (
        Namespace.objects.filter(nid=nid)
        .annotate(has_table=Exists(tables))
        .values_list("pk", "nid", "status", "has_table")
        .first()
    )
    if found is None:
        return None
    return Known(*found, offers=offers(ResolutionService.objects.filter(namespace=found[0])))


def offers(services: QuerySet[ResolutionService]) -> list[Offer]:
    """Return services as offers, those that were taken away left out, in the order of the page."""
    rows = services.filter(withdrawn_at__isnull=True).order_by(*ORDER).values_list(*OFFER)
    return [Offer(*(*row, Folded.of(row[1], row[3]))) for row in rows]


def services_of(namespace: Namespace | Value) -> QuerySet[ResolutionService]:
    """Return the services of a namespace that are in use, in the order in which pages show them."""
    return (
        ResolutionService.objects.in_use()
        .filter(namespace=namespace)
        .select_related("service", "namespace")
        .order_by(*ORDER)
    )
