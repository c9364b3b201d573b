"""How many findings careful documents get, and how often checks misread ordinary sentences.

The folder in REGISTRY_TEST_RECORDS contains `rfcs/rfc8515.txt` and others: their texts belong to
others and are not in this repository.
"""

from __future__ import annotations

import datetime
import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.reader import RECORDS_VARIABLE
from benchmarks.tables import CannotRun, Table, judge
from registry.template import Context, check, field, read
from registry.urn import Finding, Severity
from tests.template.samples import FORMAL, REVISION

CAREFUL_RFCS: Final = (8515, 8464, 8458, 7207, 9517)
MAX_CONSIDERATIONS: Final = 3
PARAPHRASES: Final = Path(__file__).with_name("paraphrases.toml")
MAX_FALSE_ALARMS: Final = 0.2
"""Above one in five, a check is dropped."""
_NOT_ASKED: Final = frozenset({"section.empty", "question.unanswered"})
"""What is said of a field in which nothing was read, or that no document has."""
_DAY: Final = datetime.date(2026, 6, 1)


@dataclass(frozen=True)
class DocumentFindings:
    """The findings on one document, except on fields in which nothing was read."""

    number: int
    findings: tuple[Finding, ...]
    unread: tuple[str, ...]

    @property
    def counts(self) -> Counter[Severity]:
        """How many findings there are of each weight."""
        return Counter(each.severity for each in self.findings)


def check_document(folder: Path, number: int) -> DocumentFindings:
    """Read and check one RFC.

    What its template did not ask for, or the reader does not find, is reported as an empty section
    in any case; those are counted separately.
    """
    template = read((folder / f"rfcs/rfc{number}.txt").read_text("utf-8")).template
    found = check(template, Context(today=_DAY))
    unread = tuple(each.section for each in found if each.check in _NOT_ASKED)
    return DocumentFindings(
        number, tuple(each for each in found if each.check not in _NOT_ASKED), unread
    )


def reports(name: str, section: str, sentence: str) -> bool:
    """Whether the check reports a careful template with only this sentence in the section."""
    careful, context = FORMAL, Context(today=_DAY)
    if section == "revision_information":
        careful = REVISION
        context = Context(change="revision", version=2, previous=FORMAL, today=_DAY)
    found = check(careful.replace(**{section: sentence}), context)
    return any(finding.check == name for finding in found)


def measure_check(name: str, paraphrases: dict[str, Any]) -> tuple[str, ...]:
    """Count the sentences that the check rightly and wrongly reports."""
    right, wrong = paraphrases["says"], paraphrases["silent"]
    if paraphrases["reports"] == "lacks":
        right, wrong = wrong, right
    hits, alarms = (
        sum(reports(name, paraphrases["field"], sentence) for sentence in sentences)
        for sentences in (right, wrong)
    )
    target = judge(f"{MAX_FALSE_ALARMS:.0%}", alarms <= MAX_FALSE_ALARMS * len(wrong))
    return name, f"{hits} of {len(right)}", f"{alarms} of {len(wrong)}", target


def measure(is_smallest: bool) -> Iterator[Table]:
    """Check each document."""
    folder = os.environ.get(RECORDS_VARIABLE)
    if not folder:
        raise CannotRun(f"{RECORDS_VARIABLE} names no folder with the documents.")
    rows = []
    for number in CAREFUL_RFCS[:1] if is_smallest else CAREFUL_RFCS:
        document = check_document(Path(folder), number)
        block, consider, note = (document.counts[each] for each in Severity)
        unread = ", ".join(field(name).label for name in document.unread)
        target = judge("", not block and consider <= MAX_CONSIDERATIONS)
        rows.append((f"RFC {number}", *map(str, (block, consider, note)), unread, target))
    yield Table(
        f"Findings: none may block, {MAX_CONSIDERATIONS} may be there to consider",
        ("", "block", "consider", "note", "not in the document, or not read", "target"),
        rows,
    )
    yield Table(
        "Sentences that checks report",
        ("", "rightly", "wrongly", "target"),
        [measure_check(*each) for each in tomllib.loads(PARAPHRASES.read_text("utf-8")).items()],
    )
