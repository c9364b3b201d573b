"""The checklist asks what RFC 8141 leaves to people, about the requests it applies to."""

from __future__ import annotations

import re
from itertools import product

import pytest

from registry.template import ORDER
from registry.template.checklist import (
    QUESTIONS,
    ChecklistQuestion,
    QuestionScope,
    find_question,
    select_questions,
)

LONGEST_TEXT, LONGEST_SLUG = 50, 40
PATHS = (QuestionScope.FORMAL, QuestionScope.INFORMAL, QuestionScope.FAST_TRACK)
CHANGES = (QuestionScope.NEW, QuestionScope.REVISION)


def slugs(path: QuestionScope, change: QuestionScope) -> set[str]:
    return {each.slug for each in select_questions(path, change)}


@pytest.mark.parametrize("each", QUESTIONS, ids=lambda each: each.slug)
def test_question_is_short_explained_and_cites_the_section_it_comes_from(
    each: ChecklistQuestion,
) -> None:
    assert find_question(each.slug) is each
    assert each.field in ORDER
    assert len(each.text) <= LONGEST_TEXT
    assert len(each.slug) <= LONGEST_SLUG
    assert re.fullmatch(r"RFC 8141, section (5|6\.[234])[^A-Z]*", each.source)
    assert each.help.endswith(".")


def test_questions_go_in_the_order_of_the_template_and_each_is_asked_of_somebody() -> None:
    everywhere = set().union(*(slugs(*asked) for asked in product(PATHS, CHANGES)))

    assert [ORDER.index(each.field) for each in QUESTIONS] == sorted(
        ORDER.index(each.field) for each in QUESTIONS
    )
    assert everywhere == {each.slug for each in QUESTIONS}


def test_every_subsection_of_6_4_that_has_to_be_filled_in_is_asked_about() -> None:
    for path, change in product(PATHS, CHANGES):
        asked = " ".join(each.section for each in select_questions(path, change))

        assert {f"6.4.{number}" for number in range(1, 7)} <= set(re.findall(r"6\.4\.[0-9]", asked))


def test_questions_of_section_5_1_are_for_formal_namespaces_only() -> None:
    only_formal = slugs(QuestionScope.FORMAL, QuestionScope.NEW) - slugs(
        QuestionScope.INFORMAL, QuestionScope.NEW
    )

    assert only_formal == {
        "identifier-claims-nothing",
        "organization-lasts",
        "organization-competent",
        "purpose-benefit",
        "documentation-stable",
    }


def test_revision_is_asked_what_changed_and_not_about_the_identifier_it_has() -> None:
    first, later = (
        slugs(QuestionScope.FORMAL, QuestionScope.NEW),
        slugs(QuestionScope.FORMAL, QuestionScope.REVISION),
    )

    assert first - later == {"identifier-claims-nothing"}
    assert later - first == {"holder-stands-behind", "revision-differences"}


def test_fast_track_requires_a_specification_where_others_are_only_advised_to_have_one() -> None:
    community, fast = (
        slugs(QuestionScope.FORMAL, QuestionScope.NEW),
        slugs(QuestionScope.FAST_TRACK, QuestionScope.NEW),
    )

    assert fast - community == {"documentation-specification"}
    assert community - fast == {"documentation-stable"}


def test_question_that_is_asked_no_longer_is_none() -> None:
    assert find_question("purpose-relations") is not None
    assert find_question("asked-long-ago") is None
