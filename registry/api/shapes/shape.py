"""How answers are described."""

from __future__ import annotations

from functools import cache
from typing import Any

from drf_spectacular.drainage import set_override
from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from registry.template import Template, field
from registry.template.template import LISTS


class Shape(serializers.Serializer[Any]):
    """The members of an answer. It only describes: nothing is read or written through it.

    A member whose name is a word of the framework's own is declared with `_` behind it.
    """

    def __init_subclass__(cls) -> None:
        """Have the description call it by its name alone."""
        super().__init_subclass__()
        set_override(cls, "component_name", cls.__name__.removesuffix("Shape"))

    def get_fields(self) -> dict[str, Any]:
        """Return the members, in the order of the answer."""
        return {name.rstrip("_"): member for name, member in super().get_fields().items()}


class Sparse(Shape):
    """An answer of which `?fields=` leaves out what nobody asked for."""

    def get_fields(self) -> dict[str, Any]:
        """Return the members, each of which may be left out."""
        members = super().get_fields()
        for member in members.values():
            member.required = False
        return members


def line(words: str = "", **kwargs: Any) -> serializers.CharField:
    """Return a member that holds text."""
    return serializers.CharField(help_text=words or None, **kwargs)


def maybe(words: str = "") -> serializers.CharField:
    """Return a member that holds text, or null where there is none."""
    return serializers.CharField(help_text=words or None, allow_null=True)


def whole(words: str = "", **kwargs: Any) -> serializers.IntegerField:
    """Return a member that holds a whole number."""
    return serializers.IntegerField(help_text=words or None, **kwargs)


def texts(words: str = "") -> serializers.ListField:
    """Return a member that holds a list of texts."""
    return serializers.ListField(child=serializers.CharField(), help_text=words or None)


@cache
def list_of(shape: type[Shape]) -> serializers.Serializer[Any]:
    """Return how a part of a list is described."""
    return inline_serializer(
        f"{shape.__name__.removesuffix('Shape')}List",
        {
            "results": shape(many=True),
            "next": serializers.URLField(allow_null=True, help_text="The next part."),
            "previous": serializers.URLField(allow_null=True, help_text="The part before."),
        },
    )


class TemplateShape(Shape):
    """The text of a template by field, from its one definition; what is empty is null."""

    def get_fields(self) -> dict[str, Any]:
        """Return one member for each of the definition, in the order of reading."""
        return {
            name: texts(field(name).label) if name in LISTS else maybe(field(name).label)
            for name in Template.blank().to_dict()
        }
