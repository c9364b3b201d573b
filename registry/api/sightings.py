"""Sightings of unregistered NIDs: everyone can read them, experts and the registrar edit them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from registry.actions import sightings
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    ReasonInputSerializer,
    clean_form,
)
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.permissions import MayNoteSightings
from registry.api.problems import describe_problems
from registry.api.query_parameters import FieldsQuerySerializer, ListQuerySerializer
from registry.api.views import get_site_url, require_person, validate_input
from registry.api.viewsets import RegistryViewSet
from registry.forms.sightings import (
    NewSightingForm,
    SightingForm,
    WithdrawSightingForm,
)
from registry.models import Sighting
from registry.presenters.sightings import build_sighting_rows
from registry.serializers.base import build_url
from registry.serializers.namespaces import SightingSerializer
from registry.urn import nid as nids

SIGHTING_ORDERS: Final[SortOrders] = {
    "-noted": ("-noted_at", "-pk"),
    "noted": ("noted_at", "pk"),
    "nid": ("nid", "pk"),
}


class SightingsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of sightings."""

    nid = serializers.CharField(required=False, max_length=40, help_text="In any case.")
    sort = make_sort_parameter(SIGHTING_ORDERS, "-noted")


class SightingInputSerializer(InputSerializer):
    """Where a NID was seen, and who uses it; fields left out stay as they are."""

    evidence = FreeTextField(help_text="Where it was seen; public.")
    user_of_it = FreeTextField(help_text="Who uses it; public.")
    address = FreeTextField(help_text="Their mail address; not public.")


class NewSightingInputSerializer(SightingInputSerializer):
    """The same, for a NID that is named first."""

    nid = FreeTextField()


@extend_schema_view(
    list=extend_schema(
        operation_id="sightings",
        description="List the NIDs that were seen in use without registration, the newest first.",
        responses=SightingSerializer(many=True),
    )
)
class SightingViewSet(ListModelMixin, RegistryViewSet):
    """NIDs in use without registration."""

    permission_classes = [IsAuthenticatedOrReadOnly, MayNoteSightings]
    path_parameters = (make_path_parameter("id", "The id of the sighting."),)
    query_serializers = {"list": SightingsQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = SightingSerializer
    sort_orders = SIGHTING_ORDERS
    sort = "-noted"
    not_found = _("There is no sighting with that id: it may have been withdrawn.")

    def get_queryset(self) -> QuerySet[Sighting]:
        found = sightings.sightings_for_lists()
        if nid := self.asked.get("nid"):
            return found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()
        return found

    def paginate_queryset(self, queryset: Any) -> Any:
        """Return a page of the list, with the requests and namespaces of its NIDs."""
        return build_sighting_rows(super().paginate_queryset(queryset) or [])

    @extend_schema(
        operation_id="sighting_note",
        request=NewSightingInputSerializer,
        responses=SightingSerializer,
    )
    def create(self, request: Request) -> Response:
        """Record a NID seen in use, as an expert or the registrar."""
        said = clean_form(NewSightingForm(validate_input(NewSightingInputSerializer, request)))
        del said["seen"]
        noted = sightings.note_sighting(actor=require_person(request), **said)
        return self.respond(self.get_queryset().get(pk=noted.pk), 201)

    @extend_schema(operation_id="sighting", responses=SightingSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read a sighting."""
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="sighting_correct",
        parameters=[IF_MATCH_PARAMETER],
        request=SightingInputSerializer,
        responses=SightingSerializer,
    )
    def partial_update(self, request: Request, pk: int) -> Response:
        """Correct the sighting you saw."""
        sighting = self.get_object()
        seen = sightings.mark_sighting_edition(sighting)
        require_if_match(request, seen)
        stays = {name: getattr(sighting, name) for name in ("evidence", "user_of_it", "address")}
        said = clean_form(
            SightingForm(
                {**stays, **validate_input(SightingInputSerializer, request), "seen": seen}
            )
        )
        sightings.correct_sighting(sighting, actor=require_person(request), **said)
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="sighting_notify",
        request=None,
        responses={200: SightingSerializer, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def notify(self, request: Request, pk: int) -> Response:
        """Write to the users of the NID how to register it; once."""
        sightings.notify_nid_users(self.get_object(), actor=require_person(request))
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="sighting_withdraw",
        request=ReasonInputSerializer,
        responses={204: None, **describe_problems(412)},
    )
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """Withdraw a sighting, with the reason; the journal keeps what it said."""
        sighting = self.get_object()
        said = clean_form(WithdrawSightingForm(validate_input(ReasonInputSerializer, request)))
        sightings.withdraw_sighting(sighting, actor=require_person(request), reason=said["reason"])
        return Response(status=204)

    def respond(self, sighting: Sighting, status: int = 200) -> Response:
        """Return a sighting, with the mark that changes when it does."""
        row = self.get_serializer(build_sighting_rows([sighting])[0])
        headers = {"ETag": make_etag(sightings.mark_sighting_edition(sighting))}
        if status == 201:
            headers["Location"] = build_url(
                get_site_url(self.request), "api:sighting-detail", sighting.pk
            )
        return Response(row.data, status, headers=headers)
