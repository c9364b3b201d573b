"""The test cases of two other libraries, with the reason wherever our answer differs.

The cases are the inputs and outputs of their own tests, extracted as data.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from registry.urn import uri

FOLDER = Path(__file__).parent / "others"
Case = dict[str, Any]


def resolve(case: Case) -> str | None:
    """The target, `None` if the base is refused."""
    try:
        return uri.resolve_reference(case["base"], case["reference"], strict=case["strict"])
    except uri.URISyntaxError:
        return None


def defragment(case: Case) -> list[str | None]:
    """The URI without its fragment, and the fragment."""
    parts = uri.split_reference(case["text"])
    return [str(parts._replace(fragment=None)), parts.fragment]


def classify(case: Case) -> dict[str, bool]:
    """The kind of reference that a text is."""
    text = case["text"]
    return {
        "uri": not uri.validate_reference(text, "uri"),
        "absolute": not uri.validate_reference(text, "absolute"),
        "same_document": uri.split_reference(text).is_same_document,
    }


ANSWERS: dict[str, Callable[[Case], object]] = {
    "resolve": resolve,
    "split": lambda case: list(uri.split_reference(case["text"])),
    "defragment": defragment,
    "classify": classify,
    "dot_segments": lambda case: uri.remove_dot_segments(case["path"]),
    "hosts": lambda case: not uri.validate_reference(f"http://{case['host']}", "uri"),
    "percent": lambda case: uri.normalize_uri(case["path"], uri.Rung.CASE),
    "authorities": lambda case: uri.normalize_uri(f"//{case['authority']}", uri.Rung.CASE)[2:],
}
CASES = [
    pytest.param(group, case, id=f"{library}-{group}-{number}")
    for library in ("uritools", "rfc3986")
    for group, cases in json.loads((FOLDER / f"{library}.json").read_text("utf-8")).items()
    if group != "of"
    for number, case in enumerate(cases)
]


def test_suites_are_there_in_full() -> None:
    assert len(CASES) > 180


@pytest.mark.parametrize(("group", "case"), CASES)
def test_case_of_another_library_is_answered_alike_or_otherwise_for_a_reason(
    group: str, case: Case
) -> None:
    answer = ANSWERS[group](case)

    assert answer == case.get("ours", case["theirs"])
    assert ("ours" in case) is bool(case.get("reason"))
    assert answer != case["theirs"] or "ours" not in case
