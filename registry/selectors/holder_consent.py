"""Whose consent a change of a registered namespace needs, who gave it, and since when it holds.

RFC 8141 leaves this to the registry (sections 5.1 and 6.2): nothing about a registered namespace is
published unless somebody who speaks for the organization that holds it requests it or consents; if
the registry knows nobody who does, the registrar verifies the holder's consent and records it.
Consent is given for one round, and ends with the next. For a transfer and a change of status it is
confirmed by a code and takes effect some days later. An objection of the holder stops it. Only this
module knows these rules; conditions, pages, API and letters ask here.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from registry import enums, permissions
from registry.enums import LIVE_STATES, ChangeKind, VerbKind
from registry.models import (
    Event,
    Namespace,
    Organization,
    Proof,
    RegistrationRequest,
    Round,
    User,
)
from registry.models.event import EventQuerySet
from registry.models.request import RequestQuerySet
from registry.selectors.appeals import is_directed_after_appeal, list_overturned_rulings

UNKNOWN_HOLDER: Final = 0
"""Represents in the journal a holder whom the registry does not know."""

CONFIRMED_CHANGES: Final = frozenset({ChangeKind.TRANSFER, ChangeKind.STATUS, ChangeKind.RENAME})
"""For these, consent is confirmed by a code from a letter, and takes effect some days later."""


@dataclass(frozen=True, slots=True)
class Consent:
    """Who of an organization consents to a request, and by which proof.

    The organization is None for a holder whom the registry does not know. `unconfirmed` have yet to
    enter the code from their letter; `citations` cite the RFC that changes the reference.
    `effective_at` is when the first of all these takes effect, None if at once.
    """

    organization: Organization | None
    delegates: list[User] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    verifications: list[Event] = field(default_factory=list)
    citations: list[Event] = field(default_factory=list)
    unconfirmed: list[User] = field(default_factory=list)
    effective_at: datetime.datetime | None = None

    @property
    def is_said(self) -> bool:
        """Whether anybody consents, even if it takes effect only later."""
        said = (self.delegates, self.proofs, self.verifications, self.citations)
        return any(said)

    @property
    def is_given(self) -> bool:
        """Whether anybody consents, and it is in effect."""
        return self.is_said and (self.effective_at is None or self.effective_at <= timezone.now())


@dataclass(frozen=True, slots=True)
class MissingConsent:
    """What a request lacks of its holder: in two or three words, and in sentences."""

    label: str | Promise
    words: str
    awaits_word: bool = False
    awaits_code: bool = False

    def __str__(self) -> str:
        return self.words


NOT_BY_HOLDER: Final = gettext_lazy("Not by the holder")
OBJECTED: Final = gettext_lazy("The holder objects")
NOT_IN_EFFECT: Final = gettext_lazy("Holder’s word not in effect yet")


def representatives_of(
    organization: Organization | None, registration_request: RegistrationRequest
) -> QuerySet[User]:
    """Return who speaks for `organization` in this request.

    Its delegates, and for the holder people who speak only for the namespace. Having typed its name
    makes nobody one of them.
    """
    namespace = registration_request.namespace
    speaks = permissions.NOTHING
    if organization is not None:
        speaks = permissions.q_person_speaks_for(organization)
    renames = registration_request.change == ChangeKind.RENAME
    if namespace and namespace.registrant == organization and not renames:
        speaks |= permissions.q_person_speaks_for_namespace(namespace)
    return User.objects.filter(speaks, is_active=True)


def list_representatives(
    organization: Organization | None, registration_request: RegistrationRequest
) -> list[User]:
    """Return who speaks for `organization` in this request, by name; a page queries it once."""
    key = (list_representatives, organization.pk if organization else None, registration_request.pk)
    return permissions.remember_fact(
        key,
        lambda: list(representatives_of(organization, registration_request).order_by("name", "pk")),
    )


@permissions.ask_each_fact_once()
def find_consent(
    registration_request: RegistrationRequest, organization: Organization | None
) -> Consent:
    """Return who of `organization` consents to the last round; before the first, who would."""
    last = find_last_round(registration_request)
    speaking = list_representatives(organization, registration_request)
    if last is None:
        asked, stood = select_events(list_consent_events(registration_request), "start"), []
    else:
        said = list_consent_events_of_round(last)
        holder = organization.pk if organization else UNKNOWN_HOLDER
        asked = select_events(said, *enums.list_verbs_of_kind(VerbKind.ASKS_FOR_ROUND))
        proved = select_events(said, "prove")
        stood = [each for each in proved if each.data.get("organization_id") == holder]
    body = organization.pk if organization else None
    known = {each.pk for each in speaking}
    actors = {each.actor_id for each in asked} & known
    stood_by = {each.actor_id for each in stood} & known
    proofs = [
        each
        for each in list_proofs_in_effect(registration_request)
        if each.organization_id == body and each.person_id in stood_by
    ]
    by_proof = {each.person_id for each in proofs}
    delegates = [each for each in speaking if each.pk in actors - by_proof]
    return weigh_words(registration_request, organization, last, delegates, proofs)


def weigh_words(
    registration_request: RegistrationRequest,
    organization: Organization | None,
    last: Round | None,
    delegates: list[User],
    proofs: list[Proof],
) -> Consent:
    """Return the consents for `organization`, with what is yet to be confirmed and since when."""
    namespace = registration_request.namespace
    if last is None or namespace is None or namespace.registrant != organization:
        return Consent(organization, delegates, proofs)
    speaking = list_representatives(organization, registration_request)
    verifications = [] if speaking else list_holder_verifications(last, organization)
    said = list_consent_events_of_round(last)
    citations = select_events(said, *enums.list_verbs_of_kind(VerbKind.RFC_CITATION))
    if not needs_confirmation(registration_request):
        is_at_once = delegates or proofs or verifications
        moments = [each.at + find_reference_delay() for each in citations]
        effective_at = None if is_at_once else min(moments, default=None)
        return Consent(organization, delegates, proofs, verifications, citations, [], effective_at)
    confirmed = map_confirmed_words(registration_request, last)
    sure = [each for each in delegates if each.pk in confirmed]
    proved = [each for each in proofs if each.person_id in confirmed]
    people = {each.pk: each for each in (*delegates, *(proof.person for proof in proofs))}
    moments = [confirmed[pk] for pk in people if pk in confirmed]
    moments += [each.at for each in verifications]
    first = min(moments, default=None)
    return Consent(
        organization,
        sure,
        proved,
        verifications,
        unconfirmed=[person for pk, person in people.items() if pk not in confirmed],
        effective_at=None if first is None else first + find_word_delay(),
    )


def needs_confirmation(registration_request: RegistrationRequest) -> bool:
    """Whether the holder's consent is confirmed by a code, and takes effect some days later."""
    return registration_request.change in CONFIRMED_CHANGES


def map_confirmed_words(
    registration_request: RegistrationRequest, last: Round
) -> dict[int, datetime.datetime]:
    """Return who confirmed their consent to exactly this round, by key, each with when."""
    found = permissions.remember_fact(
        (map_confirmed_words, registration_request.pk, registration_request.revision),
        lambda: list(registration_request.word_confirmations.all()),
    )
    return {
        each.person_id: each.confirmed_at
        for each in found
        if each.confirmed_at and each.sha256 == last.sha256
    }


def find_word_delay() -> datetime.timedelta:
    """Return how long after confirmation consent to a transfer or a status takes effect."""
    return datetime.timedelta(settings.REGISTRY_WORD_DAYS)


def find_reference_delay() -> datetime.timedelta:
    """Return how long before the holder is notified of a reference that an RFC itself changes."""
    return datetime.timedelta(settings.REGISTRY_REFERENCE_DAYS)


def round_events(last: Round) -> EventQuerySet:
    """Return the events about exactly this round."""
    return last.registration_request.events.filter(
        data__round=last.number, data__sha256=last.sha256
    )


CONSENT_KINDS: Final = (
    VerbKind.ASKS_FOR_ROUND,
    VerbKind.HOLDER_WORD,
    VerbKind.RFC_CITATION,
    VerbKind.OBJECTION,
    VerbKind.OBJECTION_END,
    VerbKind.OBJECTION_OVERRULED,
)
"""Events of a request that affect its holder's consent, apart from starting and proving."""


def select_consent_events(events: EventQuerySet) -> EventQuerySet:
    """Return those of `events` that affect the holder's consent, in order, with their actors."""
    verbs = [*enums.list_verbs_of_kind(*CONSENT_KINDS), "start", "prove"]
    return events.filter(verb__in=verbs).select_related("actor").order_by("number")


def list_consent_events(registration_request: RegistrationRequest) -> list[Event]:
    """Return the events of all rounds that affect the holder's consent; queried once per page."""
    return permissions.remember_fact(
        (list_consent_events, registration_request.pk, registration_request.revision),
        lambda: list(select_consent_events(registration_request.events.all())),
    )


def list_consent_events_of_round(last: Round) -> list[Event]:
    """Return the events that affect the holder's consent to exactly this round."""
    return [
        each
        for each in list_consent_events(last.registration_request)
        if each.data.get("round") == last.number and each.data.get("sha256") == last.sha256
    ]


def select_events(events: Iterable[Event], *verbs: str) -> list[Event]:
    """Return those of `events` with one of `verbs`."""
    return [each for each in events if each.verb in verbs]


def list_proofs_in_effect(registration_request: RegistrationRequest) -> list[Proof]:
    """Return the current proofs in this request, the oldest first; a page queries them once."""
    return permissions.remember_fact(
        (list_proofs_in_effect, registration_request.pk, registration_request.revision),
        lambda: list(select_proofs_in_effect(registration_request.proofs.all())),
    )


def select_proofs_in_effect(proofs: QuerySet[Proof]) -> QuerySet[Proof]:
    """Return those of `proofs` in effect, the oldest first, with their people."""
    return proofs.select_related("person").order_by("proved_at")


def find_last_round(registration_request: RegistrationRequest) -> Round | None:
    """Return the last round that was sent; a page queries it once."""
    return permissions.remember_fact(
        (find_last_round, registration_request.pk, registration_request.revision),
        lambda: registration_request.last_round,
    )


def list_holder_verifications(last: Round, organization: Organization | None) -> list[Event]:
    """Return where the registrar recorded this holder's consent to the round.

    It counts only as long as nobody is known who could give it themselves.
    """
    holder = organization.pk if organization else UNKNOWN_HOLDER
    verbs = enums.list_verbs_of_kind(VerbKind.HOLDER_WORD)
    verified = select_events(list_consent_events_of_round(last), *verbs)
    return [each for each in verified if each.data.get("holder_id") == holder]


def find_holder_consent(registration_request: RegistrationRequest) -> Consent | None:
    """Return who of the holder consents to the request; None if no namespace has a holder."""
    namespace = registration_request.namespace
    if namespace is None or registration_request.change == ChangeKind.NEW:
        return None
    return find_consent(registration_request, namespace.registrant)


def is_known_representative(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether `person` speaks for the holder of the namespace to be changed."""
    return holder_representatives(registration_request).filter(pk=person.pk).exists()


def holder_representatives(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return who speaks for the holder of the namespace to be changed."""
    namespace = registration_request.namespace
    holder = namespace.registrant if namespace else None
    return representatives_of(holder, registration_request)


def list_holder_representatives(registration_request: RegistrationRequest) -> list[User]:
    """Return who speaks for the holder of the namespace to be changed, by name."""
    namespace = registration_request.namespace
    holder = namespace.registrant if namespace else None
    return list_representatives(holder, registration_request)


@permissions.ask_each_fact_once()
def list_people_who_can_give_word(registration_request: RegistrationRequest) -> list[User]:
    """Return who can give the holder's missing consent to the last round.

    Nobody if nothing is missing, or only days have to pass; and nobody if the registry knows no
    such person, so that the registrar has to verify the consent.
    """
    if registration_request.change == ChangeKind.NEW:
        return []
    last = find_last_round(registration_request)
    if last is None or registration_request.state not in LIVE_STATES:
        return []
    objections = list_standing_objections(registration_request)
    if objections:
        objectors = {each.actor for each in objections if each.actor and each.actor.is_active}
        return sorted(objectors, key=lambda person: (person.name, person.pk))
    stands = find_holder_consent(registration_request)
    if stands is None or stands.is_said:
        return []
    if stands.unconfirmed:
        return stands.unconfirmed
    return list_holder_representatives(registration_request)


# Objections


def list_standing_objections(registration_request: RegistrationRequest) -> list[Event]:
    """Return the holder's objections that were neither withdrawn nor overruled.

    A direction applies to one text; with the next round the objection is valid again.
    """
    last, said = find_last_round(registration_request), list_consent_events(registration_request)
    raised = select_events(said, *enums.list_verbs_of_kind(VerbKind.OBJECTION))
    if last is None or not raised:
        return []
    taken_back = select_events(said, *enums.list_verbs_of_kind(VerbKind.OBJECTION_END))
    ended = {each.data.get("objection") for each in taken_back}
    overruled = enums.list_verbs_of_kind(VerbKind.OBJECTION_OVERRULED)
    directed = select_events(list_consent_events_of_round(last), *overruled)
    overturned = list_overturned_rulings(registration_request) if directed else set()
    last_direction = max(
        (each.number for each in directed if each.number not in overturned), default=0
    )
    return [each for each in raised if each.number not in ended and each.number > last_direction]


def list_objected_requests() -> RequestQuerySet:
    """Return the live requests that the holder objects to, the oldest first."""
    objected = RegistrationRequest.objects.live().filter(
        events__verb__in=enums.list_verbs_of_kind(VerbKind.OBJECTION)
    )
    standing = [each.pk for each in objected.distinct() if list_standing_objections(each)]
    found = RegistrationRequest.objects.filter(pk__in=standing).order_by("state_since", "pk")
    return found.select_related("organization", "namespace")


@permissions.ask_each_fact_once()
def find_missing_consent(registration_request: RegistrationRequest) -> MissingConsent | None:
    """Return what the last round lacks of the holder; None if nothing.

    Also None for a draft that was never sent, and once the request has ended.
    """
    if (
        not registration_request.needs_holder_consent
        or registration_request.state not in LIVE_STATES
    ):
        return None
    last = find_last_round(registration_request)
    if last is None:
        return None
    if objections := list_standing_objections(registration_request):
        return MissingConsent(OBJECTED, describe_objections(objections))
    namespace = registration_request.namespace
    if namespace and is_directed_after_appeal(namespace, registration_request.change):
        return None
    stands = find_holder_consent(registration_request)
    if stands is None or stands.is_given:
        return None
    if stands.is_said and stands.effective_at:
        return MissingConsent(NOT_IN_EFFECT, describe_waiting_word(stands, last))
    return MissingConsent(
        NOT_BY_HOLDER,
        describe_missing_word(registration_request, stands, last),
        awaits_word=True,
        awaits_code=bool(stands.unconfirmed),
    )


def explain_missing_consent(registration_request: RegistrationRequest) -> str:
    """Say what the last round lacks of the holder, and who can give it; empty if nothing.

    That is the holder's consent, the days until it takes effect, or the end of an objection.
    """
    return str(find_missing_consent(registration_request) or "")


def explain_consent_once_sent(registration_request: RegistrationRequest, person: User) -> str:
    """Say what of the holder's consent is missing if `person` sends the draft; empty if nothing."""
    namespace = registration_request.namespace
    if (
        namespace is None
        or not registration_request.needs_holder_consent
        or is_known_representative(person, registration_request)
    ):
        return ""
    if namespace.registrant is None:
        return _(
            "The registry does not know who holds this namespace. The request is marked “Not by "
            "the holder” until the registrar has verified the holder’s word for this round."
        )
    return _(
        "%(holder)s holds this namespace, and you do not speak for it. The request is marked "
        "“Not by the holder” until one of its representatives supports this round."
    ) % {"holder": namespace.registrant}


def describe_objections(objections: list[Event]) -> str:
    """Say who objects, and what ends it."""
    first = objections[0]
    return _(
        "%(who)s objected for the holder on %(day)s. Nothing is published until the objection "
        "is withdrawn, or the standards body overrules it."
    ) % {"who": first.actor_name, "day": date_format(first.at, "j F Y")}


def describe_waiting_word(stands: Consent, last: Round) -> str:
    """Say from when the consent is in effect."""
    assert stands.effective_at
    said = {"round": last.number, "day": date_format(stands.effective_at, "j F Y, H:i")}
    if stands.citations and not (stands.delegates or stands.proofs or stands.verifications):
        return (
            _(
                "A published RFC changes the reference, and the holder was told. Round "
                "%(round)d can be published from %(day)s UTC, unless the holder objects."
            )
            % said
        )
    return (
        _(
            "The holder’s word for round %(round)d takes effect on %(day)s UTC, unless another "
            "delegate or the published contact objects before."
        )
        % said
    )


def describe_missing_word(
    registration_request: RegistrationRequest, stands: Consent, last: Round
) -> str:
    """Say whose consent to the last round is missing, and who can give it."""
    said = {"holder": stands.organization, "round": last.number}
    if stands.unconfirmed:
        return (
            _(
                "A representative of the holder supports round %(round)d, but has not confirmed "
                "it with the code from the letter yet."
            )
            % said
        )
    if stands.organization is None:
        return (
            _(
                "The registry does not know who holds this namespace. The "
                "registrar has to verify the holder’s word for round %(round)d, and record it."
            )
            % said
        )
    former = _("A former holder’s word does not count.") if is_of_former_holder(last) else ""
    if list_representatives(stands.organization, registration_request):
        words = (
            _(
                "%(holder)s holds this namespace. One of its representatives has to support "
                "round %(round)d, and none has yet."
            )
            % said
        )
    else:
        words = (
            _(
                "%(holder)s holds this namespace, and the registry knows no representative. "
                "Somebody has to prove that they speak for it and support round %(round)d, or "
                "the registrar verifies the holder’s word and records it."
            )
            % said
        )
    return f"{words} {former}".strip()


def is_of_former_holder(last: Round) -> bool:
    """Whether the namespace changed hands after the round was sent."""
    namespace = last.registration_request.namespace
    return namespace is not None and any(
        last.submitted_at and at > last.submitted_at for at in list_transfer_moments(namespace)
    )


def list_transfer_moments(namespace: Namespace) -> list[datetime.datetime]:
    """Return when the namespace changed hands; a page queries it once."""
    return permissions.remember_fact(
        (list_transfer_moments, namespace.pk),
        lambda: list(
            select_transfers(Event.objects.filter(namespace=namespace)).values_list("at", flat=True)
        ),
    )


def select_transfers(events: EventQuerySet) -> EventQuerySet:
    """Return those of `events` by which a namespace changed hands."""
    published = events.of_kind(VerbKind.PUBLICATION)
    return published.filter(registration_request__change=ChangeKind.TRANSFER)
