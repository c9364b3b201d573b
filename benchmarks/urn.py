"""How fast the URN library is, compared with a plain regular expression and three libraries."""

from __future__ import annotations

import importlib
import random
import re
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.commands import run_python
from benchmarks.corpus import invalid_urns, mixture, running_text, valid_urns
from benchmarks.tables import CannotRun, Table, judge
from registry.urn import URNSyntaxError, display, find, is_valid, parse, uri

ROUNDS: Final = 15
NAMES_IN_A_FILE: Final = 1_000_000
MAX_CHECK_SECONDS: Final = {"text": 1, "json": 4, "csv": 4}
"""For a file of that many names, by the format of the answer."""
MAX_CHECK_MEGABYTES: Final = 25
MIN_FIND_SPEED: Final = 5
"""Million characters of running text in a second."""
# A URN has its parts, since most programs read some of them.
MAX_URN_OCTETS: Final = 260
MAX_GROWTH: Final = 2
"""How much longer a character of a long text may take than one of a short text."""

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


def measure(is_smallest: bool) -> Iterator[Table]:
    """Measure everything."""
    rounds, names_in_a_file = (1, 1_000) if is_smallest else (ROUNDS, NAMES_IN_A_FILE)
    others = list_contenders()
    floor = Contender("the floor itself", FLOOR.fullmatch)
    yield compare_contenders(
        "1,000 valid URNs, four in ten with components, and 200 invalid texts",
        mixture(),
        [
            floor,
            Contender("`is_valid`", is_valid, 0.2),
            Contender("`parse`", attempt, 0.42),
            Contender("`parse` and all five parts", attempt_parts, 0.55),
            Contender("`parse` and `assigned_name`", attempt_canonical, 0.8),
            *others,
        ],
        rounds,
    )
    yield compare_contenders(
        "The 200 invalid texts alone",
        invalid_urns(),
        [
            floor,
            Contender("`is_valid`", is_valid, 0.2),
            Contender("`parse`, the cause not asked for", attempt),
            Contender("`parse`, its cause and position", diagnose, 1.4),
            *others,
        ],
        rounds,
    )
    yield measure_uris(rounds)
    yield Table("Running text, memory", ("", "", "target"), [measure_find(), measure_memory()])
    yield measure_growth(rounds)
    yield measure_check("valid names", valid_urns(), names_in_a_file, status=0)
    partly_valid = [*valid_urns(980), *invalid_urns(20)]
    yield measure_check("names, 2 in 100 invalid", partly_valid, names_in_a_file, status=1)
    yield measure_check("invalid names", invalid_urns(), names_in_a_file, status=1, slowness=20)
    yield measure_start(rounds)


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


def attempt_parts(text: str) -> object:
    """Parse and read every part, and skip other texts."""
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return error
    return urn.nid, urn.nss, urn.r_component, urn.q_component, urn.f_component


def attempt_canonical(text: str) -> object:
    """Parse and normalize, and skip other texts."""
    try:
        return parse(text).assigned_name
    except URNSyntaxError as error:
        return error


def list_contenders() -> list[Contender]:
    """What other libraries have for reading a URN."""
    return [
        Contender(
            "urnparse `URN8141.from_string`",
            forgive_errors(import_library("urnparse").URN8141.from_string),
        ),
        Contender(
            "rfc3986 `uri_reference` (splits; knows no URNs)",
            forgive_errors(import_library("rfc3986").uri_reference),
        ),
        Contender(
            "uritools `urisplit` (splits; knows no URNs)",
            forgive_errors(import_library("uritools").urisplit),
        ),
    ]


def import_library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise CannotRun(f"{name} is not installed (requirements-dev.txt).") from None


def forgive_errors(read: Reader) -> Reader:
    def attempt_to_read(text: str) -> object:
        try:
            return read(text)
        except Exception as error:  # each library has errors of its own
            return error

    return attempt_to_read


def compare_contenders(
    caption: str, names: Sequence[str], contenders: Sequence[Contender], rounds: int
) -> Table:
    """Time each contender over `names`, alternating with the floor."""
    shares: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    best = dict.fromkeys(shares, float("inf"))
    for _ in range(rounds):
        for contender in contenders:
            of_floor = time_reader(FLOOR.fullmatch, names)
            taken = time_reader(contender.read, names)
            shares[contender.name].append(taken / of_floor)
            best[contender.name] = min(best[contender.name], taken)
    rows = []
    for contender in contenders:
        share = statistics.median(shares[contender.name])
        results = map(contender.read, names)
        accepted = sum(bool(each) and not isinstance(each, Exception) for each in results)
        target = contender.target
        goal = "" if target is None else judge(f"{target}", share <= target)
        nanoseconds = f"{best[contender.name] / len(names) * 1e9:,.0f}"
        rows.append((contender.name, nanoseconds, f"{share:.2f}", goal, f"{accepted:,}"))
    columns = ("", "ns for each", "of the floor's time", "target", "taken for URNs")
    return Table(caption, columns, rows)


def time_reader(read: Callable[[Any], object], texts: Sequence[Any]) -> float:
    """Return the CPU seconds of reading all texts once."""
    started = time.process_time()
    for text in texts:
        read(text)
    return time.process_time() - started


def measure_growth(rounds: int) -> Table:
    """Compare the time per character of short and of long texts."""
    rows = []
    for name, unit, read in GROWING:
        short, long = (time_character(unit, length, read, rounds) for length in (1000, 100_000))
        target = judge(f"{MAX_GROWTH}", long <= MAX_GROWTH * short)
        rows.append((name, f"{short:.2f}", f"{long:.2f}", f"{long / short:.2f}", target))
    columns = ("", "of 1,000", "of 100,000", "growth", "target")
    return Table("Nanoseconds for each character of a text", columns, rows)


def time_character(unit: str, length: int, read: Reader, rounds: int) -> float:
    text = "urn:example:" + unit * (length // len(unit))
    names = [text] * max(1, 100_000 // length)
    best = min(time_reader(read, names) for _ in range(rounds))
    return best / (len(names) * length) * 1e9


GROWING: Final[tuple[tuple[str, str, Reader], ...]] = (
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


def measure_start(rounds: int) -> Table:
    """Time the shortest command beside Python itself, which does nothing."""
    rows = []
    for name, arguments in (
        ("`python -c pass`", ["-c", "pass"]),
        ("`python -m registry.urn --version`", ["-m", "registry.urn", "--version"]),
        ("`python -m registry.urn parse`", ["-m", "registry.urn", "parse", "urn:example:a"]),
    ):
        seconds = min(run_python(*arguments).processor for _ in range(rounds))
        rows.append((name, f"{seconds * 1000:.0f}"))
    return Table("Starting, milliseconds of the processor", ("", "ms"), rows)


def measure_check(kind: str, names: list[str], count: int, status: int, slowness: int = 1) -> Table:
    """Check a file of many names with the command; invalid ones may take longer."""
    random.Random(1).shuffle(names)
    lines = "".join(name.replace("\n", " ") + "\n" for name in names)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "names.txt")
        path.write_text(lines * (count // len(names)), encoding="utf-8")
        rows = [check_file(path, form, status, slowness) for form in MAX_CHECK_SECONDS]
    columns = ("", "seconds of the processor", "memory", "target")
    return Table(f"`python -m registry.urn check`, {count:,} {kind}", columns, rows)


def check_file(path: Path, form: str, status: int, slowness: int) -> Sequence[str]:
    run = run_python(*("-m", "registry.urn", "check", str(path), "--format", form), status=status)
    most = MAX_CHECK_SECONDS[form] * slowness
    is_met = run.processor <= most and run.megabytes < MAX_CHECK_MEGABYTES
    target = judge(f"{most} s, {MAX_CHECK_MEGABYTES} MB", is_met)
    return f"`--format {form}`", f"{run.processor:.2f}", f"{run.megabytes:.0f} MB", target


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


def measure_uris(rounds: int) -> Table:
    """Compare the ladder and references with other libraries."""
    rfc3986, uritools = import_library("rfc3986"), import_library("uritools")

    def compare_by_rfc3986(pair: tuple[str, str]) -> object:
        one, other = map(rfc3986.uri_reference, pair)
        return one.normalized_equality(other)

    def time_best(read: Callable[[Any], object], texts: Sequence[Any]) -> float:
        taken = min(time_reader(read, list(texts) * 40) for _ in range(rounds))
        return taken / len(texts) / 40 * 1e6

    rows = []
    for name, ours, theirs, texts, share in (
        ("normalize, rfc3986", uri.normalize_uri, rfc3986.normalize_uri, URIS, 1.0),
        (
            "compare on the whole ladder, rfc3986's comparison of normal forms",
            lambda pair: uri.compare_uris(*pair),
            compare_by_rfc3986,
            PAIRS,
            1.0,
        ),
        (
            "resolve, uritools",
            lambda reference: uri.resolve_reference(BASE, reference),
            lambda reference: uritools.urijoin(BASE, reference),
            REFERENCES,
            1.5,
        ),
    ):
        own, other = time_best(ours, texts), time_best(theirs, texts)
        target = judge(f"{other * share:.1f}", own <= other * share)
        rows.append((name, f"{own:.1f}", f"{other:.1f}", target))
    return Table("URIs, microseconds for each", ("", "ours", "theirs", "target"), rows)


def measure_find() -> Sequence[str]:
    """Return how much running text is searched in a second."""
    text = running_text()
    seconds = min(time_reader(lambda each: list(find(each)), [text]) for _ in range(5))
    speed = len(text) / seconds / 1e6
    name = f"`find` in {len(text):,} characters with {sum(1 for _ in find(text)):,} URIs, MB/s"
    return name, f"{speed:.1f}", judge(f"{MIN_FIND_SPEED}", speed >= MIN_FIND_SPEED)


def measure_memory() -> Sequence[str]:
    """Return the memory of a stored URN besides its text."""
    names = valid_urns() * 20
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    urns = [parse(name) for name in names]
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    octets = (after - before - sys.getsizeof(urns)) / len(urns)
    target = judge(f"{MAX_URN_OCTETS}", octets <= MAX_URN_OCTETS)
    return "octets of a URN besides its text", f"{octets:.0f}", target
