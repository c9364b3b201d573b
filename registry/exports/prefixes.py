"""NIDs as the prefixes of compact names: for Bioregistry's programs, and for JSON-LD.

`isbn:0451450523` stands for `urn:isbn:0451450523`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from registry import grammar
from registry.exports.entries import Entry
from registry.rulebook import rule


def record(entry: Entry, site: str) -> dict[str, Any]:
    """Return one namespace as Bioregistry's registry holds a resource; `site` is our address."""
    facts: dict[str, Any] = {
        "prefix": entry.nid,
        "preferred_prefix": entry.namespace.nid_as_registered,
        "name": entry.namespace.summary or f"URN namespace {entry.nid}",
        "description": description(entry),
        "homepage": f"{site}/namespaces/{entry.nid}/",
        "uri_format": f"urn:{entry.nid}:$1",
        "pattern": pattern(entry),
        "example": entry.example.removeprefix(f"urn:{entry.nid}:"),
        "references": [address(each) for each in entry.references if address(each)],
        "version": str(entry.current.number) if entry.current else "",
        "deprecated": entry.namespace.status != "active" or None,
    }
    return {name: value for name, value in facts.items() if value}


def description(entry: Entry) -> str:
    """Return a sentence about the namespace."""
    kind = "informal" if entry.is_informal else "formal"
    held = f", held by {entry.registrant}" if entry.registrant else ""
    return f"The {kind} URN namespace {entry.nid}{held} (RFC 8141)."


def pattern(entry: Entry) -> str:
    """Return the expression that the names follow, where a regular expression says it."""
    current = entry.current
    if current and current.grammar_kind == "regex" and grammar_is_read(current.grammar):
        return f"^{current.grammar.strip().removeprefix('^').removesuffix('$')}$"
    held = rule(entry.nid)
    return f"^{held.grammar.strip()}$" if held and held.kind == "regex" else ""


def grammar_is_read(text: str) -> bool:
    """Whether the expression is one that our own reader understands."""
    try:
        grammar.read(text, "regex")
    except grammar.GrammarSyntaxError:
        return False
    return True


def address(reference: str) -> str:
    """Return where a document of record is read; nothing where only words are known."""
    if reference.startswith("RFC"):
        return f"https://www.rfc-editor.org/info/{reference.lower()}"
    return reference if reference.startswith(("https://", "http://")) else ""


def registry(found: Iterable[Entry], site: str) -> dict[str, dict[str, Any]]:
    """Return the registry as Bioregistry's programs read it, by prefix."""
    return {entry.nid: record(entry, site) for entry in found}


def extended_prefix_map(found: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return an extended prefix map: prefix, its synonyms, and what it stands for."""
    return [
        {
            "prefix": entry.nid,
            "uri_prefix": f"urn:{entry.nid}:",
            "prefix_synonyms": synonyms(entry),
            "uri_prefix_synonyms": [
                f"{scheme}:{nid}:"
                for scheme in ("urn", "URN")
                for nid in (entry.nid, *synonyms(entry))
                if (scheme, nid) != ("urn", entry.nid)
            ],
        }
        for entry in found
    ]


def synonyms(entry: Entry) -> list[str]:
    """Return the other spellings of a NID that people meet: upper case, and as registered."""
    others = {entry.nid.upper(), entry.namespace.nid_as_registered} - {entry.nid}
    return sorted(others)


def context(found: Iterable[Entry]) -> dict[str, Any]:
    """Return a JSON-LD context that maps every NID to its namespace."""
    return {
        "@context": {entry.nid: {"@id": f"urn:{entry.nid}:", "@prefix": True} for entry in found}
    }


def written(value: object) -> str:
    """Return JSON for people and programs: the same value, the same octets."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
