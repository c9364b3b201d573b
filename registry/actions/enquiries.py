"""Enquiries, answered by an expert or the registrar, in public or in private."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import LetterReason
from registry.models import Enquiry, User
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange, refuse_daily_limit

MAX_ENQUIRIES_PER_DAY: Final = 5
"""How many enquiries one person may make per day."""


def ask_enquiry(question: str, *, actor: User, is_public: bool) -> Enquiry:
    """Ask the experts and the registrar; asking the same twice counts once.

    Nobody else can read it before it is answered, and nobody ever if it is to be answered in
    private.
    """
    if not permissions.has_confirmed_address(actor):
        raise ActionRefused(
            _("Confirm your email address first, so that we can send you the answer.")
        )
    question = question.strip()
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds what the first made.
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        own = Enquiry.objects.filter(asked_by=actor)
        if asked := own.filter(question=question, is_public=is_public, answered_at=None).first():
            return asked
        refuse_daily_limit(own, "asked_at", MAX_ENQUIRIES_PER_DAY)
        asked = Enquiry.objects.create(
            question=question, is_public=is_public, asked_by=actor, asked_at=timezone.now()
        )
        offices = [str(LetterReason.LEAD), str(LetterReason.REGISTRAR)]
        record_enquiry_event(asked, actor, "ask_enquiry", question, to=offices)
    return asked


def answer_enquiry(enquiry: Enquiry, *, actor: User, answer: str) -> None:
    """Answer an enquiry, in public or in private as requested; the same twice counts once."""
    with transaction.atomic():
        found = Enquiry.objects.select_for_update(no_key=True).get(pk=enquiry.pk)
        if not permissions.may_answer_enquiries(reload_person(actor)):
            raise ActionRefused(
                _("Only designated experts and the registrar can answer enquiries.")
            )
        if found.answered_by == actor and found.answer == answer.strip():
            return
        if found.answered_at:
            raise ConcurrentChange(
                _("Somebody has answered since you opened the page. Read their answer.")
            )
        if found.asked_by == actor:
            raise ActionRefused(_("Somebody else has to answer your own question."))
        found.answer, found.answered_by = answer.strip(), actor
        found.answered_at = timezone.now()
        found.save()
        verb = "answer_enquiry_in_public" if found.is_public else "answer_enquiry"
        record_enquiry_event(found, actor, verb, found.answer, people=[found.asked_by_id])


def record_enquiry_event(
    enquiry: Enquiry, actor: User, verb: str, comment: str, **more: Any
) -> None:
    """Write the event; its verb decides whether it is public."""
    record_event(
        enquiry, actor=actor, verb=verb, comment=comment, data={"enquiry": enquiry.pk, **more}
    )
