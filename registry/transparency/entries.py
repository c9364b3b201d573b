"""The content of log entries, and what of a journal event they commit to.

An entry has no texts and no names: the actor and the words are commitments, each the SHA-256 of a
random salt and the value. Salt and value are published next to the log; once they are withdrawn,
nobody can tell what was committed to, and every proof still holds.

An event that is private when it is written is sealed: its entry is a commitment to the whole event,
and is opened when the event becomes public.
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from registry.transparency.canonical_json import canonicalize, parse_canonical
from registry.transparency.errors import MalformedText, OversizedEntry
from registry.transparency.merkle import hash_leaf

ENTRY_VERSION: Final = 1
MAX_LOG_ENTRY_BYTES: Final = 60_000
"""Bundles can hold 65,535 octets."""
SALT_BYTES: Final = 16
WITHHELD_VERB: Final = "withheld"
"""The verb of an event that is known only by its entry, from a public dump."""
WITHHELD_MOMENT: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
"""When a withheld event says that it happened."""
UNKNOWN_COLUMNS: Final = (
    "actor_id",
    "actor_name",
    "subject",
    "registration_request_id",
    "namespace_id",
    "source",
    "target",
    "comment",
    "data",
    "rows",
    "actor_salt",
    "details_salt",
    "seal_salt",
)
"""The columns that are empty in a withheld event."""
WITHDRAWN_NAME: Final = "Name withdrawn"
"""Replaces a withdrawn name."""

Line = Mapping[str, Any]
"""A journal event by column names, as a dump has it."""


def make_salt() -> str:
    """Return 128 random bits, in hexadecimal."""
    return secrets.token_hex(SALT_BYTES)


def commit_to(salt: str, value: Any) -> str:
    """Return the commitment to a value: SHA-256, in hexadecimal, of the salt and its JSON."""
    return hashlib.sha256(bytes.fromhex(salt) + canonicalize(value)).hexdigest()


def compose_origin_entry(
    origin: str, at: str, *, last_head: Mapping[str, Any] | None, journal: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return entry 0: the log's name, and the head of the log that it continues, if any.

    `journal` is the last link of the digest chain from before the first log.
    """
    entry: dict[str, Any] = {"v": ENTRY_VERSION, "n": 0, "origin": origin, "at": at}
    if last_head:
        entry["continues"] = dict(last_head)
    if journal:
        entry["journal"] = dict(journal)
    return entry


def commit_to_actor(line: Line) -> str:
    """Return the commitment to the actor."""
    return commit_to(line["actor_salt"], {"id": line["actor_id"], "name": line["actor_name"]})


def commit_to_details(line: Line) -> str:
    """Return the commitment to the words."""
    details = {name: line[name] for name in ("subject", "comment", "data")}
    return commit_to(line["details_salt"], details)


def compose_statement(line: Line, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the full content of an event's entry, while its salts exist.

    `facts` say what an action made of rows, in the format of `registry.transparency.replay`.
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


def seal_statement(
    statement: Mapping[str, Any], salt: str, public_rows: Collection[str] = ()
) -> dict[str, Any]:
    """Return the entry of a private event.

    `rows` are those of the changed rows that are public: what became of them is no secret. `about`
    are the kinds of the other rows that it changed, of which an earlier entry may tell. New rows
    are not among them.
    """
    changed = list_changed_rows(statement["rows"])
    rows = {key: changed[key] for key in changed if key in public_rows}
    about = sorted({key.partition(" ")[0] for key in changed.keys() - rows.keys()})
    sealed = commit_to(salt, statement)
    entry = {"v": ENTRY_VERSION, "n": statement["n"], "sealed": sealed, "about": about}
    return {**entry, "rows": rows} if rows else entry


def list_changed_rows(rows: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return those of an event's rows that it changed or removed."""
    return {key: [was, now] for key, (was, now) in rows.items() if was not in ("", now)}


def encode_entry(entry: Mapping[str, Any]) -> bytes:
    """Return the octets of an entry; raise `OversizedEntry` if there are too many."""
    octets = canonicalize(entry)
    if len(octets) > MAX_LOG_ENTRY_BYTES:
        raise OversizedEntry(
            f"An entry of the log would have {len(octets)} octets, more than {MAX_LOG_ENTRY_BYTES}:"
            " the act touches too much at once."
        )
    return octets


def check_line(line: Line) -> bool:
    """Whether an event matches its entry, as far as its salts and its seal exist."""
    is_sound, _statement = examine_line(line)
    return is_sound


def examine_line(line: Line) -> tuple[bool, Mapping[str, Any] | None]:
    """Return whether an event matches its entry, and the entry's content.

    The content is None if the entry cannot be read, or was sealed and cannot be opened. Only what
    salts and seal allow is compared: for a withheld event just the entry, which may be an open one.
    """
    try:
        entry = parse_canonical(line["entry"].encode())
        withheld = is_withheld(line)
        is_closed = withheld and "sealed" in entry
        statement = None if is_closed else open_entry(entry, line)
    except (MalformedText, UnicodeEncodeError, KeyError, TypeError, ValueError, AttributeError):
        return False, None
    try:
        is_sound = (
            hash_leaf(line["entry"].encode()).hex() == line["digest"]
            and entry["n"] == line["number"]
            and entry["v"] == ENTRY_VERSION
            and (withheld or statement is None or not list(list_differences(line, statement)))
        )
    except (MalformedText, KeyError, TypeError, ValueError, AttributeError):
        is_sound = False
    return is_sound, statement


def is_withheld(line: Line) -> bool:
    """Whether only the entry of an event is known, and nothing of what is sealed in it.

    Raises `MalformedText` if the line says anything else, since nothing could confirm it.
    """
    if line["verb"] != WITHHELD_VERB or line["statement"]:
        return False
    if datetime.datetime.fromisoformat(line["at"]) != WITHHELD_MOMENT or any(
        line[name] for name in UNKNOWN_COLUMNS
    ):
        raise MalformedText("The line is withheld, and says more than its entry.")
    return True


def open_entry(entry: Mapping[str, Any], line: Line) -> Mapping[str, Any]:
    """Return the content of an event's entry, from next to the log if it is sealed.

    Raises `MalformedText` if that is not what was sealed.
    """
    if "sealed" not in entry:
        if line["statement"] or line["seal_salt"]:
            raise MalformedText("The entry is not sealed, and something else is beside it.")
        return entry
    statement: Mapping[str, Any] = parse_canonical(line["statement"].encode())
    expected = seal_statement(statement, line["seal_salt"], entry.get("rows", {}))
    if "about" not in entry:
        # An entry from before sealed entries said what they are about.
        expected = {name: expected[name] for name in ("v", "n", "sealed")}
    if entry != expected:
        raise MalformedText("What is beside the entry is not what was sealed.")
    return statement


def list_differences(line: Line, statement: Mapping[str, Any]) -> Iterator[str]:
    """Yield the members of an entry that differ from its event."""
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
