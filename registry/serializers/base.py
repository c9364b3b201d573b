"""What all serializers share: serializers of answers, their fields, and addresses on this site."""

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
"""What makes the JSON of one member, of a serializer and a thing."""


MAX_REVERSED_PATHS: Final = 4_096
"""So many paths are known by heart: in lists, reversing took longer than all else of a row."""


def build_url(site: str, name: str, *args: object) -> str:
    """Return an address as it is outside."""
    return site + reverse_below(get_script_prefix(), name, args)


@lru_cache(MAX_REVERSED_PATHS)
def reverse_below(prefix: str, name: str, args: tuple[object, ...]) -> str:
    """Return the path of a view, which begins with `prefix` where that is set."""
    return reverse(name, args=args)


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

    @classmethod
    def serialize_each(cls, things: Iterable[Thing], **context: Any) -> Iterator[JSONObject]:
        """Yield the JSON of each thing, as it is asked for."""
        return map(cls(context=context).to_representation, things)

    def get_fields(self) -> dict[str, Any]:
        """Return the members, in the order of the answer."""
        return {name.rstrip("_"): member for name, member in super().get_fields().items()}

    def is_wanted(self, name: str) -> bool:
        """Whether a member belongs into the answer."""
        return True

    @cached_property
    def member_writers(self) -> list[tuple[str, MemberWriter]]:
        """What writes each member that is wanted, in the order of the answer."""
        every = make_member_writers(type(self))
        return [(name, write) for name, write in every.items() if self.is_wanted(name)]

    def to_representation(self, instance: Thing) -> JSONObject:
        """Return the members that are wanted, as the framework would, and sooner.

        It copies and binds all fields for every answer, which takes longer than writing with
        them. Ours are bound once for each kind of thing, since only `context` differs.
        """
        members: JSONObject = {}
        for name, write in self.member_writers:
            try:
                members[name] = write(self, instance)
            except SkipField:
                continue
        return members


class SparseSerializer(OutputSerializer[Thing]):
    """A thing of which `?fields=` leaves out what nobody asked for: `only` names what somebody did.

    A member that is not required is left out where the thing has no attribute of its name.
    """

    def __init__(self, *args: Any, only: Collection[str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.only = only

    def is_wanted(self, name: str) -> bool:
        """Whether somebody asked for a member."""
        return self.only is None or name in self.only


@cache
def make_member_writers(of: type[OutputSerializer[Any]]) -> dict[str, MemberWriter]:
    """Return what writes each member of a kind of thing, in the order of the answer."""
    return {name: make_member_writer(member) for name, member in of().fields.items()}


def make_member_writer(member: Any) -> MemberWriter:
    """Return what writes a member by its field, for any serializer that has the field."""
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
    """Return what writes a thing within another, or several."""
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
    """Return what reads the value of a member; what is not a plain attribute, as the field does."""
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
    """How answers are described: all is to be read, and whole, unless `?fields=` asks for parts."""

    target_class = OutputSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the description, without saying of each member that nobody writes it."""
        described: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        for member in described["properties"].values():
            member.pop("readOnly", None)
        return described


class NullableTextField(serializers.CharField):
    """Text, or null where there is none: no text of an answer is empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        """Return the text; what is empty is null."""
        return str(value) or None


class NullableChoiceField(serializers.ChoiceField):
    """A word of a vocabulary, or null where there is none."""

    def __init__(self, choices: Any, **kwargs: Any) -> None:
        super().__init__(choices, allow_null=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """Return the word; what is empty is null."""
        return super().to_representation(value) or None


class SiteURLField(serializers.URLField):
    """The address of a view of this site, with values of the thing in it."""

    def __init__(self, view_name: str, *sources: str, **kwargs: Any) -> None:
        super().__init__(source="*", **kwargs)
        self.view_name = view_name
        self.getters = [attrgetter(each) for each in sources]

    def build(self, site: str, thing: Any) -> str:
        """Return the address as it is outside."""
        return build_url(site, self.view_name, *(get(thing) for get in self.getters))

    def to_representation(self, value: Any) -> str:
        """Return the address as it is outside."""
        return self.build(self.context["site"], value)


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
