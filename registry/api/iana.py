"""What IANA's list says otherwise than this registry, for programs of the registrar."""

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
    """The same, and why it is left as it is."""

    reason = FreeTextField(help_text="Public.")


class IANAView(RegistryAPIView):
    """For the registrar alone."""

    permission_classes = [MayCompareWithIANA]

    def list_now(self) -> list[dict[str, object]]:
        """Return what differs now, as the API tells it."""
        return list(DifferenceSerializer.serialize_each(list_differences(get_snapshot_or_404())))


class IANADifferencesView(IANAView):
    """What differs."""

    @extend_schema(operation_id="iana_differences", responses=DifferenceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List what IANA's list says otherwise, and why it waits for the registrar."""
        return Response(self.list_now())


class IANAEnterView(IANAView):
    """Taking over."""

    @extend_schema(
        operation_id="iana_difference_enter",
        request=DifferenceInputSerializer,
        responses={200: DifferenceSerializer(many=True), **describe_problems(409, 412)},
    )
    def post(self, request: Request) -> Response:
        """Take over what IANA says of one namespace, as you saw it; what is left is the answer."""
        said = validate_input(DifferenceInputSerializer, request)
        snapshot = get_snapshot_or_404()
        difference = require_difference(snapshot, said["nid"], said["digest"])
        enter_difference(snapshot, difference, actor=require_person(request))
        return Response(self.list_now())


class IANASetAsideView(IANAView):
    """Leaving as it is."""

    @extend_schema(
        operation_id="iana_difference_set_aside",
        request=SetAsideInputSerializer,
        responses={200: DifferenceSerializer(many=True), **describe_problems(409, 412)},
    )
    def post(self, request: Request) -> Response:
        """Have a difference be told of no more until it changes; what is left is the answer."""
        said = clean_form(SetAsideForm(validate_input(SetAsideInputSerializer, request)))
        snapshot = get_snapshot_or_404()
        difference = require_difference(snapshot, said["nid"], said["digest"])
        set_difference_aside(
            snapshot, difference, actor=require_person(request), reason=said["reason"]
        )
        return Response(self.list_now())


def get_snapshot_or_404() -> IANASnapshot:
    """Return the newest reading of IANA's list, or say that there is none."""
    snapshot = find_newest_snapshot()
    if snapshot is None:
        raise Http404(_("IANA's list was not read yet."))
    return snapshot
