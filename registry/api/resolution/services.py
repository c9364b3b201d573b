"""Resolution services: read by everybody, kept by the registrar and by confirmed registrants."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from registry import services
from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door, heard, person, refusals_told
from registry.api.parameters import KEY, NID, READING, WRITING
from registry.api.problems import refusals
from registry.api.reading.namespaces import namespace_of
from registry.api.resolution.reading import (
    ID,
    EveryServiceAsked,
    ServicesAsked,
    every,
    service_of,
    shown,
)
from registry.api.said import WhySaid
from registry.api.shapes.namespaces import ServiceShape
from registry.api.shapes.shape import list_of


class ServicesView(Door):
    """The resolution services of all namespaces."""

    @extend_schema(
        operation_id="services",
        parameters=[EveryServiceAsked],
        responses={200: list_of(ServiceShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the resolution services in use, those of one namespace together."""
        return every(request)


class NamespaceServicesView(Door):
    """The resolution services of one namespace."""

    @extend_schema(
        operation_id="namespace_services",
        parameters=[NID, ServicesAsked],
        responses={200: list_of(ServiceShape), **refusals(*READING)},
    )
    def get(self, request: Request, nid: str) -> Response:
        """List the resolution services of a namespace, the best first."""
        return every(request, namespace_of(nid).nid)


class ServiceView(Door):
    """One resolution service."""

    @extend_schema(
        operation_id="service",
        parameters=[ID, FieldsAsked],
        responses={200: ServiceShape, **refusals(*READING)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read a resolution service, one that was taken away too."""
        asked_with(FieldsAsked, request)
        return shown(request, pk)


class WithdrawView(Door):
    """A service taken away."""

    @extend_schema(
        operation_id="service_withdraw",
        parameters=[ID, KEY],
        request=WhySaid,
        responses={200: ServiceShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a service away, with the reason; the journal keeps what it was."""
        actor, service = person(request), service_of(pk)
        reason = heard(WhySaid, request).get("reason", "")
        with refusals_told():
            services.withdraw(service, actor=actor, reason=reason)
        return shown(request, pk)


class ProbeView(Door):
    """Asking a service: it is another's server, and asked once in a while whoever wants to know."""

    answers_once = False

    @extend_schema(
        operation_id="service_probe",
        parameters=[ID],
        request=None,
        responses={200: ServiceShape, **refusals(400, 401, 403, 404, 409, 415, 429)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Have the registry ask a service whether it answers."""
        actor, service = person(request), service_of(pk)
        with refusals_told():
            services.probe_for(actor, service)
        return shown(request, pk)
