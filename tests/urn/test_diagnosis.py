"""All that is wrong with a text, and what to try instead."""

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
    "2-hyphen-as-32nd-of-nid": (f"urn:{'a' * 31}-b:x", [(35, "nid")]),
    "2-hyphen-as-32nd-and-last": (f"urn:{'a' * 31}-:x", [(35, "nid")]),
    "2-33-characters-of-nid": (f"urn:{'a' * 32}-:x", [(36, "nid")]),
    "2.2-octets-that-are-not-utf-8": (
        "urn:ab:\xe9\udcff\udc80",
        [(7, "nss"), (8, "nss"), (9, "nss")],
    ),
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
    "typographic-hyphens": (
        "urn:isbn:978‐951–0−18435‑6",
        [
            "urn:isbn:978-951-0-18435-6",
            "urn:isbn:978%E2%80%90951%E2%80%930%E2%88%9218435%E2%80%916",
        ],
    ),
    "zero-width-and-byte-order-mark": ("\ufeffurn:is\u200bbn:97\u00ad8\u2060", ["urn:isbn:978"]),
    "full-width": ("ｕｒｎ：ｉｓｂｎ：９７８", ["urn:isbn:978"]),
    "cyrillic-in-the-nid": ("urn:іѕbn:978", ["urn:isbn:978"]),
    "cyrillic-in-the-nid-alone": ("urn:іѕbn:жук", ["urn:isbn:%D0%B6%D1%83%D0%BA"]),
    "cyrillic-word-or-lookalike": (
        "urn:ab:сор",
        ["urn:ab:cop", "urn:ab:%D1%81%D0%BE%D1%80"],
    ),
    "slash-at-the-start-of-the-nss": ("urn:ab:/c", ["urn:ab:%2Fc"]),
    "slash-at-the-start-of-the-fragment": ("urn:ab:c#/d|e", ["urn:ab:c#/d%7Ce"]),
    "question-mark-at-the-start-of-a-component": ("urn:ab:c?=?q", ["urn:ab:c?=%3Fq"]),
    "question-marks-of-a-draft": ("URN:ab:c??r", ["URN:ab:c?+r", "URN:ab:c%3F%3Fr"]),
    "both-components-of-a-draft": (
        "urn:ab:c?q??r#f",
        ["urn:ab:c?+r?=q#f", "urn:ab:c%3Fq%3F%3Fr#f"],
    ),
    "uri-of-another-scheme": ("http://h.example/a", []),
    "uri-of-a-scheme-without-slashes": ("mailto:a@h.example", []),
    "uri-of-an-unknown-scheme": ("gopherx://h.example/a", []),
    "web-address-behind-the-scheme": ("urn:http://h.example/a", []),
    "percent-encoded-whole": ("urn%3Aab%3Ac%2Fd", ["urn:ab:c/d"]),
    "percent-encoded-twice": ("urn%253Aab%253Ac", ["urn:ab:c"]),
    "references-of-html": ("&lt;urn:ab:c&gt;", ["urn:ab:c"]),
    "dots-in-the-nid": ("urn:ab.cd:e", ["urn:ab-cd:e"]),
    "label": ("URN: urn:ab:c", ["urn:ab:c"]),
    "full-stop-behind-brackets": ("(urn:ab:c).", ["urn:ab:c"]),
    "ligature": ("urn:ab:of\ufb01ce", ["urn:ab:office", "urn:ab:of%EF%AC%81ce"]),
    "hyphen-at-the-end-of-a-line": (
        "urn:ab:c-\nd",
        ["urn:ab:c-d", "urn:ab:c-%0Ad", "urn:ab:cd"],
    ),
    "valid": ("urn:ab:c", []),
}


@pytest.mark.parametrize(("text", "tried"), TRIED.values(), ids=TRIED)
def test_repairs_are_urns_that_may_have_been_meant(text: str, tried: list[str]) -> None:
    offered = repairs(text)

    assert [repair.text for repair in offered] == tried
    assert all(is_valid(repair.text) and repair.changes for repair in offered)


def test_octet_that_is_not_utf_8_is_called_one_with_its_place_among_the_octets() -> None:
    (problem,) = problems("urn:ab:%C3%A9\udcff")

    assert problem.position == 13
    assert "0xFF" in problem.message
    assert "(octet 14)" in problem.message


def test_octets_are_counted_and_not_characters_where_one_is_at_fault() -> None:
    last = problems("urn:ab:é\udcff")[-1]

    assert (last.position, "(octet 10)" in last.message) == (8, True)


def test_hyphen_that_would_be_the_last_of_32_is_told_of_as_such() -> None:
    message = problems(f"urn:{'a' * 31}-b:x")[0].message

    assert "32nd" in message
    assert "(character 36)" in message


def test_repair_says_what_was_changed() -> None:
    assert repairs("urn:nbn:fi-fe2010 03?lang=sv")[0].changes == (
        "space removed",
        "“?” read as “?=”",
    )


def test_nothing_is_tried_for_a_text_beyond_all_measure() -> None:
    assert repairs("urn:ab:" + " c" * 2000) == ()


def test_web_address_behind_the_scheme_is_said_to_be_a_uri_already() -> None:
    (problem, *_) = problems("urn:http://h.example/a")

    assert problem.position == 9
    assert "web address" in problem.mend
