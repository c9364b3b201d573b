"""Texts that contradict a sentence of RFC 8141, in several wordings, next to correct ones."""

from __future__ import annotations

import pytest

from registry.template import Context, Template, check
from registry.urn import Finding, Severity
from tests.template.samples import FORMAL, INFORMAL, REVISION

COMMUNITY = Context()
REVISING = Context(change="revision", version=2, previous=FORMAL)


def only(template: Template, context: Context, name: str) -> Finding:
    (one,) = (each for each in check(template, context) if each.check == name)
    return one


def found(template: Template, context: Context = COMMUNITY) -> set[str]:
    return {each.check for each in check(template, context)}


FAULTY = {
    "equivalence.identifier-case": [
        ("syntax", "The case of the NID matters."),
        ("syntax", "The namespace identifier is case-sensitive."),
        ("syntax", "The entire URN is compared case-sensitively."),
        ("syntax", "Both the NID and the NSS are case sensitive."),
        ("syntax", "The prefix “urn:seedbank:” must be written in lower case."),
        ("syntax", "Letter case is significant in all parts of the URN."),
        ("interoperability", "Programs have to preserve the case of the namespace identifier."),
        ("syntax", "Upper-case and lower-case spellings of the NID are distinguished."),
    ],
    "equivalence.decoding": [
        ("syntax", "Percent-encoded characters are decoded before comparison."),
        ("syntax", "Before two names are compared, percent-encoding is decoded."),
        ("syntax", "Two names are equivalent if they are identical after unescaping %-sequences."),
        ("syntax", "The names urn:seedbank:a%2Fb and urn:seedbank:a/b are equivalent."),
        ("syntax", "To determine whether names are equal, decode all percent-encoded octets."),
        ("interoperability", "Percent-encoding normalization is applied when names are compared."),
    ],
    "equivalence.components": [
        ("syntax", "r-components are compared."),
        ("syntax", "The q-component is taken into account when two names are compared."),
        ("syntax", "Names that differ only in their q-component are not equivalent."),
        ("syntax", "URNs with different fragments identify different resources, and are distinct"
         " names."),
        ("syntax", "Two names are equivalent only if their q-components are the same."),
        ("syntax", "For equivalence, f-components are considered as well."),
    ],
    "syntax.r-component": [
        ("syntax", "A reader adds ?+lang=fi to see the record in Finnish."),
        ("resolution", "Yes. For instance, urn:seedbank:NVF/42?+lang=fi asks us for Finnish."),
        ("syntax", "r-components carry the preferred language."),
        ("resolution", "Yes, we run it. The language can be requested through the r-component."),
        ("syntax", "An r-component may be appended to select the mirror that answers."),
    ],
    "resolution.q-component": [
        ("resolution", "We run a resolver. Each request must contain a q-component with a key."),
        ("resolution", "We run a resolver. A q-component is required."),
        ("resolution", "We run a service. Names cannot be resolved without the query component."),
        ("resolution", "We run a service, which only resolves names with a q-component."),
        ("syntax", "Resolution depends on the q-component, which gives the year."),
    ],
    "resolution.requirements": [
        ("resolution", "Resolution is intended. Anyone may operate a resolution service, and we"
         " publish a list of them."),
        ("resolution", "Yes. Members can run their own resolvers, which will be listed on our"
         " site."),
        ("resolution", "Resolution is planned. The federation keeps a directory of public"
         " resolvers."),
    ],
    "purpose.closed-network": [
        ("purpose", "The names are used only within the internal network of the company."),
        ("purpose", "The names will be used on private networks only."),
        ("purpose", "The identifiers never leave our intranet, and are not visible on the"
         " Internet."),
        ("purpose", "Use is strictly limited to the proprietary platform of the registrant."),
        ("resolution", "No. The names are for internal use."),
        ("purpose", "Names are exchanged exclusively inside the corporation."),
    ],
}  # fmt: skip

CAREFUL = {
    "equivalence.identifier-case": [
        ("syntax", "The case of the NID does not matter."),
        ("syntax", "The NID is case-insensitive, but the NSS is case-sensitive."),
        ("syntax", "What follows the NID is case sensitive."),
        ("syntax", "The NSS is case-sensitive; the NID is not."),
        ("syntax", "The entire URN is case-insensitive."),
        ("syntax", "Unlike the NID, the NSS is compared case-sensitively."),
        ("syntax", "Convert the NID to lower case before comparing."),
        ("syntax", "Vault codes must be written in upper case."),
    ],
    "equivalence.decoding": [
        ("syntax", "Percent-encoded characters are never decoded before comparison."),
        ("syntax", "Names are compared without decoding percent-encoded characters."),
        ("syntax", "Percent-encoded characters are decoded before they are shown."),
        ("syntax", "The names urn:seedbank:a%2Fb and urn:seedbank:a/b are not equivalent."),
        ("syntax", "The names urn:seedbank:a%2fb and urn:seedbank:a%2Fb are equivalent."),
    ],
    "equivalence.components": [
        ("syntax", "r-components are not compared."),
        ("syntax", "Components are ignored when names are compared; so is every q-component."),
        ("syntax", "Names that differ only in their q-component are equivalent."),
        ("syntax", "Equivalence never takes f-components into account."),
        ("syntax", "Names are equivalent irrespective of r-, q- and f-components."),
    ],
    "syntax.r-component": [
        ("syntax", "r-components are reserved until their meaning has been standardized."),
        ("syntax", "This namespace gives no meaning to r-components."),
        ("resolution", "No. Should r-components be standardized in future, we will use them."),
        ("syntax", "Do not append anything like ?+lang=fi to a name."),
    ],
    "resolution.q-component": [
        ("resolution", "We run a service. A q-component is never required."),
        ("resolution", "We run a service. It does not depend on q-components."),
        ("resolution", "We run a service. A q-component is passed on and need not be present."),
        ("syntax", "If a q-component is given, it must contain a year."),
    ],
    "resolution.requirements": [
        ("resolution", "No service is planned, and no list of services is kept."),
        ("resolution", "Resolution is intended. Anyone may operate a resolver. To be listed, it"
         " must answer for all names."),
        ("resolution", "Resolution is intended. The federation operates a service."),
    ],
    "purpose.closed-network": [
        ("purpose", "The names are used on private networks and on the public Internet."),
        ("purpose", "Use is not limited to the internal network of the company."),
        ("assignment", "Only members of the organization assign names."),
        ("purpose", "Names are used on the Internet, and also on internal networks."),
    ],
}  # fmt: skip
SECTIONS = {
    "equivalence.identifier-case": "RFC 8141, section 3.1",
    "equivalence.decoding": "RFC 8141, section 3.1",
    "equivalence.components": "RFC 8141, section 3.1",
    "syntax.r-component": "RFC 8141, section 2.3.1",
    "resolution.q-component": "RFC 8141, section 2.3.2",
    "resolution.requirements": "RFC 8141, section 6.4.6",
    "purpose.closed-network": "RFC 8141, section 5.1",
}
WORDINGS = [
    pytest.param(name, field, text, id=f"8141-{SECTIONS[name].split()[-1]}-{name}-{number}")
    for name, texts in FAULTY.items()
    for number, (field, text) in enumerate(texts)
]
CAREFUL_WORDINGS = [
    pytest.param(name, field, text, id=f"8141-{SECTIONS[name].split()[-1]}-{name}-{number}")
    for name, texts in CAREFUL.items()
    for number, (field, text) in enumerate(texts)
]


def with_sentence(field: str, text: str) -> Template:
    """Return the careful template with one more sentence, or with another Resolution."""
    return FORMAL.replace(
        **{field: text if field == "resolution" else f"{FORMAL[field]}\n\n{text}"}
    )


@pytest.mark.parametrize(("name", "field", "text"), WORDINGS)
def test_text_that_the_rfc_rules_out_is_found_in_any_wording(
    name: str, field: str, text: str
) -> None:
    asked = only(with_sentence(field, text), COMMUNITY, name)

    assert (asked.severity, asked.section, asked.source) == (Severity.WARN, field, SECTIONS[name])
    assert asked.mend


@pytest.mark.parametrize(("name", "field", "text"), CAREFUL_WORDINGS)
def test_text_that_says_the_opposite_is_left_in_peace(name: str, field: str, text: str) -> None:
    assert name not in found(with_sentence(field, text))


def test_informal_namespace_may_be_for_a_closed_network() -> None:
    text = INFORMAL.replace(purpose=INFORMAL.purpose + "\n\nUse is limited to private networks.")

    assert "purpose.closed-network" not in found(text, Context(path="informal"))
    assert "purpose.closed-network" in found(text.replace(nid="buoys"))


def test_example_with_an_r_component_is_to_be_considered() -> None:
    asked = only(
        FORMAL.replace(examples=["urn:seedbank:NVF/42?+lang=fi", "urn:seedbank:NVF/1"]),
        COMMUNITY,
        "syntax.r-component",
    )

    assert asked.section == "examples"


@pytest.mark.parametrize(
    ("kind", "grammar"),
    [
        pytest.param("abnf", 'nss = "/" 1*DIGIT', id="8141-2.2-slash-first"),
        pytest.param("abnf", 'nss = 1*DIGIT "#" 1*DIGIT', id="8141-2-number-sign"),
        pytest.param("abnf", 'nss = 1*DIGIT SP 1*DIGIT', id="8141-2-blank"),
        pytest.param("abnf", 'name = "urn:" "s" ":" 1*DIGIT', id="8141-2-nid-of-one-letter"),
        pytest.param("abnf", "nss = nss", id="5234-3.6-no-name-at-all"),
        pytest.param("regex", "[0-9]+ [0-9]+", id="8141-2-blank-in-an-expression"),
    ],
)  # fmt: skip
def test_rule_none_of_whose_names_is_a_urn_blocks(kind: str, grammar: str) -> None:
    asked = only(FORMAL.replace(grammar_kind=kind, grammar=grammar), COMMUNITY, "grammar.no-urn")

    assert (asked.severity, asked.section) == (Severity.BLOCK, "grammar")
    assert asked.source == "RFC 8141, section 2.2"


@pytest.mark.parametrize(
    ("grammar", "shortest"),
    [('nss = 1*DIGIT / "/" 1*DIGIT', "“/0”"), ('nss = 1*(DIGIT / "#")', "“#”")],
)
def test_rule_with_a_name_that_is_no_urn_blocks_with_the_shortest(
    grammar: str, shortest: str
) -> None:
    asked = only(FORMAL.replace(grammar=grammar), COMMUNITY, "grammar.outside")

    assert (asked.severity, asked.section) == (Severity.BLOCK, "grammar")
    assert shortest in asked.message


def test_rule_with_characters_beyond_ascii_is_to_be_considered() -> None:
    wide = FORMAL.replace(grammar='nss = 1*(ALPHA / DIGIT / "%" 2HEXDIG)')
    narrow = FORMAL.replace(grammar='nss = 1*(ALPHA / DIGIT / "%" %x32-37 HEXDIG)')

    asked = only(wide, COMMUNITY, "grammar.beyond-ascii")

    assert (asked.severity, asked.section) == (Severity.NOTE, "grammar")
    assert asked.source == "RFC 8141, section 2.2"
    assert "grammar.beyond-ascii" not in {each.check for each in check(narrow, COMMUNITY)}


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        ({"syntax": FORMAL.syntax.replace("Nothing is percent-encoded", "All is encoded")}, True),
        ({"grammar": FORMAL.grammar.replace('"/"', '"-"')}, True),
        ({"grammar": FORMAL.grammar.replace("5DIGIT", "6DIGIT")}, False),
        ({"grammar_kind": "", "grammar": ""}, False),
        ({"syntax": FORMAL.syntax.replace("three letters", "three capitals")}, False),
    ],
)
def test_revision_that_encodes_names_differently_is_to_be_considered(
    changes: dict[str, str], differs: bool
) -> None:
    context = Context(change="revision", version=2, previous=FORMAL)

    findings = check(FORMAL.replace(**changes), context)

    found = [each for each in findings if each.check == "revision.encoding"]
    assert [each.severity for each in found] == ([Severity.WARN] if differs else [])


LOOSE = FORMAL.replace(
    syntax=FORMAL.syntax.replace("upper case", "of any case, which matters").replace(
        "Two names are the same if they are equivalent by section 3 of RFC 8141;\n"
        "this namespace adds no rule. A vault code in lower case is not a vault\n"
        "code, so nothing can be mistaken for another name that way.",
        "Two names are the same if they are equivalent by section 3 of RFC 8141.",
    ),
    grammar='nss = 3ALPHA "/" 1*6(DIGIT / "-")',
)


@pytest.mark.parametrize(
    ("sentence", "words", "names"),
    [
        pytest.param(
            "Vault codes are case-insensitive.",
            "letter case",
            ("urn:seedbank:NVF/42", "urn:seedbank:nvf/42"),
            id="8141-3.1-case",
        ),
        pytest.param(
            "Hyphens are ignored when names are compared.",
            "hyphens",
            ("urn:seedbank:ISB/12-04", "urn:seedbank:ISB/1204"),
            id="8141-3.1-hyphens",
        ),
        pytest.param(
            "Leading zeros make no difference.",
            "leading zeros",
            ("urn:seedbank:NVF/42", "urn:seedbank:NVF/042"),
            id="8141-3.1-zeros",
        ),
    ],
)
def test_revision_that_makes_two_names_one_names_both(
    sentence: str, words: str, names: tuple[str, str]
) -> None:
    previous = LOOSE.replace(examples=("urn:seedbank:NVF/42", "urn:seedbank:ISB/12-04"))
    revised = previous.replace(syntax=f"{previous.syntax}\n\n{sentence}")
    context = Context(change="revision", version=2, previous=previous)

    asked = only(revised, context, "revision.names-merged")

    assert (asked.severity, asked.source) == (Severity.WARN, "RFC 8141, section 5")
    assert words in asked.message
    assert all(f"“{name}”" in asked.message for name in names)


def test_revision_that_makes_one_name_two_names_both() -> None:
    previous = LOOSE.replace(syntax=f"{LOOSE.syntax}\n\nVault codes are case-insensitive.")
    context = Context(change="revision", version=2, previous=previous)

    asked = only(LOOSE, context, "revision.names-split")

    assert asked.source == "RFC 8141, section 3.1"
    assert "“urn:seedbank:NVF/42” and “urn:seedbank:nvf/42”" in asked.message


def test_merger_of_spellings_that_were_never_names_is_nothing_to_consider() -> None:
    revised = REVISION.replace(syntax=f"{FORMAL.syntax}\n\nVault codes are case-insensitive.")

    assert not {each for each in found(revised, REVISING) if each.startswith("revision.names")}


@pytest.mark.parametrize(
    ("grammar", "name"),
    [
        pytest.param(
            'nss = %s"NVF" "/" 1*6DIGIT', "urn:seedbank:ISB/120455", id="8141-5-an-example"
        ),
        pytest.param(
            'nss = 3(%x41-5A) "/" %x31-39 1*5DIGIT', "AAA/1", id="8141-5-the-shortest-name"
        ),
    ],
)
def test_revision_whose_rule_has_a_name_no_more_names_it(grammar: str, name: str) -> None:
    asked = only(REVISION.replace(grammar=grammar), REVISING, "revision.names-lost")

    assert f"“{name}”" in asked.message
    assert asked.source == "RFC 8141, section 5"


def test_revision_that_only_widens_its_rule_is_left_in_peace() -> None:
    assert check(REVISION, REVISING) == ()
