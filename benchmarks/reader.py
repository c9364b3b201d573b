"""How well and how fast templates are read from the documents that registered them.

The folder in REGISTRY_TEST_RECORDS has the documents that `tests/template/records/expected.tsv`
names, as published: their texts belong to others and are not in this repository.
"""

from __future__ import annotations

import csv
import hashlib
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.tables import CannotRun, Table, judge
from registry.template.reading import Reading, read_document
from registry.template.template import WORD_FIELDS

EXPECTED: Final = Path(__file__).resolve().parent.parent / "tests/template/records/expected.tsv"
RECORDS_VARIABLE: Final = "REGISTRY_TEST_RECORDS"
MIN_RIGHT: Final = 97.0
MAX_SECONDS: Final = 300.0
MAX_MEGABYTES: Final = 300.0


class ExpectedField(NamedTuple):
    """A field of a document: whose template, which part of it, its lines, and a digest.

    The digest is the SHA-256 of the words, separated by single spaces; for identifier, version and
    date it is that of the value. `nid` is "-" if the document names none.
    """

    nid: str
    field: str
    part: str
    first: int
    last: int
    sha256: str


@dataclass(frozen=True)
class Score:
    """The results of reading all documents."""

    documents: int
    templates: int
    fields: int
    right: int
    not_there: int
    words: int
    words_left: int
    grammars: int
    broken_grammars: int
    with_examples: int
    digest: str

    @property
    def percentage(self) -> float:
        """The percentage of fields that are right to the word and to the line."""
        return 100 * self.right / self.fields if self.fields else 0.0


def load_expected(path: Path = EXPECTED) -> dict[str, set[ExpectedField]]:
    """What should be found in each document; empty for one without a template."""
    expected: defaultdict[str, set[ExpectedField]] = defaultdict(set)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            fields = expected[row.pop("document")]
            if row["field"] != "-":
                lines = {name: int(row[name]) for name in ("first", "last")}
                fields.add(ExpectedField(**{**row, **lines}))  # type: ignore[arg-type]
    return dict(expected)


def list_read_fields(reading: Reading) -> Iterator[ExpectedField]:
    """What was read of one template, in the format of the list."""
    nid = reading.template.nid.lower() or "-"
    for found in reading.fields:
        for source in found.sources:
            words = " ".join(source.value.split())
            is_fact = found.name in WORD_FIELDS
            if words or not is_fact:
                part = found.name if is_fact else source.old_field or found.name
                sha256 = hashlib.sha256(words.encode("utf-8")).hexdigest()
                yield ExpectedField(nid, found.name, part, source.first, source.last, sha256)


def read_all(folder: Path, documents: Sequence[str]) -> dict[str, tuple[Reading, ...]]:
    """The templates of each document."""
    return {
        name: read_document((folder / name).read_text("utf-8", "replace")) for name in documents
    }


def score_readings(
    expected: Mapping[str, set[ExpectedField]], readings: Mapping[str, Sequence[Reading]]
) -> Score:
    """How much of what was read is right."""
    read = {
        name: {each for r in found for each in list_read_fields(r)}
        for name, found in readings.items()
    }
    all_readings = [each for found in readings.values() for each in found]
    told = sorted(f"{name} {each}" for name, fields in read.items() for each in fields)
    return Score(
        documents=len(readings),
        templates=len(all_readings),
        fields=sum(map(len, expected.values())),
        right=sum(len(expected[name] & read[name]) for name in expected),
        not_there=sum(len(read[name] - expected[name]) for name in expected),
        words=sum(len(field.value.split()) for each in all_readings for field in each.fields),
        words_left=sum(
            len(passage.text.split()) for each in all_readings for passage in each.left_inside
        ),
        grammars=sum(any(found.kind for found in each.grammars) for each in all_readings),
        broken_grammars=sum(
            bool(each.grammars) and not any(found.kind for found in each.grammars)
            for each in all_readings
        ),
        with_examples=sum(len(each.examples) > 1 for each in all_readings),
        digest=hashlib.sha256("\n".join(told).encode("utf-8")).hexdigest(),
    )


def list_misses(
    expected: Mapping[str, set[ExpectedField]], readings: Mapping[str, Sequence[Reading]]
) -> Iterator[str]:
    """Each field that is wrong or missing."""
    for name in expected:
        read = {each for found in readings[name] for each in list_read_fields(found)}
        for sign, fields in (("-", expected[name] - read), ("+", read - expected[name])):
            yield from (
                f"{sign} {name} {each.nid} {each.part} {each.first}-{each.last}"
                for each in sorted(fields)
            )


def measure(is_smallest: bool) -> Iterator[Table]:
    """Read everything twice."""
    folder = Path(os.environ.get(RECORDS_VARIABLE, ""))
    expected = load_expected()
    if not os.environ.get(RECORDS_VARIABLE) or not (folder / next(iter(expected))).is_file():
        raise CannotRun(f"{RECORDS_VARIABLE} names no folder with the documents.")
    started = time.process_time()
    readings = read_all(folder, sorted(expected))
    seconds = time.process_time() - started
    score = score_readings(expected, readings)
    is_repeated = score == score_readings(expected, read_all(folder, sorted(expected)))
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print("", *list_misses(expected, readings), sep="\n", file=sys.stderr)
    left = 100 * score.words_left / (score.words + score.words_left)
    yield Table(
        "Documents of record",
        ("", "", "target"),
        (
            ("documents", f"{score.documents:,}", ""),
            ("templates found", f"{score.templates:,}", ""),
            ("fields in them", f"{score.fields:,}", ""),
            ("right to the word and the line", f"{score.right:,}", ""),
            (
                "fields in a hundred",
                f"{score.percentage:.1f}",
                judge(f"{MIN_RIGHT:.0f}", score.percentage >= MIN_RIGHT),
            ),
            ("read and not there", f"{score.not_there:,}", ""),
            ("words left over within templates", f"{score.words_left:,} ({left:.1f} %)", ""),
            ("with a grammar that can be tried", f"{score.grammars:,}", ""),
            ("with a grammar that cannot be read", f"{score.broken_grammars:,}", ""),
            ("with two examples or more", f"{score.with_examples:,}", ""),
            (
                "seconds for all",
                f"{seconds:.1f}",
                judge(f"{MAX_SECONDS:.0f}", seconds <= MAX_SECONDS),
            ),
            (
                "memory, MB",
                f"{megabytes:.0f}",
                judge(f"{MAX_MEGABYTES:.0f}", megabytes <= MAX_MEGABYTES),
            ),
            ("the same when read again", "yes" if is_repeated else "no", judge("", is_repeated)),
        ),
    )
