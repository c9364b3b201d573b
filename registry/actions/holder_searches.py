"""Searching for an unresponsive holder, and speaking for a single namespace.

Two letters go to every address on record, then there is a public notice; then the standards body
decides. Any sign of the holder ends the search at once, and the holder can act all the time.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.actions.organization_proofs import list_proof_addresses
from registry.enums import ChangeKind, SearchOutcome, SpeakerBasis
from registry.journal.row_digests import NEW_ROW, build_row_key
from registry.models import HolderSearch, Namespace, Round, Speaker, User
from registry.notifications import outbox
from registry.notifications.holder_links import build_search_answer_url
from registry.permissions import CLOCK
from registry.selectors.accounts import find_account
from registry.selectors.deadlines import build_reminder_data
from registry.selectors.holder_addresses import list_holder_addresses
from registry.selectors.holder_clock import find_letter_delay, find_opening_time, find_search_wait
from registry.selectors.holder_consent import find_offer
from registry.workflow.events import record_event, write_events_last
from registry.workflow.holder_signs import end_search, record_search_event
from registry.workflow.holder_words import ask_new_holder
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused


def list_search_addresses(namespace: Namespace) -> list[str]:
    """Return every address on record, and the standard mailboxes of the holder's domain."""
    known = list_holder_addresses(namespace)
    if namespace.registrant:
        known += list_proof_addresses(namespace.registrant)
    return list(dict.fromkeys(known))


def begin_search(
    namespace: Namespace, *, actor: User, addresses: Sequence[str] = (), source: str = ""
) -> HolderSearch:
    """Write the first letters to every address on record; nothing is public yet.

    The registrar may add `addresses`, with their source. Raises `ActionRefused` if there is no
    address at all: a search that reaches nobody shows nothing.
    """
    if addresses and not source.strip():
        raise ActionRefused(_("Say where these addresses are known from."), code="no_source")
    try:
        with transaction.atomic():
            # The holder, and the parties to requests about the namespace, stay the same until the
            # end.
            namespace = Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
            refuse_party(namespace, actor)
            known = dict.fromkeys([*list_search_addresses(namespace), *map(str.lower, addresses)])
            if not known:
                raise ActionRefused(
                    _("No address is on record. Enter one, and say where it is known from."),
                    code="no_address",
                )
            now = timezone.now()
            pause = datetime.timedelta(settings.REGISTRY_SEARCH_PAUSE_DAYS)
            if namespace.holder_searches.filter(ended_at__gt=now - pause).exists():
                raise ActionRefused(
                    _("A search for the holder was made less than a year ago."), code="too_soon"
                )
            search = HolderSearch.objects.create(
                namespace=namespace,
                begun_by=actor,
                begun_at=now,
                addresses=list(known),
            )
            write_search_letters(search, "first")
            record_search_event(search, "begin_search", actor=actor, comment=source.strip())
    except IntegrityError:
        raise ActionRefused(_("A search is already under way."), code="already_searching") from None
    return search


def write_search_letters(search: HolderSearch, which: str) -> None:
    """Write to every address on record, each with a link to answer."""
    addresses = list(dict.fromkeys([*search.addresses, *list_search_addresses(search.namespace)]))
    search.addresses = addresses
    search.save(update_fields=["addresses"])
    for address in addresses:
        context = {
            "search": search,
            "which": which,
            "answer": build_search_answer_url(search, address),
        }
        outbox.write_direct_letter(
            "holder_search",
            context,
            why=_("Your address is on record for this namespace."),
            key=f"search:{search.pk}:{which}:{address}"[:200],
            address=address,
        )


def open_search(search: HolderSearch, *, actor: User) -> None:
    """Open the search after two unanswered letters: a public notice is shown for some time."""
    with transaction.atomic():
        search = lock_search(search)
        refuse_party(search.namespace, actor)
        if search.opened_at:
            return
        opening = find_opening_time(search)
        now = timezone.now()
        if opening is None or now < opening:
            raise ActionRefused(
                _("It can be opened only after two letters, some days apart, got no answer."),
                code="too_early",
            )
        search.opened_by, search.opened_at, search.reminded_at = actor, now, None
        search.notice_until = now + datetime.timedelta(settings.REGISTRY_SEARCH_NOTICE_DAYS)
        search.save()
        write_search_letters(search, "notice")
        record_search_event(search, "open_search", actor=actor, day=search.notice_until)


@dataclass(frozen=True, slots=True)
class SearchFinding:
    """The standards body's finding: who speaks for the namespace, or which text is published."""

    evidence: str
    speaker: User | None = None
    round: Round | None = None


def decide_search(search: HolderSearch, finding: SearchFinding, *, actor: User) -> None:
    """Record the standards body's finding, which takes effect later and can be appealed."""
    with transaction.atomic():
        search = lock_search(search)
        refuse_undecider(search.namespace, actor)
        now = timezone.now()
        if search.notice_until is None or now < search.notice_until:
            raise ActionRefused(
                _("The public notice has to run for its whole time first."), code="notice_running"
            )
        if search.decided_at:
            raise ActionRefused(_("It has already been decided."), code="already_decided")
        if not finding.evidence.strip() or (finding.speaker is None) == (finding.round is None):
            raise ActionRefused(
                _(
                    "Say with evidence who speaks for the namespace, or which one text is "
                    "published."
                ),
                code="no_finding",
            )
        refuse_own_finding(search, finding, actor)
        search.decided_by, search.decided_at, search.reminded_at = actor, now, None
        search.evidence = finding.evidence.strip()
        search.speaker, search.round = finding.speaker, finding.round
        search.takes_effect_at = now + datetime.timedelta(settings.REGISTRY_SEARCH_EFFECT_DAYS)
        search.save()
        write_search_letters(search, "decided")
        record_search_event(
            search,
            "decide_search",
            actor=actor,
            comment=search.evidence,
            day=search.takes_effect_at,
        )


def refuse_own_finding(search: HolderSearch, finding: SearchFinding, actor: User) -> None:
    """Refuse to appoint an officer of the search itself, or a text that `actor` is party to."""
    if finding.speaker and finding.speaker.pk in {
        actor.pk,
        search.begun_by_id,
        search.opened_by_id,
    }:
        raise ActionRefused(
            _("The people who search or decide cannot be named as the holder."), code="own_finding"
        )
    asked = finding.round.registration_request if finding.round else None
    if asked and (
        permissions.is_party(actor, asked) or permissions.has_declared_conflict(actor, asked)
    ):
        raise ActionRefused(
            _("You have a stake in that request. Another member of the standards body decides."),
            code="has_stake",
        )


def find_speaker(address: str) -> User:
    """Return the account with that address, or raise `ActionRefused`."""
    person = find_account(address)
    if person is None:
        raise ActionRefused(
            _("There is no account with that confirmed address."), code="unknown_account"
        )
    return person


def find_round_to_publish(namespace: Namespace, reference: str) -> Round:
    """Return the last round of a live request to change the namespace, or raise `ActionRefused`."""
    asked = namespace.requests.live().filter(reference=reference.strip().upper())
    found = asked.exclude(change=ChangeKind.NEW).first()
    last = found.last_round if found else None
    if last is None:
        raise ActionRefused(
            _("No open request to change this namespace has that reference."),
            code="unknown_request",
        )
    return last


def appeal_search(search: HolderSearch, text: str, *, actor: User) -> None:
    """Ask the standards body to look at its finding again; until then it does not take effect."""
    if not permissions.has_confirmed_address(actor):
        raise ActionRefused(_("First confirm your own email address."), code="address_unconfirmed")
    with transaction.atomic():
        search = lock_search(search)
        if search.decided_at is None:
            raise ActionRefused(_("Nothing is decided yet."), code="undecided")
        if search.appealed_at:
            raise ActionRefused(_("It has already been appealed."), code="already_appealed")
        if not text.strip():
            raise ActionRefused(_("Say why it should be overturned."), code="no_reasons")
        search.appealed_by, search.appealed_at = actor, timezone.now()
        search.reminded_at = None
        search.appeal = text.strip()
        search.save()
        record_search_event(search, "appeal_search", actor=actor, comment=search.appeal)


def rule_on_search(search: HolderSearch, *, is_upheld: bool, reasons: str, actor: User) -> None:
    """Answer the appeal: the finding stands, or is dropped and the search ends."""
    with transaction.atomic():
        search = lock_search(search)
        refuse_undecider(search.namespace, actor)
        if not search.is_stayed:
            raise ActionRefused(_("No appeal waits for an answer."), code="no_appeal")
        if actor.pk in {search.speaker_id, search.appealed_by_id}:
            raise ActionRefused(
                _("You are party to this appeal. Another member of the standards body decides."),
                code="own_appeal",
            )
        if not reasons.strip():
            raise ActionRefused(_("Give your reasons; they are public."), code="no_reasons")
        search.appeal_answered_at = timezone.now()
        verb = "uphold_search" if is_upheld else "drop_search"
        if is_upheld:
            search.save()
        else:
            end_search(search, SearchOutcome.DROPPED)
        record_search_event(search, verb, actor=actor, comment=reasons.strip())


def refuse_party(namespace: Namespace, actor: User) -> None:
    """Refuse people who are not registrars now, or have a stake in the namespace."""
    if not permissions.may_search_holder(reload_person(actor), namespace):
        raise ActionRefused(
            _("Only a registrar who has no stake in the namespace can search for its holder."),
            code="not_registrar",
        )


def refuse_undecider(namespace: Namespace, actor: User) -> None:
    """Refuse people who do not speak for the standards body now, or have a stake."""
    if not permissions.may_decide_search(reload_person(actor), namespace):
        raise ActionRefused(
            _("This is for the standards body, by somebody with no stake in the namespace."),
            code="not_standards_body",
        )


def lock_search(search: HolderSearch) -> HolderSearch:
    """Return the search, locked until the transaction ends, unless it has ended."""
    locked = HolderSearch.objects.select_for_update(no_key=True).get(pk=search.pk)
    if locked.ended_at:
        raise ActionRefused(
            _("The search has ended: %(outcome)s.") % {"outcome": locked.get_outcome_display()},
            code="ended",
        )
    return locked


# Scheduler.


def tick_searches(now: datetime.datetime) -> Counter[str]:
    """Write second letters, remind people who must act, and apply findings that are due."""
    done: Counter[str] = Counter()
    for pk in HolderSearch.objects.under_way().values_list("pk", flat=True).order_by("pk"):
        with transaction.atomic():
            search = HolderSearch.objects.select_for_update(no_key=True).get(pk=pk)
            done += tick_search(search, now)
    return done


def tick_search(search: HolderSearch, now: datetime.datetime) -> Counter[str]:
    """Do what is due for one search, whose row is locked."""
    if search.ended_at:
        return Counter()
    if search.second_letters_at is None:
        if now < search.begun_at + find_letter_delay():
            return Counter()
        search.second_letters_at = now
        search.save(update_fields=["second_letters_at"])
        write_search_letters(search, "second")
        return Counter(search_letters=1)
    if is_finding_ripe(search, now):
        apply_finding(search)
        return Counter(take_up_search=1)
    return remind_office(search, now)


def is_finding_ripe(search: HolderSearch, now: datetime.datetime) -> bool:
    """Whether the finding takes effect: its waiting time is over, and no appeal is open."""
    return (
        search.takes_effect_at is not None
        and search.takes_effect_at <= now
        and not search.is_stayed
    )


def apply_finding(search: HolderSearch) -> None:
    """Apply the finding: a speaker for this namespace only, or one text."""
    rows: dict[str, str | None] = {}
    if search.speaker:
        known = search.namespace.speakers.in_effect().filter(person=search.speaker)
        if not known.exists():
            speaker = Speaker.objects.put_in_effect(
                search.speaker,
                SpeakerBasis.EVIDENCE,
                namespace=search.namespace,
                recorded_by=search.decided_by,
            )
            rows = {build_row_key(speaker): NEW_ROW}
    end_search(search, SearchOutcome.DECIDED)
    with write_events_last():
        record_search_event(search, "take_up_search", actor=CLOCK, rows=rows)
        if search.speaker:
            ask_new_holder(search.namespace)


def remind_office(search: HolderSearch, now: datetime.datetime) -> Counter[str]:
    """Remind the people who must act next, repeatedly until they do."""
    wait = find_search_wait(search, now)
    due = wait.find_due_reminder(search.reminded_at, now) if wait else None
    if due is None:
        return Counter()
    search.reminded_at = now
    search.save(update_fields=["reminded_at"])
    data = build_reminder_data(due, now) | {"nid": search.namespace.nid}
    # The event is about the search, not the namespace: it is news for those offices only.
    record_event(search, actor=CLOCK, verb="remind_search", data=data, is_reminder=True)
    return Counter(remind_search=1)


# Speaking for a single new namespace.


def accept_offer(namespace: Namespace, *, actor: User) -> Speaker:
    """Make the author of a new namespace its only speaker; doing it twice is no error."""
    known = namespace.speakers.in_effect().filter(person=actor).first()
    if known:
        return known
    with transaction.atomic():
        namespace = Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
        if find_offer(namespace) != actor or not actor.is_active:
            raise ActionRefused(
                _("This is only for the author of a new organization’s first namespace."),
                code="not_author",
            )
        speaker = Speaker.objects.put_in_effect(actor, SpeakerBasis.OFFER, namespace=namespace)
        record_event(
            namespace,
            actor=actor,
            verb="accept_offer",
            data={"nid": namespace.nid},
            rows={build_row_key(speaker): NEW_ROW},
        )
    return speaker
