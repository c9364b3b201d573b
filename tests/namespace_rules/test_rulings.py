"""What a rule says about one name."""

from __future__ import annotations

import pytest

from registry.namespace_rules import (
    NAMESPACE_RULES,
    NamePart,
    NamespaceRule,
    Outcome,
)
from registry.urn import parse
from tests.namespace_rules.hostile_names import make_hostile_names

# One identifier of each system with check digits, and the same with a wrong one.
WRONG_DIGITS = {
    "isbn-13": ("isbn", "978-0-395-36341-7", 16, "6"),
    "isbn-10": ("isbn", "0-395-36341-2", 12, "1"),
    "isbn-10-x": ("isbn", "0975229801", 9, "X"),
    "issn": ("issn", "2070-1722", 8, "1"),
    "issn-without-hyphen": ("issn", "20701722", 7, "1"),
    "isni": ("isni", "0000000121032684", 15, "3"),
    "lei": ("lei", "5493001KJTIIGC8Y1R13", 18, "12"),
    "isan-of-the-work": ("isan", "0000-0000-9E59-0000-P-0000-0000-2", 20, "O"),
    "isan-of-the-version": ("isan", "0000-0000-9E59-0000-O-0000-0000-3", 32, "2"),
    "eidr": ("eidr", "10.5240:7791-8534-2C23-9030-8610-6", 33, "5"),
    "imei": ("gsma", "imei:49015420-323751-7", 21, "8"),
    "eic": ("eic", "10X1001A1001A451", 15, "0"),
}


@pytest.mark.parametrize(
    ("nid", "nss", "position", "right"), WRONG_DIGITS.values(), ids=WRONG_DIGITS
)
def test_wrong_check_digits_are_found(nid: str, nss: str, position: int, right: str) -> None:
    ruling = NAMESPACE_RULES[nid].check(nss)

    assert (ruling.outcome, ruling.check) == (Outcome.AGAINST, "rulebook.check-digits")
    assert ruling.position == position
    assert f"“{right}”" in ruling.message
    assert f"“{nss}”" in ruling.message


@pytest.mark.parametrize("at", range(12))
def test_slip_in_any_digit_of_an_isbn_is_found(at: int) -> None:
    right = "9780395363416"
    slip = right[:at] + str((int(right[at]) + 1) % 10) + right[at + 1 :]

    ruling = NAMESPACE_RULES["isbn"].check(slip)

    assert ruling.outcome is Outcome.AGAINST


def test_message_quotes_what_was_typed_and_says_where_it_stops_fitting() -> None:
    ruling = NAMESPACE_RULES["uuid"].check("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bg6")

    assert ruling.message == (
        "“urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bg6” is no name of “uuid”:"
        " character 44 is “g”, where we expected a hexadecimal digit."
    )
    assert (ruling.position, ruling.source) == (43, "RFC 9562, section 4")


def test_name_that_ends_too_early_is_said_to() -> None:
    ruling = NAMESPACE_RULES["uuid"].check("f81d4fae-7dec-11d0-a765-00a0c91e6b")

    assert "it ends after character 34" in ruling.message
    assert ruling.position == 34


def test_empty_name_is_against_every_rule() -> None:
    outcomes = {rule.check("").outcome for rule in NAMESPACE_RULES.values()}

    assert outcomes == {Outcome.AGAINST}


def test_name_of_another_namespace_is_said_to_be_one() -> None:
    ruling = NAMESPACE_RULES["issn"].check("URN:ISBN:9780395363416")

    assert ruling.message == "“URN:ISBN:9780395363416” is a name of “ISBN”, not of “issn”."
    assert (ruling.outcome, ruling.position) == (Outcome.AGAINST, 4)


@pytest.mark.parametrize("nid", ["isbn", "issn", "uuid", "lei"])
def test_prefix_written_twice_belongs_to_the_nss(nid: str) -> None:
    rule = NAMESPACE_RULES[nid]

    for before in (f"urn:{nid}:", f"URN:{nid.upper()}:"):
        ruling = rule.check(parse(f"urn:{nid}:{before}{rule.examples[0]}"))

        assert (ruling.outcome, ruling.check) == (Outcome.AGAINST, "rulebook.grammar")


def test_tolerated_spelling_behind_a_second_prefix_is_against_the_rule() -> None:
    rule = NAMESPACE_RULES["doi"]
    doubled = parse("urn:doi:urn:doi:10.1000%2F182")

    assert rule.check(doubled).outcome is Outcome.AGAINST
    assert rule.respell(doubled) is None


def test_check_that_fails_leaves_its_name_undecided(caplog: pytest.LogCaptureFixture) -> None:
    rule = NamespaceRule("sample", "A document", "nss = 1*pchar", (), (), check_digits="issn")

    ruling = rule.check(parse("urn:sample:letters"))

    assert (ruling.outcome, ruling.check) == (Outcome.NOT_DECIDED, "rulebook.failed")
    assert ruling.message == "“urn:sample:letters” could not be checked: its check failed."
    assert caplog.messages == ["A name could not be checked by the rule of sample."]


def test_text_that_is_no_urn_is_answered_by_section_2() -> None:
    ruling = NAMESPACE_RULES["isbn"].check("urn:isbn:978 0395363416")

    assert (ruling.outcome, ruling.check) == (Outcome.AGAINST, "rulebook.urn")
    assert ruling.position == 12


def test_components_are_not_looked_at() -> None:
    bare = NAMESPACE_RULES["cdx"].check("urn:cdx:f08a6ccd-4dce-4759-bd84-c626675d60a7/1")
    ruling = NAMESPACE_RULES["cdx"].check(
        "urn:cdx:f08a6ccd-4dce-4759-bd84-c626675d60a7/1?+r?=q#ref"
    )

    assert (bare.outcome, ruling.outcome) == (Outcome.FOLLOWS, Outcome.FOLLOWS)


def test_urn_and_its_text_have_the_same_answer() -> None:
    text = "urn:isbn:0-395-36341-1"

    assert NAMESPACE_RULES["isbn"].check(parse(text)) == NAMESPACE_RULES["isbn"].check(text)


def test_lower_case_in_a_device_name_is_a_warning_although_rfc_9039_rejects_it() -> None:
    capitals = NAMESPACE_RULES["dev"].check("EXAMPLE:new-1-2-3")
    usual = NAMESPACE_RULES["dev"].check("example:new-1-2-3")

    assert (capitals.outcome, usual.outcome) == (Outcome.FOLLOWS, Outcome.DOUBTFUL)


def test_spare_digit_of_an_imei_is_no_wrong_check_digit() -> None:
    ruling = NAMESPACE_RULES["gsma"].check("imei:49015420-323751-0")

    assert ruling.outcome is Outcome.FOLLOWS


def test_preferred_form_of_an_old_isbn_has_thirteen_digits() -> None:
    ruling = NAMESPACE_RULES["isbn"].check("urn:isbn:0395363411")

    assert ruling.preferred == "urn:isbn:978-0-395-36341-6"


def test_number_of_printed_music_is_no_isbn() -> None:
    for nss in ("9790041811529", "979-0-004-18115-2"):
        ruling = NAMESPACE_RULES["isbn"].check(nss)

        assert (ruling.outcome, ruling.preferred) == (Outcome.AGAINST, "")
        assert "ISMN" in ruling.message


def test_no_hyphens_are_put_where_no_range_is_known() -> None:
    ruling = NAMESPACE_RULES["isbn"].check("9786400042628")

    assert (ruling.outcome, ruling.preferred) == (Outcome.FOLLOWS, "")
    assert [(part.name, part.text) for part in ruling.parts] == [
        ("prefix", "978"),
        ("registration group", "640"),
        ("registrant and publication", "004262"),
        ("check digit", "8"),
    ]


def test_preferred_form_of_every_name_is_accepted_and_preferred_itself() -> None:
    for rule in NAMESPACE_RULES.values():
        for text in make_hostile_names(rule, 100) if rule.preferred_form or rule.practices else ():
            preferred = rule.check(parse(text)).preferred
            if preferred:
                again = rule.check(parse(preferred))
                assert (again.outcome, again.preferred or preferred) == (Outcome.FOLLOWS, preferred)


@pytest.mark.parametrize("nss", ["0123-1230-3210-2310-1", "1881-66C7-3420-6541-9-9F3A-0245-U"])
def test_example_of_the_rfc_with_a_wrong_check_digit_is_said_to_be_one(nss: str) -> None:
    ruling = NAMESPACE_RULES["isan"].check(nss)

    assert (ruling.outcome, ruling.check) == (Outcome.AGAINST, "rulebook.check-digits")
    assert "RFC 4246" in ruling.remark
    assert ruling.message.endswith(ruling.remark)


EXPLAINED = {
    "nbn": ("nbn", "fi-fe2010", (NamePart("country", "fi", "Finland"),)),
    "nbn-unknown-country": ("nbn", "zz-1", (NamePart("country", "zz"),)),
    "lex-no-country": ("lex", "un.org:council:resolution:1990-08-02;660", ()),
    "oid": ("oid", "2.16.840", (NamePart("root", "2", "ISO and ITU-T jointly"),)),
    "uuid": (
        "uuid",
        "f81d4fae-7dec-41d0-a765-00a0c91e6bf6",
        (NamePart("version", "4", "random"),),
    ),
    "uuid-nil": (
        "uuid",
        "00000000-0000-0000-0000-000000000000",
        (NamePart("uuid", "00000000-0000-0000-0000-000000000000", "Nil"),),
    ),
    "uuid-of-another-variant": ("uuid", "f81d4fae-7dec-41d0-0765-00a0c91e6bf6", ()),
    "publicid": (
        "publicid",
        "%2B:IDN+example.org:DTD+A%252B:EN",
        (NamePart("public identifier", "+//IDN example.org//DTD A%2B//EN"),),
    ),
    "gsma": (
        "gsma",
        "imei:90420156-025763-0",
        (
            NamePart("type allocation code", "90420156"),
            NamePart("serial number", "025763"),
            NamePart("spare digit", "0"),
        ),
    ),
}


def test_tolerated_spelling_is_shown_as_the_document_has_it() -> None:
    rule = NAMESPACE_RULES["doi"]
    written = parse("urn:doi:10.1000%2F182?=a#b")

    ruling = rule.check(written)

    assert (ruling.outcome, ruling.preferred) == (Outcome.DOUBTFUL, "urn:doi:10.1000:182")
    assert str(rule.respell(written)) == "urn:doi:10.1000:182?=a#b"
    assert rule.respell(parse("urn:doi:10.1000:182")) is None
    assert rule.respell(parse("urn:doi:10.1000")) is None
    assert rule.check("10.1093/nar/gkt1063").preferred == "urn:doi:10.1093:nar%2Fgkt1063"


@pytest.mark.parametrize(("nid", "nss", "parts"), EXPLAINED.values(), ids=EXPLAINED)
def test_parts_of_a_name_are_explained(nid: str, nss: str, parts: tuple[NamePart, ...]) -> None:
    ruling = NAMESPACE_RULES[nid].check(nss)

    assert ruling.outcome is Outcome.FOLLOWS
    assert ruling.parts == parts
