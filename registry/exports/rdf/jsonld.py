"""Graphs as JSON-LD 1.1. The context is inside, so that nothing has to be fetched to read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from registry.exports.rdf.graph import IRI, Node, Term, prefixes
from registry.exports.rdf.turtle import BARRED

HALF: Final = re.compile("[\ud800-\udfff]")


def jsonld(nodes: Iterable[Node], site: str) -> Iterator[str]:
    """Yield the document: the context, then a line for each thing."""
    yield f'{{"@context": {json.dumps(prefixes(site))},\n"@graph": ['
    before = "\n"
    for each in nodes:
        yield before + json.dumps(told(each), ensure_ascii=False)
        before = ",\n"
    yield "\n]}\n"


def told(each: Node) -> dict[str, Any]:
    """Return what is said of one thing; what is said twice is a list."""
    facts: dict[str, Any] = {"@id": address(each.id)}
    if each.types:
        facts["@type"] = list(each.types)
    for name, value in each.said:
        facts.setdefault(name, []).append(term(value))
    return facts


def term(value: Term) -> dict[str, str]:
    """Return a thing or a value as JSON-LD writes it."""
    if isinstance(value, IRI):
        return {"@id": address(value)}
    written = {"@value": HALF.sub("\N{REPLACEMENT CHARACTER}", value.text)}
    if value.language:
        return written | {"@language": value.language}
    return written | ({"@type": value.datatype} if value.datatype else {})


def address(value: IRI) -> str:
    """Return what stands for a thing."""
    return BARRED.sub(lambda found: f"%{ord(found[0]):02X}", value)
