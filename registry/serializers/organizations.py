"""The JSON of organizations, and of their recognition for the fast track."""

from __future__ import annotations

from registry import permissions
from registry.models import Organization, Recognition
from registry.permissions import Person
from registry.presenters.organizations import (
    list_delegates,
    list_organization_namespaces,
    list_organization_requests,
    list_proof_methods,
)
from registry.serializers.values import (
    JSONObject,
    build_url,
    format_date,
    format_datetime,
)


def serialize_listed_organization(organization: Organization, site: str) -> JSONObject:
    """Return a registrant body as lists show it."""
    return {
        "id": organization.pk,
        "name": organization.name,
        "website": organization.website or None,
        "recognised_on": format_date(organization.recognised_on),
        "recognition_source": organization.recognition_source or None,
        "url": build_url(site, "api:organization", organization.pk),
        "page": build_url(site, "organizations:detail", organization.pk),
    }


def serialize_organization(organization: Organization, site: str, reader: Person) -> JSONObject:
    """Return a registrant body: what it holds and asks for, and who acts for it."""
    found = list_delegates(organization)
    may_see = permissions.may_see_delegates(reader, organization)
    asked = organization.recognitions.select_related("organization", "decided_by")
    return {
        **serialize_listed_organization(organization, site),
        "namespaces": [each.nid for each in list_organization_namespaces(organization)],
        "requests": [each.reference for each in list_organization_requests(organization)],
        "recognitions": [serialize_recognition(each) for each in asked],
        "ways": list_proof_methods(found),
        "delegate_count": len(found),
        "delegates": [serialize_delegate(each.person.pk, str(each.person)) for each in found]
        if may_see
        else None,
    }


def serialize_delegate(pk: int, name: str) -> JSONObject:
    """Return somebody who acts for an organization."""
    return {"id": pk, "name": name}


def serialize_recognition(recognition: Recognition) -> JSONObject:
    """Return that a body asked to be recognised for the fast track, and what was answered."""
    decider = recognition.decided_by
    return {
        "id": recognition.pk,
        "organization": recognition.organization.name,
        "organization_id": recognition.organization_id,
        "asked_at": format_datetime(recognition.asked_at),
        "statement": recognition.statement,
        "is_granted": recognition.is_granted,
        "decided_by": decider.name if decider else None,
        "decided_at": format_datetime(recognition.decided_at),
        "reasons": recognition.reasons or None,
    }
