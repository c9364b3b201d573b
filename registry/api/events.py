"""The journal, to read and to verify."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin

from registry.api.namespaces import get_namespace_or_404
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.query_parameters import ListQuerySerializer
from registry.api.viewsets import RegistryViewSet
from registry.journal.openness import journal_lines
from registry.selectors.events import public_journal_lines_on
from registry.serializers.requests import EventSerializer
from registry.urn import nid as nids

EVENT_ORDERS: Final[SortOrders] = {"number": ("number",), "-number": ("-number",)}


class ActsQuerySerializer(ListQuerySerializer):
    """Query parameters of a list of events."""

    verb = serializers.CharField(required=False, max_length=40, help_text="What was done.")
    since = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="After the line of this number."
    )
    sort = make_sort_parameter(EVENT_ORDERS, "number")


class EventsQuerySerializer(ActsQuerySerializer):
    """Query parameters of the journal."""

    request = serializers.CharField(
        required=False, max_length=14, help_text="The reference of a request, in any case."
    )
    nid = serializers.CharField(required=False, max_length=32, help_text="In any case.")


@extend_schema_view(
    list=extend_schema(
        operation_id="events",
        description="Read the journal, line by line, so that its chain of digests can be verified."
        "\n\nNarrowed down, it has the lines alone that are for everybody.",
        responses=EventSerializer(many=True),
    )
)
class EventViewSet(ListModelMixin, RegistryViewSet):
    """The whole journal."""

    query_serializers = {"list": EventsQuerySerializer}
    serializer_class = EventSerializer
    sort_orders = EVENT_ORDERS
    sort = "number"

    def get_queryset(self) -> QuerySet[Any]:
        """Return the requested events."""
        return filter_events(self.asked)


@extend_schema_view(
    list=extend_schema(
        operation_id="namespace_events",
        description="Read what was done about a namespace, and the requests that would change it.",
        responses=EventSerializer(many=True),
    )
)
class NamespaceEventViewSet(EventViewSet):
    """Events about one namespace."""

    query_serializers = {"list": ActsQuerySerializer}

    def get_queryset(self) -> QuerySet[Any]:
        """Return the requested events about the namespace."""
        namespace = get_namespace_or_404(self.kwargs["nid"])
        return filter_by_verb_and_number(public_journal_lines_on(namespace.nid), self.asked)


def filter_events(asked: dict[str, Any]) -> QuerySet[Any]:
    """Return the events that match the query."""
    found = journal_lines()
    if nid := asked.get("nid"):
        found = public_journal_lines_on(nids.canonical(nid)) if nid.isascii() else found.none()
    if reference := asked.get("request"):
        found = found.filter(is_open=True, registration_request__reference=reference.upper())
    return filter_by_verb_and_number(found, asked)


def filter_by_verb_and_number(found: QuerySet[Any], asked: dict[str, Any]) -> QuerySet[Any]:
    """Return the events of one verb, and those after a number."""
    if verb := asked.get("verb"):
        found = found.filter(is_open=True, verb=verb)
    return found.filter(number__gt=asked["since"]) if "since" in asked else found
