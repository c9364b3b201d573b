"""Resolution services: read by everyone, kept by the registrar and by confirmed registrants."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions
from registry.actions import resolution_services
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import (
    FreeTextField,
    InputSerializer,
    ReasonInputSerializer,
    clean_form,
)
from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.problems import describe_problems
from registry.api.query_parameters import FieldsQuerySerializer, ListQuerySerializer
from registry.api.views import (
    RegistryAPIView,
    get_serializer_context,
    get_site_url,
    require_person,
    validate_input,
)
from registry.api.viewsets import RegistryViewSet
from registry.enums import ProbeResult
from registry.forms.resolution import KeywordSupportForm, ServiceForm, WithdrawServiceForm
from registry.models import Namespace, ResolutionService, User
from registry.serializers.base import build_url
from registry.serializers.office import EnquirySerializer
from registry.serializers.resolution import ServiceSerializer
from registry.urn import nid as nids

SERVICE_ORDERS: Final[SortOrders] = {
    "nid": ("namespace__nid", "priority", "pk"),
    "-nid": ("-namespace__nid", "priority", "pk"),
    "id": ("pk",),
}
SERVICE_DEFAULTS: Final[dict[str, Any]] = {"service": "I2L", "priority": 10}
"""Defaults of a new service."""


class ServicesQuerySerializer(ListQuerySerializer):
    """Query parameters of a list of services; withdrawn ones are left out."""

    service = serializers.CharField(required=False, max_length=20, help_text="Such as I2L.")
    probe = serializers.ChoiceField(ProbeResult.choices, required=False)
    sort = make_sort_parameter(SERVICE_ORDERS, "nid")


class AllServicesQuerySerializer(ServicesQuerySerializer):
    """Query parameters of the list of all services."""

    nid = serializers.CharField(required=False, max_length=32, help_text="In any case.")


class ServiceInputSerializer(InputSerializer):
    """A service; fields left out keep their value, or the form's initial value."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; `source` is reserved by the framework."""
        return {
            "service": FreeTextField(help_text="Such as I2L."),
            "prefix": FreeTextField(
                help_text="The beginning of the names that it knows; empty for all."
            ),
            "assigner": FreeTextField(help_text="Who assigns names that begin so."),
            "template": FreeTextField(help_text="Its address as a URI template (RFC 6570)."),
            "media_type": FreeTextField(),
            "language": FreeTextField(),
            "priority": serializers.IntegerField(required=False),
            "operator": FreeTextField(help_text="Who runs it."),
            "source": FreeTextField(help_text="Source; public."),
        }


class BaseServiceViewSet(RegistryViewSet):
    """What the lists of all services and of one namespace share."""

    serializer_class = ServiceSerializer
    sort_orders = SERVICE_ORDERS
    sort = "nid"

    def filter_services(self, nid: str) -> QuerySet[ResolutionService]:
        """Return the requested services in use, of one namespace or of all."""
        found = ResolutionService.objects.in_use().select_related("namespace")
        found = found.filter(namespace__nid=nids.canonical(nid)) if nid else found
        for name in ("service", "probe"):
            found = found.filter(**{name: self.asked[name]}) if name in self.asked else found
        return found

    def respond(self, service: ResolutionService, status: int = 200) -> Response:
        """Return a service, with the mark that changes when it does."""
        headers = {"ETag": make_etag(resolution_services.mark_service_edition(service))}
        if status in {201, 202}:
            headers["Location"] = build_url(
                get_site_url(self.request), "api:service-detail", service.pk
            )
        return Response(self.get_serializer(service).data, status, headers=headers)


@extend_schema_view(
    list=extend_schema(
        operation_id="services",
        description="List the resolution services in use, those of one namespace together.",
        responses=ServiceSerializer(many=True),
    )
)
class ServiceViewSet(ListModelMixin, BaseServiceViewSet):
    """The resolution services of all namespaces."""

    path_parameters = (make_path_parameter("id", "The id of the service."),)
    query_serializers = {"list": AllServicesQuerySerializer, "retrieve": FieldsQuerySerializer}
    not_found = gettext_lazy("There is no resolution service with that id.")

    def get_queryset(self) -> QuerySet[ResolutionService]:
        """Return the services of a list, or all, including withdrawn ones."""
        if self.action == "list":
            return self.filter_services(self.asked.get("nid", ""))
        return ResolutionService.objects.select_related("namespace")

    @extend_schema(operation_id="service", responses=ServiceSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read a resolution service, including a withdrawn one."""
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="service_change",
        parameters=[IF_MATCH_PARAMETER],
        request=ServiceInputSerializer,
        responses=ServiceSerializer,
    )
    def partial_update(self, request: Request, pk: int) -> Response:
        """Change the service you saw, as the registrar or a delegate of the registrant."""
        service = self.get_object()
        actor, seen = (
            require_may_edit_services(request, service.namespace),
            resolution_services.mark_service_edition(service),
        )
        require_if_match(request, seen)
        stays = {name: getattr(service, name) for name in resolution_services.SERVICE_FIELDS} | {
            "service": service.service_id
        }
        said = stays | validate_input(ServiceInputSerializer, request)
        form = ServiceForm(convert_service_input(said), namespace=service.namespace)
        clean_form(form)
        resolution_services.change_service(service, actor=actor, seen=seen, **form.said)
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="service_withdraw",
        request=ReasonInputSerializer,
        responses=ServiceSerializer,
    )
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """Withdraw a service, with the reason; the journal keeps what it was."""
        service = self.get_object()
        actor = require_may_edit_services(request, service.namespace)
        said = clean_form(WithdrawServiceForm(validate_input(ReasonInputSerializer, request)))
        resolution_services.withdraw_service(service, actor=actor, reason=said["reason"])
        return self.respond(self.get_object())

    @extend_schema(
        operation_id="service_probe",
        request=None,
        responses={202: ServiceSerializer, **describe_problems(400, 415)},
    )
    @action(detail=True, methods=["post"], answers_once=False)
    def probe(self, request: Request, pk: int) -> Response:
        """Have the registry ask a service whether it answers.

        The result is in the service once `probed_at` is later: read it again at `Location`.
        """
        # It is somebody else's server, so it is asked only occasionally, no matter who wants to
        # know.
        resolution_services.request_probe(require_person(request), self.get_object())
        return self.respond(self.get_object(), 202)


@extend_schema_view(
    list=extend_schema(
        operation_id="namespace_services",
        description="List the resolution services of a namespace, the best first.",
        responses=ServiceSerializer(many=True),
    )
)
class NamespaceServiceViewSet(ListModelMixin, BaseServiceViewSet):
    """The resolution services of one namespace."""

    query_serializers = {"list": ServicesQuerySerializer}

    def get_queryset(self) -> QuerySet[ResolutionService]:
        return self.filter_services(get_namespace_or_404(self.kwargs["nid"]).nid)

    @extend_schema(
        operation_id="service_add", request=ServiceInputSerializer, responses=ServiceSerializer
    )
    def create(self, request: Request, nid: str) -> Response:
        """Add a service, as the registrar or a delegate of the registrant."""
        namespace = get_namespace_or_404(nid)
        actor = require_may_edit_services(request, namespace)
        form = ServiceForm(
            convert_service_input(
                SERVICE_DEFAULTS | validate_input(ServiceInputSerializer, request)
            ),
            namespace=namespace,
        )
        clean_form(form)
        added = resolution_services.add_service(namespace, actor=actor, **form.said)
        return self.respond(self.get_queryset().get(pk=added.pk), 201)


class KeywordSupportInputSerializer(InputSerializer):
    """Under which keyword, and what shows that the namespace's resolvers understand it."""

    keyword = FreeTextField(help_text="Such as c.")
    reference = FreeTextField(help_text="A stable document that says so; public.")
    demonstration = FreeTextField(help_text="How it can be tried; public.")


class KeywordSupportView(RegistryAPIView):
    """Being listed under a query keyword."""

    @extend_schema(
        operation_id="keyword_support_ask",
        request=KeywordSupportInputSerializer,
        responses={201: EnquirySerializer},
    )
    def post(self, request: Request, nid: str) -> Response:
        """Ask that a namespace be listed under *Supported by* of a query keyword.

        It is an enquiry, for those who keep the services of the namespace.
        """
        namespace = get_namespace_or_404(nid)
        actor = require_may_edit_services(request, namespace)
        form_data = clean_form(
            KeywordSupportForm(validate_input(KeywordSupportInputSerializer, request))
        )
        enquiry = resolution_services.ask_keyword_support(namespace, actor=actor, **form_data)
        where = build_url(get_site_url(request), "api:enquiry-detail", enquiry.pk)
        members = EnquirySerializer(enquiry, context=get_serializer_context(request)).data
        return Response(members, 201, headers={"Location": where})


def require_may_edit_services(request: Request, namespace: Namespace) -> User:
    """Return the caller, if they may edit a namespace's services."""
    actor = require_person(request)
    if not permissions.may_manage_services(actor, namespace):
        words = _(
            "Only the registrar and delegates of the registrant of %(nid)s can change services."
        )
        raise PermissionDenied(words % {"nid": namespace.nid})
    return actor


def convert_service_input(said: dict[str, Any]) -> dict[str, Any]:
    """Return the input as the page's form expects it, which calls the prefix `begins`."""
    return {"begins" if name == "prefix" else name: value for name, value in said.items()}
