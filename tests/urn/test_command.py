"""The command line: `python -m registry.urn`."""

from __future__ import annotations

import csv
import gc
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from registry.urn import URNSyntaxError, problems
from registry.urn.command import MAX_LINE_LENGTH, main

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "registry.urn"]


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A file of four names, one of which is not a URN."""
    path = tmp_path / "names.txt"
    path.write_text(
        "urn:isbn:978-951-0-18435-6\r\n\nURN:ISSN:1234-5679?+r\n"
        "urn:nbn:fi fe2010\nurn:bookshelf:12",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A file of forty thousand URNs."""
    path = tmp_path / "many.txt"
    path.write_text("urn:example:a\n" * 40_000, encoding="utf-8")
    return path


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as a separate process, with `given` on its standard input."""
    return subprocess.run(
        [*COMMAND, *arguments], input=given, capture_output=True, cwd=ROOT, check=False
    )


def test_check_tells_of_problems_and_counts(
    names: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["check", str(names)])

    assert status == 1
    problem, counts = capsys.readouterr().out.splitlines()
    [error] = problems("urn:nbn:fi fe2010")
    assert problem == f"{names}:4: “{error.text}”: {error}"
    assert counts == "4 names: 1 not valid, 3 valid."


@pytest.mark.whole
def test_check_of_urns_alone_ends_well() -> None:
    finished = run("check", given=b"\xef\xbb\xbfurn:example:a\nurn:example:b\n")

    assert (finished.returncode, finished.stdout) == (0, b"2 names: 2 valid.\n")
    assert finished.stderr == b""


@pytest.mark.whole
def test_check_of_nothing_ends_well() -> None:
    assert run("check", "-").stdout == b"No names.\n"


def test_check_with_registered_nids_has_three_answers(
    names: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    registered = tmp_path / "registered.csv"
    registered.write_text("Kind,NID\nformal,ISBN\nformal,issn\nformal,bookshelve\n", "utf-8")

    status = main(["check", str(names), "--registered", str(registered)])

    assert status == 1
    _problem, unregistered, counts = capsys.readouterr().out.splitlines()
    assert unregistered.startswith(f"{names}:5: “urn:bookshelf:12”: ")
    assert unregistered.endswith("Near: bookshelve.")
    assert re.findall(r"\d+", counts) == ["4", "1", "1", "2"]


def test_check_writes_a_json_object_for_each_name(
    names: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", str(names), "--format", "json"])

    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(name["line"], name["valid"], name["canonical"]) for name in objects] == [
        (1, True, "urn:isbn:978-951-0-18435-6"),
        (3, True, "urn:issn:1234-5679"),
        (4, False, None),
        (5, True, "urn:bookshelf:12"),
    ]
    assert objects[2] | {"message": ""} == {
        "file": str(names),
        "line": 4,
        "text": "urn:nbn:fi fe2010",
        "valid": False,
        "registered": None,
        "canonical": None,
        "position": 10,
        "component": "nss",
        "rule": 'NSS = pchar *(pchar / "/") (RFC 8141, section 2)',
        "message": "",
        "near": [],
    }


def test_check_writes_a_csv_row_for_each_name(
    names: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", str(names), "--format", "csv"])

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["line"], row["valid"], row["position"]) for row in rows] == [
        ("1", "True", ""),
        ("3", "True", ""),
        ("4", "False", "10"),
        ("5", "True", ""),
    ]


@pytest.mark.whole
def test_check_passes_over_what_is_no_text() -> None:
    finished = run("check", "--format", "json", given=b"urn:ab:\xff\0\nurn:ab:c\x85\n\xc2\x85")

    assert [json.loads(line)["position"] for line in finished.stdout.splitlines()] == [7, 8, 0]


@pytest.mark.whole
def test_check_reads_no_endless_line_into_memory() -> None:
    finished = run("check", given=b"urn:ab:" + b"a" * (3 * MAX_LINE_LENGTH) + b"\nurn:ab:c\n")

    problem, counts = finished.stdout.decode().splitlines()
    assert "1,048,576" in problem
    assert re.findall(r"\d+", counts) == ["2", "1", "1"]


@pytest.mark.whole
def test_check_ends_quietly_when_nobody_reads_on(many: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", str(many), "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert process.stderr.read() == b""


@pytest.mark.whole
def test_check_draws_a_bar_on_a_terminal(many: Path) -> None:
    ours, theirs = pty.openpty()

    finished = subprocess.run(
        [*COMMAND, "check", str(many)], stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, check=True
    )
    os.close(theirs)
    drawn = os.read(ours, 10_000).decode()
    os.close(ours)

    assert finished.stdout == b"40,000 names: 40,000 valid.\n"
    assert re.search(r"\r\[#+\.+\] +\d+%  [\d,]+ lines", drawn)
    assert drawn.endswith("\r\x1b[K")


@pytest.mark.whole
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["parse"],
        ["compare", "urn:a:b"],
        ["check", "--format", "xml"],
        ["check", "no-such-file.txt"],
        ["check", "."],
        ["check", "--registered", "no-such-file.csv"],
        ["guess", "urn:a:b"],
    ],
)
def test_wrong_use_ends_with_two_and_a_reason(arguments: list[str]) -> None:
    finished = run(*arguments)

    assert finished.returncode == 2
    assert finished.stdout == b""
    assert b"registry.urn" in finished.stderr
    assert b"Traceback" not in finished.stderr


def test_parse_writes_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["parse", "URN:Example:%d0%b6?+r#"])

    assert status == 0
    assert capsys.readouterr().out == (
        "NID          Example\n"
        "NSS          %d0%b6\n"
        "r-component  r\n"
        "f-component  \n"
        "canonical    urn:example:%D0%B6\n"
        "for reading  URN:Example:ж?+r#\n"
        "advice       %d0%b6 stands for what is not ASCII (character 13). Keep to ASCII letters "
        "and digits where the names of the namespace allow it. RFC 8141, section 2.2.\n"
    )


def test_parse_writes_every_problem_and_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["parse", "urn:ab:c\nd#e#f"])

    assert status == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Not a URN: urn:ab:c\\u{A}d#e#f"
    assert [line.strip().split(" (")[0] for line in lines[1:]] == [
        "A line feed cannot stand in the NSS",
        "A second “#” cannot stand in the f-component",
        "Try urn:ab:cd#e%23f",
        "Try urn:ab:c%0Ad#e%23f",
    ]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_parse_writes_data(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["parse", "urn:ab:c?=q", "--format", form])

    out = capsys.readouterr().out
    (row,) = [json.loads(out)] if form == "json" else csv.DictReader(io.StringIO(out))
    assert (row["nid"], row["nss"], row["q_component"]) == ("ab", "c", "q")


@pytest.mark.whole
def test_parse_takes_a_name_that_is_no_text() -> None:
    finished = run("parse", os.fsdecode(b"urn:ab:\xff"))

    assert finished.returncode == 1
    assert finished.stdout.startswith(b"Not a URN: urn:ab:")


@pytest.mark.parametrize(
    ("first", "second", "status", "answer"),
    [
        ("urn:ab:c?+r", "URN:AB:c", 0, "Equivalent by RFC 8141, section 3.1."),
        ("urn:ab:c", "urn:ab:C", 1, "Not equivalent by RFC 8141, section 3.1."),
        ("urn:ab:c", "urn:ab:", 2, "Not a URN: urn:ab:: The NSS is missing (after character 7)."),
    ],
)
def test_compare_writes_whether_two_are_equivalent(
    first: str, second: str, status: int, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", first, second]) == status
    assert capsys.readouterr().out.startswith(answer)


def test_compare_writes_data(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "urn:ab:c", "urn:AB:d", "--format", "json"])

    known = json.loads(capsys.readouterr().out)
    assert {name: known[name] for name in known if name not in ("ladder", "lexical")} == {
        "valid": True,
        "equivalent": False,
        "decided_by": "urn",
        "rung": None,
        "rule": "RFC 8141, section 3.1",
        "first": "urn:ab:c",
        "second": "urn:ab:d",
        "folded": ["nid"],
        "ignored": [],
        "part": "nss",
        "positions": [7, 7],
    }


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_check_keeps_no_error_until_garbage_is_collected(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "names.txt"
    path.write_text("urn:isbn:97 8\n" * 100)
    gc.collect()
    gc.disable()
    try:
        main(["check", str(path), "--format", form])
        errors = [each for each in gc.get_objects() if isinstance(each, URNSyntaxError)]
    finally:
        gc.enable()

    assert not errors
    assert capsys.readouterr().out.count("97 8") >= 100
