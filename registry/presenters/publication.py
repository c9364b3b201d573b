"""What registering a request would publish: the entry, its place in the list, and the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import selectors
from registry.enums import VerbKind
from registry.forms.fields import MAX_REFERENCE_LENGTH
from registry.journal.event_messages import EventMessage as Told, describe_events
from registry.models import Namespace, RegistrationRequest, Round
from registry.selectors.case import RequestCase
from registry.selectors.consent import Consent, list_consents
from registry.selectors.imported_records import find_text_in_force
from registry.selectors.nids import find_neighbouring_namespaces
from registry.selectors.publication import (
    awaits_informal_number,
    explain_unknown_version,
    preview_published_text,
)
from registry.template import SectionDiff, Template, diff, write
from registry.urn import Finding, Severity, nid as nids

GENERAL_RFCS: Final = frozenset(
    "1737 2119 2141 2234 2276 2396 2483 2611 2648 3339 3406 3552 3629 3986 3987 4234 5198 5226 5234"
    " 5890 5891 5892 6963 6973 7254 7405 8126 8141 8174 8254 9562".split()
)
"""RFCs that texts cite for terms and grammar; none is a namespace's document of record."""

RFC_CITATION_PATTERN: Final = re.compile(r"\bRFC[ -]?([1-9][0-9]{0,4})\b")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One line of the list of namespaces, current or future."""

    nid: str
    summary: str
    references: str
    version: str
    date: str
    is_new: bool = False


@dataclass(frozen=True)
class EntryPreview:
    """The entry that registering `registration_request` would create now."""

    case: RequestCase
    round: Round
    expected: Template

    @classmethod
    def of(cls, case: RequestCase) -> EntryPreview:
        """Return the entry, with the next informal number, which is not taken yet."""
        last = case.last_round
        assert last is not None, "only what was sent is published"
        return cls(case, last, preview_published_text(case))

    @property
    def registration_request(self) -> RegistrationRequest:
        """The request."""
        return self.case.request

    @property
    def awaits_number(self) -> bool:
        """Whether the registry assigns the identifier during publication."""
        return awaits_informal_number(self.registration_request)

    @cached_property
    def unknown_version(self) -> str:
        """Why the registrar must give the last version, empty if it is known."""
        return explain_unknown_version(self.registration_request.namespace)

    @cached_property
    def next_version(self) -> int | None:
        """The version that would be published, None if the last one is not known."""
        namespace = self.registration_request.namespace
        return namespace.next_version if namespace else 1

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings on the text as it would be published, by the same code as always."""
        return selectors.list_findings(self.registration_request, self.expected, publishing=True)

    @property
    def is_blocked(self) -> bool:
        """Whether a hard rule prevents it."""
        return any(finding.severity is Severity.BLOCK for finding in self.findings)

    @property
    def passed(self) -> list[str]:
        """What is in order, in sentences."""
        sentences = []
        if not any(finding.section == "nid" for finding in self.findings):
            sentences.append(_("The identifier follows RFC 8141, section 5"))
        if not self.is_blocked:
            sentences.append(_("Every required section is filled in"))
        if self.next_version and not self.unknown_version:
            sentences.append(_("It becomes version %(version)d") % {"version": self.next_version})
        if not settings.REGISTRY_LIST_ADDRESS:
            sentences.append(_("This registry has no discussion list that gets the text first"))
        return sentences

    @property
    def text(self) -> str:
        """The whole text as it would be published."""
        return write(self.expected)

    @cached_property
    def changes(self) -> tuple[SectionDiff, ...]:
        """The differences from the previous version, or the number's places in an informal text."""
        namespace = self.registration_request.namespace
        if namespace and (before := find_text_in_force(namespace)):
            return diff(before, self.expected)
        if self.awaits_number:
            sent = self.round.template.replace(version=self.expected.version)
            return diff(sent, self.expected)
        return ()

    @property
    def decisions(self) -> list[Told]:
        """The decisions that brought this text to the registrar."""
        return describe_events(
            event
            for event in self.registration_request.events.of_kind(VerbKind.FAVOURABLE)
            if event.data.get("sha256") == self.round.sha256
        )

    @property
    def backings(self) -> list[Consent]:
        """Who consents to it, for each body that must."""
        return list_consents(self.case)

    def references(self) -> list[str]:
        """Return the documents of record to start with.

        Those that the namespace has, then RFCs that Documentation names, except those that any
        namespace may cite; else its lines with a web address; else the registrant.
        """
        namespace = self.registration_request.namespace
        held = namespace.references if namespace else []
        named = (
            f"RFC {number}"
            for number in RFC_CITATION_PATTERN.findall(self.expected.documentation)
            if number not in GENERAL_RFCS
        )
        lines = map(str.strip, self.expected.documentation.splitlines())
        return (
            list(dict.fromkeys([*held, *named]))
            or [line for line in lines if "://" in line and len(line) <= MAX_REFERENCE_LENGTH]
            or [self.registration_request.organization.name]
        )

    def lines(self, references: Iterable[str]) -> list[EntryLine]:
        """Return the future line, between those before and after it."""
        new = EntryLine(
            nids.canonical(self.expected.nid),
            self.registration_request.summary,
            ", ".join(references),
            self.expected.version,
            timezone.localdate().isoformat(),
            is_new=True,
        )
        before, after = find_neighbouring_namespaces(new.nid)
        return [*map(build_entry_line, before), new, *map(build_entry_line, after)]


def build_entry_line(namespace: Namespace) -> EntryLine:
    """Return the line of a namespace from `namespaces_for_lists`."""
    version = vars(namespace)["version"] or namespace.last_known_version
    return EntryLine(
        namespace.nid,
        namespace.summary,
        ", ".join(namespace.references),
        str(version),
        namespace.registered_on,
    )
