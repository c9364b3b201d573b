"""Resolution services: read by everybody, kept by the registrar and by confirmed registrants."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules, services
from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door, heard, person, refusals_told
from registry.api.parameters import EDITING, IF_MATCH, KEY, NID, READING, WRITING
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
from registry.api.said import Said, Text, WhySaid, typed
from registry.api.seen import refuse_unseen
from registry.api.shapes.namespaces import ServiceShape
from registry.api.shapes.shape import list_of
from registry.forms.services import ServiceForm, WithdrawServiceForm
from registry.models import Namespace, User

FIRST: Final[dict[str, Any]] = {"service": "I2L", "priority": 10}
"""What a new service is where it is not said."""


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


class ServiceSaid(Said):
    """What a service shall be; what is left out stays as it is, or is as the form begins."""

    def get_fields(self) -> dict[str, Any]:
        """Return what can be said; `source` is a word of the framework's own."""
        return {
            "service": Text(help_text="Such as I2L."),
            "prefix": Text(help_text="The beginning of the names that it knows; empty for all."),
            "template": Text(help_text="Its address as a URI template (RFC 6570)."),
            "media_type": Text(),
            "language": Text(),
            "priority": serializers.IntegerField(required=False),
            "operator": Text(help_text="Who runs it."),
            "source": Text(help_text="Where that is known from; public."),
        }


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

    @extend_schema(
        operation_id="service_add",
        parameters=[NID, KEY],
        request=ServiceSaid,
        responses={201: ServiceShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, nid: str) -> Response:
        """Add a service, as the registrar or a delegate of the registrant."""
        namespace = namespace_of(nid)
        actor = keeper(request, namespace)
        form = ServiceForm(as_typed(FIRST | heard(ServiceSaid, request)), namespace=namespace)
        typed(form)
        with refusals_told():
            added = services.add(namespace, actor=actor, **form.said)
        return shown(request, added.pk, 201)


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

    @extend_schema(
        operation_id="service_change",
        parameters=[ID, IF_MATCH, KEY],
        request=ServiceSaid,
        responses={200: ServiceShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change the service you saw, as the registrar or a delegate of the registrant."""
        service = service_of(pk)
        actor, seen = keeper(request, service.namespace), services.edition(service)
        refuse_unseen(request, seen)
        stays = {name: getattr(service, name) for name in services.SAID} | {
            "service": service.service_id
        }
        said = stays | heard(ServiceSaid, request)
        form = ServiceForm(as_typed(said), namespace=service.namespace)
        typed(form)
        with refusals_told():
            services.change(service, actor=actor, seen=seen, **form.said)
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
        service = service_of(pk)
        actor = keeper(request, service.namespace)
        said = typed(WithdrawServiceForm(heard(WhySaid, request)))
        with refusals_told():
            services.withdraw(service, actor=actor, reason=said["reason"])
        return shown(request, pk)


class ProbeView(Door):
    """Asking a service: it is another's server, and asked once in a while whoever wants to know."""

    answers_once = False

    @extend_schema(
        operation_id="service_probe",
        parameters=[ID],
        request=None,
        responses={202: ServiceShape, **refusals(400, 401, 403, 404, 409, 415, 429)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Have the registry ask a service whether it answers.

        What it says stands in the service once `probed_at` is later: read it again at `Location`.
        """
        actor, service = person(request), service_of(pk)
        with refusals_told():
            services.request_probe(actor, service)
        return shown(request, pk, 202)


def keeper(request: Request, namespace: Namespace) -> User:
    """Return who asks, if they keep the services of a namespace."""
    actor = person(request)
    if not rules.may_keep_services(actor, namespace):
        words = _(
            "Services are kept by the registrar, and by delegates of the registrant of %(nid)s."
        )
        raise PermissionDenied(words % {"nid": namespace.nid})
    return actor


def as_typed(said: dict[str, Any]) -> dict[str, Any]:
    """Return what is said as the form of the page has it, where the prefix is what names begin
    with."""
    return {"begins" if name == "prefix" else name: value for name, value in said.items()}
