"""NIDs seen in use without registration: recorded with evidence, their users notified, claimed."""

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
    """Return every sighting with what lists show, newest first."""
    return Sighting.objects.select_related("noted_by", "claimed_by")


def note_sighting(
    nid: str, *, actor: User, evidence: str, user_of_it: str = "", address: str = ""
) -> Sighting:
    """Record a NID seen in use; the same person with the same evidence twice counts once."""
    nid = nids.canonical(nid)
    refuse_registered_nid(nid)
    said = {"evidence": evidence.strip(), "user_of_it": user_of_it.strip()}
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
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
    """Correct a sighting, replacing what `seen` identifies; doing it twice counts once.

    A new mail address can be sent the notice that the old one was sent.
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
    """Write to the users of the NID how to register it; once."""
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
        letter = outbox.write_direct_letter(
            "sighting",
            {"sighting": found, "person": actor},
            why=_(
                "An expert of the registry saw this identifier in use, and your address with it."
            ),
            key=f"sighting:{found.pk}:{found.notice_sent_at.isoformat()}",
            address=found.address,
        )
        letter.event = record_event(
            found, actor=actor, verb="notify_sighting", data=build_sighting_data(found)
        )
        letter.save(update_fields=["event"])


def find_claiming_request(sighting: Sighting) -> RegistrationRequest | None:
    """Return the request that claims it, unless that failed."""
    claim = sighting.claimed_by
    return None if claim is None or claim.state in UNSUCCESSFUL_STATES else claim


def mark_sighting_edition(sighting: Sighting) -> str:
    """Return a mark of the sighting's content, by which an outdated page is recognised.

    The mark is public and the mail address is not: it is keyed, so that addresses cannot be
    guessed.
    """
    said = json.dumps([sighting.evidence, sighting.user_of_it, sighting.address])
    return salted_hmac("registry.sightings", said, algorithm="sha256").hexdigest()


def lock_sighting(sighting: Sighting) -> Sighting:
    """Return the sighting as it is now, locked until the transaction ends."""
    found = Sighting.objects.select_for_update(no_key=True).filter(pk=sighting.pk).first()
    if found is None:
        raise ConcurrentChange(_("Somebody has withdrawn this sighting."))
    return found


def build_sighting_data(sighting: Sighting) -> dict[str, Any]:
    """Return its public content, for the journal."""
    return {
        "nid": sighting.nid,
        "evidence": sighting.evidence,
        "user_of_it": sighting.user_of_it,
    }


def refuse_other_observers(person: User) -> None:
    """Raise `ActionRefused` if `person` may not edit sightings."""
    if not permissions.may_note_sightings(reload_person(person)):
        raise ActionRefused(_("Only designated experts and the registrar can note sightings."))


def refuse_registered_nid(nid: str) -> None:
    """Raise `ActionRefused` if the NID is registered, so that its use is fine."""
    if nid in selectors.NidLookup():
        raise ActionRefused(_("“%(nid)s” is registered.") % {"nid": nid})
