"""Holding back a NID by a court order or a direction; renewals, end and appeals, all public."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions, selectors
from registry.enums import HoldGround
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_row
from registry.models import HeldNid, User
from registry.selectors.held_nids import MAX_HOLD_DAYS
from registry.urn import nid as nids
from registry.workflow.events import record_event
from registry.workflow.pauses import note_pauses_of_nid
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange


def hold_nid(
    nid: str,
    *,
    actor: User,
    ground: HoldGround,
    reasons: str,
    source: str,
    until: datetime.date,
) -> HeldNid:
    """Hold back `nid` and return the hold; the same twice counts once.

    Raises `ActionRefused` for a NID that nobody could register anyway, one already held back, a
    date in the past or too far ahead, and a person who may not.
    """
    nid = nids.canonical(nid)
    if faults := nids.check(nid, selectors.NidLookup()):
        raise ActionRefused(faults[0].message)
    refuse_unfit_day(until)
    said = {"ground": ground, "reasons": reasons.strip(), "source": source.strip(), "until": until}
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        refuse_other_holders(actor)
        known = HeldNid.objects.select_for_update(no_key=True).not_ended().filter(nid=nid).first()
        if known and all(getattr(known, name) == value for name, value in said.items()):
            return known
        if known and known.is_in_force:
            raise ActionRefused(_("“%(nid)s” is already held back. Renew that.") % {"nid": nid})
        rows: dict[str, str | None] = {}
        if known:
            rows = {build_row_key(known): digest_row(known)}
            finish_hold(known, _("It has expired."))
        held = HeldNid.objects.create(nid=nid, held_by=actor, held_at=timezone.now(), **said)
        rows[build_row_key(held)] = NEW_ROW
        record_hold_event(held, actor, "hold_nid", held.reasons, rows)
    return held


def renew_hold(
    hold: HeldNid,
    *,
    actor: User,
    seen: datetime.date,
    until: datetime.date,
    reasons: str,
    source: str,
) -> None:
    """Extend the hold to a later day, replacing `seen`; doing it twice counts once.

    The renewal needs a source of its own and can be appealed again.
    """
    refuse_unfit_day(until)
    with transaction.atomic():
        found = lock_hold(hold)
        refuse_other_holders(actor)
        if found.until == until and found.source == source.strip():
            return
        if found.until != seen:
            raise ConcurrentChange(
                _("Somebody has renewed this since you opened the page. Read it again.")
            )
        if until <= found.until:
            raise ActionRefused(_("Name a day after the one until which it is held back now."))
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        before = {"until": found.until.isoformat(), "source": found.source}
        found.until, found.reasons, found.source = until, reasons.strip(), source.strip()
        found.appeal, found.appealed_by, found.appealed_at = "", None, None
        found.appeal_answer = ""
        found.save()
        record_hold_event(found, actor, "renew_hold", found.reasons, rows, before=before)


def end_hold(hold: HeldNid, *, actor: User, ending: str) -> None:
    """Release the NID; the journal keeps why it was held back."""
    with transaction.atomic():
        found = lock_hold(hold)
        refuse_other_holders(actor)
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        finish_hold(found, ending.strip())
        record_hold_event(found, actor, "end_hold", found.ending, rows)


def appeal_hold(hold: HeldNid, *, actor: User, reasons: str) -> None:
    """Ask the standards body to lift a hold; once per renewal."""
    if not permissions.may_appeal_holds(actor):
        raise ActionRefused(
            _("Anyone with a confirmed email address can appeal, except the standards body.")
        )
    with transaction.atomic():
        found = lock_hold(hold)
        if found.appealed_by == actor and found.appeal == reasons.strip():
            return
        if found.appealed_at:
            raise ActionRefused(
                _("This hold has already been appealed; it can be appealed only once.")
            )
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        found.appeal, found.appealed_by = reasons.strip(), actor
        found.appealed_at = timezone.now()
        found.save()
        record_hold_event(found, actor, "appeal_hold", found.appeal, rows)


def answer_hold_appeal(hold: HeldNid, *, actor: User, lifts: bool, answer: str) -> None:
    """Answer the appeal as the standards body: the hold is lifted, or stays until its end date."""
    with transaction.atomic():
        found = lock_hold(hold)
        if not permissions.may_answer_hold_appeals(reload_person(actor)):
            raise ActionRefused(_("Only the standards body can answer appeals."))
        if not found.awaits_appeal:
            raise ConcurrentChange(_("There is no appeal, or it has been answered meanwhile."))
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        found.appeal_answer = answer.strip()
        found.save()
        if lifts:
            finish_hold(found, found.appeal_answer)
        record_hold_event(
            found, actor, "answer_hold_appeal", found.appeal_answer, rows, lifted=lifts
        )


def finish_hold(hold: HeldNid, ending: str) -> None:
    """Record that a hold is over, and why."""
    hold.ended_at, hold.ending = timezone.now(), ending
    hold.save()


def lock_hold(hold: HeldNid) -> HeldNid:
    """Return the hold as it is now, locked until the transaction ends; refuse an ended one."""
    found = HeldNid.objects.select_for_update(no_key=True).get(pk=hold.pk)
    if found.ended_at:
        raise ConcurrentChange(_("“%(nid)s” is no longer held back.") % {"nid": found.nid})
    return found


def record_hold_event(
    hold: HeldNid,
    actor: User,
    verb: str,
    comment: str,
    rows: Mapping[str, str | None],
    **more: Any,
) -> None:
    """Write the event, which names the requests for the NID so that their people are notified.

    The deadlines of those requests are paused during the hold.
    """
    note_pauses_of_nid(hold.nid)
    asking = selectors.requests_asking_for(hold.nid).values_list("reference", flat=True)
    data = {
        "nid": hold.nid,
        "ground": hold.ground,
        "source": hold.source,
        "until": hold.until.isoformat(),
        "asked_for_by": sorted(asking),
        **({"appellant_id": hold.appealed_by_id} if hold.appealed_by_id else {}),
        **more,
    }
    record_event(hold, actor=actor, verb=verb, comment=comment, data=data, rows=rows)


def refuse_unfit_day(until: datetime.date) -> None:
    """Raise `ActionRefused` for a day in the past, or more than a year ahead."""
    today = timezone.localdate()
    if not today < until <= today + datetime.timedelta(MAX_HOLD_DAYS):
        raise ActionRefused(
            _(
                "Choose a day after today and within a year: that is the longest a NID can be "
                "held back at a time."
            )
        )


def refuse_other_holders(person: User) -> None:
    """Raise `ActionRefused` if `person` may not, or may no longer, hold back NIDs."""
    if not permissions.may_hold_nids(reload_person(person)):
        raise ActionRefused(_("Only the registrar or the standards body can hold back NIDs."))
