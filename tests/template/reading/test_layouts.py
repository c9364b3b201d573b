"""Lists of labels and values, however they are set, and the formats that the registry writes."""

from __future__ import annotations

import json
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from registry.template import FIELDS, ORDER, Template, field
from registry.template.reading import Passage, Source, read
from registry.template.text import kramdown, rfcxml
from tests.endless import stopped_if_endless
from tests.template.samples import FORMAL, INFORMAL, REVISION

LAYOUTS = tomllib.loads(Path(__file__).with_name("layouts.toml").read_text("utf-8"))["layouts"]
NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii".split()
HATPIN = Template(
    nid="hatpin",
    version="1",
    date="2026-11-20",
    registrant="Milliners' Guild, Brim Street 1, 3300 Hemford. Email: pins@milliners.example",
    purpose="Names for pins 🪡, kept for ever by the Guild and its successor. Anyone may use them.",
    syntax=(
        'The NSS is "v:" and a number of one to six digits. Example: urn:hatpin:v:12. Names are'
        " compared octet by octet."
    ),
    assignment="The Guild assigns numbers in order, once, and never again.",
    security_privacy="None beyond RFC 8141.",
    interoperability="No known issues.",
    resolution="No resolution is intended.",
    documentation="https://milliners.example/spec/1.0",
    additional_information="None.",
    revision_information="First registration.",
)


def set_out(layout: dict[str, str]) -> str:
    entries = []
    for number, each in enumerate(FIELDS, start=1):
        value = HATPIN[each.name]
        label = each.label
        words = label.title().replace(" ", "")
        entries.append(
            layout["each"].format(
                label=label,
                value=value,
                upper=label.upper(),
                lower=label.lower(),
                key=label.lower().replace(" ", "_"),
                camel=words[0].lower() + words[1:],
                number=number,
                letter=chr(ord("a") + number - 1),
                roman=NUMERALS[number - 1],
                quoted=value.replace('"', '""'),
                wrapped=textwrap.fill(value, 50).replace("\n", "\n" + " " * 26),
            )
        )
    before, after = (layout.get(name, "").format() for name in ("before", "after"))
    return before + layout.get("between", "\n\n").join(entries) + after


def read_words(text: str) -> dict[str, str]:
    template = read(text).template
    return {each.name: " ".join(template[each.name].split()) for each in FIELDS}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_field_is_read_however_labels_are_set(name: str) -> None:
    text = set_out(LAYOUTS[name])

    assert read_words(text) == {each.name: HATPIN[each.name] for each in FIELDS}


@pytest.mark.parametrize(
    "name", ["RFCXML 3, definition list over many lines", "Markdown, table", "columns", "YAML"]
)
def test_layout_within_a_letter_is_read_too(name: str) -> None:
    text = f"Dear experts,\n\nplease find our request below.\n\n{set_out(LAYOUTS[name])}"

    assert read_words(text) == {each.name: HATPIN[each.name] for each in FIELDS}


@pytest.mark.parametrize("name", ["label and dash", "Markdown, table", "RFCXML 2, sections"])
def test_lines_of_a_value_are_those_of_the_text_as_given(name: str) -> None:
    text = set_out(LAYOUTS[name])
    purpose = read(text).found("purpose")

    assert purpose is not None
    (source,) = purpose.sources
    lines = text.split("\n")[source.first - 1 : source.last]
    assert HATPIN.purpose in " ".join(lines)
    assert HATPIN.registrant not in " ".join(lines)


def test_table_with_a_column_for_each_field_is_read() -> None:
    labels = " | ".join(each.label for each in FIELDS)
    values = " | ".join(HATPIN[each.name] for each in FIELDS)
    text = f"| {labels} |\n|{'---|' * len(FIELDS)}\n| {values} |\n"

    assert read_words(text) == {each.name: HATPIN[each.name] for each in FIELDS}


def test_cell_that_is_drawn_over_several_lines_is_one_value() -> None:
    border = f"+{'-' * 26}+{'-' * 42}+\n"
    rows = [border]
    for each in FIELDS:
        for at, line in enumerate(textwrap.wrap(HATPIN[each.name], 40)):
            rows.append(f"| {'' if at else each.label:<24} | {line:<40} |\n")
        rows.append(border)

    assert read_words("".join(rows)) == {each.name: HATPIN[each.name] for each in FIELDS}


@pytest.mark.parametrize(
    "members",
    [
        {each.label: HATPIN[each.name] for each in FIELDS},
        {"request": {"template": {each.name: HATPIN[each.name] for each in FIELDS}}},
    ],
    ids=["labels", "names in the API"],
)
def test_json_is_read_by_labels_and_by_names_of_fields(members: dict[str, object]) -> None:
    text = json.dumps(members, indent=2)

    assert read_words(text) == {each.name: HATPIN[each.name] for each in FIELDS}


@pytest.mark.parametrize("write", [rfcxml, kramdown])
def test_formats_that_the_registry_writes_are_read_back_whole(
    write: Callable[[Template], str],
) -> None:
    reading = read(write(HATPIN))

    assert reading.template == HATPIN
    assert reading.left_over == ()


@pytest.mark.parametrize("sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "new"])
def test_rfcxml_is_read_back_with_the_data_beside_its_sections(sample: Template) -> None:
    template = read(rfcxml(sample)).template

    assert {name: template[name].split() for name in ORDER} == {
        name: sample[name].split() for name in ORDER
    }


@pytest.mark.parametrize("sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "new"])
def test_kramdown_is_read_back_without_its_escapes(sample: Template) -> None:
    template = read(kramdown(sample.replace(version="2", date="2026-11-20"))).template

    assert (template.version, template.date) == ("2", "2026-11-20")
    for each in FIELDS:
        if each.name not in ("version", "date", "syntax", "interoperability", "resolution"):
            assert template[each.name].split() == sample[each.name].split()


def test_expression_in_markdown_keeps_its_backslashes() -> None:
    text = set_out(LAYOUTS["Markdown, headings"]).replace(
        "The NSS is", r"Fits ^urn:hatpin:v:\d+\.\d+$ as urn:hatpin:v\_1 does."
    )

    assert r"^urn:hatpin:v:\d+\.\d+$ as urn:hatpin:v_1 does." in read(text).template.syntax


def test_reference_in_rfcxml_has_the_words_of_a_formatter() -> None:
    text = (
        '<section anchor="pins" title="Pins"><t>Pins are sharp.</t></section>\n'
        '<section title="Registration"><t><list style="hanging">\n'
        '<t hangText="Namespace Identifier:">hatpin</t>\n'
        '<t hangText="Purpose:">See <xref target="pins"/> and <xref target="RFC8141"/>.</t>\n'
        '<t hangText="Syntax:">A <spanx style="verb">number</spanx>.</t>\n'
        "</list></t></section>"
    )
    reading = read(text)

    assert reading.template.purpose == "See {{pins}} and [RFC8141]."
    assert reading.template.syntax == "A number."
    assert [(each.title, each.text) for each in reading.references] == [("Pins", "Pins are sharp.")]


@pytest.mark.parametrize(
    ("heads", "title"),
    [
        (["# Title", "# Abstract", "# 1. Introduction", "# 2. Names"], "Names"),
        (["# Title", "## Abstract", "## Introduction", "## Names", "## Other"], "Names"),
        (["# Introduction", "# Names"], "Names"),
    ],
    ids=["numbers are written", "a title is above the sections", "only sections"],
)
def test_unnumbered_headings_are_counted_where_none_has_a_number(
    heads: list[str], title: str
) -> None:
    sections = "\n\n".join(f"{head}\n\nWords." for head in heads)
    text = f"{sections}\n\nNamespace Identifier: hatpin\n\nSyntax: See Section 2.\n"

    assert [each.title for each in read(text).references] == [title]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "We have a Purpose, and the Syntax is easy. Assignment is ours, Resolution nobody's.",
            "The text has “Purpose”, “Syntax”, “Assignment” and “Resolution”, but not where a field"
            " begins.",
        ),
        ("{\\rtf1 Purpose: pins\\par}", "This is the file of RTF, and not its text."),
        (("QUJD" * 16 + "\n") * 4, "Lines of it are encoded (base64), as an attachment is."),
        ("Purpose: pins\n", "Only 1 of 13 fields were recognized: Purpose."),
    ],
    ids=["labels in sentences", "RTF", "base64", "a single field"],
)
def test_text_that_cannot_be_read_says_why(text: str, reason: str) -> None:
    remarks = read(text).remarks

    assert [each for each in remarks if each.startswith(reason)]
    assert [each for each in remarks if "follows the template" in each] == []


HOSTILE = ["<dt>", "<t>", "</t>", "<!--", "<![CDATA[", "<a b=", "<tr><td>", "<list>", "<pre>\n"]


@pytest.mark.parametrize(
    "piece", [*HOSTILE, "| ", "|a|b\n", '"Purpose","', "{", '{"a":', "\\item["]
)
def test_hostile_markup_is_read(piece: str) -> None:
    text = "</t></t></t>" * (piece in HOSTILE) + piece * (100_000 // len(piece))

    with stopped_if_endless():
        reading = read(text)

    assert reading.remarks


@pytest.mark.parametrize("name", ["Markdown, table", "RFCXML 3, sections", "columns"])
def test_every_line_of_a_layout_is_accounted_for(name: str) -> None:
    text = set_out(LAYOUTS[name])
    reading = read(text)
    sources = [source for each in reading.fields for source in each.sources]
    parts: list[Source | Passage] = [*sources, *reading.left_over, *reading.taken_out]
    covered = {number for each in parts for number in range(each.first, each.last + 1)}

    assert {n for n, line in enumerate(text.split("\n"), 1) if line.strip()} <= covered
    assert field("nid").label in text
