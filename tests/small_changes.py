"""Changes of facts, as far along as a test needs them."""

from __future__ import annotations

from typing import Any, Final

from registry import workflow
from registry.enums import (
    ChangeKind,
    RequestPath,
    Role,
)
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors.holder_consent import explain_missing_consent
from registry.workflow import drafts
from tests.factories import UserFactory

ASKED: Final[dict[ChangeKind, dict[str, Any]]] = {
    ChangeKind.CONTACT: {"contact": "Identifier desk, urn@northlight.example"},
    ChangeKind.REFERENCE: {"references": ["Accession names, edition 2", "RFC 8141"]},
    ChangeKind.TRANSFER: {
        "contact": "Registry office, names@southlight.example",
        "succession": "Deed of 3 May 2026, https://southlight.example/deed",
    },
    ChangeKind.STATUS: {"status": "deprecated", "notice": "Use urn:accession instead."},
}
"""What each change asks for, where a test does not say otherwise."""


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
    """Bring a change of facts to the registrar."""
    sent = begin(namespace, change, author, organization, **facts)
    workflow.perform(sent, "submit", actor=author)
    return sent


def bring_holder_word(sent: RegistrationRequest) -> None:
    """Have a registrar verify the word of the holder, where it is missing and nobody is known."""
    if explain_missing_consent(sent):
        registrar = UserFactory.create(roles=[Role.REGISTRAR])
        workflow.perform(sent, "verify_holder", actor=registrar, comment="A letter of the holder.")
