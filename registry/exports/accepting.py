"""Which of several media types somebody would rather have (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WEIGHT: Final = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Range:
    """One part of an Accept field: media types, and how much they are wanted."""

    kind: str
    subtype: str
    weight: float

    @property
    def precision(self) -> int:
        """How closely it says what is meant: all types, all of a kind, or one."""
        return (self.kind != "*") + (self.subtype != "*")

    def takes(self, media_type: str) -> bool:
        """Whether a media type is among those that are meant."""
        kind, _slash, subtype = media_type.partition("/")
        return self.kind in {"*", kind} and self.subtype in {"*", subtype}


def ranges(accept: str) -> list[Range]:
    """Return the parts of an Accept field; parameters other than the weight are not counted."""
    return [read(part) for part in accept.split(",") if "/" in part]


def read(part: str) -> Range:
    """Return one part; a weight that is none counts as the full one."""
    media_type, *parameters = (each.strip() for each in part.split(";"))
    kind, _slash, subtype = media_type.lower().partition("/")
    weights = [found[1] for each in parameters if (found := WEIGHT.fullmatch(each))]
    return Range(kind, subtype, float(weights[0]) if weights else 1.0)


def preferred(accept: str, offered: Sequence[str]) -> str | None:
    """Return which of the media types `offered` is wanted most, none where none will do.

    Of equals the one that is asked for by its own name comes first, then the order of `offered`.
    Who asks for nothing in particular takes the first.
    """
    asked = ranges(accept)
    if not asked:
        return offered[0]
    best = max(offered, key=lambda each: worth(each, asked))
    return best if worth(best, asked)[0] > 0 else None


def worth(media_type: str, asked: Sequence[Range]) -> tuple[float, int]:
    """Return how much a media type is wanted, by the part that speaks of it most closely."""
    speaking = [each for each in asked if each.takes(media_type)]
    if not speaking:
        return 0.0, 0
    closest = max(speaking, key=lambda each: each.precision)
    return closest.weight, closest.precision
