"""What the registrar records about a namespace besides its versions: IANA's reference, disputes."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import DisputeKind
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Dispute, Namespace, User
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange


def set_iana_reference(namespace: Namespace, reference: str, *, actor: User, seen: str) -> None:
    """Enter IANA's identifier of the namespace, replacing `seen`; doing it twice counts once."""
    with transaction.atomic():
        found = Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
        refuse_other_keepers(actor)
        if found.iana_reference == reference:
            return
        if found.iana_reference != seen:
            raise ConcurrentChange(
                _("Somebody entered “%(reference)s” meanwhile.")
                % {"reference": found.iana_reference or "—"}
            )
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        found.iana_reference = reference
        found.save(update_fields=["iana_reference", "updated_at"])
        data = {
            "nid": found.nid,
            "iana_reference": reference,
            "before": {"iana_reference": seen},
        }
        record_event(found, actor=actor, verb="set_iana_reference", data=data, rows=rows)


def record_dispute(
    namespace: Namespace,
    *,
    actor: User,
    kind: DisputeKind,
    parties: str,
    text: str,
    source: str,
) -> Dispute:
    """Record a dispute or an agreement about a namespace; the same twice counts once.

    It blocks nothing: ownership is not judged here (RFC 8141, section 5.1).
    """
    said = {
        "kind": kind,
        "parties": parties.strip(),
        "text": text.strip(),
        "source": source.strip(),
    }
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        refuse_other_keepers(actor)
        if recorded := namespace.disputes.filter(ended_at=None, **said).first():
            return recorded
        recorded = Dispute.objects.create(
            namespace=namespace, recorded_by=actor, recorded_at=timezone.now(), **said
        )
        record_dispute_event(recorded, actor, "record_dispute", recorded.text)
    return recorded


def end_dispute(dispute: Dispute, *, actor: User, ending: str) -> None:
    """Record how a dispute was settled, or that an agreement ended; the record stays."""
    with transaction.atomic():
        found = Dispute.objects.select_for_update(no_key=True).get(pk=dispute.pk)
        refuse_other_keepers(actor)
        if found.ended_at and found.ending == ending.strip():
            return
        if found.ended_at:
            raise ConcurrentChange(_("Somebody has recorded the outcome meanwhile."))
        found.ended_at, found.ending = timezone.now(), ending.strip()
        found.save()
        record_dispute_event(found, actor, "end_dispute", found.ending)


def record_dispute_event(dispute: Dispute, actor: User, verb: str, comment: str) -> None:
    """Write the event about the namespace, so that its holder and followers are notified."""
    data: dict[str, Any] = {
        "nid": dispute.namespace.nid,
        "dispute": dispute.pk,
        "kind_of_record": dispute.kind,
        "parties": dispute.parties,
        "source": dispute.source,
    }
    record_event(dispute.namespace, actor=actor, verb=verb, comment=comment, data=data)


def refuse_other_keepers(person: User) -> None:
    """Raise `ActionRefused` if `person` may not keep namespaces' entries."""
    if not permissions.may_keep_entries(reload_person(person)):
        raise ActionRefused(_("Only the registrar can change the entries of namespaces."))
