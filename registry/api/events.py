"""The journal, to read and to verify."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import NID_PARAMETER, READING_PROBLEMS
from registry.api.pagination import (
    SortKey,
    make_list_serializer,
    make_page_response,
    make_sort_parameter,
    paginate_queryset,
)
from registry.api.problems import describe_problems
from registry.api.query_parameters import ListQuerySerializer, validate_query
from registry.api.views import RegistryAPIView
from registry.selectors.public_events import journal_lines, public_journal_lines_on
from registry.serializers.requests import EventSerializer
from registry.urn import nid as nids

EVENT_ORDERS: Final = {
    "number": (SortKey("number"),),
    "-number": (SortKey("number", descends=True),),
}


class ActsQuerySerializer(ListQuerySerializer):
    """What a list of lines can be asked with."""

    verb = serializers.CharField(required=False, max_length=40, help_text="What was done.")
    since = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="After the line of this number."
    )
    sort = make_sort_parameter(EVENT_ORDERS, "number")


class EventsQuerySerializer(ActsQuerySerializer):
    """What the journal can be asked with."""

    request = serializers.CharField(
        required=False, max_length=14, help_text="The reference of a request, in any case."
    )
    nid = serializers.CharField(required=False, max_length=32, help_text="In any case.")


class EventsView(RegistryAPIView):
    """The whole journal."""

    @extend_schema(
        operation_id="events",
        parameters=[EventsQuerySerializer],
        responses={200: make_list_serializer(EventSerializer), **describe_problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """Read the journal, line by line, so that its chain of digests can be verified.

        Narrowed down, it has the lines alone that are for everybody.
        """
        asked = validate_query(EventsQuerySerializer, request)
        part = paginate_queryset(filter_events(asked), EVENT_ORDERS, asked, "number")
        return make_page_response(request, part, EventSerializer)


class NamespaceEventsView(RegistryAPIView):
    """What was done about one namespace."""

    @extend_schema(
        operation_id="namespace_events",
        parameters=[NID_PARAMETER, ActsQuerySerializer],
        responses={
            200: make_list_serializer(EventSerializer),
            **describe_problems(*READING_PROBLEMS),
        },
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read what was done about a namespace, and the requests that would change it."""
        asked = validate_query(ActsQuerySerializer, request)
        found = filter_by_verb_and_number(
            public_journal_lines_on(get_namespace_or_404(nid).nid), asked
        )
        return make_page_response(
            request,
            paginate_queryset(found, EVENT_ORDERS, asked, "number"),
            EventSerializer,
        )


def filter_events(asked: dict[str, Any]) -> QuerySet[Any]:
    """Return the lines that are asked for."""
    found = journal_lines()
    if nid := asked.get("nid"):
        found = public_journal_lines_on(nids.canonical(nid)) if nid.isascii() else found.none()
    if reference := asked.get("request"):
        found = found.filter(is_open=True, registration_request__reference=reference.upper())
    return filter_by_verb_and_number(found, asked)


def filter_by_verb_and_number(found: QuerySet[Any], asked: dict[str, Any]) -> QuerySet[Any]:
    """Return the lines of one verb, and those after a number."""
    if verb := asked.get("verb"):
        found = found.filter(is_open=True, verb=verb)
    return found.filter(number__gt=asked["since"]) if "since" in asked else found
