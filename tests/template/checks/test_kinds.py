"""What reviewers find again and again: each kind on two of our texts, in the style of real ones.

Each line names the document and the section that asks for what is missing. Left out are kinds that
no text shows: stalled requests, the wrong channel, and who speaks for the body.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping

import pytest

from registry.template import Context, Template, check
from registry.urn import Severity
from tests.template.samples import FORMAL, INFORMAL, REVISION

DAY = datetime.date(2026, 6, 1)
COMMUNITY = Context(today=DAY, version=1, taken={"isbn", "uuid", "oid"})
FAST_TRACK = Context(today=DAY, path="fast_track")
REVISING = Context(today=DAY, change="revision", version=2, previous=FORMAL)

KINDS: list[tuple[str, str, Context, Mapping[str, object], str]] = [
    # 1 identifiers already in use, or related ones
    (
        "1-8141-5-sisters",
        "nid.unregistered",
        COMMUNITY,
        {
            "purpose": FORMAL.purpose
            + "\n\nMirrors of the catalogue use urn:seedbank-mirror:NVF/42 meanwhile."
        },
        "“seedbank-mirror”",
    ),
    (
        "1-8141-6.4.1-prior-use",
        "prior-use.untold",
        COMMUNITY,
        {
            "purpose": FORMAL.purpose
            + "\n\nURNs of this form have been in use in our software since 2015.",
            "prior_use": "",
        },
        "Prior use is empty",
    ),
    # 3 placeholders
    (
        "3-8141-A-to-be-added",
        "placeholder.left",
        COMMUNITY,
        {"resolution": "Resolution is intended. The address of the service will be added later."},
        "“will be added later”",
    ),
    (
        "3-8141-A-brackets",
        "placeholder.instruction",
        COMMUNITY,
        {"registrant": "Northlight Federation, urn@northlight.example\n<insert postal address>"},
        "<insert postal address>",
    ),
    # 4 grammar missing, wrong, redefining, contradicting the text
    (
        "4-5234-2.1-undefined",
        "grammar.undefined",
        COMMUNITY,
        {
            "syntax": "The NSS follows this grammar (RFC 5234), without percent-encoding, and"
            ' upper and lower case differ:\n\n   NSS = vault "/" number\n   vault = 3ALPHA\n'
            "   number = 1*digits",
            "grammar": "",
            "grammar_kind": "",
        },
        "“digits” is used",
    ),
    (
        "4-8141-6.4.2-against-the-words",
        "grammar.prose-differs",
        COMMUNITY,
        {"grammar": 'nss = 3(%x41-5A) "-" %x31-39 0*5DIGIT',
         "examples": ("urn:seedbank:NVF-42", "urn:seedbank:ISB-7"),
         "syntax": FORMAL.syntax + "\n\nCode and number are separated by a slash."},
        "slashes between parts",
    ),
    (
        "4-8141-6.4.2-not-described",
        "syntax.structure",
        COMMUNITY,
        {
            "syntax": "URNs of this namespace are assigned as described elsewhere and are valid"
            " URNs.",
            "grammar": "",
            "grammar_kind": "",
        },
        "how a name is built",
    ),
    # 5 examples missing or not matching
    (
        "5-8141-6.4.2-missing",
        "examples.few",
        COMMUNITY,
        {"examples": ()},
        "no examples",
    ),
    (
        "5-8141-6.4.2-in-the-text",
        "grammar.refuses-name",
        COMMUNITY,
        {
            "syntax": "Not percent-encoded, case counts:\n\n   NSS = vault \"/\" number\n"
            "   vault = 3%x41-5A\n   number = 1*DIGIT\n\nFor example urn:seedbank:NVF-42.",
            "grammar": "",
            "grammar_kind": "",
        },
        "“urn:seedbank:NVF-42” stands in the text",
    ),
    # 6 obsolete documents
    (
        "6-8141-header-3406",
        "citation.obsolete",
        COMMUNITY,
        {"purpose": FORMAL.purpose + "\n\nThe namespace follows RFC 3406 and RFC 2141."},
        "RFC 3406 and RFC 2141, which are obsolete",
    ),
    (
        "6-5234-header-4234",
        "citation.obsolete",
        COMMUNITY,
        {"syntax": FORMAL.syntax + "\n\nThe rule is ABNF [RFC4234]."},
        "RFC 4234, which is obsolete",
    ),
    # 8 a person as contact
    (
        "8-8141-5.1-initial-and-name",
        "registrant.person",
        COMMUNITY,
        {"registrant": "Northlight Federation\nContact: Ada Keeper, AKeeper@northlight.example"},
        "“AKeeper@northlight.example”",
    ),
    (
        "8-8141-5.1-given-name",
        "registrant.person",
        COMMUNITY,
        {"registrant": "Northlight Federation\nName: Ada Keeper\nEmail: ada@northlight.example"},
        "“ada@northlight.example”",
    ),
    (
        "8-8141-5.1-telephone-alone",
        "registrant.person",
        COMMUNITY,
        {"registrant": "Northlight Federation\nContact: Ada Keeper, +47 5555 0142"},
        "“Ada Keeper” seems to be the only contact",
    ),
    # 9 wrong procedure, or no namespace needed
    (
        "9-8141-6.4.1-uuids",
        "purpose.need",
        COMMUNITY,
        {"syntax": "The NSS is a UUID in lower case. Nothing else is percent-encoded."},
        "urn:uuid: names already",
    ),
    (
        "9-8141-5.1-for-a-project",
        "purpose.temporary",
        COMMUNITY,
        {"purpose": FORMAL.purpose + "\n\nNames are needed for the duration of the project."},
        "for a limited time",
    ),
    (
        "9-8141-6.2-standard",
        "purpose.standard",
        COMMUNITY,
        {
            "purpose": FORMAL.purpose
            + "\n\nThe namespace will become part of an IETF standard for seed exchange."
        },
        "become part of a standard",
    ),
    # 10 equivalence missing
    (
        "10-8141-3.1-components",
        "equivalence.components",
        COMMUNITY,
        {"syntax": FORMAL.syntax + "\n\nNames that differ in the q-component are not equivalent."},
        "q-component",
    ),
    (
        "10-8141-3.1-wrong",
        "equivalence.decoding",
        COMMUNITY,
        {"syntax": FORMAL.syntax + "\n\nNames are equal if they match once decoded."},
        "decoded for comparison",
    ),
    # 11 uniqueness based on somebody else's changeable names
    (
        "11-8141-5.1-owner-of-a-domain",
        "assignment.borrowed",
        COMMUNITY,
        {
            "assignment": "The owner of a domain name assigns names that begin with it. They are"
            " unique, and never given to anything else."
        },
        "“domain name”",
    ),
    (
        "11-8141-5.1-company",
        "assignment.borrowed",
        COMMUNITY,
        {
            "syntax": FORMAL.syntax + "\n\nThe first part is the name of the manufacturer.",
        },
        "“name of the manufacturer”",
    ),
    # 12 what the NID suggests: see tests/selectors/test_nid_findings.py; here what blocks
    (
        "12-8141-5.1-country",
        "nid.country",
        COMMUNITY,
        {"nid": "no-seedbank", "examples": ()},
        "begins with “no-”",
    ),
    (
        "12-8141-5.1-experiment",
        "nid.experimental",
        COMMUNITY,
        {"nid": "x-seedbank", "examples": ()},
        "begins with “x-”",
    ),
    # 13 components misused
    (
        "13-8141-2.3.1-language",
        "syntax.r-component",
        COMMUNITY,
        {"syntax": FORMAL.syntax + "\n\nThe r-component specifies the language wanted."},
        "gives r-components a meaning",
    ),
    (
        "13-8141-2.3-forbidden",
        "syntax.components",
        COMMUNITY,
        {"syntax": FORMAL.syntax + "\n\nFragments and query strings are not allowed."},
        "seems to forbid components",
    ),
    # 14 empty or boilerplate security
    (
        "14-8141-6.4.4-boilerplate",
        "security.short",
        COMMUNITY,
        {
            "security_privacy": "This namespace does not introduce any security issues beyond"
            " those that are inherent in the use of URNs, which are well known and described in"
            " the documents that define them."
        },
        "only what every text says",
    ),
    (
        "14-8141-6.4.4-empty",
        "security.short",
        COMMUNITY,
        {"security_privacy": "None known."},
        "is very short",
    ),
    # 16 bookkeeping of revisions
    (
        "16-8141-6.2-vague",
        "revision.vague",
        REVISING,
        {"revision_information": "Some things changed."},
        "“Some things changed.”",
    ),
    (
        "16-8141-5.1-taken-back",
        "revision.invalidates",
        REVISING,
        {
            "revision_information": REVISION.revision_information
            + "\n\nExisting names with small numbers are withdrawn."
        },
        "lose their meaning",
    ),
    # 17 versions
    (
        "17-8141-5-the-newest",
        "assignment.latest",
        COMMUNITY,
        {"assignment": FORMAL.assignment + "\n\nA name always refers to the newest edition."},
        "one version today and another tomorrow",
    ),
    (
        "17-8141-5-the-latest",
        "assignment.latest",
        COMMUNITY,
        {
            "assignment": FORMAL.assignment
            + "\n\nA name always points to the latest edition of the catalogue."
        },
        "one version today and another tomorrow",
    ),
    # 18 non-ASCII
    (
        "18-8141-2.2-unicode",
        "syntax.unicode",
        COMMUNITY,
        {"syntax": "The name of the place in Unicode. Two names are the same if they are equal."},
        "characters beyond ASCII",
    ),
    (
        "18-8141-6.4.2-normalization",
        "syntax.normalization",
        COMMUNITY,
        {
            "syntax": "The name of the place in its local script, in UTF-8, percent-encoded. Two"
            " names are the same if they are equal."
        },
        "which normalization form",
    ),
    # 19 resolution
    (
        "19-8141-6.4.6-whether",
        "question.unanswered",
        COMMUNITY,
        {"resolution_intended": ""},
        "Is resolution intended?",
    ),
    (
        "19-8141-6.4.6-contradiction",
        "resolution.contradiction",
        COMMUNITY,
        {
            "resolution_intended": "no",
            "purpose": FORMAL.purpose + "\n\nThe names can be resolved by the public catalogue.",
        },
        "resolution is not intended, but another section says",
    ),
    # 20 interoperability
    (
        "20-8141-6.4.5-none-known",
        "question.unanswered",
        COMMUNITY,
        {"known_issues": ""},
        "Are any issues known?",
    ),
    (
        "20-8141-6.4.5-dash",
        "answer.not-applicable",
        COMMUNITY,
        {"interoperability": "N/A"},
        "“N/A”",
    ),
    # 21 documentation
    (
        "21-8141-A-on-request",
        "documentation.closed",
        COMMUNITY,
        {"documentation": "Accession manual, 2026, available from the federation upon request."},
        "not there for everybody",
    ),
    (
        "21-8141-6.3-fast-track",
        "documentation.specification",
        FAST_TRACK,
        {"documentation": "None."},
        "names no specification",
    ),
    # 22 benefit and openness
    (
        "22-8141-5.1-intranet",
        "purpose.closed-network",
        COMMUNITY,
        {"purpose": "Names identify seeds and are used solely within our intranet."},
        "closed network or one organization",
    ),
    (
        "22-8141-5.1-closed",
        "purpose.closed-network",
        COMMUNITY,
        {"purpose": "Names identify seeds for internal use, only on networks of the federation."},
        "closed network or one organization",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "context", "changes", "words"),
    [pytest.param(name, context, changes, words, id=kind)
     for kind, name, context, changes, words in KINDS],
)  # fmt: skip
def test_checks_find_what_reviewers_find(
    name: str, context: Context, changes: Mapping[str, object], words: str
) -> None:
    careful = REVISION if context is REVISING else FORMAL
    assert name not in {each.check for each in check(careful, context)} or context is FAST_TRACK

    found = [each for each in check(careful.replace(**changes), context) if each.check == name]

    assert any(words in each.message for each in found), [each.message for each in found]
    assert all(each.mend and each.source for each in found)


def test_each_kind_that_a_text_can_show_is_found_on_two_texts() -> None:
    kinds = [int(kind.split("-")[0]) for kind, *_ in KINDS]

    assert {kind: kinds.count(kind) >= 2 for kind in kinds} == {
        kind: True for kind in range(1, 23) if kind not in (2, 7, 15)
    }


MISREAD: list[tuple[str, str, dict[str, object]]] = [
    (
        "8515-2-cannot-is-a-denial",
        "assignment.reassigned",
        {
            "assignment": "Only the desk assigns names, in sequence. A name once given cannot be"
            " reassigned."
        },
    ),
    (
        "8515-2-experiments-within-a-namespace",
        "citation.experimental",
        {"assignment": FORMAL.assignment + "\n\nExperimental names follow RFC 6963."},
    ),
    (
        "8141-6.4.6-no-system-is-expected",
        "resolution.operator",
        {"resolution_intended": "no", "resolution_operator": ""},
    ),
    (
        "8141-2.3.1-passed-on",
        "syntax.r-component",
        {"resolution": FORMAL.resolution + "\n\nThe r-component is passed on to the resolver."},
    ),
    (
        "8458-1-history",
        "citation.obsolete",
        {"purpose": FORMAL.purpose + "\n\nURNs were originally defined in RFC 2141."},
    ),
    (
        "8458-5-pointer",
        "security.short",
        {"security_privacy": "See Section 7 of RFC 8458."},
    ),
    (
        "8458-4.2.1-later",
        "syntax.r-component",
        {
            "syntax": FORMAL.syntax + "\n\nServices based on r-components can be offered in the"
            " future when their meaning has been specified."
        },
    ),
    (
        "7207-4-no-support",
        "syntax.components",
        {
            "syntax": FORMAL.syntax + "\n\nThere is no support for query strings or for other"
            " parts behind a name."
        },
    ),
]


LEFT_IN_PEACE: list[tuple[str, str, str]] = [
    ("nid.unregistered", "purpose", "An ISBN such as urn:isbn:0451450523 names the book itself."),
    ("nid.unregistered", "syntax", "For tests there is urn:example:1, and urn:nid:nss in general."),
    ("prior-use.untold", "purpose", "No URN of this namespace has been in use before."),
    ("placeholder.left", "syntax", "Requests to be added to the list are sent to the desk."),
    ("placeholder.instruction", "syntax", "A name is urn:seedbank:<vault>/<number>."),
    ("citation.obsolete", "purpose", "RFC 2141 was replaced by RFC 8141."),
    ("purpose.need", "purpose", "Some records hold a UUID as well."),
    ("purpose.temporary", "purpose", "The names identify samples for field tests of breeders."),
    ("purpose.standard", "purpose", "The names are not part of an IETF standard."),
    ("assignment.borrowed", "assignment", "Codes are never taken from domain names."),
    ("assignment.borrowed", "syntax", "Codes are country codes as of 2020, whoever holds them."),
    ("assignment.latest", "assignment", "A name never points to the latest edition alone."),
    ("syntax.unicode", "syntax", "Names hold no Unicode characters beyond ASCII."),
    ("syntax.components", "syntax", "No special meaning is given to query strings."),
    ("resolution.contradiction", "purpose", "Names cannot be resolved by any public service."),
    ("documentation.closed", "documentation", "The manual is public and needs no request."),
    ("documentation.moving", "documentation", "https://github.com/nl/names/tree/v2.0/names.md"),
    ("grammar.prose-differs", "syntax", "The code and the number are separated by a slash."),
]


@pytest.mark.parametrize(
    ("name", "field", "text"),
    [pytest.param(*each, id=f"{each[0]}-{n}") for n, each in enumerate(LEFT_IN_PEACE)],
)
def test_sentence_that_only_sounds_like_a_fault_is_left_in_peace(
    name: str, field: str, text: str
) -> None:
    told = check(FORMAL.replace(**{field: f"{FORMAL[field]}\n\n{text}"}), COMMUNITY)

    assert name not in {each.check for each in told}


@pytest.mark.parametrize(
    ("name", "changes"),
    [pytest.param(name, changes, id=place) for place, name, changes in MISREAD],
)
def test_text_once_misread_has_no_finding(name: str, changes: dict[str, object]) -> None:
    assert name not in {each.check for each in check(FORMAL.replace(**changes), COMMUNITY)}


@pytest.mark.parametrize(
    ("sample", "context"),
    [(FORMAL, COMMUNITY), (INFORMAL, Context(path="informal", today=DAY)), (REVISION, REVISING)],
    ids=["formal", "informal", "revision"],
)
def test_nothing_at_all_is_found_in_careful_texts(sample: Template, context: Context) -> None:
    assert [each for each in check(sample, context) if each.severity is not Severity.NOTE] == []
    assert check(sample, context) == ()
