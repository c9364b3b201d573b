"""A text in which URIs are found, with the names that they are or carry."""

from __future__ import annotations

from dataclasses import dataclass

from registry.inspection.batch import RegisteredNids
from registry.namespace_rules.suggestions import SuggestedName, find_name_in_address
from registry.urn import Found, find, parse


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece of a searched text: one of the URIs, or what is between two of them.

    `name` is the name that a URI of another scheme carries, such as the address of a resolver.
    """

    text: str
    found: Found | None = None
    is_registered: bool = False
    name: SuggestedName | None = None


def split_at_uris(text: str, most: int, registered: RegisteredNids) -> tuple[FoundPiece, ...]:
    """Return all of `text` in pieces, of which up to `most` are URIs found in it."""
    pieces: list[FoundPiece] = []
    reached = 0
    for count, found in enumerate(find(text, with_suffixes=True)):
        if count == most:
            break
        if found.start > reached:
            pieces.append(FoundPiece(text[reached : found.start]))
        is_registered = found.is_urn and parse(found.text).nid in registered
        name = find_carried_name(found, registered)
        pieces.append(FoundPiece(text[found.start : found.end], found, is_registered, name))
        reached = found.end
    if reached < len(text):
        pieces.append(FoundPiece(text[reached:]))
    return tuple(pieces)


def find_carried_name(found: Found, registered: RegisteredNids) -> SuggestedName | None:
    """Return the name in a URI that is not a URN, if its rule does not refuse it."""
    if found.is_urn:
        return None
    return find_name_in_address(found.text, registered.explaining_rule)
