"""An organization as its pages show it: what it holds and asks for, and who speaks for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from registry import permissions
from registry.actions.domain_proofs import find_website_domain
from registry.enums import SpeakerBasis
from registry.models import Organization, Speaker, User
from registry.permissions import Person
from registry.selectors.organizations import (
    list_evidence,
    list_namesake_requests,
    list_organization_namespaces,
)
from registry.selectors.speakers import speakers_visible_to


@dataclass(frozen=True, slots=True)
class OrganizationAccess:
    """What somebody may see and do about an organization."""

    is_delegate: bool
    may_see_speakers: bool
    may_record_evidence: bool
    may_recognise: bool

    @classmethod
    def by(cls, person: Person, organization: Organization) -> OrganizationAccess:
        """Return what `person` may do."""
        return cls(
            is_delegate=permissions.is_delegate_of(person, organization),
            may_see_speakers=permissions.may_see_speakers(person, organization),
            may_record_evidence=permissions.may_record_evidence(person, organization),
            may_recognise=permissions.may_recognise(person),
        )


def list_delegates(organization: Organization) -> list[Speaker]:
    """Return who speaks for the whole organization, by name."""
    rows = organization.speakers.in_effect().select_related("person")
    return list(rows.order_by("person__name", "pk"))


def list_bases(delegates: Iterable[Speaker]) -> list[str]:
    """Return how it is known of the delegates, without names."""
    bases = {(row.basis, row.domain) for row in delegates}
    return [
        f"{SpeakerBasis(basis).label}: {domain}" if domain else str(SpeakerBasis(basis).label)
        for basis, domain in sorted(bases)
    ]


def build_organization_context(organization: Organization, person: Person) -> dict[str, Any]:
    """Return what the page of an organization shows to `person`, except requests."""
    access, delegates = OrganizationAccess.by(person, organization), list_delegates(organization)
    pending = Speaker.objects.none()
    if isinstance(person, User):
        pending = speakers_visible_to(person).about(organization).pending()
    return {
        "organization": organization,
        "access": access,
        "evidence": list_evidence(organization),
        "namespaces": list_organization_namespaces(organization),
        "delegates": delegates if access.may_see_speakers else [],
        "pending": pending,
        "count": len(delegates),
        "bases": list_bases(delegates),
        "domain": find_website_domain(organization),
        "namesakes": list_namesake_requests(organization),
        "recognition": organization.recognitions.filter(is_granted=True).last(),
    }
