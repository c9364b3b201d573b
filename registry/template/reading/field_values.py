"""Identifier, version, date and subfields, as people write them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

from registry.grammar import EquivalenceSyntaxError, parse_statement
from registry.template.fields import field
from registry.template.template import CHOICE_FIELDS, LIST_FIELDS
from registry.template.text import GRAMMAR_LABELS, SUBFIELD_LABELS
from registry.urn.characters import quote_excerpt
from registry.urn.nid import PLACEHOLDER

_NID: Final = r"[A-Za-z0-9][A-Za-z0-9-]{0,62}[A-Za-z0-9]"
_QUOTED: Final = re.compile(rf"[\"“”'‘`<]\s?(?:urn:)?({_NID}):?\s?[\"“”'’`>]", re.I)
_BARE: Final = re.compile(rf"(?:urn:)?({_NID}):?[.,;]?", re.I)
_NAME_OF_OTHERS: Final = re.compile(rf"urn:{_NID}:[A-Za-z0-9]", re.I)
_IDENTIFIER_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_USUAL_IDENTIFIER_WORDS: Final = frozenset(
    "a an and are as assigned assignment be been being by following for formal from has have"
    " iana id identifier identifiers in informal is it namespace namespaces new nid of or"
    " please proposed register registered registration request requested requesting requests"
    " shall should string text that the this to type uniform resource name names urn urns used"
    " value we will with number next".split()
)


class ParsedIdentifier(NamedTuple):
    """The identifier, empty if none was found; remarks on it; and whether text is left."""

    nid: str
    remarks: tuple[str, ...] = ()
    left: bool = False


def parse_identifier(value: str, text: str) -> ParsedIdentifier:
    """The identifier that `value` asks for in a template whose whole text is `text`."""
    value, more = _split_prose(value)
    words = " ".join(value.split())
    if more:
        return parse_identifier(words, text)._replace(left=True)
    words = _REFERENCE.sub("", words)
    if not words:
        return ParsedIdentifier("")
    if _NAME_OF_OTHERS.search(words):
        return ParsedIdentifier("", (_OF_OTHERS.format(quoted=quote_excerpt(words)),), left=True)
    nid = _find_candidate(words)
    if not nid:
        if _is_usual_identifier(words):
            return ParsedIdentifier("", (f"{quote_excerpt(words)} names no identifier.",))
        return ParsedIdentifier(
            "", (f"No identifier could be made out in {quote_excerpt(words)}.",), left=True
        )
    if _is_within_another(nid, text):
        return ParsedIdentifier("", (_OF_OTHERS.format(quoted=quote_excerpt(nid)),), left=True)
    rest = words.replace(nid, " ", 1)
    sentence = _is_usual_identifier(rest)
    bare = not _IDENTIFIER_WORD.search(rest) or rest.strip(" \"“”'.:").lower() == "urn"
    remarks = () if bare else (f"“{nid}” was read from {quote_excerpt(words, 80)}.",)
    return ParsedIdentifier(nid, remarks, left=not sentence)


_OF_OTHERS: Final = (
    "{quoted} is a name within another namespace, and not an identifier. Names within a namespace"
    " are registered by the rules of that namespace."
)


_REFERENCE: Final = re.compile(r" (?:according to |by |as in )?\[?RFC ?[0-9]{4,5}\]?(?=[.,; ]|$)")


def _split_prose(value: str) -> tuple[str, str]:
    """An identifier on a line of its own, and the sentences below it."""
    first, _, below = value.strip().partition("\n")
    named = _BARE.fullmatch(first.strip())
    begins = below.startswith("\n") or below.lstrip()[:1].isupper()
    if not named or not below.strip() or not begins:
        return value, ""
    return ("", value) if named[1].lower() in _USUAL_IDENTIFIER_WORDS else (first, below)


def _find_candidate(words: str) -> str:
    bare = _BARE.fullmatch(words)
    if bare:
        return (
            ""
            if bare[1].lower() in _USUAL_IDENTIFIER_WORDS or bare[1].lower() == "tbd"
            else bare[1]
        )
    quoted = [match[1] for match in _QUOTED.finditer(words[:2_000])]
    if quoted:
        return quoted[0]
    unusual = [
        word.rstrip("-")
        for word in _IDENTIFIER_WORD.findall(words[:300])
        if word.lower() not in _USUAL_IDENTIFIER_WORDS
    ]
    if PLACEHOLDER in unusual:
        return PLACEHOLDER
    # Without quotation marks a sentence names an identifier only if nothing else can be meant.
    return unusual[0] if len(unusual) == 1 and len(unusual[0]) > 1 else ""


def _is_usual_identifier(words: str) -> bool:
    return all(
        word.lower() in _USUAL_IDENTIFIER_WORDS | {"tbd"}
        for word in _IDENTIFIER_WORD.findall(words)
    )


def _is_within_another(nid: str, text: str) -> bool:
    """Whether names in the text begin with another identifier and have this one as a part."""
    own = re.search(rf"\burn:{nid}\b", text, re.I)
    part = re.search(rf"\burn:(?!{nid}:){_NID}:(?:[\w.-]{{1,60}}:){{0,5}}{nid}\b", text, re.I)
    return part is not None and own is None


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
    r"\b(?P<y>[0-9]{4})(?P<s>[-/. ])(?P<m>[0-9]{1,2})(?P=s)(?P<d>[0-9]{1,2})\b"
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
_EDITION_WORD: Final = re.compile(r"\w+")
_USUAL_EDITION_WORDS: Final = frozenset(
    "and approval approved by date dated first iana initial is number of on registered registration"
    " requested submission submitted the this to version".split()
)


class ParsedEdition(NamedTuple):
    """Version and date, each empty if it was not given, remarks on both, and what is left."""

    version: str = ""
    date: str = ""
    of_version: tuple[str, ...] = ()
    of_date: tuple[str, ...] = ()
    left: bool = False


def parse_edition(value: str) -> ParsedEdition:
    """Version and date in the one field that the older template has for both."""
    words = " ".join(value.split())[:2_000]
    numbered = _VERSION.search(words)
    number = numbered["number"] if numbered else ""
    words = words.replace(numbered[0], " ", 1) if numbered else words
    day, rest, remarks = _find_day(words)
    return ParsedEdition(
        number,
        day,
        _list_remarks(number),
        remarks,
        left=not _is_usual_edition(_UNKNOWN.sub(" ", rest)),
    )


def parse_version(value: str) -> ParsedEdition:
    """The version in a field of its own."""
    words = " ".join(value.split())[:2_000]
    found = _NUMBER.match(words)
    if found:
        number = found[1]
        day, rest, of_date = _find_day(words[found.end() :])
        left = not _is_usual_edition(_UNKNOWN.sub(" ", rest))
        return ParsedEdition(number, day, _list_remarks(number), of_date if day else (), left)
    remarks = (f"{quote_excerpt(words)} is not a number.",) if words else ()
    return ParsedEdition(of_version=remarks, left=not _is_usual_edition(_UNKNOWN.sub(" ", words)))


def parse_date(value: str) -> ParsedEdition:
    """The date in a field of its own."""
    day, rest, remarks = _find_day(" ".join(value.split())[:2_000])
    return ParsedEdition(
        date=day, of_date=remarks, left=not _is_usual_edition(_UNKNOWN.sub(" ", rest))
    )


def _list_remarks(number: str) -> tuple[str, ...]:
    if "." in number:
        return (f"Version “{number}” is kept as it is; RFC 8141 counts versions 1, 2, 3.",)
    return ()


def _find_day(words: str) -> tuple[str, str, tuple[str, ...]]:
    """The day, the words around it, and remarks."""
    found = _DATE.search(words)
    if found:
        day = _format_iso(found)
        rest = words.replace(found[0], " ", 1)
        if day:
            same = found[0] == day
            return day, rest, () if same else (f"{quote_excerpt(found[0])} is written {day}.",)
        return "", rest, (f"{quote_excerpt(found[0])} is not a day of the calendar.",)
    blank = _UNKNOWN.search(words)
    if blank:
        return "", words, (f"{quote_excerpt(blank[0])} is not a date yet.",)
    if words and not _is_usual_edition(words):
        return "", words, (f"No day could be made out in {quote_excerpt(words)}.",)
    return "", words, ()


def _format_iso(found: re.Match[str]) -> str:
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


def _is_usual_edition(words: str) -> bool:
    return all(word.lower() in _USUAL_EDITION_WORDS for word in _EDITION_WORD.findall(words))


_NAMES: Final = {
    section: (*(("grammar",) if section == "syntax" else ()), *labels)
    for section, labels in SUBFIELD_LABELS.items()
}
_RANKS: Final = {
    section: {
        **(dict.fromkeys(GRAMMAR_LABELS.values(), 0) if section == "syntax" else {}),
        **{label: _NAMES[section].index(name) for name, label in labels.items()},
    }
    for section, labels in SUBFIELD_LABELS.items()
}
_KINDS: Final = {label: kind for kind, label in GRAMMAR_LABELS.items()}
_NAME: Final = re.compile(r"urn:\S+", re.I)


def iterate_splits(values: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """The values with what may be at the end of sections, from as much as possible to nothing."""
    sections = [section for section in SUBFIELD_LABELS if section in values]
    splits = [list(_iterate_section_splits(section, values[section])) for section in sections]
    for parts in product(*splits):
        yield dict(values) | {name: text for part in parts for name, text in part.items()}


def split_section(section: str, text: str) -> dict[str, str]:
    """The text of a section and what is at its end, if nothing else can be meant."""
    for parts in _iterate_section_splits(section, text):
        if all(
            _is_entry(name, line)
            for name in LIST_FIELDS & parts.keys()
            for line in parts[name].split("\n")
        ):
            return parts
    return {section: text}


def _is_entry(name: str, line: str) -> bool:
    """Whether a line belongs in the list of that name: a URN, or a statement on two names."""
    if name != "equivalence":
        return _NAME.fullmatch(line) is not None
    try:
        parse_statement(line)
    except EquivalenceSyntaxError:
        return False
    return True


def _iterate_section_splits(section: str, text: str) -> Iterator[dict[str, str]]:
    lines = text.split("\n")
    places = _find_label_places(section, lines)
    for first in range(len(places)):
        parts = _split_at_labels(section, lines, places[first:])
        if all(parts.get(name, "") in field(name).choices for name in CHOICE_FIELDS):
            yield parts
    yield {section: text}


def _find_label_places(section: str, lines: Sequence[str]) -> list[int]:
    """Positions of labels at the margin, if everything below them is empty or indented."""
    places: list[int] = []
    ranks = _RANKS[section]
    rank = len(ranks)
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if line and not line.startswith("  "):
            if ranks.get(line, rank) >= rank or (at and lines[at - 1]):
                break
            rank = ranks[line]
            places.append(at)
    return places[::-1]


def _split_at_labels(section: str, lines: Sequence[str], places: Sequence[int]) -> dict[str, str]:
    parts = {section: "\n".join(lines[: places[0]])}
    for start, end in pairwise([*places, len(lines)]):
        name = _NAMES[section][_RANKS[section][lines[start]]]
        if name == "grammar":
            parts["grammar_kind"] = _KINDS[lines[start]]
        below = lines[start + 1 : end]
        margin = min((len(line) - len(line.lstrip(" ")) for line in below if line), default=0)
        margin = min(margin, 3)
        text = "\n".join(line[margin:] for line in below).strip("\n")
        if name in LIST_FIELDS:
            text = "\n".join(line.strip() for line in text.split("\n") if line)
        parts[name] = text
    return {name: text for name, text in parts.items() if text or name == section}
