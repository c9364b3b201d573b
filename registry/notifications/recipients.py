"""Whom an event concerns and why: found when it is written, and fixed from then on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from registry import enums, permissions
from registry.enums import (
    LetterDelivery,
    LetterReason,
    MessageChannel,
    Role,
    State,
    Turn,
    VerbKind,
    whose_turn,
)
from registry.journal.event_messages import REMARK_VERBS
from registry.journal.openness import HOLD_VERBS
from registry.models import (
    Event,
    Follow,
    Message,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    User,
)
from registry.models.discussion import MessageQuerySet
from registry.selectors.appeals import list_appellants
from registry.selectors.consent import list_objections
from registry.selectors.events import RECOGNITION_VERBS
from registry.selectors.holder_addresses import find_addresses_in, list_contact_addresses
from registry.selectors.imported_records import find_confirmed_addresses
from registry.selectors.mailing_list import list_sent_texts
from registry.selectors.request_clock import read_request_clock

REASON_BY_TURN: Final[dict[Turn, LetterReason]] = {
    Turn.REGISTRANT: LetterReason.REGISTRANT,
    Turn.BODY: LetterReason.REGISTRANT,
    Turn.EXPERTS: LetterReason.EXPERT,
    Turn.LEAD: LetterReason.LEAD,
    Turn.REGISTRAR: LetterReason.REGISTRAR,
    Turn.STANDARDS_BODY: LetterReason.STANDARDS_BODY,
    Turn.ADMINISTRATOR: LetterReason.ADMINISTRATOR,
    Turn.HOLDER: LetterReason.HOLDER,
}
"""What the people whose turn it is are to a request."""

ROLE_BY_REASON: Final[dict[LetterReason, Role]] = {
    LetterReason.LEAD: Role.LEAD,
    LetterReason.REGISTRAR: Role.REGISTRAR,
    LetterReason.STANDARDS_BODY: Role.STANDARDS_BODY,
    LetterReason.ADMINISTRATOR: Role.ADMINISTRATOR,
}
"""The reasons that are roles, shared by all holders."""


def may_write_or_judge(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` has a part in the request: as a writer, or as an expert on it."""
    return permissions.may_write(person, registration_request) or permissions.is_assigned_expert(
        person, registration_request
    )


REASON_CHECKS: Final[dict[LetterReason, Callable[[User, RegistrationRequest], bool]]] = {
    LetterReason.REGISTRANT: permissions.may_write,
    LetterReason.EXPERT: permissions.is_assigned_expert,
    LetterReason.LEAD: permissions.may_lead,
    LetterReason.REGISTRAR: permissions.may_publish,
    LetterReason.STANDARDS_BODY: permissions.may_direct,
    LetterReason.RIVAL: may_write_or_judge,
}
"""Who is what to a request. Reasons not listed here never end."""


def holds_reason(
    person: User, reason: LetterReason, registration_request: RegistrationRequest | None
) -> bool:
    """Whether the reason for which a letter was written to `person` still holds."""
    if registration_request and reason in REASON_CHECKS:
        return REASON_CHECKS[reason](person, registration_request)
    return reason not in ROLE_BY_REASON or permissions.holds_role(person, ROLE_BY_REASON[reason])


def reachable_people() -> QuerySet[User]:
    """Return the people with an active account and a confirmed mail address."""
    return User.objects.filter(
        is_active=True,
        emailaddress__verified=True,
        emailaddress__email__iexact=F("email"),
    )


def list_role_holders(role: Role) -> list[User]:
    """Return the current holders of a role, whatever stake they have in a request."""
    return permissions.remember_fact(
        (list_role_holders, role),
        lambda: list_with_roles(
            reachable_people().filter(permissions.q_person_holds_role(role)),
        ),
    )


def list_with_roles(people: QuerySet[User]) -> list[User]:
    """Return people with their roles already read, in two queries regardless of their number."""
    factors = Exists(User.objects.filter(permissions.q_person_has_factor(), pk=OuterRef("pk")))
    found: list[User] = list(people.annotate(is_factor_there=factors).prefetch_related("groups"))
    for person in found:
        names = [group.name for group in person.groups.all()]
        person.remember_roles(names, has_factor=vars(person)["is_factor_there"])
    return found


def is_public(registration_request: RegistrationRequest) -> bool:
    """Whether a round was sent: from then on more people than its writers hear of a request."""
    return permissions.remember_fact(
        (is_public, registration_request.pk),
        lambda: registration_request.rounds.sent().exists(),
    )


def list_writers(registration_request: RegistrationRequest) -> list[User]:
    """Return the writers of the request: author, delegates and co-editors."""
    return permissions.remember_fact(
        (list_writers, registration_request.pk),
        lambda: list(
            reachable_people().filter(permissions.q_person_may_write(registration_request))
        ),
    )


def list_assigned_experts(registration_request: RegistrationRequest) -> list[User]:
    """Return the experts on the request."""
    return permissions.remember_fact(
        (list_assigned_experts, registration_request.pk),
        lambda: list_with_roles(
            reachable_people().filter(permissions.q_person_has_taken(registration_request))
        ),
    )


def list_holder_speakers(namespace: Namespace | None) -> list[User]:
    """Return who acts for the organization that holds a namespace, or speaks only for the
    namespace.
    """
    if namespace is None:
        return []
    return permissions.remember_fact(
        (list_holder_speakers, namespace.pk),
        lambda: list(
            find_delegates(namespace.registrant)
            | reachable_people().filter(pk__in=namespace.speakers.in_effect().values("person"))
        ),
    )


def list_party_speakers(registration_request: RegistrationRequest) -> list[User]:
    """Return who speaks for a body whose name a request for a new namespace can be taken for."""
    case = read_request_clock(registration_request).case
    speakers = {
        person.pk
        for each in case.parties
        if not each.is_holder
        for person in case.list_speakers(each)
    }
    return list(reachable_people().filter(pk__in=speakers)) if speakers else []


def find_delegates(organization: Organization | None) -> QuerySet[User]:
    """Return the people who act for an organization; nobody if it is None."""
    if organization is None:
        return User.objects.none()
    return reachable_people().filter(permissions.q_person_is_delegate_of(organization))


def list_holders_of_reason(
    reason: LetterReason, registration_request: RegistrationRequest | None
) -> list[User]:
    """Return the people for whom `reason` holds now, on the request or, without one, in the
    registry.
    """
    if reason in ROLE_BY_REASON:
        found = list_role_holders(ROLE_BY_REASON[reason])
    elif registration_request is None:
        return []
    elif reason == LetterReason.REGISTRANT:
        found = list_writers(registration_request)
    elif reason == LetterReason.HOLDER:
        found = list_holder_speakers(registration_request.namespace)
        found = [*found, *list_party_speakers(registration_request)]
    else:
        found = list_assigned_experts(registration_request)
    return [person for person in found if holds_reason(person, reason, registration_request)]


DIGEST_VERBS: Final = REMARK_VERBS
"""Small actions, many in a row: sent together once a day, and never to the list."""

MODERATION_VERBS: Final = frozenset({"hide_message", "show_message"})
"""Only the author of the message is notified."""

HOLDER_NEWS_KINDS: Final = (
    VerbKind.SENDS_ROUND,
    VerbKind.EXPERT_DECISION,
    VerbKind.ASKS_FOR_CHANGES,
    VerbKind.FAVOURABLE,
    VerbKind.RULING,
    VerbKind.CONSENT,
    VerbKind.EVIDENCE,
    VerbKind.OBJECTION,
    VerbKind.PUBLICATION,
)
"""What the published contact of a namespace hears about a request to change it."""
HOLDER_NEWS_VERBS: Final = frozenset({"withdraw"})
PUBLIC_NOTICE_VERBS: Final = frozenset(
    {
        "announce_speaker",
        "announce_removal",
        "announce_stop",
        "rule_on_speakers",
    }
)
"""What the mailing list hears about who speaks for a namespace."""


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody an event concerns: their address, and why.

    `registration_request` is the one that the reason is about, if it is not the event's.
    """

    address: str
    reason: LetterReason
    person: User | None = None
    follow: Follow | None = None
    registration_request: RegistrationRequest | None = None

    def delivery(self, event: Event) -> LetterDelivery:
        """Return when they read it: followed things as they chose, small actions together."""
        if event.verb in DIGEST_VERBS:
            return LetterDelivery.DIGEST
        follows = self.person is not None and self.reason == LetterReason.WATCHER
        return (
            LetterDelivery(self.person.delivery)
            if self.person and follows
            else LetterDelivery.AT_ONCE
        )


REASON_STRENGTH: Final = {reason: place for place, reason in enumerate(LetterReason)}


def find_parties(registration_request: RegistrationRequest) -> list[Recipient]:
    """Return who writes the request, reviews it or holds its namespace, as of now.

    Also called before a step: people who lose their part in the request by it are notified too.
    """
    holders = list_holder_speakers(registration_request.namespace)
    experts = list_holders_of_reason(LetterReason.EXPERT, registration_request)
    holders = [*holders, *list_party_speakers(registration_request)]
    return [
        *make_recipients(LetterReason.REGISTRANT, list_writers(registration_request)),
        *make_recipients(LetterReason.EXPERT, experts),
        *make_recipients(LetterReason.HOLDER, holders),
    ]


def find_recipients(event: Event, before: Iterable[Recipient] = ()) -> list[Recipient]:
    """Return everybody to write to about `event`: each address once, for its strongest reason.

    `before` are the parties before the step of the event. Nobody is notified of their own action,
    except that an identifier they want is contended.
    """
    told: dict[str, Recipient] = {}
    found = [*iterate_recipients(event), *select_former_parties(event, before)]
    found = [each for each in found if is_news_to(each.reason, event)]
    for concern in sorted(found, key=lambda each: REASON_STRENGTH[each.reason]):
        told.setdefault(concern.address.lower(), concern)
    if event.actor and not event.data.get("contended_with"):
        told.pop(event.actor.email.lower(), None)
    return list(told.values())


def is_news_to(reason: LetterReason, event: Event) -> bool:
    """Whether an event is worth a letter to those who are `reason` to its request.

    That experts take a request changes neither its text nor what was promised, except for those
    put on it, and that it is registered ends the experts’ part as they expect.
    """
    if event.verb == "assign":
        return reason in {LetterReason.EXPERT, LetterReason.NAMED, LetterReason.WATCHER}
    return event.target != State.REGISTERED or reason != LetterReason.EXPERT


def iterate_recipients(event: Event) -> Iterator[Recipient]:
    """Yield everybody concerned, some more than once, including the actor."""
    registration_request = event.registration_request
    if "to" in event.data or "people" in event.data:
        yield from iterate_named_recipients(event)
    elif registration_request is None:
        yield from iterate_other_recipients(event)
    elif not is_public(registration_request):
        yield from make_recipients(LetterReason.REGISTRANT, list_writers(registration_request))
    elif event.verb in MODERATION_VERBS:
        yield from find_recipients_by_key(
            find_event_messages(event).values_list("author", flat=True)
        )
    else:
        yield from iterate_request_recipients(event, registration_request)


def select_former_parties(event: Event, before: Iterable[Recipient]) -> Iterator[Recipient]:
    """Yield the parties before a step who are notified of it; for a draft, only its writers."""
    parties, registration_request = list(before), event.registration_request
    is_open = bool(parties and registration_request and is_public(registration_request))
    return (each for each in parties if is_open or each.reason == LetterReason.REGISTRANT)


def iterate_named_recipients(event: Event) -> Iterator[Recipient]:
    """Yield those whom the event itself names; for a draft never sent, at most its writers."""
    registration_request = event.registration_request
    is_open = registration_request is None or is_public(registration_request)
    wanted = [LetterReason(name) for name in event.data.get("to", ())]
    for reason in wanted:
        if is_open or reason == LetterReason.REGISTRANT:
            yield from make_recipients(reason, list_holders_of_reason(reason, registration_request))
    if LetterReason.HOLDER in wanted and registration_request:
        # Who objected can take it back, even if they speak for nobody any more.
        objections = list_objections(read_request_clock(registration_request).case)
        yield from find_recipients_by_key([each.actor_id for each in objections])
        if registration_request.namespace:
            for address in find_addresses_in(registration_request.namespace.contact):
                yield Recipient(address, LetterReason.CONTACT)
    yield from find_recipients_by_key(event.data.get("people", ()))


def iterate_request_recipients(
    event: Event, registration_request: RegistrationRequest
) -> Iterator[Recipient]:
    """Yield those whom an action on a public request concerns."""
    yield from make_recipients(LetterReason.REGISTRANT, list_writers(registration_request))
    parties = [LetterReason.EXPERT]
    if event.target:
        standing = read_request_clock(registration_request)
        # While everybody else waits for the holder's consent, they still hear what comes to them.
        turns = [standing.turn]
        if standing.is_paused:
            turns.append(whose_turn(State(event.target), is_taken=bool(standing.experts)))
        parties += [REASON_BY_TURN[turn] for turn in turns if turn != Turn.NOBODY]
    if enums.is_verb_of_kind(event.verb, VerbKind.APPEAL) or (
        event.target == State.APPROVED and lacks_second_registrar(registration_request)
    ):
        parties.append(LetterReason.STANDARDS_BODY)
    for reason in parties:
        yield from make_recipients(reason, list_holders_of_reason(reason, registration_request))
    if event.source == State.APPEALED or enums.is_verb_of_kind(event.verb, VerbKind.APPEAL_OUTCOME):
        yield from make_recipients(LetterReason.APPELLANT, find_appellants(registration_request))
    yield from find_recipients_by_key(event.data.get("expert_ids", ()))
    namespace = registration_request.namespace
    yield from make_recipients(LetterReason.HOLDER, list_holder_speakers(namespace))
    yield from make_recipients(LetterReason.HOLDER, list_party_speakers(registration_request))
    if enums.is_verb_of_kind(event.verb, VerbKind.SENDS_ROUND):
        namesakes = read_request_clock(registration_request).case.list_namesake_speakers()
        found = reachable_people().filter(pk__in={each.pk for each in namesakes})
        yield from make_recipients(LetterReason.NAMESAKE, found if namesakes else ())
    yield from iterate_rival_recipients(event)
    yield from iterate_contact_recipients(event, registration_request)
    yield from iterate_confirmed_contacts(event, registration_request)
    nids = {registration_request.nid, namespace.nid if namespace else ""} - {""}
    yield from iterate_followers(registration_request, nids)
    yield from iterate_mailing_list(event)


def lacks_second_registrar(registration_request: RegistrationRequest) -> bool:
    """Whether a second officer is needed, and fewer than two registrars can act."""
    if registration_request.change not in permissions.SECOND_OFFICER_CHANGES:
        return False
    return len(list_holders_of_reason(LetterReason.REGISTRAR, registration_request)) < 2


def iterate_other_recipients(event: Event) -> Iterator[Recipient]:
    """Yield those whom an action on a namespace, or about a recognition, concerns."""
    if event.namespace:
        yield from iterate_followers(None, {event.namespace.nid})
        if event.verb in PUBLIC_NOTICE_VERBS:
            # Everybody on record has a letter of their own.
            yield from iterate_mailing_list(event)
        else:
            yield from make_recipients(LetterReason.HOLDER, list_holder_speakers(event.namespace))
        if "next_template" in event.data:
            before = str(event.data["before"]["operator"])
            for address in find_addresses_in(f"{event.namespace.contact} {before}"):
                yield Recipient(address, LetterReason.CONTACT)
    elif event.verb in HOLD_VERBS:
        yield from iterate_hold_recipients(event)
    elif event.verb == "ask_recognition":
        holders = list_holders_of_reason(LetterReason.STANDARDS_BODY, None)
        yield from make_recipients(LetterReason.STANDARDS_BODY, holders)
    elif event.verb in {"record_organization_evidence", "withdraw_organization_evidence"}:
        for concerned in Organization.objects.filter(pk__in=event.data["concerned"]):
            yield from make_recipients(LetterReason.HOLDER, find_delegates(concerned))
    elif event.verb in RECOGNITION_VERBS:
        asked = Recognition.objects.filter(pk=event.data.get("recognition"))
        yield from find_recipients_by_key(asked.values_list("asked_by", flat=True))
        body = Organization.objects.filter(pk=event.data.get("organization_id")).first()
        yield from make_recipients(LetterReason.NAMED, find_delegates(body))
        yield from iterate_request_parties(event.data.get("requests", ()))


def iterate_hold_recipients(event: Event) -> Iterator[Recipient]:
    """Yield those whom a held NID concerns: who requests it, follows it or hears appeals."""
    body = list_holders_of_reason(LetterReason.STANDARDS_BODY, None)
    yield from make_recipients(LetterReason.STANDARDS_BODY, body)
    yield from find_recipients_by_key([event.data.get("appellant_id")])
    yield from iterate_request_parties(event.data.get("asked_for_by", ()))
    yield from iterate_followers(None, {event.data["nid"]})


def make_recipients(reason: LetterReason, found: Iterable[User]) -> Iterator[Recipient]:
    """Yield each of the people, for `reason`."""
    return (Recipient(person.email, reason, person) for person in found)


def find_recipients_by_key(keys: Iterable[int | None]) -> Iterator[Recipient]:
    """Yield the people with these primary keys."""
    wanted = [key for key in keys if key]
    found = reachable_people().filter(pk__in=wanted) if wanted else ()
    return make_recipients(LetterReason.NAMED, found)


def find_appellants(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return the people who made the last appeal."""
    return reachable_people() & list_appellants(registration_request)


def iterate_rival_recipients(event: Event) -> Iterator[Recipient]:
    """Yield writers and experts of the requests for the same NID or a similar one, and those who
    answer for a namespace with a similar one.
    """
    references = [*event.data.get("contended_with", ()), *event.data.get("close_to", ())]
    yield from iterate_request_parties(references)
    near = Namespace.objects.filter(nid__in=event.data.get("close_to_namespaces", ()))
    for namespace in near:
        yield from make_recipients(LetterReason.NEIGHBOUR, list_holder_speakers(namespace))
        for address in find_addresses_in(namespace.contact):
            yield Recipient(address, LetterReason.NEIGHBOUR)


def iterate_request_parties(references: Collection[str]) -> Iterator[Recipient]:
    """Yield writers and experts of the requests with these references."""
    for rival in RegistrationRequest.objects.filter(reference__in=references):
        for person in {*list_writers(rival), *list_assigned_experts(rival)}:
            yield Recipient(person.email, LetterReason.RIVAL, person, registration_request=rival)


def iterate_contact_recipients(
    event: Event, registration_request: RegistrationRequest
) -> Iterator[Recipient]:
    """Yield the published contact of a namespace to be changed, as it was before the action.

    For a first round, also the contacts of the organization in whose name it is made: naming a body
    gives no right in it, so it hears that its name is used.
    """
    namespace = registration_request.namespace
    if namespace and registration_request.needs_holder_consent and is_holder_news(event):
        before = event.data.get("before") or {}
        for address in find_addresses_in(str(before.get("contact", namespace.contact))):
            yield Recipient(address, LetterReason.CONTACT)
    if enums.is_verb_of_kind(event.verb, VerbKind.SENDS_ROUND) and event.data.get("round") == 1:
        for address in list_contact_addresses(registration_request.organization.namespaces.all()):
            yield Recipient(address, LetterReason.BODY)
    # They were asked whether the body keeps it, and hear that it was lost.
    if event.source == State.ADVISORY and enums.is_verb_of_kind(event.verb, VerbKind.EXPIRY):
        for address in find_contact_addresses(registration_request):
            yield Recipient(address, LetterReason.BODY)


def find_contact_addresses(registration_request: RegistrationRequest) -> list[str]:
    """Return the addresses of the requesting body: in its text, and of the namespaces it holds.

    Not those of the request's writers: they are written to as such.
    """
    last = registration_request.last_round
    texts = [last.template.registrant] if last else []
    texts += list_held_contacts(registration_request.organization)
    writers = {each.email.lower() for each in list_writers(registration_request)}
    found = dict.fromkeys(address for text in texts for address in find_addresses_in(text))
    return [address for address in found if address.lower() not in writers]


def list_held_contacts(organization: Organization) -> list[str]:
    """Return the contacts of the namespaces that an organization holds, as entered."""
    return permissions.remember_fact(
        (list_held_contacts, organization.pk),
        lambda: list(organization.namespaces.values_list("contact", flat=True)),
    )


def is_holder_news(event: Event) -> bool:
    """Whether the addresses on record for a namespace are notified of this action."""
    return event.verb in HOLDER_NEWS_VERBS or enums.is_verb_of_kind(event.verb, *HOLDER_NEWS_KINDS)


def iterate_confirmed_contacts(
    event: Event, registration_request: RegistrationRequest
) -> Iterator[Recipient]:
    """Yield the addresses in documents of record that the registrar confirmed to be in use."""
    namespace = registration_request.namespace
    if namespace and is_holder_news(event):
        for address in find_confirmed_addresses(namespace):
            yield Recipient(address, LetterReason.CONTACT)


def iterate_followers(
    registration_request: RegistrationRequest | None, nids: Collection[str]
) -> Iterator[Recipient]:
    """Yield the followers of the request, one of the NIDs or everything, in this order."""
    follows = Q(registration_request__isnull=True, nid__in=[*nids, ""])
    if registration_request:
        follows |= Q(registration_request=registration_request)
    watches = Follow.objects.filter(follows, person__in=reachable_people()).select_related(
        "person", "registration_request"
    )
    for watch in sorted(watches, key=lambda each: (not each.registration_request_id, not each.nid)):
        yield Recipient(watch.person.email, LetterReason.WATCHER, watch.person, watch)


def iterate_mailing_list(event: Event) -> Iterator[Recipient]:
    """Yield the mailing list, unless the message came from there.

    The letter with the text of a request mentions the action it belongs to.
    """
    registration_request, message = event.registration_request, find_carried_message(event)
    is_known_there = message is not None and message.channel == MessageChannel.LIST
    if not settings.REGISTRY_LIST_ADDRESS or is_known_there or event.verb in DIGEST_VERBS:
        return
    if registration_request is None:
        yield Recipient(settings.REGISTRY_LIST_ADDRESS, LetterReason.LIST)
        return
    texts = list_sent_texts(registration_request)
    if not texts.filter(event=event.pk).exists():
        yield Recipient(settings.REGISTRY_LIST_ADDRESS, LetterReason.LIST)


def find_carried_message(event: Event) -> Message | None:
    """Return the message of the discussion that letters about `event` carry, if any."""
    if event.verb in MODERATION_VERBS or event.data.get("message") is None:
        return None
    return find_event_messages(event).first()


def find_event_messages(event: Event) -> MessageQuerySet:
    """Return the public message that `event` is about, if it is about one."""
    number, registration_request = event.data.get("message"), event.registration_request
    if number is None or registration_request is None:
        return Message.objects.none()
    return registration_request.messages.public().filter(number=number)
