"""What changed between two templates."""

from __future__ import annotations

import random

import pytest

from registry.template import FIELDS, Row, Run, SectionDiff, Template, diff, unchanged
from tests.endless import stopped_if_endless
from tests.template.samples import FORMAL, INFORMAL, REVISION


def was(section: SectionDiff) -> str:
    return "\n".join("".join(run.text for run in row.was) for row in section.rows if row.was)


def now(section: SectionDiff) -> str:
    return "\n".join(row.text for row in section.rows if row.now)


def test_same_text_has_no_differences() -> None:
    assert diff(FORMAL, FORMAL.replace()) == ()
    assert unchanged(FORMAL, FORMAL) == tuple(FORMAL.to_dict())


def test_changed_words_are_told_from_those_around_them() -> None:
    old = Template(purpose="First.\nNames identify samples of seed in vaults.\nLast.")
    new = old.replace(purpose="First.\nNames identify samples of plants in vaults.\nLast.")

    (section,) = diff(old, new)

    assert section == SectionDiff(
        "purpose",
        "Purpose",
        (
            Row(False, (Run("First.", False),), (Run("First.", False),)),
            Row(
                True,
                (
                    Run("Names identify samples of ", False),
                    Run("seed ", True),
                    Run("in vaults.", False),
                ),
                (
                    Run("Names identify samples of ", False),
                    Run("plants ", True),
                    Run("in vaults.", False),
                ),
            ),
            Row(False, (Run("Last.", False),), (Run("Last.", False),)),
        ),
    )


def test_added_and_removed_lines_have_one_side_only() -> None:
    (section,) = diff(Template(examples=("a", "b")), Template(examples=("b", "c")))

    assert section.rows == (
        Row(True, (Run("a", True),), ()),
        Row(False, (Run("b", False),), (Run("b", False),)),
        Row(True, (), (Run("c", True),)),
    )


def test_rewritten_passage_is_shown_whole_and_not_in_crumbs() -> None:
    old = Template(resolution="The office answers every name with a description of the sample.")
    new = Template(resolution="No service is planned, and the registration will say when one is.")

    ((row,),) = (section.rows for section in diff(old, new))

    assert row == Row(True, (Run(old.resolution, True),), (Run(new.resolution, True),))


def test_moved_line_breaks_are_said_to_be_no_more_than_that() -> None:
    old, new = Template(purpose="one two\nthree four"), Template(purpose="one two three\nfour")

    ((row,),) = (section.rows for section in diff(old, new))

    assert row.only_spacing
    assert row.text == "one two three\nfour"


def test_revision_shows_its_changed_sections_in_reading_order() -> None:
    sections = diff(FORMAL, REVISION)

    assert [section.label for section in sections] == [
        "Purpose",
        "Syntax",
        "Rule a machine can check",
        "Examples",
        "Counter-examples",
        "Resolution",
        "Documentation",
        "Revision Information",
    ]
    assert set(unchanged(FORMAL, REVISION)) == set(FORMAL.to_dict()) - {
        section.field for section in sections
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [(FORMAL, REVISION), (REVISION, FORMAL), (FORMAL, INFORMAL), (Template.blank(), FORMAL)],
    ids=["revised", "taken back", "another", "written"],
)
def test_rows_make_up_both_texts(old: Template, new: Template) -> None:
    for section in diff(old, new):
        assert was(section) == old[section.field]
        assert now(section) == new[section.field]


dice = random.Random(8141)
HOSTILE = {
    "no line ends": ("a " * 50_000, "b a " * 25_000),
    "no blanks": ("a" * 100_000, "b" + "a" * 99_999),
    "all alike": ("x\n" * 49_999 + "x", "y\n" + "x\n" * 49_000 + "z"),
    "two kinds": tuple("\n".join(dice.choices("ab", k=50_000)) for _ in "ab"),
    "hundred kinds": tuple("\n".join(map(str, dice.choices(range(100), k=33_000))) for _ in "ab"),
    "every other line": tuple(
        "\n".join(f"{i} {mark}" if i % 2 else f"{i}" for i in range(14_000)) for mark in "uv"
    ),
    "every other word": tuple(
        " ".join(f"{i}{mark}" if i % 2 else f"{i}" for i in range(14_000)) for mark in "uv"
    ),
    "shuffled": tuple("\n".join(map(str, dice.sample(range(16_000), 16_000))) for _ in "ab"),
}


@pytest.mark.parametrize(("old", "new"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_compared(old: str, new: str) -> None:
    with stopped_if_endless():
        (section,) = diff(Template(purpose=old), Template(purpose=new))

    assert (was(section), now(section)) == (old.rstrip(), new.rstrip())


def test_hostile_text_in_every_field_is_compared() -> None:
    old, new = HOSTILE["every other line"]
    names = [each.name for each in FIELDS if each.rows > 1]

    with stopped_if_endless():
        sections = diff(
            Template.from_dict(dict.fromkeys(names, old)),
            Template.from_dict(dict.fromkeys(names, new)),
        )

    assert [section.field for section in sections] == names
