"""The scheduler's letters about more than one event: what is late, and orphaned requests."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from registry import permissions
from registry.batches import batched
from registry.enums import Role, State
from registry.models import (
    Event,
    Letter,
    Recognition,
    RegistrationRequest,
    Reminder,
    RequestCheck,
    User,
)
from registry.models.dates import load_calendar
from registry.notifications.outbox import compose_direct_letter, write_copy, write_together
from registry.notifications.recipients import find_contact_addresses, reachable_people
from registry.selectors.deadlines import find_local_day, is_late
from registry.selectors.office_clock import list_late_matters
from registry.selectors.recognition_clock import find_promised_answer
from registry.selectors.request_clock import RequestClock, read_request_clock, read_request_clocks
from registry.selectors.turns import CurrentTurn, count_days_late, describe_turn

KEEP_SALT: Final = "registry.notices.keep"
BATCH_SIZE: Final = 100
"""How many requests are read together."""
MAX_LATE_REQUESTS_LISTED: Final = 200
"""If there are more, the weekly letter says how many."""
WEEKLY_READERS: Final = (Role.LEAD, Role.REGISTRAR, Role.STANDARDS_BODY)


@dataclass(frozen=True, slots=True)
class LateRequest:
    """One request that has waited too long, as the weekly letter lists it."""

    registration_request: RegistrationRequest
    waiting: CurrentTurn


@dataclass(frozen=True, slots=True)
class LateRecognition:
    """One organization that has waited too long to be recognised or refused."""

    asked: Recognition
    days_late: int


def send_weekly_letters(now: datetime.datetime) -> int:
    """Tell lead, registrar and standards body weekly what is late; return how many people.

    Nobody gets two in one week, however often this is called, and none if nothing is late.
    """
    year, week, _day = find_local_day(now).isocalendar()
    mark = f"weekly:{year}-{week:02}:"
    told = Letter.objects.filter(key__startswith=mark).values("recipient")
    held = permissions.q_person_holds_role(*WEEKLY_READERS)
    readers = list(reachable_people().filter(held).exclude(pk__in=told).order_by("pk"))
    if not readers:
        return 0
    late, number_late = find_late_requests(now)
    recognitions, matters = list_late_recognitions(now), list_late_matters(now)
    context = {
        "late": late,
        "not_listed": number_late - len(late),
        "recognitions": recognitions,
        "matters": matters,
        "total": number_late + len(recognitions) + len(matters),
    }
    if not context["total"]:
        return 0
    why = _("You are the lead expert, the registrar or a member of the standards body.")
    letter = compose_direct_letter("weekly", context, why=why, address="")
    return sum(send_weekly_letter(each.pk, f"{mark}{each.pk}", letter) for each in readers)


def send_weekly_letter(reader: int, key: str, letter: Letter) -> bool:
    """Write this week's letter to one person; return whether they had none yet."""
    with transaction.atomic():
        # The row is locked until the transaction ends: only one of two schedulers writes the
        # letter.
        person = User.objects.select_for_update(no_key=True).get(pk=reader)
        if Letter.objects.filter(key=key).exists():
            return False
        write_copy(letter, key=key, person=person)
    return True


def find_late_requests(now: datetime.datetime) -> tuple[list[LateRequest], int]:
    """Return the late requests that the weekly letter lists, and how many are late in total."""
    listed, number = [], 0
    for late in iterate_late_requests(now):
        number += 1
        if number <= MAX_LATE_REQUESTS_LISTED:
            listed.append(late)
    return listed, number


def iterate_late_requests(now: datetime.datetime) -> Iterator[LateRequest]:
    """Yield the public requests past a promised day or the last escalation.

    Somebody higher up was notified of each, or is about to be: no others are read.
    """
    reminded = Reminder.objects.filter(registration_request=OuterRef("pk"))
    due = RequestCheck.objects.filter(registration_request=OuterRef("pk"), due_at__lte=now)
    candidates = (
        RegistrationRequest.objects.live()
        .public()
        .filter(Exists(reminded) | Exists(due))
        .order_by("state_since", "pk")
    )
    keys = list(candidates.values_list("pk", flat=True))
    for some in batched(keys, BATCH_SIZE):
        together = candidates.filter(pk__in=some)
        for standing in read_request_clocks(
            list(together.select_related("organization", "namespace"))
        ):
            if is_late(standing, now):
                yield LateRequest(standing.registration_request, describe_turn(standing, now))


def list_late_recognitions(now: datetime.datetime) -> list[LateRecognition]:
    """Return what the standards body should have answered by now."""
    calendar = load_calendar()
    waiting = Recognition.objects.filter(is_granted__isnull=True).select_related("organization")
    found = [
        LateRecognition(each, count_days_late(find_promised_answer(each, calendar), now))
        for each in waiting.order_by("asked_at")
    ]
    return [each for each in found if each.days_late]


@dataclass(frozen=True, slots=True)
class ReminderLetter:
    """A separate letter about a reminder, composed before the event has a number.

    `subject` and `reader` say in its key what it is about and whom it is for. `tells_of_line` is
    whether its reader may read the event, and the rest of the request.
    """

    event: Event
    letter: Letter
    subject: str
    reader: str
    tells_of_line: bool = True

    def number_letter(self) -> Letter:
        """Return the letter with what it takes from the event, which has been written by now."""
        self.letter.key = f"{self.subject}:{self.event.number}:{self.reader}"
        if self.tells_of_line:
            self.letter.event = self.event
        return self.letter


def write_reminder_letters(composed: Sequence[ReminderLetter]) -> None:
    """Write letters about reminders whose events are written, and a task for each."""
    write_together([each.number_letter() for each in composed])


def ask_contacts_to_keep(event: Event, standing: RequestClock) -> Iterator[ReminderLetter]:
    """Yield letters to the contacts of a silent body, besides its delegates, who get the reminder.

    Each links to a page with a button, which anybody who reads that address may press: opening it
    does nothing.
    """
    registration_request = standing.registration_request
    for address in find_contact_addresses(registration_request):
        context = {
            "registration_request": registration_request,
            "days": event.data["days"],
            "link": settings.SITE + build_keep_path(registration_request, standing.idle_since),
        }
        letter = compose_direct_letter(
            "keep",
            context,
            why=_("You are named as the contact of the organization that asks."),
            address=address,
        )
        reader = hashlib.sha256(address.lower().encode()).hexdigest()
        yield ReminderLetter(event, letter, "keep", reader)


def tell_administrators_of_draft(event: Event, standing: RequestClock) -> Iterator[ReminderLetter]:
    """Yield letters to the administrators if nobody is left who can edit an unsent draft.

    Only its writers may know a draft: the letter names its reference and the organization, for
    which administrators appoint delegates, but nothing of its content.
    """
    registration_request = standing.registration_request
    organization = registration_request.organization
    context = {
        "registration_request": registration_request,
        "days": event.data["days"],
        "organization_path": reverse("organizations:detail", args=[organization.pk]),
    }
    administrators = {each.pk for each in standing.actors.people}
    for person in reachable_people().filter(pk__in=administrators).order_by("pk"):
        letter = compose_direct_letter(
            "orphan",
            context,
            why=_("You give roles, and name who acts for organizations."),
            address=person.email,
            person=person,
        )
        yield ReminderLetter(event, letter, "orphan", str(person.pk), tells_of_line=False)


def build_keep_path(
    registration_request: RegistrationRequest, idle_since: datetime.datetime
) -> str:
    """Return the address of the page on which the contact of a body says that it goes on."""
    said = f"{registration_request.pk}:{idle_since.isoformat()}"
    return reverse("requests:keep", args=[signing.Signer(salt=KEEP_SALT).sign(said)])


def find_request_to_keep(word: str) -> RegistrationRequest | None:
    """Return the request of a letter to a contact; None for any other value.

    Also None once the registrant's side has acted since: then there is nothing to keep.
    """
    try:
        key, _colon, idle_since = signing.Signer(salt=KEEP_SALT).unsign(word).partition(":")
    except signing.BadSignature:
        return None
    asked = RegistrationRequest.objects.public().filter(pk=key, state=State.ADVISORY).first()
    if asked is None or read_request_clock(asked).idle_since.isoformat() != idle_since:
        return None
    return asked
