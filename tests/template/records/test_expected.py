"""The list of expected readings of documents of record, and the comparison with it."""

from __future__ import annotations

import re

from benchmarks.reader import (
    EXPECTED,
    ExpectedField,
    list_misses,
    list_read_fields,
    load_expected,
    score_readings,
)
from registry.template import ORDER
from registry.template.reading import read_document
from tests.template.reading.sample_texts import text_of

UPDATE = read_document(text_of("update_in_an_rfc.txt"))
READ = {each for reading in UPDATE for each in list_read_fields(reading)}


def test_list_has_digests_and_no_sentence_of_a_document() -> None:
    rows = [line.split("\t") for line in EXPECTED.read_text("utf-8").splitlines()[1:]]

    assert len(rows) > 1_000
    assert [row for row in rows if len(row) != 7] == []
    assert {row[2] for row in rows} <= {*ORDER, "-"}
    assert [row for row in rows if not re.fullmatch(r"[0-9a-f]{64}|-", row[6])] == []
    assert max(len(row[3]) for row in rows) < 60


def test_lines_of_the_list_are_counted_from_one_and_upwards() -> None:
    fields = [each for found in load_expected().values() for each in found]

    assert [each for each in fields if not 0 < each.first <= each.last] == []


def test_field_counts_as_right_by_its_words_and_its_lines() -> None:
    other = {each._replace(last=each.last + 1) if each.part == "date" else each for each in READ}

    right = score_readings({"update": READ}, {"update": UPDATE})
    wrong = score_readings({"update": other}, {"update": UPDATE})

    assert (right.fields, right.right, right.not_there) == (3, 3, 0)
    assert (wrong.fields, wrong.right, wrong.not_there) == (3, 2, 1)


def test_missing_fields_are_listed() -> None:
    more = ExpectedField("-", "purpose", "purpose", 1, 2, "0" * 64)

    assert list(list_misses({"update": {*READ, more}}, {"update": UPDATE})) == [
        "- update - purpose 1-2"
    ]
