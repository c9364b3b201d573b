"""Remarks on passages of a round: made, dropped, reopened, and answered beside the draft."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.choices import Settlement, Weight
from registry.models import Counter, Event, RegistrationRequest, Remark, Round, User
from registry.workflow import Refused, Superseded
from registry.workflow.recording import record

ANSWERS = (Settlement.CHANGED, Settlement.EXPLAINED)


def make(
    registration_request: RegistrationRequest,
    *,
    actor: User,
    round_number: int,
    section: str,
    weight: Weight,
    text: str,
    quote: str = "",
    start: int | None = None,
) -> Remark:
    """Write a remark on the round that the expert read, and the event; return it.

    Without `quote` it is on the whole section. Said twice in the same words, the first remark
    is returned. Raises `Superseded` when the next round has arrived, `Refused` to others.
    """
    said = {"section": section, "weight": weight, "text": text, "quote": quote, "start": start}
    with transaction.atomic():
        held = hold(registration_request)
        last = read_round(held, round_number)
        refuse_others(actor, held)
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
        tell(remark, actor, "remark", text, **data)
    return remark


def hold(registration_request: RegistrationRequest) -> RegistrationRequest:
    """Return the request as it is now; nobody else acts on it until the transaction ends."""
    held = RegistrationRequest.objects.select_for_update(no_key=True)
    return held.get(pk=registration_request.pk)


def read_round(registration_request: RegistrationRequest, number: int) -> Round:
    """Return the last round, which has to be the one that was read."""
    last = registration_request.rounds.sent().latest("number")
    if last.number != number:
        raise Superseded(
            _(
                "Round %(number)d has arrived since you opened the page. What you typed is kept: "
                "see whether it still holds."
            )
            % {"number": last.number}
        )
    return last


def refuse_others(person: User, registration_request: RegistrationRequest) -> None:
    """Refuse whoever is not judging the request now."""
    if not rules.may_remark(person, registration_request):
        raise Refused(_("Remarks are for an expert on the request, while it is under review."))


def drop(remark: Remark, *, actor: User, reason: str) -> Remark:
    """Take a remark back for a public reason; whatever was prepared in answer to it goes too."""
    with transaction.atomic():
        held = open_to(actor, remark)
        if held.settlement == Settlement.DROPPED:
            return settled_before(held, actor, "drop_remark")
        held.settlement = Settlement.DROPPED
        held.draft_settlement = held.draft_answer = ""
        held.save()
        tell(held, actor, "drop_remark", reason)
    return held


def reopen(remark: Remark, *, actor: User, reason: str) -> Remark:
    """Open a settled remark again for a public reason; the journal keeps the answer it had."""
    with transaction.atomic():
        held = open_to(actor, remark)
        if held.settlement == Settlement.OPEN:
            return settled_before(held, actor, "reopen_remark")
        was: dict[str, object] = {"settlement": held.settlement, "answer": held.answer}
        if held.answered_in:
            was |= {"round": held.answered_in.number, "answered_by": str(held.answered_by)}
        held.settlement, held.answer = Settlement.OPEN, ""
        held.answered_in = held.answered_by = None
        held.save()
        tell(held, actor, "reopen_remark", reason, **was)
    return held


def open_to(person: User, remark: Remark) -> Remark:
    """Return the remark as it is now, held until the transaction ends; refuse others."""
    registration_request = hold(remark.registration_request)
    refuse_others(person, registration_request)
    held = Remark.objects.select_related("answered_in", "answered_by").get(pk=remark.pk)
    held.registration_request = registration_request
    return held


def settled_before(remark: Remark, person: User, verb: str) -> Remark:
    """Return the remark that the person has settled so themselves; tell that another did."""
    last = last_about(remark)
    if last and last.verb == verb and last.actor_id == person.pk:
        return remark
    told = {"number": remark.number, "state": remark.get_settlement_display().lower()}
    raise Superseded(_("Remark %(number)d is %(state)s already.") % told)


def last_about(remark: Remark) -> Event | None:
    """Return what the journal tells last of a remark."""
    return remark.registration_request.events.filter(data__remark=remark.number).last()


def tell(remark: Remark, actor: User, verb: str, words: str, **data: object) -> None:
    """Write the event of what was done with a remark."""
    data = {"remark": remark.number, **data}
    record(remark.registration_request, actor=actor, verb=verb, comment=words, data=data)


def answer(remark: Remark, *, actor: User, settlement: str, text: str, seen: str) -> Remark:
    """Prepare an answer beside the draft, or take it back; it is private until a round is sent.

    `seen` is what stood there when the person opened the page (`as_answered`). Raises
    `Superseded` when a co-editor answered since, or an expert settled the remark.
    """
    with transaction.atomic():
        registration_request = hold(remark.registration_request)
        if not rules.may_edit(actor, registration_request):
            raise Refused(_("Answers are for those who write the draft, while it can be written."))
        held = Remark.objects.get(pk=remark.pk)
        if held.settlement != Settlement.OPEN:
            told = {"number": held.number, "state": held.get_settlement_display().lower()}
            raise Superseded(_("Remark %(number)d is %(state)s, and needs no answer.") % told)
        if as_answered(held) not in {seen, f"{settlement}:{text}"}:
            raise Superseded(_("Somebody answered this remark after you opened the page."))
        held.draft_settlement, held.draft_answer = settlement, text
        held.save()
        drafts = registration_request.rounds.filter(submitted_at=None)
        drafts.update(saved_at=timezone.now())
    return held


def as_answered(remark: Remark) -> str:
    """Return the prepared answer as a form remembers it."""
    return f"{remark.draft_settlement}:{remark.draft_answer}"
