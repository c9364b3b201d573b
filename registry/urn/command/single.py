"""One name taken apart, and two compared."""

from __future__ import annotations

import csv
import json
from typing import Any, TextIO

from registry.urn.characters import visible
from registry.urn.comparison import compare
from registry.urn.display import display
from registry.urn.errors import URNSyntaxError
from registry.urn.problems import problems
from registry.urn.repair import repairs
from registry.urn.urn import URN, parse


def answer_parse(text: str, form: str, stream: TextIO) -> int:
    """Write the parts of a URN, or all that keeps `text` from being one; return the status."""
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        known = _of_error(error)
        words = _explain(text)
    else:
        known = _of_urn(urn)
        words = "".join(f"{name:<12} {value}\n" for name, value in _rows(urn))
    _write(known, words, form, stream)
    return 0 if known["valid"] else 1


def answer_compare(first: str, second: str, form: str, stream: TextIO) -> int:
    """Write whether two URNs are equivalent, and why; return 1 where one of them is no URN."""
    try:
        one, other = parse(first), parse(second)
    except URNSyntaxError as error:
        _write(_of_error(error), f"{_quote(error.text)}: {error}\n", form, stream)
        return 1
    comparison = compare(one, other)
    known = {
        "valid": True,
        "equivalent": comparison.is_equivalent,
        "rule": comparison.rule,
        "first": one.assigned_name,
        "second": other.assigned_name,
        "folded": list(comparison.folded),
        "ignored": list(comparison.ignored),
        "part": comparison.part or None,
        "positions": comparison.positions,
    }
    verdict = "Equivalent" if comparison.is_equivalent else "Not equivalent"
    words = f"{verdict} by {comparison.rule}.\n{one.assigned_name}\n{other.assigned_name}\n"
    _write(known, words, form, stream)
    return 0


def _of_urn(urn: URN) -> dict[str, Any]:
    return {
        "text": urn.text,
        "valid": True,
        "nid": urn.nid,
        "nss": urn.nss,
        "r_component": urn.r_component,
        "q_component": urn.q_component,
        "f_component": urn.f_component,
        "canonical": urn.assigned_name,
    }


def _of_error(error: URNSyntaxError) -> dict[str, Any]:
    return {
        "text": error.text,
        "valid": False,
        "position": error.position,
        "component": error.component,
        "rule": error.rule,
        "message": str(error),
    }


def _rows(urn: URN) -> list[tuple[str, str]]:
    components = {
        "r-component": urn.r_component,
        "q-component": urn.q_component,
        "f-component": urn.f_component,
    }
    shown = display(urn)
    return [
        ("NID", urn.nid),
        ("NSS", urn.nss),
        *((name, value) for name, value in components.items() if value is not None),
        ("canonical", urn.assigned_name),
        *([] if shown.is_exact else [("for reading", shown.text)]),
    ]


def _explain(text: str) -> str:
    """The text with a mark under its first wrong character, what is wrong, and what to try."""
    lines = [_quote(text)]
    found = problems(text, most=20)
    lines += [f"  {problem.message} {problem.rule}." for problem in found]
    lines += [f"  Try {repair.text} ({', '.join(repair.changes)})." for repair in repairs(text)]
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    return f"Not a URN: {visible(text)}"


def _write(known: dict[str, Any], words: str, form: str, stream: TextIO) -> None:
    if form == "text":
        stream.write(words)
    elif form == "json":
        stream.write(json.dumps(known, indent=2) + "\n")
    else:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(known)
        writer.writerow(" ".join(v) if isinstance(v, list) else v for v in known.values())
