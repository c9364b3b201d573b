"""Arguments that are not texts, or not URNs yet, are refused with a helpful message."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from registry.urn import URNSyntaxError, build, compare, display, parse

GIVEN = {
    "None": (None, "A URN is read from a str, and this is None."),
    "bytes": (b"urn:ab:c", "Decode it first, as in data.decode('utf-8')."),
    "number": (8141, "A URN is read from a str, and this is an int."),
    "urn": (parse("urn:ab:c"), "It has been read already: its `text` is what was read."),
}


@pytest.mark.parametrize(("given", "words"), GIVEN.values(), ids=GIVEN)
def test_refusal_of_what_is_no_text_says_what_it_is_and_what_to_do(given: Any, words: str) -> None:
    with pytest.raises(URNSyntaxError, match=re.escape(words)) as refusal:
        parse(given)

    assert isinstance(refusal.value, TypeError)


@pytest.mark.parametrize("given", [b"a", 1, ["a"]])
def test_part_that_is_no_text_is_refused(given: Any) -> None:
    with pytest.raises(URNSyntaxError, match="read from a str"):
        build("example", "a", q_component=given)


@pytest.mark.parametrize(
    "ask",
    [
        display,
        lambda given: compare(given, parse("urn:ab:c")),
        lambda given: compare(parse("urn:ab:c"), given),
        lambda given: parse("urn:ab:c").is_equivalent_to(given),
    ],
)
@pytest.mark.parametrize("given", ["urn:ab:c", None, 1])
def test_function_that_takes_a_urn_refuses_text(ask: Callable[[Any], object], given: Any) -> None:
    with pytest.raises(TypeError, match="parse it first"):
        ask(given)
