"""Saying in words which characters may stand somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from registry.grammar.charset import CharSet, Range
from registry.urn.characters import describe

_UPPER: Final[Range] = (65, 90)
_LOWER: Final[Range] = (97, 122)
_DIGIT: Final[Range] = (48, 57)
_HEXADECIMAL: Final = CharSet.of(_DIGIT, (65, 70), (97, 102))
_NAMED: Final = (
    (CharSet.of(_UPPER, _LOWER), "a letter"),
    (CharSet.of(_UPPER), "a letter from A to Z"),
    (CharSet.of(_LOWER), "a letter from a to z"),
    (CharSet.of(_DIGIT), "a digit"),
)
_FEW: Final = 4
_MANY_RUNS: Final = 4


def in_words(charset: CharSet) -> list[str]:
    """What the characters of `charset` are, for `listed`: "a digit", "“-”"."""
    if charset == _HEXADECIMAL:
        return ["a hexadecimal digit"]
    excepted = charset.complement()
    if not excepted:
        return ["any character"]
    if excepted.size < charset.size:
        return [f"any character but {listed(in_words(excepted))}"]
    return _parts(charset)


def listed(parts: Iterable[str]) -> str:
    """`parts` as alternatives in the middle of a sentence: "a digit or “-”"."""
    row = list(dict.fromkeys(parts))
    return " or ".join(filter(None, (", ".join(row[:-1]), *row[-1:])))


def _parts(charset: CharSet) -> list[str]:
    parts, rest = [], charset
    for named, words in _NAMED:
        if named.is_within(rest):
            parts.append(words)
            rest = rest.minus(named)
    runs = [pair for pair in rest.ranges if _is_run(*pair)]
    single = CharSet(tuple(pair for pair in rest.ranges if pair not in runs))
    if len(runs) > _MANY_RUNS:
        return [*parts, f"one of {rest.size:,} other characters"]
    return [*parts, *(_run(*pair) for pair in runs), *_singles(single)]


def _is_run(low: int, high: int) -> bool:
    """Whether a range is said by its ends: signs of ASCII are rather listed."""
    return high - low > 1 and (_words(low, high) != "character" or high > ord("~"))


def _run(low: int, high: int) -> str:
    words = _words(low, high)
    name = describe if words == "character" else str
    return f"a {words} from {name(chr(low))} to {name(chr(high))}"


def _words(low: int, high: int) -> str:
    for words, (first, last) in (("letter", _UPPER), ("letter", _LOWER), ("digit", _DIGIT)):
        if first <= low and high <= last:
            return words
    return "character"


def _singles(charset: CharSet) -> list[str]:
    chars = [chr(code) for low, high in charset.ranges for code in range(low, high + 1)]
    lower = [char for char in chars if "a" <= char <= "z" and char.upper() in charset]
    paired = {*lower, *map(str.upper, lower)}
    return [
        *(f"{part} in either case" for part in _listed(lower, few=1)),
        *_listed([char for char in chars if char not in paired]),
    ]


def _listed(chars: list[str], few: int = _FEW) -> list[str]:
    if len(chars) <= few:
        return [describe(char) for char in chars]
    if all("!" <= char <= "~" for char in chars):
        return [f"one of “{''.join(chars)}”"]
    return [f"one of {len(chars)} other characters"]
