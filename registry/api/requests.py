"""Requests: the list, each with its rounds and findings, every verb, and turnaround figures."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import selectors, workflow
from registry.api import verbs
from registry.api.etags import make_etag, require_if_match
from registry.api.input_serializers import StartInputSerializer, StepInputSerializer
from registry.api.openapi import (
    EDITING_PROBLEMS,
    IDEMPOTENCY_KEY_PARAMETER,
    IF_MATCH_PARAMETER,
    READING_PROBLEMS,
    REFERENCE_PARAMETER,
    VERB_PARAMETER,
    make_path_parameter,
)
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    make_sort_parameter,
    paginate_queryset,
)
from registry.api.problems import describe_problems, refuse_invalid_form
from registry.api.query_parameters import (
    AsOfQuerySerializer,
    FieldsQuerySerializer,
    ListQuerySerializer,
    read_as_of,
    read_fields_parameter,
    serialize_sparsely,
    validate_query,
)
from registry.api.verbs import VerbSerializer
from registry.api.views import (
    RegistryAPIView,
    get_request_or_404,
    get_serializer_context,
    get_site_url,
    require_person,
    validate_input,
)
from registry.enums import (
    LIVE_STATES,
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
from registry.selectors.as_of import Moment, requests_as_of
from registry.selectors.durations import compute_durations
from registry.serializers.base import JSONObject, build_url
from registry.serializers.requests import (
    FigureSerializer,
    RequestAsOfSerializer,
    RequestRecordAsOfSerializer,
    RequestRecordSerializer,
    RequestSerializer,
    RoundSerializer,
)
from registry.serializers.templates import TextFindingSerializer
from registry.urn import nid as nids
from registry.workflow import VERBS

REQUEST_ORDERS: Final = {
    "moved": (SortKey("state_since"), SortKey("pk")),
    "-moved": (SortKey("state_since", descends=True), SortKey("pk", descends=True)),
    "started": (SortKey("created_at"), SortKey("pk")),
    "-started": (SortKey("created_at", descends=True), SortKey("pk", descends=True)),
    "reference": (SortKey("reference"),),
    "-reference": (SortKey("reference", descends=True),),
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
    """A request with its rounds, what was said and done, and the verbs open to whoever asks."""

    verbs = serializers.SerializerMethodField()

    @extend_schema_field(VerbSerializer(many=True))
    def get_verbs(self, registration_request: RegistrationRequest) -> list[JSONObject]:
        """Return the verbs open to the reader, each made from its form on the pages."""
        reader = self.context["reader"]
        offered = workflow.available_transitions(registration_request, reader)
        made = (build_step_form(registration_request, each, reader) for each in offered)
        return list(VerbSerializer.serialize_each(made, **self.context))


class RequestQuerySerializer(FieldsQuerySerializer, AsOfQuerySerializer):
    """What one request can be asked with."""


class RequestsQuerySerializer(ListQuerySerializer, AsOfQuerySerializer):
    """What the list of requests can be asked with: the filters of its page, and the NID."""

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
    sort = make_sort_parameter(REQUEST_ORDERS, "-moved")


class RequestsView(RegistryAPIView):
    """The requests that whoever asks may see, and a new one."""

    @extend_schema(
        operation_id="requests",
        parameters=[RequestsQuerySerializer],
        responses={200: make_list_serializer(RequestSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List requests: the public ones, and those you write; for whom each waits."""
        asked = validate_query(RequestsQuerySerializer, request)
        if moment := read_as_of(asked, "state", "nid", "page_size", "cursor"):
            return make_requests_response_as_of(request, asked, moment)
        part = paginate_queryset(
            filter_visible_requests(request, asked), REQUEST_ORDERS, asked, "-moved"
        )
        waiting = selectors.find_current_turns(part.rows)
        return make_page_response(request, part, RequestSerializer, waiting=waiting)

    @extend_schema(
        operation_id="request_start",
        parameters=[IDEMPOTENCY_KEY_PARAMETER],
        request=StartInputSerializer,
        examples=[FORMAL_NAMESPACE_EXAMPLE],
        responses={
            201: RequestDetailSerializer,
            **describe_problems(400, 401, 403, 409, 413, 415, 422, 429),
        },
    )
    def post(self, request: Request) -> Response:
        """Start a request, by the same questions as the page; it begins as a draft of yours."""
        actor, said = require_person(request), validate_input(StartInputSerializer, request)
        form = build_new_request_form({"key": uuid.uuid4(), **said})
        refuse_invalid_form(form)
        return make_request_response(request, start_request_from_form(actor, form).reference, 201)


def filter_visible_requests(request: Request, asked: dict[str, str]) -> RequestQuerySet:
    """Return the requests that whoever asks may see, and that the filters let through."""
    found = selectors.requests_visible_to(request.user).select_related(
        "organization", "namespace", "author"
    )
    if asked.get("state") == State.DRAFT:  # A filter of programs alone: pages show no drafts.
        found = found.filter(state=State.DRAFT)
        asked = {name: value for name, value in asked.items() if name != "state"}
    if nid := asked.get("nid"):
        found = found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()
    narrowed: RequestQuerySet = RequestFilter(asked, found).qs
    return narrowed


class RequestView(RegistryAPIView):
    """One request."""

    @extend_schema(
        operation_id="request",
        parameters=[REFERENCE_PARAMETER, RequestQuerySerializer],
        responses={200: RequestDetailSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read a request: where it stands, its rounds, what was said, and what you can do."""
        if moment := read_as_of(validate_query(RequestQuerySerializer, request)):
            return make_request_response_as_of(request, reference, moment)
        return make_request_response(request, reference)


class VerbView(RegistryAPIView):
    """One verb on one request."""

    @extend_schema(
        operation_id="request_step",
        parameters=[
            REFERENCE_PARAMETER,
            VERB_PARAMETER,
            IF_MATCH_PARAMETER,
            IDEMPOTENCY_KEY_PARAMETER,
        ],
        request=StepInputSerializer,
        examples=[WITH_REASONS_EXAMPLE],
        responses={200: RequestDetailSerializer, **describe_problems(*EDITING_PROBLEMS)},
    )
    def post(self, request: Request, reference: str, verb: str) -> Response:
        """Take a step on the revision you saw; the answer is the request as it is then."""
        registration_request, transition = get_request_or_404(request, reference), VERBS.get(verb)
        if transition is None:
            raise Http404(_("There is no verb of that name."))
        require_if_match(request, registration_request.revision)
        verbs.refuse_impossible_verb(registration_request, transition, request.user)
        verbs.perform_verb(
            registration_request,
            transition,
            require_person(request),
            validate_input(StepInputSerializer, request),
        )
        return make_request_response(request, reference)


def make_requests_response_as_of(
    request: Request, asked: dict[str, str], moment: Moment
) -> Response:
    """List the requests that were public, by reference, as each was."""
    found = requests_as_of(moment)
    if state := asked.get("state"):
        found = found.filter(state_then__in=LIVE_STATES if state == OPEN_REQUESTS else [state])
    if nid := asked.get("nid"):
        found = found.filter(nid_then__iexact=nid)
    part = paginate_queryset(found, REQUEST_ORDERS, asked, "reference")
    return make_page_response(request, part, RequestAsOfSerializer, as_of=moment, waiting={})


def make_request_response_as_of(request: Request, reference: str, moment: Moment) -> Response:
    """Return a request as it was."""
    now = get_request_or_404(request, reference)
    found = requests_as_of(moment).filter(pk=now.pk).first()
    if found is None:
        raise Http404(_("That request was not public then."))
    only = read_fields_parameter(request, RequestDetailSerializer)
    context = {**get_serializer_context(request), "as_of": moment, "waiting": {}}
    return Response(RequestRecordAsOfSerializer(found, only=only, context=context).data)


def make_request_response(request: Request, reference: str, status: int = 200) -> Response:
    """Return a request as whoever asks sees it now."""
    found = get_request_or_404(request, reference)
    waiting = selectors.find_current_turns([found])
    members = serialize_sparsely(request, found, RequestDetailSerializer, waiting=waiting)
    headers = {"ETag": make_etag(found.revision)}
    if status == 201:
        headers["Location"] = build_url(get_site_url(request), "api:request", found.slug)
    return Response(members, status, headers=headers)


ROUND_NUMBER_PARAMETER: Final = make_path_parameter("number", "Of the round.")
ROUND_ORDERS: Final = {"number": (SortKey("number"),)}


class RoundsView(RegistryAPIView):
    """The texts that were sent with a request."""

    @extend_schema(
        operation_id="rounds",
        parameters=[REFERENCE_PARAMETER, ListQuerySerializer],
        responses={
            200: make_list_serializer(RoundSerializer),
            **describe_problems(*READING_PROBLEMS),
        },
    )
    def get(self, request: Request, reference: str) -> Response:
        """List the rounds of a request, the first one first."""
        asked = validate_query(ListQuerySerializer, request)
        registration_request = get_request_or_404(request, reference)
        part = paginate_queryset(registration_request.rounds.sent(), ROUND_ORDERS, asked, "number")
        return make_page_response(request, part, RoundSerializer)


class RoundView(RegistryAPIView):
    """One round of a request."""

    @extend_schema(
        operation_id="round",
        parameters=[REFERENCE_PARAMETER, ROUND_NUMBER_PARAMETER, FieldsQuerySerializer],
        responses={200: RoundSerializer, **describe_problems(*READING_PROBLEMS)},
    )
    def get(self, request: Request, reference: str, number: int) -> Response:
        """Read one round, frozen since it was sent."""
        validate_query(FieldsQuerySerializer, request)
        registration_request = get_request_or_404(request, reference)
        sent = get_round_or_404(registration_request, number)
        return Response(serialize_sparsely(request, sent, RoundSerializer))


class FindingsView(RegistryAPIView):
    """What the machine had to say of a round."""

    @extend_schema(
        operation_id="findings",
        parameters=[REFERENCE_PARAMETER, ROUND_NUMBER_PARAMETER],
        responses={200: TextFindingSerializer(many=True), **describe_problems(401, 404)},
    )
    def get(self, request: Request, reference: str, number: int) -> Response:
        """Read the findings of a round, as they were when it was sent."""
        sent = get_round_or_404(get_request_or_404(request, reference), number)
        return Response(list(TextFindingSerializer.serialize_each(sent.findings)))


def get_round_or_404(registration_request: RegistrationRequest, number: int) -> Round:
    """Return the round of that number, once it is sent."""
    found = registration_request.rounds.sent().filter(number=number).first()
    if found is None:
        raise Http404(_("There is no round of that number."))
    return found


class FiguresQuerySerializer(FieldsQuerySerializer):
    """What the figures can be asked with."""

    year = serializers.IntegerField(
        required=False, min_value=1900, max_value=9999, help_text="In which stays ended."
    )


class FiguresView(RegistryAPIView):
    """The turn-round figures."""

    @extend_schema(
        operation_id="figures",
        parameters=[FiguresQuerySerializer],
        responses={200: FigureSerializer(many=True), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """Read how long requests stay in each state and with each party, in days."""
        asked = validate_query(FiguresQuerySerializer, request)
        rows: Any = FigureSerializer(
            compute_durations(asked.get("year")),
            many=True,
            only=read_fields_parameter(request, FigureSerializer),
        )
        return Response(rows.data)
