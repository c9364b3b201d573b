"""Differences between IANA's list and this registry, for the registrar's programs."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.input_serializers import FreeTextField, InputSerializer, clean_form
from registry.api.permissions import MayCompareWithIANA
from registry.api.problems import describe_problems
from registry.api.views import RegistryAPIView, require_person, validate_input
from registry.exchange.iana import (
    enter_difference,
    find_newest_snapshot,
    list_differences,
    set_difference_aside,
)
from registry.exchange.iana.sync import require_difference
from registry.forms.iana import SetAsideForm
from registry.models import IANASnapshot
from registry.serializers.imported_records import DifferenceSerializer


class DifferenceInputSerializer(InputSerializer):
    """A difference as it was seen."""

    nid = serializers.CharField(max_length=32)
    digest = serializers.CharField(max_length=64, help_text="Of what was seen.")


class SetAsideInputSerializer(DifferenceInputSerializer):
    """A difference, and why it is left as it is."""

    reason = FreeTextField(help_text="Public.")


class IANAView(RegistryAPIView):
    """For the registrar alone."""

    permission_classes = [MayCompareWithIANA]

    def list_now(self) -> list[dict[str, object]]:
        """Return the current differences as the API presents them."""
        return list(DifferenceSerializer.serialize_each(list_differences(get_snapshot_or_404())))


class IANADifferencesView(IANAView):
    """The differences."""

    @extend_schema(operation_id="iana_differences", responses=DifferenceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List how IANA's list differs, and why each difference waits for the registrar."""
        return Response(self.list_now())


class IANAEnterView(IANAView):
    """Adopting a difference."""

    @extend_schema(
        operation_id="iana_difference_enter",
        request=DifferenceInputSerializer,
        responses={200: DifferenceSerializer(many=True), **describe_problems(409, 412)},
    )
    def post(self, request: Request) -> Response:
        """Adopt what IANA says about one namespace, as you saw it; returns the remaining
        differences.
        """
        said = validate_input(DifferenceInputSerializer, request)
        snapshot = get_snapshot_or_404()
        difference = require_difference(snapshot, said["nid"], said["digest"])
        enter_difference(snapshot, difference, actor=require_person(request))
        return Response(self.list_now())


class IANASetAsideView(IANAView):
    """Dismissing a difference."""

    @extend_schema(
        operation_id="iana_difference_set_aside",
        request=SetAsideInputSerializer,
        responses={200: DifferenceSerializer(many=True), **describe_problems(409, 412)},
    )
    def post(self, request: Request) -> Response:
        """Dismiss a difference until it changes; returns the remaining differences."""
        said = clean_form(SetAsideForm(validate_input(SetAsideInputSerializer, request)))
        snapshot = get_snapshot_or_404()
        difference = require_difference(snapshot, said["nid"], said["digest"])
        set_difference_aside(
            snapshot, difference, actor=require_person(request), reason=said["reason"]
        )
        return Response(self.list_now())


def get_snapshot_or_404() -> IANASnapshot:
    """Return the latest reading of IANA's list; raise `Http404` if there is none."""
    snapshot = find_newest_snapshot()
    if snapshot is None:
        raise Http404(_("IANA's list was not read yet."))
    return snapshot
