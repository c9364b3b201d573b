"""Registrant bodies, to read."""

from __future__ import annotations

import hashlib
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries
from registry.api.asked import ListAsked, asked_with
from registry.api.door import Door, site_of
from registry.api.listing import Key, chosen, listed, part_of
from registry.api.narrowing import narrowed
from registry.api.parameters import in_path
from registry.api.problems import refusals
from registry.api.seen import etag
from registry.api.shapes.others import OrganizationDetailShape, OrganizationShape
from registry.api.shapes.shape import list_of
from registry.models import Organization
from registry.pages.told.organizations import organization_listed, organization_told

ID: Final = in_path("id", "The id of the organization.")
ORDERS: Final = {
    "name": (Key(Lower("name")), Key("pk")),
    "-name": (Key(Lower("name"), descends=True), Key("pk")),
}


class OrganizationsAsked(ListAsked):
    """What the list of organizations can be asked with."""

    q = serializers.CharField(required=False, max_length=100, help_text="Words of the name.")
    sort = chosen(ORDERS, "name")


class OrganizationsView(Door):
    """The registrant bodies."""

    @extend_schema(
        operation_id="organizations",
        parameters=[OrganizationsAsked],
        responses={200: list_of(OrganizationShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the organizations, those alone whose name has every word of `q`."""
        asked, site = asked_with(OrganizationsAsked, request), site_of(request)
        part = part_of(with_words(asked.get("q", "")), ORDERS, asked, "name")
        return listed(
            request, part, lambda each: organization_listed(each, site), OrganizationShape
        )


def with_words(words: str) -> QuerySet[Organization]:
    """Return the organizations whose name has every word."""
    found = queries.public_organizations()
    for word in words.split():
        found = found.filter(name__icontains=word)
    return found


def organization_of(request: Request, pk: int) -> Organization:
    """Return the organization of that id, if whoever asks may know of it."""
    found = queries.organizations_visible_to(request.user).filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no organization of that id."))
    return found


def shown(request: Request, pk: int, status: int = 200) -> Response:
    """Return an organization as whoever asks may see it; its website is what can be changed."""
    organization = organization_of(request, pk)
    row = organization_told(organization, site_of(request), request.user)
    headers = {"ETag": etag(mark(organization))}
    return Response(narrowed(request, [row], OrganizationDetailShape)[0], status, headers=headers)


def mark(organization: Organization) -> str:
    """Return by what a changed website is known, as the ETag of the organization begins."""
    return hashlib.sha256(organization.website.encode()).hexdigest()[:12]
