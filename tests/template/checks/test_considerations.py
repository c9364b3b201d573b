"""Checks for people to consider: each with a text that triggers it and one that does not."""

from __future__ import annotations

import datetime
import re

import pytest

from registry.template import FIELDS, Context, Template, check, write
from registry.urn import Finding, Severity
from tests.endless import stopped_if_endless
from tests.template.samples import FORMAL, INFORMAL, REVISION

DAY = datetime.date(2026, 6, 1)
COMMUNITY = Context(today=DAY)
FAST_TRACK = Context(today=DAY, path="fast_track")
REVISING = Context(
    today=DAY,
    change="revision",
    version=2,
    previous=FORMAL,
    last_date=datetime.date(2026, 3, 14),
)

ALL = [
    (
        "citation.obsolete",
        {"syntax": FORMAL.syntax + " See RFC 2141."},
        {"revision_information": "The first version cited RFC 2141."},
    ),
    (
        "citation.obsolete",
        {"assignment": FORMAL.assignment + " By rfc-5226."},
        {"assignment": FORMAL.assignment + " By RFC 8126."},
    ),
    (
        "citation.experimental",
        {"resolution": "No. Experiments use urn:x-seed:1."},
        {"resolution": "No. Experiments use urn:example:1."},
    ),
    (
        "citation.experimental",
        {"purpose": FORMAL.purpose + " Until then, the X- prefix is used."},
        {"prior_use": "It was an experimental namespace."},
    ),
    (
        "link.broken",
        {"documentation": "Accessions, 2026, http:/northlight.example/a"},
        {"documentation": "Accessions, 2026, <http://northlight.example:80/a?b=c#d>."},
    ),
    (
        "link.broken",
        {"documentation": "Accessions, 2026, https://https://northlight.example"},
        {"documentation": "https://archive.example/web/2026/https://northlight.example/a"},
    ),
    (
        "link.broken",
        {"documentation": "Accessions, 2026, https://northlight"},
        {"documentation": "Accessions, 2026 (https://northlight.example)"},
    ),
    (
        "link.repeated",
        {"documentation": "A, 2025, https://nl.example/a\nB, 2026, https://nl.example/a"},
        {"documentation": "A, 2025, https://nl.example/a\nB, 2026, https://nl.example/b"},
    ),
    (
        "placeholder.instruction",
        {"purpose": "Described in Section 6.4.1 of this document."},
        {"purpose": FORMAL.purpose + " See section 6.4.1 of RFC 8141."},
    ),
    (
        "placeholder.instruction",
        {"registrant": FORMAL.registrant + "\n[your telephone number]"},
        {"registrant": FORMAL.registrant + "\n[formerly the Seed Circle]"},
    ),
    (
        "placeholder.editor",
        {"documentation": FORMAL.documentation + "\nNote to the RFC Editor: fill this in."},
        {"documentation": FORMAL.documentation + "\nEdited by the federation."},
    ),
    (
        "placeholder.editor",
        {"purpose": FORMAL.purpose + "\n[[which vaults?]]"},
        {"purpose": FORMAL.purpose + "\n[1] See below."},
    ),
]

IDENTITY = [
    ("version.number", {"version": "2.1"}, {"version": "2"}),
    ("version.number", {"version": "01"}, {"version": "1"}),
    ("date.form", {"date": "2026-02-30"}, {"date": "2026-02-28"}),
    ("date.form", {"date": "TBD"}, {"date": ""}),
    ("date.future", {"date": "2026-06-02"}, {"date": "2026-06-01"}),
    (
        "registrant.name",
        {"registrant": "Contact: urn@northlight.example, +47 5555 0142"},
        {"registrant": "Northlight Federation, urn@northlight.example"},
    ),
    (
        "registrant.free-mail",
        {"registrant": "Northlight Seed Vaults, northlight@gmail.com"},
        {"registrant": "Northlight Seed Vaults, northlight@gmail.com, urn@northlight.example"},
    ),
    (
        "registrant.person",
        {"registrant": "Northlight Seed Vaults, anna.keeper@northlight.example"},
        {"registrant": "Northlight, anna.keeper@northlight.example, desk@northlight.example"},
    ),
    (
        "registrant.domain",
        {"registrant": "Northlight Seed, desk@other.example, https://www.northlight.example"},
        {"registrant": "Northlight Seed, desk@mail.northlight.example, https://northlight.example"},
    ),
    (
        "registrant.domain",
        {"registrant": "Northlight Seed, desk@moss.co.uk, https://northlight.co.uk"},
        {"registrant": "Northlight Seed, desk@northlight.co.uk, https://www.northlight.co.uk"},
    ),
]

CONTENT = [
    (
        "syntax.encoding",
        {"syntax": "Digits. Case makes no difference."},
        {"syntax": "Digits. Nothing is encoded. Case makes no difference."},
    ),
    (
        "syntax.r-component",
        {"syntax": FORMAL.syntax + "\n\nThe r-component selects the vault to ask."},
        {"syntax": FORMAL.syntax + "\n\nAn r-component never selects anything."},
    ),
    (
        "syntax.r-component",
        {"resolution": "Yes, we run a service. A part after ?+ is used to choose a language."},
        {"resolution": "Yes, we run a service. A part after ?= is used to choose a language."},
    ),
    (
        "syntax.components",
        {"syntax": FORMAL.syntax + "\n\nq-components must not be appended."},
        {"syntax": FORMAL.syntax + "\n\nq-components must not be taken to have a meaning."},
    ),
    (
        "syntax.components",
        {"syntax": FORMAL.syntax + "\n\nFragments are forbidden."},
        {"syntax": FORMAL.syntax + "\n\nSpaces are forbidden."},
    ),
    (
        "syntax.ascii",
        {"syntax": FORMAL.syntax + "\n\nurn:seedbank:FRØ/1"},
        {"syntax": FORMAL.syntax + "\n\nurn:seedbank:FR%C3%98/1… is how “Ø” is written."},
    ),
    (
        "syntax.ascii",
        {"grammar": 'nss = "Ø"'},
        {"grammar": 'nss = "O" ; for Ø'},
    ),
    (
        "assignment.reassigned",
        {"assignment": "A name becomes available to other customers after a year."},
        {"assignment": "A name never becomes available to other customers after a year."},
    ),
    (
        "assignment.borrowed",
        {"syntax": FORMAL.syntax + "\n\nA name begins with the domain name of the vault."},
        {"resolution": "No. A domain name is nothing to rest on."},
    ),
    (
        "assignment.borrowed",
        {"assignment": FORMAL.assignment + "\n\nVaults are told by country codes."},
        {
            "assignment": FORMAL.assignment
            + "\n\nVaults are told by country codes as of 2020, which stay as they are."
        },
    ),
    (
        "security.short",
        {"security_privacy": "Names can be guessed, and nothing else is known."},
        {},
    ),
    (
        "security.short",
        {
            "security_privacy": "There are no additional security considerations other than those"
            " normally associated with the use and the resolution of names of any kind at all."
        },
        {"security_privacy": FORMAL.security_privacy + "\n\nThere are no other considerations."},
    ),
    (
        "examples.personal",
        {"examples": ["urn:seedbank:anna@northlight.example", "urn:seedbank:NVF/42"]},
        {"examples": ["urn:seedbank:anna@1", "urn:seedbank:NVF/42"]},
    ),
    (
        "examples.personal",
        {"counter_examples": ["urn:seedbank:tel:4755550142"]},
        {"counter_examples": ["urn:seedbank:4755550142"]},
    ),
    (
        "resolution.operator",
        {"resolution_intended": "yes", "resolution_operator": ""},
        {"resolution_intended": "undecided", "resolution_operator": ""},
    ),
    (
        "documentation.moving",
        {"documentation": "https://northlight.example/wiki/Accessions"},
        {"documentation": "https://northlight.example/accessions/2026"},
    ),
    (
        "documentation.moving",
        {"documentation": "https://github.com/northlight/names/blob/main/names.md"},
        {"documentation": "https://github.com/northlight/names/blob/v2.0/names.md"},
    ),
    (
        "documentation.vague",
        {"documentation": "The handbook of the federation."},
        {"documentation": "The handbook of the federation, 2026."},
    ),
    (
        "documentation.vague",
        {"documentation": "Ask the desk."},
        {"documentation": "None, because the desk answers."},
    ),
]
CASES = ALL + IDENTITY + CONTENT


def found(template: Template, context: Context) -> set[str]:
    return {each.check for each in check(template, context)}


def only(template: Template, context: Context, name: str) -> Finding:
    (one,) = (each for each in check(template, context) if each.check == name)
    return one


@pytest.mark.parametrize(
    ("name", "trips", "passes"), CASES, ids=[f"{case[0]}-{n}" for n, case in enumerate(CASES)]
)
def test_each_check_asks_where_it_should_and_blocks_nothing(
    name: str, trips: dict[str, object], passes: dict[str, object]
) -> None:
    asked = [each for each in check(FORMAL.replace(**trips), COMMUNITY) if each.check == name]

    assert [each.severity is Severity.BLOCK for each in asked] == [False]
    assert all(each.message.endswith(".") and each.mend and each.source for each in asked)
    assert name not in found(FORMAL.replace(**passes), COMMUNITY)


@pytest.mark.parametrize(
    ("sample", "context"),
    [(FORMAL, COMMUNITY), (INFORMAL, Context(path="informal", today=DAY)), (REVISION, REVISING)],
    ids=["formal", "informal", "revision"],
)
def test_there_is_nothing_to_consider_in_a_careful_template(
    sample: Template, context: Context
) -> None:
    assert check(sample, context) == ()


def test_fast_track_registrant_says_what_body_it_is() -> None:
    named = FORMAL.replace(
        registrant=FORMAL.registrant + "\n\nIt is a scientific society, recognized in 2025."
    )

    assert only(FORMAL, FAST_TRACK, "registrant.body").severity is Severity.WARN
    assert "registrant.body" not in found(named, FAST_TRACK)
    assert "registrant.body" not in found(FORMAL, COMMUNITY)


def test_version_that_is_not_the_next_is_said_to_be_so() -> None:
    asked = only(REVISION.replace(version="3"), REVISING, "version.next")

    assert re.findall(r"\d", asked.message) == ["3", "2"]
    assert asked.section == "version"
    assert "version.next" not in found(REVISION.replace(version="2"), REVISING)


def test_date_before_that_of_the_last_version_is_said_to_be_so() -> None:
    asked = only(REVISION.replace(date="2026-03-13"), REVISING, "date.older")

    assert re.findall(r"\d{4}-\d\d-\d\d", asked.message) == ["2026-03-13", "2026-03-14"]
    assert "date.older" not in found(REVISION.replace(date="2026-03-14"), REVISING)


def test_obsolete_document_is_named_once_with_its_successor() -> None:
    cited = FORMAL.replace(
        purpose=FORMAL.purpose + "\nSee RFC 3406.", syntax=FORMAL.syntax + "\nSee RFC 3406."
    )

    asked = only(cited, COMMUNITY, "citation.obsolete")

    assert (asked.section, asked.severity) == ("purpose", Severity.WARN)
    assert "RFC 8141" in asked.mend


def test_many_broken_links_are_not_listed_without_end() -> None:
    findings = check(FORMAL.replace(documentation="http:/a.example " * 5_000), COMMUNITY)

    assert [each.check for each in findings if each.check.startswith("link")] == [
        "link.broken",
        "link.broken",
        "link.broken",
        "link.repeated",
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        ({"revision_information": "Resolution and Documentation."}, {"revision.unmentioned"}),
        (
            {"revision_information": REVISION.revision_information + "\n\nPrivacy was rewritten."},
            set(),
        ),
        (
            {
                "revision_information": REVISION.revision_information
                + "\n\nInteroperability was rewritten."
            },
            {"revision.unfounded"},
        ),
        (
            {
                "revision_information": REVISION.revision_information
                + "\n\nInteroperability is unchanged."
            },
            set(),
        ),
    ],
    ids=["agrees", "silent", "other word", "unfounded", "unchanged"],
)
def test_revision_information_agrees_with_the_differences_found(
    changes: dict[str, object], expected: set[str]
) -> None:
    asked = found(REVISION.replace(**changes), REVISING)

    assert asked == expected


def test_sections_that_were_passed_over_are_named() -> None:
    template = REVISION.replace(revision_information="The service is described in a new document.")

    asked = only(template, REVISING, "revision.unmentioned")

    assert "Purpose and Syntax" in asked.message
    assert asked.source == "RFC 8141, section 6.2"


def test_revision_that_changes_nothing_is_to_be_considered() -> None:
    same = FORMAL.replace(
        purpose=FORMAL.purpose.replace("\n", "  \n"), revision_information="Nothing changed."
    )

    assert only(same, REVISING, "revision.same").severity is Severity.WARN
    assert "revision.same" not in found(REVISION, REVISING)


def test_revision_without_the_last_version_is_not_compared() -> None:
    unknown = Context(change="revision", version=2, today=DAY)

    assert check(FORMAL.replace(revision_information="Syntax was widened."), unknown) == ()


@pytest.mark.whole
@pytest.mark.parametrize(
    "piece",
    [
        *("https://", "a.", "a-", "[[", "urn:a:", "no a. ", "r-component means ", "@a.", "/blob/"),
        *("x", "Contact: ", "not only ", "a = b\n", "the case of ", "fragments and ", "Aa-"),
    ],
)
def test_hostile_text_is_considered(piece: str) -> None:
    text = "none" + piece * (100_000 // len(piece)) + "!"
    template = Template.from_dict({each.name: text for each in FIELDS})

    with stopped_if_endless():
        findings = check(template, REVISING)

    assert findings


def test_large_template_is_checked() -> None:
    line = "\nVaults keep seeds, and https://northlight.example/ keeps their names."
    names = [each.name for each in FIELDS if each.rows > 1]
    large = FORMAL.replace(**{name: FORMAL[name] + line * 140 for name in names})
    assert len(write(large)) > 100_000

    with stopped_if_endless():
        check(large, REVISING)


@pytest.mark.parametrize(
    "words",
    [
        "Some things changed.",
        "Various minor corrections and improvements throughout the document.",
        "See above.",
        "Updated version, 2nd edition",
        "No changes.",
        "This is the revised text of the registration, as requested.",
        "1.2.3",
    ],
)
def test_words_that_describe_no_difference_block_a_revision(words: str) -> None:
    template = REVISION.replace(revision_information=words)

    asked = only(template, REVISING, "revision.vague")

    assert (asked.severity, asked.section) == (Severity.BLOCK, "revision_information")
    assert asked.source == "RFC 8141, section 6.2"
    assert f"says only “{words[:30]}" in asked.message
    assert "revision.vague" not in found(template, COMMUNITY)


@pytest.mark.parametrize(
    "words",
    [
        "Syntax: updated.",
        "The contact changed.",
        "Some codes are longer now.",
        "ISBN-13 was added.",
        "Синтаксис изменён.",
    ],
)
def test_words_that_name_a_difference_do_not_block_a_revision(words: str) -> None:
    assert "revision.vague" not in found(REVISION.replace(revision_information=words), REVISING)


def test_boilerplate_blocks_where_the_last_version_is_not_held_here() -> None:
    unknown = Context(change="revision", version=6, today=DAY)

    only(FORMAL.replace(revision_information="Some things changed."), unknown, "revision.vague")
