"""The journal, to read and to verify."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.asked import ListAsked, asked_with
from registry.api.door import Door
from registry.api.listing import Key, chosen, listed, part_of
from registry.api.parameters import NID, READING
from registry.api.problems import refusals
from registry.api.reading.namespaces import namespace_of
from registry.api.shapes.others import EventShape
from registry.api.shapes.shape import list_of
from registry.pages.told.acts import line_told
from registry.queries.events import every_line, open_lines_on
from registry.urn import nid as nids

ORDERS: Final = {"number": (Key("number"),), "-number": (Key("number", descends=True),)}


class ActsAsked(ListAsked):
    """What a list of lines can be asked with."""

    verb = serializers.CharField(required=False, max_length=40, help_text="What was done.")
    since = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="After the line of this number."
    )
    sort = chosen(ORDERS, "number")


class EventsAsked(ActsAsked):
    """What the journal can be asked with."""

    request = serializers.CharField(
        required=False, max_length=14, help_text="The reference of a request, in any case."
    )
    nid = serializers.CharField(required=False, max_length=32, help_text="In any case.")


class EventsView(Door):
    """The whole journal."""

    @extend_schema(
        operation_id="events",
        parameters=[EventsAsked],
        responses={200: list_of(EventShape), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """Read the journal, line by line, so that its chain of digests can be verified.

        Narrowed down, it has the lines alone that are for everybody.
        """
        asked = asked_with(EventsAsked, request)
        part = part_of(narrowed_down(asked), ORDERS, asked, "number")
        return listed(request, part, line_told, EventShape)


class NamespaceEventsView(Door):
    """What was done about one namespace."""

    @extend_schema(
        operation_id="namespace_events",
        parameters=[NID, ActsAsked],
        responses={200: list_of(EventShape), **refusals(*READING)},
    )
    def get(self, request: Request, nid: str) -> Response:
        """Read what was done about a namespace, and the requests that would change it."""
        asked = asked_with(ActsAsked, request)
        found = of_kind(open_lines_on(namespace_of(nid).nid), asked)
        return listed(request, part_of(found, ORDERS, asked, "number"), line_told, EventShape)


def narrowed_down(asked: dict[str, Any]) -> QuerySet[Any]:
    """Return the lines that are asked for."""
    found = every_line()
    if nid := asked.get("nid"):
        found = open_lines_on(nids.canonical(nid)) if nid.isascii() else found.none()
    if reference := asked.get("request"):
        found = found.filter(is_open=True, registration_request__reference=reference.upper())
    return of_kind(found, asked)


def of_kind(found: QuerySet[Any], asked: dict[str, Any]) -> QuerySet[Any]:
    """Return the lines of one verb, and those after a number."""
    if verb := asked.get("verb"):
        found = found.filter(is_open=True, verb=verb)
    return found.filter(number__gt=asked["since"]) if "since" in asked else found
