"""NIDs seen in use without registration: noted with evidence, their users told, claimed or not."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from registry import permissions, selectors
from registry.enums import UNSUCCESSFUL_STATES
from registry.models import Event, RegistrationRequest, Sighting, User
from registry.notifications import outbox
from registry.urn import nid as nids
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange


def sightings_for_lists() -> QuerySet[Sighting]:
    """Return every sighting with what lists show, the newest first."""
    return Sighting.objects.select_related("noted_by", "claimed_by")


def note_sighting(
    nid: str, *, actor: User, evidence: str, user_of_it: str = "", address: str = ""
) -> Sighting:
    """Note a NID seen in use; noted by one person with the same evidence twice, once."""
    nid = nids.canonical(nid)
    refuse_registered_nid(nid)
    said = {"evidence": evidence.strip(), "user_of_it": user_of_it.strip()}
    with transaction.atomic():
        # The row is ours until the transaction ends: the second of two clicks finds the first.
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        refuse_other_observers(actor)
        if noted := Sighting.objects.filter(nid=nid, noted_by=actor, **said).first():
            return noted
        noted = Sighting.objects.create(
            nid=nid, address=address, noted_by=actor, noted_at=timezone.now(), **said
        )
        record_event(noted, actor=actor, verb="note_sighting", data=build_sighting_data(noted))
    return noted


def correct_sighting(sighting: Sighting, *, actor: User, seen: str, **said: str) -> None:
    """Write what a sighting shall say, in place of what `seen` names; done twice, once.

    Another mail address may be sent the notice that the one before it was sent.
    """
    with transaction.atomic():
        found = lock_sighting(sighting)
        refuse_other_observers(actor)
        before = build_sighting_data(found)
        if all(getattr(found, name) == words for name, words in said.items()):
            return
        if mark_sighting_edition(found) != seen:
            raise ConcurrentChange(
                _("Somebody has corrected this sighting since you opened the page. Read it again.")
            )
        if said["address"] != found.address:
            found.notice_sent_at = None
        for name, words in said.items():
            setattr(found, name, words)
        found.save()
        data = build_sighting_data(found) | {"before": before}
        record_event(found, actor=actor, verb="correct_sighting", data=data)


def withdraw_sighting(sighting: Sighting, *, actor: User, reason: str) -> Event:
    """Take a sighting off the list; the journal keeps what it said."""
    with transaction.atomic():
        found = lock_sighting(sighting)
        refuse_other_observers(actor)
        if claim := find_claiming_request(found):
            words = _("%(reference)s claims this sighting.")
            raise ActionRefused(words % {"reference": claim.reference})
        event = record_event(
            found,
            actor=actor,
            verb="withdraw_sighting",
            comment=reason.strip(),
            data=build_sighting_data(found),
        )
        found.delete()
    return event


def notify_nid_users(sighting: Sighting, *, actor: User) -> None:
    """Write to those who use the NID how to register it; once."""
    with transaction.atomic():
        found = lock_sighting(sighting)
        refuse_other_observers(actor)
        if found.notice_sent_at:
            return
        if not found.address:
            raise ActionRefused(_("No email address is known. Correct the sighting first."))
        refuse_registered_nid(found.nid)
        found.notice_sent_at = timezone.now()
        found.save(update_fields=["notice_sent_at"])
        event = record_event(
            found, actor=actor, verb="notify_sighting", data=build_sighting_data(found)
        )
        outbox.write_direct_letter(
            "sighting",
            {"sighting": found, "person": actor},
            why=_(
                "An expert of the registry saw this identifier in use, and your address with it."
            ),
            key=f"sighting:{found.pk}:{event.number}",
            address=found.address,
            event=event,
        )


def find_claiming_request(sighting: Sighting) -> RegistrationRequest | None:
    """Return the request that claims it, none where that came to nothing."""
    claim = sighting.claimed_by
    return None if claim is None or claim.state in UNSUCCESSFUL_STATES else claim


def mark_sighting_edition(sighting: Sighting) -> str:
    """Return a mark of what the sighting says, by which a stale page is known.

    Everybody reads it and not the mail address: only with our key can one be tried on the other.
    """
    said = json.dumps([sighting.evidence, sighting.user_of_it, sighting.address])
    return salted_hmac("registry.sightings", said, algorithm="sha256").hexdigest()


def lock_sighting(sighting: Sighting) -> Sighting:
    """Return the sighting as it is now, ours until the transaction ends."""
    found = Sighting.objects.select_for_update(no_key=True).filter(pk=sighting.pk).first()
    if found is None:
        raise ConcurrentChange(_("Somebody has withdrawn this sighting."))
    return found


def build_sighting_data(sighting: Sighting) -> dict[str, Any]:
    """Return what it says in public, for the journal."""
    return {
        "nid": sighting.nid,
        "evidence": sighting.evidence,
        "user_of_it": sighting.user_of_it,
    }


def refuse_other_observers(person: User) -> None:
    """Raise `ActionRefused` where `person` does not note sightings."""
    if not permissions.may_note_sightings(reload_person(person)):
        raise ActionRefused(_("Only designated experts and the registrar can note sightings."))


def refuse_registered_nid(nid: str) -> None:
    """Raise `ActionRefused` where the NID is registered: then it may well be in use."""
    if nid in selectors.registered_nids():
        raise ActionRefused(_("“%(nid)s” is registered.") % {"nid": nid})
