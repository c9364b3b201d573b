"""What the registry does automatically when a deadline passes: reminders, expiry, cleanup."""

from __future__ import annotations

import datetime
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from registry import journal, notifications, permissions, rate_limits, workflow
from registry.actions import (
    contact_confirmations,
    entry_links,
    expert_assignment,
    speakers,
)
from registry.actions.account_security import delete_old_account_events
from registry.actions.mailed_templates import delete_expired_templates
from registry.actions.officer_changes import tick_officer_changes
from registry.actions.own_data import delete_old_invitations, delete_old_letters
from registry.actions.pending_comments import publish_due_comments
from registry.actions.recognition import build_recognition_data, pending_recognitions
from registry.actions.resolution_services import move_due_services
from registry.batches import batched
from registry.database import is_database_unavailable
from registry.due_requests import iterate_due_requests
from registry.enums import LetterReason, State, Turn
from registry.exchange import exports, iana, locator_tables
from registry.models import (
    Event,
    IdempotencyRecord,
    Recognition,
    RegistrationRequest,
    Reminder,
    RequestCheck,
    SchedulerDay,
)
from registry.models.dates import load_calendar
from registry.notifications import webhooks
from registry.notifications.recipients import REASON_BY_TURN, is_public
from registry.notifications.reminders import ReminderLetter
from registry.selectors.deadlines import (
    Deadline,
    build_reminder_data,
    is_rota_due,
    list_due_deadlines,
)
from registry.selectors.recognition_clock import find_due_recognition_deadline
from registry.selectors.request_clock import (
    RequestClock,
    add_reminder,
    list_changed_judges,
    list_doubtful_reviews,
    read_request_clock,
    read_request_clocks,
)
from registry.workflow import pauses
from registry.workflow.events import record_event, record_events

IDEMPOTENCY_RECORD_LIFETIME: Final = datetime.timedelta(days=1)


def meet_deadline(pk: int, deadline: Deadline, now: datetime.datetime) -> Counter[str]:
    """Do what `deadline` requires, unless somebody acted in between or another tick did it."""
    with transaction.atomic():
        standing = lock_request_clock(pk)
        if deadline not in list_due_deadlines(standing, now):
            return Counter()
        if not deadline.is_expiry:
            return send_reminders([standing], now)
        expire_request(standing.registration_request, deadline)
    return Counter([deadline.verb])


def meet_reminders(keys: Sequence[int], now: datetime.datetime) -> Counter[str]:
    """Send all due reminders about these requests, together or not at all.

    What many requests have in common is read once, and the transaction is committed once.
    """
    with transaction.atomic():
        held = RegistrationRequest.objects.select_for_update(no_key=True, of=("self",))
        requests = list(
            held.select_related("organization", "author", "namespace")
            .filter(pk__in=keys)
            .order_by("pk")
        )
        return send_reminders(list(read_request_clocks(requests)), now)


def assign_untaken_request(pk: int, now: datetime.datetime) -> Counter[str]:
    """Have the rota assign an expert to a request that nobody took; it may find nobody."""
    with transaction.atomic():
        standing = lock_request_clock(pk)
        if not is_rota_due(standing, now):
            return Counter()
        event = expert_assignment.assign_next_expert(standing.registration_request)
    return Counter([event.verb] if event else [])


def call_for_exports(now: datetime.datetime) -> Counter[str]:
    """Have the worker build outdated files; this itself does nothing, so it does not count."""
    exports.request_due_refresh(now)
    return Counter()


def delete_idempotency_records(now: datetime.datetime) -> int:
    """Delete responses to programs that are too old to be replayed; return how many."""
    deleted, _rows = IdempotencyRecord.objects.filter(
        at__lt=now - IDEMPOTENCY_RECORD_LIFETIME
    ).delete()
    return deleted


def lock_request_clock(pk: int) -> RequestClock:
    """Return the state of a request, locked until the transaction ends."""
    return read_request_clock(RegistrationRequest.objects.select_for_update(no_key=True).get(pk=pk))


def expire_request(registration_request: RegistrationRequest, deadline: Deadline) -> None:
    """Let the request expire, and say why in public."""
    days = (deadline.at - deadline.since).days
    comment = ngettext(
        "Nobody has touched this request for %(days)d day, so it has expired. Its page stays, "
        "its identifier is free, and the registrant can reopen it.",
        "Nobody has touched this request for %(days)d days, so it has expired. Its page stays, "
        "its identifier is free, and the registrant can reopen it.",
        days,
    )
    workflow.perform(
        registration_request,
        deadline.verb,
        actor=permissions.CLOCK,
        comment=comment % {"days": days},
    )


def send_reminders(clocks: Sequence[RequestClock], now: datetime.datetime) -> Counter[str]:
    """Send the reminders that are due; return how many.

    People who can act today are notified each time, no matter whom else the deadline names. The
    transaction locks the requests, so that nobody else sends these reminders meanwhile.
    """
    due = [
        (standing, deadline)
        for standing in clocks
        for deadline in list_due_deadlines(standing, now)
        if not deadline.is_expiry
    ]
    Reminder.objects.bulk_create(
        Reminder(
            registration_request=standing.registration_request,
            kind=deadline.kind,
            since=deadline.since,
            at=now,
        )
        for standing, deadline in due
    )
    events = [compose_reminder(standing, deadline, now) for standing, deadline in due]
    # A reminder changes nothing that another's letters say: facts are read once for all.
    with permissions.ask_each_fact_once():
        notifications.preload_letter_facts(add_reminders(due, now))
        others = [
            letter
            for event, (standing, _deadline) in zip(events, due, strict=True)
            for letter in compose_other_letters(event, standing)
        ]
        record_events(events, others, is_reminder=True)
    return Counter(deadline.verb for _standing, deadline in due)


def add_reminders(
    due: Iterable[tuple[RequestClock, Deadline]], now: datetime.datetime
) -> Iterable[RequestClock]:
    """Return the state of the requests once the due reminders were sent."""
    reminded: dict[int, RequestClock] = {}
    for standing, _deadline in due:
        key = standing.registration_request.pk
        reminded[key] = add_reminder(reminded.get(key, standing), now)
    return reminded.values()


def compose_reminder(standing: RequestClock, deadline: Deadline, now: datetime.datetime) -> Event:
    """Return the event of one reminder, unsaved."""
    return journal.compose_line(
        standing.registration_request,
        actor=None,
        verb=deadline.verb,
        data=build_reminder_data(deadline, now, REASON_BY_TURN[standing.turn]),
    )


def compose_other_letters(event: Event, standing: RequestClock) -> Iterator[ReminderLetter]:
    """Yield letters to the contacts of a silent body, or to administrators about an orphaned draft.

    Their text differs from that of the reminder itself.
    """
    registration_request = standing.registration_request
    if registration_request.state == State.ADVISORY:
        yield from notifications.ask_contacts_to_keep(event, standing)
    if standing.turn == Turn.ADMINISTRATOR and not is_public(registration_request):
        yield from notifications.tell_administrators_of_draft(event, standing)


def remind_of_recognition(pk: int, deadline: Deadline, now: datetime.datetime) -> Counter[str]:
    """Remind the people who decide on a recognition that it waits, unless done or decided."""
    with transaction.atomic():
        asked = Recognition.objects.select_for_update(no_key=True).get(pk=pk)
        if asked.is_granted is not None:
            return Counter()
        _nudge, is_new = Reminder.objects.get_or_create(
            recognition=asked, kind=deadline.kind, since=deadline.since, defaults={"at": now}
        )
        if not is_new:
            return Counter()
        data = build_reminder_data(deadline, now) | build_recognition_data(asked)
        record_event(asked, actor=permissions.CLOCK, verb=deadline.verb, data=data)
    return Counter([deadline.verb])


def note_who_can_judge(pk: int, now: datetime.datetime) -> Counter[str]:
    """Record which experts on a request can no longer judge it, and which can again.

    About each who cannot, the lead and the expert are notified the same day: from then on the
    request does not count on them.
    """
    with transaction.atomic():
        standing = lock_request_clock(pk)
        registration_request, lost = standing.registration_request, []
        for each in list_changed_judges(standing):
            each.unable_since = None if each in standing.experts else now
            each.save(update_fields=["unable_since"])
            if each.unable_since:
                lost.append(each.expert)
        RequestCheck.objects.schedule({pk: now})
        turn = read_request_clock(registration_request).turn if lost else standing.turn
        for expert in lost:
            told = {
                "to": sorted({str(LetterReason.LEAD), str(REASON_BY_TURN[turn])}),
                "people": [expert.pk],
                "kind": "expert-lost",
                "expert": str(expert),
            }
            record_event(registration_request, actor=permissions.CLOCK, verb="alarm", data=told)
    return Counter({"alarm": len(lost)})


REMINDER_BATCH_SIZE: Final = 50
"""How many requests get reminders in one transaction. Nobody else can write to the journal
meanwhile, so it has to take only a fraction of a second.
"""
logger = logging.getLogger(__name__)


@dataclass
class TickReport:
    """What one tick has done: how often by the verb of the journal, and what failed."""

    renew_lease: Callable[[], None] = lambda: None
    done: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def attempt(self, name: str, act: Callable[[], Counter[str]]) -> None:
        """Add what `act` did; if it fails, log that and let the others continue.

        Without a database the others would fail as well.
        """
        self.renew_lease()
        try:
            self.done += act()
        except Exception as error:
            if is_database_unavailable(error):
                raise
            logger.exception("The clock could not see to %s.", name)
            self.failures.append(name)

    def try_together(self, act: Callable[[], Counter[str]]) -> bool:
        """Add what `act` did for several; return whether it succeeded, without logging a failure.

        If it fails, each is attempted separately.
        """
        self.renew_lease()
        try:
            self.done += act()
        except Exception as error:
            if is_database_unavailable(error):
                raise
            return False
        return True


def tick(
    now: datetime.datetime | None = None, *, renew_lease: Callable[[], None] = lambda: None
) -> TickReport:
    """Do everything due by `now` and not yet done; renew the lease before each step."""
    moment = now or timezone.now()
    tally = TickReport(renew_lease)
    SchedulerDay.objects.record(timezone.localdate(moment))
    tally.attempt("pauses", lambda: pauses.tick_pauses(moment))
    for changed in list_requests_with_changed_judges():
        tally.attempt(changed.reference, partial(note_who_can_judge, changed.pk, moment))
    for group in batched(iterate_due_requests(moment), REMINDER_BATCH_SIZE):
        see_to_requests(tally, group, moment)
    calendar = load_calendar()
    for asked in pending_recognitions():
        if deadline := find_due_recognition_deadline(asked, calendar, moment):
            act = partial(remind_of_recognition, asked.pk, deadline, moment)
            tally.attempt(str(asked.organization), act)
    tally.attempt("weekly", lambda: Counter(weekly=notifications.send_weekly_letters(moment)))
    tally.attempt("speakers", lambda: speakers.tick_speakers(moment))
    tally.attempt("digests", lambda: Counter(digest=notifications.send_digests(moment)))
    tally.attempt("letters", lambda: Counter(letter=notifications.requeue_letters()))
    tally.attempt(
        "contacts",
        lambda: Counter(ask_contact=contact_confirmations.ask_for_confirmations(moment)),
    )
    tally.attempt("answers", lambda: Counter(forget=delete_idempotency_records(moment)))
    tally.attempt("templates", lambda: Counter(template=delete_expired_templates(moment)))
    tally.attempt("limits", lambda: Counter(limit=rate_limits.delete_expired_limits(moment)))
    tally.attempt("services", lambda: Counter(move_service=move_due_services(moment)))
    tally.attempt("officers", lambda: Counter(officer_change=tick_officer_changes(moment)))
    tally.attempt("accounts", lambda: Counter(account=delete_old_account_events(moment)))
    tally.attempt("old letters", lambda: Counter(old_letter=delete_old_letters(moment)))
    tally.attempt("old invitations", lambda: Counter(old_invitation=delete_old_invitations(moment)))
    tally.attempt("comments", lambda: Counter(comment=publish_due_comments(moment)))
    tally.attempt("webhooks", lambda: Counter(delivery=webhooks.requeue_deliveries(moment)))
    tally.attempt("IANA's list", lambda: Counter(sync=iana.request_daily_sync(moment)))
    tally.attempt("links", lambda: Counter(link=entry_links.request_due_link_checks(moment)))
    tally.attempt("exports", lambda: call_for_exports(moment))
    tally.attempt("locators", lambda: Counter(locators=locator_tables.sweep_uploads(moment)))
    return tally


def list_requests_with_changed_judges() -> list[RegistrationRequest]:
    """Return the requests of which an expert can no longer judge, or can again."""
    reviewed = list_doubtful_reviews().order_by("pk")
    clocks = read_request_clocks(list(reviewed))
    return [each.registration_request for each in clocks if list_changed_judges(each)]


def see_to_requests(
    tally: TickReport,
    group: Sequence[tuple[RequestClock, list[Deadline]]],
    now: datetime.datetime,
) -> None:
    """Do what is due for a few requests; if reminders about one fail, the others get theirs.

    What expires today does so first, and gets no more reminders.
    """

    def meet(standing: RequestClock, deadline: Deadline) -> None:
        registration_request = standing.registration_request
        act = partial(meet_deadline, registration_request.pk, deadline, now)
        tally.attempt(registration_request.reference, act)

    due = [(standing, deadline) for standing, deadlines in group for deadline in deadlines]
    reminders = [(standing, deadline) for standing, deadline in due if not deadline.is_expiry]
    for standing, deadline in due:
        if deadline.is_expiry:
            meet(standing, deadline)
    keys = list(dict.fromkeys(standing.registration_request.pk for standing, _due in reminders))
    is_reminded = tally.try_together(partial(meet_reminders, keys, now)) if keys else True
    for standing, deadline in reminders:
        if not is_reminded:
            meet(standing, deadline)
    for standing, _deadlines in group:
        registration_request = standing.registration_request
        if is_rota_due(standing, now):
            act = partial(assign_untaken_request, registration_request.pk, now)
            tally.attempt(registration_request.reference, act)
