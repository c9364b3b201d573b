"""How many findings careful documents get, which should be few and block nothing.

Run from the top of the repository as `REGISTRY_TEST_RECORDS=FOLDER python -m benchmarks.findings`,
with a folder that contains `rfcs/rfc8515.txt` and others: their texts belong to others and are not
in this repository. Prints a table in Markdown and exits with 1 if a target is missed.
"""

from __future__ import annotations

import datetime
import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from registry.template import Context, check, field, read
from registry.urn import Finding, Severity

RECORDS_FOLDER_VARIABLE: Final = "REGISTRY_TEST_RECORDS"
CAREFUL_RFCS: Final = (8515, 8464, 8458, 7207, 9517)
MAX_CONSIDERATIONS: Final = 3
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
    unread = tuple(each.section for each in found if each.check == "section.empty")
    return DocumentFindings(
        number, tuple(each for each in found if each.check != "section.empty"), unread
    )


def main() -> int:
    """Print one row per document; 1 if a target is missed."""
    folder = os.environ.get(RECORDS_FOLDER_VARIABLE)
    if not folder:
        print(f"{RECORDS_FOLDER_VARIABLE} names no folder, so nothing is read.")
        return 1
    print("| | block | consider | note | not in the document, or not read | target |")
    print("|---|--:|--:|--:|---|---|")
    missed = False
    for number in CAREFUL_RFCS:
        told = check_document(Path(folder), number)
        block, consider, note = (told.counts[each] for each in Severity)
        met = not block and consider <= MAX_CONSIDERATIONS
        missed = missed or not met
        unread = ", ".join(field(name).label for name in told.unread)
        words = "met" if met else "**missed**"
        print(f"| RFC {number} | {block} | {consider} | {note} | {unread} | {words} |")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
