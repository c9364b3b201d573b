"""Seed data in bulk: rows that registering and reviewing would have left, with their journal."""

from __future__ import annotations

import datetime
import io
import json
import uuid
from collections import Counter as Counted
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from registry import journal
from registry.demonstration.sample_texts import read_sample_texts
from registry.enums import (
    LetterReason,
    NamespaceKind,
    RemarkWeight,
    RequestPath,
    Role,
    Settlement,
    SpeakerBasis,
    State,
)
from registry.models import (
    Assignment,
    Counter,
    Event,
    Letter,
    Message,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
    Remark,
    Round,
    Speaker,
    User,
)
from registry.template import Template
from registry.transparency.entries import make_salt

# By turns: requests that wait for experts, and for others.
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
ROUNDS: Final = 2
BATCH: Final = 100
ORGANIZATIONS: Final = 20
WORDS: Final = ("book", "archive", "sensor", "device", "schema", "event", "library", "standard")
SAMPLE: Final = read_sample_texts("seedbank").rounds[0]
SAMPLE_JSON: Final = json.dumps(SAMPLE.to_dict())


@dataclass
class Seed:
    """The people, and the requests created so far."""

    author: User
    outsider: User
    expert: User
    other_expert: User
    lead: User
    registrar: User
    standards_body: User
    organizations: list[Organization]
    requests: list[RegistrationRequest] = field(default_factory=list)


def load_registry() -> Seed:
    """Load today's namespaces, and create the people."""
    call_command("load_registry", stdout=io.StringIO())
    return create_people()


def create_people() -> Seed:
    """Create the people, and begin the log unless something has."""
    if journal.find_log() is None:
        journal.begin_log(settings.REGISTRY_LOG_ORIGIN)
    seed = Seed(
        make_person("Author"),
        make_person("Outsider"),
        make_person("Expert", Role.EXPERT),
        make_person("Other expert", Role.EXPERT),
        make_person("Lead", Role.LEAD),
        make_person("Registrar", Role.REGISTRAR),
        make_person("Standards body", Role.STANDARDS_BODY),
        Organization.objects.bulk_create(
            Organization(name=f"Body {number} of vaults") for number in range(ORGANIZATIONS)
        ),
    )
    for organization in seed.organizations:
        Speaker.objects.put_in_effect(seed.author, SpeakerBasis.NAMED, organization=organization)
    return seed


def make_person(name: str, *roles: Role) -> User:
    """Create somebody with a confirmed address, and with a second factor for any role."""
    address = f"{name}@people.example".lower().replace(" ", ".")
    yesterday = timezone.now() - datetime.timedelta(1)
    user = User.objects.create_user(address, name=name, queue_seen_at=yesterday)
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    user.groups.set(user.groups.model.objects.get_or_create(name=role)[0] for role in roles)
    if roles:
        Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data={})
    return user


def fill(seed: Seed, namespaces: int, requests: int) -> None:
    """Add namespaces and requests until there are so many, and index them."""
    add_namespaces(seed, namespaces)
    add_requests(seed, requests)
    call_command("rebuild_search", stdout=io.StringIO())


@transaction.atomic
def add_namespaces(seed: Seed, count: int) -> None:
    """Add namespaces until there are `count`, each with a version and the request it came from."""
    long_ago, first = timezone.now() - datetime.timedelta(400), Namespace.objects.count()
    namespaces = Namespace.objects.bulk_create(
        Namespace(
            nid=f"{WORDS[number % len(WORDS)]}-{number}",
            nid_as_registered=f"{WORDS[number % len(WORDS)]}-{number}",
            kind=NamespaceKind.FORMAL,
            summary=f"{WORDS[number % len(WORDS)]} identifiers of kind {number}",
            registrant=seed.organizations[number % ORGANIZATIONS],
            references=[f"RFC {3000 + number % 6000}"],
            registered_on="2020-01-01",
        )
        for number in range(first, count)
    )
    requests = RegistrationRequest.objects.bulk_create(
        RegistrationRequest(
            reference=f"R-2024-{number:04}",
            path=RequestPath.COMMUNITY,
            state=State.REGISTERED,
            state_since=long_ago,
            nid=namespace.nid,
            summary=namespace.summary,
            organization=namespace.registrant,
            author=seed.author,
            namespace=namespace,
            created_at=long_ago,
            start_key=uuid.uuid4(),
        )
        for number, namespace in enumerate(namespaces, first)
    )
    Registration.objects.bulk_create(map(make_version, requests), batch_size=BATCH)
    add_rounds(seed, requests)


def make_version(registration_request: RegistrationRequest) -> Registration:
    """Return the first version of the namespace that a request asked for."""
    version = Registration(
        namespace=registration_request.namespace,
        number=1,
        registered_on=timezone.localdate(),
        registration_request=registration_request,
    )
    version.template = name_template(registration_request.nid)
    version.sha256 = version.canonical_sha256
    return version


def add_requests(seed: Seed, count: int) -> None:
    """Add requests in all states until there are `count`, each with journal and discussion."""
    for first in range(len(seed.requests), count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        with transaction.atomic():
            requests = RegistrationRequest.objects.bulk_create(
                make_request(seed, number) for number in numbers
            )
            seed.requests += requests
            add_rounds(seed, requests)


def make_request(seed: Seed, number: int) -> RegistrationRequest:
    """Return one request; one in ten asks for the NID of another."""
    state, now = STATES[number % len(STATES)], timezone.now()
    nid_number = number - 1 if number % 10 == 1 else number
    return RegistrationRequest(
        reference=f"R-2025-{number + 1:04}",
        path=RequestPath.FAST_TRACK if state == State.ADVISORY else RequestPath.COMMUNITY,
        standards_action=state == State.REPORTED,
        state=state,
        state_since=now - datetime.timedelta(number % 60),
        revision=1,
        nid=f"vault{nid_number:05}x",
        summary=f"Accessions of vault {number}",
        organization=seed.organizations[number % ORGANIZATIONS],
        author=seed.author,
        created_at=now - datetime.timedelta(200),
        start_key=uuid.uuid4(),
    )


def add_rounds(seed: Seed, requests: list[RegistrationRequest]) -> None:
    """Add the rounds of requests, with their journal and review."""
    rounds = Round.objects.bulk_create(text for each in requests for text in make_rounds(each))
    if rounds:
        write_journal(seed, rounds)
        Letter.objects.bulk_create(map(make_list_letter, rounds))
        add_review(seed, rounds)


def make_rounds(registration_request: RegistrationRequest) -> Iterator[Round]:
    """Yield the rounds of a request, each slightly different from the one before."""
    template = name_template(registration_request.nid)
    for number in range(1, ROUNDS + 1):
        sent = timezone.now() - datetime.timedelta(12) * (ROUNDS - number)
        text = Round(registration_request=registration_request, number=number)
        text.template = template.replace(
            date=sent.date().isoformat(),
            version="1",
            purpose=f"{SAMPLE.purpose}\n\nThis is edition {number} of the text.",
        )
        text.submitted_at = text.saved_at = text.comments_since = sent
        text.sha256 = text.canonical_sha256
        yield text


def name_template(nid: str) -> Template:
    """Return the sample as it would be written for another NID, including its examples."""
    return Template.from_dict(json.loads(SAMPLE_JSON.replace(SAMPLE["nid"], nid)))


def make_list_letter(text: Round) -> Letter:
    """Return the letter with which the discussion list got a text."""
    return Letter(
        key=f"list-{text.pk}",
        address=settings.REGISTRY_LIST_ADDRESS,
        reason=LetterReason.LIST,
        subject=str(text.registration_request),
        round=text,
        written_at=text.saved_at,
        sent_at=text.saved_at,
    )


def write_journal(seed: Seed, rounds: list[Round]) -> None:
    """Write events for each round: it was sent, and changes were requested."""
    events = []
    for text in rounds:
        source = State.DRAFT if text.number == 1 else State.CHANGES_REQUESTED
        events.append(make_event(text, "submit", seed.author, source, State.IN_REVIEW))
        events.append(
            make_event(
                text, "request_changes", seed.expert, State.IN_REVIEW, State.CHANGES_REQUESTED
            )
        )
    for number, event in enumerate(events, Counter.objects.expected(Counter.EVENT)):
        event.number = number
        # Requests with a sent round are public; asking for each would take longest.
        journal.compose_entry(event, {}, is_open=True)
    Event.objects.bulk_create(events)
    Counter.objects.raise_to(Counter.EVENT, events[-1].number)


def make_event(text: Round, verb: str, actor: User, source: State, target: State) -> Event:
    """Return one journal event, without its number and its log entry."""
    return Event(
        at=text.saved_at,
        actor=actor,
        actor_name=str(actor),
        verb=verb,
        source=source,
        target=target,
        subject=str(text.registration_request),
        registration_request=text.registration_request,
        comment="Say who finds the list of vaults when the federation is gone.",
        data={"round": text.number, "sha256": text.sha256},
        actor_salt=make_salt(),
        details_salt=make_salt(),
    )


def add_review(seed: Seed, rounds: list[Round]) -> None:
    """Assign one of two experts to each request, with remarks and a public discussion."""
    assignments, remarks, messages = [], [], []
    for text in rounds:
        registration_request, moment = text.registration_request, text.saved_at
        # Each of the two has requests in every state.
        place = int(registration_request.reference.rpartition("-")[2]) // len(STATES)
        expert = seed.expert if place % 2 else seed.other_expert
        if text.number == 1:
            assignments.append(
                Assignment(
                    registration_request=registration_request,
                    expert=expert,
                    assigned_at=moment,
                    declared_at=moment,
                )
            )
        remarks.append(
            Remark(
                registration_request=registration_request,
                round=text,
                number=text.number,
                author=expert,
                made_at=moment,
                section="purpose",
                weight=RemarkWeight.MUST_FIX if text.number % 2 else RemarkWeight.ADVICE,
                text="Say who they are.",
                settlement=Settlement.CHANGED,
                answered_by=seed.author,
                answered_in=text,
            )
        )
        messages.append(
            Message(
                registration_request=registration_request,
                number=text.number,
                author=seed.outsider,
                author_name=str(seed.outsider),
                posted_at=moment,
                text="We keep such names too, and would use these.",
                message_id=f"<{text.pk}@registry.example>",
            )
        )
    Assignment.objects.bulk_create(assignments)
    Remark.objects.bulk_create(remarks)
    Message.objects.bulk_create(messages)


def list_requests(seed: Seed, state: State) -> list[RegistrationRequest]:
    """Return the requests in a state that the expert is assigned to, each alone with its NID."""
    nids = Counted(each.nid for each in seed.requests)
    requests = RegistrationRequest.objects.filter(state=state, assignments__expert=seed.expert)
    return [each for each in requests.order_by("pk") if nids[each.nid] == 1]
