"""Which NIDs a reader may confuse, and the keys under which similar NIDs are found.

`find_lookalikes` compares a few NIDs exactly. Which few, of however many there are, comes from an
index: each NID is stored under the keys of `list_keys`, and `list_probes` lists the keys of similar
NIDs. Two similar NIDs always share a key; sharing a key does not mean being similar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Final

from django.utils.translation import gettext as _
from rapidfuzz.distance import OSA

from registry.urn.nid import MAX_NID_LENGTH, fold_confusables


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
INDEXED_BEGINNING: Final = 16
"""How many characters of a NID are used to find those that differ in one or two."""


def find_lookalikes(nid: str, candidates: Iterable[str]) -> list[Lookalike]:
    """Return those of `candidates` that resemble `nid`, nearest first, without itself.

    Similar means: the same except for hyphens and look-alike characters, of any script; two
    neighbouring characters swapped; one character different, or two in names of seven characters
    and more; one contained in the other; one being the plural or the initials of the other.
    """
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


@dataclass(frozen=True, slots=True)
class Probes:
    """Where to find the NIDs that resemble one.

    The keys `near` have few NIDs each, given how people choose them; `containing` has those with
    all the words of this one, which may be thousands. `initials` is the only NID that can be an
    abbreviation of this one. Both are None if there is nothing to look for.
    """

    near: frozenset[int]
    containing: int | None
    initials: str | None


def list_keys(nid: str) -> set[int]:
    """Return the keys of a NID: some 70 for one of ten characters, 250 at most.

    A text longer than a NID may be cannot be part of another and is rarely stored: all of those
    share one key, and are always compared.
    """
    if len(nid) > MAX_NID_LENGTH:
        return {LONG_KEY}
    joined = "".join(split_nid(nid))
    keys = {make_key("deleted", each) for each in iterate_deletions(nid)}
    keys |= {make_key("part", each) for each in iterate_parts(nid)}
    keys |= {make_key("folded", fold_confusables(nid)), make_key("singular", join_singulars(nid))}
    keys |= {make_key("whole", joined)}
    if initials := find_initials(nid):
        keys.add(make_key("initials", initials))
    return keys


def list_probes(nid: str) -> Probes:
    """Return where to find the NIDs that resemble `nid`, which is in lower case."""
    joined = "".join(split_nid(nid))
    near = {make_key("deleted", each) for each in iterate_deletions(nid)}
    near |= {make_key("whole", each) for each in iterate_parts(nid)}
    near |= {make_key("folded", fold_confusables(nid)), make_key("singular", join_singulars(nid))}
    near |= {make_key("initials", nid), LONG_KEY}
    is_part = MIN_SHARED_PART <= len(joined) <= MAX_NID_LENGTH
    return Probes(
        frozenset(near), make_key("part", joined) if is_part else None, find_initials(nid) or None
    )


def find_own_key(nid: str) -> int:
    """Return one of the keys of a NID, which shows whether it is stored under all of them."""
    return LONG_KEY if len(nid) > MAX_NID_LENGTH else make_key("folded", fold_confusables(nid))


def iterate_deletions(nid: str) -> Iterator[str]:
    """Yield the beginning of a NID with up to as many characters deleted as may differ.

    Two texts that many edits apart have a common text that is left of both after as many deletions,
    and so do their beginnings of equal length: what an edit moves past the end of one, a deletion
    removes from the other.
    """
    beginning = nid[:INDEXED_BEGINNING]
    for count in range(count_allowed_differences(nid) + 1):
        kept = max(len(beginning) - count, 0)
        yield from map("".join, combinations(beginning, kept))


def iterate_parts(nid: str) -> Iterator[str]:
    """Yield what `is_part_of` may find in a NID, as one word: its words, beginnings and ends."""
    words = split_nid(nid)
    joined = "".join(words)
    for first in range(len(words)):
        part = ""
        for word in words[first:]:
            part += word
            if len(part) > MAX_NID_LENGTH:
                break
            if len(part) >= MIN_SHARED_PART:
                yield part
    for length in range(MIN_SHARED_BEGINNING, min(len(joined), MAX_NID_LENGTH) + 1):
        yield joined[:length]
        yield joined[-length:]


def join_singulars(nid: str) -> str:
    """Return the words of a NID in the singular, as one text."""
    return "-".join(map(make_singular, split_nid(nid)))


def make_key(kind: str, text: str) -> int:
    """Return the key of a text of this kind: 64 bits of a digest, as a database stores them."""
    octets = f"{kind} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(octets, digest_size=8).digest(), signed=True)


LONG_KEY: Final = make_key("long", "")
