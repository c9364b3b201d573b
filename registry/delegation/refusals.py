"""Why a proof cannot be asked for, or no longer be given. Each raises `Refused` where it is so."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.choices import LIVE, ProofMethod
from registry.delegation.domains import domain_for, domain_of_address
from registry.models import Organization, Proof, RegistrationRequest, User
from registry.workflow.facts import backings
from registry.workflow.step import Refused

MOST_ASKED: Final = 5
"""So many proofs may one person ask for within a day, and so many letters go to one address."""


def needless(
    organization: Organization, person: User, registration_request: RegistrationRequest | None
) -> None:
    """The person may not ask, or acts for the organization already."""
    if not rules.has_confirmed_address(person):
        raise Refused(_("First confirm your own mail address."))
    if registration_request:
        not_needed(organization, registration_request)
    elif rules.is_delegate_of(person, organization):
        raise Refused(_("You act for %(organization)s already.") % {"organization": organization})


def without_domain(wanted: Mapping[str, Any]) -> None:
    """The registry knows no domain of the organization, or the address is of another."""
    domain = wanted["domain"]
    if not domain:
        raise Refused(
            _(
                "The registry does not know the website of %(organization)s. Ask the registrar to "
                "enter it; then it can be proved who acts for it."
            )
            % {"organization": wanted["organization"]}
        )
    by_mail = wanted["method"] == ProofMethod.MAIL
    if by_mail and domain_of_address(wanted["address"]) != domain:
        raise Refused(_("Give an address that ends in @%(domain)s.") % {"domain": domain})


def not_needed(organization: Organization, registration_request: RegistrationRequest) -> None:
    """The request does not wait for this organization to stand behind it, or has ended."""
    bodies = [each.organization for each in backings(registration_request)]
    if organization not in bodies or registration_request.state not in LIVE:
        raise Refused(
            _("%(reference)s does not wait for %(organization)s to stand behind it.")
            % {"reference": registration_request.reference, "organization": organization}
        )


def too_many(person: User, address: str) -> None:
    """Somebody asks often, or an address would get many letters."""
    lately = Proof.objects.filter(asked_at__gt=timezone.now() - datetime.timedelta(1))
    asked = lately.filter(person=person).exclude(method=ProofMethod.WORD)
    letters = lately.filter(address=address) if address else lately.none()
    if asked.count() >= MOST_ASKED or letters.count() >= MOST_ASKED:
        raise Refused(_("That is often for one day. Go on tomorrow."))


def used_up(proof: Proof) -> None:
    """The proof was given, and its person taken off since: it does not serve a second time."""
    organization = proof.organization
    if not proof.registration_request and not rules.is_delegate_of(proof.person, organization):
        raise Refused(_("This proof was given, and serves once. Ask for a new one."))


def too_late(proof: Proof) -> None:
    """The proof was asked for too long ago, for a domain of before, or for what has ended."""
    organization = proof.organization
    if timezone.now() > open_until(proof):
        raise Refused(_("This was asked for too long ago. Ask for a new proof."))
    if proof.domain != domain_for(organization, ProofMethod(proof.method)):
        raise Refused(
            _("%(organization)s has another website by now. Ask for a new proof.")
            % {"organization": organization}
        )
    if proof.registration_request:
        not_needed(organization, proof.registration_request)


def still_open(proofs: QuerySet[Proof]) -> QuerySet[Proof]:
    """Return those that were neither given nor left too long."""
    since = timezone.now() - datetime.timedelta(settings.REGISTRY_PROOF_DAYS)
    return proofs.filter(proved_at=None, asked_at__gt=since)


def open_until(proof: Proof) -> datetime.datetime:
    """Return until when the proof can be given."""
    return proof.asked_at + datetime.timedelta(settings.REGISTRY_PROOF_DAYS)
