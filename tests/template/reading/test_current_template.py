"""Reading templates of RFC 8141 as people write and send them."""

from __future__ import annotations

import pytest

from registry.template import Template
from registry.template.reading import Passage, Reading, Source, read
from tests.template.reading.sample_texts import text_of


def filled(template: Template) -> list[str]:
    return [name for name, value in template.to_dict().items() if value]


def left(reading: Reading) -> list[tuple[str, int, int]]:
    return [(passage.label, passage.first, passage.last) for passage in reading.left_over]


@pytest.mark.parametrize(
    ("name", "nid"),
    [
        ("headings.md", "tollgate"),
        ("definition_list.md", "cairnstone"),
        ("bold.md", "inkwell"),
        ("plain_flush.txt", "fernleaf"),
        ("plain_indented.txt", "bellbridge"),
        ("html_escaped.txt", "glasseye"),
        ("letter.txt", "owlpost"),
        ("quoted_letter.txt", "owlpost"),
        ("two_templates.txt", "firstkite"),
    ],
)
def test_identifier_is_found_in_every_shape(name: str, nid: str) -> None:
    reading = read(text_of(name))

    assert (reading.generation, reading.template.nid) == ("8141", nid)


def test_markdown_headings_are_labels_but_not_within_code_or_below() -> None:
    reading = read(text_of("headings.md"))

    assert filled(reading.template) == [
        "nid",
        "version",
        "date",
        "registrant",
        "purpose",
        "syntax",
        "assignment",
        "security_privacy",
        "interoperability",
        "documentation",
    ]
    assert reading.template.date == "2026-03-12"
    assert "### Community" in reading.template.purpose
    assert "# Namespace Identifier is not a label within code" in reading.template.syntax
    assert reading.template.security_privacy.startswith("- Resolution: nothing is looked up")


def test_heading_that_no_template_has_is_left_over_and_the_next_field_is_read() -> None:
    reading = read(text_of("headings.md"))

    assert left(reading) == [
        ("", 1, 3),
        ("Usage of light signals", 39, 41),
        ("Colophon", 60, 62),
    ]
    assert reading.template.interoperability == "No confusion is known."


def test_fields_in_another_order_come_out_in_that_of_appendix_a() -> None:
    names = [each.name for each in read(text_of("plain_indented.txt")).fields]

    assert names == [
        "nid",
        "registrant",
        "purpose",
        "syntax",
        "assignment",
        "interoperability",
        "resolution",
    ]


def test_definition_list_gives_every_field() -> None:
    reading = read(text_of("definition_list.md"))

    assert reading.left_over == ()
    assert reading.remarks == ("The text follows the template of RFC 8141.",)
    assert reading.template.purpose == "Names identify cairns.\n\nThey are found on hills."


def test_bold_labels_are_read_with_the_value_behind_or_below_them() -> None:
    reading = read(text_of("bold.md"))

    assert reading.template.syntax == "Four digits.\n\n**Example:** urn:inkwell:0042"
    assert reading.template.assignment == "Only the Society assigns names."
    assert reading.template.security_privacy == "Nothing in a name tells who wrote."
    assert left(reading) == [("Usage of blotting paper", 25, 27)]


def test_names_of_fields_inside_a_value_begin_no_field() -> None:
    flush, indented = read(text_of("plain_flush.txt")), read(text_of("plain_indented.txt"))

    assert flush.template.revision_information == (
        "Syntax: numbers may have five digits now.\n"
        "Resolution: the service has been closed.\n"
        "Assignment: as before."
    )
    assert indented.template.resolution == (
        "Not intended.\nDocumentation: this is a line of Resolution."
    )
    assert indented.template.documentation == ""


def test_paragraph_below_the_last_field_is_not_swallowed() -> None:
    reading = read(text_of("plain_indented.txt"))

    assert reading.template.assignment == "By the wardens."
    assert reading.left_over == (
        Passage("This closing paragraph stands below the list and belongs to no field.", 23, 23),
    )


def test_signs_that_were_escaped_for_html_are_read() -> None:
    template = read(text_of("html_escaped.txt")).template

    assert template.syntax == (
        "urn:glasseye:<maker>:<number>, where <maker> & <number> are digits."
    )
    assert template.registrant == "Makers' Guild, desk@glass.example"


def test_text_that_speaks_of_escaped_signs_keeps_them() -> None:
    text = "Namespace Identifier: glasseye\n\nSyntax:\n   Write < as &lt; in HTML."

    assert read(text).template.syntax == "Write < as &lt; in HTML."


@pytest.mark.parametrize("name", ["letter.txt", "quoted_letter.txt"])
def test_letter_around_a_template_is_left_over(name: str) -> None:
    reading = read(text_of(name))

    assert left(reading) == [("", 1, 7), ("", 24, 28)]
    assert reading.template.date == "2026-03-03"
    assert reading.template.additional_information == "Owls are birds."


def test_second_template_is_left_whole_and_said_to_be_there() -> None:
    reading = read(text_of("two_templates.txt"))

    assert left(reading) == [("", 12, 21)]
    assert "secondkite" in reading.left_over[0].text
    assert reading.remarks[-1] == (
        "A second template begins further down. It was left as it is; read it by itself."
    )


def test_labels_of_both_templates_in_one_text_are_put_together() -> None:
    reading = read(text_of("mixed.txt"))
    resolution = reading.found("resolution")

    assert reading.generation == "mixed"
    assert resolution is not None
    assert resolution.value == "None yet.\n\nIntended from 2027."
    assert resolution.sources == (
        Source("Process for identifier resolution", "Process for identifier resolution", 17, 18),
        Source("Resolution", "", 20, 21),
    )


@pytest.mark.parametrize("name", ["sub_namespace.txt", "name_of_another_namespace.txt"])
def test_name_within_another_namespace_does_not_become_an_identifier(name: str) -> None:
    reading = read(text_of(name))
    nid = reading.found("nid")

    assert reading.template.nid == ""
    assert nid is not None
    assert nid.remarks[0].endswith(
        "lockstep” is a name within another namespace, and not an identifier. Names within a"
        " namespace are registered by the rules of that namespace."
    )
    assert [("lockstep" in each.text, each.first) for each in reading.left_over] == [(True, 1)]


def test_table_of_contents_does_not_hide_the_fields() -> None:
    contents = "1. Namespace Identifier\n2. Purpose\n3. Syntax\n\n"
    body = "1. Namespace Identifier\n\nhatpin\n\n2. Purpose\n\nPins.\n\n3. Syntax\n\nDigits.\n"

    reading = read(contents + body)

    assert reading.template == Template(nid="hatpin", purpose="Pins.", syntax="Digits.")
    assert left(reading) == [("", 1, 3)]


@pytest.mark.parametrize(
    "label",
    [
        "Namespace Identifier:",
        "NAMESPACE IDENTIFIER",
        "namespace id:",
        "2.1. Namespace ID",
        "2.1 Namespace ID:",
        "A.1. Namespace Identifier",
        "Section 2.1: Namespace ID",
        "(1) Namespace ID:",
        "Namespace ID (2.1):",
        "Namespace Identifier (NID):",
        "- Namespace ID:",
        "o  Namespace ID:",
        "## Namespace ID ##",
        "## Namespace ID {#nid}",
        "## 2.1. Namespace ID",
        "**Namespace ID**",
        "**Namespace ID:**",
        "**2.1** Namespace ID",
        "__Namespace ID__:",
        "*Namespace ID:*",
        "Namespace ID\n============",
        "Requested Namespace ID:",
        "NID:",
    ],
)
def test_label_is_known_however_it_is_set(label: str) -> None:
    below = read(f"{label}\n\n   hatpin\n")
    flush = read(f"{label}\nhatpin\n")

    known = label != "**2.1** Namespace ID"
    assert (below.template.nid, flush.template.nid) == (("hatpin",) * 2 if known else ("",) * 2)


def test_text_that_is_no_template_is_left_over_as_a_whole() -> None:
    reading = read("Dear all,\n\nwhat is a namespace?\n")

    assert reading.fields == ()
    assert reading.left_over == (Passage("Dear all,\n\nwhat is a namespace?", 1, 3),)
    assert reading.remarks == ("No template was recognized in the text.",)
