"""How long requests take, to read."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door
from registry.api.narrowing import narrowed
from registry.api.problems import refusals
from registry.api.shapes.others import FigureShape
from registry.pages.told.figures import figure_told
from registry.queries.figures import figures


class FiguresAsked(FieldsAsked):
    """What the figures can be asked with."""

    year = serializers.IntegerField(
        required=False, min_value=1900, max_value=9999, help_text="In which stays ended."
    )


class FiguresView(Door):
    """The turn-round figures."""

    @extend_schema(
        operation_id="figures",
        parameters=[FiguresAsked],
        responses={200: FigureShape(many=True), **refusals(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """Read how long requests stay in each state and with each party, in days."""
        asked = asked_with(FiguresAsked, request)
        rows = [figure_told(row) for row in figures(asked.get("year"))]
        return Response(narrowed(request, rows, FigureShape))
