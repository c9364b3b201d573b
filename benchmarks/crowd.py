"""A registry with very much activity, created in bulk: requests of many rounds each.

The rows are those that the workflow would have left, including the journal and its digests.
"""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from registry import journal
from registry.demonstration.sample_texts import read_sample_texts
from registry.enums import (
    RemarkWeight,
    RequestPath,
    Role,
    Settlement,
    State,
)
from registry.models import (
    Assignment,
    Counter,
    Event,
    Message,
    Organization,
    RegistrationRequest,
    Remark,
    Round,
    User,
)
from registry.template import Template
from registry.transparency.entries import make_salt

# Alternating: requests waiting for experts, and for others.
STATES: Final = (
    State.IN_REVIEW,
    State.IN_REVIEW,
    State.CHANGES_REQUESTED,
    State.ADVISORY,
    State.APPROVED,
    State.REPORTED,
    State.DECLINED,
    State.WITHDRAWN,
)
BATCH: Final = 100
ORGANIZATIONS: Final = 20
BETWEEN_ROUNDS: Final = datetime.timedelta(12)
BETWEEN_VISITS: Final = datetime.timedelta(1)
SAMPLE: Final = read_sample_texts("seedbank").rounds[0]
SAMPLE_SPELLED: Final = json.dumps(SAMPLE.to_dict())


@dataclass
class Crowd:
    """The people, and the requests created so far."""

    author: User
    expert: User
    other: User
    registrar: User
    organizations: list[Organization]
    requests: list[RegistrationRequest] = field(default_factory=list)


def make_people() -> Crowd:
    """Create the people, and return them with no request yet."""

    def person(name: str, *roles: Role) -> User:
        address, yesterday = f"{name}@people.example".lower(), timezone.now() - BETWEEN_VISITS
        user = User.objects.create_user(address, name=name, queue_seen_at=yesterday)
        user.emailaddress_set.create(email=user.email, verified=True, primary=True)
        user.groups.set(user.groups.model.objects.get_or_create(name=role)[0] for role in roles)
        if roles:
            # Without a second factor a role is inactive.
            Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={})
        return user

    return Crowd(
        person("Author"),
        person("Expert", Role.EXPERT),
        person("Other", Role.EXPERT),
        person("Registrar", Role.REGISTRAR),
        Organization.objects.bulk_create(
            Organization(name=f"Body {n}") for n in range(ORGANIZATIONS)
        ),
    )


def add_requests(crowd: Crowd, count: int, rounds: int) -> None:
    """Add `count` requests of `rounds` rounds each."""
    first = len(crowd.requests)
    for start in range(first, first + count, BATCH):
        numbers = range(start, min(start + BATCH, first + count))
        with transaction.atomic():
            made = RegistrationRequest.objects.bulk_create(
                make_request(crowd, number) for number in numbers
            )
            crowd.requests += made
            texts = Round.objects.bulk_create(
                text for each in made for text in make_rounds(each, rounds)
            )
            write_journal(crowd, texts)
            add_words(crowd, texts)


def make_request(crowd: Crowd, number: int) -> RegistrationRequest:
    """Return one request; one in ten asks for the name of another."""
    state, now = STATES[number % len(STATES)], timezone.now()
    named = number - 1 if number % 10 == 1 else number
    return RegistrationRequest(
        reference=f"R-2025-{number + 1:04}",
        path=RequestPath.FAST_TRACK if state == State.ADVISORY else RequestPath.COMMUNITY,
        standards_action=state == State.REPORTED,
        state=state,
        state_since=now - datetime.timedelta(number % 60),
        revision=1,
        nid=f"vault{named:05}x",
        summary=f"Accessions of vault {number}",
        organization=crowd.organizations[number % ORGANIZATIONS],
        author=crowd.author,
        created_at=now - datetime.timedelta(200),
        start_key=uuid.uuid4(),
    )


def make_rounds(registration_request: RegistrationRequest, count: int) -> Iterator[Round]:
    """Yield the rounds of a request, each slightly different from the one before."""
    for number in range(1, count + 1):
        sent = timezone.now() - BETWEEN_ROUNDS * (count - number)
        text = Round(registration_request=registration_request, number=number)
        text.template = name_template(registration_request.nid).replace(
            date=sent.date().isoformat(),
            version="1",
            purpose=f"{SAMPLE.purpose}\n\nThis is edition {number} of the text.",
        )
        text.submitted_at = text.saved_at = sent
        text.sha256 = text.canonical_sha256
        yield text


def name_template(nid: str) -> Template:
    """Return the sample as it would be written for another NID, including its examples."""
    return Template.from_dict(json.loads(SAMPLE_SPELLED.replace(SAMPLE["nid"], nid)))


def write_journal(crowd: Crowd, texts: list[Round]) -> None:
    """Write journal events for each round, and for the request for changes before the next."""
    number, events = Event.objects.count(), []
    if journal.find_log() is None:
        journal.begin_log(settings.REGISTRY_LOG_ORIGIN)
    for text in texts:
        source = State.DRAFT if text.number == 1 else State.CHANGES_REQUESTED
        acts = [("submit", crowd.author, source, State.IN_REVIEW)]
        acts += [("request_changes", crowd.expert, State.IN_REVIEW, State.CHANGES_REQUESTED)]
        for verb, actor, before, after in acts:
            number += 1
            event = make_event(text, number, verb, actor)
            event.source, event.target = before, after
            # Requests with a sent round are public; checking each would take longest.
            journal.compose_entry(event, {}, is_open=True)
            events.append(event)
    Event.objects.bulk_create(events)
    Counter.objects.raise_to(Counter.EVENT, number)


def make_event(text: Round, number: int, verb: str, actor: User) -> Event:
    """Return one journal event, without its states and its log entry."""
    return Event(
        number=number,
        at=text.saved_at,
        actor=actor,
        actor_name=str(actor),
        verb=verb,
        subject=str(text.registration_request),
        registration_request=text.registration_request,
        comment="Say who finds the list of vaults when the federation is gone.",
        data={"round": text.number, "sha256": text.sha256},
        actor_salt=make_salt(),
        details_salt=make_salt(),
    )


def add_words(crowd: Crowd, texts: list[Round]) -> None:
    """Assign one of two experts to each request, with remarks, and add a public discussion."""
    assignments, remarks, messages = [], [], []
    for text in texts:
        on_it: dict[str, Any] = {"registration_request": text.registration_request}
        # Each of the two has requests in every state, whatever their keys are.
        place = int(text.registration_request.reference.rpartition("-")[2]) // len(STATES)
        expert = crowd.expert if place % 2 else crowd.other
        moment = text.saved_at
        if text.number == 1:
            assignments.append(
                Assignment(expert=expert, assigned_at=moment, declared_at=moment, **on_it)
            )
        remarks.append(
            Remark(
                round=text,
                number=text.number,
                author=expert,
                made_at=moment,
                section="purpose",
                weight=RemarkWeight.MUST_FIX if text.number % 2 else RemarkWeight.ADVICE,
                text="Say who they are.",
                settlement=Settlement.CHANGED,
                answered_by=crowd.author,
                answered_in=text,
                **on_it,
            )
        )
        messages.append(
            Message(
                number=text.number,
                author=crowd.other,
                author_name=str(crowd.other),
                posted_at=moment,
                text="We keep such names too, and would use these.",
                message_id=f"<{text.pk}@registry.example>",
                **on_it,
            )
        )
    Assignment.objects.bulk_create(assignments)
    Remark.objects.bulk_create(remarks)
    Message.objects.bulk_create(messages)
