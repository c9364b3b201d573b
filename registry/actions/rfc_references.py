"""References that a published RFC changes: entered by the registrar, in effect after a delay."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from registry import enums, permissions
from registry.enums import ChangeKind, RequestPath, State, VerbKind
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors import holder_consent
from registry.workflow import drafts, perform
from registry.workflow.step import ActionRefused

REGISTRY_BODY_NAME: Final = "URN Namespace Registry"
"""The name it is entered in if nobody knows who holds the namespace."""


def enter_rfc_reference(
    namespace: Namespace, references: Sequence[str], rfc: str, section: str, *, actor: User
) -> RegistrationRequest:
    """Enter that a published RFC changes the documents of record; return the resulting request.

    The holder is notified at once; it is published later, unless the holder objects.
    """
    if not permissions.is_registrar(actor):
        raise ActionRefused(
            _("Only the registrar can enter what an RFC changes."), code="not_registrar"
        )
    if list(references) == list(namespace.references):
        raise ActionRefused(_("These are already the documents of record."), code="unchanged")
    with transaction.atomic():
        begun = drafts.start_request(
            author=actor,
            path=RequestPath.COMMUNITY,
            organization=namespace.registrant or Organization.objects.named(REGISTRY_BODY_NAME),
            summary=namespace.summary or namespace.nid,
            namespace=namespace,
            change=ChangeKind.REFERENCE,
        )
        draft = begun.draft
        assert draft is not None, "a request starts with a draft"
        drafts.save_draft_facts(draft, {"references": list(references)}, seen=draft.edition)
        perform(begun, "submit", actor=actor)
        perform(begun, "cite_rfc", actor=actor, rfc=rfc, section=section)
    return begun


def tick_references(now: datetime.datetime) -> Counter[str]:
    """Publish references changed by RFCs, once the holder has had time to object."""
    cited = RegistrationRequest.objects.filter(
        state=State.APPROVED,
        change=ChangeKind.REFERENCE,
        events__verb__in=enums.list_verbs_of_kind(VerbKind.RFC_CITATION),
    ).distinct()
    done: Counter[str] = Counter()
    for registration_request in cited.order_by("pk"):
        if not is_reference_ripe(registration_request):
            continue
        perform(registration_request, "register", actor=permissions.CLOCK)
        done["register"] += 1
    return done


def is_reference_ripe(registration_request: RegistrationRequest) -> bool:
    """Whether the last round is based on an RFC and no objection of the holder prevents it."""
    last = registration_request.last_round
    if last is None or holder_consent.find_missing_consent(registration_request):
        return False
    cited = holder_consent.round_events(last).filter(
        verb__in=enums.list_verbs_of_kind(VerbKind.RFC_CITATION)
    )
    return cited.exists()
