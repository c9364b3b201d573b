"""What columns and forms refuse, and which NIDs a reader may take for one another."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _, gettext_lazy
from rapidfuzz import process
from rapidfuzz.distance import OSA

from registry.template.checks.placeholders import CONTROL_CHARACTERS, describe_position
from registry.urn.nid import fold_confusables

INVISIBLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Controls, marks of direction and joining, private characters, ends of lines and odd blanks."""
INVISIBLE_CHARACTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters of other categories that show nothing: fillers, joiners and selectors of variants."""
BRACKETS: Final = re.compile(r"[\[\]]")
REGISTRY_NAME: Final = "the registry"

PARTIAL_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


def validate_partial_date(value: str) -> None:
    """Refuse anything but `YYYY`, `YYYY-MM`, `YYYY-MM-DD` (real dates) or nothing."""
    if not value:
        return
    match = PARTIAL_DATE.fullmatch(value)
    try:
        if match is None:
            raise ValueError
        year, month, day = (int(part or 1) for part in match.groups())
        datetime.date(year, month, day)
    except ValueError:
        raise ValidationError(
            gettext_lazy(
                "“%(value)s” is not a date. Write 2026-11-20, or 2026-11, or leave it empty."
            ),
            code="partial_date",
            params={"value": value},
        ) from None


def validate_no_control_characters(value: str) -> None:
    """Refuse control characters other than tab and line ends, naming line and column."""
    text = value.replace("\r\n", "\n")
    match = CONTROL_CHARACTERS.search(text)
    if match is None:
        return
    raise ValidationError(
        gettext_lazy("There is a control character (U+%(code)04X) in %(place)s. Delete it."),
        code="control_character",
        params={"code": ord(match.group()), "place": describe_position(text, match.start())},
    )


def validate_name(value: str) -> None:
    """Refuse a name of a person or an organization that has anything in it which nobody sees.

    Marks of direction and characters without a shape make two names look like one.
    """
    for place, character in enumerate(value, start=1):
        if is_invisible(character):
            raise ValidationError(
                gettext_lazy(
                    "Character %(place)d of the name (U+%(code)04X) is an invisible character, "
                    "a line break or an unusual space. Delete it, or type the name by hand."
                ),
                code="unseen_character",
                params={"place": place, "code": ord(character)},
            )
    if not any(character.isalnum() for character in value):
        raise ValidationError(
            gettext_lazy("A name needs a letter or a digit. Type the name in full."),
            code="no_letter",
        )


def validate_name_of_person(value: str) -> None:
    """Refuse what `validate_name` does, and a name that could be read as one with a badge.

    Where there is no colour and no border, officers are told by words in square brackets.
    """
    validate_name(value)
    if BRACKETS.search(value):
        raise ValidationError(
            gettext_lazy(
                "Square brackets mark the offices of the registry. Write the name without them."
            ),
            code="bracket",
        )
    if value.strip().casefold() == REGISTRY_NAME:
        raise ValidationError(
            gettext_lazy("This is the name of the registry. Enter your own."),
            code="taken_name",
        )


def strip_invisible(name: str) -> str:
    """Return a name that cannot be refused, as that of who wrote a mail, with what is proper."""
    spaced = "".join(" " if is_invisible(each) and each.isspace() else each for each in name)
    proper = "".join(each for each in BRACKETS.sub("", spaced) if not is_invisible(each))
    return " ".join(proper.split())


def is_invisible(character: str) -> bool:
    """Whether the character shows nothing, or moves others; the plain blank is seen."""
    return character != " " and (
        unicodedata.category(character) in INVISIBLE_CATEGORIES
        or bool(INVISIBLE_CHARACTERS.match(character))
    )


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A NID that resembles another, and in what; `distance` says which of several is nearest."""

    nid: str
    reason: str
    distance: int


GENERIC_PARTS: Final = frozenset(
    ["", *"com edu eu gov id ids info int io net ns nid org schema schemas urn www xml".split()]
)
"""Parts that many identifiers have and that tell none from another."""
MIN_LENGTH_FOR_TWO_DIFFERENCES: Final = 7
MIN_SHARED_PART: Final = 4
MIN_SHARED_BEGINNING: Final = 5
MIN_INITIALS: Final = 3


def find_lookalikes(nid: str, candidates: Iterable[str]) -> list[Lookalike]:
    """Return those of `candidates` that resemble `nid`, the nearest first, itself left out.

    Near is: the same but for hyphens and look-alike characters, of any script; two neighbours
    changed places; one character differs, or two do in names of seven characters and more; one is
    a part of the other; one is the plural or the initials of the other.
    """
    nid = nid.lower()
    listed = [other for other in candidates if other != nid]
    # Of tens of thousands one by one would take seconds: they are folded as one text, measured in
    # one call, and most are told apart by a few comparisons of text.
    folded = zip(listed, fold_confusables("\n".join(listed)).split("\n"), strict=False)
    plain_nid = fold_nid(nid)
    same = {other for other, plain in folded if plain == plain_nid}
    near = process.extract(nid, listed, scorer=OSA.distance, score_cutoff=2, limit=None)
    distances = {other: distance for other, distance, _place in near}
    kin = set(filter(KinshipFilter(nid).may_be_kin, listed))
    found = (
        compare_nids(nid, other, 0 if other in same else distances.get(other, 3))
        for other in same.union(distances, kin)
    )
    return sorted(filter(None, found), key=lambda likeness: (likeness.distance, likeness.nid))


def compare_nids(nid: str, other: str, distance: int) -> Lookalike | None:
    """Return how `other` resembles `nid`, or None.

    `distance` is 0 where they are alike once folded, else how many characters differ, 3 for more.
    """
    if distance == 0:
        return Lookalike(other, _("Differs only in hyphens or look-alike characters"), 0)
    allowed = 2 if min(len(nid), len(other)) >= MIN_LENGTH_FOR_TWO_DIFFERENCES else 1
    if distance <= allowed:
        return Lookalike(other, explain_likeness(nid, other, distance), distance)
    reason = explain_kinship(nid, other)
    return Lookalike(other, reason, 3) if reason else None


def explain_likeness(nid: str, other: str, distance: int) -> str:
    """Say in what two NIDs differ that are `distance` edits apart."""
    if distance == 2:
        return _("Two characters differ")
    if sorted(nid) == sorted(other):
        return _("Two neighbouring characters are swapped")
    if len(nid) == len(other):
        return _("One character differs")
    return _("One character more or less")


def explain_kinship(nid: str, other: str) -> str:
    """Say how two NIDs are made of the same words, if they are."""
    mine, theirs = split_nid(nid), split_nid(other)
    if is_part_of(mine, theirs) or is_part_of(theirs, mine):
        return _("One contains the other")
    # No plural begins otherwise than its singular: most pairs are told apart by one character.
    if mine[0][:1] == theirs[0][:1] and [*map(make_singular, mine)] == [
        *map(make_singular, theirs)
    ]:
        return _("Differs only in singular and plural")
    if is_abbreviation(nid, other) or is_abbreviation(other, nid):
        return _("One is made of the initials of the other")
    return ""


class KinshipFilter:
    """Tells which NIDs can have words in common with one, as `explain_kinship` has it, at all."""

    def __init__(self, nid: str) -> None:
        words = split_nid(nid)
        self.count, self.joined = len(words), "".join(words)
        # Singular and plural of a word differ after these letters: “city” and “cities”.
        self.first, self.last = (
            make_singular(word).removesuffix("y") for word in (words[0], words[-1])
        )
        self.initials = "".join(part[:1] for part in nid.split("-"))
        self.hyphens = len(nid) - 1

    def may_be_kin(self, other: str) -> bool:
        """Whether the two have to be compared word by word; errs on that side alone."""
        words = split_nid(other)
        joined = "".join(words)
        return (
            self.joined in joined
            or joined in self.joined
            or (
                len(words) == self.count
                and words[0].startswith(self.first)
                and words[-1].startswith(self.last)
            )
            or other == self.initials
            or other.count("-") >= self.hyphens
        )


@lru_cache(maxsize=20_000)
def fold_nid(nid: str) -> str:
    """Return a NID with what looks alike made the same."""
    return fold_confusables(nid)


def split_nid(nid: str) -> tuple[str, ...]:
    """Return the words of a NID, without those that many have."""
    parts = tuple(nid.split("-"))
    if GENERIC_PARTS.isdisjoint(parts):
        return parts
    return tuple(part for part in parts if part not in GENERIC_PARTS) or parts


def is_part_of(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether the words of one NID stand within those of another, or begin or end it."""
    joined, whole = "".join(short), "".join(long)
    if len(joined) < MIN_SHARED_PART or joined not in whole:
        return False
    if any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1)):
        return True
    return len(joined) >= MIN_SHARED_BEGINNING and (
        whole.startswith(joined) or whole.endswith(joined)
    )


def make_singular(word: str) -> str:
    """Return a word without the ending of an English plural."""
    if len(word) < MIN_SHARED_PART:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    return word.removesuffix("s")


def is_abbreviation(short: str, long: str) -> bool:
    """Whether one NID consists of the first letters of the words of the other."""
    if long.count("-") < len(short) - 1:
        return False
    initials = "".join(part[:1] for part in long.split("-"))
    return len(initials) >= MIN_INITIALS and short == initials
