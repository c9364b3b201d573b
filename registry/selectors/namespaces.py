"""Which namespaces there are, and what is new among them."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from registry.models import Namespace, Provenance, Registration, RegistrationRequest
from registry.models.namespace import NamespaceQuerySet
from registry.selectors.prepared_queries import PreparedQuery

NAMESPACE_QUERY: Final = PreparedQuery(lambda nid: Namespace.objects.for_lists().filter(nid=nid))
VERSIONS_QUERY: Final = PreparedQuery(
    lambda key: Registration.objects.filter(namespace_id=key).order_by("-number")
)


def registered_nids() -> frozenset[str]:
    """Return every NID that was ever registered: none is ever freed."""
    return frozenset(Namespace.objects.values_list("nid", flat=True))


def find_namespace(nid: str) -> Namespace | None:
    """Return the namespace of a canonical NID with its facts, none where nobody registered it."""
    return NAMESPACE_QUERY.first(nid)


def list_versions(namespace: Namespace) -> list[Registration]:
    """Return the versions of a namespace with their texts, the newest first."""
    versions = VERSIONS_QUERY(namespace.pk)
    for each in versions:
        each.namespace = namespace
    return versions


def namespaces_for_lists() -> NamespaceQuerySet:
    """Return every namespace with what lists and the API show.

    `version` is the one in force, none where the text is not held here; `is_being_revised`
    says whether a public request would change it.
    """
    versions = Registration.objects.filter(namespace=OuterRef("pk")).order_by("-number")
    revisions = RegistrationRequest.objects.live().public().filter(namespace=OuterRef("pk"))
    return Namespace.objects.for_lists().annotate(
        version=Subquery(versions.values("number")[:1]), is_being_revised=Exists(revisions)
    )


def latest_versions() -> QuerySet[Registration]:
    """Return the published versions, the newest first."""
    return Registration.objects.select_related("namespace").order_by("-registered_on", "-pk")


def latest_imported_namespaces() -> NamespaceQuerySet:
    """Return the namespaces without a text whose day or month of registration was checked."""
    known = Namespace.objects.filter(registrations=None).exclude(registered_on="")
    remembered = Q(provenance__registered_source__in=Provenance.NOT_READ)
    return known.exclude(remembered).order_by("-registered_on", "nid")
