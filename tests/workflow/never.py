"""What must never happen (docs/process.md), asked of everything there is, from the outside.

Nothing here asks `registry.permissions` or `registry.workflow`: what they let through is judged by
the facts and by the journal alone.
"""

from __future__ import annotations

from typing import Any, Final

from registry import journal
from registry.enums import (
    ChangeKind,
    RequestPath,
    State,
    Turn,
)
from registry.models import (
    Event,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    Round,
    User,
)

JUDGING: Final = {"advise", "request_changes", "approve", "report", "decline"}
DECIDING: Final = {
    *JUDGING,
    *("return", "direct", "send_back", "refuse", "remand", "uphold", "register", "bounce"),
}
WRITTEN: Final = {State.DRAFT, State.CHANGES_REQUESTED, State.DECLINED, State.ADVISORY}
ENDED: Final = {State.REGISTERED, State.WITHDRAWN, State.REFUSED, State.EXPIRED}
OFF_THE_FAST_TRACK: Final = {"complete", "withdraw", "reroute"}
NOT_ON_THE_FAST_TRACK: Final = {State.IN_REVIEW, State.REPORTED, State.DECLINED}


class Never:
    """Remembers what was there at the last look, and says what should not have become of it."""

    def __init__(self) -> None:
        self.frozen: dict[tuple[str, int], dict[str, Any]] = {}
        self.names: dict[int, tuple[str, int | None]] = {}
        self.told = 0

    def look(self) -> None:
        """Look at everything; whatever must never happen has not happened."""
        assert list(journal.verify()) == []
        self.nothing_published_or_sent_changed()
        self.no_name_was_freed_or_used_twice()
        for registration_request in RegistrationRequest.objects.all():
            every_state_has_its_event(registration_request)
            somebody_is_named(registration_request)
            a_text_is_at_hand(registration_request)
        for event in Event.objects.filter(number__gt=self.told).order_by("number"):
            if event.registration_request:
                nobody_decided_on_their_own(event, event.registration_request)
                no_expert_blocked_the_fast_track(event, event.registration_request)
                nothing_lacked_direction_or_report(event, event.registration_request)
                nothing_was_published_without_the_holder(event, event.registration_request)
            self.told = event.number

    def nothing_published_or_sent_changed(self) -> None:
        """Versions and rounds once there are there still, letter by letter."""
        versions, rounds = (
            Registration.objects.all(),
            Round.objects.filter(submitted_at__isnull=False),
        )
        now = {("version", row["id"]): dict(row) for row in versions.values()}
        now |= {("round", row["id"]): dict(row) for row in rounds.values()}
        assert {key: now.get(key) for key in self.frozen} == self.frozen
        self.frozen = now

    def no_name_was_freed_or_used_twice(self) -> None:
        """Namespaces only come, and informal numbers rise by one."""
        now = {each.pk: (each.nid, each.informal_number) for each in Namespace.objects.all()}
        assert now.items() >= self.names.items()
        assert len({nid.lower() for nid, _number in now.values()}) == len(now)
        numbers = sorted(number for _nid, number in now.values() if number)
        assert numbers == list(range(1, len(numbers) + 1))
        self.names = now


def every_state_has_its_event(registration_request: RegistrationRequest) -> None:
    """From the first state to this one leads a chain of events, one for each revision."""
    steps = list(registration_request.events.exclude(target="").order_by("number"))
    assert [step.source for step in steps] == ["", *(step.target for step in steps[:-1])]
    assert steps[-1].target == registration_request.state
    assert registration_request.revision == len(steps) - 1
    came = [step.at for step in steps if step.source != step.target]
    assert registration_request.state_since == came[-1]


def somebody_is_named(registration_request: RegistrationRequest) -> None:
    """A request that has not ended waits for somebody, and the experts it waits for are there."""
    turn = registration_request.turn
    assert (turn == Turn.NOBODY) == (registration_request.state in ENDED)
    if turn == Turn.EXPERTS:
        on_it = registration_request.assignments.filter(recused_at=None)
        assert [each for each in on_it if not has_a_stake(each.expert, registration_request)]


def a_text_is_at_hand(registration_request: RegistrationRequest) -> None:
    """Whoever has to write has something to write on, and never two."""
    drafts = registration_request.rounds.filter(submitted_at=None).count()
    assert drafts <= 1
    assert drafts or registration_request.state not in WRITTEN


def has_a_stake(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether the request is the person's own, or their conflict of interest was declared."""
    organization = registration_request.organization
    own = {
        registration_request.author,
        *organization.delegates.all(),
        *organization.people.all(),
        *registration_request.co_editors.all(),
        *(each.expert for each in organization.conflicts.select_related("expert")),
    }
    return person in own


def nobody_decided_on_their_own(event: Event, registration_request: RegistrationRequest) -> None:
    """Who decided has no stake; whoever judged had come to the request and declared so before."""
    if event.verb not in DECIDING:
        return
    assert event.actor
    assert not has_a_stake(event.actor, registration_request), str(event)
    if event.verb in JUDGING:
        assignment = registration_request.assignments.get(expert=event.actor)
        assert assignment.declared_at
        assert assignment.declared_at <= event.at


def no_expert_blocked_the_fast_track(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """Only the body takes a request on, off or through the fast track, unless it was refused."""
    if registration_request.path == RequestPath.FAST_TRACK:
        assert registration_request.state not in NOT_ON_THE_FAST_TRACK
    if event.source != State.ADVISORY or event.target in {State.ADVISORY, ""}:
        return
    assert event.verb in OFF_THE_FAST_TRACK, str(event)
    asked = registration_request.organization.recognitions.exclude(is_granted=None)
    refused = asked.order_by("decided_at").last()
    if not (event.verb == "reroute" and refused and not refused.is_granted):
        delegates = registration_request.organization.delegates.all()
        actor = event.actor
        if event.verb == "withdraw" and actor is None:
            # The clock carries out what a delegate announced, and nobody stopped.
            announced = registration_request.events.filter(verb="announce_withdrawal")
            actor = announced.latest("number").actor
        assert actor in {registration_request.author, *delegates}


def nothing_lacked_direction_or_report(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """What became part of a standard was reported on and directed, in the words published."""
    if event.verb != "register" or not registration_request.standards_action:
        return
    text = registration_request.rounds.filter(submitted_at__isnull=False).latest("number")
    spoken = registration_request.events.filter(number__lt=event.number, data__sha256=text.sha256)
    assert {"report", "direct"} <= {each.verb for each in spoken}


def nothing_was_published_without_the_holder(
    event: Event, registration_request: RegistrationRequest
) -> None:
    """Whoever held a namespace asked for the change in these words, or stood behind them.

    Where nobody was known who could, a registrar had recorded how the word was verified.
    """
    namespace = registration_request.namespace
    if event.verb != "register" or registration_request.change == ChangeKind.NEW:
        return
    assert namespace
    before = event.data.get("before", {})
    name = before.get("registrant", str(namespace.registrant or ""))
    holder = Organization.objects.filter(name=name).first()
    text = registration_request.rounds.filter(submitted_at__isnull=False).latest("number")
    spoken = registration_request.events.filter(
        number__lt=event.number, data__sha256=text.sha256, data__round=text.number
    )
    stood = {
        each.actor
        for each in spoken.filter(verb__in=("submit", "revise", "complete", "prove"))
        if each.actor
    }
    speaks = {*holder.delegates.all(), *holder.people.all()} if holder else set()
    founders = {each.author for each in namespace.requests.filter(change=ChangeKind.NEW)}
    if stood & (speaks | founders):
        return
    verified = spoken.filter(verb="verify_holder").last()
    assert not speaks, str(event)
    assert verified, str(event)
    assert (verified.data["holder"], bool(verified.comment)) == (str(holder or ""), True)
