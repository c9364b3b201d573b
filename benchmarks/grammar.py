"""How fast grammars are read and names tried, compared with Python's regular expressions.

Run from the top of the repository as `python -m benchmarks.grammar`; prints tables in Markdown and
exits with 1 if a target is missed. The floor is `re.fullmatch` with an equivalent expression.
"""

from __future__ import annotations

import platform
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from registry.grammar import Answer, Grammar, read
from tests.grammar.namespace_grammars import (
    BOOKS,
    DEVICES,
    LIBRARIES,
    URNS,
)

ROUNDS: Final = 7
PCHAR: Final = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
PART: Final = rf"{PCHAR}(?:{PCHAR}|[/?])*"
# Milliseconds per grammar, nanoseconds per character of a name, and the time per character of a
# long name relative to a short one.
READING: Final = 60
MATCHING: Final = 1_000
GROWTH: Final = 2


@dataclass(frozen=True)
class Subject:
    """A grammar, an equivalent expression, and how long its names are made."""

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


def time_best_round(act: Callable[[], object]) -> float:
    """The seconds that `act` takes in the best of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        act()
        taken.append(time.process_time() - started)
    return min(taken)


def match_names(grammar: Grammar, names: tuple[str, ...]) -> None:
    """Try all names, which must all match."""
    assert all(grammar.matches(name).answer is Answer.YES for name in names)


def measure_grammar(subject: Subject) -> bool:
    """Measure one grammar and print its line; true if the targets are met."""
    started = time.process_time()
    grammar = read(subject.text)
    first = (time.process_time() - started) * 1e3
    names = grammar.samples(100, seed=1) * 20
    floor = re.compile(subject.expression)
    assert grammar.compare(read(subject.expression, "regex")).answer is Answer.YES
    characters = sum(map(len, names))
    reading = time_best_round(lambda: read(subject.text)) * 1e3
    matching = time_best_round(lambda: match_names(grammar, names)) / characters * 1e9
    by_floor = time_best_round(lambda: [floor.fullmatch(name) for name in names]) / characters * 1e9
    is_met = first <= READING and matching <= MATCHING
    print(
        f"| {subject.name} | {first:.1f} | {reading:.1f} | {matching:,.0f} | {by_floor:,.0f}"
        f" | {matching / by_floor:.1f} | {'met' if is_met else '**missed**'} |"
    )
    return is_met


def time_per_character(grammar: Grammar, name: str) -> float:
    """Nanoseconds for each character of `name`."""
    return time_best_round(lambda: grammar.matches(name)) / len(name) * 1e9


def write_growth() -> bool:
    """Print the time per character of short and long names of an ambiguous grammar."""
    grammar = read('name = *("x" / "xx" / *"x" / (*"x" *"x"))')
    short, long = (time_per_character(grammar, "x" * length) for length in (1_000, 100_000))
    is_met = long <= GROWTH * short
    print("\nNanoseconds for each character of a name of an ambiguous grammar, by length\n")
    print("| 1,000 | 100,000 | target: not twice as long |\n|--:|--:|---|")
    print(f"| {short:.0f} | {long:.0f} | {'met' if is_met else '**missed**'} |")
    return is_met


def main() -> int:
    """Measure everything and print it; 1 if a target is missed."""
    print(f"Python {platform.python_version()} on {platform.system()}, {platform.machine()}\n")
    print(f"Targets: read within {READING} ms, {MATCHING:,} ns for each character\n")
    print("| | first read, ms | read again, ms | matches, ns | `re`, ns | share | target |")
    print("|---|--:|--:|--:|--:|--:|---|")
    met = [measure_grammar(subject) for subject in SUBJECTS]
    return 0 if all([*met, write_growth()]) else 1


if __name__ == "__main__":
    sys.exit(main())
