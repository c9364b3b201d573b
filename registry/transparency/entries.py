"""What an entry of the registry's log says, and what of a line of the journal it commits to.

An entry has no texts and no names: who acted, and what was said, is there as a commitment, the
SHA-256 of a random salt and of the value. Salt and value are given out beside the log; once they
are withdrawn, nobody can tell what was committed to, and every proof still holds.

A line that is not for everybody when it is written is sealed: its entry is a commitment to all
that it says, and is opened when the line becomes public.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, Final

from registry.transparency.canonical_json import canonicalize, parse_canonical
from registry.transparency.errors import MalformedText
from registry.transparency.merkle import hash_leaf

ENTRY_VERSION: Final = 1
MAX_LOG_ENTRY_BYTES: Final = 60_000
"""Bundles can hold 65,535 octets."""
SALT_BYTES: Final = 16
WITHHELD_VERB: Final = "withheld"
"""The verb of a line that is known by its entry alone, from a public dump."""
WITHDRAWN_NAME: Final = "Name withdrawn"
"""Stands in the place of a name that was withdrawn."""

Line = Mapping[str, Any]
"""A line of the journal by the names of its columns, as a dump has it."""


def make_salt() -> str:
    """Return 128 random bits, in hexadecimal."""
    return secrets.token_hex(SALT_BYTES)


def commit_to(salt: str, value: Any) -> str:
    """Return the commitment to a value: SHA-256, in hexadecimal, of the salt and its JSON."""
    return hashlib.sha256(bytes.fromhex(salt) + canonicalize(value)).hexdigest()


def compose_origin_entry(
    origin: str, at: str, *, last_head: Mapping[str, Any] | None, journal: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return entry 0: the log's name, the head of the log that it goes on from, if any.

    `journal` is the last line of the chain of digests that there was before the first log.
    """
    entry: dict[str, Any] = {"v": ENTRY_VERSION, "n": 0, "origin": origin, "at": at}
    if last_head:
        entry["continues"] = dict(last_head)
    if journal:
        entry["journal"] = dict(journal)
    return entry


def commit_to_actor(line: Line) -> str:
    """Return the commitment to who acted."""
    return commit_to(line["actor_salt"], {"id": line["actor_id"], "name": line["actor_name"]})


def commit_to_details(line: Line) -> str:
    """Return the commitment to what was said."""
    details = {name: line[name] for name in ("subject", "comment", "data")}
    return commit_to(line["details_salt"], details)


def compose_statement(line: Line, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that the entry of a line says, while its salts are there.

    `facts` say what an act made of rows, in the words of `registry.transparency.replay`.
    """
    return {
        "v": ENTRY_VERSION,
        "n": line["number"],
        "at": line["at"],
        "verb": line["verb"],
        "request": line["registration_request_id"],
        "namespace": line["namespace_id"],
        "source": line["source"],
        "target": line["target"],
        "actor": commit_to_actor(line),
        "details": commit_to_details(line),
        "rows": line["rows"],
        "facts": dict(facts),
    }


def seal_statement(statement: Mapping[str, Any], salt: str) -> dict[str, Any]:
    """Return the entry of a line that is not for everybody."""
    sealed = commit_to(salt, statement)
    return {"v": ENTRY_VERSION, "n": statement["n"], "sealed": sealed}


def encode_entry(entry: Mapping[str, Any]) -> bytes:
    """Return the octets of an entry; raise `MalformedText` where they are too many."""
    octets = canonicalize(entry)
    if len(octets) > MAX_LOG_ENTRY_BYTES:
        raise MalformedText(
            f"An entry of the log would have {len(octets)} octets, more than {MAX_LOG_ENTRY_BYTES}:"
            " the act touches too much at once."
        )
    return octets


def check_line(line: Line) -> bool:
    """Whether a line is what its entry says, as far as its salts and its seal are there."""
    is_sound, _statement = examine_line(line)
    return is_sound


def examine_line(line: Line) -> tuple[bool, Mapping[str, Any] | None]:
    """Return whether a line is what its entry says, and what that is.

    It is none where the entry cannot be read, or was sealed and cannot be opened. As far as salts
    and seal are there: of a line that is withheld the entry alone is compared.
    """
    try:
        entry = parse_canonical(line["entry"].encode())
        statement = None if line["verb"] == WITHHELD_VERB else open_entry(entry, line)
    except (MalformedText, UnicodeEncodeError, KeyError, TypeError, ValueError, AttributeError):
        return False, None
    try:
        is_sound = (
            hash_leaf(line["entry"].encode()).hex() == line["digest"]
            and entry["n"] == line["number"]
            and entry["v"] == ENTRY_VERSION
            and (statement is None or not list(list_differences(line, statement)))
        )
    except (MalformedText, KeyError, TypeError, ValueError, AttributeError):
        is_sound = False
    return is_sound, statement


def open_entry(entry: Mapping[str, Any], line: Line) -> Mapping[str, Any]:
    """Return what the entry of a line says, from beside the log where it is sealed.

    Raises `MalformedText` where what is beside it is not what was sealed.
    """
    if "sealed" not in entry:
        if line["statement"] or line["seal_salt"]:
            raise MalformedText("The entry is not sealed, and something else is beside it.")
        return entry
    statement: Mapping[str, Any] = parse_canonical(line["statement"].encode())
    if commit_to(line["seal_salt"], statement) != entry["sealed"]:
        raise MalformedText("What is beside the entry is not what was sealed.")
    return statement


def list_differences(line: Line, statement: Mapping[str, Any]) -> Iterator[str]:
    """Yield the members of an entry that are not what its line says."""
    hidden = {"actor", "details"} - {name for name in ("actor", "details") if line[f"{name}_salt"]}
    filled = {**line, **{f"{name}_salt": "00" for name in hidden}}
    expected = compose_statement(filled, statement["facts"])
    if "actor" in hidden and line["actor_name"] != WITHDRAWN_NAME:
        yield "actor"
    if expected.keys() != statement.keys():
        yield "v"
    for name, value in expected.items():
        if name not in hidden and statement.get(name) != value:
            yield name
