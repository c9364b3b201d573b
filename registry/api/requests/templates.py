"""A template that somebody has already, read field by field; nothing is kept."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.door import heard
from registry.api.problems import refusals
from registry.api.said import Said, Text, typed
from registry.api.shapes.shape import Shape, TemplateShape, line, texts, whole
from registry.api.urn.views import OpenView
from registry.forms.pasting import PastingForm
from registry.pages.told.written import template_told
from registry.template.reading import Passage, ReadField, Reading, read


class TemplateTextSaid(Said):
    """The text of a template, by RFC 8141 or the RFCs before it."""

    text = Text()


class FoundFieldShape(Shape):
    """A field that was found, with what should be known of that."""

    name = line()
    first = whole("The first line it stood on, counted from 1.")
    last = whole()
    remarks = texts()


class PassageShape(Shape):
    """Lines of the text that belong to no field."""

    text = line()
    first = whole()
    last = whole()


class ReadTemplateShape(Shape):
    """What was understood of a text, and what was not."""

    generation = line("8141, 3406, 2611 or mixed; empty where it has no labels.")
    template = TemplateShape(help_text="As a draft takes it, with `draft_write`.")
    found = FoundFieldShape(many=True)
    left_over = PassageShape(many=True)
    remarks = texts()


class TemplateReadView(OpenView):
    """Reading a template."""

    @extend_schema(
        operation_id="template_read",
        request=TemplateTextSaid,
        responses={200: ReadTemplateShape, **refusals(400, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Read the text of a template field by field, as the page that takes one along does."""
        form = PastingForm(heard(TemplateTextSaid, request))
        typed(form)
        return Response(reading_told(read(form.given)))


def reading_told(reading: Reading) -> dict[str, Any]:
    """Return what was understood of a text, and what was not."""
    return {
        "generation": reading.generation,
        "template": template_told(reading.template),
        "found": [field_told(each) for each in reading.fields],
        "left_over": [passage_told(each) for each in reading.left_over],
        "remarks": list(reading.remarks),
    }


def field_told(found: ReadField) -> dict[str, Any]:
    """Return a field that was found."""
    return {
        "name": found.name,
        "first": min((each.first for each in found.sources), default=0),
        "last": max((each.last for each in found.sources), default=0),
        "remarks": list(found.remarks),
    }


def passage_told(passage: Passage) -> dict[str, Any]:
    """Return lines that belong to no field."""
    return {"text": passage.text, "first": passage.first, "last": passage.last}
