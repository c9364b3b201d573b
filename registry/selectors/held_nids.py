"""Held NIDs: which they are, and the public sentence about each."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, Q
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _

from registry.enums import HoldGround, RequestPath
from registry.models import HeldNid
from registry.models.office import HeldNidQuerySet
from registry.permissions import remember_fact
from registry.urn import nid as nids

MAX_HOLD_DAYS: Final = 365
"""The longest time for which a NID is held; a renewal counts from its own day."""


def find_hold(nid: str) -> HeldNid | None:
    """Return the current hold of `nid`, in any case, or None. A page queries it once."""
    if not nid.isascii():
        return None
    canonical = nids.canonical(nid)
    return remember_fact(
        (find_hold, canonical), lambda: HeldNid.objects.in_force().filter(nid=canonical).first()
    )


def q_nid_is_held() -> Q:
    """Return the condition for requests for a new namespace whose NID is held now."""
    held = HeldNid.objects.in_force().filter(nid=OuterRef("nid"))
    return Q(Exists(held), namespace__isnull=True) & ~Q(path=RequestPath.INFORMAL)


def list_holds() -> HeldNidQuerySet:
    """Return every present or past hold, those in force by NID; the list says which are over."""
    return HeldNid.objects.select_related("held_by", "appealed_by")


def list_appealed_holds() -> HeldNidQuerySet:
    """Return the holds with an appeal that waits for the standards body."""
    waiting = list_holds().in_force().filter(appealed_at__isnull=False, appeal_answer="")
    return waiting.order_by("appealed_at")


def explain_hold(hold: HeldNid) -> str:
    """Return the public sentence: what is held, on what basis, until when and where it says so."""
    words = {
        HoldGround.COURT: _(
            "“%(nid)s” is held back by a court order until %(day)s (%(source)s): nobody can have "
            "it before."
        ),
        HoldGround.DIRECTION: _(
            "“%(nid)s” is held back by a direction of the standards body until %(day)s "
            "(%(source)s): nobody can have it before."
        ),
    }
    day = date_format(hold.until, "j F Y")
    told = {"nid": hold.nid, "day": day, "source": hold.source}
    return words[HoldGround(hold.ground)] % told
