"""The rounds of a request and the findings of each, to read."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.asked import FieldsAsked, ListAsked, asked_with
from registry.api.door import Door, find, site_of
from registry.api.listing import Key, listed, part_of
from registry.api.narrowing import narrowed
from registry.api.parameters import READING, REFERENCE, in_path
from registry.api.problems import refusals
from registry.api.shapes.requests import RoundShape, TextFindingShape
from registry.api.shapes.shape import list_of
from registry.models import RegistrationRequest, Round
from registry.pages.told.parts import finding_told, round_told

NUMBER: Final = in_path("number", "Of the round.")
ORDERS: Final = {"number": (Key("number"),)}


class RoundsView(Door):
    """The texts that were sent with a request."""

    @extend_schema(
        operation_id="rounds",
        parameters=[REFERENCE, ListAsked],
        responses={200: list_of(RoundShape), **refusals(*READING)},
    )
    def get(self, request: Request, reference: str) -> Response:
        """List the rounds of a request, the first one first."""
        asked = asked_with(ListAsked, request)
        registration_request, site = find(request, reference), site_of(request)
        part = part_of(registration_request.rounds.sent(), ORDERS, asked, "number")
        slug = registration_request.slug
        return listed(request, part, lambda each: round_told(each, slug, site), RoundShape)


class RoundView(Door):
    """One round of a request."""

    @extend_schema(
        operation_id="round",
        parameters=[REFERENCE, NUMBER, FieldsAsked],
        responses={200: RoundShape, **refusals(*READING)},
    )
    def get(self, request: Request, reference: str, number: int) -> Response:
        """Read one round, frozen since it was sent."""
        asked_with(FieldsAsked, request)
        registration_request = find(request, reference)
        sent = round_of(registration_request, number)
        row = round_told(sent, registration_request.slug, site_of(request))
        return Response(narrowed(request, [row], RoundShape)[0])


class FindingsView(Door):
    """What the machine had to say of a round."""

    @extend_schema(
        operation_id="findings",
        parameters=[REFERENCE, NUMBER],
        responses={200: TextFindingShape(many=True), **refusals(401, 404)},
    )
    def get(self, request: Request, reference: str, number: int) -> Response:
        """Read the findings of a round, as they were when it was sent."""
        sent = round_of(find(request, reference), number)
        return Response([finding_told(each) for each in sent.findings])


def round_of(registration_request: RegistrationRequest, number: int) -> Round:
    """Return the round of that number, once it is sent."""
    found = registration_request.rounds.sent().filter(number=number).first()
    if found is None:
        raise Http404(_("There is no round of that number."))
    return found
