"""A change of facts as its pages show it: what the registry says, beside what it shall say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from registry import queries
from registry.choices import State, Status
from registry.models import Event, Namespace, RegistrationRequest
from registry.pages.surroundings import Located
from registry.queries import Prepared
from registry.queries.holder import Backing
from registry.template import Page, SectionDiff, Template, compare
from registry.urn import Finding, Severity
from registry.workflow.facts import backings, missing_proof, stated

LABELS: Final[dict[str, str | Promise]] = {
    "registrant": gettext_lazy("Registrant"),
    "contact": gettext_lazy("Contact"),
    "references": gettext_lazy("Documents of record"),
    "succession": gettext_lazy("Document of succession"),
    "status": gettext_lazy("Status"),
    "notice": gettext_lazy("Notice to readers"),
}


def in_words(name: str, value: object) -> str:
    """Return a fact as people read it; documents stand one in a line."""
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return str(Status(value).label) if name == "status" and value in Status.values else str(value)


@dataclass(frozen=True, slots=True)
class Pair:
    """A fact that differs: how it is called, what it was and what it is, in words."""

    name: str
    label: str
    was: str
    now: str


def pairs(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Pair]:
    """Return the facts that differ, in the order of the page."""
    every = (
        Pair(
            name,
            str(label),
            in_words(name, before.get(name, "")),
            in_words(name, after.get(name, "")),
        )
        for name, label in LABELS.items()
        if name in after
    )
    return [pair for pair in every if pair.was != pair.now]


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[SectionDiff, ...]:
    """Return the facts that differ, compared as sections of a text are."""
    return tuple(
        SectionDiff(pair.name, pair.label, compare(pair.was, pair.now))
        for pair in pairs(before, after)
    )


@dataclass(frozen=True)
class Asked:
    """The facts that a change asks for, of a round or as they are typed, beside what holds.

    Once the namespace was changed as asked, beside what held until then.
    """

    registration_request: RegistrationRequest
    facts: Mapping[str, Any]

    @property
    def namespace(self) -> Namespace:
        """The namespace that it is about."""
        namespace = self.registration_request.namespace
        assert namespace is not None, "a database constraint has every change name its namespace"
        return namespace

    @property
    def is_done(self) -> bool:
        """Whether the namespace was changed as asked."""
        return self.registration_request.state == State.REGISTERED

    @cached_property
    def before(self) -> Mapping[str, Any]:
        """What the registry says now; once it was changed, what it said before."""
        if self.is_done:
            event = self.registration_request.events.get(verb="register")
            told: dict[str, Any] = event.data["before"]
            return told
        return stated(self.namespace, self.registration_request.change)

    @cached_property
    def differences(self) -> tuple[SectionDiff, ...]:
        """The facts that would change, or did."""
        return differences(self.before, self.facts)

    @property
    def old(self) -> str:
        """What stands on the one side, in a word or two."""
        return _("Before") if self.is_done else _("Now")

    @property
    def new(self) -> str:
        """What stands on the other side."""
        return _("Since then") if self.is_done else _("As asked")

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What the checks say of it now, by the same code as ever."""
        template = Template.blank()
        return queries.findings(self.registration_request, template, facts=self.facts)

    @property
    def is_blocked(self) -> bool:
        """Whether a hard rule stands in the way."""
        return any(finding.severity is Severity.BLOCK for finding in self.findings)

    @cached_property
    def backings(self) -> list[Backing]:
        """Who stands behind it, for each body that has to agree."""
        return backings(self.registration_request)


@dataclass(frozen=True)
class Amendment(Asked):
    """A change of facts before the registrar."""

    @classmethod
    def of(cls, registration_request: RegistrationRequest) -> Amendment:
        """Return what the last round asks for."""
        last = registration_request.rounds.sent().latest("number")
        return cls(registration_request, last.facts)

    @cached_property
    def missing(self) -> str:
        """What proof the registry did not find of who takes over, nothing where it found enough."""
        return missing_proof(self.registration_request, "")

    @property
    def asked(self) -> str:
        """What has to be typed to confirm."""
        return self.namespace.nid


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as one of the pages on which something is typed: its name and how it is called."""

    name: str
    label: str | Promise
    rows: int = 4


WRITING: Final = Page("facts", "What shall change", ())
"""The one page on which facts are written, where those of the editor are eleven."""


def located(
    registration_request: RegistrationRequest, found: Iterable[Finding]
) -> tuple[list[Located], list[Located]]:
    """Return the findings on a change of facts: those that block, and those to consider."""
    url = reverse("requests:facts", args=[registration_request.slug])
    every = [Located(finding, WRITING, url) for finding in found]
    blocking = [each for each in every if each.finding.severity is Severity.BLOCK]
    return blocking, [each for each in every if each not in blocking]


@dataclass(frozen=True, slots=True)
class Changed:
    """One change of facts that was made, for the history of its namespace."""

    event: Event
    pairs: list[Pair]


def latest_amendments() -> QuerySet[Event]:
    """Return the changes of facts of all namespaces, the last one first."""
    amended = Event.objects.filter(verb="register", data__has_key="after")
    return amended.select_related("registration_request", "namespace").order_by("-number")


HISTORY: Final = Prepared(lambda key: latest_amendments().filter(namespace_id=key))


def history(namespace: Namespace) -> list[Changed]:
    """Return the changes of facts of `namespace`, the last one first."""
    return [
        Changed(event, pairs(event.data["before"], event.data["after"]))
        for event in HISTORY(namespace.pk)
    ]
