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
from registry.selectors.holder_consent import explain_missing_consent
from registry.selectors.second_officer import list_second_officers, needs_second_officer
from registry.workflow import drafts, holder_words
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
    confirm_words(sent)
    return sent


def countersign(sent: RegistrationRequest) -> User:
    """Have another registrar confirm a change as second officer; return them."""
    officer = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    workflow.perform(sent, "countersign", actor=officer, comment="I read the deed.")
    return officer


def bring_second_officer(sent: RegistrationRequest) -> None:
    """Have a second officer confirm what no officer publishes alone."""
    is_waiting = sent.state == State.APPROVED and not list_second_officers(sent)
    if is_waiting and needs_second_officer(sent):
        countersign(sent)


def confirm_words(sent: RegistrationRequest) -> None:
    """Have the person who consented to a transfer or a status enter the code from their letter."""
    for confirmation in sent.word_confirmations.filter(confirmed_at=None):
        holder_words.confirm_word(sent, confirmation.person, confirmation.code)


def bring_holder_word(sent: RegistrationRequest) -> None:
    """Have a registrar verify the holder's consent, if it is missing and nobody is known."""
    if explain_missing_consent(sent):
        registrar = UserFactory.create(roles=[Role.REGISTRAR])
        workflow.perform(sent, "verify_holder", actor=registrar, comment="A letter of the holder.")
