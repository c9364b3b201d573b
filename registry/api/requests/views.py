"""Requests for programs: the list, each of them, and every verb of the table."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _, gettext_lazy
from django_filters.filters import CharFilter, ChoiceFilter
from django_filters.rest_framework.backends import DjangoFilterBackend
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from registry import queries
from registry.api.pagination import Pages
from registry.api.requests import steps
from registry.api.requests.door import Door, etag, find, person, refuse_unseen
from registry.api.requests.problems import refusals, refuse_invalid
from registry.api.requests.said import StartSaid, StepSaid
from registry.api.requests.serializers import RequestDetailSerializer, RequestSerializer
from registry.choices import State
from registry.forms.requests import OPEN, RequestFilter
from registry.forms.starting import form_with, start
from registry.models import RegistrationRequest
from registry.models.request import RequestQuerySet
from registry.urn import nid as nids
from registry.workflow import VERBS

REFERENCE: Final = OpenApiParameter(
    "reference", OpenApiTypes.STR, OpenApiParameter.PATH, description="In any case."
)
VERB: Final = OpenApiParameter(
    "verb", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(VERBS), description="Of the table."
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of what was seen.",
)
WRITING: Final = (400, 401, 403, 404, 409, 413, 415, 429)
"""The problems that writing can meet."""


class RequestsAsked(RequestFilter):
    """The filters of the page, with drafts of one's own and the NID."""

    state = ChoiceFilter(
        label=gettext_lazy("State"),
        choices=[(OPEN, gettext_lazy("Open")), *State.choices],
        method="in_state",
    )
    nid = CharFilter(label=gettext_lazy("NID asked for, in any case"), method="asking_for")

    def asking_for(self, found: RequestQuerySet, name: str, nid: str) -> RequestQuerySet:
        """Keep those for one NID."""
        return found.filter(nid=nids.canonical(nid)) if nid.isascii() else found.none()


class RequestsView(Door, GenericAPIView[RegistrationRequest]):
    """The requests that whoever asks may see, those that moved last first; and a new one."""

    pagination_class = Pages
    filter_backends = (DjangoFilterBackend,)
    filterset_class = RequestsAsked
    serializer_class = RequestSerializer
    queryset = RegistrationRequest.objects.none()

    def get_queryset(self) -> RequestQuerySet:
        """Return the public requests, and those that whoever asks writes."""
        visible = queries.visible_to(self.request.user)
        people = visible.select_related("organization", "namespace", "author")
        return people.order_by("-state_since", "-pk")

    @extend_schema(
        operation_id="requests",
        responses={200: RequestSerializer(many=True), **refusals(400, 401, 404)},
    )
    def get(self, request: Request) -> Response:
        """List requests: the public ones, and those you write; for whom each waits."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        context = {"request": request, "waiting": queries.waiting_for_all(page)}
        told = RequestSerializer(page, many=True, context=context)
        return self.get_paginated_response(told.data)

    @extend_schema(
        operation_id="request_start",
        request=StartSaid,
        responses={201: RequestDetailSerializer, **refusals(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Start a request, by the same questions as the page; it begins as a draft of yours."""
        said = heard(StartSaid, request)
        form = form_with({"key": uuid.uuid4(), **said})
        refuse_invalid(form)
        return shown(request, start(person(request), form).reference, 201)


class RequestView(Door):
    """One request."""

    @extend_schema(
        operation_id="request",
        parameters=[REFERENCE],
        responses={200: RequestDetailSerializer, **refusals(401, 404)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """Read a request: where it stands, its rounds, what was said, and what you can do."""
        return shown(request, reference)


class VerbView(Door):
    """One verb on one request."""

    @extend_schema(
        operation_id="request_step",
        parameters=[REFERENCE, VERB, IF_MATCH],
        request=StepSaid,
        responses={200: RequestDetailSerializer, **refusals(*WRITING, 412, 428)},
    )
    def post(self, request: Request, reference: str, verb: str) -> Response:
        """Take a step on the revision you saw; the answer is the request as it is then."""
        registration_request, transition = find(request, reference), VERBS.get(verb)
        if transition is None:
            raise Http404(_("There is no verb of that name."))
        refuse_unseen(request, registration_request.revision)
        steps.refuse_impossible(registration_request, transition, request.user)
        steps.take(registration_request, transition, person(request), heard(StepSaid, request))
        return shown(request, reference)


def heard(of: type[Any], request: Request) -> dict[str, Any]:
    """Return what the program says; raise `ValidationError` where it makes no sense."""
    said = of(data=request.data)
    said.is_valid(raise_exception=True)
    return dict(said.validated_data)


def shown(request: Request, reference: str, status: int = 200) -> Response:
    """Return a request as whoever asks sees it now."""
    found = find(request, reference)
    context = {"request": request, "waiting": queries.waiting_for_all([found])}
    told = RequestDetailSerializer(found, context=context)
    headers = {"ETag": etag(found.revision)}
    if status == 201:
        headers["Location"] = told.data["url"]
    return Response(told.data, status, headers=headers)
