"""The JSON of namespaces, versions, resolution services, vocabularies and sightings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from registry.actions import sightings
from registry.models import (
    Namespace,
    QueryKeyword,
    Registration,
    ResolutionService,
    ServiceDesignator,
)
from registry.presenters.sightings import SightingRow
from registry.selectors import PreparedQuery
from registry.selectors.as_of import NamespaceAsOf
from registry.serializers.base import JSONObject, build_url
from registry.serializers.values import format_date, format_datetime, serialize_template


def serialize_service(service: ResolutionService, nid: str, site: str) -> JSONObject:
    """Return a resolution service of the namespace `nid`."""
    return {
        "id": service.pk,
        "nid": nid,
        "service": service.service_id,
        "prefix": service.prefix or None,
        "template": service.template,
        "media_type": service.media_type or None,
        "language": service.language or None,
        "priority": service.priority,
        "operator": service.operator,
        "source": service.source,
        "updated_at": format_datetime(service.updated_at),
        "withdrawn_at": format_datetime(service.withdrawn_at),
        "probe": service.probe,
        "probed_at": format_datetime(service.probed_at),
        "probe_note": service.probe_note or None,
        "url": build_url(site, "api:service", service.pk),
    }


def serialize_designator(designator: ServiceDesignator) -> JSONObject:
    """Return an entry of the registry of resolution service designators (draft -03, 9.2.2)."""
    return {
        "name": designator.name,
        "purpose": designator.purpose,
        "status": designator.status,
        "reference": designator.reference,
        "updated_at": format_datetime(designator.updated_at),
    }


def serialize_keyword(keyword: QueryKeyword) -> JSONObject:
    """Return an entry of the registry of query keywords (draft -03, section 9.2.1)."""
    return {
        "keyword": keyword.keyword,
        "purpose": keyword.purpose,
        "scope": keyword.scope,
        "reference": keyword.reference,
        "supported_by": [list(each) for each in keyword.supported_by],
        "updated_at": format_datetime(keyword.updated_at),
    }


MEMBERS_UNKNOWN_EARLIER: Final = (
    "status",
    "notice",
    "summary",
    "registrant",
    "contact",
    "references",
    "last_known_version",
)
"""What nobody knows of the time before the journal begins to tell of a namespace."""


SERVICES_IN_USE: Final = PreparedQuery(
    lambda key: (
        ResolutionService.objects.in_use().filter(namespace_id=key).order_by("priority", "pk")
    )
)


def serialize_listed_namespace(namespace: Namespace, site: str) -> JSONObject:
    """Return a namespace as lists show it; one of `queries.listed`."""
    return serialize_namespace_facts(namespace, site, vars(namespace)["version"])


def serialize_namespace_facts(namespace: Namespace, site: str, version: int | None) -> JSONObject:
    """Return the facts of a namespace, `version` the one in force."""
    provenance = getattr(namespace, "provenance", None)
    is_date_verified = provenance is None or provenance.is_date_verified
    return {
        "nid": namespace.nid,
        "nid_as_registered": namespace.nid_as_registered,
        "kind": namespace.kind,
        "informal_number": namespace.informal_number,
        "status": namespace.status,
        "notice": namespace.notice or None,
        "summary": namespace.summary or None,
        "registrant": namespace.registrant.name if namespace.registrant else None,
        "contact": namespace.contact or None,
        "references": list(namespace.references),
        "is_reference_verified": namespace.is_reference_verified,
        "registered_on": namespace.registered_on or None,
        "is_date_verified": bool(namespace.registered_on) and is_date_verified,
        "version": version,
        "last_known_version": namespace.last_known_version or None,
        "url": build_url(site, "api:namespace", namespace.nid),
        "page": build_url(site, "namespaces:detail", namespace.nid),
    }


def serialize_namespace(
    namespace: Namespace, versions: Sequence[Registration], site: str
) -> JSONObject:
    """Return a namespace with its `versions`, the one in force first, and its services."""
    current = versions[0] if versions else None
    return {
        **serialize_namespace_facts(namespace, site, current.number if current else None),
        "current": serialize_version(current, site) if current else None,
        "versions": [serialize_listed_version(each, site) for each in versions],
        "services": [
            serialize_service(each, namespace.nid, site) for each in SERVICES_IN_USE(namespace.pk)
        ],
    }


def serialize_listed_version(registration: Registration, site: str) -> JSONObject:
    """Return a published version as lists show it."""
    nid, number = registration.namespace.nid, registration.number
    return {
        "version": number,
        "registered_on": format_date(registration.registered_on),
        "sha256": registration.sha256,
        "url": build_url(site, "api:version", nid, number),
        "page": build_url(site, "namespaces:version", nid, number),
    }


def serialize_version(registration: Registration, site: str) -> JSONObject:
    """Return a published version with its text, field by field."""
    template = serialize_template(registration.template)
    return serialize_listed_version(registration, site) | {"template": template}


def serialize_listed_namespace_as_of(then: NamespaceAsOf, site: str) -> JSONObject:
    """Return a namespace as it was; what is not known of that time is null."""
    told = serialize_namespace_facts(then.namespace, site, then.version)
    unknown = {} if then.has_facts else dict.fromkeys(MEMBERS_UNKNOWN_EARLIER)
    known = "yes" if then.is_certain else "perhaps"
    return told | unknown | {"as_of": format_datetime(then.moment.at), "was_registered": known}


def serialize_namespace_as_of(then: NamespaceAsOf, site: str) -> JSONObject:
    """Return a namespace as it was, with the version in force then and those before it."""
    versions = then.versions
    return {
        **serialize_listed_namespace_as_of(then, site),
        "current": serialize_version(versions[0], site) if versions else None,
        "versions": [serialize_listed_version(each, site) for each in versions],
    }


def serialize_sighting(row: SightingRow, site: str) -> JSONObject:
    """Return a sighting, and what has become of it; the mail address is not public."""
    sighting = row.sighting
    return {
        "id": sighting.pk,
        "nid": sighting.nid,
        "evidence": sighting.evidence,
        "user_of_it": sighting.user_of_it or None,
        "noted_by": sighting.noted_by.name,
        "noted_at": format_datetime(sighting.noted_at),
        "notice_sent_at": format_datetime(sighting.notice_sent_at),
        "edition": sightings.mark_sighting_edition(sighting),
        "claimed_by": row.claim.reference if row.claim else None,
        "asked_for_by": [each.reference for each in row.asking],
        "namespace": row.namespace.nid if row.namespace else None,
        "url": build_url(site, "api:sighting", sighting.pk),
    }
