"""Changes to who acts for a holder of a namespace: announced, delayed, and stoppable."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import (
    DelegateChangeKind,
    DelegateChangeOutcome,
    SpeakerBasis,
    SpeakerEnd,
)
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_stored_rows
from registry.models import DelegateChange, Organization, Proof, Speaker, User
from registry.models.holder import DelegateChangeQuerySet, is_same_code
from registry.notifications import outbox
from registry.notifications.holder_links import build_delegate_stop_url
from registry.permissions import CLOCK, Person
from registry.rate_limits import MAX_CODE_ATTEMPTS
from registry.selectors.deadlines import build_reminder_data
from registry.selectors.holder_addresses import list_body_addresses
from registry.selectors.holder_clock import find_claim_wait
from registry.selectors.holder_consent import find_word_delay
from registry.workflow.events import record_event, write_events_last
from registry.workflow.holder_words import (
    CODE_LIFETIME,
    ask_new_holder,
    begin_confirmation,
)
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused


def holds_namespace(organization: Organization) -> bool:
    """Whether the body holds a namespace, so that changes to who acts for it are delayed."""
    return organization.namespaces.exists()


def has_delegates(organization: Organization) -> bool:
    """Whether anyone with an active account acts for the body."""
    return organization.speakers.in_effect().filter(person__is_active=True).exists()


def begin_delegate_change(
    organization: Organization, person: User, kind: DelegateChangeKind, *, actor: User
) -> DelegateChange:
    """Begin to add or remove a delegate, once `actor` enters the code from a letter.

    Asking twice begins it once. If nobody acts for the body yet, it waits as long as a first claim,
    and also for the registrar's source. Call it with the organization's row locked.
    """
    pending = organization.delegate_changes.pending().filter(person=person, proof=None).first()
    if pending and pending.kind == kind and pending.asked_by == actor:
        return pending
    if pending:
        raise ActionRefused(
            _("Another change of %(who)s is already waiting.") % {"who": person},
            code="already_waiting",
        )
    change = DelegateChange.objects.create(
        organization=organization,
        person=person,
        kind=kind,
        asked_by=actor,
        asked_at=timezone.now(),
        is_first=kind == DelegateChangeKind.NAME and not has_delegates(organization),
    )
    outbox.write_direct_letter(
        "delegate_code",
        {"change": change, "until": change.asked_at + CODE_LIFETIME},
        why=_("You asked for this on behalf of the organization."),
        key=f"delegate-code:{change.pk}",
        address=actor.email,
        person=actor,
    )
    return change


def confirm_delegate_change(change: DelegateChange, code: str, *, actor: User) -> None:
    """Accept the code from the letter: everyone on record is notified, and the wait starts."""
    if change.asked_by != actor or change.proof_id:
        raise ActionRefused(
            _("Only the person who asked for the change can use this code."), code="not_asker"
        )
    if change.confirmed_at and not change.ended_at:
        return
    refuse_ended_change(change)
    refuse_wrong_change_code(change, code)
    with transaction.atomic():
        change = lock_pending_change(change)
        if change.confirmed_at:
            return
        if not permissions.may_name_delegates(reload_person(actor), change.organization):
            raise ActionRefused(
                _("Only the delegates of %(organization)s can say who acts for it.")
                % {"organization": change.organization},
                code="not_delegate",
            )
        if change.kind == DelegateChangeKind.NAME and not has_delegates(change.organization):
            change.is_first = True
        start_waiting(change, find_change_delay(change))
        verb = "announce_delegate"
        if change.kind == DelegateChangeKind.REMOVE:
            verb = "announce_removal"
        with write_events_last():
            data = build_change_data(change)
            record_event(change.organization, actor=actor, verb=verb, data=data)
            if change.is_first:
                announce_in_public(change)


def refuse_wrong_change_code(change: DelegateChange, code: str) -> None:
    """Refuse a code that is wrong, too old or tried too often; attempts count."""
    if timezone.now() > change.asked_at + CODE_LIFETIME:
        raise ActionRefused(
            _("This code is too old. Ask for the change again."), code="code_expired"
        )
    left = DelegateChange.objects.filter(pk=change.pk, attempts__lt=MAX_CODE_ATTEMPTS)
    if not left.update(attempts=F("attempts") + 1):
        raise ActionRefused(
            _("A wrong code was typed too often. Ask for the change again."),
            code="too_many_attempts",
        )
    if not is_same_code(change.code, code):
        raise ActionRefused(
            _("This is not the code from the letter. Type it again."), code="wrong_code"
        )


def begin_claim(proof: Proof) -> DelegateChange:
    """Delay a proof of acting for a holder of a namespace, with a public notice.

    Call it in the transaction that records the proof. The first claim on a body for which nobody
    acts waits longer, and until the registrar has confirmed whose the domain is.
    """
    organization = proof.organization
    change = DelegateChange.objects.create(
        organization=organization,
        person=proof.person,
        kind=DelegateChangeKind.CLAIM,
        asked_by=proof.person,
        asked_at=timezone.now(),
        proof=proof,
        is_first=not has_delegates(organization),
    )
    start_waiting(change, find_change_delay(change))
    announce_in_public(change)
    return change


def announce_in_public(change: DelegateChange) -> None:
    """Announce on each namespace of the body, without names, that somebody is to act for it.

    They proved it by a domain, or an administrator named them as the first.
    """
    verb = "announce_claim" if change.proof else "announce_first_delegate"
    data = {"organization": str(change.organization), "day": format_effect_day(change)}
    if change.proof:
        data["domain"] = change.proof.domain
    for namespace in change.organization.namespaces.order_by("nid"):
        record_event(namespace, actor=CLOCK, verb=verb, data=data)


def find_change_delay(change: DelegateChange) -> datetime.timedelta:
    """Return how long a change waits to take effect, longer if nobody acts for the body yet."""
    if change.is_first:
        return datetime.timedelta(settings.REGISTRY_CLAIM_DAYS)
    return find_word_delay()


def start_waiting(change: DelegateChange, delay: datetime.timedelta) -> None:
    """Record when the change would take effect, and notify every address on record."""
    change.confirmed_at = timezone.now()
    change.takes_effect_at = change.confirmed_at + delay
    change.save()
    addresses = list_body_addresses(change.organization)
    concerned = [*addresses, change.person.email.lower()]
    for address in dict.fromkeys(concerned):
        outbox.write_direct_letter(
            "delegate_change",
            {"change": change, "stop": build_delegate_stop_url(change, address)},
            why=_("Your address is on record for a namespace that the organization holds."),
            key=f"delegate-change:{change.pk}:{address}"[:200],
            address=address,
        )


def confirm_claim_source(change: DelegateChange, source: str, *, actor: User) -> None:
    """Record since when the domain is the body's, and the source for that.

    For a person whom an administrator named first, without a proof: that they act for the body.
    """
    with transaction.atomic():
        change = lock_pending_change(change)
        if not permissions.may_confirm_claim(reload_person(actor), change):
            raise ActionRefused(
                _(
                    "Only a registrar with no part in the organization or in the claim can confirm "
                    "who acts for it."
                ),
                code="not_registrar",
            )
        if not change.is_first or change.needs_code:
            raise ActionRefused(_("This change waits for no such source."), code="no_source_needed")
        if change.source:
            return
        if not source.strip():
            raise ActionRefused(_("Give a source."), code="no_source")
        change.source, change.source_by = source.strip(), actor
        change.save()
        data = build_change_data(change) | {"source": change.source}
        verb = "confirm_domain" if change.proof_id else "confirm_delegate"
        record_event(change.organization, actor=actor, verb=verb, data=data)


def stop_delegate_change(change: DelegateChange, *, actor: Person, by: str, reason: str) -> None:
    """Stop a change before it takes effect; doing it twice is no error.

    `by` is a name or an address on record. Raises `ActionRefused` if the change has taken effect.
    """
    with transaction.atomic():
        locked = DelegateChange.objects.select_for_update(no_key=True).get(pk=change.pk)
        if locked.outcome == DelegateChangeOutcome.STOPPED:
            return
        refuse_ended_change(locked)
        if isinstance(actor, User) and not may_stop_change(actor, locked):
            raise ActionRefused(
                _("Only people who act for the organization can stop this."),
                code="not_representative",
            )
        end_change(locked, DelegateChangeOutcome.STOPPED, by=by, reason=reason)
        data = build_change_data(locked) | {
            "people": [
                locked.person_id,
                locked.asked_by_id,
                *User.objects.speaking_for(locked.organization).values_list("pk", flat=True),
            ]
        }
        record_event(
            locked.organization,
            actor=actor,
            verb="stop_delegate_change",
            comment=reason,
            data=data,
        )


def changes_visible_to(person: User) -> DelegateChangeQuerySet:
    """Return the changes that `person` may see: who acts for whom is private."""
    every = DelegateChange.objects.select_related("organization", "person", "asked_by", "proof")
    if permissions.is_registrar(person) or permissions.is_administrator(person):
        return every
    to_confirm = [
        each.pk
        for each in DelegateChange.objects.pending().filter(is_first=True)
        if permissions.may_confirm_claim(person, each)
    ]
    return every.filter(
        Q(person=person)
        | Q(asked_by=person)
        | Q(pk__in=to_confirm)
        | Q(organization__in=Organization.objects.spoken_for_by(person).values("pk"))
        | Q(organization__namespaces__in=person.speaking.in_effect().values("namespace"))
    ).distinct()


def may_stop_change(person: Person, change: DelegateChange) -> bool:
    """Whether `person` may stop the change: those acting for the body, and the person concerned."""
    return isinstance(person, User) and (
        person in (change.person, change.asked_by)
        or permissions.is_delegate_of(person, change.organization)
        or any(
            permissions.speaks_for_namespace(person, each)
            for each in change.organization.namespaces.all()
        )
    )


def refuse_ended_change(change: DelegateChange) -> None:
    """Refuse if the change has taken effect or was stopped."""
    if change.ended_at:
        raise ActionRefused(
            _("This change has ended: %(outcome)s.") % {"outcome": change.get_outcome_display()},
            code="ended",
        )


def lock_pending_change(change: DelegateChange) -> DelegateChange:
    """Return the change, locked until the transaction ends, unless it has ended."""
    locked = DelegateChange.objects.select_for_update(no_key=True).get(pk=change.pk)
    refuse_ended_change(locked)
    return locked


def end_change(
    change: DelegateChange, outcome: DelegateChangeOutcome, *, by: str = "", reason: str = ""
) -> None:
    """Record how the change ended."""
    change.ended_at, change.outcome = timezone.now(), outcome
    change.stopped_by, change.reason = by[:300], reason
    change.save()


def build_change_data(change: DelegateChange) -> dict[str, Any]:
    """Return whom a change is about and when it takes effect, for the journal."""
    return {
        "organization": str(change.organization),
        "organization_id": change.organization_id,
        "delegate": str(change.person),
        "day": format_effect_day(change),
    }


def format_effect_day(change: DelegateChange) -> str:
    return change.takes_effect_at.date().isoformat() if change.takes_effect_at else ""


# Scheduler.


def tick_claims(now: datetime.datetime) -> Counter[str]:
    """Apply due changes, drop those never confirmed, and remind people who can confirm."""
    done: Counter[str] = Counter()
    for pk in DelegateChange.objects.pending().values_list("pk", flat=True).order_by("pk"):
        with transaction.atomic():
            change = DelegateChange.objects.select_for_update(no_key=True).get(pk=pk)
            done += tick_claim(change, now)
    return done


def tick_claim(change: DelegateChange, now: datetime.datetime) -> Counter[str]:
    """Do what is due for one change, whose row is locked."""
    if change.ended_at:
        return Counter()
    if change.needs_code:
        if now <= change.asked_at + CODE_LIFETIME:
            return Counter()
        end_change(change, DelegateChangeOutcome.LAPSED)
        return Counter(lapse_delegate_change=1)
    if change.is_ripe(now):
        return Counter([apply_delegate_change(change)])
    wait = find_claim_wait(change)
    due = wait.find_due_reminder(change.reminded_at, now) if wait else None
    if due is None:
        return Counter()
    change.reminded_at = now
    change.save(update_fields=["reminded_at"])
    # The event does not name the claimant: who acts for whom is private.
    data = build_reminder_data(due, now) | {
        "organization": str(change.organization),
        "organization_id": change.organization_id,
        "claim": change.pk,
    }
    verb = "remind_claim" if change.proof_id else "remind_first_delegate"
    record_event(change.organization, actor=CLOCK, verb=verb, data=data, is_reminder=True)
    return Counter([verb])


def apply_delegate_change(change: DelegateChange) -> str:
    """Apply a due change, unless the person who asked for it may no longer; return what it was."""
    organization, person, kind = change.organization, change.person, change.kind
    is_claim = kind == DelegateChangeKind.CLAIM
    may_ask = is_claim or permissions.may_name_delegates(change.asked_by, organization)
    if not may_ask or (kind != DelegateChangeKind.REMOVE and not person.is_active):
        end_change(change, DelegateChangeOutcome.LAPSED)
        return "lapse_delegate_change"
    told = list(User.objects.speaking_for(organization).values_list("pk", flat=True))
    data = build_change_data(change) | {"people": list(dict.fromkeys([*told, person.pk]))}
    speakers = list(organization.speakers.in_effect().filter(person=person))
    rows = digest_stored_rows([*speakers, *([change.proof] if change.proof else [])])
    if is_claim:
        verb = apply_claim(change)
    elif kind == DelegateChangeKind.NAME:
        verb = "name_delegate"
        if not speakers:
            Speaker.objects.put_in_effect(
                person, SpeakerBasis.NAMED, organization=organization, recorded_by=change.asked_by
            )
    else:
        for speaker in speakers:
            speaker.finish(SpeakerEnd.REMOVED)
        verb = "remove_delegate"
    for speaker in organization.speakers.in_effect().filter(person=person):
        rows.setdefault(build_row_key(speaker), NEW_ROW)
    end_change(change, DelegateChangeOutcome.DONE)
    with write_events_last():
        record_event(organization, actor=change.asked_by, verb=verb, data=data, rows=rows)
        if change.is_first and permissions.speaks_for(person, organization):
            for namespace in organization.namespaces.order_by("nid"):
                ask_new_holder(namespace)
    return verb


def apply_claim(change: DelegateChange) -> str:
    """Make the proof effective: for one request, or for everything the body does."""
    proof = change.proof
    assert proof, "a claim rests on a proof"
    proof.effective_at = timezone.now()
    proof.save(update_fields=["effective_at"])
    if proof.registration_request is None:
        if not permissions.speaks_for(change.person, change.organization):
            Speaker.objects.put_in_effect(
                change.person, SpeakerBasis(proof.method), organization=change.organization
            )
    else:
        begin_confirmation(proof.registration_request, change.person)
    return "take_up_claim"
