"""The canonical text of a template (RFC 8141, Appendix A)."""

from __future__ import annotations

import hashlib
from textwrap import dedent

import pytest
from hypothesis import example, given, settings, strategies

from registry.template import FIELDS, Template, sha256, write
from registry.template.text import wrap_text
from tests.template.samples import FORMAL, INFORMAL, REVISION

SAMPLES = pytest.mark.parametrize(
    "sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "revision"]
)


def test_small_template_reads_as_appendix_a_lays_it_out() -> None:
    template = Template(
        nid="seedbank",
        version="1",
        date="2026-03-14",
        registrant="Northlight Seed Vault Federation\nFrostgata 12",
        purpose="Names identify accessions, samples of seed that a vault keeps for a long time.",
        syntax="A vault code, a slash and a number.\n\n  NVF/42",
        grammar_kind="abnf",
        grammar='nss = vault "/" 1*DIGIT\nvault = 3ALPHA',
        examples=("urn:seedbank:NVF/42", "urn:seedbank:ISB/7"),
        counter_examples=("urn:seedbank:NVF-42",),
        prior_use="None.",
        assignment="Limited.",
        documentation="None, because it is being written.",
    )

    assert write(template) == dedent(
        """\
        Namespace Identifier: seedbank

        Version: 1

        Date: 2026-03-14

        Registrant:
           Northlight Seed Vault Federation
           Frostgata 12

        Purpose:
           Names identify accessions, samples of seed that a vault keeps for a
           long time.

        Syntax:
           A vault code, a slash and a number.

             NVF/42

           Formal grammar (ABNF):

              nss = vault "/" 1*DIGIT
              vault = 3ALPHA

           Examples:

              urn:seedbank:NVF/42
              urn:seedbank:ISB/7

           Counter-examples:

              urn:seedbank:NVF-42

           Prior use:

              None.

        Assignment:
           Limited.

        Security and Privacy:

        Interoperability:

        Resolution:

        Documentation:
           None, because it is being written.
        """
    )


def test_blank_template_shows_required_fields_and_omits_optional_ones() -> None:
    labels = [line for line in write(Template.blank()).splitlines() if line]

    assert labels == [
        f"{each.label}:"
        for each in FIELDS
        if each.name not in ("additional_information", "revision_information")
    ]


@SAMPLES
def test_only_labels_stand_at_the_margin(sample: Template) -> None:
    at_margin = [line for line in write(sample).split("\n") if line and not line.startswith("   ")]

    assert [line.partition(":")[0] for line in at_margin] == [
        each.label for each in FIELDS if sample[each.name] or each.name in ("version", "date")
    ]


@SAMPLES
def test_lines_keep_to_72_columns_and_the_text_ends_in_one_line_feed(sample: Template) -> None:
    text = write(sample)

    assert max(map(len, text.split("\n"))) <= 72
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@SAMPLES
def test_nothing_is_lost_but_line_breaks(sample: Template) -> None:
    words = write(sample).split()

    for name in sample.to_dict():
        if name != "grammar_kind":
            run = sample[name].split()
            assert any(words[i : i + len(run)] == run for i in range(len(words))), name


def test_names_and_addresses_are_never_broken() -> None:
    name = "urn:seedbank:" + "N" * 90
    address = "https://northlight.example/" + "long-path/" * 9
    lines = write(Template(purpose=f"See {name} and {address} for more.")).split("\n")

    assert f"   {name}" in lines
    assert f"   {address}" in lines


def test_preformatted_lines_and_grammar_stay_as_they_are() -> None:
    table = "  code   " + "column " * 12 + "end"
    rule = "nss = " + "1*DIGIT / " * 9 + "ALPHA"
    text = write(Template(syntax=f"{table}\n{rule}", grammar_kind="abnf", grammar=rule))

    assert f"   {table}\n   {rule}\n" in text
    assert f"      {rule}\n" in text


def test_entries_of_a_list_hang_behind_their_marker() -> None:
    entry = "1. The code of a harbour is two to five letters from a to z, in lower case."

    assert list(wrap_text(entry, 40)) == [
        "1. The code of a harbour is two to five",
        "   letters from a to z, in lower case.",
    ]


def test_paragraph_wrapped_for_a_wider_page_is_set_anew_and_an_address_is_not() -> None:
    wrapped = "aaaa bbbb cccc dddd\neeee ffff gggg hhhh\niiii"
    typed = "Northlight Vaults\nFrostgata 12\n9170 Isby"

    assert list(wrap_text(wrapped, 18)) == ["aaaa bbbb cccc", "dddd eeee ffff", "gggg hhhh iiii"]
    assert "\n".join(wrap_text(typed, 18)) == typed


def test_dash_that_a_line_break_puts_in_front_makes_no_entry_of_a_list() -> None:
    table = "  code   " + "column " * 12 + "end"
    once = list(wrap_text(f"{'x' * 75} - and so on\n{table}", 69))

    assert once == ["x" * 75, " - and so on", table]
    assert list(wrap_text("\n".join(once), 69)) == once


PIECES = [
    "- ",
    "1. ",
    "a ",
    "word ",
    "longer word ",
    "x" * 75 + " ",
    "= ",
    "  ",
    "\n",
    "\n  ",
    "\n\n",
]


@settings(max_examples=300, deadline=None)
@example(f"{'x' * 75} - - \n  {'x' * 75} ")
@given(
    strategies.lists(
        strategies.sampled_from(PIECES),
        max_size=60,
    ).map("".join)
)
def test_setting_a_text_again_changes_nothing(text: str) -> None:
    once = "\n".join(wrap_text(text, 69))

    assert "\n".join(wrap_text(once, 69)) == once
    assert once.split() == text.split()


def test_hash_is_that_of_the_canonical_text() -> None:
    expected = hashlib.sha256(write(FORMAL).encode("utf-8")).hexdigest()

    assert sha256(FORMAL) == expected
    assert sha256(Template.from_dict(FORMAL.to_dict())) == expected
    assert sha256(FORMAL.replace(purpose=FORMAL.purpose + " Indeed.")) != expected


def test_text_pasted_from_another_system_has_the_same_hash() -> None:
    pasted = FORMAL.replace(purpose=FORMAL.purpose.replace("\n", " \r\n"))

    assert sha256(pasted) == sha256(FORMAL)


def test_text_that_is_not_unicode_is_hashed_nevertheless() -> None:
    assert sha256(Template(purpose="\udcff")) == sha256(Template(purpose="\ufffd"))
