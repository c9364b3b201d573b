"""How much a client wants what a service has: a media type, a language (RFC 9110, 12.5)."""

from __future__ import annotations

from typing import Final

from registry.accepting import Weights, media_types, ranges_of, spoken_of, weights

UNSAID: Final = 0.001
"""The least that counts: of a service that does not say what it has, nobody knows."""


def of_type(accept: str, media_type: str) -> float:
    """Return how much a media type is wanted; the range that speaks of it most closely says so."""
    names = ranges_of(media_type) if media_type else ("*/*",)
    return wanted(media_types(accept), names, is_said=bool(media_type))


def of_language(field: str, tag: str) -> float:
    """Return how much a language is wanted, by the range that is its longest beginning."""
    subtags = tag.lower().split("-") if tag else []
    names = ["-".join(subtags[:end]) for end in range(len(subtags), 0, -1)]
    return wanted(weights(field), (*names, "*"), is_said=bool(tag))


def wanted(asked: Weights, names: tuple[str, ...], *, is_said: bool) -> float:
    """Return the weight of the first of `names`; who asks for nothing takes all alike."""
    if not asked:
        return 1.0
    found, _closeness = spoken_of(asked, names)
    return found if is_said else max(found, UNSAID)
