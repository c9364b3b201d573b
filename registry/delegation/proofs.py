"""Proof that somebody acts for an organization, by what only it can do with its domain.

Asking gives a secret, for one person and one organization. It is found again in a letter to an
address of the domain, in a record of its name servers or in a file on its site: then the proof
stands. Nothing is looked for unless the person asks.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from registry.background import PRIORITY, StillPending, enqueue_for, pending_subjects
from registry.choices import ProofMethod
from registry.delegation import looking, refusals
from registry.delegation.domains import domain_for
from registry.delegation.refusals import still_open
from registry.models import Organization, Proof, RegistrationRequest, User
from registry.notices import own
from registry.queries import holder
from registry.workflow.recording import record
from registry.workflow.step import Refused, Superseded

MOST_ATTEMPTS: Final = 20
"""So often is one proof looked for."""


def ask(
    organization: Organization,
    person: User,
    method: ProofMethod,
    *,
    address: str = "",
    registration_request: RegistrationRequest | None = None,
) -> Proof:
    """Return a proof to be given by `method`; asked for twice, the one that is open.

    With a request it will speak for that alone. Raises `Refused` where there is nothing to prove.
    """
    refusals.needless(organization, person, registration_request)
    wanted: dict[str, Any] = {
        "organization": organization,
        "person": person,
        "method": method,
        "address": address.strip().lower() if method == ProofMethod.MAIL else "",
        "domain": domain_for(organization, method),
        "registration_request": registration_request,
    }
    refusals.without_domain(wanted)
    with transaction.atomic():
        # The row is ours until the transaction ends: the second of two clicks finds the first.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if begun := still_open(Proof.objects.filter(**wanted)).first():
            return begun
        refusals.too_many(person, wanted["address"])
        return begin(wanted)


def begin(wanted: dict[str, Any]) -> Proof:
    """Make the proof, and write the letter where it is given by one."""
    proof = Proof.objects.create(**wanted, asked_at=timezone.now())
    if proof.method == ProofMethod.MAIL:
        context = {"proof": proof, "until": refusals.open_until(proof)}
        why = _(
            "Somebody with an account in the registry gave this address as your organization's."
        )
        own.write("proof", context, why=why, key=f"proof:{proof.pk}", address=proof.address)
    return proof


def confirm(proof: Proof, secret: str) -> None:
    """Take the secret that came by mail; raise `Refused` where it is the wrong one or too late."""
    if proof.proved_at:
        refusals.used_up(proof)
        return
    refusals.too_late(proof)
    if proof.method != ProofMethod.MAIL or not secrets.compare_digest(proof.secret, secret):
        raise Refused(_("This link is not the one from the letter. Copy it once more."))
    prove(proof, _("the answer to a letter to %(domain)s") % {"domain": proof.domain})


def request_look(proof: Proof) -> None:
    """Have the worker look for the secret; raise `Refused` where that is of no use now.

    What comes of it stands in the row: `proved_at`, or `looked_at` and `finding`.
    """
    if proof.proved_at:
        refusals.used_up(proof)
        return
    refusals.too_late(proof)
    tried = Proof.objects.filter(pk=proof.pk, attempts__lt=MOST_ATTEMPTS)
    if not tried.update(attempts=F("attempts") + 1):
        raise Refused(_("This was looked for too often. Ask for a new proof."))
    if proof.method == ProofMethod.MAIL:
        raise Refused(_("Open the link in the letter."))
    try:
        enqueue_for(proof.person, look_for_proof, proof.pk)
    except StillPending as reason:
        raise Refused(str(reason)) from None


def is_being_looked_for(proof: Proof) -> bool:
    """Whether the worker has yet to say what it found."""
    return proof.pk in pending_subjects(look_for_proof)


@task(priority=PRIORITY)
def look_for_proof(proof_id: int, *, person_id: int) -> str:
    """Look for the secret of a proof, and write down what was found; return that."""
    asked = Proof.objects.select_related("organization", "person", "registration_request")
    proof = asked.get(pk=proof_id, person=person_id)
    if not proof.person.is_active:
        return "left alone"
    try:
        look(proof)
    except Refused as refusal:
        finding = str(refusal)
    else:
        finding = ""
    Proof.objects.filter(pk=proof.pk).update(looked_at=timezone.now(), finding=finding)
    return finding or "found"


def look(proof: Proof) -> None:
    """Look for the secret where it has to be; raise `Refused` with what was found instead.

    Others are asked outside of any transaction: they may take their time.
    """
    if proof.proved_at:
        refusals.used_up(proof)
        return
    refusals.too_late(proof)
    prove(proof, looking.FINDERS[ProofMethod(proof.method)](proof))


def agree(
    organization: Organization,
    registration_request: RegistrationRequest,
    *,
    actor: User,
    seen: int | None = None,
) -> Proof:
    """Have somebody who speaks for the organization stand behind the last round; done twice, once.

    `seen` is the number of the round they read, by default the last. Raises `Superseded` when
    another was sent since: nobody stands behind a text they did not see.
    """
    if not holder.speakers(organization, registration_request).filter(pk=actor.pk).exists():
        raise Refused(_("You do not act for %(organization)s.") % {"organization": organization})
    refusals.not_needed(organization, registration_request)
    with transaction.atomic():
        # Of two clicks the second finds the first, and no round is sent meanwhile.
        RegistrationRequest.objects.select_for_update(no_key=True).get(pk=registration_request.pk)
        last = registration_request.last_round
        if last is None:
            raise Refused(_("There is no round yet to stand behind."))
        if seen is not None and seen != last.number:
            raise Superseded(
                _("Round %(round)d was sent meanwhile. Read it before you stand behind it.")
                % {"round": last.number}
            )
        given = Proof.objects.filter(
            organization=organization,
            person=actor,
            registration_request=registration_request,
            method=ProofMethod.WORD,
            proved_at__gte=last.submitted_at,
        )
        if found := given.first():
            return found
        proof = Proof.objects.create(
            organization=organization,
            person=actor,
            registration_request=registration_request,
            method=ProofMethod.WORD,
            asked_at=timezone.now(),
        )
        prove(proof, _("the word of somebody who acts for it"))
    return proof


def prove(proof: Proof, found: str) -> None:
    """Note that the proof stands, and have the person act for the organization; once."""
    organization, registration_request = proof.organization, proof.registration_request
    with transaction.atomic():
        waiting = Proof.objects.filter(pk=proof.pk, proved_at=None)
        if not waiting.update(proved_at=timezone.now(), evidence=found):
            return
        proof.refresh_from_db()
        told = list(organization.delegates.values_list("pk", flat=True))
        if registration_request is None:
            organization.delegates.add(proof.person)
        data: dict[str, Any] = {
            "organization": str(organization),
            "organization_id": organization.pk,
            "method": proof.method,
            "domain": proof.domain,
            "found": found,
        }
        if registration_request is None:
            data["people"] = told
        else:
            data |= round_meant(proof, registration_request)
        subject = registration_request or organization
        record(subject, actor=proof.person, verb="prove", data=data)


def round_meant(proof: Proof, registration_request: RegistrationRequest) -> dict[str, Any]:
    """Return the round that a proof for a request speaks of: the last, unless it came later.

    Whoever asked for the proof before that round was sent has proved who they are, and no more.
    """
    last = registration_request.last_round
    if last is None or last.submitted_at is None or last.submitted_at > proof.asked_at:
        return {}
    return {"round": last.number, "sha256": last.sha256}
