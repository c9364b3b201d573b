"""Asking to be recognised for the fast track, and what the standards body answers (6.3)."""

from __future__ import annotations

import datetime
import enum
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import queries, rules
from registry.models import Event, Organization, Recognition, User
from registry.row_digests import digest_row, key_of
from registry.workflow.recording import record
from registry.workflow.step import Refused, Superseded


class Standing(enum.Enum):
    """How an organization stands to the fast track."""

    RECOGNISED = "recognised"
    PENDING = "pending"
    REFUSED = "refused"
    NOT_ASKED = "not asked"


def standing(organization: Organization | None) -> Standing:
    """Return how an organization stands; nothing was asked for one that is not known yet."""
    if organization is None:
        return Standing.NOT_ASKED
    if organization.is_recognised:
        return Standing.RECOGNISED
    if organization.recognitions.filter(is_granted__isnull=True).exists():
        return Standing.PENDING
    refused = queries.recognition_was_refused(organization)
    return Standing.REFUSED if refused else Standing.NOT_ASKED


def standing_of(name: str) -> Standing:
    """Return how the organization of that name stands, whatever the case."""
    name = " ".join(name.split())
    return standing(Organization.objects.filter(name__iexact=name).first())


def pending() -> QuerySet[Recognition]:
    """Return what waits for an answer of the standards body, the longest waiting first."""
    asked = Recognition.objects.filter(is_granted__isnull=True)
    return asked.select_related("organization", "asked_by").order_by("asked_at")


def ask(organization: Organization, person: User, statement: str) -> Recognition:
    """Ask for recognition, and return what waits for an answer: one thing at a time."""
    with transaction.atomic():
        body = hold(organization)
        if body.is_recognised:
            raise Refused(_("%(organization)s is recognised already.") % {"organization": body})
        waiting = body.recognitions.filter(is_granted__isnull=True).first()
        if waiting:
            return waiting
        asked = Recognition.objects.create(
            organization=body, asked_by=person, asked_at=timezone.now(), statement=statement.strip()
        )
        record(
            asked, actor=person, verb="ask_recognition", comment=asked.statement, data=about(asked)
        )
    return asked


def hold(organization: Organization) -> Organization:
    """Return the organization as it is now, its row ours until the transaction ends.

    The second of two who ask finds what the first asked. Hold it before the first line of the
    journal is written: who has the journal waits for nobody.
    """
    return Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)


def recognise(
    asked: Recognition, *, actor: User, recognised_on: datetime.date, source: str
) -> Event:
    """Recognise the organization, from that day on and as it is recorded in `source`."""
    with transaction.atomic():
        organization = hold(asked.organization)
        rows: dict[str, str | None] = {key_of(organization): digest_row(organization)}
        answer(asked, actor=actor, is_granted=True, reasons=source)
        organization.recognised_on, organization.recognition_source = recognised_on, source.strip()
        organization.save(update_fields=["recognised_on", "recognition_source"])
        data = about(asked) | {"recognised_on": recognised_on.isoformat()}
        return record(
            asked, actor=actor, verb="recognise", comment=asked.reasons, data=data, rows=rows
        )


def refuse(asked: Recognition, *, actor: User, reasons: str) -> Event:
    """Refuse to recognise the organization. It may ask again, or take another path."""
    with transaction.atomic():
        answer(asked, actor=actor, is_granted=False, reasons=reasons)
        return record(
            asked, actor=actor, verb="refuse_recognition", comment=asked.reasons, data=about(asked)
        )


def answer(asked: Recognition, *, actor: User, is_granted: bool, reasons: str) -> None:
    """Write the answer, once; raise `Refused` where the actor may not or says nothing."""
    if obstacle := why_not(asked, actor):
        raise Refused(obstacle)
    if not reasons.strip():
        raise Refused(_("Give your reasons; they are public."))
    answered = Recognition.objects.filter(pk=asked.pk, is_granted__isnull=True).update(
        is_granted=is_granted,
        decided_by=actor,
        decided_at=timezone.now(),
        reasons=reasons.strip(),
    )
    if not answered:
        raise Superseded(_("Someone has answered this since you opened the page."))
    asked.refresh_from_db()


def why_not(asked: Recognition, person: User) -> str:
    """Return why `person` does not decide on it, nothing where they may."""
    if not rules.may_recognise(person):
        return _("Recognising an organization is for the standards body.")
    if asked.asked_by_id == person.pk or rules.speaks_for(person, asked.organization):
        return _("You have a stake in this organization. Another of the standards body decides.")
    return ""


def about(asked: Recognition) -> dict[str, Any]:
    """Return whom it is about, for the journal and the letters."""
    return {
        "recognition": asked.pk,
        "organization": str(asked.organization),
        "organization_id": asked.organization_id,
    }
