"""What we say about each namespace in our own words, and the words people search for it by.

The data is in `data.toml`, a table for each namespace, with the sources of its facts.
`find_description` returns None for a namespace that is not there yet, such as one registered today.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

DESCRIPTIONS_FILE: Final = Path(__file__).resolve().parent / "data.toml"


@dataclass(frozen=True, slots=True)
class NamespaceDescription:
    """The description of one namespace.

    `sources` are documents for the facts in `paragraph`; `example` is a whole URN, empty if no
    document gives one; `keywords` are everyday phrases that people search by, and `formerly` old
    identifiers, documents and names of bodies. `called` is what one of the names is called, such as
    ISBN.
    """

    nid: str
    paragraph: str
    sources: tuple[str, ...]
    keywords: tuple[str, ...]
    formerly: tuple[str, ...] = ()
    example: str = ""
    called: str = ""


def find_description(nid: str) -> NamespaceDescription | None:
    """Return the description of the namespace of a canonical NID, or None."""
    return read_descriptions().get(nid)


@cache
def read_descriptions() -> Mapping[str, NamespaceDescription]:
    """Return all descriptions by NID."""
    held = tomllib.loads(DESCRIPTIONS_FILE.read_text("utf-8"))
    return {
        nid: NamespaceDescription(
            nid,
            said["paragraph"],
            tuple(said["sources"]),
            tuple(said["keywords"]),
            tuple(said.get("formerly", ())),
            said.get("example", ""),
            said.get("called", ""),
        )
        for nid, said in held.items()
    }
