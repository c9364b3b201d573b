"""Version and date in what people write for them."""

from __future__ import annotations

import datetime
import re
from typing import Final, NamedTuple

from registry.urn.characters import excerpt

_VERSION: Final = re.compile(
    r"\bversion(?: number)?(?P<sep>[\s:#.–-]{1,8})(?P<number>[0-9]{1,4}(?:\.[0-9]{1,4}){0,3})\b",
    re.I,
)
_NUMBER: Final = re.compile(
    r"\W{0,3}(?:version|v|no)?[.\s:#]{0,3}([0-9]{1,4}(?:\.[0-9]{1,4}){0,3})\b", re.I
)
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH: Final = rf"(?P<month>(?:{'|'.join(_MONTHS)})[a-z]{{0,6}})\.?"
_DATE: Final = re.compile(
    r"\b(?P<y>[0-9]{4})(?P<s>[-/.])(?P<m>[0-9]{1,2})(?P=s)(?P<d>[0-9]{1,2})\b"
    rf"|\b(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[ ]{{1,3}}{_MONTH},?[ ]{{1,3}}(?P<year>[0-9]{{4}})\b"
    rf"|\b{_MONTH.replace('month', 'month2')}[ ]{{1,3}}(?P<day2>[0-9]{{1,2}})(?:st|nd|rd|th)?,?"
    r"[ ]{1,3}(?P<year2>[0-9]{4})\b",
    re.I,
)
_UNKNOWN: Final = re.compile(
    r"\b(?:tb[ad]|n\.?/a|not applicable|unknown|to be (?:determined|assigned|added)"
    r"|(?:[0-9]{4}|[xy]{4})-(?:[0-9]{2}|[mx]{2})-(?:[dx]{2})|yyyy.?mm.?dd)\b",
    re.I,
)
_WORD: Final = re.compile(r"\w+")
_USUAL: Final = frozenset(
    "and approval approved by date dated first iana initial is number of on registered registration"
    " requested submission submitted the this to version".split()
)


class Edition(NamedTuple):
    """Version and date, each empty where it was not given, remarks on both, and what is left."""

    version: str = ""
    date: str = ""
    of_version: tuple[str, ...] = ()
    of_date: tuple[str, ...] = ()
    left: bool = False


def edition(value: str) -> Edition:
    """Version and date in the one field that the older template has for both."""
    words = " ".join(value.split())[:2_000]
    numbered = _VERSION.search(words)
    number = numbered["number"] if numbered else ""
    words = words.replace(numbered[0], " ", 1) if numbered else words
    day, rest, remarks = _day(words)
    return Edition(
        number, day, _remarks_on(number), remarks, left=not _all_usual(_UNKNOWN.sub(" ", rest))
    )


def version(value: str) -> Edition:
    """The version in a field of its own."""
    words = " ".join(value.split())[:2_000]
    found = _NUMBER.match(words)
    if found:
        number = found[1]
        rest = words[found.end() :]
        return Edition(number, of_version=_remarks_on(number), left=not _all_usual(rest))
    remarks = (f"{excerpt(words)} is not a number.",) if words else ()
    return Edition(of_version=remarks, left=not _all_usual(_UNKNOWN.sub(" ", words)))


def date(value: str) -> Edition:
    """The date in a field of its own."""
    day, rest, remarks = _day(" ".join(value.split())[:2_000])
    return Edition(date=day, of_date=remarks, left=not _all_usual(_UNKNOWN.sub(" ", rest)))


def _remarks_on(number: str) -> tuple[str, ...]:
    if "." in number:
        return (f"Version “{number}” is kept as it is; RFC 8141 counts versions 1, 2, 3.",)
    return ()


def _day(words: str) -> tuple[str, str, tuple[str, ...]]:
    """The day, the words around it, and what to know of it."""
    found = _DATE.search(words)
    if found:
        day = _iso(found)
        rest = words.replace(found[0], " ", 1)
        if day:
            same = found[0] == day
            return day, rest, () if same else (f"{excerpt(found[0])} is written {day}.",)
        return "", rest, (f"{excerpt(found[0])} is not a day of the calendar.",)
    blank = _UNKNOWN.search(words)
    if blank:
        return "", words, (f"{excerpt(blank[0])} is not a date yet.",)
    if words and not _all_usual(words):
        return "", words, (f"No day could be made out in {excerpt(words)}.",)
    return "", words, ()


def _iso(found: re.Match[str]) -> str:
    if found["y"]:
        year, month, day = found["y"], int(found["m"]), found["d"]
    else:
        name = found["month"] or found["month2"]
        month = _MONTHS.index(name[:3].lower()) + 1
        year, day = found["year"] or found["year2"], found["day"] or found["day2"]
    try:
        return datetime.date(int(year), month, int(day)).isoformat()
    except ValueError:
        return ""


def _all_usual(words: str) -> bool:
    return all(word.lower() in _USUAL for word in _WORD.findall(words))
