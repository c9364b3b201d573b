"""A change of facts on its pages: the current facts next to the requested ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from registry import enums, selectors
from registry.enums import NamespaceStatus, State, VerbKind
from registry.models import Event, Namespace, RegistrationRequest, User
from registry.permissions import SECOND_OFFICER_CHANGES
from registry.presenters.editor import LocatedFinding, LocatedFindings
from registry.selectors.case import RequestCase, open_case
from registry.selectors.consent import Consent, list_consents, list_second_officers
from registry.selectors.events import list_latest_amendments
from registry.template import Page, SectionDiff, Template, compare
from registry.urn import Finding, Severity
from registry.workflow.drafts import read_stated_facts

FACT_LABELS: Final[dict[str, str | Promise]] = {
    "registrant": gettext_lazy("Registrant"),
    "contact": gettext_lazy("Contact"),
    "references": gettext_lazy("Documents of record"),
    "succession": gettext_lazy("Document of succession"),
    "source": gettext_lazy("Where the new name is recorded"),
    "status": gettext_lazy("Status"),
    "notice": gettext_lazy("Notice to readers"),
    "replaced_by": gettext_lazy("Replaced by"),
}


def describe_fact(name: str, value: object) -> str:
    """Return a fact as people read it; documents are one per line."""
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return (
        str(NamespaceStatus(value).label)
        if name == "status" and value in NamespaceStatus.values
        else str(value)
    )


@dataclass(frozen=True, slots=True)
class FactPair:
    """A fact that differs: its label, and its old and new value in words."""

    name: str
    label: str
    was: str
    now: str


def pair_facts(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[FactPair]:
    """Return the facts that differ, in the order of the page."""
    every = (
        FactPair(
            name,
            str(label),
            describe_fact(name, before.get(name, "")),
            describe_fact(name, after.get(name, "")),
        )
        for name, label in FACT_LABELS.items()
        if name in after
    )
    return [pair for pair in every if pair.was != pair.now]


def diff_fact_sections(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[SectionDiff, ...]:
    """Return the facts that differ, compared like sections of a text."""
    return tuple(
        SectionDiff(pair.name, pair.label, compare(pair.was, pair.now))
        for pair in pair_facts(before, after)
    )


@dataclass(frozen=True)
class RequestedFacts:
    """The facts that a change asks for, from a round or as typed, next to the current ones.

    Once the namespace was changed as requested, next to the previous ones.
    """

    registration_request: RegistrationRequest
    facts: Mapping[str, Any]

    @property
    def is_done(self) -> bool:
        """Whether the namespace was changed as requested."""
        return self.registration_request.state == State.REGISTERED

    @cached_property
    def before(self) -> Mapping[str, Any]:
        """The current facts; once they were changed, the previous ones."""
        if self.is_done:
            event = self.registration_request.events.get(
                verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION)
            )
            told: dict[str, Any] = event.data["before"]
            return told
        return read_stated_facts(self.registration_request)

    @cached_property
    def differences(self) -> tuple[SectionDiff, ...]:
        """The facts that would change, or did."""
        return diff_fact_sections(self.before, self.facts)

    @property
    def old(self) -> str:
        """The heading of the old values."""
        return _("Before") if self.is_done else _("Now")

    @property
    def new(self) -> str:
        """The heading of the new values."""
        return _("Since then") if self.is_done else _("As asked")

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The current findings of the checks, by the same code as always."""
        template = Template.blank()
        return selectors.list_findings(self.registration_request, template, facts=self.facts)

    @property
    def is_blocked(self) -> bool:
        """Whether a hard rule prevents it."""
        return any(finding.severity is Severity.BLOCK for finding in self.findings)

    @cached_property
    def backings(self) -> list[Consent]:
        """Who supports it, for each body that must agree."""
        return list_consents(open_case(self.registration_request))


@dataclass(frozen=True)
class Amendment(RequestedFacts):
    """A change of facts as the registrar sees it."""

    case: RequestCase

    @classmethod
    def of(cls, case: RequestCase) -> Amendment:
        """Return what the last round asks for."""
        last = case.last_round
        assert last is not None, "what the registrar sees was sent"
        return cls(case.request, last.facts, case)

    @cached_property
    def backings(self) -> list[Consent]:
        """Who consents to it, for each body that must."""
        return list_consents(self.case)

    @property
    def needs_second_officer(self) -> bool:
        """Whether one officer alone can never publish it."""
        return self.registration_request.change in SECOND_OFFICER_CHANGES

    @cached_property
    def second_officers(self) -> list[User]:
        """Who confirmed it as second officer."""
        return list_second_officers(self.case)


@dataclass(frozen=True, slots=True)
class FactField:
    """A fact as one of the pages on which something is typed: its name and label."""

    name: str
    label: str | Promise
    rows: int = 4


FACTS_PAGE: Final = Page("facts", "What shall change", ())
"""The one page for facts, compared with the editor's eleven."""


def locate_fact_findings(
    registration_request: RegistrationRequest, found: Iterable[Finding]
) -> LocatedFindings:
    """Return the findings on a change of facts."""
    url = reverse("requests:facts", args=[registration_request.slug])
    every = [LocatedFinding(finding, FACTS_PAGE, url) for finding in found]
    blocking = tuple(each for each in every if each.finding.severity is Severity.BLOCK)
    return LocatedFindings(blocking, (), tuple(each for each in every if each not in blocking))


@dataclass(frozen=True, slots=True)
class FactHistoryEntry:
    """One past change of facts, for the history of its namespace."""

    event: Event
    pairs: list[FactPair]


def list_fact_history(namespace: Namespace) -> list[FactHistoryEntry]:
    """Return the changes of facts of `namespace`, newest first."""
    return [
        FactHistoryEntry(event, pair_facts(event.data["before"], event.data["after"]))
        for event in list_latest_amendments().filter(namespace=namespace)
    ]
