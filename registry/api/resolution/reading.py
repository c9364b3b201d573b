"""Resolution services and the two registries of words about them, to read."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import services
from registry.api.asked import ListAsked, asked_with
from registry.api.door import site_of
from registry.api.listing import Key, chosen, listed, part_of
from registry.api.narrowing import narrowed
from registry.api.parameters import in_path
from registry.api.seen import etag
from registry.api.shapes.namespaces import ServiceShape
from registry.choices import Probe
from registry.models import ResolutionService
from registry.pages.told.services import service_told
from registry.urn import nid as nids

ID: Final = in_path("id", "The id of the service.")
ORDERS: Final = {
    "nid": (Key("namespace__nid"), Key("priority"), Key("pk")),
    "-nid": (Key("namespace__nid", descends=True), Key("priority"), Key("pk")),
    "id": (Key("pk"),),
}


class ServicesAsked(ListAsked):
    """What a list of services can be asked with; those taken away are left out."""

    service = serializers.CharField(required=False, max_length=20, help_text="Such as I2L.")
    probe = serializers.ChoiceField(Probe.choices, required=False)
    sort = chosen(ORDERS, "nid")


class EveryServiceAsked(ServicesAsked):
    """What the list of all services can be asked with."""

    nid = serializers.CharField(required=False, max_length=32, help_text="In any case.")


def every(request: Request, nid: str = "") -> Response:
    """Return the services that are asked for, of one namespace or of all."""
    site = site_of(request)
    asked = asked_with(ServicesAsked if nid else EveryServiceAsked, request)
    found = in_use(nid or asked.get("nid", ""))
    for name in ("service", "probe"):
        found = found.filter(**{name: asked[name]}) if name in asked else found
    part = part_of(found, ORDERS, asked, "nid")
    return listed(
        request, part, lambda each: service_told(each, each.namespace.nid, site), ServiceShape
    )


def in_use(nid: str) -> QuerySet[ResolutionService]:
    """Return the services of a namespace, or of all."""
    found = ResolutionService.objects.in_use().select_related("namespace")
    return found.filter(namespace__nid=nids.canonical(nid)) if nid else found


def service_of(pk: int) -> ResolutionService:
    """Return the service of that id."""
    found = ResolutionService.objects.select_related("namespace").filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no resolution service of that id."))
    return found


def shown(request: Request, pk: int, status: int = 200) -> Response:
    """Return a service as it is now."""
    service = service_of(pk)
    row = service_told(service, service.namespace.nid, site_of(request))
    headers = {"ETag": etag(services.edition(service))}
    if status in {201, 202}:
        headers["Location"] = str(row["url"])
    return Response(narrowed(request, [row], ServiceShape)[0], status, headers=headers)
