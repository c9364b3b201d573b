"""The template as a section of an Internet-Draft."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings, strategies as st

from registry.template import FIELDS, SUBFIELDS, Template
from registry.template.reading import read
from registry.template.text import kramdown, rfcxml
from tests.template.samples import FORMAL, INFORMAL, REVISION

SAMPLES = pytest.mark.parametrize(
    "sample", [FORMAL, INFORMAL, REVISION], ids=["formal", "informal", "revision"]
)
SMALL = Template(
    nid="seedbank",
    registrant="Northlight Vaults\nFrostgata 12",
    purpose=(
        "Names identify accessions, samples of seed that a vault\n"
        "keeps for a long time. They are <cited> & *kept*.\n\n- one\n- two\n  lines"
    ),
    syntax="A code.\n\n  {code} | ~~~",
    grammar_kind="abnf",
    grammar='nss = vault "/" 1*DIGIT',
    examples=("urn:seedbank:NVF/42",),
)


def words(element: ET.Element) -> list[str]:
    for each in element.iter("br"):
        each.text = "\n"
    return " ".join(element.itertext()).split()


def test_small_template_becomes_a_section_of_rfcxml() -> None:
    assert rfcxml(SMALL).splitlines() == [
        '<section anchor="urn-namespace-seedbank">',
        "  <name>URN Namespace Registration</name>",
        '  <dl newline="true">',
        "    <dt>Namespace Identifier:</dt>",
        "    <dd>",
        "      <t>seedbank</t>",
        "    </dd>",
        "    <dt>Registrant:</dt>",
        "    <dd>",
        "      <t>Northlight Vaults<br/>Frostgata 12</t>",
        "    </dd>",
        "    <dt>Purpose:</dt>",
        "    <dd>",
        "      <t>Names identify accessions, samples of seed that a vault keeps for a long time."
        " They are &lt;cited&gt; &amp; *kept*.</t>",
        "      <ul><li>one</li><li>two lines</li></ul>",
        "    </dd>",
        "    <dt>Syntax:</dt>",
        "    <dd>",
        "      <t>A code.</t>",
        "      <artwork>",
        "{code} | ~~~",
        "</artwork>",
        "      <t>Formal grammar (ABNF):</t>",
        '      <sourcecode type="abnf">',
        'nss = vault "/" 1*DIGIT',
        "</sourcecode>",
        "      <t>Examples:</t>",
        "      <artwork>",
        "urn:seedbank:NVF/42",
        "</artwork>",
        "    </dd>",
        "  </dl>",
        "</section>",
    ]


def test_small_template_becomes_a_section_of_kramdown() -> None:
    assert kramdown(SMALL).splitlines() == [
        "# URN Namespace Registration {#urn-namespace-seedbank}",
        "",
        "Namespace Identifier:",
        ": seedbank",
        "",
        "Registrant:",
        ": Northlight Vaults  ",
        "  Frostgata 12",
        "",
        "Purpose:",
        ": Names identify accessions, samples of seed that a vault keeps for a long time."
        " They are &lt;cited> &amp; \\*kept\\*.",
        "",
        "  * one",
        "  * two lines",
        "",
        "Syntax:",
        ": A code.",
        "",
        "  ~~~~",
        "  {code} | ~~~",
        "  ~~~~",
        "",
        "  Formal grammar (ABNF):",
        "",
        "  ~~~ abnf",
        '  nss = vault "/" 1*DIGIT',
        "  ~~~",
        "",
        "  Examples:",
        "",
        "  ~~~",
        "  urn:seedbank:NVF/42",
        "  ~~~",
    ]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("# no heading", "\\# no heading"),
        ("- no list", "* no list"),
        ("{{RFC8141}}", "&#123;&#123;RFC8141&#125;&#125;"),
        ("> no quotation", "\\> no quotation"),
        ("1.5 metres", "1\\.5 metres"),
        (": no definition", "\\: no definition"),
        ("a_b `c` [d] \\e", "a\\_b \\`c\\` \\[d\\] \\\\e"),
    ],
)
def test_signs_of_kramdown_are_escaped_in_prose(text: str, escaped: str) -> None:
    assert kramdown(Template(purpose=text)).splitlines()[-1] == f": {escaped}"


@SAMPLES
def test_every_word_of_a_template_is_in_its_rfcxml(sample: Template) -> None:
    section = ET.fromstring(rfcxml(sample))
    terms = {
        str(each.text): words(value)
        for each, value in zip(section.iter("dt"), section.iter("dd"), strict=True)
    }

    assert list(terms) == [f"{each.label}:" for each in FIELDS if sample[each.name]]
    for each in FIELDS:
        if sample[each.name] and each.name not in SUBFIELDS:
            plain = [word for word in sample[each.name].split() if word.strip("-")]
            assert [word for word in terms[f"{each.label}:"] if word.strip("-")] == plain


@SAMPLES
def test_kramdown_is_read_back_field_by_field(sample: Template) -> None:
    reading = read(kramdown(sample))

    assert [each.name for each in reading.fields] == [
        each.name for each in FIELDS if sample[each.name]
    ]
    assert reading.template.purpose.split() == sample.purpose.split()
    assert reading.template.nid == sample.nid


def test_lists_with_numbers_stay_numbered() -> None:
    section = ET.fromstring(rfcxml(Template(purpose="1. one\n\n2. two\n\n- dot")))

    (value,) = section.iter("dd")
    assert [(each.tag, len(each)) for each in value] == [("ol", 2), ("ul", 1)]


def test_empty_fields_are_left_out() -> None:
    assert list(ET.fromstring(rfcxml(Template.blank())).iter("dt")) == []
    assert kramdown(Template.blank()) == "# URN Namespace Registration {#urn-namespace}\n"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.text("<>&]\x00\ud800 -\n{}~*1.\ufffe'\"a", max_size=60))
def test_any_template_is_well_formed(nid: str, text: str) -> None:
    template = Template(nid=nid, purpose=text, syntax=text, grammar=text, examples=(text,))

    section = ET.fromstring(rfcxml(template))

    assert section.tag == "section"
    assert kramdown(template).startswith("# ")
