"""What was written is read back; nothing is lost in reading; no text is too much."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from registry.template import FIELDS, ORDER, Template, field, write
from registry.template.reading import (
    MAX_READ_LENGTH,
    Passage,
    Reading,
    Source,
    read,
)
from tests.endless import stopped_if_endless
from tests.template.reading.sample_texts import NAMES, text_of
from tests.template.samples import FORMAL, INFORMAL, REVISION

WORDS = "seed vault Purpose: Syntax Where: Example: 1. - # ** urn:a:b &lt; [Page é  ".split(" ")
LINES = st.lists(st.sampled_from(WORDS), min_size=0, max_size=8).map(" ".join)
TEXTS = st.lists(LINES | LINES.map(lambda line: f"   {line}"), max_size=6).map("\n".join)
LISTS = st.lists(LINES.map(str.strip).filter(bool), max_size=3).map(tuple)
OTHERS = [
    name
    for name in ORDER
    if not field(name).choices and name not in ("examples", "counter_examples")
]
CHOICES = {name: field(name).choices for name in ORDER if field(name).choices}
TEMPLATES = st.builds(
    lambda texts, choices, right, wrong: Template.from_dict(
        {**texts, **choices, "examples": right, "counter_examples": wrong}
    ),
    st.fixed_dictionaries(dict.fromkeys(OTHERS, TEXTS)),
    st.fixed_dictionaries({name: st.sampled_from(each) for name, each in CHOICES.items()}),
    LISTS,
    LISTS,
)
PIECES = st.sampled_from(
    [
        *(f"{each.label}:" for each in FIELDS),
        *(f"   {label}:" for label in ("Formal grammar (ABNF)", "Examples", "Prior use")),
        "   Is resolution intended?",
        "      undecided",
        "Namespace ID",
        "Registration Information:",
        "Rules for Lexical Equivalence",
        "## Purpose",
        "**Syntax:**",
        "2.1. Scope",
        "Tallow   Memo   [Page 3]",
        "RFC 9999     Wicks     June 2004",
        "{:vspace}",
        "```",
        "> quoted",
        ": defined",
        "======",
        "\f",
        "",
        "",
        "word",
        "   deeper words",
        "urn:ietf:params:word",
        "Version 1",
        "TBD",
        "&lt;",
        "\x00\ud800\u2028",
    ]
)


def covered(reading: Reading) -> set[int]:
    sources = [source for each in reading.fields for source in each.sources]
    parts: list[Source | Passage] = [*sources, *reading.left_over, *reading.taken_out]
    return {number for each in parts for number in range(each.first, each.last + 1)}


@settings(max_examples=200, deadline=None)
@given(TEMPLATES)
def test_written_template_is_read_back_as_it_was(template: Template) -> None:
    reading = read(write(template))

    assert reading.template == template
    assert reading.left_over == ()


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=12).map("\n".join), st.lists(PIECES, max_size=12).map("\n".join))
def test_writing_what_was_read_back_gives_the_same_text(syntax: str, purpose: str) -> None:
    text = write(Template(nid="hatpin", syntax=syntax, purpose=purpose))

    assert write(read(text).template) == text


@pytest.mark.parametrize("sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "new"])
def test_samples_are_read_back_with_their_data_beside_syntax(sample: Template) -> None:
    template = read(write(sample)).template

    assert {name: template[name].split() for name in ORDER} == {
        name: sample[name].split() for name in ORDER
    }
    assert read(write(template)).template == template


@pytest.mark.parametrize("sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "new"])
def test_written_template_inside_a_letter_is_read_too(sample: Template) -> None:
    settled = read(write(sample)).template

    reading = read(f"Dear list,\n\n{write(settled)}".replace("\n", "\r\n"))

    assert reading.template == settled
    assert [each.text for each in reading.left_over] == ["Dear list,"]


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("\n".join))
def test_every_line_is_in_a_field_left_over_or_taken_out(text: str) -> None:
    reading = read(text)

    written = {n for n, line in enumerate(text.split("\n"), 1) if line.strip(" \f>\t")}
    assert written - covered(reading) == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_the_fixtures_is_accounted_for(name: str) -> None:
    text = text_of(name)

    written = {n for n, line in enumerate(text.split("\n"), 1) if line.strip("\f> ")}
    # A definition list may have a colon with nothing after it.
    colons = {n for n, line in enumerate(text.split("\n"), 1) if line.strip() == ":"}
    assert written - colons - covered(read(text)) == set()


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400) | st.lists(PIECES | st.text(max_size=9)).map("".join))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(read(text), Reading)


HOSTILE = {
    "line feeds": "\n",
    "one letter a line": "a\n",
    "labels": "Purpose:\n",
    "templates": "Namespace Identifier: a\nPurpose: b\nSyntax: c\n",
    "stars": "**a\n",
    "one long line of stars": "**",
    "hashes": "#",
    "numbers": "1.",
    "colons": ":\n",
    "parentheses": "Purpose (",
    "entities": "&lt;",
    "braces": "{" + "a" * 70 + "\n",
    "footers": "x [Page 1]\n",
    "quotations": '"',
    "parts of names": "urn:a:b:",
    "examples": "   Examples:\n\n",
    "versions": "version ",
    "dashes": " - ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("label", ["", pytest.param("Namespace ID: ", marks=pytest.mark.whole)])
def test_hostile_text_is_read(label: str, piece: str) -> None:
    text = label + piece * (100_000 // len(piece))

    with stopped_if_endless():
        reading = read(text)

    assert reading.remarks


def test_large_template_is_read() -> None:
    text = "Dear list,\n\n" + write(
        FORMAL.replace(purpose="Seeds are kept in vaults, and vaults give them names.\n" * 1_900)
    )

    reading = read(text)

    assert len(text) > 100_000
    assert len(reading.template.purpose) > 95_000


def test_text_beyond_the_bound_is_left_over() -> None:
    text = (
        "Namespace Identifier: hatpin\n\nPurpose:\n"
        + "   pins\n" * (MAX_READ_LENGTH // 8)
        + "the end"
    )

    reading = read(text)

    assert reading.template.nid == "hatpin"
    assert reading.left_over[-1].text.endswith("the end")
    assert reading.remarks[-1] == "Only the first 500,000 characters were read."
