"""The verbs open to whoever asks, each with what follows, what it asks for and what bars it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry.api.requests import steps
from registry.forms.act import StepForm

PEOPLE = frozenset({"expert", "leaver"})
"""Fields that name people by mail address, which the API lists of nobody."""
TRUE_OR_FALSE = frozenset({"standards_action", "for_good"})


class AskedSerializer(serializers.Serializer[Any]):
    """One thing that a verb asks for."""

    def get_fields(self) -> dict[str, Any]:
        """Return what there is to say of it."""
        return {
            "name": serializers.CharField(),
            "label": serializers.CharField(),
            "required": serializers.BooleanField(),
            "choices": serializers.ListField(
                child=serializers.CharField(), help_text="Empty where anything can be said."
            ),
        }


class VerbSerializer(serializers.Serializer[StepForm]):
    """A verb of the table, made from its form on the pages."""

    obstacle = serializers.SerializerMethodField()
    asks = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()

    def get_fields(self) -> dict[str, Any]:
        """Return first what the table says of it."""
        table = {
            name: serializers.CharField(source=f"transition.{name}")
            for name in ("verb", "label", "consequence")
        }
        return {**table, **super().get_fields()}

    def get_obstacle(self, form: StepForm) -> str:
        """Return what stands in the way, empty where nothing does."""
        return str(steps.obstacle(form))

    @extend_schema_field(AskedSerializer(many=True))
    def get_asks(self, form: StepForm) -> list[dict[str, Any]]:
        """Return what can be said with it, reasons included where they are asked for."""
        return [
            {
                "name": name,
                "label": str(field.label or name),
                "required": field.required and name not in stays(form),
                "choices": choices(name, field),
            }
            for name, field in form.fields.items()
            if name != "seen"
        ]

    def get_url(self, form: StepForm) -> str:
        """Return where it is taken, with POST."""
        address = reverse("api:verb", args=[form.registration_request.slug, form.transition.verb])
        return str(self.context["request"].build_absolute_uri(address))


def stays(form: StepForm) -> frozenset[str]:
    """Return what a step takes from the request, or from who asks, where it is left out."""
    return steps.LEFT_OUT.get(form.transition.verb, frozenset())


def choices(name: str, field: forms.Field) -> list[str]:
    """Return what can be chosen, where there is a choice."""
    if name in PEOPLE | TRUE_OR_FALSE or not isinstance(field, forms.ChoiceField):
        return []
    offered: Any = field.choices
    return [str(value) for value, _label in offered]
