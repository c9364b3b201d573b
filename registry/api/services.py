"""Resolution services: read by everybody, kept by the registrar and by confirmed registrants."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
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
from registry.api.openapi import (
    EDITING_PROBLEMS,
    IDEMPOTENCY_KEY_PARAMETER,
    IF_MATCH_PARAMETER,
    NID_PARAMETER,
    READING_PROBLEMS,
    WRITING_PROBLEMS,
    make_path_parameter,
)
from registry.api.pagination import (
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
from registry.enums import ProbeResult
from registry.forms.resolution import ServiceForm, WithdrawServiceForm
from registry.models import Namespace, ResolutionService, User
from registry.serializers.base import build_url
from registry.serializers.resolution import ServiceSerializer
from registry.urn import nid as nids

SERVICE_ID_PARAMETER: Final = make_path_parameter("id", "The id of the service.")
SERVICE_ORDERS: Final = {
    "nid": (SortKey("namespace__nid"), SortKey("priority"), SortKey("pk")),
    "-nid": (SortKey("namespace__nid", descends=True), SortKey("priority"), SortKey("pk")),
    "id": (SortKey("pk"),),
}


class ServicesQuerySerializer(ListQuerySerializer):
    """What a list of services can be asked with; those taken away are left out."""

    service = serializers.CharField(required=False, max_length=20, help_text="Such as I2L.")
    probe = serializers.ChoiceField(ProbeResult.choices, required=False)
    sort = make_sort_parameter(SERVICE_ORDERS, "nid")


class AllServicesQuerySerializer(ServicesQuerySerializer):
    """What the list of all services can be asked with."""

    nid = serializers.CharField(required=False, max_length=32, help_text="In any case.")


def make_services_response(request: Request, nid: str = "") -> Response:
    """Return the services that are asked for, of one namespace or of all."""
    asked = validate_query(ServicesQuerySerializer if nid else AllServicesQuerySerializer, request)
    found = filter_services_in_use(nid or asked.get("nid", ""))
    for name in ("service", "probe"):
        found = found.filter(**{name: asked[name]}) if name in asked else found
    part = paginate_queryset(found, SERVICE_ORDERS, asked, "nid")
    return make_page_response(request, part, ServiceSerializer)


def filter_services_in_use(nid: str) -> QuerySet[ResolutionService]:
    """Return the services of a namespace, or of all."""
    found = ResolutionService.objects.in_use().select_related("namespace")
    return found.filter(namespace__nid=nids.canonical(nid)) if nid else found


def get_service_or_404(pk: int) -> ResolutionService:
    """Return the service of that id."""
    found = ResolutionService.objects.select_related("namespace").filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no resolution service of that id."))
    return found


def make_service_response(request: Request, pk: int, status: int = 200) -> Response:
    """Return a service as it is now."""
    service = get_service_or_404(pk)
    headers = {"ETag": make_etag(resolution_services.mark_service_edition(service))}
    if status in {201, 202}:
        headers["Location"] = build_url(get_site_url(request), "api:service", pk)
    members = serialize_sparsely(request, service, ServiceSerializer)
    return Response(members, status, headers=headers)


SERVICE_DEFAULTS: Final[dict[str, Any]] = {"service": "I2L", "priority": 10}
"""What a new service is where it is not said."""


class ServicesView(RegistryAPIView):
    """The resolution services of all namespaces."""

    @extend_schema(
        operation_id="services",
        parameters=[AllServicesQuerySerializer],
        responses={200: make_list_serializer(ServiceSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List the resolution services in use, those of one namespace together."""
        return make_services_response(request)


class ServiceInputSerializer(InputSerializer):
    """What a service shall be; what is left out stays as it is, or is as the form begins."""

    def get_fields(self) -> dict[str, Any]:
        """Return what can be said; `source` is a word of the framework's own."""
        return {
            "service": FreeTextField(help_text="Such as I2L."),
            "prefix": FreeTextField(
                help_text="The beginning of the names that it knows; empty for all."
            ),
            "template": FreeTextField(help_text="Its address as a URI template (RFC 6570)."),
            "media_type": FreeTextField(),
            "language": FreeTextField(),
            "priority": serializers.IntegerField(required=False),
            "operator": FreeTextField(help_text="Who runs it."),
            "source": FreeTextField(help_text="Where that is known from; public."),
        }


class NamespaceServicesView(RegistryAPIView):
    """The resolution services of one namespace."""

    @extend_schema(
        operation_id="namespace_services",
        parameters=[NID_PARAMETER, ServicesQuerySerializer],
        responses={
            200: make_list_serializer(ServiceSerializer),
            **describe_problems(*READING_PROBLEMS),
        },
    )
    def get(self, request: Request, nid: str) -> Response:
        """List the resolution services of a namespace, the best first."""
        return make_services_response(request, get_namespace_or_404(nid).nid)

    @extend_schema(
        operation_id="service_add",
        parameters=[NID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=ServiceInputSerializer,
        responses={201: ServiceSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, nid: str) -> Response:
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
        return make_service_response(request, added.pk, 201)


class ServiceView(RegistryAPIView):
    """One resolution service."""

    @extend_schema(
        operation_id="service",
        parameters=[SERVICE_ID_PARAMETER, FieldsQuerySerializer],
        responses={200: ServiceSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read a resolution service, one that was taken away too."""
        validate_query(FieldsQuerySerializer, request)
        return make_service_response(request, pk)

    @extend_schema(
        operation_id="service_change",
        parameters=[SERVICE_ID_PARAMETER, IF_MATCH_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=ServiceInputSerializer,
        responses={200: ServiceSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change the service you saw, as the registrar or a delegate of the registrant."""
        service = get_service_or_404(pk)
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
        return make_service_response(request, pk)


class ServiceWithdrawalView(RegistryAPIView):
    """A service taken away."""

    @extend_schema(
        operation_id="service_withdraw",
        parameters=[SERVICE_ID_PARAMETER, IDEMPOTENCY_KEY_PARAMETER],
        request=ReasonInputSerializer,
        responses={200: ServiceSerializer, **describe_problems(*WRITING_PROBLEMS)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a service away, with the reason; the journal keeps what it was."""
        service = get_service_or_404(pk)
        actor = require_may_edit_services(request, service.namespace)
        said = clean_form(WithdrawServiceForm(validate_input(ReasonInputSerializer, request)))
        resolution_services.withdraw_service(service, actor=actor, reason=said["reason"])
        return make_service_response(request, pk)


class ServiceProbeView(RegistryAPIView):
    """Asking a service: it is another's server, and asked once in a while whoever wants to know."""

    answers_once = False

    @extend_schema(
        operation_id="service_probe",
        parameters=[SERVICE_ID_PARAMETER],
        request=None,
        responses={202: ServiceSerializer, **describe_problems(400, 401, 403, 404, 409, 415, 429)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Have the registry ask a service whether it answers.

        What it says stands in the service once `probed_at` is later: read it again at `Location`.
        """
        actor, service = require_person(request), get_service_or_404(pk)
        resolution_services.request_probe(actor, service)
        return make_service_response(request, pk, 202)


def require_may_edit_services(request: Request, namespace: Namespace) -> User:
    """Return who asks, if they keep the services of a namespace."""
    actor = require_person(request)
    if not permissions.may_manage_services(actor, namespace):
        words = _(
            "Services are kept by the registrar, and by delegates of the registrant of %(nid)s."
        )
        raise PermissionDenied(words % {"nid": namespace.nid})
    return actor


def convert_service_input(said: dict[str, Any]) -> dict[str, Any]:
    """Return what is said as the form of the page has it, where the prefix is what names begin
    with."""
    return {"begins" if name == "prefix" else name: value for name, value in said.items()}
