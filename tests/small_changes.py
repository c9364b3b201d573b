"""Changes of facts, in the state that a test needs."""

from __future__ import annotations

from typing import Any, Final

from registry import workflow
from registry.enums import (
    ChangeKind,
    RequestPath,
    Role,
    State,
)
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.models.dates import Dates
from registry.permissions import SECOND_OFFICER_CHANGES
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent, list_second_officers
from registry.workflow import drafts
from tests.factories import UserFactory

ASKED: Final[dict[ChangeKind, dict[str, Any]]] = {
    ChangeKind.CONTACT: {"contact": "Identifier desk, urn@northlight.example"},
    ChangeKind.REFERENCE: {"references": ["Accession names, edition 2", "RFC 8141"]},
    ChangeKind.TRANSFER: {
        "contact": "Registry office, names@southlight.example",
        "succession": "Deed of 3 May 2026, https://southlight.example/deed",
    },
    ChangeKind.RENAME: {
        "registrant": "Northlight Genebank",
        "source": "Register of associations, 5 June 2026",
    },
    ChangeKind.STATUS: {
        "status": "deprecated",
        "notice": "Use urn:accession instead.",
        "replaced_by": "",
    },
}
"""What each change asks for by default."""


def begin(
    namespace: Namespace,
    change: ChangeKind,
    author: User,
    organization: Organization | None = None,
    **facts: Any,
) -> RegistrationRequest:
    """Write a change of facts; by default the registrant itself asks for it."""
    body = organization or namespace.registrant
    assert body is not None
    # What waits has tests of its own.
    Dates(waiting_days=0, long_waiting_days=0).save()
    begun = drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=body,
        summary=namespace.summary,
        namespace=namespace,
        change=change,
    )
    draft = begun.draft
    assert draft is not None
    drafts.save_draft_facts(draft, facts or ASKED[change], seen=draft.edition)
    return begun


def send(
    namespace: Namespace,
    change: ChangeKind,
    author: User,
    organization: Organization | None = None,
    **facts: Any,
) -> RegistrationRequest:
    """Submit a change of facts to the registrar."""
    sent = begin(namespace, change, author, organization, **facts)
    workflow.perform(sent, "submit", actor=author)
    return sent


def countersign(sent: RegistrationRequest) -> User:
    """Have another registrar confirm a change as second officer; return them."""
    officer = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    workflow.perform(sent, "countersign", actor=officer, comment="I read the deed.")
    return officer


def bring_second_officer(sent: RegistrationRequest) -> None:
    """Have a second officer confirm what no officer publishes alone."""
    is_waiting = sent.state == State.APPROVED and not list_second_officers(open_case(sent))
    if is_waiting and sent.change in SECOND_OFFICER_CHANGES:
        countersign(sent)


def record_consent(sent: RegistrationRequest, **data: Any) -> None:
    """Have two officers record the consent of a body for which nobody speaks, if it is missing."""
    if find_missing_consent(open_case(sent)):
        first, second = (UserFactory.create(roles=[Role.REGISTRAR]) for _each in range(2))
        words = "Letter of 3 May, signed; the archive has it under 2026/17."
        workflow.perform(
            sent, "record_evidence", actor=first, comment=words, about="consent", **data
        )
        if find_missing_consent(open_case(sent)):
            workflow.perform(sent, "countersign", actor=second, comment="I read it too.")
