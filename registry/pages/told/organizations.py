"""What programs are told of organizations, and of their standing for the fast track."""

from __future__ import annotations

from registry import rules
from registry.models import Organization, Recognition
from registry.pages.organization import delegates, namespaces_of, requests_of, ways
from registry.pages.told.written import Told, at, day, moment
from registry.rules import Person


def organization_listed(organization: Organization, site: str) -> Told:
    """Return a registrant body as lists show it."""
    return {
        "id": organization.pk,
        "name": organization.name,
        "website": organization.website or None,
        "recognised_on": day(organization.recognised_on),
        "recognition_source": organization.recognition_source or None,
        "url": at(site, "api:organization", organization.pk),
        "page": at(site, "organizations:detail", organization.pk),
    }


def organization_told(organization: Organization, site: str, reader: Person) -> Told:
    """Return a registrant body: what it holds and asks for, and who acts for it."""
    found = delegates(organization)
    may_see = rules.may_see_delegates(reader, organization)
    asked = organization.recognitions.select_related("organization", "decided_by")
    return {
        **organization_listed(organization, site),
        "namespaces": [each.nid for each in namespaces_of(organization)],
        "requests": [each.reference for each in requests_of(organization)],
        "recognitions": [recognition_told(each) for each in asked],
        "ways": ways(found),
        "delegate_count": len(found),
        "delegates": [delegate_told(each.person.pk, str(each.person)) for each in found]
        if may_see
        else None,
    }


def delegate_told(pk: int, name: str) -> Told:
    """Return somebody who acts for an organization."""
    return {"id": pk, "name": name}


def recognition_told(recognition: Recognition) -> Told:
    """Return that a body asked to be recognised for the fast track, and what was answered."""
    decider = recognition.decided_by
    return {
        "id": recognition.pk,
        "organization": recognition.organization.name,
        "organization_id": recognition.organization_id,
        "asked_at": moment(recognition.asked_at),
        "statement": recognition.statement,
        "is_granted": recognition.is_granted,
        "decided_by": decider.name if decider else None,
        "decided_at": moment(recognition.decided_at),
        "reasons": recognition.reasons or None,
    }
