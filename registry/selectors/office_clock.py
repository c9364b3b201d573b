"""What waits besides requests: enquiries, challenges of experts, errata, appeals, and who speaks
for a body.

Each has a promised time, like requests. Once it is over, the people who could answer are reminded
each week until somebody does (docs/process.md, Whose turn).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.enums import REVIEW_STATES, State
from registry.models import Enquiry, Erratum, RegistrationRequest
from registry.models.dates import ONE_DAY, load_calendar
from registry.selectors.appeals import find_pending_appeal, list_requests_under_appeal
from registry.selectors.challenges import list_open_challenges
from registry.selectors.deadlines import find_end_of_day, find_local_day
from registry.selectors.held_nids import list_appealed_holds
from registry.selectors.speakers import find_officers, waiting_for_officers
from registry.selectors.turns import count_days_late

ENQUIRY_WORDS = _("An enquiry waits for an answer from the experts or the registrar.")
CHALLENGE_WORDS = _(
    "A challenge of an expert waits for an answer from the lead expert or the standards body."
)
HOLD_WORDS = _("An appeal against a NID held back waits for the standards body.")
APPEAL_WORDS = _("An appeal of a decision waits for the standards body.")
ERRATUM_WORDS = _("An erratum of an entry waits for the registrar to look at it.")
SPEAKER_WORDS = _("Who speaks for an organization waits for an officer.")


@dataclass(frozen=True, slots=True)
class OfficeMatter:
    """Something that waits for an officer: what, since when, where to answer it, how late.

    `words` say only what everybody may know: a question may have been asked privately. `people` are
    the names of those who can act today, if not the whole office can.
    """

    words: str | Promise
    since: datetime.date
    path: str
    days_late: int
    people: tuple[str, ...] = ()


def list_late_matters(now: datetime.datetime) -> list[OfficeMatter]:
    """Return what officers should have answered by now, the longest overdue first."""
    late = [each for each in iterate_matters(now) if each.days_late]
    return sorted(late, key=lambda each: -each.days_late)


def iterate_matters(now: datetime.datetime) -> Iterator[OfficeMatter]:
    """Yield everything that waits for an officer."""
    calendar = load_calendar()
    dates = calendar.dates

    def build(
        words: Promise, since: datetime.date, days: int, find_path: Callable[[], str]
    ) -> OfficeMatter:
        promised = calendar.add_days(find_end_of_day(since), days) - ONE_DAY
        late = count_days_late(find_local_day(promised), now)
        return OfficeMatter(words, since, find_path(), late)

    answer_days = dates.first_reminder_days
    for enquiry in Enquiry.objects.waiting():
        asked = find_local_day(enquiry.asked_at)
        yield build(ENQUIRY_WORDS, asked, answer_days, enquiry.get_absolute_url)
    judged = RegistrationRequest.objects.filter(state__in=REVIEW_STATES)
    for challenge in list_open_challenges(judged):
        made = find_local_day(challenge.posted_at)
        yield build(
            CHALLENGE_WORDS, made, answer_days, challenge.registration_request.get_absolute_url
        )
    for hold in list_appealed_holds():
        if hold.appealed_at:
            appealed = find_local_day(hold.appealed_at)
            days = dates.decision_days
            yield build(HOLD_WORDS, appealed, days, hold.get_absolute_url)
    # While a request is in the state of being appealed, its own dates run.
    for registration_request in list_requests_under_appeal().exclude(state=State.APPEALED):
        if appeal := find_pending_appeal(registration_request):
            appealed = find_local_day(appeal.at)
            days, find_path = (
                dates.decision_days,
                registration_request.get_absolute_url,
            )
            yield build(APPEAL_WORDS, appealed, days, find_path)
    for erratum in Erratum.objects.filter(answered_at=None).select_related("namespace"):
        sent = find_local_day(erratum.sent_at)
        yield build(ERRATUM_WORDS, sent, 1, erratum.get_absolute_url)
    yield from iterate_speaker_matters(now)


def iterate_speaker_matters(now: datetime.datetime) -> Iterator[OfficeMatter]:
    """Yield what waits for an officer of who speaks for a body."""
    calendar = load_calendar()
    for speaker in waiting_for_officers():
        since = find_local_day(speaker.state_since)
        promised = calendar.add_days(speaker.state_since, calendar.dates.decision_days)
        late = count_days_late(find_local_day(promised), now)
        _office, people = find_officers(speaker)
        names = tuple(person.name for person in people if person.name)
        yield OfficeMatter(SPEAKER_WORDS, since, speaker.get_absolute_url(), late, names)
