"""The documents that registered namespaces, from the folder in REGISTRY_TEST_RECORDS."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.reader import (
    MIN_RIGHT,
    RECORDS_VARIABLE,
    load_expected,
    read_all,
    score_readings,
)
from registry.template.reading import read_document

EXPECTED = load_expected()
FOLDER = Path(os.environ[RECORDS_VARIABLE])


def test_nearly_all_fields_are_read_to_the_word_and_the_line() -> None:
    score = score_readings(EXPECTED, read_all(FOLDER, sorted(EXPECTED)))

    assert score.percentage >= MIN_RIGHT
    assert score.not_there <= score.fields - score.right


@pytest.mark.parametrize(
    ("number", "nids"),
    [
        (5134, ["epc", "epcglobal"]),
        (8057, ["bbf", "broadband-forum-org", "dslforum-org"]),
        (7354, [""]),
        (9562, []),
    ],
)
def test_each_template_of_a_document_is_found(number: int, nids: list[str]) -> None:
    text = (FOLDER / f"rfcs/rfc{number}.txt").read_text("utf-8")

    assert [each.template.nid for each in read_document(text)] == nids
