"""Every public value in JSON's types: objects, lists, texts, numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

from .characters import escape_surrogates
from .errors import URNSyntaxError
from .spec import SpecProfile
from .uri.reference import URISyntaxError
from .urn import URN


def to_json_form(value: Any) -> Any:
    """`value` as `json.dumps` takes it, with the names of its attributes as keys.

    A URN is an object of its text, its parts and its assigned name, and is read again by
    `parse(form["text"])`; an error one of its text, position, rule and message; a specification its
    name. Lone surrogates, which no encoding has, are written as escapes. Raises `TypeError` for
    values that are not this library's.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value if value.isascii() else escape_surrogates(value)
    special = _SPECIAL.get(type(value)) or _find_special(value)
    if special is not None:
        return special(value)
    return _list_members(value)


def _list_members(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): to_json_form(part) for name, part in value.items()}
    if hasattr(value, "_asdict"):
        return {name: to_json_form(part) for name, part in value._asdict().items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_json_form(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple | list | frozenset | set):
        return [to_json_form(part) for part in value]
    raise TypeError(f"{type(value).__name__} is no value of this library")


def _write_urn(urn: URN) -> dict[str, Any]:
    return {"text": urn.text, **urn.parts, "assigned_name": urn.assigned_name}


def _write_urn_error(error: URNSyntaxError) -> dict[str, Any]:
    return {
        "text": to_json_form(error.text),
        "position": error.position,
        "component": error.component,
        "rule": error.rule,
        "message": str(error),
    }


def _write_uri_error(error: URISyntaxError) -> dict[str, Any]:
    return {
        "position": error.position,
        "component": error.component,
        "rule": error.rule,
        "message": str(error),
    }


_SPECIAL: Final[dict[type, Callable[[Any], Any]]] = {
    URN: _write_urn,
    URNSyntaxError: _write_urn_error,
    URISyntaxError: _write_uri_error,
    SpecProfile: str,
}


def _find_special(value: Any) -> Any:
    return next((write for kind, write in _SPECIAL.items() if isinstance(value, kind)), None)
