"""Which NIDs may be requested (RFC 8141, sections 2, 5.1 and 5.2)."""

from __future__ import annotations

import pytest

from registry.urn import Finding, Severity, nid

FREE = ["seedbank", "r2-d2", "a1--b", "abc", "3gpp", "ABC", "a" * 32, "urnx", "x1-y", "0-1"]

BROKEN = {
    "2-nothing": ("", ["nid.length"]),
    "2-one-character": ("a", ["nid.length"]),
    "2-too-long": ("a" * 33, ["nid.length"]),
    "2-underscore": ("seed_bank", ["nid.characters"]),
    "2-space": ("seed bank", ["nid.characters"]),
    "2-another-script": ("seedbаnk", ["nid.characters"]),
    "2-kelvin-sign": ("seedban\u212a", ["nid.characters"]),
    "2-line-end": ("seedbank\n", ["nid.characters"]),
    "2-hyphen-first": ("-seedbank", ["nid.ends"]),
    "2-hyphen-last": ("seedbank-", ["nid.ends"]),
    "2-hyphen-alone": ("-", ["nid.length", "nid.ends"]),
    "5.1-two-characters": ("ab", ["nid.two-letters"]),
    "5.1-two-letters-and-a-hyphen": ("no-seedbank", ["nid.country"]),
    "5.1-upper-case": ("NO-seedbank", ["nid.country"]),
    "5.1-a-label": ("xn--seedbank", ["nid.country"]),
    "5.1-informal": ("urn-7", ["nid.informal"]),
    "5.1-informal-upper-case": ("URN-seeds", ["nid.informal"]),
    "5.1-placeholder": (nid.PLACEHOLDER, ["nid.informal"]),
    "5.1-experimental": ("X-seedbank", ["nid.experimental"]),
    "5.1-experimental-lower-case": ("x-seedbank", ["nid.experimental"]),
    "5.1-registered": ("isbn", ["nid.registered"]),
    "5.1-registered-in-another-case": ("IsBN", ["nid.registered"]),
    "local-urn": ("Urn", ["nid.urn"]),
    "all-at-once": (
        "no-séed" + "d" * 40 + "-",
        ["nid.length", "nid.characters", "nid.ends", "nid.country"],
    ),
}


@pytest.mark.parametrize("text", FREE)
def test_identifier_that_breaks_no_rule_may_be_registered(text: str) -> None:
    assert nid.check(text, {"isbn", "issn"}) == ()


@pytest.mark.parametrize(("text", "checks"), BROKEN.values(), ids=BROKEN)
def test_every_broken_rule_is_told_at_once_and_in_order(text: str, checks: list[str]) -> None:
    findings = nid.check(text, {"isbn", "issn"})

    assert [finding.check for finding in findings] == checks
    assert {(finding.severity, finding.section) for finding in findings} == {
        (Severity.BLOCK, "nid")
    }
    assert all(finding.message and finding.mend for finding in findings)


def test_finding_says_what_where_by_which_rule_and_what_to_try() -> None:
    assert nid.check("no-seedbank") == (
        Finding(
            check="nid.country",
            severity=Severity.BLOCK,
            message="“no-seedbank” begins with “no-”, two letters and a hyphen.",
            source="RFC 8141, section 5.1",
            mend="Begin with something else: this is kept for identifiers based on country codes. "
            "Try noseedbank or seedbank.",
            section="nid",
        ),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seedbаnk", "“seedbаnk” has the Cyrillic letter “а” (U+0430) as character 6."),
        ("a\0b", "“a\\u{0}b” has a NUL character as character 2."),
        ("ab\ud800", "“ab\\u{D800}” has a lone surrogate (U+D800) as character 3."),
        (
            "a\u202eb",
            "“a\\u{202E}b” has an invisible or combining character (U+202E, right-to-left"
            " override) as character 2.",
        ),
    ],
)
def test_character_is_named_and_shown_so_that_it_does_no_harm(text: str, message: str) -> None:
    assert nid.check(text)[0].message == message


def test_very_long_identifier_is_quoted_in_short() -> None:
    (finding,) = nid.check("a" * 1_000_000)

    assert finding.message.startswith(f"“{'a' * 48}…” ")


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("no-seedbank", ("noseedbank", "seedbank")),
        ("xn--seedbank", ("xnseedbank", "seedbank")),
        ("seed bank", ("seed-bank", "seedbank")),
        ("seedbаnk", ("seedbank",)),
        ("séedbank", ("seedbank",)),
        ("urn:seedbank", ("seedbank",)),
        ("X-seedbank", ("seedbank",)),
        ("urn-7", ()),
        ("isbn-", ()),
        ("???", ()),
    ],
)
def test_suggested_nids_may_themselves_be_registered(text: str, offered: tuple[str, ...]) -> None:
    assert nid.suggestions(text, {"isbn"}) == offered
    assert [nid.check(other, {"isbn"}) for other in offered] == [()] * len(offered)


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("urn-7", "informal", 7),
        ("URN-12", "informal", 12),
        (f"urn-{'9' * 28}", "informal", int("9" * 28)),
        (f"urn-{'9' * 29}", None, None),
        ("urn-07", None, None),
        ("urn-0", None, None),
        ("urn-٣", None, None),
        ("urn-7\n", None, None),
        (nid.PLACEHOLDER, None, None),
        ("seedbank", "formal", None),
        ("ab", None, None),
        ("", None, None),
    ],
)
def test_kind_and_number_follow_section_5(text: str, kind: str | None, number: int | None) -> None:
    assert (nid.kind(text), nid.informal_number(text)) == (kind, number)


@pytest.mark.parametrize("number", [1, 9, 10, 2026])
def test_informal_identifier_is_found_by_its_number_and_tells_it(number: int) -> None:
    found = nid.informal_nid(number)

    assert (nid.kind(found), nid.informal_number(found)) == ("informal", number)


def test_canonical_folds_ascii_letters_alone() -> None:
    assert nid.canonical("SeedBan\u212a-İ") == "seedban\u212a-İ"


def test_taken_identifiers_are_compared_without_case_whoever_keeps_them() -> None:
    class Everything:
        """A container that cannot be iterated, like one that queries a database."""

        def __contains__(self, text: object) -> bool:
            return text == "isbn"

    assert [finding.check for finding in nid.check("ISBN", Everything())] == ["nid.registered"]
    assert [finding.check for finding in nid.check("isbn", ["ISBN"])] == ["nid.registered"]
