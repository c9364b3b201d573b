"""What a client would rather have, by its Accept fields (RFC 9110, section 12.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

WEIGHT_PARAMETER: Final = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)

JSON_LD: Final = "application/ld+json"

Weights = dict[str, float]
"""How much each range of a field is wanted, in lower case; of the same range the first counts."""


@lru_cache(maxsize=1024)
def parse_weights(field: str) -> Weights:
    """Return what a field asks for; parameters other than the weight are not counted."""
    parts = ([each.strip() for each in part.split(";")] for part in field.lower().split(","))
    asked = [(name, find_weight(parameters)) for name, *parameters in parts if name]
    return dict(reversed(asked))


def find_weight(parameters: list[str]) -> float:
    """Return the weight among parameters; one that is none counts as the full one."""
    found = [match[1] for each in parameters if (match := WEIGHT_PARAMETER.fullmatch(each))]
    return float(found[0]) if found else 1.0


CODING_NAMES: Final = {"br": ("br",), "gzip": ("gzip", "x-gzip", "*")}
"""By what names a content coding is asked for; whoever takes all is sent what everybody reads."""


@lru_cache(maxsize=1024)
def choose_content_coding(accept_encoding: str, offered: tuple[str, ...]) -> str | None:
    """Return which content coding of `offered` a client takes (RFC 9110, section 12.5.3).

    Of equals the first; none for a client that takes none of them.
    """
    asked = parse_weights(accept_encoding)
    weights = {
        coding: next((asked[name] for name in CODING_NAMES[coding] if name in asked), 0.0)
        for coding in offered
    }
    best = max(offered, key=lambda coding: weights[coding])
    return best if weights[best] > 0 else None


def parse_accepted_media_types(accept: str) -> Weights:
    """Return what an Accept field asks for; what has no slash is no media type."""
    return {name: value for name, value in parse_weights(accept).items() if "/" in name}


def list_media_ranges(media_type: str) -> tuple[str, str, str]:
    """Return the ranges that a media type is in, the closest first."""
    media_type = media_type.partition(";")[0].strip().lower()
    return media_type, f"{media_type.partition('/')[0]}/*", "*/*"


def rank_first_named(asked: Weights, names: Sequence[str]) -> tuple[float, int]:
    """Return the weight of the first of `names` that is asked for, and how close it is."""
    for distance, name in enumerate(names):
        if name in asked:
            return asked[name], -distance
    return 0.0, -len(names)


def choose_media_type(accept: str, offered: Sequence[str]) -> str | None:
    """Return which of the media types `offered` is wanted most, none where none will do.

    Of equals the one that is asked for by its own name comes first, then JSON-LD where it is such a
    one, since its readers name JSON beside it, then the order of `offered`. Who asks for nothing in
    particular takes the first.
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
"""The least that counts: of a service that does not say what it has, nobody knows."""


def weigh_media_type(accept: str, media_type: str) -> float:
    """Return how much a media type is wanted; the range that speaks of it most closely says so."""
    names = list_media_ranges(media_type) if media_type else ("*/*",)
    return weigh_first_range(parse_accepted_media_types(accept), names, is_said=bool(media_type))


def weigh_language(field: str, tag: str) -> float:
    """Return how much a language is wanted, by the range that is its longest beginning."""
    subtags = tag.lower().split("-") if tag else []
    names = ["-".join(subtags[:end]) for end in range(len(subtags), 0, -1)]
    return weigh_first_range(parse_weights(field), (*names, "*"), is_said=bool(tag))


def weigh_first_range(asked: Weights, names: tuple[str, ...], *, is_said: bool) -> float:
    """Return the weight of the first of `names`; who asks for nothing takes all alike."""
    if not asked:
        return 1.0
    found, _closeness = rank_first_named(asked, names)
    return found if is_said else max(found, UNSTATED_WEIGHT)
