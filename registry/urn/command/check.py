"""Files of names, one per line, checked in constant memory."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TextIO

from ..causes import Cause
from ..characters import escape_surrogates, quote_excerpt
from ..errors import URNSyntaxError
from ..nid import canonical
from ..syntax import WHOLE_URN
from ..urn import URN, is_valid, parse

# No name is that long; a file without line ends must not be read into memory whole.
MAX_LINE_LENGTH: Final = 1 << 20
STANDARD_INPUT: Final = "-"
_BLOCK_OCTETS: Final = 1 << 16
_BOM: Final = b"\xef\xbb\xbf"
# As many lines from its beginning as are URNs and nothing else: one step for a whole block.
_GOOD_LINES: Final = re.compile(rf"(?:{WHOLE_URN.pattern}\r?\n)*+".encode())


@contextmanager
def open_octets(name: str) -> Iterator[BinaryIO]:
    """The file of that name, or standard input for `-`, as octets."""
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield file


def read_blocks(file: BinaryIO) -> Iterator[bytes]:
    """The file in pieces that end with a line, the last one possibly without a line end.

    Only a line feed ends a line: the other line ends of Unicode are errors within a URN. A line of
    more than `MAX_LINE_LENGTH` octets is cut after that many.
    """
    held, is_skipping = b"", False
    first = file.read(len(_BOM))
    held = b"" if first == _BOM else first
    while piece := file.read(_BLOCK_OCTETS):
        if is_skipping:
            _, end, piece = piece.partition(b"\n")
            if not end:
                continue
            is_skipping = False
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield held + piece[:cut]
            held = piece[cut:]
        else:
            held += piece
        if len(held) >= MAX_LINE_LENGTH:
            yield held[:MAX_LINE_LENGTH] + b"\n"
            held, is_skipping = b"", True
    if held:
        yield held


_HEADINGS: Final = frozenset({"nid", "urn namespace", "namespace identifier"})


class RegisteredNIDs:
    """A set of registered NIDs, and which of them resemble an unregistered one."""

    def __init__(self, nids: frozenset[str]) -> None:
        self.nids = nids
        self.near = lru_cache(maxsize=1024)(self._near)

    def __contains__(self, nid: str) -> bool:
        return canonical(nid) in self.nids

    def _near(self, nid: str) -> tuple[str, ...]:
        return tuple(get_close_matches(canonical(nid), sorted(self.nids), n=3, cutoff=0.75))


def read_nids(path: Path) -> RegisteredNIDs:
    """Read NIDs from a file: one per line, or a CSV file's column with that heading."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    heading = [cell.strip().lower() for cell in rows[0]] if rows else []
    column = next((index for index, cell in enumerate(heading) if cell in _HEADINGS), None)
    body = rows if column is None else rows[1:]
    index = column or 0
    return RegisteredNIDs(
        frozenset(canonical(row[index].strip()) for row in body if len(row) > index)
    )


_BAR_WIDTH: Final = 30
_BLOCKS_BETWEEN_BARS: Final = 2


class ProgressBar:
    """A progress bar on a terminal; nothing elsewhere."""

    def __init__(self, file: BinaryIO, terminal: TextIO) -> None:
        self.terminal = terminal
        self.is_drawn = terminal.isatty()
        self.size = _measure_file(file) if self.is_drawn else 0
        self.blocks = self.passed = 0

    def advance(self, octets: int, lines: int) -> None:
        """Add octets to the progress, and report `lines` in total."""
        self.blocks += 1
        self.passed += octets
        if self.is_drawn and self.blocks % _BLOCKS_BETWEEN_BARS == 1:
            self.terminal.write(f"\r{_draw_bar(self.passed, self.size)}{lines:,} lines")
            self.terminal.flush()

    def clear(self) -> None:
        """Remove the bar."""
        if self.is_drawn:
            self.terminal.write("\r\x1b[K")
            self.terminal.flush()


def _measure_file(file: BinaryIO) -> int:
    """The size of the file, 0 if unknown."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _draw_bar(passed: int, size: int) -> str:
    if not size:
        return ""
    share = min(passed / size, 1)
    done = round(share * _BAR_WIDTH)
    return f"[{'#' * done}{'.' * (_BAR_WIDTH - done)}] {share:4.0%}  "


_TOO_LONG: Final = Cause(
    "nss",
    "local rule",
    f"a line of more than {MAX_LINE_LENGTH:,} characters is not read to its end",
    "Put each name on a line of its own.",
)


class LineAnswer(StrEnum):
    """The three answers for a name; *valid* if registration was not checked."""

    MALFORMED = "not valid"
    UNREGISTERED = "unregistered"
    REGISTERED = "registered"
    VALID = "valid"


class LineVerdict(NamedTuple):
    """The answer for one line, with the URN or the error it comes from."""

    file: str
    line: int
    text: str
    answer: LineAnswer
    urn: URN | None = None
    error: URNSyntaxError | None = None
    near: tuple[str, ...] = ()


def judge_line(
    file: str, line: int, text: str, registered: RegisteredNIDs | None = None
) -> LineVerdict:
    """Read `text` by RFC 8141, and look its NID up among those `registered`, if given."""
    if len(text) >= MAX_LINE_LENGTH:
        error = URNSyntaxError(text, MAX_LINE_LENGTH, _TOO_LONG)
        return LineVerdict(file, line, text, LineAnswer.MALFORMED, error=error)
    try:
        urn = parse(text)
    except URNSyntaxError as problem:
        # Its traceback would keep the frame that keeps the verdict, until garbage is collected.
        error = problem.with_traceback(None)
        return LineVerdict(file, line, text, LineAnswer.MALFORMED, error=error)
    if registered is None:
        return LineVerdict(file, line, text, LineAnswer.VALID, urn)
    if urn.nid in registered:
        return LineVerdict(file, line, text, LineAnswer.REGISTERED, urn)
    return LineVerdict(
        file, line, text, LineAnswer.UNREGISTERED, urn, near=registered.near(urn.nid)
    )


VERDICT_COLUMNS: Final = (
    "file",
    "line",
    "text",
    "valid",
    "registered",
    "canonical",
    "position",
    "component",
    "rule",
    "message",
    "near",
)
_NO_ERROR: Final = (None, None, None, None)
_REGISTERED: Final = {LineAnswer.REGISTERED: True, LineAnswer.UNREGISTERED: False}
_GOOD_ANSWERS: Final = frozenset({LineAnswer.VALID, LineAnswer.REGISTERED})


def _build_row(verdict: LineVerdict) -> tuple[Any, ...]:
    """What is known of one name, in the order of `VERDICT_COLUMNS`."""
    file, line, text, answer, urn, error, near = verdict
    registered = _REGISTERED.get(answer)
    if urn is not None:
        return (file, line, text, True, registered, urn.assigned_name, *_NO_ERROR, near)
    written = escape_surrogates(text)
    reason = (error.position, error.component, error.rule, str(error)) if error else _NO_ERROR
    return (file, line, written, False, registered, None, *reason, near)


def describe_verdict(verdict: LineVerdict) -> str:
    """The line on a name that is not a URN, or whose NID is not registered; empty for others."""
    if verdict.answer in _GOOD_ANSWERS:
        return ""
    where = f"{verdict.file}:{verdict.line}: {quote_excerpt(verdict.text)}"
    if verdict.error is not None:
        return f"{where}: {verdict.error}\n"
    near = f" Near: {', '.join(verdict.near)}." if verdict.near else ""
    nid = verdict.urn.nid if verdict.urn else ""
    return f"{where}: Well formed, but nobody has registered {nid}.{near}\n"


def _write_json_row(verdict: LineVerdict) -> str:
    known = dict(zip(VERDICT_COLUMNS, _build_row(verdict), strict=True))
    return f"{json.dumps(known)}\n"


def _write_csv_row(verdict: LineVerdict) -> str:
    *cells, near = _build_row(verdict)
    return _write_cells((*cells, " ".join(near)))


def _write_cells(cells: Iterable[object]) -> str:
    written = io.StringIO()
    row = list(cells)
    # A carriage return alone needs quoting only where it could end a line.
    if any("\r" in str(cell) for cell in row):
        csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow(row)
    else:
        csv.writer(written, lineterminator="\n").writerow(row)
    return written.getvalue()


# A URN contains nothing that JSON must escape, and in CSV only a comma needs quotation marks: the
# rows of valid names, which are most, are put together by hand.


def _write_valid_json(file: str) -> Callable[[int, str, str], str]:
    before = f'{{"file": {json.dumps(file)}, "line": '
    behind = '", "position": null, "component": null, "rule": null, "message": null, "near": []}\n'

    def write(line: int, text: str, canonical_form: str) -> str:
        return (
            f'{before}{line}, "text": "{text}", "valid": true, "registered": null, '
            f'"canonical": "{canonical_form}{behind}'
        )

    return write


def _write_valid_csv(file: str) -> Callable[[int, str, str], str]:
    name = _write_cells([file, ""]).rstrip("\n")

    def write(line: int, text: str, canonical_form: str) -> str:
        if "," in text:
            text, canonical_form = f'"{text}"', f'"{canonical_form}"'
            canonical_form = canonical_form if "," in canonical_form else canonical_form[1:-1]
        return f"{name}{line},{text},True,,{canonical_form},,,,,\n"

    return write


class VerdictFormat(NamedTuple):
    """How verdicts are written: the header, a row, and the row of a valid name."""

    heading: str
    write_row: Callable[[LineVerdict], str]
    write_valid: Callable[[str], Callable[[int, str, str], str]] | None


VERDICT_FORMATS: Final = {
    "text": VerdictFormat("", describe_verdict, None),
    "json": VerdictFormat("", _write_json_row, _write_valid_json),
    "csv": VerdictFormat(_write_cells(VERDICT_COLUMNS), _write_csv_row, _write_valid_csv),
}


class CheckRun:
    """One run over files: the counts, and the output."""

    def __init__(
        self, form: str, registered: RegisteredNIDs | None, stream: TextIO, *, is_quiet: bool
    ) -> None:
        self.form = VERDICT_FORMATS["text" if is_quiet else form]
        self.registered, self.stream, self.is_quiet = registered, stream, is_quiet
        self.counts: Counter[LineAnswer] = Counter()
        self.line = 0

    def check_file(self, name: str, file: BinaryIO, terminal: TextIO) -> None:
        """Check every line that is not empty."""
        self.line = 0
        bar = ProgressBar(file, terminal)
        try:
            for block in read_blocks(file):
                self._check_block(name, block)
                bar.advance(len(block), self.line)
        finally:
            bar.clear()

    def _check_block(self, name: str, block: bytes) -> None:
        # No other line of a block can be that long: the rest of it was read at once.
        if block.find(b"\n") >= MAX_LINE_LENGTH:
            octets, _, block = block.partition(b"\n")
            self.stream.write(self._judge(name, _decode_line(octets)))
        is_walked = self.registered is None and (self.form.write_valid is None or self.is_quiet)
        rows = self._walk_block(name, block) if is_walked else self._read_block(name, block)
        self.stream.writelines(rows)

    def _walk_block(self, name: str, block: bytes) -> Iterator[str]:
        """Skip valid lines by the hundred, and judge each of the others."""
        at = 0
        while at < len(block):
            walked = _GOOD_LINES.match(block, at)
            end = walked.end() if walked else at
            good = block.count(b"\n", at, end)
            self.counts[LineAnswer.VALID] += good
            self.line += good
            if end == len(block):
                return
            next_line = block.find(b"\n", end)
            line_end = len(block) if next_line < 0 else next_line
            yield self._judge(name, _decode_line(block[end:line_end]))
            at = line_end + 1

    def _read_block(self, name: str, block: bytes) -> Iterator[str]:
        """Judge line after line, writing each."""
        lines = block.decode("utf-8", "surrogateescape").split("\n")
        if not lines[-1]:
            lines.pop()
        write = self.form.write_valid
        if self.registered is not None or write is None:
            for text in lines:
                yield self._judge(name, text.removesuffix("\r"))
            return
        write_valid = write(name)
        for text in lines:
            name_alone = text.removesuffix("\r")
            if not is_valid(name_alone):
                yield self._judge(name, name_alone)
                continue
            self.line += 1
            self.counts[LineAnswer.VALID] += 1
            if not self.is_quiet:
                yield write_valid(self.line, name_alone, parse(name_alone).assigned_name)

    def _judge(self, name: str, text: str) -> str:
        self.line += 1
        if not text:
            return ""
        verdict = judge_line(name, self.line, text, self.registered)
        self.counts[verdict.answer] += 1
        return "" if self.is_quiet else self.form.write_row(verdict)


def _decode_line(octets: bytes) -> str:
    return octets.removesuffix(b"\r").decode("utf-8", "surrogateescape")


def write_verdict_counts(counts: Counter[LineAnswer], stream: TextIO) -> None:
    """Write how many names got which answer."""
    total = counts.total()
    kinds = ", ".join(f"{counts[answer]:,} {answer}" for answer in LineAnswer if counts[answer])
    names = "name" if total == 1 else "names"
    stream.write(f"{total:,} {names}: {kinds}.\n" if kinds else "No names.\n")


def check_files(
    names: Iterable[str],
    form: str,
    registered: RegisteredNIDs | None = None,
    *,
    is_quiet: bool = False,
) -> int:
    """Check every line of the files, write the verdicts, and return the exit status.

    That is 1 if something is not a URN, else 0. Raises `OSError` for a file that cannot be read.
    """
    run = CheckRun(form, registered, sys.stdout, is_quiet=is_quiet)
    if not is_quiet:
        sys.stdout.write(run.form.heading)
    for name in names:
        with open_octets(name) as file:
            run.check_file(name, file, sys.stderr)
    if form == "text" and not is_quiet:
        write_verdict_counts(run.counts, sys.stdout)
    sys.stdout.flush()
    return 1 if run.counts[LineAnswer.MALFORMED] else 0
