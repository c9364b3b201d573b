"""Which NIDs, and which names of organizations, a reader may confuse."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from rapidfuzz.distance import OSA

from registry.urn.nid import fold_confusables


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A NID that resembles another, and how; `distance` ranks several."""

    nid: str
    reason: str
    distance: int


GENERIC_PARTS: Final = frozenset(
    ["", *"com edu eu gov id ids info int io net ns nid org schema schemas urn www xml".split()]
)
"""Common parts of identifiers, which do not distinguish them."""
MIN_LENGTH_FOR_TWO_DIFFERENCES: Final = 7
MIN_SHARED_PART: Final = 4
MIN_SHARED_BEGINNING: Final = 5
MIN_INITIALS: Final = 3
MAX_COMPARED_LENGTH: Final = 200
"""Anything longer than every column of NIDs resembles none."""
MAX_LOOKALIKES: Final = 50
"""At most how many similar NIDs a person is told of: the nearest."""


def find_lookalikes(nid: str, candidates: Iterable[str]) -> list[Lookalike]:
    """Return those of `candidates` that resemble `nid`, nearest first, without itself.

    Similar means: the same except for hyphens and look-alike characters, of any script; two
    neighbouring characters swapped; one character different, or two in names of seven characters
    and more; one contained in the other; one being the plural or the initials of the other.
    """
    if len(nid) > MAX_COMPARED_LENGTH:
        return []
    nid = nid.lower()
    found = (compare_nids(nid, other) for other in candidates if other != nid)
    return sorted(filter(None, found), key=lambda likeness: (likeness.distance, likeness.nid))


def compare_nids(nid: str, other: str) -> Lookalike | None:
    """Return how `other` resembles `nid`, or None. Both are in lower case."""
    if fold_confusables(nid) == fold_confusables(other):
        return Lookalike(other, _("Differs only in hyphens or look-alike characters"), 0)
    distance = OSA.distance(nid, other, score_cutoff=count_allowed_differences(nid, other))
    if distance <= count_allowed_differences(nid, other):
        return Lookalike(other, explain_likeness(nid, other, distance), distance)
    reason = explain_kinship(nid, other)
    return Lookalike(other, reason, 3) if reason else None


def count_allowed_differences(*nids: str) -> int:
    """Return in how many characters similar NIDs of these lengths may differ."""
    return 2 if min(map(len, nids)) >= MIN_LENGTH_FOR_TWO_DIFFERENCES else 1


def explain_likeness(nid: str, other: str, distance: int) -> str:
    """Describe the difference between two NIDs that are `distance` edits apart."""
    if distance == 2 and abs(len(nid) - len(other)) == 2:
        return _("Two characters more or less")
    if distance == 2:
        return _("Two characters differ")
    if sorted(nid) == sorted(other):
        return _("Two neighbouring characters are swapped")
    if len(nid) == len(other):
        return _("One character differs")
    return _("One character more or less")


def explain_kinship(nid: str, other: str) -> str:
    """Say how two NIDs consist of the same words, if they do."""
    mine, theirs = split_nid(nid), split_nid(other)
    if is_part_of(mine, theirs) or is_part_of(theirs, mine):
        return _("One contains the other")
    if mine == theirs:
        # What one has besides are words that nearly any NID can have.
        if nid in other or other in nid:
            return _("One contains the other")
        return _("Differs only in common words")
    # A plural begins like its singular: one character tells most pairs apart.
    if mine[0][:1] == theirs[0][:1] and [*map(make_singular, mine)] == [
        *map(make_singular, theirs)
    ]:
        return _("Differs only in singular and plural")
    if is_abbreviation(nid, other) or is_abbreviation(other, nid):
        return _("One is made of the initials of the other")
    return ""


def split_nid(nid: str) -> tuple[str, ...]:
    """Return the words of a NID, without common ones."""
    parts = tuple(nid.split("-"))
    if GENERIC_PARTS.isdisjoint(parts):
        return parts
    return tuple(part for part in parts if part not in GENERIC_PARTS) or parts


def is_part_of(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether the words of one NID are within those of another, or begin or end it."""
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
    return bool(short) and short == find_initials(long)


def find_initials(nid: str) -> str:
    """Return the first letters of a NID's words, or none for fewer than three words."""
    initials = "".join(part[:1] for part in nid.split("-"))
    return initials if len(initials) >= MIN_INITIALS else ""


PARENTHESIS: Final = re.compile(r"\([^()]*\)")
IGNORED_MARKS: Final = re.compile("[.'’`´]")
WORD: Final = re.compile(r"[^\W_]+")
IGNORED_WORDS: Final = frozenset(
    "ag and corp corporation cvba ev gmbh inc incorporated limited llc ltd nv plc sa the".split()
)
"""Articles and legal forms, which do not distinguish bodies."""


def compare_organization_names(name: str, other: str) -> int | None:
    """Return in how many characters two names differ, or None if nobody confuses them.

    0 means that they are written the same but for case, accents, punctuation, remarks in
    parentheses, articles, legal forms, and characters that look alike.
    """
    mine, theirs = split_organization_name(name), split_organization_name(other)
    if mine == theirs:
        return 0
    pairs = (("".join(mine), "".join(theirs)), ("".join(sorted(mine)), "".join(sorted(theirs))))
    most = count_allowed_differences(*pairs[0])
    distance = min(OSA.distance(*pair, score_cutoff=most) for pair in pairs)
    return max(distance, 1) if distance <= most else None


def names_organization(text: str, name: str) -> bool:
    """Whether a line of `text` contains the name of a body, or is it if that is a single word."""
    wanted = split_organization_name(name)
    length = len(wanted)
    for line in text.splitlines():
        words = split_organization_name(line)
        if words == wanted:
            return True
        if length > 1 and any(words[at : at + length] == wanted for at in range(len(words))):
            return True
    return False


def split_organization_name(name: str) -> tuple[str, ...]:
    """Return the words of a name by which bodies are told apart, look-alikes unified."""
    plain = PARENTHESIS.sub(" ", unicodedata.normalize("NFKC", name))
    words = WORD.findall(IGNORED_MARKS.sub("", plain).lower())
    telling = [word for word in words if word not in IGNORED_WORDS] or words
    return tuple(fold_confusables(word) for word in telling or [name])
