"""Speaking for a body: naming, recording, waiting, objecting, ruling, and the yearly letter.

Each fact is one row of `Speaker`. Whoever loses something hears of it from a letter, at the time.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import assurance, permissions
from registry.enums import (
    EXPERT_STATES,
    LetterReason,
    SpeakerBasis,
    SpeakerEnd,
    SpeakerState,
)
from registry.journal.row_digests import digest_stored_rows
from registry.models import (
    Assignment,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    Speaker,
    User,
)
from registry.models.dates import Calendar, load_calendar
from registry.notifications import outbox
from registry.notifications.holder_links import build_speaker_url
from registry.notifications.recipients import REASON_BY_TURN
from registry.permissions import CLOCK, Person
from registry.selectors.accounts import find_account
from registry.selectors.speakers import (
    Subject,
    find_body,
    find_offer,
    find_officers,
    is_reminder_due,
    list_addresses_on_record,
    list_rival_claims,
    list_speakers,
)
from registry.selectors.waiting_periods import ONE_YEAR, find_waiting_days
from registry.workflow.events import record_event, write_events_last
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused

YEARLY_LETTER_DAYS: Final = 30
"""How long a yearly letter, and then its reminder, can be answered."""


# Naming and recording


def name_speaker(organization: Organization, address: str, *, actor: User) -> Speaker:
    """Name the account with that mail address a delegate, as one of them."""
    assurance.require_confirmation(actor)
    with transaction.atomic():
        body = lock_body(organization)
        if not permissions.is_delegate_of(reload_person(actor), body):
            raise ActionRefused(
                _("Only the delegates of %(organization)s can say who acts for it.")
                % {"organization": body},
                code="not_delegate",
            )
        person = require_account(address)
        if known := find_open_row(body, person):
            return known
        refuse_reviewing_expert(body, person)
        speaker = create_row(body, person, SpeakerBasis.NAMED, recorded_by=actor)
        begin_speaking(speaker, actor=actor)
    return speaker


def record_speaker(subject: Subject, address: str, evidence: str, *, actor: User) -> Speaker:
    """Record, as the registrar, what shows that the account with that address speaks for a body.

    Where the body holds a namespace, a second officer countersigns it before it waits.
    """
    assurance.require_confirmation(actor)
    with transaction.atomic():
        subject = lock_subject(subject)
        if not permissions.may_record_speakers(reload_person(actor)):
            raise ActionRefused(
                _("Only the registrar can record who speaks for an organization."),
                code="not_registrar",
            )
        person, body = require_account(address), find_body(subject)
        if person == actor or (body and permissions.is_tied_to(actor, body)):
            raise ActionRefused(
                _("You have a part in this. Another officer records it."), code="has_stake"
            )
        if not evidence.strip():
            raise ActionRefused(
                _("Say what you have seen, how, and where it is recorded."), code="no_evidence"
            )
        if known := find_open_row(subject, person):
            return known
        if body:
            refuse_reviewing_expert(body, person)
        speaker = create_row(
            subject, person, SpeakerBasis.EVIDENCE, recorded_by=actor, evidence=evidence.strip()
        )
        if isinstance(subject, Organization) and not subject.namespaces.exists():
            begin_speaking(speaker, actor=actor)
        else:
            await_countersign(speaker, actor=actor)
    return speaker


def await_countersign(speaker: Speaker, *, actor: Person) -> None:
    """Save evidence that an officer has to countersign, and tell those who can."""
    speaker.enter(SpeakerState.ASKED)
    offices = (LetterReason.REGISTRAR, LetterReason.STANDARDS_BODY)
    record_speaker_event(speaker, "record_speaker", actor=actor, offices=offices)


def countersign_speaker(speaker: Speaker, *, actor: User) -> None:
    """Countersign evidence that a colleague or the worker recorded; its waiting period begins."""
    assurance.require_confirmation(actor)
    with lock_speaker(speaker) as row:
        if row.countersigned_by_id:
            return
        if not row.awaits_countersign:
            raise ActionRefused(_("There is nothing to countersign."), code="ended")
        if not permissions.may_countersign_speaker(reload_person(actor), row):
            raise ActionRefused(
                _(
                    "A second officer countersigns this: the registrar or the standards body, "
                    "with no part in it."
                ),
                code="not_second_officer",
            )
        row.countersigned_by = actor
        with write_events_last():
            record_speaker_event(row, "countersign_speaker", actor=actor)
            begin_speaking(row, actor=actor)


def accept_offer(namespace: Namespace, *, actor: User) -> Speaker:
    """Make the author of a new namespace its speaker; doing it twice is no error."""
    if known := namespace.speakers.in_effect().filter(person=actor).first():
        return known
    with transaction.atomic():
        namespace = Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
        if find_offer(namespace) != actor or not actor.is_active:
            raise ActionRefused(
                _("This is only for the author of a new organization’s first namespace."),
                code="not_author",
            )
        speaker = create_row(namespace, actor, SpeakerBasis.OFFER)
        take_effect(speaker, actor=actor)
    return speaker


# Beginning and waiting


def begin_speaking(speaker: Speaker, *, actor: User) -> None:
    """Let the waiting period of a fact that has been shown begin, or put it into effect at once.

    Call it in the transaction in which it was shown. A second claim on the same holder stops both.
    """
    subject = speaker.subject
    days = find_waiting_days(subject)
    rivals = list_rival_claims(speaker)
    with write_events_last():
        if rivals:
            speaker.waiting_days = days
            reason = _("Somebody else claims to speak for the same holder.")
            for row in (speaker, *rivals):
                stop_speaking(row, actor=actor, by="", reason=reason)
            write_to_addresses_on_record(speaker)
            announce_in_public(speaker, "announce_stop", comment=reason)
        elif days:
            begin_waiting(speaker, days, actor=actor)
        else:
            take_effect(speaker, actor=actor)


def begin_waiting(speaker: Speaker, days: int, *, actor: Person) -> None:
    """Write to every address on record, each with a button that objects; the days follow.

    The waiting period starts when these letters have left.
    """
    speaker.waiting_days, speaker.waiting_since = days, None
    is_removal = speaker.removal_asked_by_id is not None
    if not is_removal:
        speaker.state = SpeakerState.WAITING
    speaker.enter(SpeakerState(speaker.state))
    verb = "await_removal" if is_removal else "await_speaker"
    record_speaker_event(speaker, verb, actor=actor, people=())
    write_to_addresses_on_record(speaker)
    if days == load_calendar().dates.long_waiting_days:
        announce_in_public(speaker, "announce_removal" if is_removal else "announce_speaker")


def write_to_addresses_on_record(speaker: Speaker) -> None:
    """Write to every address on record, and to the person; opening a link changes nothing."""
    addresses = [*list_addresses_on_record(speaker.subject), speaker.person.email.lower()]
    for address in dict.fromkeys(addresses):
        outbox.write_direct_letter(
            "speaker",
            {"speaker": speaker, "link": build_speaker_url(speaker, address)},
            why=_("Your address is on record for it in the registry."),
            key=f"{build_letter_key(speaker)}{address}"[:200],
            address=address,
        )


def build_letter_key(speaker: Speaker) -> str:
    """Return how the keys of the letters about its present state begin."""
    return f"speaker:{speaker.pk}:{speaker.state_since.timestamp():.0f}:"


def take_effect(speaker: Speaker, *, actor: Person) -> None:
    """Let the person act from now on."""
    change_state(speaker, SpeakerState.IN_EFFECT, "add_speaker", actor=actor)


# Ending


def end_speaking(speaker: Speaker, *, actor: User) -> None:
    """End that somebody speaks for a body: leave, take back what one recorded, or remove another.

    All but a removal by another delegate is at once; that waits. Doing it twice is no error.
    """
    if actor.pk != speaker.person_id:
        assurance.require_confirmation(actor)
    with lock_speaker(speaker) as row:
        if row.state == SpeakerState.ENDED or row.removal_asked_by_id == actor.pk:
            return
        end = find_end(actor, row)
        if end != SpeakerEnd.REMOVED or row.state == SpeakerState.ASKED:
            change_state(row, SpeakerState.ENDED, "end_speaker", actor=actor, end=end)
        elif row.state == SpeakerState.IN_EFFECT and row.removal_asked_by_id is None:
            row.removal_asked_by = actor
            with write_events_last():
                begin_waiting(row, find_waiting_days(row.subject), actor=actor)
        else:
            raise ActionRefused(
                _("Another change of %(who)s is already waiting.") % {"who": row.person},
                code="already_waiting",
            )


def may_end_speaking(person: User, speaker: Speaker) -> bool:
    """Whether `person` may end it, at once or after a waiting period."""
    if speaker.state == SpeakerState.ENDED or speaker.removal_asked_by_id:
        return person.pk == speaker.person_id and speaker.state != SpeakerState.ENDED
    try:
        end = find_end(person, speaker)
    except ActionRefused:
        return False
    return end != SpeakerEnd.REMOVED or speaker.state == SpeakerState.IN_EFFECT


def find_end(person: User, speaker: Speaker) -> SpeakerEnd:
    """Return why it ends if `person` ends it; raise `ActionRefused` if they may not."""
    if person.pk == speaker.person_id:
        return SpeakerEnd.LEFT
    is_recorder = person.pk in (speaker.recorded_by_id, speaker.countersigned_by_id)
    if is_recorder and (
        speaker.basis == SpeakerBasis.EVIDENCE or speaker.state == SpeakerState.WAITING
    ):
        return SpeakerEnd.TAKEN_BACK
    is_in_doubt = speaker.awaits_countersign and speaker.is_by_domain
    if is_in_doubt and permissions.may_countersign_speaker(person, speaker):
        return SpeakerEnd.LAPSED
    body = speaker.body
    if body is None or not permissions.is_delegate_of(person, body):
        raise ActionRefused(
            _("Only the delegates of %(organization)s can say who acts for it.")
            % {"organization": body or speaker.subject},
            code="not_delegate",
        )
    return SpeakerEnd.REMOVED


# Objections and rulings


def object_to_speaker(speaker: Speaker, *, actor: Person, by: str, reason: str) -> None:
    """Stop a fact that waits or is in effect, until the objection is taken back or ruled on.

    `by` is a name, or the address on record whose letter had the button. If it is a removal that
    is stopped, neither the person nor who asked for it acts meanwhile.
    """
    with lock_speaker(speaker) as row:
        if row.state == SpeakerState.STOPPED:
            return
        if row.state not in {SpeakerState.WAITING, SpeakerState.IN_EFFECT}:
            raise ActionRefused(
                _("This has ended: %(outcome)s.") % {"outcome": row.get_end_display()},
                code="ended",
            )
        if isinstance(actor, User) and not may_object(actor, row):
            raise ActionRefused(
                _("Only people who speak for the organization can object."),
                code="not_representative",
            )
        if not reason.strip():
            raise ActionRefused(_("Say why; it is public."), code="no_reasons")
        with write_events_last():
            for each in (row, *list_rows_stopped_with(row)):
                stop_speaking(each, actor=actor, by=by, reason=reason.strip())
            announce_in_public(row, "announce_stop", comment=reason.strip())


def withdraw_objection(speaker: Speaker, *, actor: Person, by: str) -> None:
    """Take back one's own objection; the waiting period goes on where it was."""
    with lock_speaker(speaker) as row:
        if row.state != SpeakerState.STOPPED:
            return
        if not row.objected_by or row.objected_by != by:
            raise ActionRefused(
                _("Only who objected can take the objection back."), code="not_objector"
            )
        stopped = list_speakers(row.subject).filter(
            state=SpeakerState.STOPPED, objected_by=by, objection=row.objection
        )
        with write_events_last():
            for each in stopped.order_by("pk"):
                each.objection = each.objected_by = ""
                state = SpeakerState.IN_EFFECT if each.effective_at else SpeakerState.WAITING
                change_state(each, state, "resume_speaker", actor=actor)


def may_object(person: User, speaker: Speaker) -> bool:
    """Whether `person` may object: who speaks for the body, or anybody where nobody on record can.

    The person concerned objects to a removal; to the rest they say no by leaving.
    """
    if speaker.state not in {SpeakerState.WAITING, SpeakerState.IN_EFFECT}:
        return False
    if person.pk == speaker.person_id:
        return speaker.removal_asked_by_id is not None
    others = list_speakers(speaker.subject).in_effect().exclude(pk=speaker.pk)
    if others.filter(person=person).exists():
        return person.is_active
    is_anybody_there = others.filter(person__is_active=True).exists() or list_addresses_of_others(
        speaker
    )
    return not is_anybody_there and permissions.has_confirmed_address(person)


def list_addresses_of_others(speaker: Speaker) -> list[str]:
    """Return the addresses on record, but for the account that it is about."""
    own = speaker.person.email.lower()
    return [each for each in list_addresses_on_record(speaker.subject) if each != own]


def list_rows_stopped_with(speaker: Speaker) -> list[Speaker]:
    """Return what is stopped with a row: who asked for its removal, and whom its person named."""
    rows = list_speakers(speaker.subject).filter(
        state__in=[SpeakerState.WAITING, SpeakerState.IN_EFFECT]
    )
    if speaker.removal_asked_by_id:
        return list(rows.filter(person=speaker.removal_asked_by_id).exclude(pk=speaker.pk))
    named = rows.filter(basis=SpeakerBasis.NAMED, recorded_by=speaker.person_id)
    return list(named.exclude(pk=speaker.pk))


def stop_speaking(speaker: Speaker, *, actor: Person, by: str, reason: str) -> None:
    """Stop a row, and tell the standards body, which rules on it."""
    if speaker.state == SpeakerState.STOPPED:
        return
    speaker.objection, speaker.objected_by = reason, by[:300]
    change_state(
        speaker,
        SpeakerState.STOPPED,
        "stop_speaker",
        actor=actor,
        comment=reason,
        offices=[LetterReason.STANDARDS_BODY],
    )


def rule_on_speakers(
    subject: Subject, speaking: Collection[int], reasons: str, *, actor: User
) -> None:
    """Rule who speaks for a body, of all who do, did until they were stopped, or would.

    `speaking` are keys of rows: these are in effect at once, and the others end.
    """
    assurance.require_confirmation(actor)
    with transaction.atomic(), write_events_last():
        subject = lock_subject(subject)
        body = find_body(subject)
        if not permissions.may_rule_on_speakers(reload_person(actor)) or (
            body and permissions.is_tied_to(actor, body)
        ):
            raise ActionRefused(
                _("This is for the standards body, by somebody with no stake in the namespace."),
                code="not_standards_body",
            )
        if not reasons.strip():
            raise ActionRefused(
                _("Give your reasons, and where the ruling is recorded; they are public."),
                code="no_reasons",
            )
        rows = list(rows_to_rule_on(subject).select_for_update(no_key=True, of=("self",)))
        if any(row.person_id == actor.pk for row in rows):
            raise ActionRefused(_("You have a part in this."), code="has_stake")
        for row in rows:
            row.removal_asked_by = None
            if row.pk not in speaking:
                end = SpeakerEnd.RULED
                change_state(row, SpeakerState.ENDED, "end_speaker", actor=actor, end=end)
            elif row.state != SpeakerState.IN_EFFECT:
                row.objection = row.objected_by = ""
                take_effect(row, actor=actor)
        for ruled_on in (*([body] if body else []), *list_held(subject)):
            data: dict[str, Any] = {"organization": str(body or subject)}
            if ruled_on == body:
                data |= {"organization_id": body.pk, "people": []}
            verb = "rule_on_speakers"
            record_event(ruled_on, actor=actor, verb=verb, comment=reasons.strip(), data=data)


def rows_to_rule_on(subject: Subject) -> QuerySet[Speaker]:
    """Return the rows on which the standards body can rule."""
    rows = list_speakers(subject).filter(
        state__in=[SpeakerState.WAITING, SpeakerState.STOPPED, SpeakerState.IN_EFFECT]
    )
    return rows.select_related("person", "organization", "namespace__registrant")


# The yearly letter


def confirm_speaking(speaker: Speaker) -> None:
    """Record the answer to the yearly letter: the person still speaks for the body."""
    with lock_speaker(speaker) as row:
        if row.state != SpeakerState.IN_EFFECT:
            raise ActionRefused(_("This has ended."), code="ended")
        row.confirmed_at, row.yearly_letters = timezone.now(), 0
        row.save(update_fields=["confirmed_at", "yearly_letters"])


def write_yearly_letter(speaker: Speaker, now: datetime.datetime) -> None:
    """Ask whether the person still speaks for the body, or remind them of that."""
    speaker.yearly_letters, speaker.reminded_at = speaker.yearly_letters + 1, now
    speaker.save(update_fields=["yearly_letters", "reminded_at"])
    outbox.write_direct_letter(
        "speaker_yearly",
        {
            "speaker": speaker,
            "days": YEARLY_LETTER_DAYS * (3 - speaker.yearly_letters),
            "link": build_speaker_url(speaker, speaker.person.email),
        },
        why=_("You speak for it in the registry."),
        key=f"yearly:{speaker.pk}:{now:%Y-%m-%d}",
        address=speaker.person.email,
        person=speaker.person,
    )


# Scheduler


def tick_speakers(now: datetime.datetime) -> Counter[str]:
    """Begin waiting periods, put into effect what is due, and write yearly letters."""
    done: Counter[str] = Counter()
    calendar = load_calendar()
    for pk in Speaker.objects.open().values_list("pk", flat=True).order_by("pk"):
        with transaction.atomic():
            row = Speaker.objects.select_for_update(no_key=True, of=("self",)).get(pk=pk)
            done += tick_speaker(row, calendar, now)
    return done


def tick_speaker(speaker: Speaker, calendar: Calendar, now: datetime.datetime) -> Counter[str]:
    """Do what is due for one row, which is locked."""
    if speaker.state == SpeakerState.WAITING or (
        speaker.state == SpeakerState.IN_EFFECT and speaker.removal_asked_by_id
    ):
        return tick_waiting(speaker, calendar, now)
    if speaker.state == SpeakerState.IN_EFFECT:
        return tick_yearly_letter(speaker, calendar, now)
    if speaker.state == SpeakerState.ASKED and not speaker.awaits_countersign:
        if calendar.count_days(speaker.asked_at, now) >= settings.REGISTRY_PROOF_DAYS:
            speaker.finish(SpeakerEnd.LAPSED)
            return Counter(lapse_proof=1)
        return Counter()
    if not is_reminder_due(speaker, calendar, now):
        return Counter()
    speaker.reminded_at = now
    speaker.save(update_fields=["reminded_at"])
    office, _people = find_officers(speaker)
    record_speaker_event(
        speaker, "remind_speaker", actor=CLOCK, people=(), offices=[REASON_BY_TURN[office]]
    )
    return Counter(remind_speaker=1)


def tick_waiting(speaker: Speaker, calendar: Calendar, now: datetime.datetime) -> Counter[str]:
    """Begin the waiting period once all its letters have left, and end it when it is over."""
    if speaker.waiting_since is None:
        letters = Letter.objects.filter(key__startswith=build_letter_key(speaker))
        if not letters.waiting().exists():
            speaker.waiting_since = now
            speaker.save(update_fields=["waiting_since"])
        return Counter()
    if now < calendar.add_days(speaker.waiting_since, speaker.waiting_days or 0):
        return Counter()
    if speaker.removal_asked_by_id:
        end = SpeakerEnd.REMOVED
        change_state(speaker, SpeakerState.ENDED, "end_speaker", actor=CLOCK, end=end)
        return Counter(end_speaker=1)
    namer = speaker.recorded_by if speaker.basis == SpeakerBasis.NAMED else None
    body = speaker.organization
    is_orphaned = namer and body and not permissions.is_delegate_of(namer, body)
    if is_orphaned or not speaker.person.is_active:
        end = SpeakerEnd.LAPSED
        change_state(speaker, SpeakerState.ENDED, "end_speaker", actor=CLOCK, end=end)
        return Counter(end_speaker=1)
    take_effect(speaker, actor=CLOCK)
    return Counter(add_speaker=1)


def tick_yearly_letter(
    speaker: Speaker, calendar: Calendar, now: datetime.datetime
) -> Counter[str]:
    """Write the yearly letter and its reminder; end what nobody answers."""
    if speaker.yearly_letters == 0:
        since, days = speaker.confirmed_at or speaker.state_since, ONE_YEAR.days
    else:
        since, days = speaker.reminded_at or speaker.state_since, YEARLY_LETTER_DAYS
    if calendar.count_days(since, now) < days:
        return Counter()
    if speaker.yearly_letters < 2:
        write_yearly_letter(speaker, now)
        return Counter(yearly_letter=1)
    end = SpeakerEnd.UNANSWERED
    change_state(speaker, SpeakerState.ENDED, "end_speaker", actor=CLOCK, end=end)
    return Counter(end_speaker=1)


# Rows, events, refusals


def create_row(
    subject: Subject,
    person: User,
    basis: SpeakerBasis,
    *,
    recorded_by: User | None = None,
    **facts: Any,
) -> Speaker:
    """Return a new row that is still to be shown."""
    now = timezone.now()
    return Speaker.objects.create(
        person=person,
        organization=subject if isinstance(subject, Organization) else None,
        namespace=subject if isinstance(subject, Namespace) else None,
        basis=basis,
        state=SpeakerState.ASKED,
        state_since=now,
        asked_at=now,
        recorded_by=recorded_by,
        **facts,
    )


def change_state(
    speaker: Speaker,
    state: SpeakerState,
    verb: str,
    *,
    actor: Person,
    end: SpeakerEnd | None = None,
    comment: str = "",
    offices: Iterable[LetterReason] = (),
) -> None:
    """Save a row in a new state, with its event and its letters."""
    rows = digest_stored_rows([speaker])
    people = list_parties(speaker)
    if end:
        speaker.finish(end)
    else:
        speaker.enter(state)
    record_speaker_event(
        speaker, verb, actor=actor, comment=comment, people=people, offices=offices, rows=rows
    )


def list_parties(speaker: Speaker) -> list[int]:
    """Return the keys of the people whom it concerns."""
    acting = list_speakers(speaker.subject).in_effect().values_list("person", flat=True)
    own = (speaker.person_id, speaker.recorded_by_id, speaker.removal_asked_by_id)
    return list(dict.fromkeys(key for key in (*acting, *own) if key))


def record_speaker_event(
    speaker: Speaker,
    verb: str,
    *,
    actor: Person,
    comment: str = "",
    people: Iterable[int] | None = None,
    offices: Iterable[LetterReason] = (),
    rows: dict[str, str | None] | None = None,
) -> None:
    """Write the event of a row: of its organization, or of its one namespace."""
    body = speaker.body
    data: dict[str, Any] = {
        "speaker": speaker.pk,
        "delegate": str(speaker.person),
        "subject": str(speaker.subject),
        "basis": speaker.basis,
        "days": speaker.waiting_days or 0,
        "people": list_parties(speaker) if people is None else list(people),
        "to": list(offices),
    }
    if body:
        data |= {"organization": str(body), "organization_id": body.pk}
    if speaker.end:
        data["end"] = speaker.end
    record_event(speaker.subject, actor=actor, verb=verb, comment=comment, data=data, rows=rows)


def announce_in_public(speaker: Speaker, verb: str, *, comment: str = "") -> None:
    """Say on each namespace of the body, without names, what is about to happen."""
    body = speaker.body
    for namespace in list_held(speaker.subject):
        data = {
            "nid": namespace.nid,
            "organization": str(body or namespace),
            "days": speaker.waiting_days or 0,
        }
        record_event(namespace, actor=CLOCK, verb=verb, comment=comment, data=data)


def list_held(subject: Subject) -> list[Namespace]:
    """Return the namespaces of a body, or the one namespace."""
    if isinstance(subject, Namespace):
        return [subject]
    return list(subject.namespaces.order_by("nid"))


def lock_body(organization: Organization) -> Organization:
    """Return the organization, locked until the transaction ends."""
    return Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)


def lock_subject(subject: Subject) -> Subject:
    """Return the organization or the namespace, locked until the transaction ends."""
    if isinstance(subject, Organization):
        return lock_body(subject)
    return Namespace.objects.select_for_update(no_key=True).get(pk=subject.pk)


@contextmanager
def lock_speaker(speaker: Speaker) -> Iterator[Speaker]:
    """Yield the row as it is now, locked until the transaction of the block ends."""
    with transaction.atomic():
        lock_subject(speaker.subject)
        yield Speaker.objects.select_for_update(no_key=True, of=("self",)).get(pk=speaker.pk)


def find_open_row(subject: Subject, person: User) -> Speaker | None:
    """Return the row by which `person` speaks for exactly this, or will, or was stopped."""
    rows = subject.speakers.open().filter(person=person)
    return rows.exclude(state=SpeakerState.ASKED, evidence="").first()


def require_account(address: str) -> User:
    """Return the account with that confirmed address, or raise `ActionRefused`."""
    person = find_account(address)
    if person is None:
        raise ActionRefused(
            _(
                "There is no account with the confirmed address %(address)s. Ask them to create "
                "one, then name them again."
            )
            % {"address": address},
            code="unknown_account",
        )
    return person


def refuse_reviewing_expert(organization: Organization, person: User) -> None:
    """Raise `ActionRefused` if `person` reviews a request of the organization.

    A delegate is party to its requests: naming an expert would take them off one that they judge.
    """
    judged = RegistrationRequest.objects.filter(state__in=EXPERT_STATES)
    review = (
        Assignment.objects.active()
        .filter(expert=person, registration_request__in=judged.concerning(organization))
        .select_related("registration_request")
        .first()
    )
    if review:
        raise ActionRefused(
            _(
                "%(who)s reviews the request %(reference)s of this organization, and cannot act "
                "for it meanwhile."
            )
            % {"who": person, "reference": review.registration_request.reference},
            code="reviewer",
        )
