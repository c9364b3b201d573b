"""The thirteen fields of the registration template, and the subfields stored next to them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Required(StrEnum):
    """When a field must be answered, and by whom."""

    ALWAYS = "always"
    REVISION = "revision"
    NEVER = "never"
    REGISTRY = "registry"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the template: its column, its label on paper, and how to fill it in.

    `section` is where RFC 8141 describes it; `guidance` is ours, one paragraph or question per
    item, of which the first is enough for people in a hurry; `rows` is the height of a text area, 1
    for a line. `choices` are the values a field can have, if it is not free text.
    """

    name: str
    label: str
    section: str
    guidance: tuple[str, ...]
    good_answer: str
    required: Required
    rows: int = 6
    choices: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The reference to the RFC, as findings and pages cite it."""
        place = self.section if self.section.startswith("Appendix") else f"section {self.section}"
        return f"RFC 8141, {place}"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the editor: its part of the address, its title, and its fields."""

    slug: str
    title: str
    fields: tuple[str, ...]


GRAMMAR_KIND_FIELD: Final = Field(
    name="grammar_kind",
    label="Kind of rule",
    section="6.4.2",
    guidance=(
        "Choose how the rule below is written.",
        "A rule is welcome and not demanded. Say that names are opaque if nobody should read"
        " anything into them, or that they follow an algorithm if a calculation makes them.",
    ),
    good_answer="ABNF",
    required=Required.NEVER,
    rows=1,
    choices=("", "abnf", "regex", "opaque", "algorithmic"),
)

GRAMMAR_FIELD: Final = Field(
    name="grammar",
    label="Rule a machine can check",
    section="6.4.2",
    guidance=(
        "Describe the part of a name that follows your identifier.",
        "With a rule on file, anyone can check names of your namespace here, and so can programs.",
        "The rule and the words above have to say the same.",
    ),
    good_answer='nss = vault "/" accession\nvault = 3ALPHA\naccession = 1*6DIGIT',
    required=Required.NEVER,
    rows=6,
)

GRAMMAR_START_FIELD: Final = Field(
    name="grammar_start",
    label="Rule that describes a name",
    section="6.4.2",
    guidance=(
        "Which of the rules above describes a whole name?",
        "Name it where it is not the first. A regular expression has no other.",
    ),
    good_answer="nss",
    required=Required.NEVER,
    rows=1,
)

EXAMPLES_FIELD: Final = Field(
    name="examples",
    label="Examples",
    section="6.4.2",
    guidance=(
        "Give at least two names that are right, one on each line.",
        "Write them in full, beginning with urn: and your identifier. Choose names that differ:"
        " the shortest, the longest, one with every part.",
        "In an informal namespace, write urn:urn-N: in front.",
    ),
    good_answer="urn:seedbank:NVF/42\nurn:seedbank:ISB/120455/B",
    required=Required.NEVER,
    rows=4,
)

COUNTER_EXAMPLES_FIELD: Final = Field(
    name="counter_examples",
    label="Counter-examples",
    section="6.4.2",
    guidance=(
        "Give at least one name that looks right and is wrong, one on each line.",
        "The mistakes people really make serve best: a missing part, a wrong separator.",
    ),
    good_answer="urn:seedbank:NVF-42",
    required=Required.NEVER,
    rows=3,
)

EQUIVALENCE_FIELD: Final = Field(
    name="equivalence",
    label="When are two names the same?",
    section="6.4.2",
    guidance=(
        "Your rules may treat more names as the same. They can never separate two names that RFC"
        " 8141 treats as the same (section 3.1).",
        "Once published, this decides which spellings count as the same name.",
        "Parts are the names of rules in your ABNF. Equivalent prefixes are written as “old: ="
        " new:”.",
    ),
    good_answer="Upper and lower case are the same in vault. Zeros before a number do not count.",
    required=Required.NEVER,
    rows=3,
)

PRIOR_USE_FIELD: Final = Field(
    name="prior_use",
    label="Prior use",
    section="6.4.1",
    guidance=(
        "Have such names been in use without being registered?",
        "Say since when, by whom and in how many places. Earlier use is no obstacle; hiding it"
        " may be.",
    ),
    good_answer=(
        "Three vaults have printed these names on labels since 2023, about 40,000 of them. All"
        " fit the rule above."
    ),
    required=Required.NEVER,
    rows=3,
)

KNOWN_ISSUES_FIELD: Final = Field(
    name="known_issues",
    label="Are any issues known?",
    section="6.4.5",
    guidance=(
        "Answer yes if names may be confused with others or fail in some programs.",
        "Otherwise answer none. Every registration has to say so.",
    ),
    good_answer="yes",
    required=Required.ALWAYS,
    rows=1,
    choices=("", "yes", "none"),
)

RESOLUTION_INTENDED_FIELD: Final = Field(
    name="resolution_intended",
    label="Is resolution intended?",
    section="6.4.6",
    guidance=(
        "Is it intended that names can be looked up? No is a perfectly good answer.",
        "Every registration has to say so. You can say that it is not decided yet.",
    ),
    good_answer="yes",
    required=Required.ALWAYS,
    rows=1,
    choices=("", "yes", "no", "undecided"),
)

RESOLUTION_OPERATOR_FIELD: Final = Field(
    name="resolution_operator",
    label="Who operates the service?",
    section="6.4.6",
    guidance=(
        "If resolution is intended, who runs the service, or whose service do you recommend?",
        "If nobody does yet, say so.",
    ),
    good_answer="The Nordic Vault Federation",
    required=Required.NEVER,
    rows=1,
)

SUBFIELDS: Final[dict[str, tuple[Field, ...]]] = {
    "syntax": (
        GRAMMAR_KIND_FIELD,
        GRAMMAR_FIELD,
        GRAMMAR_START_FIELD,
        EXAMPLES_FIELD,
        COUNTER_EXAMPLES_FIELD,
        EQUIVALENCE_FIELD,
        PRIOR_USE_FIELD,
    ),
    "interoperability": (KNOWN_ISSUES_FIELD,),
    "resolution": (RESOLUTION_INTENDED_FIELD, RESOLUTION_OPERATOR_FIELD),
}
"""What is stored next to the text of a section, by the name of the section."""


# Columns, forms, text, checks, comparison and API are all made from this one definition.

NID_FIELD: Final = Field(
    name="nid",
    label="Namespace Identifier",
    section="Appendix A",
    guidance=(
        "This is the word between the first two colons of every name you assign.",
        "For a formal namespace, choose 3 to 32 letters, digits and hyphens. Upper and lower case"
        " are the same. A short word that your community already uses is best; a word that many"
        " others could claim will be questioned.",
        "For an informal namespace, leave it as urn-N. The registry puts the next free number in"
        " its place when it publishes.",
    ),
    good_answer="seedbank",
    required=Required.ALWAYS,
    rows=1,
)

VERSION_FIELD: Final = Field(
    name="version",
    label="Version",
    section="Appendix A",
    guidance=(
        "The registry counts the versions.",
        "A new namespace becomes version 1, and every published revision adds one. Rounds of"
        " review are counted separately and do not change it.",
    ),
    good_answer="1",
    required=Required.REGISTRY,
    rows=1,
)

DATE_FIELD: Final = Field(
    name="date",
    label="Date",
    section="Appendix A",
    guidance=(
        "The registry enters the day on which you send the request.",
        "It is written year, month, day, and is set anew with each round you send.",
    ),
    good_answer="2026-03-14",
    required=Required.REGISTRY,
    rows=1,
)

REGISTRANT_FIELD: Final = Field(
    name="registrant",
    label="Registrant",
    section="Appendix A",
    guidance=(
        "Who is answerable for the namespace, and how can they be reached?",
        "Give the full name and the address of the organization, then a contact with an email "
        "address, a telephone number or a postal address. Names outlive jobs: a shared mailbox, "
        "such as urn@ your domain, keeps working when people move on.",
        "Say who would take over if the organization could no longer look after the namespace.",
        "On the fast track, also say what kind of standards body or scientific society you are,"
        " and where that is recognized.",
    ),
    good_answer=(
        "Nordic Vault Federation, Frostgata 12, 9170 Isby. Contact: identifier desk,"
        " urn@nvf.example, +47 5555 0142. If the federation is dissolved, its archive council"
        " keeps the list of names."
    ),
    required=Required.ALWAYS,
    rows=6,
)

PURPOSE_FIELD: Final = Field(
    name="purpose",
    label="Purpose",
    section="6.4.1",
    guidance=(
        "What do the names stand for, and who needs them?",
        "Name the kind of thing that gets a name, the community that will use it, and whether the"
        " names are used on public or private networks.",
        "What can people do with a lasting name that they cannot do today? Which programs will"
        " read it?",
        "Which existing namespaces, URI schemes or numbering systems come close, and why are they"
        " not enough?",
        "Is the namespace to become part of a standard, and can names be looked up anywhere?",
    ),
    good_answer=(
        "Names identify samples of seed kept in member vaults. Breeders, gene banks and journals"
        " cite them, so that a sample mentioned in an article can still be found after it has"
        " been moved to another vault."
    ),
    required=Required.ALWAYS,
    rows=12,
)

SYNTAX_FIELD: Final = Field(
    name="syntax",
    label="Syntax",
    section="6.4.2",
    guidance=(
        "Say how a name is built, in words a developer could work from.",
        "Give the parts and their order, what separates them, what is fixed and what varies. If"
        " the names are opaque, say so.",
        "Do your existing numbers hold characters that URNs reserve, such as ? # [ ] or a space?"
        " List them and say how each is written.",
        "When are two names the same? You may say that more names are the same than RFC 8141"
        " does, for example whatever the case of letters, but never fewer.",
        "If anything after ?+, ?= or # has a meaning for your names, describe it. Otherwise it"
        " has none.",
    ),
    good_answer=(
        "A name is the three-letter code of the vault, a slash, and the accession number, one to"
        " six digits without leading zeros. Vault codes may be written in either case and mean"
        " the same."
    ),
    required=Required.ALWAYS,
    rows=10,
)

ASSIGNMENT_FIELD: Final = Field(
    name="assignment",
    label="Assignment",
    section="6.4.3",
    guidance=(
        "Who gives out names, and how is each kept to one thing for ever?",
        "Is assignment open to everyone, closed, or limited to some? If limited, how does"
        " somebody become an assigner, or ask one for a name?",
        "What keeps the same name from being given twice: one list, a number range for each"
        " assigner, an algorithm?",
        "State that a name once given is never given to anything else, even after the thing is"
        " gone. Be careful with names built on something that changes hands, such as a domain"
        " name.",
    ),
    good_answer=(
        "Only member vaults assign names. A vault applies to the federation for a code; the vault"
        " then numbers its accessions in sequence. Neither codes nor numbers are used again."
    ),
    required=Required.ALWAYS,
    rows=10,
)

SECURITY_PRIVACY_FIELD: Final = Field(
    name="security_privacy",
    label="Security and Privacy",
    section="6.4.4",
    guidance=(
        "What could go wrong when names are given out, compared, sent around or looked up?",
        "What happens if two different names are taken for one, or one name in two spellings for"
        " two?",
        "Does a name reveal anything about a person, a place or a business? Could somebody guess"
        " names one after the other and so collect a whole directory?",
        "Could a name be made to look like one of yours? How would a reader tell?",
        "If you looked and found nothing, say what you considered.",
    ),
    good_answer=(
        "Numbers run in sequence and can be guessed, so the whole list can be collected. It is"
        " published anyway. A name says which vault holds a sample, never who gave it."
    ),
    required=Required.ALWAYS,
    rows=10,
)

INTEROPERABILITY_FIELD: Final = Field(
    name="interoperability",
    label="Interoperability",
    section="6.4.5",
    guidance=(
        "Where might your names be mixed up with others, or fail in other people's programs?",
        "Do the names look like those of another namespace, scheme or numbering system? Do two"
        " systems name the same things?",
        "Do some programs change the names, for example by encoding a character or lowering the"
        " case? What should they do?",
        "If no problem is known, say where you looked.",
    ),
    good_answer=(
        "Some vaults print the number with a space after the code. The space is never part of the"
        " name. No confusion with other namespaces is known; the list of registered identifiers"
        " was compared in March 2026."
    ),
    required=Required.ALWAYS,
    rows=8,
)

RESOLUTION_FIELD: Final = Field(
    name="resolution",
    label="Resolution",
    section="6.4.6",
    guidance=(
        "What does somebody get who looks up a name, and why, or why can nobody?",
        "If names can be looked up, say what the service gives back: the thing itself, a"
        " description, a list of places?",
        "If others may run public services for your names, what must they do to be listed?",
        "If a part after ?+ is to be passed to the service, say how.",
    ),
    good_answer=(
        "Resolution is intended. The federation runs a service that answers a name with a"
        " description of the sample. Members may run their own; none is required."
    ),
    required=Required.ALWAYS,
    rows=8,
)

DOCUMENTATION_FIELD: Final = Field(
    name="documentation",
    label="Documentation",
    section="Appendix A",
    guidance=(
        "Point to a stable document that says more about the namespace.",
        "Give title, publisher, date and an address where it will stay. A page that is rewritten"
        " from time to time is not stable; a dated edition of it is.",
        "If there is no such document, write none and the reason. On the fast track a"
        " specification is required.",
    ),
    good_answer=(
        "Nordic Vault Federation, Accession numbers, second edition, January 2026,"
        " https://nvf.example/documents/accession-numbers-2"
    ),
    required=Required.ALWAYS,
    rows=4,
)

ADDITIONAL_INFORMATION_FIELD: Final = Field(
    name="additional_information",
    label="Additional Information",
    section="6.4.7",
    guidance=(
        "Is there anything else that helps to understand this namespace?",
        "A comparison with namespaces that seem to overlap fits here. Leave it empty if there is"
        " nothing to add.",
    ),
    good_answer=(
        "Herbarium sheets have names of their own; a sheet and the seed taken from it have"
        " different names."
    ),
    required=Required.NEVER,
    rows=4,
)

REVISION_INFORMATION_FIELD: Final = Field(
    name="revision_information",
    label="Revision Information",
    section="6.2",
    guidance=(
        "What is different from the version before, and why?",
        "Go through the sections that changed, one sentence each. Mention changes of technology"
        " or of the way names are managed.",
        "Say that names assigned under earlier versions stay valid.",
    ),
    good_answer=(
        "Syntax now allows a letter for duplicates. Assignment has moved from the secretariat to"
        " the vaults. All earlier names stay valid."
    ),
    required=Required.REVISION,
    rows=6,
)

FIELDS: Final[tuple[Field, ...]] = (
    NID_FIELD,
    VERSION_FIELD,
    DATE_FIELD,
    REGISTRANT_FIELD,
    PURPOSE_FIELD,
    SYNTAX_FIELD,
    ASSIGNMENT_FIELD,
    SECURITY_PRIVACY_FIELD,
    INTEROPERABILITY_FIELD,
    RESOLUTION_FIELD,
    DOCUMENTATION_FIELD,
    ADDITIONAL_INFORMATION_FIELD,
    REVISION_INFORMATION_FIELD,
)

_BY_NAME: Final = {
    one.name: one for each in FIELDS for one in (each, *SUBFIELDS.get(each.name, ()))
}
ORDER: Final[tuple[str, ...]] = tuple(_BY_NAME)
"""Every name in reading order: subfields follow their section."""


def field(name: str) -> Field:
    """The definition of a field or subfield; KeyError for another name."""
    return _BY_NAME[name]
