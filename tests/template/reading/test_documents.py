"""Templates in long documents, and in the output of mail programs and formatters."""

from __future__ import annotations

import pytest

from registry.template.reading import Passage, Reading, parse_registrant, read, read_document
from tests.template.reading.sample_texts import text_of


def answered(reading: Reading) -> dict[str, str]:
    return {each.name: each.value for each in reading.fields if each.value}


def left(reading: Reading) -> list[tuple[str, int, int]]:
    return [(passage.label, passage.first, passage.last) for passage in reading.left_over]


def test_each_of_several_templates_of_a_document_is_found_by_itself() -> None:
    needle, thread = read_document(text_of("several_in_an_rfc.txt"))

    assert (needle.template.nid, needle.template.version, needle.span) == ("needle", "1", (26, 69))
    assert (thread.template.nid, thread.template.version, thread.span) == ("thread", "2", (73, 97))
    assert thread.template.syntax == "The colour of the thread."


def test_sections_that_speak_of_all_templates_go_to_each() -> None:
    readings = read_document(text_of("several_in_an_rfc.txt"))

    assert [each.template.security_privacy for each in readings] == ["Needles are sharp."] * 2
    assert [each.template.purpose for each in readings] == [
        "Namespace considerations: Both are counted in one book.\n\nScope: Global",
        "Namespace considerations: Both are counted in one book.\n\nScope: Hemford",
    ]


@pytest.mark.parametrize(
    ("nid", "found"), [("thread", ["thread"]), ("THREAD", ["thread"]), ("yarn", [])]
)
def test_template_of_one_namespace_can_be_asked_for(nid: str, found: list[str]) -> None:
    readings = read_document(text_of("several_in_an_rfc.txt"), nid)

    assert [each.template.nid for each in readings] == found


def test_paragraphs_as_little_indented_as_labels_belong_to_the_field_above() -> None:
    needle, _thread = read_document(text_of("several_in_an_rfc.txt"))

    assert needle.template.syntax.split("\n\n")[1:] == [
        'needle-urn = "urn:needle:" 1*3DIGIT',
        'For example, "urn:needle:12" is a needle for embroidery.',
        "Finer needles",
        "   Their numbers have three digits.",
    ]
    assert needle.left_inside == ()


def test_document_that_only_updates_gives_the_fields_it_replaces() -> None:
    (update,) = read_document(text_of("update_in_an_rfc.txt"), "needle")

    assert update.is_update
    assert answered(update) == {
        "version": "3",
        "date": "2019-05-04",
        "registrant": "Sewing Guild\nBobbin Square 1, 3301 Hemford",
    }


def test_document_without_a_template_gives_nothing() -> None:
    memo = "1.  Introduction\n\n   Words.\n\n2.  Security Considerations\n\n   None.\n"

    assert read_document(memo) == ()


def test_front_matter_and_marks_of_a_draft_are_no_part_of_a_field() -> None:
    reading = read(text_of("draft_in_kramdown.md"))

    assert (reading.template.date, reading.template.documentation) == ("2026-02-03", "None.")
    assert [(each.first, each.last) for each in reading.taken_out] == [
        (1, 8),
        (10, 10),
        (14, 14),
        (27, 27),
        (39, 39),
        (41, 41),
    ]
    assert left(reading)[-1] == ("Acknowledgements", 43, 45)


def test_sections_of_the_same_document_are_followed_by_number_and_by_anchor() -> None:
    reading = read(text_of("draft_in_kramdown.md"))
    counted = "Every button has four holes at most, and a number of\nits own."

    assert [(each.field, each.wording, each.title, each.text) for each in reading.references] == [
        ("purpose", "{{counting}}", "How buttons are counted", counted),
        ("syntax", "Section 2", "How buttons are counted", counted),
        ("security_privacy", "{{missing}}", "", ""),
    ]
    assert reading.remarks[-1] == "The text has no section for “{{missing}}”."


def test_many_references_to_one_other_document_are_one_remark() -> None:
    reading = read(text_of("references_elsewhere.txt"))

    assert [each.document for each in reading.references] == [
        "",
        *["RFC 9992"] * 1,
        "",
        *["RFC 9992"] * 3,
    ]
    assert [each for each in reading.remarks if "9992" in each] == [
        "Syntax, Security and Privacy, Interoperability and Resolution refer to sections of"
        " RFC 9992, which is not part of this text."
    ]


def test_section_is_followed_with_those_within_it() -> None:
    reading = read(text_of("references_elsewhere.txt"))
    assignment = next(each for each in reading.references if each.field == "assignment")

    assert (assignment.title, assignment.first, assignment.last) == ("Assignment of Hooks", 7, 13)
    assert assignment.text.endswith("2.1.  Eyes\n\n   Eyes are counted with their hooks.")
    assert assignment.is_whole


def test_identifier_is_read_where_sentences_follow_it() -> None:
    reading = read(text_of("prose_below_identifier.txt"))

    assert reading.template.nid == "SPOOL"
    assert "would confuse those who sew" in reading.left_over[1].text


def test_labels_are_known_in_plural_and_with_words_added_to_them() -> None:
    reading = read(text_of("prose_below_identifier.txt"))

    assert {each.old_field for field in reading.fields for each in field.sources} >= {
        "Declared registrant of the namespace",
        "Declaration of syntactic structure",
        "Rules for Lexical Equivalence",
        "Scope",
        "Identifier uniqueness considerations",
        "Process of identifier assignment",
    }
    assert reading.template.assignment == "The Guild counts.\n\nUniqueness: One book is kept."


def test_heading_and_its_label_again_are_one_and_numbered_parts_belong_to_the_field() -> None:
    reading = read(text_of("repeated_labels.txt"))

    assert answered(reading) == {
        "nid": "ribbon",
        "version": "1",
        "date": "2024-05-06",
        "registrant": "Sewing Guild",
        "purpose": "Ribbons have names.",
        "syntax": "A colour and a width.\n\n3.6.1.  Resolution\n\n   The width is given to the"
        " tenth of an inch.\n\n3.6.2.  Changes\n\n   Widths were once given in lines.",
        "documentation": "See RFC 9991.",
        "additional_information": "none",
    }


def test_fact_that_is_told_twice_is_read_once_and_a_contradiction_is_told() -> None:
    twice = read("Version: 2\n\nPurpose: Pins.\n\nRegistration Information: Version 2")
    other = read("Version: 2\n\nPurpose: Pins.\n\nRegistration Information: Version 3")
    found = other.found("version")

    assert (twice.template.version, other.template.version) == ("2", "2")
    assert found is not None
    assert found.remarks == ("The text also says “3”; “2” stands first and was taken.",)


def test_mail_encodings_are_undone_and_lines_counted_as_given() -> None:
    reading = read(text_of("quoted_printable.eml"))
    purpose = reading.found("purpose")

    assert reading.template.registrant == "Gilde der Säume"
    assert reading.template.syntax == "urn:velvet:weaver=12"
    assert purpose is not None
    assert purpose.value == (
        "Velvet is sold by the yard, and each bolt of it has a name that says where it was woven"
        " and by whom, so that whoever buys a remnant may ask for more."
    )
    assert [(each.first, each.last) for each in purpose.sources] == [(15, 19)]


def test_answers_between_quoted_lines_are_left_over() -> None:
    reading = read(text_of("answered_letter.txt"))

    assert answered(reading) == {
        "nid": "lace",
        "registrant": "Lace Makers",
        "purpose": "Lace has patterns, and patterns\nhave names.",
        "syntax": "A letter and a number.",
        "assignment": "The makers assign.",
        "resolution": "none.",
    }
    assert Passage("I would say more here.", 11, 11) in reading.left_over


@pytest.mark.parametrize(
    ("written", "organization", "contact"),
    [
        ("Sewing Guild\nEyelet Street 9", "Sewing Guild", ""),
        ("Sewing Guild, Eyelet Street 9, 3300 Hemford", "Sewing Guild", ""),
        ("Address: Eyelet Street 9\nOrganization: Sewing Guild", "Sewing Guild", ""),
        ("Registering organization:\n- Sewing Guild\n- Eyelet Street 9", "Sewing Guild", ""),
        ("Registering organization\n  Name: Sewing Guild", "Sewing Guild", ""),
        ("Name: B. Thimble\nAffiliation: Sewing Guild", "Sewing Guild", "B. Thimble"),
        ("Basil Thimble\nSewing Guild\nEyelet Street 9", "Sewing Guild", "Basil Thimble"),
        (
            "Name: Basil Thimble\nAffiliation: Senior Adviser, Hem Guild",
            "Hem Guild",
            "Basil Thimble",
        ),
        ("Basil Thimble\nSenior Adviser\nSewing Guild", "Sewing Guild", "Basil Thimble"),
        ("Senior Adviser\nSewing Guild", "Sewing Guild", ""),
        ("Society of Editors", "Society of Editors", ""),
        ("Hemford Button Federation\n\nContact: The desk", "Hemford Button Federation", "The desk"),
        ("Designated contact:\n  Role: Keeper of the book", "", "Keeper of the book"),
        ("Postal address: Eyelet Street 9", "", ""),
    ],
)
def test_organization_is_told_from_address_and_person(
    written: str, organization: str, contact: str
) -> None:
    parsed = parse_registrant(written)

    assert (parsed.organization, parsed.contact) == (organization, contact)


def test_mail_addresses_of_a_registrant_are_collected_once() -> None:
    parsed = parse_registrant("Guild, desk@guild.example\nE-mail: <desk@guild.example>")

    assert parsed.emails == ("desk@guild.example",)
