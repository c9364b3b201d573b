"""Whom a claim on a holder or a search for one waits for, who can act, and when they are notified.

The first claim on a body waits for the people who confirm whose domain it is; a search for those
who open it, and then for the standards body. If nobody in the office can act because all have a
stake, it waits for the next office up, which gets the button (docs/process.md, Whose turn). While
only days have to pass, neither waits for anybody.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.conf import settings
from django.utils import timezone

from registry import permissions
from registry.enums import LetterReason, Role, Turn
from registry.models import DelegateChange, HolderSearch, User
from registry.selectors.actors import NEXT_OFFICES
from registry.selectors.deadlines import (
    LEAD_REASONS,
    OVERSIGHT_REASONS,
    WARNING_AGAIN,
    WARNING_OVERSIGHT,
    Deadline,
    Ladder,
    find_local_day,
    set_deadline_after,
)
from registry.selectors.turns import DatedSentence, count_days_late

REASON_BY_OFFICE: Final[dict[Turn, LetterReason]] = {
    Turn.REGISTRAR: LetterReason.REGISTRAR,
    Turn.STANDARDS_BODY: LetterReason.STANDARDS_BODY,
    Turn.ADMINISTRATOR: LetterReason.ADMINISTRATOR,
}


@dataclass(frozen=True, slots=True)
class OfficeWait:
    """Which office a claim or a search waits for, who in it can act today, and by when.

    There are no `people` only if the registry has nobody at all to name.
    """

    turn: Turn
    people: tuple[User, ...]
    since: datetime.datetime
    promised_by: datetime.date
    ladder: Ladder

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the people who can act today; administrators are never named."""
        if self.turn == Turn.ADMINISTRATOR:
            return ()
        return tuple(each.name for each in self.people if each.name)

    @property
    def days_late(self) -> int:
        """How many days ago the promised day was over."""
        return count_days_late(self.promised_by)

    @property
    def otherwise(self) -> tuple[DatedSentence, ...]:
        """What happens if nobody acts."""
        coming = self.ladder.list_coming(timezone.now())
        return tuple(DatedSentence(each.warning, each.day) for each in coming)

    def find_due_reminder(
        self, reminded_at: datetime.datetime | None, now: datetime.datetime
    ) -> Deadline | None:
        """Return the reminder due by `now` and not yet sent; the last was at `reminded_at`."""
        due = self.ladder.find_due(now)
        return due if due and (reminded_at is None or reminded_at < due.at) else None


def find_claim_wait(change: DelegateChange) -> OfficeWait | None:
    """Return whom a change of delegates waits for; None if it waits for no office.

    If a code has yet to confirm it, it waits for the person who asked, and expires.
    """
    if change.ended_at or change.confirmed_at is None or not change.needs_source:
        return None
    has_part = partial(_has_part_in, change)
    days = datetime.timedelta(settings.REGISTRY_CLAIM_DAYS)
    promised = change.takes_effect_at or change.confirmed_at + days
    kind = "claim" if change.proof_id else "first-delegate"
    return build_wait(kind, Turn.REGISTRAR, has_part, change.confirmed_at, promised)


def find_search_wait(search: HolderSearch, now: datetime.datetime) -> OfficeWait | None:
    """Return whom a search for the holder waits for; None while only days have to pass."""
    if search.ended_at:
        return None
    days = settings.REGISTRY_DIRECTION_DAYS
    if search.opened_at is None:
        turn, since = Turn.REGISTRAR, find_opening_time(search)
        days = settings.REGISTRY_ESCALATION_DAYS["lead"]
    elif search.is_stayed:
        turn, since = Turn.STANDARDS_BODY, search.appealed_at
    elif search.decided_at is None:
        turn, since = Turn.STANDARDS_BODY, search.notice_until
    else:
        return None
    if since is None or now < since:
        return None
    has_stake = partial(_has_stake_in, search)
    return build_wait("search", turn, has_stake, since, since + datetime.timedelta(days))


def build_wait(
    kind: str,
    turn: Turn,
    has_stake: Callable[[User], bool],
    since: datetime.datetime,
    promised: datetime.datetime,
) -> OfficeWait:
    """Return the wait for the first office, from that of `turn` up, in which somebody can act."""
    office, people = find_office(NEXT_OFFICES[turn], has_stake)
    ladder = build_office_ladder(kind, office, since)
    return OfficeWait(office, tuple(people), since, find_local_day(promised), ladder)


def find_office(
    offices: Sequence[tuple[Turn, Role]], has_stake: Callable[[User], bool]
) -> tuple[Turn, list[User]]:
    """Return the first of these offices held by somebody without a stake, and who.

    After them come the administrators, who give the role to somebody else.
    """
    for office, role in offices:
        holders = User.objects.filter(permissions.q_person_holds_role(role))
        if people := [each for each in holders.order_by("name", "pk") if not has_stake(each)]:
            return office, people
    held = permissions.q_person_holds_role(Role.ADMINISTRATOR)
    administrators = list(User.objects.filter(held, is_staff=True).order_by("name", "pk"))
    return (Turn.ADMINISTRATOR if administrators else offices[0][0]), administrators


def build_office_ladder(kind: str, office: Turn, since: datetime.datetime) -> Ladder:
    """Return when the office is notified: at once, twice more, then with all who supervise it.

    After that it repeats, and goes to lead and registrar too.
    """
    days, to = settings.REGISTRY_ESCALATION_DAYS, (REASON_BY_OFFICE[office],)
    everybody = tuple(dict.fromkeys((*to, *LEAD_REASONS, *OVERSIGHT_REASONS)))
    reminders = [
        set_deadline_after(f"{kind}-{number}", "remind", to, since, day, WARNING_AGAIN)
        for number, day in enumerate((0, days["expert"], days["lead"]), start=1)
    ]
    last = set_deadline_after(
        f"{kind}-all", "escalate", everybody, since, days["all"], WARNING_OVERSIGHT
    )
    return Ladder((*reminders, last))


def find_opening_time(search: HolderSearch) -> datetime.datetime | None:
    """Return from when a search may be opened: both letters had their time to be answered."""
    return search.second_letters_at + find_letter_delay() if search.second_letters_at else None


def find_letter_delay() -> datetime.timedelta:
    """Return how long the letters of a search wait for an answer."""
    return datetime.timedelta(settings.REGISTRY_SEARCH_LETTER_DAYS)


def _has_part_in(change: DelegateChange, person: User) -> bool:
    return permissions.has_part_in_claim(person, change)


def _has_stake_in(search: HolderSearch, person: User) -> bool:
    """Whether somebody is party to the outcome: they hold it, were found to, or appealed."""
    is_party = search.is_stayed and person.pk in (search.speaker_id, search.appealed_by_id)
    return is_party or permissions.has_stake_in(person, search.namespace)
