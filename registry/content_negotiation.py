"""What a client prefers, by its Accept fields (RFC 9110, section 12.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

WEIGHT_PARAMETER: Final = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)

JSON_LD: Final = "application/ld+json"

Weights = dict[str, float]
"""The weight of each range in a field, in lower case; of duplicates the first counts."""


@lru_cache(maxsize=1024)
def parse_weights(field: str) -> Weights:
    """Return the weights in a field; parameters other than the weight are ignored."""
    parts = ([each.strip() for each in part.split(";")] for part in field.lower().split(","))
    asked = [(name, find_weight(parameters)) for name, *parameters in parts if name]
    return dict(reversed(asked))


def find_weight(parameters: list[str]) -> float:
    """Return the weight among parameters; an invalid one counts as 1."""
    found = [match[1] for each in parameters if (match := WEIGHT_PARAMETER.fullmatch(each))]
    return float(found[0]) if found else 1.0


CODING_NAMES: Final = {"br": ("br",), "gzip": ("gzip", "x-gzip", "*")}
"""The names of each content coding; a client that accepts all gets the one everybody reads."""


@lru_cache(maxsize=1024)
def choose_content_coding(accept_encoding: str, offered: tuple[str, ...]) -> str | None:
    """Return the content coding of `offered` for a client (RFC 9110, section 12.5.3).

    The first among equals; none if the client accepts none of them.
    """
    asked = parse_weights(accept_encoding)
    weights = {
        coding: next((asked[name] for name in CODING_NAMES[coding] if name in asked), 0.0)
        for coding in offered
    }
    best = max(offered, key=lambda coding: weights[coding])
    return best if weights[best] > 0 else None


def parse_accepted_media_types(accept: str) -> Weights:
    """Return the weights in an Accept field; values without a slash are not media types."""
    return {name: value for name, value in parse_weights(accept).items() if "/" in name}


def list_media_ranges(media_type: str) -> tuple[str, str, str]:
    """Return the ranges that include a media type, most specific first."""
    media_type = media_type.partition(";")[0].strip().lower()
    return media_type, f"{media_type.partition('/')[0]}/*", "*/*"


def rank_first_named(asked: Weights, names: Sequence[str]) -> tuple[float, int]:
    """Return the weight of the first of `names` that is listed, and how specific it is."""
    for distance, name in enumerate(names):
        if name in asked:
            return asked[name], -distance
    return 0.0, -len(names)


def choose_media_type(accept: str, offered: Sequence[str]) -> str | None:
    """Return the preferred one of the media types `offered`, or None if none is acceptable.

    Among equals, one requested by its own name comes first, then JSON-LD if requested as such,
    since its clients list JSON too, then the order of `offered`. A client without preferences gets
    the first.
    """
    asked = parse_accepted_media_types(accept)
    if not asked:
        return offered[0]
    best = max(
        offered,
        key=lambda each: (
            rank_first_named(asked, list_media_ranges(each)),
            each == JSON_LD and JSON_LD in asked,
        ),
    )
    return best if rank_first_named(asked, list_media_ranges(best))[0] > 0 else None


UNSTATED_WEIGHT: Final = 0.001
"""The least positive weight: nobody knows what a service without a declared type has."""


def weigh_media_type(accept: str, media_type: str) -> float:
    """Return the weight of a media type, from the most specific range that includes it."""
    names = list_media_ranges(media_type) if media_type else ("*/*",)
    return weigh_first_range(parse_accepted_media_types(accept), names, is_said=bool(media_type))


def weigh_language(field: str, tag: str) -> float:
    """Return the weight of a language, from the range that is its longest prefix."""
    subtags = tag.lower().split("-") if tag else []
    names = ["-".join(subtags[:end]) for end in range(len(subtags), 0, -1)]
    return weigh_first_range(parse_weights(field), (*names, "*"), is_said=bool(tag))


def weigh_first_range(asked: Weights, names: tuple[str, ...], *, is_said: bool) -> float:
    """Return the weight of the first of `names`; without a field, all weights are equal."""
    if not asked:
        return 1.0
    found, _closeness = rank_first_named(asked, names)
    return found if is_said else max(found, UNSTATED_WEIGHT)
