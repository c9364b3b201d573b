"""The base of all serializers: output only, with fields of their own, and links to this site."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any, Final, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.urls import get_script_prefix, reverse
from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.fields import SkipField

JSONObject = dict[str, Any]
TEXT_LICENCE_HELP: Final = (
    "The licence of the text by its SPDX identifier, as whoever sent it agreed; null where nobody "
    "was asked."
)
Thing = TypeVar("Thing")
MemberWriter = Callable[[Any, Any], Any]
"""Writes the JSON of one member, given a serializer and a thing."""


MAX_REVERSED_PATHS: Final = 4_096
"""How many paths are cached: in lists, reversing took longer than everything else about a row."""


def build_url(site: str, name: str, *args: object) -> str:
    """Return the full address."""
    return site + reverse_below(get_script_prefix(), name, args)


@lru_cache(MAX_REVERSED_PATHS)
def reverse_below(prefix: str, name: str, args: tuple[object, ...]) -> str:
    """Return the path of a view, which begins with `prefix` if that is set."""
    return reverse(name, args=args)


def format_datetime(value: datetime.datetime) -> str:
    """Return a computed time in the format of `DateTimeField`."""
    return str(serializers.DateTimeField().to_representation(value))


class OutputSerializer(serializers.Serializer[Thing]):
    """The JSON of a thing: output and its description, but no input.

    `context` has the `site`, the registry's address, and the `reader` where that matters. A member
    whose name is reserved by the framework is declared with a trailing `_`.
    """

    def __init_subclass__(cls) -> None:
        """Make OpenAPI call it by its plain name."""
        super().__init_subclass__()
        set_override(cls, "component_name", cls.__name__.removesuffix("Serializer"))

    @classmethod
    def serialize_each(cls, things: Iterable[Thing], **context: Any) -> Iterator[JSONObject]:
        """Yield the JSON of each thing, on demand."""
        return map(cls(context=context).to_representation, things)

    def get_fields(self) -> dict[str, Any]:
        """Return the members, in the order of the output."""
        return {name.rstrip("_"): member for name, member in super().get_fields().items()}

    def is_wanted(self, name: str) -> bool:
        """Whether a member belongs in the output."""
        return True

    @cached_property
    def member_writers(self) -> list[tuple[str, MemberWriter]]:
        """The writers of all wanted members, in the order of the output."""
        every = make_member_writers(type(self))
        return [(name, write) for name, write in every.items() if self.is_wanted(name)]

    def to_representation(self, instance: Thing) -> JSONObject:
        """Return the wanted members, as the framework would, but faster.

        The framework copies and binds all fields for every object, which takes longer than using
        them. Ours are bound once per class, since only `context` differs.
        """
        members: JSONObject = {}
        for name, write in self.member_writers:
            try:
                members[name] = write(self, instance)
            except SkipField:
                continue
        return members


class SparseSerializer(OutputSerializer[Thing]):
    """A thing of which `?fields=` selects members: `only` has the requested names.

    An optional member is left out if the thing has no attribute of its name.
    """

    def __init__(self, *args: Any, only: Collection[str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.only = only

    def is_wanted(self, name: str) -> bool:
        """Whether a member was requested."""
        return self.only is None or name in self.only


@cache
def make_member_writers(of: type[OutputSerializer[Any]]) -> dict[str, MemberWriter]:
    """Return the writers of a class's members, in the order of the output."""
    return {name: make_member_writer(member) for name, member in of().fields.items()}


def make_member_writer(member: Any) -> MemberWriter:
    """Return the writer of a member by its field, for any serializer that has the field."""
    if isinstance(member, serializers.SerializerMethodField):
        return lambda serializer, thing: getattr(serializer, member.method_name)(thing)
    if isinstance(member, SiteURLField):
        return lambda serializer, thing: member.build(serializer.context["site"], thing)
    read = make_member_reader(member)
    if isinstance(member, OutputSerializer | serializers.ListSerializer):
        return make_nested_writer(member, read)
    represent = member.to_representation

    def write(_serializer: Any, thing: Any) -> Any:
        value = read(thing)
        return None if value is None else represent(value)

    return write


def make_nested_writer(member: Any, read: Callable[[Any], Any]) -> MemberWriter:
    """Return the writer of a nested thing, or of several."""
    is_list = isinstance(member, serializers.ListSerializer)
    of: type[OutputSerializer[Any]] = type(member.child if is_list else member)

    def write(serializer: Any, thing: Any) -> Any:
        value = read(thing)
        if value is None:
            return None
        nested = of(context=serializer.context).to_representation
        return list(map(nested, value)) if is_list else nested(value)

    return write


def make_member_reader(member: Any) -> Callable[[Any], Any]:
    """Return the reader of a member's value: a plain attribute, or whatever the field does."""
    if not member.source_attrs:
        return lambda thing: thing
    read = attrgetter(".".join(member.source_attrs))

    def read_value(thing: Any) -> Any:
        try:
            value = read(thing)
        except (AttributeError, ObjectDoesNotExist):
            return member.get_attribute(thing)
        return member.get_attribute(thing) if callable(value) else value

    return read_value


class OutputSerializerExtension(OpenApiSerializerExtension):
    """Describes output: everything is read-only and required, unless `?fields=` selects members."""

    target_class = OutputSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the description, without marking each member as read-only."""
        described: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        for member in described["properties"].values():
            member.pop("readOnly", None)
        return described


class NullableTextField(serializers.CharField):
    """Text, or null if there is none: no text in the output is empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        """Return the text, or null if it is empty."""
        return str(value) or None


class NullableChoiceField(serializers.ChoiceField):
    """A word of a vocabulary, or null."""

    def __init__(self, choices: Any, **kwargs: Any) -> None:
        super().__init__(choices, allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """Return the word, or null if it is empty."""
        return super().to_representation(value) or None


class SiteURLField(serializers.URLField):
    """The address of a view of this site, with values of the thing in it."""

    def __init__(self, view_name: str, *sources: str, **kwargs: Any) -> None:
        super().__init__(source="*", **kwargs)
        self.view_name = view_name
        self.getters = [attrgetter(each) for each in sources]

    def build(self, site: str, thing: Any) -> str:
        """Return the full address."""
        return build_url(site, self.view_name, *(get(thing) for get in self.getters))

    def to_representation(self, value: Any) -> str:
        """Return the full address."""
        return self.build(self.context["site"], value)


def text_field(words: str = "", **kwargs: Any) -> serializers.CharField:
    """Return a member that holds text."""
    return serializers.CharField(help_text=words or None, **kwargs)


def nullable_text_field(words: str = "", **kwargs: Any) -> NullableTextField:
    """Return a member that holds text or null."""
    return NullableTextField(help_text=words or None, **kwargs)


def integer_field(words: str = "", **kwargs: Any) -> serializers.IntegerField:
    """Return a member that holds an integer."""
    return serializers.IntegerField(help_text=words or None, **kwargs)


def text_list_field(words: str = "", **kwargs: Any) -> serializers.ListField:
    """Return a member that holds a list of texts."""
    return serializers.ListField(child=serializers.CharField(), help_text=words or None, **kwargs)
