"""How fast grammars are read and names tried, compared with `re.fullmatch` as the floor."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.tables import Table, judge
from registry.grammar import Answer, Grammar, read
from tests.grammar.namespace_grammars import BOOKS, DEVICES, LIBRARIES, URNS

ROUNDS: Final = 7
PCHAR: Final = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
PART: Final = rf"{PCHAR}(?:{PCHAR}|[/?])*"
MAX_READING: Final = 60
"""Milliseconds for a grammar that is read for the first time."""
MAX_MATCHING: Final = 1_000
"""Nanoseconds for each character of a name."""
MAX_GROWTH: Final = 2
"""How much longer a character of a long name may take than one of a short name."""
AMBIGUOUS: Final = 'name = *("x" / "xx" / *"x" / (*"x" *"x"))'


@dataclass(frozen=True)
class Subject:
    """A grammar, and an equivalent expression."""

    name: str
    text: str
    expression: str


SUBJECTS: Final = (
    Subject(
        "book numbers",
        BOOKS,
        r"(?i:urn:bookno:)(?:97[89]-?(?:[0-9]-?){9}[0-9]|(?:[0-9]-?){9}[0-9Xx])",
    ),
    Subject(
        "names of libraries",
        LIBRARIES,
        r"[A-Za-z]{2}(?::[A-Za-z0-9]+)*-(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+",
    ),
    Subject(
        "devices",
        DEVICES,
        r"(?i:urn:gadget:)(?:mac:(?:[0-9a-fA-F]{2})+|ow:(?:[0-9a-fA-F]{2})+"
        r"|org:[1-9][0-9]*-[A-Za-z0-9.-]+(?::[A-Za-z0-9.-]+)*"
        r"|[a-z][a-z0-9]*:[A-Za-z0-9.-]+(?::[A-Za-z0-9.-]+)*)(?:_[A-Za-z0-9.-]+)*",
    ),
    Subject(
        "URNs",
        URNS,
        r"(?i:urn):[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]"
        rf":{PCHAR}(?:{PCHAR}|/)*(?:\?\+{PART})?(?:\?={PART})?(?:#(?:{PCHAR}|[/?])*)?",
    ),
)


def measure(is_smallest: bool) -> Iterator[Table]:
    """Measure each grammar, and how time grows with the length of a name."""
    rounds = 1 if is_smallest else ROUNDS
    columns = ("", "first read, ms", "read again, ms", "matches, ns a character", "`re`, ns")
    yield Table(
        f"Grammars: at most {MAX_READING} ms and {MAX_MATCHING:,} ns",
        (*columns, "of the floor's time", "target"),
        [measure_grammar(subject, rounds) for subject in SUBJECTS],
    )
    grammar = read(AMBIGUOUS)

    def time_character(length: int) -> float:
        return time_best_round(lambda: grammar.matches("x" * length), rounds) / length * 1e9

    short, long = time_character(1_000), time_character(100_000)
    target = judge(f"{MAX_GROWTH}", long <= MAX_GROWTH * short)
    yield Table(
        "A name of an ambiguous grammar, nanoseconds for each character",
        ("", "of 1,000", "of 100,000", "growth", "target"),
        [("matches", f"{short:.0f}", f"{long:.0f}", f"{long / short:.2f}", target)],
    )


def measure_grammar(subject: Subject, rounds: int) -> Sequence[str]:
    """Measure one grammar; return its row."""
    started = time.process_time()
    grammar = read(subject.text)
    first = (time.process_time() - started) * 1e3
    names = grammar.samples(100, seed=1) * 20
    floor = re.compile(subject.expression)
    assert grammar.compare(read(subject.expression, "regex")).answer is Answer.YES
    characters = sum(map(len, names))
    reading = time_best_round(lambda: read(subject.text), rounds) * 1e3
    matching = time_best_round(lambda: match_names(grammar, names), rounds) / characters * 1e9
    of_floor = time_best_round(lambda: list(map(floor.fullmatch, names)), rounds) / characters * 1e9
    return (
        subject.name,
        f"{first:.1f}",
        f"{reading:.1f}",
        f"{matching:,.0f}",
        f"{of_floor:,.0f}",
        f"{matching / of_floor:.1f}",
        judge("", first <= MAX_READING and matching <= MAX_MATCHING),
    )


def match_names(grammar: Grammar, names: Sequence[str]) -> None:
    """Try all names, which must all match."""
    assert all(grammar.matches(name).answer is Answer.YES for name in names)


def time_best_round(act: Callable[[], object], rounds: int) -> float:
    """The CPU seconds of the best round."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        act()
        taken.append(time.process_time() - started)
    return min(taken)
