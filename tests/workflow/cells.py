"""Who may take which step, from where and to where: our expectations, written by hand.

They are compared with `registry.workflow.transitions`, and take nothing from it: states and verbs
are in the words of docs/process.md. A person is described by their role in the registry, their
stake in the request, and their standing as an expert on it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

STATES: Final = (
    "draft in_review changes_requested approved reported advisory declined appealed "
    "registered withdrawn refused expired"
)
ENDS: Final = "registered withdrawn refused expired"

NO_ROLE, EXPERT, LEAD, REGISTRAR, BODY, ADMINISTRATOR = (
    "no role",
    "designated expert",
    "lead expert",
    "registrar",
    "standards body",
    "administrator",
)
NEUTRAL: Final = ""
STAKES: Final = ("author", "delegate", "co-editor", "former co-editor", "colleague")
"""What makes somebody party to a request: nobody judges their own, whatever their role."""
NOT_ON_IT, UNDECLARED, DECLARED, RECUSED, CONFLICT = (
    "",
    "undeclared",
    "declared",
    "recused",
    "conflict",
)


@dataclass(frozen=True, slots=True)
class Somebody:
    """One kind of person before one request."""

    role: str
    stake: str = NEUTRAL
    standing: str = NOT_ON_IT

    def __str__(self) -> str:
        return ", ".join(word for word in (self.role, self.stake, self.standing) if word)


ANONYMOUS: Final = Somebody("anonymous")
UNCONFIRMED: Final = Somebody("unconfirmed")
SWITCHED_OFF: Final = Somebody("switched off", "author", DECLARED)
CLOCK: Final = Somebody("clock")

EXPERTS: Final = (EXPERT, LEAD)
ROLES: Final = (NO_ROLE, *EXPERTS, REGISTRAR, BODY, ADMINISTRATOR)
EVERYBODY: Final = frozenset(
    {
        *(Somebody(role, stake) for role in ROLES for stake in (NEUTRAL, *STAKES)),
        *(
            Somebody(role, NEUTRAL, standing)
            for role in EXPERTS
            for standing in (UNDECLARED, DECLARED, RECUSED, CONFLICT)
        ),
        # People who came to the request first, and got a stake in it later.
        *(Somebody(role, stake, DECLARED) for role in EXPERTS for stake in STAKES),
        ANONYMOUS,
        UNCONFIRMED,
        SWITCHED_OFF,
        CLOCK,
    }
)
OUTSIDE: Final = frozenset({ANONYMOUS, UNCONFIRMED, SWITCHED_OFF, CLOCK})
"""People without a usable account; everyone else has one."""


def those(
    *roles: str,
    stakes: Collection[str] = (NEUTRAL,),
    standings: Collection[str] = (NOT_ON_IT, UNDECLARED, DECLARED, RECUSED, CONFLICT),
) -> frozenset[Somebody]:
    """Return everyone with a usable account to whom all of this applies."""
    return frozenset(
        each
        for each in EVERYBODY - OUTSIDE
        if each.role in (roles or ROLES) and each.stake in stakes and each.standing in standings
    )


ANY_STAKE: Final = (NEUTRAL, *STAKES)
AUTHORS: Final = those(stakes=("author",))
REGISTRANTS: Final = those(stakes=("author", "delegate"))
NEWCOMERS: Final = those(*EXPERTS, standings=(NOT_ON_IT,))
JUDGES: Final = those(*EXPERTS, standings=(UNDECLARED, DECLARED))
MAY_STEP_BACK: Final = those(*EXPERTS, stakes=ANY_STAKE) - those(*EXPERTS, standings=(RECUSED,))
LEADS: Final = those(LEAD) - those(LEAD, standings=(CONFLICT,))
REGISTRARS: Final = those(REGISTRAR)
STANDARDS_BODY: Final = those(BODY)
ANYONE_AFFECTED: Final = those(stakes=ANY_STAKE) - those(BODY, stakes=ANY_STAKE)
SPEAKERS: Final = REGISTRANTS
"""Here the author speaks for the body, as its delegates do."""
THE_CLOCK: Final = frozenset({CLOCK})
NOBODY: Final[frozenset[Somebody]] = frozenset()
"""A new namespace has no holder and needs no second officer: `tests.workflow.test_holder` covers
who verifies a holder's consent, `tests.workflow.test_objections` who objects, and
`tests.workflow.test_second_officer` who confirms a change.
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """To whom a verb is available in each state, and where it leads (default: the same)."""

    by: Mapping[str, frozenset[Somebody]]
    targets: frozenset[str]

    def __or__(self, other: Cell) -> Cell:
        """Return the cell of a verb that other people take in other states."""
        return Cell({**self.by, **other.by}, self.targets | other.targets)


def cell(sources: str, targets: str, by: frozenset[Somebody]) -> Cell:
    """Return the cell described by these words."""
    return Cell(dict.fromkeys(sources.split(), by), frozenset(targets.split()))


WITH_EXPERTS: Final = "in_review reported advisory"
WRITTEN: Final = "draft changes_requested declined"
LIVE: Final = " ".join(sorted(set(STATES.split()) - set(ENDS.split())))
SENT: Final = LIVE.replace("draft ", "")

CELLS: Final = {
    "submit": cell(f"{WRITTEN} appealed advisory", "in_review advisory approved", REGISTRANTS),
    # Here experts are free to judge; `tests.workflow.test_temporary_experts` covers having none.
    "assign": cell(WITH_EXPERTS, "in_review same", NEWCOMERS | LEADS | THE_CLOCK),
    "recuse": cell(f"{WITH_EXPERTS} approved", "in_review same", MAY_STEP_BACK | LEADS),
    "extend": cell("in_review", "same", LEADS),  # And of a stay: `tests.workflow.test_appeals`.
    # What is approved goes back only if something prevents registration.
    "request_changes": cell("in_review", "changes_requested", JUDGES | LEADS)
    | cell("reported", "changes_requested", STANDARDS_BODY),
    "approve": cell("in_review", "approved", JUDGES),
    "report": cell("in_review", "reported", JUDGES),
    "decline": cell("in_review", "declined", JUDGES) | cell("reported", "refused", STANDARDS_BODY),
    "direct": cell("reported", "approved", STANDARDS_BODY),
    "complete": cell("advisory", "approved", REGISTRANTS),
    # Only the body of the fast track is known here. Each of those who speak for it can consent.
    "consent": cell("advisory", "same", SPEAKERS),
    "record_evidence": cell("in_review reported advisory", "same", REGISTRARS)
    | cell("approved", "same", REGISTRARS | STANDARDS_BODY),
    "countersign": cell("in_review reported advisory approved", "same", NOBODY),
    "object": cell("advisory", "same", SPEAKERS),
    # Nobody has decided here; `tests.workflow.test_reconsidering` covers who has.
    "reconsider": cell("", "same", NOBODY),
    # The standards body registers what has waited for 30 days.
    "register": cell("approved", "registered", REGISTRARS | STANDARDS_BODY),
    "reroute": cell(
        "draft in_review changes_requested reported advisory",
        "in_review advisory same",
        REGISTRANTS | LEADS,
    ),
    "overtake": cell(
        f"{WITH_EXPERTS} changes_requested approved appealed declined",
        "changes_requested same",
        THE_CLOCK,
    ),
    "withdraw": cell(LIVE, "withdrawn", REGISTRANTS),
    "expire": cell(f"{WRITTEN} advisory in_review", "expired", THE_CLOCK),
    "appeal": cell("declined refused approved registered", "appealed same", ANYONE_AFFECTED),
    "decide_appeal": cell("appealed", "in_review declined approved", STANDARDS_BODY),
    "reopen": cell("withdrawn expired refused", "same", REGISTRANTS),
}


def expected(somebody: Somebody, state: str) -> set[str]:
    """Return the verbs that `somebody` may take in `state`."""
    return {verb for verb, each in CELLS.items() if somebody in each.by.get(state, NOBODY)}
