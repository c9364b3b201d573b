"""Reading the older template of RFC 2611 and RFC 3406, in the forms it is found in."""

from __future__ import annotations

import pytest

from registry.template.reading import Passage, Reading, Source, read
from tests.template.reading.sample_texts import text_of


def labels(reading: Reading, name: str) -> list[str]:
    found = reading.found(name)
    return [source.label for source in found.sources] if found else []


def left(reading: Reading) -> list[tuple[str, int, int]]:
    return [(passage.label, passage.first, passage.last) for passage in reading.left_over]


@pytest.fixture(scope="module")
def memo() -> Reading:
    return read(text_of("older_in_an_rfc.txt"))


def test_each_of_the_thirteen_fields_goes_where_rfc_8141_asks_for_it(memo: Reading) -> None:
    went = {
        source.old_field: each.name
        for each in memo.fields
        for source in each.sources
        if source.old_field and each.name != "date"
    }

    assert went == {
        "Registration Information": "version",
        "Declared registrant of the namespace": "registrant",
        "Declaration of syntactic structure": "syntax",
        "Relevant ancillary documentation": "documentation",
        "Identifier uniqueness considerations": "assignment",
        "Identifier persistence considerations": "assignment",
        "Process of identifier assignment": "assignment",
        "Process for identifier resolution": "resolution",
        "Rules for Lexical Equivalence": "syntax",
        "Conformance with URN Syntax": "syntax",
        "Validation mechanism": "syntax",
        "Scope": "purpose",
        "Security Considerations": "security_privacy",
    }
    assert labels(memo, "nid") == ["Namespace ID"]


def test_move_of_fields_is_said_once(memo: Reading) -> None:
    resolution = memo.found("resolution")

    assert memo.generation == "3406"
    assert memo.remarks == (
        "The text follows the older template of RFC 3406. What it says was put where RFC 8141"
        " asks for it.",
        "Nothing was found for Interoperability.",
        "2 page breaks were taken out of the text.",
    )
    assert resolution is not None
    assert resolution.sources == (
        Source("Process of identifier resolution", "Process for identifier resolution", 79, 81),
    )
    assert resolution.remarks == ()


def test_identifier_in_a_sentence_and_a_bare_date_below_a_version_are_read(
    memo: Reading,
) -> None:
    template = memo.template

    assert (template.nid, template.version, template.date) == ("wickpat", "1", "2004-06-01")


def test_words_with_a_colon_inside_a_value_stay_there_and_pages_are_joined(memo: Reading) -> None:
    assert memo.template.syntax == (
        "The identifiers have the structure\n"
        "\n"
        "   urn:wickpat:<braid>:<number>\n"
        "\n"
        "Where:\n"
        "\n"
        "   <braid> is the letter of the braid, and <number> counts the\n"
        "   patterns of that braid in the order in which they were sent to\n"
        "   the League.\n"
        "\n"
        "Example:\n"
        "\n"
        "   urn:wickpat:k:17\n"
        "\n"
        "Conformance with URN syntax: No special considerations.\n"
        "\n"
        "Lexical equivalence: The letter of the braid may be written in either case.\n"
        "\n"
        "Validation: A number is valid if it is in the book."
    )


def test_headers_and_footers_of_pages_are_shown_as_taken_out(memo: Reading) -> None:
    assert [(each.first, each.last) for each in memo.taken_out] == [(52, 54), (90, 92)]
    assert memo.taken_out[0].text.splitlines()[0].endswith("[Page 1]")


def test_ampersand_in_a_mail_address_is_read_as_what_it_stands_for(memo: Reading) -> None:
    registrant = memo.found("registrant")

    assert registrant is not None
    assert registrant.value.splitlines()[-1] == "E-mail: patterns@candles.example"
    assert "“&” was read as “@” in an email address." in registrant.remarks


def test_text_around_the_template_is_left_over_and_not_swallowed(memo: Reading) -> None:
    assert left(memo) == [("", 1, 19), ("Examples", 107, 109), ("IANA Considerations", 115, 122)]
    assert memo.template.purpose == "Scope: Global."


def test_numbered_labels_are_told_from_lists_and_from_sections_inside_a_value() -> None:
    reading = read(text_of("older_numbered.txt"))

    assert reading.generation == "2611"
    assert reading.template.nid == "kilnmark"
    assert "1. YEAR has four digits," in reading.template.syntax
    assert "2.4.1. Older marks" in reading.template.syntax
    assert left(reading) == [("Glaze considerations", 67, 73)]


def test_shortened_labels_are_known() -> None:
    reading = read(text_of("older_numbered.txt"))

    assert labels(reading, "syntax") == [
        "Declaration of structure",
        "Conformance",
        "Lexical equivalence",
        "Usage of query part",
        "Validation",
    ]


def test_field_that_was_added_is_put_where_rfc_8141_speaks_of_it() -> None:
    syntax = read(text_of("older_numbered.txt")).found("syntax")

    assert syntax is not None
    assert "q-components: The query part is not used." in syntax.value
    assert (
        "“Usage of query part” is no field of the template; its content was put under Syntax."
        in syntax.remarks
    )


def test_version_in_a_list_is_read_and_half_a_date_is_none() -> None:
    reading = read(text_of("older_numbered.txt"))
    date = reading.found("date")

    assert reading.template.version == "1"
    assert date is not None
    assert (date.value, date.remarks) == ("", ("“2017-xx-xx” is not a date yet.",))


def test_labels_in_capitals_with_values_at_the_same_indent_are_read() -> None:
    reading = read(text_of("older_flush.txt"))

    assert reading.template.to_dict() == {
        **dict.fromkeys(reading.template.to_dict(), ""),
        "examples": [],
        "counter_examples": [],
        "equivalence": [],
        "nid": "SLUICE",
        "version": "2.1",
        "registrant": "Sluice Keepers' Union\nAddress:\nLock House 3, 2209 Weirham\n"
        "Email: keeper@sluice.example",
        "purpose": "Scope: Canals of Weirham.",
        "syntax": "The name of a gate is the number of its canal, a hyphen, and the number of the"
        " gate.\n\nExample:\nurn:sluice:12-4\n\nWhere:\n12 is the canal and 4 the gate.\n\n"
        "Lexical equivalence: Leading zeros do not matter.",
        "assignment": "Assigned by the keeper of the canal.\n\nUniqueness: A gate has one number.",
        "resolution": "None.",
    }
    assert reading.left_over == (Passage("Regards,\nThe keeper", 38, 39),)


def test_bold_labels_are_told_from_bold_words_and_headings_of_the_document() -> None:
    reading = read(text_of("older_bold.md"))

    assert (reading.template.nid, reading.template.version) == ("hedgerow", "1")
    assert "**Note:** the parish is a word in lower case." in reading.template.syntax
    assert reading.template.purpose == "Scope: Global"
    assert left(reading) == [("", 1, 9), ("Examples", 48, 56)]


def test_definition_list_with_marks_for_a_formatter_is_read() -> None:
    reading = read(text_of("older_definition_list.md"))

    assert reading.template.nid == "lampmark"
    assert reading.template.documentation == (
        "The book of lamps is kept at\nhttps://lamps.example/book."
    )
    assert reading.template.registrant.splitlines()[:3] == [
        "Registering organization:",
        "",
        "- Lamplighters' Office",
    ]
    assert [each.text for each in reading.taken_out] == ["{:vspace}", *['{style="empty"}'] * 2]


def test_list_of_one_entry_needs_no_mark_behind_its_lead() -> None:
    assert read("Namespace ID: hatpin\n\nScope:\n\n - Global.").template.purpose == "Scope: Global."
