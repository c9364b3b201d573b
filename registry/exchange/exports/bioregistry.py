"""NIDs as prefixes of CURIEs, for Bioregistry's programs, prefix maps and JSON-LD."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from registry.batches import batched
from registry.exchange.exports.entries import NamespaceEntry, map_services
from registry.models import Namespace, ResolutionService
from registry.namespace_rules import find_namespace_rule
from registry.selectors.name_rules import read_grammar_columns

TOKENS_PER_PIECE: Final = 10_000
IGNORED_CHARACTERS: Final = str.maketrans("", "", " -_./")


def fold_prefix(word: str) -> str:
    """Return a prefix as Bioregistry compares prefixes."""
    return word.casefold().translate(IGNORED_CHARACTERS)


@dataclass(frozen=True)
class PrefixIndex:
    """All NIDs, sorted, and ready for searching."""

    nids: tuple[str, ...]
    text: str
    """Their search keys, one per line: one search through it is faster than many."""
    starts: tuple[int, ...]
    by_folded: dict[str, str]

    @classmethod
    def of(cls, nids: Iterator[str]) -> PrefixIndex:
        """Return the index of `nids`."""
        ordered = tuple(sorted(nids))
        words = [fold_prefix(nid) for nid in ordered]
        starts = accumulate((len(word) + 1 for word in words[:-1]), initial=0)
        return cls(ordered, "\n".join(words), tuple(starts), dict(zip(words, ordered, strict=True)))

    def named(self, prefix: str) -> str | None:
        """Return the NID that `prefix` stands for, or None if it is not registered."""
        return self.by_folded.get(fold_prefix(prefix))

    def search(self, typed: str) -> list[str]:
        """Return the NIDs in which `typed` occurs."""
        word = fold_prefix(typed)
        if not word:
            return list(self.nids)
        return [] if "\n" in word else list(self.having(word))

    def having(self, word: str) -> Iterator[str]:
        """Yield the NIDs in which a word occurs, in the form in which they are compared."""
        found = self.text.find(word)
        while found >= 0:
            place = bisect_right(self.starts, found) - 1
            yield self.nids[place]
            beyond = self.text.find("\n", found)
            found = -1 if beyond < 0 else self.text.find(word, beyond)


@lru_cache(maxsize=1)
def get_prefix_index(version: int) -> PrefixIndex:
    """Return the NIDs of one version of the registry."""
    return PrefixIndex.of(Namespace.objects.values_list("nid", flat=True).iterator())


# `isbn:0451450523` stands for `urn:isbn:0451450523`.
URI_SCHEMES_FILE: Final = Path(__file__).parents[1] / "seed" / "data" / "uri-schemes.txt"


WHOLE_NSS_PATTERN: Final = re.compile(r"(https?://[^{}$]*)\{\+?nss\}([^{}$]*)")
"""A template that takes the whole NSS and nothing else, which a provider's format can express."""
PROVIDED_SERVICES: Final = frozenset({"I2L", "I2R", "I2C"})


def list_providers(services: Iterable[ResolutionService]) -> list[dict[str, str]]:
    """Return the services of a namespace that Bioregistry's format can express, by number."""
    return [
        {
            "code": f"service{service.pk}",
            "name": service.operator,
            "description": f"{service.service_id} of {service.operator}",
            "homepage": f"{urlsplit(service.template).scheme}://{urlsplit(service.template).netloc}",
            "uri_format": f"{found[1]}$1{found[2]}",
        }
        for service in services
        if service.service_id in PROVIDED_SERVICES
        and not service.prefix
        and (found := WHOLE_NSS_PATTERN.fullmatch(service.template))
    ]


def make_bioregistry_record(
    entry: NamespaceEntry, site: str, services: Iterable[ResolutionService] = ()
) -> dict[str, Any]:
    """Return one namespace as a resource of Bioregistry's registry; `site` is our address."""
    facts: dict[str, Any] = {
        "prefix": entry.nid,
        "preferred_prefix": entry.namespace.nid_as_registered,
        "name": entry.namespace.summary or f"URN namespace {entry.nid}",
        "description": write_description(entry),
        "homepage": f"{site}/namespaces/{entry.nid}/",
        "uri_format": f"urn:{entry.nid}:$1",
        "pattern": find_name_pattern(entry),
        "example": entry.example.removeprefix(f"urn:{entry.nid}:"),
        "references": [
            find_document_url(each) for each in entry.references if find_document_url(each)
        ],
        "version": str(entry.current.number) if entry.current else "",
        "providers": list_providers(services),
        "deprecated": entry.namespace.status != "active" or None,
    }
    return {name: value for name, value in facts.items() if value}


def write_description(entry: NamespaceEntry) -> str:
    """Return a sentence about the namespace."""
    kind = "informal" if entry.is_informal else "formal"
    held = f", held by {entry.registrant}" if entry.registrant else ""
    return f"The {kind} URN namespace {entry.nid}{held} (RFC 8141)."


def find_name_pattern(entry: NamespaceEntry) -> str:
    """Return the regular expression for the NSSs of names, or empty if none can be written.

    It expresses the grammar that names are checked against here: that of the version in force, else
    the one we hold for the namespace. It covers syntax only, not check digits.
    """
    own = entry.current and read_grammar_columns(
        entry.current.grammar,
        entry.current.grammar_kind,
        entry.nid,
        entry.current.grammar_start,
    )
    held = find_namespace_rule(entry.nid)
    followed = own or (held.read_grammar() if held else None)
    return (followed.nss_regex if followed else None) or ""


def find_document_url(reference: str) -> str:
    """Return the address of a document of record, or nothing if only words are known."""
    if reference.startswith("RFC"):
        return f"https://www.rfc-editor.org/info/{reference.lower()}"
    return reference if reference.startswith(("https://", "http://")) else ""


def make_bioregistry(found: Iterable[NamespaceEntry], site: str) -> dict[str, dict[str, Any]]:
    """Return the registry as Bioregistry's programs read it, by prefix."""
    services = map_services()
    return {
        entry.nid: make_bioregistry_record(entry, site, services.get(entry.namespace.pk, ()))
        for entry in found
    }


def make_extended_prefix_map(found: Iterable[NamespaceEntry]) -> list[dict[str, Any]]:
    """Return an extended prefix map: prefix, its synonyms, and what it stands for."""
    return [
        {
            "prefix": entry.nid,
            "uri_prefix": f"urn:{entry.nid}:",
            "prefix_synonyms": list_prefix_synonyms(entry),
            "uri_prefix_synonyms": [
                f"{scheme}:{nid}:"
                for scheme in ("urn", "URN")
                for nid in (entry.nid, *list_prefix_synonyms(entry))
                if (scheme, nid) != ("urn", entry.nid)
            ],
        }
        for entry in found
    ]


def list_prefix_synonyms(entry: NamespaceEntry) -> list[str]:
    """Return other common spellings of a NID: upper case, and as registered."""
    others = {entry.nid.upper(), entry.namespace.nid_as_registered} - {entry.nid}
    return sorted(others)


@cache
def read_uri_schemes() -> frozenset[str]:
    """The registered URI schemes, as shipped."""
    return frozenset(URI_SCHEMES_FILE.read_text("utf-8").lower().split())


def leave_out_schemes(found: Iterable[NamespaceEntry]) -> Iterator[NamespaceEntry]:
    """Yield the namespaces whose NID is no URI scheme: as a prefix it would rewrite its URIs."""
    return (entry for entry in found if entry.nid not in read_uri_schemes())


def make_jsonld_context(found: Iterable[NamespaceEntry]) -> dict[str, Any]:
    """Return a JSON-LD context that maps every NID to its namespace."""
    return {
        "@context": {entry.nid: {"@id": f"urn:{entry.nid}:", "@prefix": True} for entry in found}
    }


def write_stable_json(value: object) -> Iterator[str]:
    """Yield JSON for people and programs: the same value always gives the same octets."""
    encoder = json.JSONEncoder(ensure_ascii=False, indent=2, sort_keys=True)
    yield from map("".join, batched(encoder.iterencode(value), TOKENS_PER_PIECE))
    yield "\n"
