"""The questions experts ask about every text, from RFC 8141, sections 5 and 6.

Each is answered Yes, No or Unsure; a machine can answer none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto
from typing import Final


class QuestionScope(Flag):
    """Which requests a question is asked about."""

    FORMAL = auto()
    INFORMAL = auto()
    FAST_TRACK = auto()
    NEW = auto()
    REVISION = auto()

    ANY_PATH = FORMAL | INFORMAL | FAST_TRACK
    ANY_CHANGE = NEW | REVISION
    ALWAYS = ANY_PATH | ANY_CHANGE


NAMED_REQUESTS: Final = QuestionScope.FORMAL | QuestionScope.FAST_TRACK
"""Requests that name their NID, and must meet section 5.1's requirements of formal namespaces."""


@dataclass(frozen=True, slots=True)
class ChecklistQuestion:
    """One question: the template field, the section it comes from, and what Yes means."""

    slug: str
    field: str
    text: str
    section: str
    help: str
    asked: QuestionScope = QuestionScope.ALWAYS

    @property
    def source(self) -> str:
        """The reference to the RFC, as pages cite it."""
        return f"RFC 8141, section {self.section}"


QUESTIONS: Final[tuple[ChecklistQuestion, ...]] = (
    ChecklistQuestion(
        slug="identifier-claims-nothing",
        field="nid",
        text="Identifier claims nobody else's name",
        section="5.1",
        help="It does not read as a country, a URI scheme, an identifier system or a trademark of"
        " others. Disputes about a name are noted, not judged.",
        asked=NAMED_REQUESTS | QuestionScope.NEW,
    ),
    ChecklistQuestion(
        slug="organization-lasts",
        field="registrant",
        text="Organization can last, or has a successor",
        section="5.1, criterion 1",
        help="It can keep the namespace for a long time; else it is clear how the namespace goes"
        " on without it.",
        asked=NAMED_REQUESTS | QuestionScope.ANY_CHANGE,
    ),
    ChecklistQuestion(
        slug="holder-stands-behind",
        field="registrant",
        text="Holder of the namespace agrees",
        section="6.2",
        help="Nothing is published without the word of the holder, which this page shows. A local"
        " rule; the RFC leaves it to the registry.",
        asked=QuestionScope.ANY_PATH | QuestionScope.REVISION,
    ),
    ChecklistQuestion(
        slug="organization-competent",
        field="registrant",
        text="Organization knows how to assign names",
        section="5.1, criterion 2",
        help="What it says of assignment shows the competence that keeps conflicts away.",
        asked=NAMED_REQUESTS | QuestionScope.ANY_CHANGE,
    ),
    ChecklistQuestion(
        slug="purpose-resources",
        field="purpose",
        text="Says what the names name, and for whom",
        section="6.4.1, items 1 and 2",
        help="The kinds of resources, the community that uses them, and whether names are used in"
        " public or in private networks.",
    ),
    ChecklistQuestion(
        slug="purpose-benefit",
        field="purpose",
        text="Open to any Internet user",
        section="5.1",
        help="Some users of the Internet benefit, and anyone could use the names; nobody is forced"
        " into a closed network or service. A registry that charges fees can still be open.",
        asked=NAMED_REQUESTS | QuestionScope.ANY_CHANGE,
    ),
    ChecklistQuestion(
        slug="purpose-relations",
        field="purpose",
        text="Relation to other namespaces is told",
        section="6.4.1, item 4",
        help="How it complements existing namespaces, URI schemes and identifier systems outside"
        " URNs.",
    ),
    ChecklistQuestion(
        slug="syntax-agrees",
        field="syntax",
        text="Rule and prose agree",
        section="6.4.2, item 1",
        help="A developer can tell a right name from a wrong one, or reads that names are opaque;"
        " a formal rule says the same as the words.",
    ),
    ChecklistQuestion(
        slug="syntax-encoding",
        field="syntax",
        text="Special characters are provided for",
        section="6.4.2, items 2 and 4",
        help="Characters of the existing names that URNs reserve are listed, with how each is"
        " written.",
    ),
    ChecklistQuestion(
        slug="syntax-equivalence",
        field="syntax",
        text="Equivalence only widens RFC 8141",
        section="6.4.2, item 3",
        help="Its rules make more names the same, as case or hyphens that do not matter. They never"
        " tell names apart that RFC 8141 takes as the same.",
    ),
    ChecklistQuestion(
        slug="syntax-components",
        field="syntax",
        text="Meaning of q- and f-components is told, if any",
        section="6.4.2, item 5",
        help="Keywords or terms that mean something in this namespace are explained. Yes also"
        " where there are none.",
    ),
    ChecklistQuestion(
        slug="assignment-authority",
        field="assignment",
        text="Clear who assigns names",
        section="6.4.3, item 1",
        help="Open, closed or delegated; where it is limited, how to become an assigner or to ask"
        " for a name.",
    ),
    ChecklistQuestion(
        slug="assignment-unique",
        field="assignment",
        text="Assignment gives unique names",
        section="6.4.3, item 2",
        help="The process or algorithm cannot give one name to two resources, also where several"
        " authorities assign.",
    ),
    ChecklistQuestion(
        slug="assignment-lasting",
        field="assignment",
        text="Names never reassigned",
        section="5, constraint 1, and 5.1, criterion 3",
        help="A name stays valid, and with its resource, even when the member leaves or the"
        " resource is no more.",
    ),
    ChecklistQuestion(
        slug="security-described",
        field="security_privacy",
        text="Privacy and comparison risks described",
        section="6.4.4",
        help="What follows from names wrongly taken as the same or as different, what names leak,"
        " and whether they can be harvested.",
    ),
    ChecklistQuestion(
        slug="interoperability-clear",
        field="interoperability",
        text="No confusion with other identifiers",
        section="6.4.5",
        help="Known issues are named: confusion by syntax or overlap in scope. Concerns raised in"
        " this review are resolved, or told here.",
    ),
    ChecklistQuestion(
        slug="resolution-stated",
        field="resolution",
        text="Says whether names will be resolved",
        section="6.4.6",
        help="If so: who runs or recommends services, and how r-components are handled. “Not"
        " intended” is an answer.",
    ),
    ChecklistQuestion(
        slug="documentation-specification",
        field="documentation",
        text="Specification says the same",
        section="6.3, item 2",
        help="It reflects or points to the external standards, and does not contradict the"
        " template.",
        asked=QuestionScope.FAST_TRACK | QuestionScope.ANY_CHANGE,
    ),
    ChecklistQuestion(
        slug="documentation-stable",
        field="documentation",
        text="Specification is stable, or its want is explained",
        section="6.2",
        help="A stable specification is recommended, not required: it is the contract with those"
        " who use the names.",
        asked=QuestionScope.FORMAL | QuestionScope.ANY_CHANGE,
    ),
    ChecklistQuestion(
        slug="revision-differences",
        field="revision_information",
        text="Differences from the last version are told",
        section="6.2",
        help="Every difference is described, and changes of technology or management are noted."
        " Names assigned before stay valid.",
        asked=QuestionScope.ANY_PATH | QuestionScope.REVISION,
    ),
)

_BY_SLUG: Final = {each.slug: each for each in QUESTIONS}


def select_questions(path: QuestionScope, change: QuestionScope) -> tuple[ChecklistQuestion, ...]:
    """The questions for this path and change, in the order of the template."""
    return tuple(each for each in QUESTIONS if path in each.asked and change in each.asked)


def find_question(slug: str) -> ChecklistQuestion | None:
    """The question with that slug; None if the checklist no longer has it."""
    return _BY_SLUG.get(slug)
