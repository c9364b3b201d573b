"""Asking to be recognised for the fast track, and the standards body's answer (6.3)."""

from __future__ import annotations

import datetime
import enum
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions, selectors
from registry.enums import LIVE_STATES, RequestPath
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Event, Organization, Recognition, RegistrationRequest, User
from registry.permissions import Person
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange


class RecognitionStatus(enum.Enum):
    """An organization's status for the fast track."""

    RECOGNISED = "recognised"
    PENDING = "pending"
    REFUSED = "refused"
    NOT_ASKED = "not asked"


def find_recognition_status(organization: Organization | None) -> RecognitionStatus:
    """Return an organization's status; a new organization has not asked."""
    if organization is None:
        return RecognitionStatus.NOT_ASKED
    if organization.is_recognised:
        return RecognitionStatus.RECOGNISED
    if organization.recognitions.filter(is_granted__isnull=True).exists():
        return RecognitionStatus.PENDING
    refused = selectors.was_recognition_refused(organization)
    return RecognitionStatus.REFUSED if refused else RecognitionStatus.NOT_ASKED


def find_recognition_status_by_name(name: str) -> RecognitionStatus:
    """Return the status of the organization of that name, whatever its case."""
    name = " ".join(name.split())
    return find_recognition_status(Organization.objects.filter(name__iexact=name).first())


def pending_recognitions() -> QuerySet[Recognition]:
    """Return the requests that wait for the standards body, longest waiting first."""
    asked = Recognition.objects.filter(is_granted__isnull=True)
    return asked.select_related("organization", "asked_by").order_by("asked_at")


def request_recognition(organization: Organization, person: User, statement: str) -> Recognition:
    """Ask for recognition, and return the pending request; there is one at a time."""
    with transaction.atomic():
        body = lock_organization(organization)
        if body.is_recognised:
            raise ActionRefused(
                _("%(organization)s is already recognised.") % {"organization": body},
                code="already_recognised",
            )
        waiting = body.recognitions.filter(is_granted__isnull=True).first()
        if waiting:
            return waiting
        asked = Recognition.objects.create(
            organization=body, asked_by=person, asked_at=timezone.now(), statement=statement.strip()
        )
        record_event(
            asked,
            actor=person,
            verb="ask_recognition",
            comment=asked.statement,
            data=build_recognition_data(asked),
        )
    return asked


def lock_organization(organization: Organization) -> Organization:
    """Return the organization as it is now, locked until the transaction ends.

    So of two people asking, the second finds the first's request. Lock it before writing the first
    event: a transaction must not wait for rows while it holds the journal.
    """
    return Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)


def grant_recognition(
    asked: Recognition, *, actor: User, recognised_on: datetime.date, source: str
) -> Event:
    """Recognise the organization, from that day on and as recorded in `source`."""
    with transaction.atomic():
        organization = lock_organization(asked.organization)
        rows: dict[str, str | None] = {build_row_key(organization): digest_row(organization)}
        answer_recognition(asked, actor=actor, is_granted=True, reasons=source)
        organization.recognised_on, organization.recognition_source = recognised_on, source.strip()
        organization.save(update_fields=["recognised_on", "recognition_source"])
        data = build_recognition_data(asked) | {"recognised_on": recognised_on.isoformat()}
        return record_event(
            asked, actor=actor, verb="recognise", comment=asked.reasons, data=data, rows=rows
        )


def refuse_recognition(asked: Recognition, *, actor: User, reasons: str) -> Event:
    """Refuse to recognise the organization. It may ask again, or take another path."""
    with transaction.atomic():
        answer_recognition(asked, actor=actor, is_granted=False, reasons=reasons)
        return record_event(
            asked,
            actor=actor,
            verb="refuse_recognition",
            comment=asked.reasons,
            data=build_recognition_data(asked),
            # The answer makes the organization public, so the log says what it is.
            rows={build_row_key(asked.organization): None},
        )


def withdraw_recognition(asked: Recognition, *, actor: User, reasons: str) -> Event:
    """Take a recognition back, at once. The organization may ask again.

    Its requests that were complete are the standards body's turn, which asks for changes.
    """
    with transaction.atomic():
        organization = lock_organization(asked.organization)
        rows: dict[str, str | None] = {build_row_key(organization): digest_row(organization)}
        waiting = RegistrationRequest.objects.public().filter(
            Q(namespace=None, organization=organization) | Q(namespace__registrant=organization),
            path=RequestPath.FAST_TRACK,
            state__in=LIVE_STATES,
        )
        answer_recognition(asked, actor=actor, is_granted=False, reasons=reasons, before=True)
        organization.recognised_on, organization.recognition_source = None, ""
        organization.save(update_fields=["recognised_on", "recognition_source"])
        references = list(waiting.order_by("pk").values_list("reference", flat=True))
        data = build_recognition_data(asked) | {"requests": references}
        return record_event(
            asked,
            actor=actor,
            verb="withdraw_recognition",
            comment=asked.reasons,
            data=data,
            rows=rows,
        )


def list_possible_answers(asked: Recognition) -> tuple[str, ...]:
    """Return the verbs by which the standards body can answer now."""
    if asked.is_granted is None:
        return "recognise", "refuse_recognition"
    return ("withdraw_recognition",) if asked.is_granted else ()


def answer_recognition(
    asked: Recognition, *, actor: User, is_granted: bool, reasons: str, before: bool | None = None
) -> None:
    """Record the answer; raise `ActionRefused` if the actor may not or gives no reason.

    Raise `ConcurrentChange` if it was not answered as in `before`, None for not at all.
    """
    if obstacle := explain_no_recognition(asked, reload_person(actor)):
        raise ActionRefused(obstacle)
    if not reasons.strip():
        raise ActionRefused(_("Give your reasons; they are public."), code="no_reasons")
    answered = Recognition.objects.filter(pk=asked.pk, is_granted=before).update(
        is_granted=is_granted,
        decided_by=actor,
        decided_at=timezone.now(),
        reasons=reasons.strip(),
    )
    if not answered:
        raise ConcurrentChange(
            _("Someone has answered this since you opened the page."), code="superseded"
        )
    asked.refresh_from_db()


def explain_no_recognition(asked: Recognition, person: Person) -> str:
    """Return why `person` cannot decide on it, or nothing if they can."""
    if not permissions.may_recognise(person):
        return _("Only the standards body can recognise an organization.")
    if asked.asked_by_id == person.pk or permissions.is_tied_to(person, asked.organization):
        return _(
            "You have a stake in this organization. Another member of the standards body decides."
        )
    return ""


def build_recognition_data(asked: Recognition) -> dict[str, Any]:
    """Return whom it is about, for the journal and the letters."""
    return {
        "recognition": asked.pk,
        "organization": str(asked.organization),
        "organization_id": asked.organization_id,
    }
