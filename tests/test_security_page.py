"""docs/security.md only names existing tests for each requirement of ASVS 5.0."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| (\d+)\.(\d+)\.(\d+) \| ([a-z ]+) \| (.+) \|$", re.MULTILINE)
WORDS: Final = {"met", "partly", "operator", "not applicable"}
REQUIREMENTS: Final = (Path(__file__).with_name("asvs_5_level_2.txt")).read_text("ascii").split()
"""The numbers of the requirements of levels 1 and 2 in ASVS 5.0.0, in order."""


def test_every_requirement_up_to_level_2_is_answered_once() -> None:
    assert len(REQUIREMENTS) == 253
    assert [".".join(row[:3]) for row in ROW.findall(PAGE)] == REQUIREMENTS


def test_every_answer_has_one_of_four_words_and_a_reason() -> None:
    answers = {(word, reason) for *_number, word, reason in ROW.findall(PAGE)}

    assert {word for word, _reason in answers} == WORDS
    assert min(len(reason) for _word, reason in answers) > 8


def test_requirement_marked_met_names_what_shows_it() -> None:
    shown = re.compile(r"`tests/|\.md|, above|`/[a-z]|`make [a-z]+`")

    silent = [
        ".".join(row[:3])
        for row in ROW.findall(PAGE)
        if row[3] == "met" and not shown.search(row[4])
    ]

    assert silent == []


def test_sections_that_it_points_to_stand_above() -> None:
    before, _heading, rows = PAGE.partition("## ASVS")

    assert "below" not in rows
    for section in {*re.findall(r"\*([A-Z][\w ]+)\*, above", rows)}:
        assert f"## {section}\n" in before, section


def test_paths_named_in_the_security_page_exist() -> None:
    named = {*re.findall(r"`((?:tests|registry|docs|static|tools)/[^`\s]*)`", PAGE)}

    assert len(named) > 40
    assert sorted(path for path in named if not (ROOT / path).exists()) == []
