"""Whom an event concerns and for which reason; asked again before a letter is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, validate_email
from django.db.models import F, Q, QuerySet

from registry import enums, permissions
from registry.enums import (
    ChangeKind,
    LetterDelivery,
    LetterReason,
    MessageChannel,
    Role,
    State,
    Turn,
    VerbKind,
)
from registry.journal.event_messages import REMARK_VERBS
from registry.models import (
    Event,
    Follow,
    Message,
    Organization,
    Recognition,
    RegistrationRequest,
    User,
)
from registry.models.discussion import MessageQuerySet
from registry.selectors.appeals import list_appellants

REASON_BY_TURN: Final[dict[Turn, LetterReason]] = {
    Turn.REGISTRANT: LetterReason.REGISTRANT,
    Turn.BODY: LetterReason.REGISTRANT,
    Turn.EXPERTS: LetterReason.EXPERT,
    Turn.LEAD: LetterReason.LEAD,
    Turn.REGISTRAR: LetterReason.REGISTRAR,
    Turn.STANDARDS_BODY: LetterReason.STANDARDS_BODY,
}
"""What those are to a request whose turn it is."""

ROLE_BY_REASON: Final[dict[LetterReason, Role]] = {
    LetterReason.LEAD: Role.LEAD,
    LetterReason.REGISTRAR: Role.REGISTRAR,
    LetterReason.STANDARDS_BODY: Role.STANDARDS_BODY,
}
"""The reasons that are roles, held by all alike."""


def may_write_or_judge(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a part in the request: as a writer, or as an expert on it."""
    return permissions.may_write(person, registration_request) or permissions.is_reviewer(
        person, registration_request
    )


def speaks_for_holder(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is a delegate of the organization that holds the namespace now."""
    namespace = registration_request.namespace
    return (
        namespace is not None
        and namespace.registrant is not None
        and permissions.is_delegate_of(person, namespace.registrant)
    )


REASON_CHECKS: Final[dict[LetterReason, Callable[[User, RegistrationRequest], bool]]] = {
    LetterReason.REGISTRANT: permissions.may_write,
    LetterReason.EXPERT: permissions.is_reviewer,
    LetterReason.LEAD: permissions.may_lead,
    LetterReason.REGISTRAR: permissions.may_publish,
    LetterReason.STANDARDS_BODY: permissions.may_direct,
    LetterReason.HOLDER: speaks_for_holder,
    LetterReason.RIVAL: may_write_or_judge,
}
"""Who is what to a request. A reason that is not here does not pass away."""


def holds_reason(
    person: User, reason: LetterReason, registration_request: RegistrationRequest | None
) -> bool:
    """Whether `person` is still what a letter was written to them for."""
    if registration_request and reason in REASON_CHECKS:
        return REASON_CHECKS[reason](person, registration_request)
    return reason not in ROLE_BY_REASON or permissions.holds_role(person, ROLE_BY_REASON[reason])


def reachable_people() -> QuerySet[User]:
    """Return the people whose account is in use, and whose mail address is confirmed."""
    return User.objects.filter(
        is_active=True,
        emailaddress__verified=True,
        emailaddress__email__iexact=F("email"),
    )


def find_writers(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return those who write the request: author, delegates and co-editors."""
    return reachable_people().filter(permissions.q_person_may_write(registration_request))


def find_assigned_experts(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return those who are on the request as experts."""
    return reachable_people().filter(permissions.q_person_has_taken(registration_request))


def find_delegates(organization: Organization | None) -> QuerySet[User]:
    """Return those who act for an organization; nobody for none."""
    if organization is None:
        return User.objects.none()
    return reachable_people().filter(permissions.q_person_is_delegate_of(organization))


def list_holders_of_reason(
    reason: LetterReason, registration_request: RegistrationRequest | None
) -> list[User]:
    """Return the people who hold `reason` now, of the request or, without one, of the registry."""
    if reason in ROLE_BY_REASON:
        found = reachable_people().filter(permissions.q_person_holds_role(ROLE_BY_REASON[reason]))
    elif registration_request is None:
        return []
    elif reason == LetterReason.REGISTRANT:
        found = find_writers(registration_request)
    else:
        found = find_assigned_experts(registration_request)
    return [person for person in found if holds_reason(person, reason, registration_request)]


DIGEST_VERBS: Final = REMARK_VERBS
"""Small acts, many in a row: told once a day, together; never to the list."""

MODERATION_VERBS: Final = frozenset({"hide_message", "show_message"})
"""Only the author of the message is told."""

MAX_ADDRESS_LENGTH: Final = 254
MAIL_ADDRESS_PATTERN: Final = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody an event concerns: where to write to them, and why.

    `registration_request` is the one of which the reason speaks, where it is not the event's.
    """

    address: str
    reason: LetterReason
    person: User | None = None
    follow: Follow | None = None
    registration_request: RegistrationRequest | None = None

    def delivery(self, event: Event) -> LetterDelivery:
        """Return when they read of it: what is followed as they chose, small acts together."""
        if event.verb in DIGEST_VERBS:
            return LetterDelivery.DIGEST
        follows = self.person is not None and self.reason == LetterReason.WATCHER
        return (
            LetterDelivery(self.person.delivery)
            if self.person and follows
            else LetterDelivery.AT_ONCE
        )


REASON_STRENGTH: Final = {reason: place for place, reason in enumerate(LetterReason)}


def find_recipients(event: Event) -> list[Recipient]:
    """Return everybody to write to about `event`: each address once, for its strongest reason.

    Nobody is told of their own act, except that an identifier they asked for is contended.
    """
    told: dict[str, Recipient] = {}
    for concern in sorted(iterate_recipients(event), key=lambda each: REASON_STRENGTH[each.reason]):
        told.setdefault(concern.address.lower(), concern)
    if event.actor and not event.data.get("contended_with"):
        told.pop(event.actor.email.lower(), None)
    return list(told.values())


def iterate_recipients(event: Event) -> Iterator[Recipient]:
    """Yield all who are concerned, some more than once, and whoever acted too."""
    registration_request = event.registration_request
    if "to" in event.data or "people" in event.data:
        yield from iterate_named_recipients(event)
    elif registration_request is None:
        yield from iterate_other_recipients(event)
    elif not registration_request.rounds.sent().exists():
        yield from make_recipients(LetterReason.REGISTRANT, find_writers(registration_request))
    elif event.verb in MODERATION_VERBS:
        yield from find_recipients_by_key(
            find_event_messages(event).values_list("author", flat=True)
        )
    else:
        yield from iterate_request_recipients(event, registration_request)


def iterate_named_recipients(event: Event) -> Iterator[Recipient]:
    """Yield those that the event names itself; of a draft never sent, its writers at most."""
    registration_request = event.registration_request
    is_open = registration_request is None or registration_request.rounds.sent().exists()
    wanted = [LetterReason(name) for name in event.data.get("to", ())]
    for reason in wanted:
        if is_open or reason == LetterReason.REGISTRANT:
            yield from make_recipients(reason, list_holders_of_reason(reason, registration_request))
    yield from find_recipients_by_key(event.data.get("people", ()))


def iterate_request_recipients(
    event: Event, registration_request: RegistrationRequest
) -> Iterator[Recipient]:
    """Yield those whom an act on a public request concerns."""
    yield from make_recipients(LetterReason.REGISTRANT, find_writers(registration_request))
    parties = [LetterReason.EXPERT]
    if event.target and registration_request.turn != Turn.NOBODY:
        parties.append(REASON_BY_TURN[registration_request.turn])
    for reason in parties:
        yield from make_recipients(reason, list_holders_of_reason(reason, registration_request))
    if event.source == State.APPEALED:
        yield from make_recipients(LetterReason.APPELLANT, find_appellants(registration_request))
    yield from find_recipients_by_key(event.data.get("expert_ids", ()))
    namespace = registration_request.namespace
    yield from make_recipients(
        LetterReason.HOLDER, find_delegates(namespace.registrant if namespace else None)
    )
    yield from iterate_rival_recipients(event)
    yield from iterate_contact_recipients(event, registration_request)
    nids = {registration_request.nid, namespace.nid if namespace else ""} - {""}
    yield from iterate_followers(registration_request, nids)
    yield from iterate_mailing_list(event)


def iterate_other_recipients(event: Event) -> Iterator[Recipient]:
    """Yield those whom an act on a namespace, or about recognition, concerns."""
    if event.namespace:
        yield from make_recipients(LetterReason.HOLDER, find_delegates(event.namespace.registrant))
        yield from iterate_followers(None, {event.namespace.nid})
    elif event.verb == "ask_recognition":
        holders = list_holders_of_reason(LetterReason.STANDARDS_BODY, None)
        yield from make_recipients(LetterReason.STANDARDS_BODY, holders)
    elif event.verb in {"recognise", "refuse_recognition"}:
        asked = Recognition.objects.filter(pk=event.data.get("recognition"))
        yield from find_recipients_by_key(asked.values_list("asked_by", flat=True))
        body = Organization.objects.filter(pk=event.data.get("organization_id")).first()
        yield from make_recipients(LetterReason.NAMED, find_delegates(body))


def make_recipients(reason: LetterReason, found: Iterable[User]) -> Iterator[Recipient]:
    """Yield each of the people, for `reason`."""
    return (Recipient(person.email, reason, person) for person in found)


def find_recipients_by_key(keys: Iterable[int | None]) -> Iterator[Recipient]:
    """Yield the people with these primary keys."""
    return make_recipients(
        LetterReason.NAMED, reachable_people().filter(pk__in=[key for key in keys if key])
    )


def find_appellants(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return those who appealed against the last decision, or joined them."""
    return reachable_people() & list_appellants(registration_request)


def iterate_rival_recipients(event: Event) -> Iterator[Recipient]:
    """Yield writers and experts of the requests for the same NID, or for one close to it."""
    references = [*event.data.get("contended_with", ()), *event.data.get("close_to", ())]
    for rival in RegistrationRequest.objects.filter(reference__in=references):
        for person in {*find_writers(rival), *find_assigned_experts(rival)}:
            yield Recipient(person.email, LetterReason.RIVAL, person, registration_request=rival)


def iterate_contact_recipients(
    event: Event, registration_request: RegistrationRequest
) -> Iterator[Recipient]:
    """Yield the addresses in the contact of a namespace that is being handed over."""
    namespace = registration_request.namespace
    is_transfer = registration_request.change == ChangeKind.TRANSFER
    concerns = enums.is_verb_of_kind(event.verb, VerbKind.SENDS_ROUND, VerbKind.PUBLICATION)
    if namespace is None or not is_transfer or not concerns:
        return
    before = event.data.get("before")
    for address in MAIL_ADDRESS_PATTERN.findall(before["contact"] if before else namespace.contact):
        with suppress(ValidationError):
            validate_email(address)
            MaxLengthValidator(MAX_ADDRESS_LENGTH)(address)
            yield Recipient(address, LetterReason.CONTACT)


def iterate_followers(
    registration_request: RegistrationRequest | None, nids: Collection[str]
) -> Iterator[Recipient]:
    """Yield who follows the request, one of the NIDs or everything, in this order."""
    follows = Q(registration_request__isnull=True, nid__in=[*nids, ""])
    if registration_request:
        follows |= Q(registration_request=registration_request)
    watches = Follow.objects.filter(follows, person__in=reachable_people()).select_related(
        "person", "registration_request"
    )
    for watch in sorted(watches, key=lambda each: (not each.registration_request_id, not each.nid)):
        yield Recipient(watch.person.email, LetterReason.WATCHER, watch.person, watch)


def iterate_mailing_list(event: Event) -> Iterator[Recipient]:
    """Yield the mailing list, unless it is where the message came from."""
    message = find_carried_message(event)
    is_known_there = message is not None and message.channel == MessageChannel.LIST
    if settings.REGISTRY_LIST_ADDRESS and not is_known_there and event.verb not in DIGEST_VERBS:
        yield Recipient(settings.REGISTRY_LIST_ADDRESS, LetterReason.LIST)


def find_carried_message(event: Event) -> Message | None:
    """Return the message of the discussion that letters about `event` carry, if they do."""
    return None if event.verb in MODERATION_VERBS else find_event_messages(event).first()


def find_event_messages(event: Event) -> MessageQuerySet:
    """Return the public message that `event` is about, if it is about one."""
    number, registration_request = event.data.get("message"), event.registration_request
    if number is None or registration_request is None:
        return Message.objects.none()
    return registration_request.messages.public().filter(number=number)
