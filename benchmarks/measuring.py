"""How fast the URN library is, beside a plain regular expression and three other libraries.

Prints tables in Markdown and ends with 1 where a target is missed. The other libraries are
measured where they are installed: `pip install urnparse rfc3986 uritools`.
"""

from __future__ import annotations

import importlib
import os
import platform
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.corpus import invalid_urns, valid_urns
from registry.urn import URNSyntaxError, is_valid, parse

ROOT: Final = Path(__file__).resolve().parent.parent
ROUNDS: Final = 25
MILLION: Final = 1_000_000

# The floor: the grammar of RFC 8141, section 2, written down as it stands.
PCHAR: Final = r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})"
FLOOR: Final = re.compile(
    r"(?P<scheme>[Uu][Rr][Nn]):(?P<nid>[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9])"
    rf":(?P<nss>{PCHAR}(?:{PCHAR}|/)*)"
    rf"(?:\?\+(?P<r>{PCHAR}(?:{PCHAR}|/|\?)*))?(?:\?=(?P<q>{PCHAR}(?:{PCHAR}|/|\?)*))?"
    rf"(?:#(?P<f>(?:{PCHAR}|/|\?)*))?"
)

Reader = Callable[[str], object]


@dataclass(frozen=True)
class Contender:
    """Something to measure, and the share of the floor's time that it may take, if any is set."""

    name: str
    read: Reader
    target: float | None = None


@dataclass(frozen=True)
class Result:
    """Nanoseconds for each name in the best round, the median share of the floor's time, and how
    many names were taken for URNs."""

    contender: Contender
    nanoseconds: float
    share: float
    accepted: int

    @property
    def is_met(self) -> bool:
        """Whether the target, if there is one, is met."""
        return self.contender.target is None or self.share <= self.contender.target


def canonical(text: str) -> str:
    """Parse and normalize."""
    return parse(text).assigned_name


def diagnose(text: str) -> URNSyntaxError | None:
    """The error of an invalid text, its cause and position looked at."""
    try:
        parse(text)
    except URNSyntaxError as error:
        return error if error.rule and error.position >= 0 else None
    return None


def list_contenders() -> list[Contender]:
    """What other libraries have for reading a URN, as far as they are installed."""
    found = []
    for module, name, function in (
        ("urnparse", "urnparse `URN8141.from_string`", "URN8141.from_string"),
        ("rfc3986", "rfc3986 `uri_reference` (splits; knows no URNs)", "uri_reference"),
        ("uritools", "uritools `urisplit` (splits; knows no URNs)", "urisplit"),
    ):
        try:
            read: object = importlib.import_module(module)
        except ImportError:
            continue
        for step in function.split("."):
            read = getattr(read, step)
        assert callable(read)
        found.append(Contender(name, _forgiving(read)))
    return found


def _forgiving(read: Reader) -> Reader:
    def attempt(text: str) -> object:
        try:
            return read(text)
        except Exception as error:  # each library has errors of its own
            return error

    return attempt


def measure(names: Sequence[str], contenders: Sequence[Contender]) -> list[Result]:
    """Time each contender over `names`, turn by turn with the floor, in `ROUNDS` rounds."""
    shares: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    best = dict.fromkeys(shares, float("inf"))
    for _ in range(ROUNDS):
        for contender in contenders:
            floor = _time(FLOOR.fullmatch, names)
            taken = _time(contender.read, names)
            shares[contender.name].append(taken / floor)
            best[contender.name] = min(best[contender.name], taken)
    return [
        Result(
            contender,
            best[contender.name] / len(names) * 1e9,
            statistics.median(shares[contender.name]),
            sum(_accepts(contender.read(name)) for name in names),
        )
        for contender in contenders
    ]


def _accepts(result: object) -> bool:
    return bool(result) and not isinstance(result, Exception)


def _time(read: Reader, names: Sequence[str]) -> float:
    started = time.process_time()
    for name in names:
        read(name)
    return time.process_time() - started


def write_results(title: str, results: Sequence[Result]) -> None:
    """Print one table."""
    print(f"\n{title}\n")
    print("| | ns for each | of the floor's time | target | taken for URNs |")
    print("|---|--:|--:|--:|--:|")
    for result in results:
        target = result.contender.target
        goal = "" if target is None else f"{target} {'met' if result.is_met else '**missed**'}"
        figures = f"{result.nanoseconds:,.0f} | {result.share:.2f} | {goal} | {result.accepted:,}"
        print(f"| {result.contender.name} | {figures} |")


def write_growth() -> bool:
    """Print the time for each character of short and of long texts; true where it stays level."""
    print("\nNanoseconds for each character, by length\n")
    print("| | 1,000 | 100,000 | growth | target |")
    print("|---|--:|--:|--:|--:|")
    is_level = True
    for title, unit, read in _GROWING:
        short, long = (_per_character(unit, length, read) for length in (1000, 100_000))
        is_level = is_level and long <= 2 * short
        goal = "2 met" if long <= 2 * short else "2 **missed**"
        print(f"| {title} | {short:.2f} | {long:.2f} | {long / short:.2f} | {goal} |")
    return is_level


def _per_character(unit: str, length: int, read: Reader) -> float:
    text = "urn:example:" + unit * (length // len(unit))
    names = [text] * max(1, 100_000 // length)
    return min(_time(read, names) for _ in range(ROUNDS)) / (len(names) * length) * 1e9


_GROWING: Final[tuple[tuple[str, str, Reader], ...]] = (
    ("`is_valid`, letters", "a", is_valid),
    ("`is_valid`, percent-encoded", "%d0%b6", is_valid),
    ("`parse` and `assigned_name`, percent-encoded", "%d0%b6", canonical),
    ("cause and position, an error at the end", "a/b:", lambda text: diagnose(f"{text} ")),
    ("cause and position, behind triplets", "%d0%b6", lambda text: diagnose(f"{text}%")),
)


def write_check() -> bool:
    """Print what checking a file of a million names takes; true where the targets are met."""
    chance = random.Random(1)
    names = [*valid_urns(980), *invalid_urns(20)]
    chance.shuffle(names)
    lines = "".join(name.replace("\n", " ") + "\n" for name in names)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "names.txt")
        with path.open("w", encoding="utf-8") as file:
            for _ in range(MILLION // len(names)):
                file.write(lines)
        print("\n`python -m registry.urn check`, 1,000,000 names, 2 in 100 of them invalid\n")
        print("| | seconds of one core | memory | target |")
        print("|---|--:|--:|--:|")
        met = [_check(path, form) for form in ("text", "json", "csv")]
    return all(met)


def _check(path: Path, form: str) -> bool:
    command = [sys.executable, "-m", "registry.urn", "check", str(path), "--format", form]
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = os.posix_spawn(sys.executable, command, environment, file_actions=silent)
    _, _, usage = os.wait4(process, 0)
    seconds = usage.ru_utime + usage.ru_stime
    megabytes = usage.ru_maxrss / 1024
    is_met = seconds < 15 and megabytes < 100
    goal = f"15 s, 100 MB {'met' if is_met else '**missed**'}"
    print(f"| `--format {form}` | {seconds:.1f} | {megabytes:.0f} MB | {goal} |")
    return is_met


def main() -> int:
    """Measure everything and print it; 1 where a target is missed."""
    print(f"Python {platform.python_version()} on {platform.system()}, {platform.machine()}")
    others = list_contenders()
    valid = measure(
        valid_urns(),
        [
            Contender("the floor itself", FLOOR.fullmatch),
            Contender("`is_valid`", is_valid, 0.33),
            Contender("`parse`", parse, 0.45),
            Contender("`parse` and `assigned_name`", canonical, 0.7),
            *others,
        ],
    )
    invalid = measure(
        invalid_urns(),
        [
            Contender("the floor itself", FLOOR.fullmatch),
            Contender("`is_valid`", is_valid, 0.33),
            Contender("`parse`, its cause and position", diagnose, 1.2),
            *others,
        ],
    )
    write_results("1,000 valid URNs of mixed kinds", valid)
    write_results("200 invalid ones", invalid)
    is_level = write_growth()
    is_checked = write_check()
    return 0 if all(result.is_met for result in valid + invalid) and is_level and is_checked else 1


if __name__ == "__main__":
    sys.exit(main())
