"""Requests: the list, each with its rounds and findings, every verb, and turnaround figures."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import (
    OpenApiExample,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from registry import selectors, workflow
from registry.api import verbs
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import StartInputSerializer, StepInputSerializer
from registry.api.openapi import IF_MATCH_PARAMETER, make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.problems import refuse_invalid_form
from registry.api.query_parameters import (
    MAX_LISTED_CHARACTERS,
    FieldsQuerySerializer,
    ListQuerySerializer,
    filter_by_nid,
    serialize_sparsely,
    split_listed,
)
from registry.api.verbs import VerbSerializer
from registry.api.views import (
    get_request_or_404,
    get_site_url,
    require_person,
    validate_input,
)
from registry.api.viewsets import RegistryViewSet, StreamedListViewSet, describe_streamed_list
from registry.enums import (
    ChangeKind,
    RequestPath,
    State,
)
from registry.forms.filters import (
    OPEN_REQUESTS,
    TURN_FILTER_CHOICES,
    RequestFilter,
)
from registry.forms.new_request import build_new_request_form, start_request_from_form
from registry.forms.steps import build_step_form
from registry.models import RegistrationRequest, Round
from registry.models.request import RequestQuerySet
from registry.selectors.durations import compute_durations
from registry.serializers.base import JSONObject, build_url
from registry.serializers.requests import (
    FigureSerializer,
    RequestRecordSerializer,
    RequestSerializer,
    RoundSerializer,
    read_standing,
)
from registry.serializers.templates import TextFindingSerializer
from registry.workflow import VERBS

REQUEST_ORDERS: Final[SortOrders] = {
    "moved": ("state_since", "pk"),
    "-moved": ("-state_since", "-pk"),
    "started": ("created_at", "pk"),
    "-started": ("-created_at", "-pk"),
    "reference": ("reference",),
    "-reference": ("-reference",),
}

FORMAL_NAMESPACE_EXAMPLE: Final = OpenApiExample(
    "A formal namespace",
    {
        "path": "community",
        "organization": "Northlight Seed Vault Federation",
        "nid": "seedbank",
        "summary": "Accessions held by federated seed vaults",
        "standards_action": False,
    },
    request_only=True,
)
WITH_REASONS_EXAMPLE: Final = OpenApiExample(
    "With reasons", {"comment": "Sound."}, request_only=True
)


class RequestDetailSerializer(RequestRecordSerializer):
    """A request with its rounds, its discussion and history, and the verbs open to the caller."""

    verbs = serializers.SerializerMethodField()

    @extend_schema_field(VerbSerializer(many=True))
    def get_verbs(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the verbs open to the reader, each described by its form."""
        reader = self.context["reader"]
        offered = workflow.available_transitions(registration_request, reader)
        made = (build_step_form(registration_request, each, reader) for each in offered)
        return list(VerbSerializer.serialize_each(made, **self.context))


class RequestsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of requests: the filters of its page, and the NID."""

    state = serializers.ChoiceField(
        [(OPEN_REQUESTS, "Open"), *State.choices],
        required=False,
        help_text="Or all that have not ended.",
    )
    change = serializers.ChoiceField(ChangeKind.choices, required=False)
    path = serializers.ChoiceField(RequestPath.choices, required=False)
    turn = serializers.ChoiceField(
        TURN_FILTER_CHOICES, required=False, help_text="For whom they wait."
    )
    nid = serializers.CharField(required=False, help_text="The NID asked for, in any case.")
    organization = serializers.IntegerField(
        required=False, min_value=1, help_text="The id of the organization that asks."
    )
    reference = serializers.CharField(
        required=False,
        max_length=MAX_LISTED_CHARACTERS,
        help_text="These alone, in any case, with commas between; others are left out.",
    )
    sort = make_sort_parameter(REQUEST_ORDERS, "-moved")


class RequestViewSet(StreamedListViewSet):
    """The requests that the caller may see, new ones, and the steps on them."""

    lookup_field = "reference"
    lookup_value_converter = "slug"
    query_serializers = {"list": RequestsQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = RequestSerializer
    sort_orders = REQUEST_ORDERS
    sort = "-moved"

    @extend_schema(operation_id="requests", responses=describe_streamed_list(RequestSerializer))
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """List requests: public ones and your own, and whose turn each is.

        With `Accept: application/x-ndjson` all of them are streamed, one per line.
        """
        rows = filter_visible_requests(request, self.asked)
        if self.wants_lines:
            return self.stream_rows(rows)
        page = self.paginate_queryset(rows) or []
        context = self.get_serializer_context() | self.describe_rows(page)
        return self.get_paginated_response(
            self.get_serializer(page, many=True, context=context).data
        )

    def describe_rows(self, some: Sequence[RegistrationRequest]) -> JSONObject:
        """Return where these requests stand."""
        return read_standing(some)

    @extend_schema(
        operation_id="request_start",
        request=StartInputSerializer,
        examples=[FORMAL_NAMESPACE_EXAMPLE],
        responses=RequestDetailSerializer,
    )
    def create(self, request: Request) -> Response:
        """Start a request, with the same questions as the page; it begins as your draft."""
        actor, said = require_person(request), validate_input(StartInputSerializer, request)
        form = build_new_request_form({"key": uuid.uuid4(), **said})
        refuse_invalid_form(form)
        return make_request_response(request, start_request_from_form(actor, form).reference, 201)

    @extend_schema(operation_id="request", responses=RequestDetailSerializer)
    def retrieve(self, request: Request, reference: str) -> Response:
        """Read a request: its state, its rounds, its discussion, and what you can do."""
        return make_request_response(request, reference)

    @extend_schema(
        operation_id="request_step",
        parameters=[IF_MATCH_PARAMETER],
        request=StepInputSerializer,
        examples=[WITH_REASONS_EXAMPLE],
        responses=RequestDetailSerializer,
    )
    @action(detail=True, methods=["post"], url_path="verbs/<str:verb>", url_name="verb")
    def take_step(self, request: Request, reference: str, verb: str) -> Response:
        """Take a step on the revision you saw; the answer is the updated request."""
        registration_request, transition = get_request_or_404(request, reference), VERBS.get(verb)
        if transition is None:
            raise Http404(_("There is no verb with that name."))
        require_if_match(request, registration_request.revision)
        verbs.refuse_impossible_verb(registration_request, transition, request.user)
        verbs.perform_verb(
            registration_request,
            transition,
            require_person(request),
            validate_input(StepInputSerializer, request),
        )
        return make_request_response(request, reference)


def filter_visible_requests(request: Request, asked: dict[str, str]) -> RequestQuerySet:
    """Return the requests that the caller may see and that match the filters."""
    found = selectors.requests_visible_to(request.user).select_related(
        "organization", "namespace", "author"
    )
    if asked.get("state") == State.DRAFT:  # A filter of programs alone: pages show no drafts.
        found = found.filter(state=State.DRAFT)
        asked = {name: value for name, value in asked.items() if name != "state"}
    found = filter_by_nid(found, asked.get("nid", ""))
    if references := asked.get("reference"):
        found = found.filter(reference__in=split_listed(references.upper()))
    if organization := asked.get("organization"):
        found = found.filter(organization=int(organization))
    narrowed: RequestQuerySet = RequestFilter(asked, found).qs
    return narrowed


def make_request_response(request: Request, reference: str, status: int = 200) -> Response:
    """Return a request as the caller sees it now."""
    found = get_request_or_404(request, reference)
    standing = read_standing([found])
    members = serialize_sparsely(request, found, RequestDetailSerializer, **standing)
    headers = {"ETag": make_etag(found.revision)}
    if status == 201:
        headers["Location"] = build_url(get_site_url(request), "api:request-detail", found.slug)
    return Response(members, status, headers=headers)


@extend_schema_view(
    list=extend_schema(
        operation_id="rounds",
        description="List the rounds of a request, the first one first.",
        responses=RoundSerializer(many=True),
    ),
    retrieve=extend_schema(
        operation_id="round",
        description="Read one round, frozen since it was sent.",
        responses=RoundSerializer,
    ),
)
class RoundViewSet(ListModelMixin, RetrieveModelMixin, RegistryViewSet):
    """The texts that were sent with a request."""

    lookup_field = "number"
    path_parameters = (make_path_parameter("number", "Of the round."),)
    query_serializers = {"list": ListQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = RoundSerializer
    sort_orders = {"number": ("number",)}
    sort = "number"
    not_found = gettext_lazy("There is no round with that number.")

    def get_queryset(self) -> QuerySet[Round]:
        registration_request = get_request_or_404(self.request, self.kwargs["reference"])
        return registration_request.rounds.sent().select_related("base")

    @extend_schema(operation_id="findings", responses=TextFindingSerializer(many=True))
    @action(detail=True, pagination_class=None)
    def findings(self, request: Request, reference: str, number: int) -> Response:
        """Read the findings of a round, as they were when it was sent."""
        return Response(list(TextFindingSerializer.serialize_each(self.get_object().findings)))


class FiguresQuerySerializer(FieldsQuerySerializer):
    """Query parameters of the figures."""

    year = serializers.IntegerField(
        required=False, min_value=1900, max_value=9999, help_text="In which stays ended."
    )


@extend_schema_view(
    list=extend_schema(
        operation_id="figures",
        description="Read how long requests stay in each state and with each party, in days.",
        responses=FigureSerializer(many=True),
    )
)
class FigureViewSet(ListModelMixin, RegistryViewSet):
    """The turnaround figures."""

    pagination_class = None
    query_serializers = {"list": FiguresQuerySerializer}
    serializer_class = FigureSerializer

    def get_queryset(self) -> Any:
        """Return the figures of one year, or all."""
        return compute_durations(self.asked.get("year"))
