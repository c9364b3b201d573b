"""Malicious texts get an answer, with an error. `benchmarks.urn` shows how time grows with them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from registry.urn import (
    URNSyntaxError,
    display,
    find,
    is_valid,
    nid,
    parse,
    problems,
    repairs,
    spec,
    uri,
)
from tests.endless import stopped_if_endless

MEGABYTE = 1_000_000
HOSTILE = {
    "nul": "urn:ab:c\0d",
    "lone-surrogate": "urn:ab:\ud800",
    "megabyte-of-letters": "a" * MEGABYTE,
    "megabyte-of-nid": "urn:" + "a" * MEGABYTE,
    "megabyte-and-a-space": "urn:ab:" + "a" * MEGABYTE + " ",
    "ten-thousand-percent-signs": "urn:ab:" + "%" * 10_000,
    "percent-and-one-digit": "urn:ab:" + "%4" * 10_000,
    "triplets-and-a-percent-sign": "urn:ab:" + "%41" * 100_000 + "%",
    "question-marks": "urn:ab:c" + "?" * 100_000,
    "r-marks": "urn:ab:c" + "?+" * 100_000,
    "q-marks": "urn:ab:c?+d" + "?=" * 100_000 + " ",
    "hashes": "urn:ab:c" + "#" * 10_000,
    "colons": "urn" + ":" * 100_000,
    "hyphens": "urn:" + "-" * 100_000,
    "slashes": "urn:ab:" + "/" * 100_000,
    "combining-marks": "urn:ab:c" + "\u0301" * 100_000,
    "spaces": " " * 100_000,
    "escaped-brackets": "&lt;urn:" * 20_000,
    "stars": "urn:ab:c" + "*_" * 50_000 + " ",
    "address": "http://[" + "1:" * 50_000,
}
# Every character at which some Unicode reader ends a line.
LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def answer(text: str) -> None:
    """Ask everything that can be asked about a text."""
    problems(text)
    repairs(text)
    spec.list_changes(text)
    nid.check(text)
    uri.validate_reference(text)
    uri.compare_uris(text, text + "x")
    uri.resolve_reference("http://a/b", text)
    list(find(text))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused_with_a_short_message(text: str) -> None:
    with pytest.raises(URNSyntaxError) as refusal:
        parse(text)

    assert not is_valid(text)
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_answered_by_everything(text: str) -> None:

    with stopped_if_endless():
        answer(text)


@pytest.mark.parametrize("end", LINE_ENDS, ids=[f"U+{ord(end):04X}" for end in LINE_ENDS])
@pytest.mark.parametrize("frame", ["{}urn:ab:c", "urn:ab{}:c", "urn:ab:c{}", "urn:ab:c?=d{}#"])
def test_line_end_is_refused_wherever_it_stands(end: str, frame: str) -> None:
    text = frame.format(end)

    with pytest.raises(URNSyntaxError) as refusal:
        parse(text)

    assert refusal.value.position == text.index(end)


GROWING: dict[str, tuple[Callable[[str], object], str]] = {
    "is_valid": (is_valid, "a%2c/"),
    "assigned_name": (lambda text: parse(text).assigned_name, "%2c"),
    "problem-at-the-end": (lambda text: problems(text + " "), "a%2c/"),
    "r-component": (lambda text: is_valid(f"urn:ab:c?+{text}"), "a?b"),
    "display": (lambda text: display(parse(text)), "%d0%b6"),
    "readings": (spec.read_by_each, "a?=b"),
    "find": (lambda text: list(find(text)), "urn:ab:c <"),
    "find-escaped-brackets": (lambda text: list(find(text)), "&lt;x:a&amp;"),
    "find-escaped-quotes": (lambda text: list(find(text)), "&quot;urn:a&"),
    "find-emphasis": (lambda text: list(find(text)), "*urn:ab:c* _x:y_ "),
    "find-suffixes": (lambda text: list(find(text, with_suffixes=True)), "www.a* "),
    "find-brackets": (lambda text: list(find(text)), "http://["),
    "dot-segments": (uri.remove_dot_segments, "/a/.."),
    "validate": (lambda text: uri.validate_reference(text, most=1), "a%2c/"),
    "normalize": (lambda text: uri.normalize_uri(f"http:{text}"), "/a/../%7e"),
}


@pytest.mark.parametrize(("read", "unit"), GROWING.values(), ids=GROWING)
def test_long_text_is_read_to_its_end(read: Callable[[str], object], unit: str) -> None:
    with stopped_if_endless():
        read("urn:ab:" + unit * (200_000 // len(unit)))
