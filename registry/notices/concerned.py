"""Whom an event concerns, and why."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db.models import Q, QuerySet

from registry.choices import Change, Channel, Delivery, Reason, Turn
from registry.models import (
    Event,
    Message,
    Organization,
    Recognition,
    RegistrationRequest,
    User,
    Watch,
)
from registry.models.discussion import MessageQuerySet
from registry.notices import reasons
from registry.telling import ON_PASSAGES

GATHERED: Final = ON_PASSAGES
"""Small acts, many in a row: told once a day, together; never to the list."""

MODERATED: Final = frozenset({"hide_message", "show_message"})
"""Only the author of the message is told."""

LONGEST_ADDRESS: Final = 254
ADDRESS: Final = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


@dataclass(frozen=True, slots=True)
class Concern:
    """Somebody an event concerns: where to write to them, and why.

    `registration_request` is the one of which the reason speaks, where it is not the event's.
    """

    address: str
    reason: Reason
    person: User | None = None
    watch: Watch | None = None
    registration_request: RegistrationRequest | None = None

    def delivery(self, event: Event) -> Delivery:
        """Return when they read of it: what is followed as they chose, small acts together."""
        if event.verb in GATHERED:
            return Delivery.DIGEST
        follows = self.person is not None and self.reason == Reason.WATCHER
        return Delivery(self.person.delivery) if self.person and follows else Delivery.AT_ONCE


STRENGTH: Final = {reason: place for place, reason in enumerate(Reason)}


def concerned(event: Event) -> list[Concern]:
    """Return everybody to write to about `event`: each address once, for its strongest reason.

    Nobody is told of their own act, except that an identifier they asked for is contended.
    """
    told: dict[str, Concern] = {}
    for concern in sorted(everybody(event), key=lambda each: STRENGTH[each.reason]):
        told.setdefault(concern.address.lower(), concern)
    if event.actor and not event.data.get("contended_with"):
        told.pop(event.actor.email.lower(), None)
    return list(told.values())


def everybody(event: Event) -> Iterator[Concern]:
    """Yield all who are concerned, some more than once, and whoever acted too."""
    registration_request = event.registration_request
    if "to" in event.data or "people" in event.data:
        yield from asked_for(event)
    elif registration_request is None:
        yield from of_no_request(event)
    elif not registration_request.rounds.sent().exists():
        yield from people(Reason.REGISTRANT, reasons.writers([registration_request]))
    elif event.verb in MODERATED:
        yield from named(messages(event).values_list("author", flat=True))
    else:
        yield from of_request(event, registration_request)


def asked_for(event: Event) -> Iterator[Concern]:
    """Yield those that the event names itself; of a draft never sent, its writers at most."""
    registration_request = event.registration_request
    is_open = registration_request is None or registration_request.rounds.sent().exists()
    wanted = [Reason(name) for name in event.data.get("to", ())]
    for reason in wanted:
        if is_open or reason == Reason.REGISTRANT:
            yield from people(reason, reasons.holders_of(reason, registration_request))
    yield from named(event.data.get("people", ()))


def of_request(event: Event, registration_request: RegistrationRequest) -> Iterator[Concern]:
    """Yield those whom an act on a public request concerns."""
    yield from people(Reason.REGISTRANT, reasons.writers([registration_request]))
    parties = [Reason.EXPERT]
    if event.target and registration_request.turn != Turn.NOBODY:
        parties.append(reasons.TURNS[registration_request.turn])
    for reason in parties:
        yield from people(reason, reasons.holders_of(reason, registration_request))
    if event.verb in {"remand", "uphold"}:
        yield from people(Reason.APPELLANT, appellants(registration_request))
    namespace = registration_request.namespace
    yield from people(Reason.HOLDER, reasons.delegates(namespace.registrant if namespace else None))
    yield from rivals(event)
    yield from contacts(event, registration_request)
    nids = {registration_request.nid, namespace.nid if namespace else ""} - {""}
    yield from watchers(registration_request, nids)
    yield from mailing_list(event)


def of_no_request(event: Event) -> Iterator[Concern]:
    """Yield those whom an act on a namespace, or about recognition, concerns."""
    if event.namespace:
        yield from people(Reason.HOLDER, reasons.delegates(event.namespace.registrant))
        yield from watchers(None, {event.namespace.nid})
    elif event.verb == "ask_recognition":
        holders = reasons.holders_of(Reason.STANDARDS_BODY, None)
        yield from people(Reason.STANDARDS_BODY, holders)
    elif event.verb in {"recognise", "refuse_recognition"}:
        asked = Recognition.objects.filter(pk=event.data.get("recognition"))
        yield from named(asked.values_list("asked_by", flat=True))
        body = Organization.objects.filter(pk=event.data.get("organization_id")).first()
        yield from people(Reason.NAMED, reasons.delegates(body))


def people(reason: Reason, found: Iterable[User]) -> Iterator[Concern]:
    """Yield each of the people, for `reason`."""
    return (Concern(person.email, reason, person) for person in found)


def named(keys: Iterable[int | None]) -> Iterator[Concern]:
    """Yield the people with these primary keys."""
    return people(Reason.NAMED, reasons.reachable().filter(pk__in=[key for key in keys if key]))


def appellants(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return those who appealed."""
    appeals = registration_request.events.filter(verb="appeal")
    return reasons.reachable().filter(pk__in=appeals.values("actor"))


def rivals(event: Event) -> Iterator[Concern]:
    """Yield writers and experts of the requests with which this one now contends."""
    references = event.data.get("contended_with", ())
    for rival in RegistrationRequest.objects.filter(reference__in=references):
        for person in {*reasons.writers([rival]), *reasons.experts([rival])}:
            yield Concern(person.email, Reason.RIVAL, person, registration_request=rival)


def contacts(event: Event, registration_request: RegistrationRequest) -> Iterator[Concern]:
    """Yield the addresses in the contact of a namespace that is being handed over."""
    namespace = registration_request.namespace
    is_transfer = registration_request.change == Change.TRANSFER
    if namespace is None or not is_transfer or event.verb not in {"submit", "register"}:
        return
    before = event.data.get("before")
    for address in ADDRESS.findall(before["contact"] if before else namespace.contact):
        with suppress(ValidationError):
            validate_email(address)
            MaxLengthValidator(LONGEST_ADDRESS)(address)
            yield Concern(address, Reason.CONTACT)


def watchers(
    registration_request: RegistrationRequest | None, nids: Collection[str]
) -> Iterator[Concern]:
    """Yield who follows the request, one of the NIDs or everything, in this order."""
    follows = Q(registration_request__isnull=True, nid__in=[*nids, ""])
    if registration_request:
        follows |= Q(registration_request=registration_request)
    watches = Watch.objects.filter(follows, person__in=reasons.reachable()).select_related(
        "person", "registration_request"
    )
    for watch in sorted(watches, key=lambda each: (not each.registration_request_id, not each.nid)):
        yield Concern(watch.person.email, Reason.WATCHER, watch.person, watch)


def mailing_list(event: Event) -> Iterator[Concern]:
    """Yield the mailing list, unless it is where the message came from."""
    message = carried(event)
    is_known_there = message is not None and message.channel == Channel.LIST
    if settings.REGISTRY_LIST_ADDRESS and not is_known_there and event.verb not in GATHERED:
        yield Concern(settings.REGISTRY_LIST_ADDRESS, Reason.LIST)


def carried(event: Event) -> Message | None:
    """Return the message of the discussion that letters about `event` carry, if they do."""
    return None if event.verb in MODERATED else messages(event).first()


def messages(event: Event) -> MessageQuerySet:
    """Return the public message that `event` is about, if it is about one."""
    number, registration_request = event.data.get("message"), event.registration_request
    if number is None or registration_request is None:
        return Message.objects.none()
    return registration_request.messages.public().filter(number=number)
