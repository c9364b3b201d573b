"""Identifiers, versions and dates in people's words."""

from __future__ import annotations

import pytest

from registry.template.reading import read


@pytest.mark.parametrize(
    ("written", "nid"),
    [
        ("hatpin", "hatpin"),
        ("hatpin.", "hatpin"),
        ("HATPIN", "HATPIN"),
        ('"hatpin"', "hatpin"),
        ("“hatpin”", "hatpin"),
        ("'hatpin'", "hatpin"),
        ("`hatpin`", "hatpin"),
        ("urn:hatpin", "hatpin"),
        ("urn:hatpin:", "hatpin"),
        ("urn-7", "urn-7"),
        ("urn-N", "urn-N"),
        ('The Namespace ID "hatpin" is requested.', "hatpin"),
        ('"hatpin" Requested of IANA', "hatpin"),
        ("hatpin (requested of IANA)", "hatpin"),
        ("Requested of IANA: hatpin", "hatpin"),
        ("The Namespace ID hatpin is requested.", "hatpin"),
        ("To be assigned by IANA as urn-N.", "urn-N"),
        ('The Namespace ID "hatpin" has been assigned.', "hatpin"),
        ("Requested of IANA", ""),
        ("Requested of IANA (formal) or assigned by IANA (informal).", ""),
        ("To be assigned by IANA.", ""),
        ("TBD", ""),
        ("urn:ietf:params:hatpin", ""),
        ("urn:ietf:params:hatpin:", ""),
        ("We thought about pins and hats for a long time.", ""),
    ],
)
def test_identifier_is_read_out_of_its_sentence(written: str, nid: str) -> None:
    assert read(f"Namespace Identifier:\n   {written}\n").template.nid == nid


def test_sentence_that_held_the_identifier_is_quoted() -> None:
    found = read('Namespace ID: The Namespace ID "hatpin" is requested.').found("nid")

    assert found is not None
    assert found.remarks == ('“hatpin” was read from “The Namespace ID "hatpin" is requested.”.',)


def test_words_after_an_identifier_are_left_over() -> None:
    reading = read('Namespace ID: "hatpin" is requested, since hats need pins.')

    assert reading.template.nid == "hatpin"
    assert [each.text for each in reading.left_over] == [
        '"hatpin" is requested, since hats need pins.'
    ]


def test_identifier_that_its_own_names_have_is_no_part_of_another_namespace() -> None:
    text = "Namespace ID: hatpin\n\nSyntax:\n   urn:hatpin:1 was once urn:example:hatpin:1\n"

    assert read(text).template.nid == "hatpin"


@pytest.mark.parametrize(
    ("written", "version", "date"),
    [
        ("Version 1\n   2009-02-03", "1", "2009-02-03"),
        ("Version: 2.1\n   Date: 2009-02-03", "2.1", "2009-02-03"),
        ("- version number: 1\n   - date: TBD", "1", ""),
        ("Registration version number: 3\n   Registration date: N/A", "3", ""),
        ("Version 1, 3 February 2009", "1", "2009-02-03"),
        ("Version 1, February 3rd, 2009", "1", "2009-02-03"),
        ("Date: 2017-xx-xx", "", ""),
        ("Date: 2009-02-31", "", ""),
        ("2009/2/3", "", "2009-02-03"),
        ("Initial registration", "", ""),
    ],
)
def test_version_and_date_are_read_from_registration_information(
    written: str, version: str, date: str
) -> None:
    template = read(f"Registration Information:\n\n   {written}\n").template

    assert (template.version, template.date) == (version, date)


@pytest.mark.parametrize(
    ("written", "version"), [("1", "1"), ("v2", "2"), ("2.1", "2.1"), ("No. 3", "3"), ("TBD", "")]
)
def test_version_of_its_own_is_read(written: str, version: str) -> None:
    assert read(f"Version: {written}\nPurpose: Pins.").template.version == version


@pytest.mark.parametrize(
    ("written", "remark"),
    [
        ("TBD", "“TBD” is not a date yet."),
        ("N/A", "“N/A” is not a date yet."),
        ("2017-xx-xx", "“2017-xx-xx” is not a date yet."),
        ("2009-02-31", "“2009-02-31” is not a day of the calendar."),
        ("12 March 2009", "“12 March 2009” is written 2009-03-12."),
        ("March 2009", "No day could be made out in “March 2009”."),
    ],
)
def test_date_that_is_none_or_was_rewritten_is_quoted(written: str, remark: str) -> None:
    found = read(f"Date: {written}\nPurpose: Pins.").found("date")

    assert found is not None
    assert found.remarks == (remark,)


def test_date_that_was_not_understood_is_left_over() -> None:
    reading = read("Date: in the spring of 2009\nPurpose: Pins.")

    assert reading.template.date == ""
    assert [each.text for each in reading.left_over] == ["in the spring of 2009"]
