"""The checks of a template: each with a text that fails it and one that does not."""

from __future__ import annotations

import re

import pytest

from registry.template import FIELDS, Context, Template, check, number
from registry.urn import Finding, Severity
from tests.endless import stopped_if_endless
from tests.template.samples import FORMAL, INFORMAL, REVISION

COMMUNITY = Context(taken={"isbn"})
FAST_TRACK = Context(path="fast_track")
INFORMAL_PATH = Context(path="informal")
REVISING = Context(change="revision", version=2, taken={"seedbank"})
PUBLISHING = Context(publishing=True)
PUBLISHING_INFORMAL = Context(path="informal", publishing=True, taken={"urn-8"})

CASES = [
    ("section.empty", COMMUNITY, {"purpose": "\u00a0"}, {"purpose": "Seeds."}),
    ("documentation.specification", FAST_TRACK, {"documentation": ""}, {}),
    ("documentation.specification", FAST_TRACK, {"documentation": "None, because new."}, {}),
    (
        "documentation.reason",
        COMMUNITY,
        {"documentation": "None."},
        {"documentation": "None yet, "},
    ),
    ("answer.not-applicable", COMMUNITY, {"resolution": "N/A"}, {"additional_information": "n/a"}),
    ("answer.not-applicable", COMMUNITY, {"purpose": " - "}, {"purpose": "- Seeds"}),
    (
        "nid.registered",
        COMMUNITY,
        {"nid": "ISBN", "examples": ()},
        {"nid": "isbnx", "examples": ()},
    ),
    ("nid.country", COMMUNITY, {"nid": "no-seed"}, {"nid": "n2-seed"}),
    ("examples.syntax", COMMUNITY, {"examples": ["urn:seedbank:"]}, {}),
    (
        "examples.namespace",
        COMMUNITY,
        {"examples": ["urn:seed:1"]},
        {"examples": ["URN:SeedBank:1"]},
    ),
    ("examples.few", COMMUNITY, {"examples": ["urn:seedbank:1"]}, {}),
    ("counter-examples.none", COMMUNITY, {"counter_examples": []}, {"counter_examples": ["urn:a"]}),
    (
        "registrant.contact",
        COMMUNITY,
        {"registrant": "Northlight"},
        {"registrant": "urn@nl.example"},
    ),
    ("registrant.contact", COMMUNITY, {"registrant": "Since 1994"}, {"registrant": "9170 Isby"}),
    ("registrant.contact", COMMUNITY, {"registrant": "The desk"}, {"registrant": "+47 5555 0142"}),
    (
        "question.unanswered",
        COMMUNITY,
        {"resolution_intended": ""},
        {"resolution_intended": "undecided"},
    ),
    ("question.unanswered", COMMUNITY, {"known_issues": ""}, {"known_issues": "none"}),
    ("section.pointer", COMMUNITY, {"resolution": "See RFC 8141."}, {"resolution": "No."}),
    (
        "section.pointer",
        COMMUNITY,
        {"syntax": "As specified in section 2 of RFC 3986 [RFC3986]."},
        {"syntax": "As specified in section 2 of the accession standard."},
    ),
    (
        "section.pointer",
        COMMUNITY,
        {"assignment": "See above."},
        {"assignment": "See section 4 of https://northlight.example/documents/2"},
    ),
    (
        "section.pointer",
        COMMUNITY,
        {"purpose": "https://www.rfc-editor.org/rfc/rfc2141.html"},
        {"purpose": "https://www.rfc-editor.org/rfc/rfc3187.html"},
    ),
    (
        "section.pointer",
        Context(host="registry.example"),
        {"security_privacy": "Please see https://registry.example/guide/template/#security"},
        {"security_privacy": "Please see https://registry.example.northlight.example/security"},
    ),
    ("characters.control", COMMUNITY, {"grammar": "a\x00"}, {"grammar": "a\tb\nc"}),
    ("characters.direction", COMMUNITY, {"purpose": "\u202eabc"}, {"purpose": "זרעים"}),
    ("field.length", COMMUNITY, {"syntax": "a" * 100_001}, {"syntax": "a" * 100_000}),
]


def ids(template: Template, context: Context) -> set[str]:
    return {each.check for each in check(template, context)}


def only(template: Template, context: Context, name: str) -> Finding:
    (found,) = (each for each in check(template, context) if each.check == name)
    return found


@pytest.mark.parametrize(
    ("sample", "context"),
    [
        (FORMAL, COMMUNITY),
        (FORMAL, FAST_TRACK),
        (FORMAL, PUBLISHING),
        (INFORMAL, INFORMAL_PATH),
        (number(INFORMAL, "urn-9"), PUBLISHING_INFORMAL),
        (REVISION, REVISING),
    ],
    ids=["formal", "fast track", "published", "informal", "informal published", "revision"],
)
def test_nothing_blocks_a_careful_template_and_at_most_three_things_are_to_be_considered(
    sample: Template, context: Context
) -> None:
    findings = check(sample, context)

    assert [each for each in findings if each.severity is Severity.BLOCK] == []
    assert len(findings) <= 3


@pytest.mark.parametrize(
    ("name", "context", "trips", "passes"),
    CASES,
    ids=[f"{case[0]}-{n}" for n, case in enumerate(CASES)],
)
def test_each_check_finds_its_fault_and_leaves_others_in_peace(
    name: str, context: Context, trips: dict[str, object], passes: dict[str, object]
) -> None:
    assert name in ids(FORMAL.replace(**trips), context)
    assert name not in ids(FORMAL.replace(**passes), context)


def test_all_empty_sections_are_found_at_once_in_the_order_of_appendix_a() -> None:
    findings = check(Template.blank(), COMMUNITY)

    empty = [each.section for each in findings if each.check == "section.empty"]
    assert empty == [
        "nid",
        "registrant",
        "purpose",
        "syntax",
        "assignment",
        "security_privacy",
        "interoperability",
        "resolution",
        "documentation",
    ]
    assert all(each.source and each.mend for each in findings)


def test_revision_that_does_not_say_what_changed_is_blocked() -> None:
    found = only(REVISION.replace(revision_information=""), REVISING, "revision.empty")

    assert (found.severity, found.section) == (Severity.BLOCK, "revision_information")
    assert found.source == "RFC 8141, section 6.2"
    assert "revision.empty" in ids(FORMAL, Context(change="revision"))
    assert "revision.empty" not in ids(FORMAL, COMMUNITY)


def test_identifier_of_a_revision_is_not_judged_again() -> None:
    assert "nid.registered" in ids(FORMAL, Context(taken={"seedbank"}))
    assert check(REVISION, REVISING) == ()


@pytest.mark.parametrize("path", ["community", "fast_track"])
def test_formal_identifier_may_not_be_the_informal_placeholder(path: str) -> None:
    assert "nid.informal" in ids(FORMAL.replace(nid="urn-N"), Context(path=path))


def test_informal_identifier_is_not_for_the_registrant_to_choose() -> None:
    found = only(INFORMAL.replace(nid="urn-12"), INFORMAL_PATH, "informal.identifier")

    assert "“urn-12”" in found.message
    assert found.source == "RFC 8141, section 5.2"


def test_informal_syntax_without_room_for_the_number_is_to_be_considered() -> None:
    roomless = INFORMAL.replace(syntax="Four digits.", examples=(), counter_examples=())

    assert only(roomless, INFORMAL_PATH, "informal.placeholder").severity is Severity.WARN
    assert "informal.placeholder" not in ids(INFORMAL, INFORMAL_PATH)


def test_nothing_is_published_before_it_is_numbered() -> None:
    found = [each for each in check(INFORMAL, PUBLISHING_INFORMAL) if "informal" in each.check]

    assert [(each.check, each.section) for each in found] == [
        ("informal.number", "nid"),
        ("informal.unnumbered", "nid"),
        ("informal.unnumbered", "syntax"),
        ("informal.unnumbered", "examples"),
        ("informal.unnumbered", "counter_examples"),
        ("informal.unnumbered", "interoperability"),
    ]


def test_number_is_not_published_twice() -> None:
    found = only(number(INFORMAL, "urn-8"), PUBLISHING_INFORMAL, "nid.registered")

    assert "“urn-8”" in found.message


def test_informal_examples_carry_the_exact_placeholder() -> None:
    lower = INFORMAL.replace(examples=["urn:urn-n:salt:0007", "urn:urn-N:salt:0008"])

    found = only(lower, INFORMAL_PATH, "examples.namespace")

    assert found.message.startswith("Example 1, “urn:urn-n:salt:0007”, ")
    assert "(character 5)" in found.message


def test_faulty_example_is_quoted_with_the_character_at_fault() -> None:
    found = only(
        FORMAL.replace(examples=["urn:seedbank:NVF/1", "urn:seedbank:NVF 42"]),
        COMMUNITY,
        "examples.syntax",
    )

    assert found.severity is Severity.BLOCK
    assert found.message.startswith("Example 2, “urn:seedbank:NVF 42”, ")
    assert "character 17" in found.message
    assert "RFC 8141, section 2" in found.source


def test_many_faulty_examples_are_not_listed_without_end() -> None:
    findings = check(FORMAL.replace(examples=["no"] * 50_000), COMMUNITY)

    named = [each.check for each in findings if each.section == "examples"]
    assert named == ["examples.syntax"] * 10 + ["examples.more", "field.length"]


def test_counter_example_may_be_a_perfectly_good_urn() -> None:
    assert check(FORMAL.replace(counter_examples=["urn:isbn:0451450523"]), COMMUNITY) == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Names are TBD.", "TBD"),
        ("Names are tbd", "tbd"),
        ("TODO: say more", "TODO"),
        ("First line\nxxx", "xxx"),
        ("See RFC XXXX for more.", "RFC XXXX"),
        ("Requested of IANA", "Requested of IANA"),
        ("requested of IANA.", "requested of IANA"),
        ("The office is to be determined.", "to be determined"),
        ("Contact (to be determined)", "to be determined"),
        ("To be determined", "To be determined"),
    ],
)
def test_placeholder_is_a_reminder_while_writing_and_blocks_publishing(
    text: str, words: str
) -> None:
    template = FORMAL.replace(purpose=text)

    reminder = only(template, COMMUNITY, "placeholder.left")
    verdict = only(template, PUBLISHING, "placeholder.left")

    assert (reminder.severity, verdict.severity) == (Severity.WARN, Severity.BLOCK)
    assert f"“{words}”" in reminder.message


@pytest.mark.parametrize(
    "text",
    [
        "The word “TBD” is not a name.",
        'A list called "TODO" is kept.',
        "urn:example:xxx and https://a.example/xxx",
        "Numbers of the form XXXX-XXXX",
        "todo en orden",
        "This allows the resource to be determined by its name.",
    ],
)
def test_word_that_is_spoken_of_or_part_of_a_name_is_no_placeholder(text: str) -> None:
    assert "placeholder.left" not in ids(FORMAL.replace(purpose=text), PUBLISHING)


def test_placeholder_is_named_once_a_field_with_line_column_and_count() -> None:
    found = only(FORMAL.replace(syntax="One.\n  TBD, TBD and TBD"), COMMUNITY, "placeholder.left")

    assert found.message.endswith("“TBD” in line 2, column 3, 3 times.")


def test_control_character_is_named_with_field_line_and_column() -> None:
    found = only(FORMAL.replace(purpose="One\ntwo\x07 and\x00"), COMMUNITY, "characters.control")

    assert found.severity is Severity.BLOCK
    assert found.message.endswith("(U+0007) in line 2, column 4, and 1 more.")


def test_overlong_text_is_counted() -> None:
    found = only(FORMAL.replace(purpose="ab " * 40_000), COMMUNITY, "field.length")

    assert re.findall(r"[\d,]*\d", found.message) == ["119,999", "100,000"]


def test_findings_of_a_field_begin_with_the_heaviest() -> None:
    template = FORMAL.replace(examples=["urn:seedbank:a b"], counter_examples=[])

    found = [(each.section, str(each.severity)) for each in check(template, COMMUNITY)]

    assert found == [("examples", "block"), ("examples", "warn"), ("counter_examples", "note")]


@pytest.mark.parametrize(
    "piece", ["x", "xxx ", "+1 ", "a@", "none ", "12 ", "\x00", "\n", ",", "RFC"]
)
def test_hostile_text_is_checked(piece: str) -> None:
    text = "none" + piece * (100_000 // len(piece)) + "!"
    template = Template.from_dict({each.name: text for each in FIELDS})

    with stopped_if_endless():
        findings = check(template, PUBLISHING)

    assert {each.section for each in findings} >= {"nid", "examples"}
