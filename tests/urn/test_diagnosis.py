"""All that is wrong with a text, and what to try in its place."""

from __future__ import annotations

import pytest

from registry.urn import is_valid, problems, repairs

FOUND = {
    "2.2-space-and-bare-question-mark": (
        "urn:nbn:fi-fe2010 03181510?lang=sv",
        [(17, "nss"), (26, "nss")],
    ),
    "2-nid-and-nss": ("urn:a_b_c:x y", [(5, "nid"), (7, "nid"), (11, "nss")]),
    "2.3-empty-components": ("urn:ab:x?+?=", [(10, "r"), (12, "q")]),
    "2.3-every-component": (
        "urn:ab:/ ?+/ ?=? #\t#",
        [(7, "nss"), (8, "nss"), (11, "r"), (12, "r"), (15, "q"), (16, "q"), (18, "f"), (19, "f")],
    ),
    "2-scheme-hides-the-rest": ("http://a b", [(0, "scheme")]),
    "valid": ("urn:ab:c?+r?=q#", []),
}


@pytest.mark.parametrize(("text", "found"), FOUND.values(), ids=FOUND)
def test_all_problems_are_told_from_left_to_right(text: str, found: list[tuple[int, str]]) -> None:
    assert [(problem.position, problem.component) for problem in problems(text)] == found


def test_problems_are_told_up_to_a_number() -> None:
    assert [problem.position for problem in problems("urn:ab:" + " " * 1000, most=3)] == [7, 8, 9]


TRIED = {
    "mock-up": (
        "urn:nbn:fi-fe2010 03181510?lang=sv",
        [
            "urn:nbn:fi-fe201003181510?=lang=sv",
            "urn:nbn:fi-fe201003181510%3Flang=sv",
            "urn:nbn:fi-fe2010%2003181510?=lang=sv",
            "urn:nbn:fi-fe2010%2003181510%3Flang=sv",
        ],
    ),
    "scheme-left-out": ("isbn:978-951-0-18435-6", ["urn:isbn:978-951-0-18435-6"]),
    "wrapped": (" <URL:urn:ab:c>\n", ["urn:ab:c"]),
    "quoted": ("“urn:ab:c”", ["urn:ab:c"]),
    "percent": ("urn:ab:100%", ["urn:ab:100%25"]),
    "not-ascii": ("urn:ab:ж", ["urn:ab:%D0%B6"]),
    "slash-first": ("urn:ab:/c", ["urn:ab:%2Fc"]),
    "hash-twice": ("urn:ab:c#d#e", ["urn:ab:c#d%23e"]),
    "empty-components": ("urn:ab:c?+?=", ["urn:ab:c"]),
    "past-mending": ("urn:ab:", []),
    "lone-surrogate": ("urn:ab:\ud800", []),
    "valid": ("urn:ab:c", []),
}


@pytest.mark.parametrize(("text", "tried"), TRIED.values(), ids=TRIED)
def test_repairs_are_urns_that_may_have_been_meant(text: str, tried: list[str]) -> None:
    offered = repairs(text)

    assert [repair.text for repair in offered] == tried
    assert all(is_valid(repair.text) and repair.changes for repair in offered)


def test_repair_says_what_was_changed() -> None:
    assert repairs("urn:nbn:fi-fe2010 03?lang=sv")[0].changes == (
        "space removed",
        "“?” read as “?=”",
    )


def test_nothing_is_tried_for_a_text_beyond_all_measure() -> None:
    assert repairs("urn:ab:" + " c" * 2000) == ()
