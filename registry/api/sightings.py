"""Sightings of unregistered NIDs: everybody reads them, experts and the registrar edit them."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import sightings
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    ReasonInputSerializer,
    clean_form,
)
from registry.api.openapi import (
    EDITING_PROBLEMS,
    IDEMPOTENCY_KEY_PARAMETER,
    IF_MATCH_PARAMETER,
    READING_PROBLEMS,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
    CursorPage,
    SortKey,
    make_list_serializer,
    make_page_response,
    make_sort_parameter,
    paginate_queryset,
)
from registry.api.problems import describe_problems
from registry.api.query_parameters import (
    FieldsQuerySerializer,
    ListQuerySerializer,
    serialize_sparsely,
    validate_query,
)
from registry.api.views import (
    RegistryAPIView,
    get_site_url,
    require_person,
    validate_input,
)
from registry.forms.sightings import (
    NewSightingForm,
    SightingForm,
    WithdrawSightingForm,
)
from registry.models import Sighting, User
from registry.presenters.sightings import build_sighting_rows
from registry.serializers.base import build_url
from registry.serializers.namespaces import SightingSerializer
from registry.urn import nid as nids

SIGHTING_ID_PARAMETER: Final = make_path_parameter("id", "The id of the sighting.")
SIGHTING_ORDERS: Final = {
    "-noted": (SortKey("noted_at", descends=True), SortKey("pk", descends=True)),
    "noted": (SortKey("noted_at"), SortKey("pk")),
    "nid": (SortKey("nid"), SortKey("pk")),
}


class SightingsQuerySerializer(ListQuerySerializer):
    """What the list of sightings can be asked with."""

    nid = serializers.CharField(required=False, max_length=40, help_text="In any case.")
    sort = make_sort_parameter(SIGHTING_ORDERS, "-noted")


def make_sightings_response(request: Request) -> Response:
    """Return the sightings that are asked for."""
    asked = validate_query(SightingsQuerySerializer, request)
    found = sightings.sightings_for_lists()
    if nid := asked.get("nid"):
        found = found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()
    part: CursorPage[Sighting] = paginate_queryset(found, SIGHTING_ORDERS, asked, "-noted")
    rows = part.with_rows(build_sighting_rows(part.rows))
    return make_page_response(request, rows, SightingSerializer)


def get_sighting_or_404(pk: int) -> Sighting:
    """Return the sighting of that id."""
    found = sightings.sightings_for_lists().filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no sighting of that id: it may have been withdrawn."))
    return found


def make_sighting_response(request: Request, pk: int, status: int = 200) -> Response:
    """Return a sighting as it is now."""
    sighting = get_sighting_or_404(pk)
    row = build_sighting_rows([sighting])[0]
    headers = {"ETag": make_etag(sightings.mark_sighting_edition(sighting))}
    if status == 201:
        headers["Location"] = build_url(get_site_url(request), "api:sighting", pk)
    return Response(serialize_sparsely(request, row, SightingSerializer), status, headers=headers)


class SightingInputSerializer(InputSerializer):
    """Where a NID was seen, and who uses it; what is left out stays as it is."""

    evidence = FreeTextField(help_text="Where it was seen; public.")
    user_of_it = FreeTextField(help_text="Who uses it; public.")
    address = FreeTextField(help_text="Their mail address; not public.")


class NewSightingInputSerializer(SightingInputSerializer):
    """The same, of a NID that is named first."""

    nid = FreeTextField()


class SightingsView(RegistryAPIView):
    """NIDs in use without registration."""

    @extend_schema(
        operation_id="sightings",
        parameters=[SightingsQuerySerializer],
        responses={200: make_list_serializer(SightingSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the NIDs that were seen in use without registration, the newest first."""
        return make_sightings_response(request)

    @extend_schema(
        operation_id="sighting_note",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=NewSightingInputSerializer,
        responses={201: SightingSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request) -> Response:
        """Note a NID seen in use, as an expert or the registrar."""
        actor = require_may_edit_sightings(request)
        said = clean_form(NewSightingForm(validate_input(NewSightingInputSerializer, request)))
        del said["seen"]
        noted = sightings.note_sighting(actor=actor, **said)
        return make_sighting_response(request, noted.pk, 201)


class SightingView(RegistryAPIView):
    """One sighting."""

    @extend_schema(
        operation_id="sighting",
        parameters=[SIGHTING_ID_PARAMETER, FieldsQuerySerializer],
        responses={200: SightingSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read a sighting."""
        validate_query(FieldsQuerySerializer, request)
        return make_sighting_response(request, pk)

    @extend_schema(
        operation_id="sighting_correct",
        parameters=[SIGHTING_ID_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=SightingInputSerializer,
        responses={200: SightingSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Correct the sighting you saw."""
        actor, sighting = require_may_edit_sightings(request), get_sighting_or_404(pk)
        seen = sightings.mark_sighting_edition(sighting)
        require_if_match(request, seen)
        stays = {name: getattr(sighting, name) for name in ("evidence", "user_of_it", "address")}
        said = clean_form(
            SightingForm(
                {**stays, **validate_input(SightingInputSerializer, request), "seen": seen}
            )
        )
        sightings.correct_sighting(sighting, actor=actor, **said)
        return make_sighting_response(request, pk)


class SightingNotificationView(RegistryAPIView):
    """The notice to those who use a NID."""

    @extend_schema(
        operation_id="sighting_notify",
        parameters=[SIGHTING_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=None,
        responses={200: SightingSerializer, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write to those who use the NID how to register it; once."""
        actor, sighting = require_may_edit_sightings(request), get_sighting_or_404(pk)
        sightings.notify_nid_users(sighting, actor=actor)
        return make_sighting_response(request, pk)


class SightingWithdrawalView(RegistryAPIView):
    """A sighting taken off the list."""

    @extend_schema(
        operation_id="sighting_withdraw",
        parameters=[SIGHTING_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=ReasonInputSerializer,
        responses={204: None, **describe_problems(*WRITING_PROBLEMS, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a sighting off the list, with the reason; the journal keeps what it said."""
        actor, sighting = require_may_edit_sightings(request), get_sighting_or_404(pk)
        said = clean_form(WithdrawSightingForm(validate_input(ReasonInputSerializer, request)))
        sightings.withdraw_sighting(sighting, actor=actor, reason=said["reason"])
        return Response(status=204)


def require_may_edit_sightings(request: Request) -> User:
    """Return who asks, if they note sightings."""
    actor = require_person(request)
    if not permissions.may_note_sightings(actor):
        raise PermissionDenied(_("Sightings are noted by designated experts and the registrar."))
    return actor
