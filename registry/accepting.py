"""What a client would rather have, by what it sent (RFC 9110, section 12.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

WEIGHT: Final = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)

Weights = dict[str, float]
"""How much each range of a field is wanted, in lower case; of the same range the first counts."""


@lru_cache(maxsize=1024)
def weights(field: str) -> Weights:
    """Return what a field asks for; parameters other than the weight are not counted."""
    parts = ([each.strip() for each in part.split(";")] for part in field.lower().split(","))
    asked = [(name, weight(parameters)) for name, *parameters in parts if name]
    return dict(reversed(asked))


def weight(parameters: list[str]) -> float:
    """Return the weight among parameters; one that is none counts as the full one."""
    found = [match[1] for each in parameters if (match := WEIGHT.fullmatch(each))]
    return float(found[0]) if found else 1.0


def takes_gzip(accept_encoding: str) -> bool:
    """Whether a client takes gzip (RFC 9110, section 12.5.3); one that says nothing does not."""
    asked = weights(accept_encoding)
    return next((asked[name] > 0 for name in ("gzip", "x-gzip", "*") if name in asked), False)


def media_types(accept: str) -> Weights:
    """Return what an Accept field asks for; what has no slash is no media type."""
    return {name: value for name, value in weights(accept).items() if "/" in name}


def ranges_of(media_type: str) -> tuple[str, str, str]:
    """Return the ranges that a media type is in, the closest first."""
    media_type = media_type.partition(";")[0].strip().lower()
    return media_type, f"{media_type.partition('/')[0]}/*", "*/*"


def spoken_of(asked: Weights, names: Sequence[str]) -> tuple[float, int]:
    """Return the weight of the first of `names` that is asked for, and how close it is."""
    for distance, name in enumerate(names):
        if name in asked:
            return asked[name], -distance
    return 0.0, -len(names)


def preferred(accept: str, offered: Sequence[str]) -> str | None:
    """Return which of the media types `offered` is wanted most, none where none will do.

    Of equals the one that is asked for by its own name comes first, then the order of `offered`.
    Who asks for nothing in particular takes the first.
    """
    asked = media_types(accept)
    if not asked:
        return offered[0]
    best = max(offered, key=lambda each: spoken_of(asked, ranges_of(each)))
    return best if spoken_of(asked, ranges_of(best))[0] > 0 else None
