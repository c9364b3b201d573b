"""Resolution services, to read."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door, site_of
from registry.api.narrowing import narrowed
from registry.api.problems import refusals
from registry.api.shapes.namespaces import ServiceShape
from registry.models import ResolutionService
from registry.pages.told.services import service_told

ID: Final = OpenApiParameter("pk", OpenApiTypes.INT, OpenApiParameter.PATH, description="Its id.")


class ServiceView(Door):
    """One resolution service."""

    @extend_schema(
        operation_id="service",
        parameters=[ID, FieldsAsked],
        responses={200: ServiceShape, **refusals(400, 401, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read a resolution service, one that was taken away too."""
        asked_with(FieldsAsked, request)
        found = service_of(pk)
        row = service_told(found, found.namespace.nid, site_of(request))
        return Response(narrowed(request, [row], ServiceShape)[0])


def service_of(pk: int) -> ResolutionService:
    """Return the service of that id."""
    found: Any = ResolutionService.objects.select_related("namespace").filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no resolution service of that id."))
    return found
