"""Which NIDs a reader may take for one another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from rapidfuzz.distance import OSA

LOOK_ALIKES = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "-": None})


@dataclass(frozen=True, slots=True)
class Likeness:
    """A NID that resembles another, and in what."""

    nid: str
    reason: str
    distance: int


def near(nid: str, candidates: Iterable[str]) -> list[Likeness]:
    """Return those of `candidates` that resemble `nid`, the nearest first, itself left out.

    Near is: the same but for hyphens and look-alike characters; two neighbours changed places;
    one character differs; or two do, in names of four characters and more.
    """
    nid = nid.lower()
    found = [likeness for other in candidates if other != nid and (likeness := compare(nid, other))]
    return sorted(found, key=lambda likeness: (likeness.distance, likeness.nid))


def compare(nid: str, other: str) -> Likeness | None:
    """Return how `other` resembles `nid`, or None."""
    if nid.translate(LOOK_ALIKES) == other.translate(LOOK_ALIKES):
        return Likeness(other, _("Differs only in hyphens or look-alike characters"), 0)
    allowed = 2 if min(len(nid), len(other)) >= 4 else 1
    distance = OSA.distance(nid, other, score_cutoff=allowed)
    if distance > allowed:
        return None
    return Likeness(other, reason(nid, other, distance), distance)


def reason(nid: str, other: str, distance: int) -> str:
    """Say in what two NIDs differ that are `distance` edits apart."""
    if distance == 2:
        return _("Two characters differ")
    if sorted(nid) == sorted(other):
        return _("Two neighbouring characters change places")
    if len(nid) == len(other):
        return _("One character differs")
    return _("One character more or less")
