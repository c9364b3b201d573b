"""What programs are told of NIDs in use without registration."""

from __future__ import annotations

from registry import sightings
from registry.pages.sightings import Row
from registry.pages.told.written import Told, at, moment


def sighting_told(row: Row, site: str) -> Told:
    """Return a sighting, and what has become of it; the mail address is not public."""
    sighting = row.sighting
    return {
        "id": sighting.pk,
        "nid": sighting.nid,
        "evidence": sighting.evidence,
        "user_of_it": sighting.user_of_it or None,
        "noted_by": sighting.noted_by.name,
        "noted_at": moment(sighting.noted_at),
        "notice_sent_at": moment(sighting.notice_sent_at),
        "edition": sightings.edition(sighting),
        "claimed_by": row.claim.reference if row.claim else None,
        "asked_for_by": [each.reference for each in row.asking],
        "namespace": row.namespace.nid if row.namespace else None,
        "url": at(site, "api:sighting", sighting.pk),
    }
