"""Checking files of names, one on each line."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from registry.urn.command.lines import numbered, opened
from registry.urn.command.names import Registered
from registry.urn.command.progress import with_progress
from registry.urn.command.verdict import Answer, Verdict, judge
from registry.urn.command.writing import WRITERS, write_counts


def check_files(names: Iterable[str], form: str, registered: Registered | None) -> int:
    """Check every line of the files, write the verdicts, and return the exit status."""
    counts: Counter[Answer] = Counter()
    WRITERS[form](_counted(_verdicts(names, registered), counts), sys.stdout)
    if form == "text":
        write_counts(counts, sys.stdout)
    return 1 if counts[Answer.MALFORMED] else 0


def _verdicts(names: Iterable[str], registered: Registered | None) -> Iterator[Verdict]:
    for name in names:
        with opened(name) as file:
            for number, text in with_progress(numbered(file), file, sys.stderr):
                yield judge(name, number, text, registered)


def _counted(verdicts: Iterable[Verdict], counts: Counter[Answer]) -> Iterator[Verdict]:
    for verdict in verdicts:
        counts[verdict.answer] += 1
        yield verdict
