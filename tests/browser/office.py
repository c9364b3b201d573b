"""What the registrar's office keeps, for tests that look at its pages."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from django.utils import timezone

from registry import disputes, held_nids
from registry.actions import (
    enquiries,
    reports,
)
from registry.enums import DisputeKind, HoldGround
from registry.models import ContactConfirmation, Namespace, User


def keep_office(people: Mapping[str, User]) -> dict[str, str]:
    """Hold back NIDs, record a dispute, ask, answer and report; return the keys."""
    registrar, outsider, expert = (people[name] for name in ("registrar", "outsider", "expert"))
    until = timezone.localdate() + datetime.timedelta(90)
    held, appealed = (
        held_nids.hold_nid(
            nid=nid,
            actor=registrar,
            ground=ground,
            reasons="Two vaults are before the court.",
            source="Order 12/2026 of 3 May 2026",
            until=until,
        )
        for nid, ground in (("barred", HoldGround.COURT), ("pending", HoldGround.DIRECTION))
    )
    held_nids.appeal_hold(appealed, actor=outsider, reasons="The names are ours.")
    namespace = Namespace.objects.get(nid="seedbank")
    dispute = disputes.record_dispute(
        namespace,
        actor=registrar,
        kind=DisputeKind.DISPUTE,
        parties="Northlight and Southlight",
        text="Both say that the prefix is theirs.",
        source="Letters of 3 and 4 May 2026",
    )
    letter = ContactConfirmation.objects.create(
        namespace=namespace, address="desk@northlight.example", asked_at=timezone.now()
    )
    question = enquiries.ask_enquiry("Do I need a namespace?", actor=outsider, is_public=True)
    waiting = enquiries.ask_enquiry("And for maps?", actor=outsider, is_public=False)
    enquiries.answer_enquiry(question, actor=expert, answer="No: a collection does.")
    report = reports.add_report(
        text="The contact has moved.",
        page="/namespaces/seedbank/",
        name="A reader",
        address="reader@people.example",
        author=None,
        network="192.0.2.0/24",
    )
    return {
        "report": str(report.pk),
        "held": str(held.pk),
        "appealed-hold": str(appealed.pk),
        "dispute": str(dispute.pk),
        "contact-secret": letter.secret,
        "enquiry": str(question.pk),
        "waiting-enquiry": str(waiting.pk),
    }
