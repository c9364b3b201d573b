"""Requests whose identifiers are in each other's way: the same, or nearly."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from registry import likeness, queries
from registry.models import RegistrationRequest


def contended() -> list[list[RegistrationRequest]]:
    """Return the live requests that ask for the same NID, those of one NID together."""
    held = queries.held_by_others(None)
    rivals = held.filter(nid=OuterRef("nid")).exclude(pk=OuterRef("pk"))
    together: dict[str, list[RegistrationRequest]] = {}
    for registration_request in held.filter(Exists(rivals)).order_by("nid", "created_at"):
        together.setdefault(registration_request.nid, []).append(registration_request)
    return list(together.values())


def nearly(requests: Iterable[RegistrationRequest]) -> list[list[RegistrationRequest]]:
    """Return pairs of live requests with similar NIDs, of which one is among `requests`.

    Give those alone of which the checks said so: each is compared with all that are live.
    """
    asked = [each for each in requests if each.nid]
    held = queries.held_by_others(None)
    live = dict(held.order_by("-created_at").values_list("nid", "pk")) if asked else {}
    close = {
        frozenset((each.nid, other.nid))
        for each in asked
        if each.nid in live
        for other in likeness.near(each.nid, live)
    }
    names = {nid for pair in close for nid in pair}
    found = held.in_bulk([live[nid] for nid in names])
    return [[found[live[nid]] for nid in sorted(pair)] for pair in sorted(close, key=sorted)]
