"""How much a client wants a media type or a language, by what it sent (RFC 9110, section 12.5)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

WEIGHT: Final = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)
UNSAID: Final = 0.001
"""The least that counts: of a service that does not say what it has, nobody knows."""


@lru_cache(maxsize=1024)
def weighted(field: str) -> tuple[tuple[str, float], ...]:
    """Return the ranges of a field in lower case, each with its weight."""
    parts = ([each.strip() for each in part.split(";")] for part in field.lower().split(","))
    return tuple((name, weight(parameters)) for name, *parameters in parts if name)


def weight(parameters: list[str]) -> float:
    """Return the weight among parameters; one that is none counts as the full one."""
    weights = [found[1] for each in parameters if (found := WEIGHT.fullmatch(each))]
    return float(weights[0]) if weights else 1.0


def of_type(field: str, media_type: str) -> float:
    """Return how much a media type is wanted; the range that speaks of it most closely says so."""
    media_type = media_type.partition(";")[0].strip().lower()
    kind = media_type.partition("/")[0]
    names = (media_type, f"{kind}/*", "*/*") if media_type else ("*/*",)
    return spoken_of(field, names, is_said=bool(media_type))


def of_language(field: str, tag: str) -> float:
    """Return how much a language is wanted, by the range that is its longest beginning."""
    subtags = tag.lower().split("-") if tag else []
    names = ["-".join(subtags[:end]) for end in range(len(subtags), 0, -1)]
    return spoken_of(field, (*names, "*"), is_said=bool(tag))


def spoken_of(field: str, names: tuple[str, ...], *, is_said: bool) -> float:
    """Return the weight of the first of `names` that the field has."""
    if not (asked := weighted(field)):
        return 1.0
    known = dict(reversed(asked))
    found = next((known[name] for name in names if name in known), 0.0)
    return found if is_said else max(found, UNSAID)
