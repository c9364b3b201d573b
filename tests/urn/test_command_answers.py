"""Each command of the command line: its answers, as text and as data, and its status."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from registry.urn import __version__
from registry.urn.command import main

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "registry.urn"]

# The arguments, the status, and the beginning of the answer.
ANSWERS: dict[str, tuple[list[str], int, str]] = {
    "convert": (["convert", "urn:ab:c??r"], 0, "urn:ab:c?+r\n"),
    "convert-from": (["convert", "--from", "draft-03", "urn:ab:c?s=I2L"], 0, "urn:ab:c?=s=I2L\n"),
    "convert-nothing": (["convert", "urn:ab:c d"], 1, "Not a URN: urn:ab:c d\n"),
    "normalize-urn": (["normalize", "URN:Ab:%2c?+r"], 0, "urn:ab:%2C\n"),
    "normalize-rung": (["normalize", "--rung", "case", "URN:Ab:c?+r"], 0, "urn:ab:c?+r\n"),
    "normalize-uri": (["normalize", "HTTP://h:080/%7Ea/../b"], 0, "http://h/b\n"),
    "normalize-no-uri": (["normalize", "http://[::g]/"], 1, "Not a URI: http://[::g]/\n"),
    "normalize-no-urn": (["normalize", "urn:ab:"], 1, "Not a URN: urn:ab:\n"),
    "validate": (
        ["validate", "http://[::1]/a?b"],
        0,
        "scheme       http\nauthority    [::1]\npath         /a\nquery        b\n"
        "host         [::1], IPv6address\n",
    ),
    "validate-nothing": (["validate", "a/b"], 1, "Not a URI: a/b\n  The scheme is missing"),
    "validate-form": (["validate", "--form", "reference", "a/b"], 0, "path         a/b\n"),
    "resolve": (["resolve", "http://a/b/c", "../d"], 0, "http://a/d\n"),
    "resolve-lenient": (["resolve", "--lenient", "http://a/b", "http:c"], 0, "http://a/c\n"),
    "resolve-same-document": (
        ["resolve", "urn:ab:c", "#d"],
        0,
        "urn:ab:c#d\n  It is the same document (RFC 3986, section 4.4).\n",
    ),
    "resolve-urn": (["resolve", "urn:ab:c", "d"], 0, "urn:d\n  URNs have no path"),
    "resolve-no-base": (["resolve", "a", "b"], 1, "Not a URI: a: The scheme is missing"),
    "locate": (
        ["locate", "gopher://h.example/00/About"],
        0,
        "scheme       gopher\nhost         h.example\ntype         0\nselector     0/About\n",
    ),
    "locate-broken": (["locate", "http://h/a?b?c"], 1, "Not a locator: http://h/a?b?c: A second"),
    "locate-other": (["locate", "urn:ab:c"], 1, "Not a locator: urn:ab:c: the draft of 1993"),
    "build": (["build", "ab", "c d", "--q", "lang=fi"], 0, "urn:ab:c%20d?=lang=fi\n"),
    "build-nothing": (["build", "a", "c"], 1, "Cannot be built: The NID has one character only"),
    "display": (["display", "urn:ab:%D0%B6"], 0, "urn:ab:ж\n"),
    "nid-free": (["nid", "seedbank"], 0, "seedbank may be registered as a formal namespace.\n"),
    "nid-broken": (["nid", "x-a"], 1, "“x-a” begins with “x-”"),
    "parse-uri": (
        ["parse", "ftp://h/a"],
        1,
        "Not a URN: ftp://h/a\n  “f” stands where a URN has its scheme",
    ),
    "readings": (["readings", "urn:ab:c"], 0, "RFC 2141: a URN\n  nid        ab\n"),
}


@pytest.mark.parametrize(("typed", "status", "words"), ANSWERS.values(), ids=ANSWERS)
def test_command_answers(
    typed: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(typed) == status
    assert capsys.readouterr().out.startswith(words)


@pytest.mark.parametrize(("typed", "status", "words"), ANSWERS.values(), ids=ANSWERS)
def test_command_answers_with_data(
    typed: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*typed, "--format", "json"]) == status
    known = json.loads(capsys.readouterr().out)
    assert known["valid"] is (status == 0)

    assert main([*typed, "--format", "csv"]) == status
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert list(row) == list(known)


@pytest.mark.parametrize(("typed", "status", "words"), ANSWERS.values(), ids=ANSWERS)
def test_quiet_command_answers_with_its_status_alone(
    typed: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*typed, "--quiet"]) == status
    assert capsys.readouterr().out == ""


def test_text_of_another_scheme_is_told_to_be_the_uri_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["parse", "ftp://h.example/a"])

    assert "scheme “ftp”" in capsys.readouterr().out


# The two, what decides, and the status, as for `cmp`.
COMPARED: dict[str, tuple[list[str], int]] = {
    "urns": (["urn:ab:c?+r", "URN:AB:c"], 0),
    "urns-apart": (["urn:ab:c", "urn:ab:C"], 1),
    "uris": (["http://h:80", "HTTP://h/"], 0),
    "uris-apart": (["http://h/a", "http://h/b"], 1),
    "urn-and-uri": (["urn:ab:c", "http://h/"], 1),
    "by-ladder": (["--by", "uri", "urn:ab:c?+r", "urn:ab:c"], 0),
    "by-rfc2141": (["--by", "rfc2141", "urn:ab:c#a", "urn:ab:c#b"], 1),
    "by-draft-12": (["--by", "draft-12", "urn:ab:c?a", "urn:ab:c"], 0),
    "by-5a": (["--by", "draft-03", "urn:ab:c?a=1&b=2", "urn:ab:c"], 0),
    "by-5b": (["--by", "draft-03", "--step", "5b", "urn:ab:c?a=1&b=2", "urn:ab:c"], 1),
    "by-5b-in-another-order": (
        ["--by", "draft-03", "--step", "5b", "urn:ab:c?a=1&b=2", "urn:ab:c?b=2&a=1"],
        0,
    ),
    "no-urn": (["urn:ab:", "urn:ab:c"], 2),
    "no-uri": (["http://[/", "http://h/"], 2),
    "none-of-its-specification": (["--by", "rfc8141", "urn:ab:c?a", "urn:ab:c"], 2),
}


@pytest.mark.parametrize(("typed", "status"), COMPARED.values(), ids=COMPARED)
def test_comparison_ends_as_cmp_does(typed: list[str], status: int) -> None:
    assert main(["compare", "--quiet", *typed]) == status


def test_comparison_says_why_on_every_ground(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "urn:foo:a?s=I2L&c=x", "URN:foo:a?c=x&s=I2L", "--by", "draft-03"])

    said = capsys.readouterr().out
    assert said.startswith("Equivalent by draft -03.\n")
    for words in (
        "  simple            not equal\n",
        "  RFC 2141             not compared: “&” cannot stand in the NSS (character 16)",
        "  draft -03, step 5a   the same: query and fragment are left out",
        "  draft -03, step 5b   the same: the query counts, its directives in one order",
        "  RFC 8141             not compared: A “?” without",
    ):
        assert words in said


def test_comparison_names_what_was_folded_left_out_and_where_two_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["compare", "urn:ab:%2cfi?+r", "URN:AB:%2CFI"])

    said = capsys.readouterr().out
    assert "folded: scheme, NID." in said
    assert ": r-component." in said
    assert "character 11 and 11" in said


def test_comparison_as_data_has_the_ladder_and_each_specification(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["compare", "http://h/%7Ea", "http://h/~a", "--format", "json"])

    known = json.loads(capsys.readouterr().out)
    assert (known["equivalent"], known["decided_by"], known["rung"]) == (
        True,
        "uri",
        "percent-encoding",
    )
    assert [step["equal"] for step in known["ladder"]] == [False, False, True]
    assert set(known["lexical"]) == {
        "RFC 2141",
        "draft -03, step 5a",
        "draft -03, step 5b",
        "draft -12",
        "RFC 8141",
    }


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as a separate process, with `given` on its standard input."""
    return subprocess.run(
        [*COMMAND, *arguments], input=given, capture_output=True, cwd=ROOT, check=False
    )


@pytest.mark.whole
def test_hyphen_stands_for_each_line_of_standard_input() -> None:
    finished = run("normalize", "-", given=b"\xef\xbb\xbfURN:Ab:c\r\n\nhttp://H/\n")

    assert finished.stdout == b"urn:ab:c\nhttp://h/\n"
    assert finished.returncode == 0


@pytest.mark.whole
def test_lines_of_standard_input_become_lines_of_json() -> None:
    finished = run("parse", "-", "--format", "json", given=b"urn:ab:c\nurn:ab:\xff\n")

    good, bad = [json.loads(line) for line in finished.stdout.splitlines()]
    assert (good["nss"], bad["text"], bad["position"]) == ("c", "urn:ab:\\xff", 7)
    assert "octet 0xFF" in bad["message"]
    assert finished.returncode == 1


@pytest.mark.whole
def test_two_are_compared_of_which_one_comes_from_standard_input() -> None:
    assert run("compare", "-", "urn:ab:c", given=b"URN:AB:c\n").returncode == 0


@pytest.mark.whole
def test_find_tells_file_line_and_character(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all,\nsee <urn:ab:c> and http://h/.\n", "utf-8")

    finished = run("find", str(letter))

    assert finished.stdout.decode() == f"{letter}:2:6: urn:ab:c\n{letter}:2:20: http://h/\n"
    assert finished.returncode == 0


@pytest.mark.whole
def test_find_tells_of_urns_alone_and_of_suffixes_where_asked() -> None:
    text = b"urn:ab:c http://h/ www.h.example"

    assert run("find", "--urns", given=text).stdout == b"-:1:1: urn:ab:c\n"
    assert b"-:1:20: http://www.h.example\n" in run("find", "--suffixes", "-", given=text).stdout


@pytest.mark.whole
def test_find_of_nothing_ends_as_grep_does() -> None:
    assert run("find", given=b"nothing here").returncode == 1


@pytest.mark.whole
def test_find_as_data_is_a_line_for_each() -> None:
    finished = run("find", "--format", "json", given=b"urn:ab:c urn:ab:d")

    assert [json.loads(line)["start"] for line in finished.stdout.splitlines()] == [0, 9]


def test_identifier_that_is_registered_is_told_from_the_list(tmp_path: Path) -> None:
    registered = tmp_path / "registered.csv"
    registered.write_text("NID\nisbn\n", "utf-8")

    assert main(["nid", "ISBN", "--registered", str(registered), "--quiet"]) == 1


def test_version_is_that_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])

    assert end.value.code == 0
    assert capsys.readouterr().out.endswith(f" {__version__}\n")


@pytest.mark.parametrize(
    "command",
    "parse readings convert compare normalize validate resolve find locate build display nid check"
    " completion".split(),
)
def test_help_of_each_command_teaches_by_examples(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])

    said = capsys.readouterr().out
    assert f"Examples:\n  urn {command}" in said or f"| urn {command}" in said or "eval" in said


def test_help_lists_the_commands_and_what_the_status_means(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])

    said = capsys.readouterr().out
    assert "Exit status: 0 yes" in said
    assert re.search(r"^ +compare +\S", said, re.MULTILINE)


@pytest.mark.whole
def test_check_of_a_file_that_is_not_utf_8_tells_the_octet(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_bytes(b"urn:ab:c\nurn:ab:b\xfccher\n")

    finished = run("check", str(names))

    assert b"The octet 0xFC, which is not UTF-8, stands in the NSS (octet 9)." in finished.stdout
    assert b"surrogate" not in finished.stdout


@pytest.mark.whole
@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_check_answers_alike_whatever_the_way_of_writing(form: str, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    good = "urn:ab:c,d?=q\nURN:AB:%2c\r\nurn:lex:a,b#c\n"
    names.write_text(f"{good}\n\nurn:ab:\r\r\n{good}urn:ab:c d\n{good}urn:last:one", "utf-8")

    finished = run("check", str(names), "--format", form)

    assert finished.returncode == 1
    out = finished.stdout.decode()
    if form == "text":
        lines = [line.split(":")[1] for line in out.splitlines()[:-1]]
        assert lines == ["6", "10"]
        assert re.findall(r"\d+", out.splitlines()[-1]) == ["12", "2", "10"]
        return
    rows = (
        [json.loads(line) for line in out.splitlines()]
        if form == "json"
        else list(csv.DictReader(io.StringIO(out)))
    )
    assert [int(row["line"]) for row in rows] == [1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert [row["canonical"] or None for row in rows[:4]] == [
        "urn:ab:c,d",
        "urn:ab:%2C",
        "urn:lex:a,b",
        None,
    ]
    assert rows[-1]["text"] == "urn:last:one"


@pytest.mark.whole
def test_check_of_many_blocks_counts_every_line(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    lines = [f"urn:ab:{number}" if number % 1000 else "urn:ab: " for number in range(60_000)]
    names.write_text("\n".join(lines), "utf-8")

    finished = run("check", str(names))

    *told, counts = finished.stdout.decode().splitlines()
    assert [int(line.split(":")[1]) for line in told] == list(range(1, 60_001, 1000))
    assert re.findall(r"[\d,]*\d", counts) == ["60,000", "60", "59,940"]


@pytest.mark.whole
def test_quiet_check_says_nothing() -> None:
    finished = run("check", "--quiet", "--format", "csv", given=b"urn:ab:c\nurn:ab:\n")

    assert (finished.returncode, finished.stdout, finished.stderr) == (1, b"", b"")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("urn co", ["compare", "completion", "convert"]),
        ("urn compare --by dr", ["draft-03", "draft-12"]),
        ("urn normalize --r", ["--rung"]),
        ("urn check --format ", ["csv", "json", "text"]),
    ],
)
def test_bash_completes_commands_options_and_choices(typed: str, completed: list[str]) -> None:
    words = typed.split(" ")
    script = run("completion", "bash").stdout.decode()
    script += f"COMP_WORDS=({' '.join(words)}); [ -n '{words[-1]}' ] || COMP_WORDS+=('')\n"
    script += f'COMP_CWORD={len(words) - 1}; _urn; printf "%s\\n" "${{COMPREPLY[@]}}"\n'

    finished = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True
    ).stdout

    assert sorted(finished.split()) == completed


@pytest.mark.whole
@pytest.mark.parametrize(("shell", "words"), [("zsh", "bashcompinit"), ("fish", "complete -c urn")])
def test_other_shells_have_a_script_too(shell: str, words: str) -> None:
    assert words in run("completion", shell).stdout.decode()


@pytest.mark.whole
def test_interrupt_shows_no_traceback() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "parse", "-"],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        # Background processes ignore it, and so do their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"urn:ab:c\n")
        process.stdin.flush()
        shown = b""
        while b"canonical" not in shown:
            shown += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)

        assert process.stderr.read() == b""
    os.close(theirs)
    os.close(ours)
    assert process.returncode == 130
