"""What all serializers share: serializers of answers, their fields, and addresses on this site."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter
from typing import Any, TypeVar

from django.urls import reverse
from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

JSONObject = dict[str, Any]
Thing = TypeVar("Thing")


def build_url(site: str, name: str, *args: object) -> str:
    """Return an address as it is outside."""
    return site + reverse(name, args=args)


def format_datetime(value: datetime.datetime) -> str:
    """Return a moment that is computed as `DateTimeField` writes those of columns."""
    return str(serializers.DateTimeField().to_representation(value))


class OutputSerializer(serializers.Serializer[Thing]):
    """The JSON of a thing: it makes answers and describes them, and reads nothing.

    `context` has the `site` where the registry is read, and the `reader` where that matters. A
    member whose name is a word of the framework's own is declared with `_` behind it.
    """

    def __init_subclass__(cls) -> None:
        """Have the description call it by its name alone."""
        super().__init_subclass__()
        set_override(cls, "component_name", cls.__name__.removesuffix("Serializer"))

    def get_fields(self) -> dict[str, Any]:
        """Return the members, in the order of the answer."""
        return {name.rstrip("_"): member for name, member in super().get_fields().items()}

    @classmethod
    def serialize_each(cls, things: Iterable[Thing], **context: Any) -> Iterator[JSONObject]:
        """Yield the JSON of each thing, as it is asked for."""
        return map(cls(context=context).to_representation, things)


class SparseSerializer(OutputSerializer[Thing]):
    """A thing of which `?fields=` leaves out what nobody asked for: `only` names what somebody did.

    A member that is not required is left out where the thing has no attribute of its name.
    """

    def __init__(self, *args: Any, only: Collection[str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.only = only

    def get_fields(self) -> dict[str, Any]:
        """Return the members that are wanted."""
        members = super().get_fields()
        if self.only is None:
            return members
        return {name: member for name, member in members.items() if name in self.only}


class OutputSerializerExtension(OpenApiSerializerExtension):
    """How answers are described: all is to be read, and of a sparse one any part may be missing."""

    target_class = OutputSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the description, without saying of each member that nobody writes it."""
        described: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        for member in described["properties"].values():
            member.pop("readOnly", None)
        if isinstance(self.target, SparseSerializer):
            described.pop("required", None)
        return described


class NullableTextField(serializers.CharField):
    """Text, or null where there is none."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        """Return the text; what is empty is null."""
        return str(value) or None


class SiteURLField(serializers.URLField):
    """The address of a view of this site, with values of the thing in it."""

    def __init__(self, view_name: str, *sources: str, **kwargs: Any) -> None:
        super().__init__(source="*", **kwargs)
        self.view_name = view_name
        self.getters = [attrgetter(each) for each in sources]

    def to_representation(self, value: Any) -> str:
        """Return the address as it is outside."""
        args = (get(value) for get in self.getters)
        return build_url(self.context["site"], self.view_name, *args)


def text_field(words: str = "", **kwargs: Any) -> serializers.CharField:
    """Return a member that holds text."""
    return serializers.CharField(help_text=words or None, **kwargs)


def nullable_text_field(words: str = "", **kwargs: Any) -> NullableTextField:
    """Return a member that holds text, or null where there is none."""
    return NullableTextField(help_text=words or None, **kwargs)


def integer_field(words: str = "", **kwargs: Any) -> serializers.IntegerField:
    """Return a member that holds a whole number."""
    return serializers.IntegerField(help_text=words or None, **kwargs)


def text_list_field(words: str = "", **kwargs: Any) -> serializers.ListField:
    """Return a member that holds a list of texts."""
    return serializers.ListField(child=serializers.CharField(), help_text=words or None, **kwargs)
