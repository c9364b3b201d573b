"""How fast the URN library is, compared with a plain regular expression and three other libraries.

Prints tables in Markdown and exits with 1 if a target is missed. The other libraries are measured
if they are installed: `pip install urnparse rfc3986 uritools`. If one of them is the target and
missing, no figure is claimed.
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
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import invalid_urns, mixture, running_text, valid_urns
from registry.urn import URNSyntaxError, display, find, is_valid, parse, uri

ROOT: Final = Path(__file__).resolve().parent.parent
ROUNDS: Final = 25
MILLION: Final = 1_000_000

# The floor: the grammar of RFC 8141, section 2, written down literally.
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
    """Something to measure, and its maximum ratio to the floor's time, if any."""

    name: str
    read: Reader
    target: float | None = None


@dataclass(frozen=True)
class Result:
    """Nanoseconds per name in the best round, the median ratio to the floor's time, and how many
    names were taken for URNs.
    """

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
    """The error of an invalid text, including its cause and position."""
    try:
        parse(text)
    except URNSyntaxError as error:
        return error if error.rule and error.position >= 0 else None
    return None


def attempt(text: str) -> object:
    """Parse, and skip other texts without asking why."""
    try:
        return parse(text)
    except URNSyntaxError as error:
        return error


def attempt_canonical(text: str) -> object:
    """Parse and normalize, and skip other texts."""
    try:
        return parse(text).assigned_name
    except URNSyntaxError as error:
        return error


def list_contenders() -> list[Contender]:
    """What other libraries have for reading a URN, if they are installed."""
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
    """Time each contender over `names`, alternating with the floor, in `ROUNDS` rounds."""
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
    print(f"\n{title}\n")
    print("| | ns for each | of the floor's time | target | taken for URNs |")
    print("|---|--:|--:|--:|--:|")
    for result in results:
        target = result.contender.target
        goal = "" if target is None else f"{target} {'met' if result.is_met else '**missed**'}"
        figures = f"{result.nanoseconds:,.0f} | {result.share:.2f} | {goal} | {result.accepted:,}"
        print(f"| {result.contender.name} | {figures} |")


def write_growth() -> bool:
    """Print the time per character of short and of long texts; true if it stays level."""
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
    ("`is_valid`, r-component", "a?b", lambda text: is_valid(f"urn:ab:c?+{text}")),
    ("`display`", "%d0%b6", lambda text: display(parse(text))),
    ("`find`", "urn:ab:c <", lambda text: list(find(text))),
    ("`find`, escaped brackets", "&lt;x:a&amp;", lambda text: list(find(text))),
    ("`find`, escaped quotes", "&quot;urn:a&", lambda text: list(find(text))),
    ("`find`, emphasis", "*urn:ab:c* _x:y_ ", lambda text: list(find(text))),
    ("`find`, suffixes", "www.a* ", lambda text: list(find(text, with_suffixes=True))),
    ("`find`, brackets", "http://[", lambda text: list(find(text))),
    ("`remove_dot_segments`", "/a/..", uri.remove_dot_segments),
    ("`validate_reference`", "a%2c/", lambda text: uri.validate_reference(text, most=1)),
    ("`normalize_uri`", "/a/../%7e", lambda text: uri.normalize_uri(f"http:{text}")),
)


def write_check() -> bool:
    """Print the time to check a file of a million names; true if the targets are met."""
    good = _check_million("all of them valid", valid_urns())
    _check_million("2 in 100 of them not valid", [*valid_urns(980), *invalid_urns(20)])
    return good


def _check_million(title: str, names: list[str]) -> bool:
    random.Random(1).shuffle(names)
    lines = "".join(name.replace("\n", " ") + "\n" for name in names)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "names.txt")
        with path.open("w", encoding="utf-8") as file:
            for _ in range(MILLION // len(names)):
                file.write(lines)
        print(f"\n`python -m registry.urn check`, 1,000,000 names, {title}\n")
        print("| | seconds of one core | memory | target |")
        print("|---|--:|--:|--:|")
        met = [_check(path, form) for form in ("text", "json", "csv")]
    return all(met)


CHECK_TARGETS: Final = {"text": 1, "json": 4, "csv": 4}


def _check(path: Path, form: str) -> bool:
    command = [sys.executable, "-m", "registry.urn", "check", str(path), "--format", form]
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = os.posix_spawn(sys.executable, command, environment, file_actions=silent)
    _, _, usage = os.wait4(process, 0)
    seconds = usage.ru_utime + usage.ru_stime
    megabytes = usage.ru_maxrss / 1024
    target = CHECK_TARGETS[form]
    is_met = seconds <= target and megabytes < 100
    goal = f"{target} s, 100 MB {'met' if is_met else '**missed**'}"
    print(f"| `--format {form}` | {seconds:.2f} | {megabytes:.0f} MB | {goal} |")
    return is_met


# Typical web addresses, and the references of RFC 3986, section 5.4.
URIS: Final = (
    "http://example.com/a/b/../c",
    "HTTP://www.EXAMPLE.com:80/%7euser/./x?q=%3a#f",
    "https://user@Example.org/path/to/resource?x=1&y=2",
    "ftp://ftp.is.co.za/rfc/rfc1808.txt",
    "ldap://[2001:DB8::7]/c=GB?objectClass?one",
    "eXAMPLE://a/./b/../b/%63/%7bfoo%7d",
    "mailto:John.Doe@example.com",
    "http://h.example/a-long/path/with/many/segments/index.html",
)
PAIRS: Final = tuple((one, other) for one in URIS for other in URIS[:4])
BASE: Final = "http://a/b/c/d;p?q"
REFERENCES: Final = (
    "g:h g ./g g/ /g //g ?y g?y #s g#s g?y#s ;x g;x g;x?y#s . ./ .. ../ ../g ../.. ../../ ../../g"
    " ../../../g ../../../../g /./g /../g g. .g g.. ..g ./../g ./g/. g/./h g/../h g;x=1/./y"
    " g;x=1/../y g?y/./x g?y/../x g#s/./x g#s/../x"
).split()


def write_uris() -> bool:
    """Print the time of ladder and references against other libraries; true if not longer."""
    print("\nURIs: microseconds for each, the best of 25 rounds\n")
    print("| | ours | theirs | target |")
    print("|---|--:|--:|--:|")
    rfc3986, uritools = _import("rfc3986"), _import("uritools")
    met = [
        _write_uri_row(
            "normalize, beside rfc3986",
            _best(uri.normalize_uri, URIS),
            rfc3986 and _best(rfc3986.normalize_uri, URIS),
        ),
        _write_uri_row(
            "compare on the whole ladder, beside rfc3986's comparison of normal forms",
            _best(lambda pair: uri.compare_uris(*pair), PAIRS),
            rfc3986 and _best(lambda pair: _compare_by_rfc3986(rfc3986, pair), PAIRS),
        ),
        _write_uri_row(
            "resolve, beside uritools",
            _best(lambda reference: uri.resolve_reference(BASE, reference), REFERENCES),
            uritools and _best(lambda each: uritools.urijoin(BASE, each), REFERENCES),
            1.5,
        ),
    ]
    return all(met)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _compare_by_rfc3986(rfc3986: Any, pair: tuple[str, str]) -> object:
    one, other = map(rfc3986.uri_reference, pair)
    return one.normalized_equality(other)


def _best(read: Callable[[Any], object], texts: Sequence[Any]) -> float:
    return min(_time(read, list(texts) * 40) for _ in range(ROUNDS)) / len(texts) / 40 * 1e6


def _write_uri_row(title: str, ours: float, theirs: float | None, share: float = 1.0) -> bool:
    if theirs is None:
        print(f"| {title} | {ours:.1f} | not installed |  |")
        return True
    is_met = ours <= theirs * share
    goal = f"{theirs * share:.1f} {'met' if is_met else '**missed**'}"
    print(f"| {title} | {ours:.1f} | {theirs:.1f} | {goal} |")
    return is_met


def write_find() -> bool:
    """Print how much running text is searched in a second; true if the target is met."""
    text = running_text()
    found = sum(1 for _ in find(text))
    seconds = min(_time(lambda each: list(find(each)), [text]) for _ in range(5))
    speed = len(text) / seconds / 1e6
    goal = f"5 {'met' if speed >= 5 else '**missed**'}"
    print(f"\n`find` in {len(text):,} characters with {found:,} URIs\n")
    print("| MB/s | target |\n|--:|--:|")
    print(f"| {speed:.1f} | {goal} |")
    return speed >= 5


def write_memory() -> bool:
    """Print the memory of a stored URN compared with its text; true if the target is met."""
    names = valid_urns() * 20
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    urns = [parse(name) for name in names]
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    octets = (after - before - sys.getsizeof(urns)) / len(urns)
    goal = f"120 {'met' if octets <= 120 else '**missed**'}"
    print("\nMemory of a kept URN beside its text\n")
    print("| octets | target |\n|--:|--:|")
    print(f"| {octets:.0f} | {goal} |")
    return octets <= 120


def main() -> int:
    """Measure everything and print it; 1 if a target is missed."""
    print(f"Python {platform.python_version()} on {platform.system()}, {platform.machine()}")
    others = list_contenders()
    tables = {
        "The mixture: 1,000 valid URNs, four in ten with components, and 200 texts that are none": (
            mixture(),
            [
                Contender("the floor itself", FLOOR.fullmatch),
                Contender("`is_valid`", is_valid, 0.2),
                Contender("`parse`", attempt, 0.42),
                Contender("`parse` and `assigned_name`", attempt_canonical, 0.8),
                *others,
            ],
        ),
        "The 1,000 valid ones alone": (
            valid_urns(),
            [
                Contender("the floor itself", FLOOR.fullmatch),
                Contender("`is_valid`", is_valid, 0.2),
                Contender("`parse`", parse, 0.42),
                Contender("`parse` and `assigned_name`", canonical, 0.8),
                *others,
            ],
        ),
        "The 200 invalid ones alone": (
            invalid_urns(),
            [
                Contender("the floor itself", FLOOR.fullmatch),
                Contender("`is_valid`", is_valid, 0.2),
                Contender("`parse`, the cause not asked for", attempt),
                Contender("`parse`, its cause and position", diagnose, 1.4),
                *others,
            ],
        ),
    }
    met = []
    for title, (names, contenders) in tables.items():
        results = measure(names, contenders)
        write_results(title, results)
        met += [result.is_met for result in results]
    met += [write_uris(), write_find(), write_memory(), write_growth(), write_check()]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
