"""What programs are told of a namespace and of its versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from registry.models import Namespace, Registration, ResolutionService
from registry.pages.told.services import service_told
from registry.pages.told.written import Told, at, day, moment, template_told
from registry.queries import Prepared
from registry.queries.past import Then

CHANGING: Final = (
    "status",
    "notice",
    "summary",
    "registrant",
    "contact",
    "references",
    "last_known_version",
)
"""What nobody knows of the time before the journal begins to tell of a namespace."""


SERVICES: Final = Prepared(
    lambda key: (
        ResolutionService.objects.in_use().filter(namespace_id=key).order_by("priority", "pk")
    )
)


def namespace_listed(namespace: Namespace, site: str) -> Told:
    """Return a namespace as lists show it; one of `queries.listed`."""
    return facts_told(namespace, site, vars(namespace)["version"])


def facts_told(namespace: Namespace, site: str, version: int | None) -> Told:
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
        "url": at(site, "api:namespace", namespace.nid),
        "page": at(site, "namespaces:detail", namespace.nid),
    }


def namespace_told(namespace: Namespace, versions: Sequence[Registration], site: str) -> Told:
    """Return a namespace with its `versions`, the one in force first, and its services."""
    current = versions[0] if versions else None
    return {
        **facts_told(namespace, site, current.number if current else None),
        "current": registration_told(current, site) if current else None,
        "versions": [registration_listed(each, site) for each in versions],
        "services": [service_told(each, namespace.nid, site) for each in SERVICES(namespace.pk)],
    }


def registration_listed(registration: Registration, site: str) -> Told:
    """Return a published version as lists show it."""
    nid, number = registration.namespace.nid, registration.number
    return {
        "version": number,
        "registered_on": day(registration.registered_on),
        "sha256": registration.sha256,
        "url": at(site, "api:version", nid, number),
        "page": at(site, "namespaces:version", nid, number),
    }


def registration_told(registration: Registration, site: str) -> Told:
    """Return a published version with its text, field by field."""
    template = template_told(registration.template)
    return registration_listed(registration, site) | {"template": template}


def namespace_then_told(then: Then, site: str) -> Told:
    """Return a namespace as it was; what is not known of that time is null."""
    told = facts_told(then.namespace, site, then.version)
    unknown = {} if then.has_facts else dict.fromkeys(CHANGING)
    known = "yes" if then.is_certain else "perhaps"
    return told | unknown | {"as_of": moment(then.moment.at), "was_registered": known}


def namespace_then_whole(then: Then, site: str) -> Told:
    """Return a namespace as it was, with the version in force then and those before it."""
    versions = then.versions
    return {
        **namespace_then_told(then, site),
        "current": registration_told(versions[0], site) if versions else None,
        "versions": [registration_listed(each, site) for each in versions],
    }
