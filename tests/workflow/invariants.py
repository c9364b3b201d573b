"""What must never happen (docs/process.md), checked on everything there is, from the outside.

Nothing here uses `registry.permissions` or `registry.workflow`: what they allowed is judged by the
facts and by the journal alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from registry import journal, permissions
from registry.enums import (
    ChangeKind,
    RequestPath,
    Role,
    State,
    Turn,
)
from registry.models import (
    Event,
    HeldNid,
    Letter,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    User,
)
from registry.models.event import EventQuerySet
from registry.selectors.request_clock import read_request_clock

JUDGING: Final = {"request_changes", "approve", "report", "decline"}
DECIDING: Final = {
    *JUDGING,
    *("direct", "decide_appeal", "register"),
}
WRITTEN: Final = {State.DRAFT, State.CHANGES_REQUESTED, State.DECLINED, State.ADVISORY}
ENDED: Final = {State.REGISTERED, State.WITHDRAWN, State.REFUSED, State.EXPIRED}
FAVOURABLE: Final = {"approve", "report", "direct", "complete"}
LOSING: Final = {
    *("overtake", "expire", "withdraw", "decline", "request_changes"),
    *("register", "object"),
}
"""Steps by which somebody loses a name, a namespace, a part in a request or a decision."""
OFFICES: Final[dict[Turn, set[Role]]] = {
    Turn.LEAD: {Role.LEAD, Role.EXPERT},
    Turn.REGISTRAR: {Role.REGISTRAR},
    Turn.STANDARDS_BODY: {Role.STANDARDS_BODY},
    Turn.ADMINISTRATOR: {Role.ADMINISTRATOR},
}
"""The roles of those whose turn it is; an expert replaces the lead if there is none."""
FACTS: Final = ("registrant_id", "contact", "references", "status", "notice", "summary")
"""What the registry says about a namespace besides its texts."""
OFF_THE_FAST_TRACK: Final = {"complete", "withdraw", "reroute"}
NOT_ON_THE_FAST_TRACK: Final = {State.IN_REVIEW, State.REPORTED, State.DECLINED}


class InvariantChecker:
    """Remembers the last state, and says which changes should not have happened."""

    def __init__(self) -> None:
        self.frozen: dict[tuple[str, int], dict[str, Any]] = {}
        self.names: dict[int, tuple[str, int | None]] = {}
        self.facts: dict[int, dict[str, Any]] = {}
        self.spoke: dict[int, set[User]] = {}
        self.last_number = 0
        self.new_events: list[Event] = []

    def check(self) -> None:
        """Check everything, raising for what must never happen."""
        requests = list(RegistrationRequest.objects.all())
        self.new_events = list(
            Event.objects.filter(number__gt=self.last_number)
            .select_related("actor", "registration_request")
            .order_by("number")
        )
        for invariant in INVARIANTS:
            for holds_of_all in invariant.of_all:
                holds_of_all(self)
            for registration_request in requests:
                for holds in invariant.of_requests:
                    holds(registration_request)
            for event in self.new_events:
                for is_right in invariant.of_events if event.registration_request else ():
                    assert event.registration_request
                    is_right(event, event.registration_request)
        self.last_number = max(
            (event.number for event in self.new_events), default=self.last_number
        )
        self.spoke = {
            each.pk: {speaker.person for speaker in each.speakers.all()}
            for each in Namespace.objects.all()
        }

    def nothing_in_the_journal_was_edited(self) -> None:
        """Every event is what it was when it was written."""
        assert list(journal.verify()) == []

    def whoever_lost_something_was_written_to(self) -> None:
        """Those who wrote, judged or held it before got a letter about it, except the actor."""
        for event in self.new_events:
            asked = event.registration_request
            if asked:
                spoke = self.spoke.get(asked.namespace_id or 0, set())
                who_lost_it_was_written_to(event, asked, spoke)

    def nothing_published_or_sent_changed(self) -> None:
        """Existing versions and rounds are still there, letter by letter."""
        versions, rounds = (
            Registration.objects.all(),
            Round.objects.filter(submitted_at__isnull=False),
        )
        now = {("version", row["id"]): dict(row) for row in versions.values()}
        now |= {("round", row["id"]): dict(row) for row in rounds.values()}
        assert {key: now.get(key) for key in self.frozen} == self.frozen
        self.frozen = now

    def no_name_was_freed_or_used_twice(self) -> None:
        """Namespaces are only added, and informal numbers rise by one."""
        now = {each.pk: (each.nid, each.informal_number) for each in Namespace.objects.all()}
        assert now.items() >= self.names.items()
        assert len({nid.lower() for nid, _number in now.values()}) == len(now)
        numbers = sorted(number for _nid, number in now.values() if number)
        assert numbers == list(range(1, len(numbers) + 1))
        self.names = now

    def no_fact_changed_but_by_a_registration(self) -> None:
        """What the registry says about a namespace was requested since the last check."""
        now = {row["id"]: row for row in Namespace.objects.values("id", *FACTS)}
        for key, before in self.facts.items():
            published = Event.objects.filter(
                verb="register",
                number__gt=self.last_number,
                registration_request__namespace=key,
            )
            assert now[key] == before or published.exists(), f"{before} became {now[key]}"
        self.facts = now


def every_state_has_its_event(registration_request: RegistrationRequest) -> None:
    """A chain of events leads from the first state to this one, one for each revision."""
    steps = list(registration_request.events.exclude(target="").order_by("number"))
    assert [step.source for step in steps] == ["", *(step.target for step in steps[:-1])]
    assert steps[-1].target == registration_request.state
    assert registration_request.revision == len(steps) - 1
    came = [step.at for step in steps if step.source != step.target]
    assert registration_request.state_since == came[-1]


def somebody_is_named(registration_request: RegistrationRequest) -> None:
    """A request that has not ended waits for named people, and each of them can act."""
    actors = read_request_clock(registration_request).actors
    assert (actors.turn == Turn.NOBODY) == (registration_request.state in ENDED)
    assert bool(actors.people) == (registration_request.state not in ENDED)
    assert all(person.is_active for person in actors.people)
    if actors.turn in {Turn.REGISTRANT, Turn.BODY}:
        delegates = User.objects.speaking_for(registration_request.organization)
        assert set(actors.people) <= {registration_request.author, *delegates}
        return
    if actors.turn in OFFICES:
        # What waited 30 days for the registrar is the turn of both.
        is_both = registration_request.state == State.APPROVED
        for person in actors.people:
            holds_their_office(person, actors.turn, is_both=is_both)
    if actors.turn == Turn.ADMINISTRATOR:
        return
    if actors.turn == Turn.HOLDER:
        speakers = list_speakers(registration_request.namespace)
        speakers |= {*User.objects.speaking_for(registration_request.organization)}
        assert set(actors.people) <= {*speakers, *officers()}
        return
    assert not [each for each in actors.people if is_own(each, registration_request)]
    if actors.turn in {Turn.EXPERTS, Turn.LEAD}:
        assert not [each for each in actors.people if has_a_stake(each, registration_request)]
    if actors.turn == Turn.EXPERTS:
        on_it = registration_request.assignments.filter(recused_at=None)
        assert set(actors.people) <= {each.expert for each in on_it}
        assert not [each for each in actors.people if is_away(each, registration_request)]
        for person in actors.people:
            own = on_it.get(expert=person)
            assert holds_office(person) or own.is_temporary, person
            assert has_factor(person), person


def holds_their_office(person: User, turn: Turn, *, is_both: bool) -> None:
    """People named for an office hold it with a second factor."""
    offices = [*OFFICES[turn]]
    if is_both and turn == Turn.STANDARDS_BODY:
        offices += OFFICES[Turn.REGISTRAR]
    assert person.groups.filter(name__in=offices).exists(), f"{person} is no {turn}"
    assert turn != Turn.ADMINISTRATOR or person.is_staff
    assert has_factor(person), f"the role of {person} rests"


def has_factor(person: User) -> bool:
    """Whether somebody signs in with more than a password."""
    return person.authenticator_set.filter(type__in=("totp", "webauthn")).exists()


def is_away(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether somebody is away today, and beyond the promised date of a decision."""
    today, promised = timezone.localdate(), registration_request.promised_by
    if promised is None:
        return False
    away = person.absences.filter(first_day__lte=today, last_day__gte=today)
    return away.filter(last_day__gt=promised).exists()


def a_text_is_at_hand(registration_request: RegistrationRequest) -> None:
    """A request in the registrant's turn has one draft, and never two."""
    drafts = registration_request.rounds.filter(submitted_at=None).count()
    assert drafts <= 1
    assert drafts or registration_request.state not in WRITTEN


def is_own(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether the request is the person's own, they ever co-edited it, or it is about a namespace
    to whose holder they have a tie.
    """
    organization, namespace = registration_request.organization, registration_request.namespace
    holder = namespace.registrant if namespace else None
    return person in {
        *(User.objects.speaking_for(holder) if holder else ()),
        *(holder.people.all() if holder else ()),
        *(each.person for each in (namespace.speakers.all() if namespace else ())),
        registration_request.author,
        *User.objects.speaking_for(organization),
        *organization.people.all(),
        *registration_request.co_editors.all(),
        *User.objects.filter(invitations_followed__registration_request=registration_request),
    }


def has_a_stake(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether the request is the person's own, or they declared a conflict of interest."""
    namespace = registration_request.namespace
    bodies = {registration_request.organization, namespace.registrant if namespace else None}
    conflicts = person.conflicts.filter(organization__in=bodies - {None})
    return is_own(person, registration_request) or conflicts.exists()


def nobody_decided_on_their_own(event: Event, registration_request: RegistrationRequest) -> None:
    """Nobody who decided has a stake; judging experts had taken the request and declared before.

    A lead who is not on the request may only ask for changes.
    """
    if event.verb not in DECIDING:
        return
    assert event.actor
    assert not has_a_stake(event.actor, registration_request), str(event)
    if event.verb in JUDGING:
        assignment = registration_request.assignments.filter(expert=event.actor).first()
        if assignment is None:
            assert (event.verb, permissions.is_lead(event.actor)) == ("request_changes", True)
            return
        assert assignment.declared_at
        assert assignment.declared_at <= event.at


def no_expert_blocked_the_fast_track(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """Only the body takes a request on, off or through the fast track, unless it was refused.

    The scheduler ends it if the body answered none of three letters.
    """
    if registration_request.path == RequestPath.FAST_TRACK:
        assert registration_request.state not in NOT_ON_THE_FAST_TRACK
    if event.source != State.ADVISORY or event.target in {State.ADVISORY, ""}:
        return
    if event.verb == "expire":
        letters = registration_request.events.filter(verb="remind", number__lt=event.number)
        assert (event.actor, letters.count() >= 3) == (None, True)
        return
    assert event.verb in OFF_THE_FAST_TRACK, str(event)
    asked = registration_request.organization.recognitions.exclude(is_granted=None)
    refused = asked.order_by("decided_at").last()
    if not (event.verb == "reroute" and refused and not refused.is_granted):
        delegates = User.objects.speaking_for(registration_request.organization)
        assert event.actor in {registration_request.author, *delegates}


def nothing_lacked_direction_or_report(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """What became part of a standard was reported on and directed, in the published words."""
    if event.verb != "register" or not registration_request.standards_action:
        return
    text = registration_request.rounds.filter(submitted_at__isnull=False).latest("number")
    spoken = registration_request.events.filter(number__lt=event.number, data__sha256=text.sha256)
    assert {"report", "direct"} <= {each.verb for each in spoken}


def nobody_took_a_reported_text_off_the_standards_track(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """After a report the flag was dropped only if the standards body sent the text back."""
    dropped = event.data.get("standards_action_before") and not event.data["standards_action"]
    if event.verb != "reroute" or not dropped:
        return
    before = registration_request.events.filter(number__lt=event.number).order_by("number")
    opened = Q(source=State.REPORTED, verb__in=("request_changes", "reconsider"))
    spoken = before.filter(opened | Q(verb="report")).last()
    assert spoken is None or spoken.verb != "report", str(event)


def list_speakers(namespace: Namespace | None, holder: str | None = None) -> set[User]:
    """Return who speaks for the holder of a namespace, or for the holder of that name."""
    if namespace is None:
        return set()
    name = str(namespace.registrant or "") if holder is None else holder
    body = Organization.objects.filter(name=name).first()
    people = {each.person for each in namespace.speakers.all()}
    if body:
        people |= {*User.objects.speaking_for(body)}
    return {each for each in people if each.is_active}


def officers() -> set[User]:
    """Return the registrars, the standards body's spokespeople and the administrators."""
    offices = [Role.REGISTRAR, Role.STANDARDS_BODY, Role.ADMINISTRATOR]
    return set(User.objects.filter(groups__name__in=offices))


def find_holder_before(event: Event, namespace: Namespace) -> str:
    """Return the name of the holder of a namespace before the event; empty if unknown."""
    before = event.data.get("before", {})
    return str(before.get("registrant", str(namespace.registrant or "")) or "")


def nothing_was_published_without_consent(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """Each body of the request asked for these words or consented to them, or officers saw it.

    Where nobody spoke for the holder, one officer had recorded its consent and another confirmed
    it, or the standards body had consented or ruled. No objection still stood.
    """
    if event.verb != "register":
        return
    no_objection_stood(event, registration_request)
    namespace, change = registration_request.namespace, registration_request.change
    if change == ChangeKind.NEW:
        body = registration_request.organization
        if body.namespaces.exclude(requests=registration_request).exists():
            has_consent(event, registration_request, set(User.objects.speaking_for(body)))
        return
    if namespace is None:
        assert change == ChangeKind.RENAME, str(event)
        body = registration_request.organization
        has_consent(event, registration_request, set(User.objects.speaking_for(body)))
        return
    speaks = list_speakers(namespace, find_holder_before(event, namespace))
    has_consent(event, registration_request, speaks)
    if change == ChangeKind.TRANSFER:
        heirs = set(User.objects.speaking_for(registration_request.organization))
        has_consent(event, registration_request, heirs)


def has_consent(event: Event, registration_request: RegistrationRequest, speaks: set[User]) -> None:
    """Somebody who speaks for a body had asked for the text, or officers had acted instead."""
    spoken = list_words_on_round(event, registration_request)
    asked = spoken.filter(verb__in=("submit", "complete", "consent"))
    if event.verb in {"complete", "submit"} and event.actor in speaks:
        return
    if speaks & {each.actor for each in asked}:
        return
    seen = spoken.filter(verb="record_evidence").exclude(data__about="list")
    ruled = spoken.filter(verb="direct", data__ruling="holder")
    stood_in = asked.filter(data__has_key="instead_of")
    confirmed = spoken.filter(verb="countersign")
    assert ruled.exists() or (stood_in.exists() and not speaks) or seen.exists(), str(event)
    for each in seen.filter(data__about="consent", data__of_holder=True):
        others = confirmed.filter(number__gt=each.number).exclude(actor=each.actor)
        assert others.exists() or ruled.exists() or stood_in.exists(), str(event)


def find_text(event: Event, registration_request: RegistrationRequest) -> Round:
    """Return the round that an event is about."""
    sent = registration_request.rounds.filter(submitted_at__isnull=False)
    return sent.filter(number=event.data.get("round")).first() or sent.latest("number")


def list_words_on_round(event: Event, registration_request: RegistrationRequest) -> EventQuerySet:
    """Return the events before another one about the exact text of that one."""
    text = find_text(event, registration_request)
    return registration_request.events.filter(
        number__lt=event.number, data__sha256=text.sha256, data__round=text.number
    ).order_by("number")


def no_objection_stood(event: Event, registration_request: RegistrationRequest) -> None:
    """Every earlier objection was taken back by its author, or ruled on."""
    before = registration_request.events.filter(number__lt=event.number)
    for objection in before.filter(verb="object").exclude(data__has_key="takes_back"):
        after = before.filter(number__gt=objection.number)
        ended = after.filter(verb="object", data__takes_back=objection.number)
        rulings = after.filter(verb="direct")
        ruled = rulings.filter(data__ruling="objections") | list_words_on_round(
            event, registration_request
        ).filter(verb="direct", data__ruling="objection", number__gt=objection.number)
        assert ended.exists() or ruled.exists(), str(event)


def nobody_favoured_what_cannot_be_published(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """What was approved, reported, directed or submitted could have been published then.

    The name was free, nothing in the text blocked, the holder had consented without objections, and
    the body was recognised for the fast track.
    """
    if event.verb not in FAVOURABLE or "ruling" in event.data:
        return
    taken = Namespace.objects.filter(
        nid__iexact=registration_request.nid,
        registrations__registration_request__events__verb="register",
        registrations__registration_request__events__number__lt=event.number,
    )
    assert {each.pk for each in taken} <= {registration_request.namespace_id}, str(event)
    text = registration_request.rounds.get(number=event.data["round"])
    assert not [each for each in text.findings if each["severity"] == "block"], str(event)
    if event.verb == "complete":
        assert registration_request.organization.recognised_on, str(event)
    namespace = registration_request.namespace
    if registration_request.change == ChangeKind.NEW or namespace is None:
        return
    # The one who asks for registration consents with that.
    has_consent(
        event,
        registration_request,
        list_speakers(namespace, find_holder_before(event, namespace)),
    )
    no_objection_stood(event, registration_request)


def no_held_name_was_given_away(event: Event, registration_request: RegistrationRequest) -> None:
    """Nobody approved, reported, directed or registered a new name that was held back then."""
    if event.verb not in {*FAVOURABLE, "register"} or registration_request.change != ChangeKind.NEW:
        return
    day = timezone.localdate(event.at)
    held = HeldNid.objects.filter(
        nid__iexact=registration_request.nid, held_at__lt=event.at, until__gte=day
    )
    assert not held.filter(ended_at=None).exists(), f"{event}, while the name was held back"


def nobody_unrecognised_was_registered(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """On the fast track the body was still recognised when its text was registered."""
    is_text = registration_request.change in {ChangeKind.NEW, ChangeKind.REVISION}
    is_fast = registration_request.path == RequestPath.FAST_TRACK
    if event.verb != "register" or not is_fast or not is_text:
        return
    namespace = registration_request.namespace
    body = (namespace and namespace.registrant) or registration_request.organization
    assert body.recognised_on, f"{event}, while {body} was recognised no longer"


def whoever_was_taken_off_was_written_to(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """A co-editor who is removed from a request by somebody else gets a letter about it."""
    if event.verb != "remove_co_editor":
        return
    lost = User.objects.filter(pk__in=event.data["people"], is_active=True)
    told = set(Letter.objects.filter(event=event).values_list("recipient", flat=True))
    missing = {each.pk for each in lost} - told - {event.actor_id}
    assert not missing, f"{list(lost)} heard nothing of {event}"


def whoever_lost_a_review_was_written_to(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """An expert on whom a request no longer counts gets a letter about it."""
    if event.data.get("kind") != "expert-lost":
        return
    lost = User.objects.filter(pk__in=event.data["people"], is_active=True)
    told = set(Letter.objects.filter(event=event).values_list("recipient", flat=True))
    assert {each.pk for each in lost} <= told, f"{list(lost)} heard nothing of {event}"


def who_lost_it_was_written_to(
    event: Event, registration_request: RegistrationRequest, spoke: set[User]
) -> None:
    """Those who wrote, judged or held it before got a letter about the event, except the actor.

    `spoke` are those who spoke for only its namespace at the last check: a transfer ends that.
    """
    loses = event.verb in LOSING or "leaver_id" in event.data
    if not loses or not registration_request.rounds.sent().exists():
        return
    losers = {
        registration_request.author,
        *User.objects.speaking_for(registration_request.organization),
    }
    losers |= {*registration_request.co_editors.all()}
    if event.verb in {"overtake", "expire", "withdraw", "decline"}:
        losers |= list_experts_counted_on(registration_request)
    namespace = registration_request.namespace
    if namespace and registration_request.change != ChangeKind.NEW:
        holder = Organization.objects.filter(name=find_holder_before(event, namespace)).first()
        losers |= {*User.objects.speaking_for(holder)} if holder else set()
        losers |= {each.person for each in namespace.speakers.all()}
        is_handed_over = registration_request.change == ChangeKind.TRANSFER
        losers |= spoke if is_handed_over and event.verb == "register" else set()
    losers |= set(User.objects.filter(pk=event.data.get("leaver_id")))
    told = set(Letter.objects.filter(event=event).values_list("recipient", flat=True))
    missing = {each for each in losers if each.is_active and each.pk not in told} - {event.actor}
    assert not missing, f"{missing} heard nothing of {event}"


def list_experts_counted_on(registration_request: RegistrationRequest) -> set[User]:
    """Return the experts on a request who hold that office and have no stake in it.

    It counts on nobody else any more. People who get a stake learn of it as it happens: they say so
    themselves, or are asked to co-write, and are then told what that means.
    """
    on_it = registration_request.assignments.filter(recused_at=None, expert__is_active=True)
    return {
        each.expert
        for each in on_it
        if holds_office(each.expert) and not has_a_stake(each.expert, registration_request)
    }


def holds_office(person: User) -> bool:
    """Whether somebody is one of the experts, with a second factor."""
    is_one = person.groups.filter(name__in=[Role.EXPERT, Role.LEAD]).exists()
    return is_one and has_factor(person)


def no_officer_made_it_alone(event: Event, registration_request: RegistrationRequest) -> None:
    """Another officer confirmed a transfer or a change of status than the one who entered it."""
    two = {ChangeKind.TRANSFER, ChangeKind.STATUS}
    if event.verb != "register" or registration_request.change not in two:
        return
    text = registration_request.rounds.filter(submitted_at__isnull=False).latest("number")
    officers = registration_request.events.filter(
        number__lt=event.number, verb="countersign", data__round=text.number
    ).values_list("actor", flat=True)
    assert officers, str(event)
    assert event.actor_id not in set(officers), str(event)


EventInvariant = Callable[[Event, RegistrationRequest], None]


@dataclass(frozen=True)
class Invariant:
    """One sentence of the guide, in a few words of our own, and what shows that it holds.

    `mark` is in that sentence of the guide and in no other; a sentence may have several invariants.
    They are checked after each step of a play: on everything, on each request, and on each event
    since the last check. What no state shows is shown by `tests`, each by its file and name.
    """

    mark: str
    says: str
    of_all: tuple[Callable[[InvariantChecker], None], ...] = ()
    of_requests: tuple[Callable[[RegistrationRequest], None], ...] = ()
    of_events: tuple[EventInvariant, ...] = ()
    tests: tuple[str, ...] = ()


INVARIANTS: Final = (
    Invariant(
        "without an event",
        "What a request has become, the journal tells line by line.",
        of_all=(InvariantChecker.nothing_in_the_journal_was_edited,),
        of_requests=(every_state_has_its_event, a_text_is_at_hand),
        tests=(
            "workflow/test_perform.py::test_failing_effect_leaves_neither_state_nor_event",
            "workflow/test_perform.py::test_event_is_written_once_and_never_edited",
        ),
    ),
    Invariant(
        "published version",
        "What was published or sent stands as it was, to the letter.",
        of_all=(InvariantChecker.nothing_published_or_sent_changed,),
        tests=(
            "workflow/test_publication.py::"
            "test_published_version_cannot_be_changed_even_behind_our_back",
            "workflow/test_perform.py::test_round_once_sent_cannot_be_changed_even_behind_our_back",
        ),
    ),
    Invariant(
        "used twice",
        "Names are given once, numbers one after the other, and none comes back.",
        of_all=(InvariantChecker.no_name_was_freed_or_used_twice,),
        of_events=(no_held_name_was_given_away,),
        tests=(
            "workflow/test_at_once.py::"
            "test_registrars_publishing_at_once_leave_no_gap_and_no_double",
        ),
    ),
    Invariant(
        "without its consent",
        "A registered namespace changes by what its holder stands behind, and by nothing else.",
        of_all=(InvariantChecker.no_fact_changed_but_by_a_registration,),
        of_events=(
            nothing_was_published_without_consent,
            nobody_favoured_what_cannot_be_published,
        ),
        tests=("courses/test_isbn.py::test_stranger_revises_it_on_both_paths_and_gets_nowhere",),
    ),
    Invariant(
        "disappears in silence",
        "A version is written from the one that it replaces.",
        tests=(
            "workflow/test_base_versions.py::"
            "test_round_written_from_an_earlier_version_is_named_and_cannot_be_approved",
            "workflow/test_base_versions.py::"
            "test_text_of_an_earlier_version_is_sent_once_it_is_up_to_date",
        ),
    ),
    Invariant(
        "own request",
        "Whoever decides has no part in it, and said so first.",
        of_events=(nobody_decided_on_their_own,),
        tests=("test_permissions.py::test_nobody_judges_a_request_of_their_own",),
    ),
    Invariant(
        "fast track",
        "On the fast track experts advise.",
        of_events=(no_expert_blocked_the_fast_track,),
    ),
    Invariant(
        "without direction",
        "Of a standard's name both were given for the words that were published.",
        of_events=(
            nothing_lacked_direction_or_report,
            nobody_took_a_reported_text_off_the_standards_track,
            nobody_unrecognised_was_registered,
        ),
    ),
    Invariant(
        "nobody's name",
        "Each request that goes on names people who can act on it today.",
        of_requests=(somebody_is_named,),
        tests=(
            "scheduler/test_year_and_a_half.py::"
            "test_somebody_who_can_act_is_named_and_written_to_for_a_year_and_a_half",
        ),
    ),
    Invariant(
        "after it is permanent",
        "The list has got a text before it is registered.",
        tests=(
            "workflow/test_decisions.py::"
            "test_register_waits_until_the_mail_server_took_the_letter_of_the_list",
        ),
    ),
    Invariant(
        "One person alone",
        "Two officers have seen it before a namespace changes hands or status.",
        of_events=(no_officer_made_it_alone,),
    ),
    Invariant(
        "loses something",
        "The registry itself writes to whoever is worse off.",
        of_all=(InvariantChecker.whoever_lost_something_was_written_to,),
        of_events=(
            whoever_lost_a_review_was_written_to,
            whoever_was_taken_off_was_written_to,
        ),
        tests=(
            "actions/test_officer_changes.py::test_officer_who_loses_by_a_change_stops_it",
            "actions/test_speakers.py::"
            "test_delegate_removed_by_another_acts_until_seven_days_have_passed",
            "notifications/test_outbox.py::"
            "test_lost_part_before_a_late_worker_came_keeps_the_letter",
        ),
    ),
)
"""What must never happen, in the order of the guide."""
