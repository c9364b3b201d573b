"""An organization as its pages show it: what it holds and asks for, and who acts for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from registry import permissions
from registry.actions import organization_proofs
from registry.actions.delegate_changes import changes_visible_to, holds_namespace
from registry.enums import ProofMethod
from registry.models import DelegateChange, Organization, Proof, User
from registry.permissions import Person
from registry.selectors.organizations import (
    list_evidence,
    list_organization_namespaces,
    list_standing_proofs,
)


@dataclass(frozen=True, slots=True)
class DelegateRow:
    """Somebody who acts for the organization, and their proof, None if they were named."""

    person: User
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class DelegateAccess:
    """What somebody may see and do about the delegates of an organization."""

    is_delegate: bool
    may_see: bool
    may_name: bool
    may_say_website: bool
    may_record_evidence: bool

    @classmethod
    def by(cls, person: Person, organization: Organization) -> DelegateAccess:
        """Return what `person` may do."""
        return cls(
            is_delegate=permissions.is_delegate_of(person, organization),
            may_see=permissions.may_see_delegates(person, organization),
            may_name=permissions.may_name_delegates(person, organization),
            may_say_website=permissions.may_set_website(person),
            may_record_evidence=permissions.may_record_evidence(person, organization),
        )


def list_delegates(organization: Organization) -> list[DelegateRow]:
    """Return who acts for the organization, each with their latest proof."""
    proofs = {
        proof.person_id: proof for proof in list_standing_proofs(organization).order_by("proved_at")
    }
    people = User.objects.speaking_for(organization).order_by("name", "pk")
    return [DelegateRow(person, proofs.get(person.pk)) for person in people]


def list_proof_methods(found: Sequence[DelegateRow]) -> list[str]:
    """Return how the delegates proved to act for it, without names."""
    proofs = {(each.proof.method, each.proof.domain) for each in found if each.proof}
    said = [f"{ProofMethod(method).label}: {domain}" for method, domain in sorted(proofs)]
    return said + (
        [_("Named by another delegate or an administrator")]
        if any(each.proof is None for each in found)
        else []
    )


def list_pending_changes(organization: Organization, person: Person) -> list[DelegateChange]:
    """Return upcoming changes to who acts for it, as far as `person` may know."""
    if not isinstance(person, User):
        return []
    return list(changes_visible_to(person).pending().filter(organization=organization))


def build_organization_context(organization: Organization, person: Person) -> dict[str, Any]:
    """Return what the page of an organization shows to `person`, except requests."""
    seen, found = DelegateAccess.by(person, organization), list_delegates(organization)
    return {
        "organization": organization,
        "seen": seen,
        "evidence": list_evidence(organization),
        "namespaces": list_organization_namespaces(organization),
        "delegates": found if seen.may_see else [],
        "changes": list_pending_changes(organization, person),
        "count": len(found),
        "ways": list_proof_methods(found),
        "domain": organization_proofs.find_website_domain(organization),
    }


def list_holder_proof_addresses(organization: Organization) -> list[str]:
    """Return the addresses that can prove who acts for a holder of a namespace.

    None for other organizations, for which any address at their domain will do.
    """
    if not holds_namespace(organization):
        return []
    return organization_proofs.list_proof_addresses(organization)
