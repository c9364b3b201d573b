"""Findings on grammars that can be read."""

from __future__ import annotations

import re

import pytest

from registry.grammar import read
from registry.urn import Finding, Severity


def findings(text: str, nid: str = "") -> list[Finding]:
    return list(read(text, nid=nid).findings)


# A grammar, and the check, severity and words of the only expected finding.
ONE: dict[str, tuple[str, str, Severity, str]] = {
    "2.1-unused": (
        'a = "x"\nb = c\nc = "y"',
        "unused",
        Severity.NOTE,
        "“a” describes, make no use of “b”, “c”",
    ),
    "b.1-core-rules-repeated": (
        "a = DIGIT ALPHA\nDIGIT = %d48-57\nalpha = %x61-7A / %x41-5A",
        "repeated",
        Severity.NOTE,
        "“DIGIT”, “alpha”: the same as in RFC 5234, appendix B.1",
    ),
    "b.1-core-rule-repeated-otherwise": (
        'a = HEXDIG\nHEXDIG = "a" / "b" / "c" / "d" / "e" / "f" / DIGIT',
        "repeated",
        Severity.NOTE,
        "“HEXDIG”: the same",
    ),
    "b.1-core-rule-changed": (
        "a = HEXDIG\nHEXDIG = DIGIT / %x61-66",
        "redefined",
        Severity.WARN,
        "“HEXDIG” is not what it is in RFC 5234, appendix B.1: they differ on “A”",
    ),
    "3986-a-rule-changed": (
        'a = unreserved\nunreserved = ALPHA / DIGIT / "-"',
        "redefined",
        Severity.NOTE,
        "“unreserved” is not what it is in RFC 3986, appendix A: they differ on “.”",
    ),
    "3986-a-rule-taken": (
        "a = 1*pchar",
        "borrowed",
        Severity.NOTE,
        "“pchar”: not defined here, and taken from RFC 3986, appendix A",
    ),
    "8141-2-rules-taken": (
        "a = ldh unreserved",
        "borrowed",
        Severity.NOTE,
        "“ldh”, “unreserved”: not defined here, and taken from RFC 8141, section 2 and RFC 3986",
    ),
    "3.3-defined-twice": (
        'a = "x"\na = "y"',
        "replaced",
        Severity.WARN,
        "“a” of line 1 is defined again in line 2",
    ),
    "3.3-defined-twice-in-another-case": (
        'a = "x"\nA = "y"',
        "replaced",
        Severity.WARN,
        "“A” of line 1 is defined again in line 2",
    ),
    "3.3-adds-to-nothing": (
        'a =/ "x"',
        "orphan",
        Severity.WARN,
        "“a =/” in line 1 adds to a rule that is not there",
    ),
    "recursive-and-followed": (
        'a = "x" b\nb = a / "y"',
        "recursive",
        Severity.NOTE,
        "uses itself through",
    ),
    "empty": ('a = "x" a', "empty", Severity.WARN, "No name at all fits"),
}


@pytest.mark.parametrize(("text", "check", "severity", "words"), ONE.values(), ids=ONE)
def test_grammar_has_this_finding(text: str, check: str, severity: Severity, words: str) -> None:
    found = [each for each in findings(text) if each.check != "grammar.recursive" or "rec" in check]

    assert [(each.check, each.severity) for each in found] == [(f"grammar.{check}", severity)]
    assert words in found[0].message
    assert found[0].section == "syntax"
    assert found[0].source
    assert found[0].mend


CLEAN = {
    "b.1-core-rules-in-use": "a = 2ALPHA 1*DIGIT",
    "8141-2-nss-of-ones-own": "NSS = 1*DIGIT",
    "8141-2-nid-of-ones-own": 'URN = "urn:" NID ":" NSS\nNID = "example"\nNSS = 1*DIGIT',
    "3.3-added-to": 'a = "x"\na =/ "y"',
}


@pytest.mark.parametrize("text", CLEAN.values(), ids=CLEAN)
def test_there_is_nothing_to_say_of_a_plain_grammar(text: str) -> None:
    assert findings(text) == []


def test_undefined_rule_is_found_once_with_the_line_of_its_use() -> None:
    found = findings('a = "x"\n  / b B\nc = b')

    undefined = [each for each in found if each.check == "grammar.undefined"]
    assert re.match("“b” .* line 1 ", undefined[0].message)
    assert undefined[0].severity is Severity.WARN


def test_prose_is_found_in_its_rule() -> None:
    found = [each for each in findings("a = <a day, a month>") if each.check == "grammar.prose"]

    assert [each.severity for each in found] == [Severity.WARN]
    assert "rule “a”, “<a day, a month>”" in found[0].message


def test_names_of_another_identifier_are_found() -> None:
    found = findings('a = "urn:other:" 1*DIGIT', nid="example")

    assert [(each.check, each.severity) for each in found] == [("grammar.nid", Severity.WARN)]
    assert "“urn:other:”, not “urn:example:”" in found[0].message


def test_every_finding_is_there_at_once() -> None:
    text = 'a = b c <see below>\nc = pchar c / "x"\nDIGIT = "0"\nd =/ "y"'

    checks = {each.check.removeprefix("grammar.") for each in findings(text)}

    assert checks == {
        "borrowed",
        "orphan",
        "prose",
        "recursive",
        "redefined",
        "undecided",
        "undefined",
        "unused",
    }
