"""Events of the journal: public ones, for feeds and webhooks, and others."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from registry import enums
from registry.enums import State, VerbKind
from registry.journal.openness import journal_lines
from registry.models import (
    Event,
    Message,
    Namespace,
    Registration,
    RegistrationRequest,
    Round,
    User,
)
from registry.selectors.requests import requests_assigned_to

WRITERS_ONLY_VERBS: Final = frozenset(
    {"invite", "take_invitation_back", "join", "remove_co_editor"}
)
"""Actions that only the writers of the request care about."""


def public_request_events() -> QuerySet[Event]:
    """Return the public actions on requests, the newest first: those since the first round."""
    sent = Event.objects.filter(
        registration_request=OuterRef("registration_request"),
        verb__in=enums.list_verbs_of_kind(VerbKind.SENDS_ROUND),
        number__lte=OuterRef("number"),
    )
    public = RegistrationRequest.objects.public()
    acts = Event.objects.filter(Exists(sent), registration_request__in=public)
    return order_newest_first(acts.exclude(verb__in=WRITERS_ONLY_VERBS))


def public_namespace_events() -> QuerySet[Event]:
    """Return the actions that changed the facts of a namespace, the newest first."""
    changed = Q(registration_request__isnull=True) | Q(
        verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION)
    )
    return order_newest_first(Event.objects.filter(changed, namespace__isnull=False))


def public_events_about(namespace: Namespace) -> QuerySet[Event]:
    """Return all public actions about one namespace, including those on requests to change it."""
    own = Event.objects.filter(namespace=namespace, registration_request__isnull=True)
    asked = public_request_events().filter(registration_request__namespace=namespace)
    return order_newest_first(
        Event.objects.filter(Q(pk__in=own.values("pk")) | Q(pk__in=asked.values("pk")))
    )


def publications_since(registration: Registration) -> QuerySet[Event]:
    """Return the publication of a version and of later ones."""
    published = Event.objects.filter(
        verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION),
        namespace=registration.namespace,
        data__version__gte=registration.number,
    )
    return order_newest_first(published)


def find_log_number(namespace: Namespace, shown: Registration | None) -> int | None:
    """Return the log entry that published a version, or without a version the latest on the
    namespace.
    """
    events = publications_since(shown) if shown else public_namespace_events()
    found = events.filter(namespace=namespace).values_list("number", flat=True)
    return found.last() if shown else found.first()


def find_last_event_number(registration_request: RegistrationRequest) -> int | None:
    """Return the log entry of the last action on a request; None before the first."""
    numbers = registration_request.events.order_by("-number").values_list("number", flat=True)
    return numbers.first()


DECISION_KINDS: Final = (
    VerbKind.EXPERT_DECISION,
    VerbKind.RULING,
    VerbKind.APPEAL_OUTCOME,
    VerbKind.PUBLICATION,
)
"""Decisions on a round, by experts, the standards body and the registrar."""


def list_round_events(sent: Round) -> list[Event]:
    """Return the event that sent a round, and the decisions until the next was sent."""
    kinds = (VerbKind.SENDS_ROUND, *DECISION_KINDS)
    events = Event.objects.of_kind(*kinds).filter(registration_request=sent.registration_request_id)
    found, is_open = [], False
    for event in events.order_by("number"):
        if enums.is_verb_of_kind(event.verb, VerbKind.SENDS_ROUND):
            is_open = event.data.get("round") == sent.number
        if is_open:
            found.append(event)
    return found


def order_newest_first(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return events with what feed entries say about them, the newest first."""
    return events.select_related(
        "registration_request__organization", "registration_request__namespace", "namespace"
    ).order_by("-number")


def map_event_messages(events: Iterable[Event]) -> dict[tuple[int, int], Message]:
    """Return the messages that events are about, as far as readers may read them."""
    places = [build_message_key(event) for event in events if "message" in event.data]
    found = Message.objects.public().filter(
        hidden_at__isnull=True,
        registration_request__in={request for request, _number in places},
        number__in={number for _request, number in places},
    )
    return {(message.registration_request_id, message.number): message for message in found}


def build_message_key(event: Event) -> tuple[int, int]:
    """Return the keys that identify the message an event is about."""
    return event.registration_request_id or 0, event.data.get("message") or 0


def build_event_path(event: Event, message: Message | None) -> str:
    """Return the address of the page that shows an action."""
    if enums.is_verb_of_kind(event.verb, VerbKind.PUBLICATION) and event.namespace:
        return event.namespace.get_absolute_url()
    if event.registration_request:
        fragment = f"#{message.anchor}" if message else ""
        return event.registration_request.get_absolute_url() + fragment
    return event.namespace.get_absolute_url() if event.namespace else "/"


def build_event_tag(event: Event) -> str:
    """Return the id of an action (RFC 4151): event numbers never change."""
    host = urlsplit(settings.SITE).hostname or "localhost"
    return f"tag:{host},{event.at:%Y-%m-%d}:event/{event.number}"


def public_journal_lines() -> QuerySet[Any]:
    """Return the events that everybody may read."""
    return journal_lines().filter(is_open=True)


def public_journal_lines_on(nid: str) -> QuerySet[Any]:
    """Return those about a NID: its namespace, and the requests for it or to change it."""
    asked = Q(registration_request__nid=nid) | Q(registration_request__namespace__nid=nid)
    return public_journal_lines().filter(Q(namespace__nid=nid) | asked)


def list_latest_amendments() -> QuerySet[Event]:
    """Return the changes of facts of all namespaces, the last first."""
    amended = Event.objects.of_kind(VerbKind.PUBLICATION).filter(data__has_key="after")
    return amended.select_related("registration_request", "namespace").order_by("-number")


RECOGNITION_VERBS: Final = ("recognise", "refuse_recognition", "withdraw_recognition")
"""What the standards body decides apart from requests."""


def list_latest_rulings() -> QuerySet[Event]:
    """Return what the standards body decided, the last first."""
    ruling = [*enums.list_verbs_of_kind(VerbKind.RULING), *RECOGNITION_VERBS]
    deciding = enums.list_verbs_of_kind(VerbKind.EXPERT_DECISION)
    is_ruling = Q(verb__in=ruling) | Q(verb__in=deciding, source=State.REPORTED)
    decided = Event.objects.filter(is_ruling).order_by("-number")
    return decided.select_related("registration_request")


def find_last_change_request(registration_request: RegistrationRequest) -> Event | None:
    """Return the last event in which reviewers asked for something in the last round."""
    kinds = (VerbKind.ASKS_FOR_CHANGES, VerbKind.SENDS_ROUND)
    last = registration_request.events.of_kind(*kinds).last()
    if last is None or not last.comment:
        return None
    return last if enums.is_verb_of_kind(last.verb, VerbKind.ASKS_FOR_CHANGES) else None


UNPUBLISHED_VERB: Final = "start"


MAX_EVENTS_ORDERED: Final = 1_000
"""How many of the last actions of others are sorted: nobody reads more."""


def list_events_of_others(person: User, moment: datetime.datetime) -> QuerySet[Event]:
    """Return what others did to public requests after `moment`, with those of `person` first.

    At most the last `MAX_EVENTS_ORDERED`.
    """
    own = requests_assigned_to(person).filter(pk=OuterRef("registration_request"))
    public = RegistrationRequest.objects.public()
    found = (
        Event.objects.filter(at__gt=moment, registration_request__in=public)
        .exclude(actor=person)
        .exclude(verb=UNPUBLISHED_VERB)
    )
    last = found.order_by("-number").values("pk")[:MAX_EVENTS_ORDERED]
    return (
        Event.objects.filter(pk__in=last)
        .select_related("registration_request")
        .annotate(is_mine=Exists(own))
        .order_by("-is_mine", "-number")
    )
