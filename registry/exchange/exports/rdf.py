"""RDF graphs: nodes and statements, written as Turtle, N-Triples or JSON-LD."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from registry.exchange.exports.absence import is_absent

KNOWN_PREFIXES: Final[Mapping[str, str]] = {
    "adms": "http://www.w3.org/ns/adms#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcatap": "http://data.europa.eu/r5r/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
OWN_PREFIX: Final = "reg"
IRI_PATTERN: Final = re.compile(r"https?://[^\x00-\x20<>\"{}|\\^`\x7f-\x9f]+")


class IRI(str):
    """The name of a thing: prefixed, such as `skos:Concept`, or a full address."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RDFLiteral:
    """A text, a number or a day, with the type of the value or the language."""

    text: str
    datatype: str = ""
    language: str = ""


RDFTerm = IRI | RDFLiteral


@dataclass(frozen=True, slots=True)
class RDFNode:
    """A thing with its classes and its properties."""

    id: IRI
    types: tuple[str, ...]
    said: tuple[tuple[str, RDFTerm], ...]


def make_node(identity: str, types: str, *said: tuple[str, RDFTerm | None]) -> RDFNode:
    """Return a thing of the classes in `types`; unknown values are left out."""
    known = tuple((name, term) for name, term in said if term is not None)
    return RDFNode(IRI(identity), tuple(types.split()), known)


def list_graph_prefixes(site: str) -> dict[str, str]:
    """Return the prefixes of all graphs: common ones, and that of our own vocabulary."""
    return {**KNOWN_PREFIXES, OWN_PREFIX: f"{site}/ns#"}


def make_iri(address: str) -> IRI | None:
    """Return an address as a name, or None if it is not an address."""
    return IRI(address) if IRI_PATTERN.fullmatch(address) else None


def make_text_literal(words: object, language: str = "") -> RDFLiteral | None:
    """Return a text, or None if it is empty."""
    return None if is_absent(words) else RDFLiteral(str(words), language=language)


def make_typed_literal(value: object, datatype: str) -> RDFLiteral:
    """Return a value of a type such as `xsd:integer`."""
    return RDFLiteral(str(value), datatype)


def make_moment_literal(at: datetime.datetime) -> RDFLiteral:
    """Return a time, in UTC."""
    written = at.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
    return RDFLiteral(written, "xsd:dateTime")


def make_day_literal(written: object) -> RDFLiteral | None:
    """Return a day, or the month or year if no more is known."""
    kinds = {4: "xsd:gYear", 7: "xsd:gYearMonth", 10: "xsd:date"}
    kind = kinds.get(len(str(written)))
    return RDFLiteral(str(written), kind) if kind else None


def describe_checksum(identity: str, sha256: str) -> Iterator[RDFNode]:
    """Yield the SHA-256 of something, as SPDX describes it."""
    yield make_node(
        identity,
        "spdx:Checksum",
        ("spdx:algorithm", IRI("spdx:checksumAlgorithm_sha256")),
        ("spdx:checksumValue", make_typed_literal(sha256, "xsd:hexBinary")),
    )


PREFIXED_NAME: Final = re.compile(r"(?P<prefix>[a-z]+):(?P<local>[A-Za-z_][A-Za-z0-9_-]*)")
ESCAPES: Final = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
ESCAPED_CHARACTERS: Final = re.compile(r'[\\"\x00-\x1f\x7f\ud800-\udfff]')
BARRED_IN_IRI: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\]")


def write_turtle(nodes: Iterable[RDFNode], site: str) -> Iterator[str]:
    """Yield the document: the prefixes, then a paragraph for each thing."""
    known = list_graph_prefixes(site)
    yield "".join(f"@prefix {name}: <{start}> .\n" for name, start in known.items())
    for each in nodes:
        yield f"\n{write_turtle_node(each, known)}"


def write_turtle_node(each: RDFNode, known: Mapping[str, str]) -> str:
    """Return the statements about one thing."""
    said = [("a", ", ".join(each.types))] if each.types else []
    said += [(name, write_turtle_term(value, known)) for name, value in each.said]
    return (
        f"{write_turtle_term(each.id, known)}\n    " + " ;\n    ".join(map(" ".join, said)) + " .\n"
    )


def write_turtle_term(value: RDFTerm, known: Mapping[str, str]) -> str:
    """Return a thing or a value in Turtle."""
    if isinstance(value, IRI):
        return write_turtle_iri(value, known)
    written = f'"{ESCAPED_CHARACTERS.sub(escape_turtle_character, value.text)}"'
    return written + write_literal_suffix(value)


def write_literal_suffix(value: RDFLiteral) -> str:
    """Return what follows the text of a value: its language or its type."""
    if value.language:
        return f"@{value.language}"
    return f"^^{value.datatype}" if value.datatype else ""


def write_turtle_iri(value: IRI, known: Mapping[str, str]) -> str:
    """Return a name, prefixed if it has a prefix."""
    short = PREFIXED_NAME.fullmatch(value)
    if short and short["prefix"] in known:
        return str(value)
    return f"<{BARRED_IN_IRI.sub(lambda found: f'%{ord(found[0]):02X}', value)}>"


def escape_turtle_character(found: re.Match[str]) -> str:
    """Return a character escaped for a text; a lone surrogate cannot be written."""
    if "\ud800" <= found[0] <= "\udfff":
        return "\N{REPLACEMENT CHARACTER}"
    return ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}"


RDF_TYPE: Final = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def write_ntriples(nodes: Iterable[RDFNode], site: str) -> Iterator[str]:
    """Yield the document, one statement per line, so that lines can be cut, sorted and compared."""
    known = list_graph_prefixes(site)
    for each in nodes:
        subject = write_full_iri(each.id, known)
        said = [(RDF_TYPE, write_full_iri(IRI(name), known)) for name in each.types]
        said += [
            (write_full_iri(IRI(name), known), write_full_term(value, known))
            for name, value in each.said
        ]
        yield "".join(f"{subject} {name} {value} .\n" for name, value in said)


def write_full_iri(value: IRI, known: Mapping[str, str]) -> str:
    """Return a full name without a prefix."""
    short = PREFIXED_NAME.fullmatch(value)
    whole = known[short["prefix"]] + short["local"] if short and short["prefix"] in known else value
    return f"<{BARRED_IN_IRI.sub(lambda found: f'%{ord(found[0]):02X}', whole)}>"


def write_full_term(value: RDFTerm, known: Mapping[str, str]) -> str:
    """Return a thing or a value in N-Triples."""
    if isinstance(value, IRI):
        return write_full_iri(value, known)
    written = f'"{ESCAPED_CHARACTERS.sub(escape_turtle_character, value.text)}"'
    if value.language:
        return f"{written}@{value.language}"
    return f"{written}^^{write_full_iri(IRI(value.datatype), known)}" if value.datatype else written


LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def write_jsonld(nodes: Iterable[RDFNode], site: str) -> Iterator[str]:
    """Yield the document: the context, then a line for each thing."""
    yield f'{{"@context": {json.dumps(list_graph_prefixes(site))},\n"@graph": ['
    before = "\n"
    for each in nodes:
        yield before + json.dumps(convert_node_to_jsonld(each), ensure_ascii=False)
        before = ",\n"
    yield "\n]}\n"


def convert_node_to_jsonld(each: RDFNode) -> dict[str, Any]:
    """Return the properties of one thing; repeated ones become a list."""
    facts: dict[str, Any] = {"@id": convert_iri_to_jsonld(each.id)}
    if each.types:
        facts["@type"] = list(each.types)
    for name, value in each.said:
        facts.setdefault(name, []).append(convert_term_to_jsonld(value))
    return facts


def convert_term_to_jsonld(value: RDFTerm) -> dict[str, str]:
    """Return a thing or a value in JSON-LD."""
    if isinstance(value, IRI):
        return {"@id": convert_iri_to_jsonld(value)}
    written = {"@value": LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value.text)}
    if value.language:
        return written | {"@language": value.language}
    return written | ({"@type": value.datatype} if value.datatype else {})


def convert_iri_to_jsonld(value: IRI) -> str:
    return BARRED_IN_IRI.sub(lambda found: f"%{ord(found[0]):02X}", value)
