"""What experts write on a round: remarks on passages, with their answers, and the checklist."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import RemarkWeight, Settlement
from registry.models import (
    ChecklistAnswer,
    Counter,
    Event,
    RegistrationRequest,
    Remark,
    Round,
    User,
)
from registry.selectors.checklist import read_checklist_answers
from registry.workflow import ActionRefused, ConcurrentChange
from registry.workflow.effects import declare_no_conflict
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person

ANSWER_SETTLEMENTS = (Settlement.CHANGED, Settlement.EXPLAINED)


def add_remark(
    registration_request: RegistrationRequest,
    *,
    actor: User,
    round_number: int,
    section: str,
    weight: RemarkWeight,
    text: str,
    quote: str = "",
    start: int | None = None,
) -> Remark:
    """Write a remark on the round that the expert read, and the event; return it.

    Without `quote` it is on the whole section. The same words twice return the first remark. Raises
    `ConcurrentChange` if the next round has arrived, and `ActionRefused` for people who may not.
    """
    said = {"section": section, "weight": weight, "text": text, "quote": quote, "start": start}
    with transaction.atomic():
        held = lock_remarked_request(registration_request)
        last = require_read_round(held, round_number)
        refuse_other_experts(actor, held)
        repeated = last.remarks.open().filter(author=actor, **said).first()
        if repeated:
            return repeated
        remark = Remark.objects.create(
            registration_request=held,
            round=last,
            number=Counter.objects.take(f"remark-{held.reference}"),
            author=actor,
            made_at=timezone.now(),
            **said,
        )
        data = {"round": last.number, "section": section, "weight": weight.value}
        declared = declare_no_conflict(held, actor)
        record_remark(remark, actor, "remark", text, **data, **declared)
    return remark


def lock_remarked_request(registration_request: RegistrationRequest) -> RegistrationRequest:
    """Return the request as it is now, locked against other actions until the transaction ends."""
    held = RegistrationRequest.objects.select_for_update(no_key=True)
    return held.get(pk=registration_request.pk)


def require_read_round(registration_request: RegistrationRequest, number: int) -> Round:
    """Return the last round, which must be the one that was read."""
    last = registration_request.rounds.sent().latest("number")
    if last.number != number:
        raise ConcurrentChange(
            _(
                "Round %(number)d has arrived since you opened the page. Your text is kept: "
                "check whether it still applies."
            )
            % {"number": last.number}
        )
    return last


def refuse_other_experts(person: User, registration_request: RegistrationRequest) -> None:
    """Refuse people who are not reviewing the request now."""
    if not permissions.may_remark(reload_person(person), registration_request):
        raise ActionRefused(
            _("Only an expert on the request can make remarks, while it is under review.")
        )


def drop_remark(remark: Remark, *, actor: User, reason: str) -> Remark:
    """Withdraw a remark for a public reason; any prepared answer is deleted too."""
    with transaction.atomic():
        held = lock_remark(actor, remark)
        if held.settlement == Settlement.DROPPED:
            return find_settled_remark(held, actor, "drop_remark")
        held.settlement = Settlement.DROPPED
        held.draft_settlement = held.draft_answer = ""
        held.save()
        record_remark(held, actor, "drop_remark", reason)
    return held


def reopen_remark(remark: Remark, *, actor: User, reason: str) -> Remark:
    """Reopen a settled remark for a public reason; the journal keeps the answer it had."""
    with transaction.atomic():
        held = lock_remark(actor, remark)
        if held.settlement == Settlement.OPEN:
            return find_settled_remark(held, actor, "reopen_remark")
        was: dict[str, object] = {"settlement": held.settlement, "answer": held.answer}
        if held.answered_in:
            was |= {"round": held.answered_in.number, "answered_by": str(held.answered_by)}
        held.settlement, held.answer = Settlement.OPEN, ""
        held.answered_in = held.answered_by = None
        held.save()
        record_remark(held, actor, "reopen_remark", reason, **was)
    return held


def lock_remark(person: User, remark: Remark) -> Remark:
    """Return the remark as it is now, locked until the transaction ends; refuse others."""
    registration_request = lock_remarked_request(remark.registration_request)
    refuse_other_experts(person, registration_request)
    held = Remark.objects.select_related("answered_in", "answered_by").get(pk=remark.pk)
    held.registration_request = registration_request
    return held


def find_settled_remark(remark: Remark, person: User, verb: str) -> Remark:
    """Return the remark if the person settled it the same way; raise if somebody else did."""
    last = find_last_remark_event(remark)
    if last and last.verb == verb and last.actor_id == person.pk:
        return remark
    told = {"number": remark.number, "state": remark.get_settlement_display().lower()}
    raise ConcurrentChange(_("Remark %(number)d is already %(state)s.") % told)


def find_last_remark_event(remark: Remark) -> Event | None:
    """Return the journal's last event about a remark."""
    return remark.registration_request.events.filter(data__remark=remark.number).last()


def record_remark(remark: Remark, actor: User, verb: str, words: str, **data: object) -> None:
    """Write the event about a remark."""
    data = {"remark": remark.number, **data}
    record_event(remark.registration_request, actor=actor, verb=verb, comment=words, data=data)


def answer_remark(remark: Remark, *, actor: User, settlement: str, text: str, seen: str) -> Remark:
    """Prepare an answer with the draft, or withdraw it; it is private until a round is sent.

    `seen` is what was there when the person opened the page (`format_prepared_answer`). Raises
    `ConcurrentChange` if a co-editor answered since, or an expert settled the remark.
    """
    with transaction.atomic():
        registration_request = lock_remarked_request(remark.registration_request)
        if not permissions.may_edit(actor, registration_request):
            raise ActionRefused(
                _("Only those who write the draft can answer, while it is a draft.")
            )
        held = Remark.objects.get(pk=remark.pk)
        if held.settlement != Settlement.OPEN:
            told = {"number": held.number, "state": held.get_settlement_display().lower()}
            raise ConcurrentChange(_("Remark %(number)d is %(state)s, and needs no answer.") % told)
        if format_prepared_answer(held) not in {seen, f"{settlement}:{text}"}:
            raise ConcurrentChange(_("Somebody answered this remark after you opened the page."))
        held.draft_settlement, held.draft_answer = settlement, text
        held.save()
        drafts = registration_request.rounds.filter(submitted_at=None)
        drafts.update(saved_at=timezone.now())
    return held


def format_prepared_answer(remark: Remark) -> str:
    """Return the prepared answer as a form remembers it."""
    return f"{remark.draft_settlement}:{remark.draft_answer}"


def answer_checklist(
    registration_request: RegistrationRequest,
    *,
    actor: User,
    round_number: int,
    answers: Mapping[str, str],
) -> dict[str, str]:
    """Save answers, and return all of them; they are private until the expert decides.

    Raises `ConcurrentChange` if the next round has arrived, `ActionRefused` for people who do not
    judge it.
    """
    with transaction.atomic():
        held = lock_remarked_request(registration_request)
        last = require_read_round(held, round_number)
        if not permissions.may_remark(reload_person(actor), held):
            raise ActionRefused(
                _(
                    "Only an expert on the request can answer the checklist, while it is under "
                    "review."
                )
            )
        for question, given in answers.items():
            ChecklistAnswer.objects.update_or_create(
                round=last, expert=actor, question=question, defaults={"answer": given}
            )
    return read_checklist_answers(last, actor)
