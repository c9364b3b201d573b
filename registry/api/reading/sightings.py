"""NIDs in use without registration, to read."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import sightings
from registry.api.asked import ListAsked, asked_with
from registry.api.door import site_of
from registry.api.listing import Key, Part, chosen, listed, part_of
from registry.api.narrowing import narrowed
from registry.api.parameters import in_path
from registry.api.seen import etag
from registry.api.shapes.others import SightingShape
from registry.models import Sighting
from registry.pages.sightings import rows
from registry.pages.told.sightings import sighting_told
from registry.urn import nid as nids

ID: Final = in_path("id", "The id of the sighting.")
ORDERS: Final = {
    "-noted": (Key("noted_at", descends=True), Key("pk", descends=True)),
    "noted": (Key("noted_at"), Key("pk")),
    "nid": (Key("nid"), Key("pk")),
}


class SightingsAsked(ListAsked):
    """What the list of sightings can be asked with."""

    nid = serializers.CharField(required=False, max_length=40, help_text="In any case.")
    sort = chosen(ORDERS, "-noted")


def every(request: Request) -> Response:
    """Return the sightings that are asked for."""
    asked, site = asked_with(SightingsAsked, request), site_of(request)
    found = sightings.listed()
    if nid := asked.get("nid"):
        found = found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()
    part: Part[Sighting] = part_of(found, ORDERS, asked, "-noted")
    told: dict[int, Any] = {row.sighting.pk: row for row in rows(part.rows)}
    return listed(request, part, lambda each: sighting_told(told[each.pk], site), SightingShape)


def sighting_of(pk: int) -> Sighting:
    """Return the sighting of that id."""
    found = sightings.listed().filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no sighting of that id: it may have been withdrawn."))
    return found


def shown(request: Request, pk: int, status: int = 200) -> Response:
    """Return a sighting as it is now."""
    sighting, site = sighting_of(pk), site_of(request)
    row = sighting_told(rows([sighting])[0], site)
    headers = {"ETag": etag(sightings.edition(sighting))}
    if status == 201:
        headers["Location"] = str(row["url"])
    return Response(narrowed(request, [row], SightingShape)[0], status, headers=headers)
