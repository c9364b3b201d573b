"""The test cases as data for other languages: `python -m tests.urn.vectors` writes them.

Each has the section that it comes from. The file is next to the library, is in its wheel, and is
published by the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from registry.urn import nid, parse, problems, spec, uri
from registry.urn.characters import escape_surrogates
from tests.urn.test_builder import BUILT, SHOWN
from tests.urn.test_diagnosis import FOUND, TRIED
from tests.urn.test_equivalence import CANONICAL, NAMES, PAIRS
from tests.urn.test_nid import BROKEN, FREE
from tests.urn.test_parse import INVALID, VALID
from tests.urn.test_running_text import CASES
from tests.urn.test_spec import CONVERTED, EXAMPLES, SAME_5A, SAME_5B, VERDICTS
from tests.urn.test_uri_components import BASES, ENCODED, KINDS, SAME_DOCUMENT, URIS_BUILT
from tests.urn.test_uri_normalization import BROKEN_LOCATORS, EQUAL, LOCATORS
from tests.urn.test_uri_reference import SPLIT, WRONG
from tests.urn.test_uri_resolution import ABNORMAL, BASE, NORMAL, OTHERS

FILE: Final = Path(__file__).resolve().parents[2] / "registry" / "urn" / "vectors.json"

RFC_8141: Final = "RFC 8141"
RFC_3986: Final = "RFC 3986"
LOCATOR_DRAFT: Final = "draft on Uniform Resource Locators, 1993"
_DOCUMENTS: Final = {
    "8141": RFC_8141,
    "3986": RFC_3986,
    "2141": "RFC 2141",
    "03": "draft-ietf-urnbis-rfc2141bis-urn-03",
    "12": "draft-ietf-urnbis-rfc2141bis-urn-12",
}
_NAMED: Final = re.compile(
    r"(?:(8141|3986|2141|03|12)-(?=[0-9A-Z]|[a-z]))?((?:[0-9]+|[A-Z])(?:\.[0-9]+)*)?-?(.*)"
)
_ABOUT: Final = (
    "Cases for libraries of URNs and URIs. Positions are 0-based and count characters; `null` is a"
    " part that is absent, the empty string one that is empty. Texts may hold characters beyond"
    " ASCII. A section names where the rule stands; a local rule is none of the document's."
)


def build_vectors() -> dict[str, Any]:
    """All vectors, by what they test."""
    return {
        "title": "Test vectors for URNs (RFC 8141) and URIs (RFC 3986)",
        "about": _ABOUT,
        "vectors": {name: list(vectors) for name, vectors in _list_groups().items()},
    }


def _list_groups() -> dict[str, Iterator[dict[str, Any]]]:
    return {
        "urn_valid": _list_valid(),
        "urn_invalid": _list_invalid(),
        "urn_problems": _name_each(
            FOUND, RFC_8141, "2", lambda text, found: {"text": text, "problems": found}
        ),
        "urn_repairs": _name_each(
            TRIED, "local rule", "", lambda text, tried: {"text": text, "repairs": tried}
        ),
        "urn_canonical": _name_each(
            CANONICAL, RFC_8141, "3.1", lambda text, form: {"text": text, "assigned_name": form}
        ),
        "urn_equivalence": (
            {
                "section": f"{RFC_8141}, section 3.2",
                "first": first,
                "second": second,
                "equivalent": NAMES[first] == NAMES[second],
            }
            for first, second in PAIRS
        ),
        "urn_build": _name_each(
            BUILT, RFC_8141, "2.2", lambda name, urn: {"nid": "example", "name": name, "urn": urn}
        ),
        "urn_display": _name_each(
            SHOWN, RFC_8141, "4.4", lambda text, shown: {"text": text, "display": shown}
        ),
        "urn_readings": _list_readings(),
        "urn_conversion": _name_each(
            CONVERTED,
            RFC_8141,
            "2.3",
            lambda text, source, urn: {"text": text, "by": source and source.name, "urn": urn},
        ),
        "urn_lexical_draft_03": _list_lexical(),
        "nid": _list_nids(),
        "find": _name_each(CASES, RFC_3986, "C", lambda text, uris: {"text": text, "uris": uris}),
        "uri_split": _name_each(
            SPLIT, RFC_3986, "3", lambda text, parts: {"text": text, **_name_parts(parts)}
        ),
        "uri_invalid": _name_each(
            WRONG, RFC_3986, "3", lambda text, found: {"text": text, "problems": found}
        ),
        "uri_ladder": _name_each(
            EQUAL,
            RFC_3986,
            "6.2",
            lambda first, second, rung: {
                "first": first,
                "second": second,
                "rung": rung,
                "normal_forms": [_normalize(first), _normalize(second)],
            },
        ),
        "uri_resolution": _list_resolutions(),
        "uri_base": _name_each(
            BASES,
            RFC_3986,
            "5.1",
            lambda given, base, source: {**given, "base": base, "by": source},
        ),
        "uri_same_document": _name_each(
            SAME_DOCUMENT,
            RFC_3986,
            "4.4",
            lambda base, reference, same: {"base": base, "reference": reference, "same": same},
        ),
        "uri_encoding": _name_each(
            ENCODED,
            RFC_3986,
            "2.1",
            lambda component, text, written: {
                "component": component,
                "text": text,
                "encoded": written,
            },
        ),
        "uri_build": _name_each(
            URIS_BUILT, RFC_3986, "5.3", lambda parts, text: {"parts": parts, "uri": text}
        ),
        "host_kind": _name_each(
            KINDS, RFC_3986, "3.2.2", lambda host, kind: {"host": host, "kind": kind}
        ),
        "locator": _name_each(
            LOCATORS, LOCATOR_DRAFT, "", lambda text, parts: {"text": text, "parts": parts}
        ),
        "locator_invalid": _name_each(
            BROKEN_LOCATORS,
            LOCATOR_DRAFT,
            "",
            lambda text, position, component: {
                "text": text,
                "position": position,
                "component": component,
            },
        ),
    }


def _name_each(
    cases: Mapping[str, Any], document: str, section: str, tell: Any
) -> Iterator[dict[str, Any]]:
    for name, case in cases.items():
        # What cannot be encoded is not a text in other languages either.
        if any(isinstance(each, str) and escape_surrogates(each) != each for each in case):
            continue
        yield {**_cite(name, document, section), **tell(*case)}


def _cite(name: str, document: str, section: str) -> dict[str, str]:
    match = _NAMED.fullmatch(name)
    assert match is not None
    named, numbered, rest = match.groups()
    source = _DOCUMENTS.get(named or "", document)
    place = numbered or ("" if named and not numbered else section)
    appendix = "appendix" if place[:1].isalpha() else "section"
    cited = f"{source}, {appendix} {place}" if place else source
    return {"name": (rest or name).replace("-", " "), "section": cited}


def _normalize(text: str) -> str:
    return uri.normalize_uri(text, uri.Rung.SCHEME)


def _list_valid() -> Iterator[dict[str, Any]]:
    for name, (text, _) in VALID.items():
        urn = parse(text)
        cited = _cite(name, RFC_8141, "2")
        yield {**cited, "text": text, **urn.parts, "assigned_name": urn.assigned_name}


def _list_invalid() -> Iterator[dict[str, Any]]:
    for name, (text, position, component, _) in INVALID.items():
        rule = problems(text)[0].rule
        where = {"text": text, "position": position, "component": component, "rule": rule}
        yield {**_cite(name, RFC_8141, "2"), **where}


def _list_readings() -> Iterator[dict[str, Any]]:
    for name, (text, _) in VERDICTS.items():
        readings = {
            reading.profile.name: dict(reading.parts) if reading.is_valid else None
            for reading in spec.read_by_each(text)
        }
        yield {**_cite(name, RFC_8141, "2"), "text": text, "parts": readings}


def _list_lexical() -> Iterator[dict[str, Any]]:
    for step, groups in (("5a", SAME_5A), ("5b", SAME_5B)):
        yield {
            "section": f"{_DOCUMENTS['03']}, section 5.1",
            "step": step,
            "equivalent": [[EXAMPLES[number - 1] for number in sorted(group)] for group in groups],
        }


def _list_nids() -> Iterator[dict[str, Any]]:
    taken = ["isbn", "issn"]
    for text in FREE:
        section = f"{RFC_8141}, section 5.1"
        yield {"section": section, "nid": text, "registered": taken, "broken": []}
    for name, (text, _) in BROKEN.items():
        broken = [finding.source for finding in nid.check(text, set(taken))]
        cited = _cite(name, "local rule" if name.startswith("local") else RFC_8141, "")
        yield {**cited, "nid": text, "registered": taken, "broken": broken}


def _list_resolutions() -> Iterator[dict[str, Any]]:
    for section, examples in (("5.4.1", NORMAL), ("5.4.2", ABNORMAL)):
        for reference, target in examples.items():
            cited = f"{RFC_3986}, section {section}"
            yield {"section": cited, "base": BASE, "reference": reference, "target": target}
    yield from _name_each(
        OTHERS,
        RFC_3986,
        "5.2",
        lambda base, reference, target: {"base": base, "reference": reference, "target": target},
    )


def _name_parts(parts: tuple[str | None, ...]) -> dict[str, str | None]:
    return dict(zip(uri.URIReference._fields, parts, strict=True))


def write_vectors() -> str:
    """The whole file; non-ASCII characters are escaped, so that every editor shows them."""
    return json.dumps(build_vectors(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(write_vectors(), "utf-8")
