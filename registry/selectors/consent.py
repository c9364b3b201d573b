"""Whose consent a request needs, who gave it, who objects, and when it takes effect (local).

A request speaks for the holder of the namespace that it changes; a transfer also for the body that
takes over; a request for a new namespace for the body that it names, if that is known, and for each
known body that its name can be taken for. Nothing is published before each of them has consented
to exactly the last round: by somebody who speaks for it, or by evidence that the registrar recorded
and, about a holder, a second officer confirmed.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Final

from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from registry import enums, permissions
from registry.enums import (
    LIVE_STATES,
    ChangeKind,
    EvidenceAbout,
    ObstacleKind,
    Ruling,
    State,
    VerbKind,
)
from registry.models import Event, RegistrationRequest, User
from registry.models.dates import load_calendar
from registry.models.request import RequestQuerySet
from registry.permissions import Person, PublishedContact
from registry.selectors.appeals import is_directed_after_appeal
from registry.selectors.case import Party, RequestCase, open_case, open_cases
from registry.selectors.holder_addresses import find_addresses_in
from registry.selectors.waiting_periods import find_waiting_days

WAITING_CHANGES: Final = frozenset({ChangeKind.TRANSFER, ChangeKind.STATUS, ChangeKind.RENAME})
"""Changes of a registered namespace that take effect some days after its holder's consent."""

OBJECTED: Final = gettext_lazy("Objected to")
WAITS: Final = gettext_lazy("Waiting period")


@dataclass(frozen=True, slots=True)
class PublicationObstacle:
    """One reason why the last round cannot be registered now; `label` is for lists."""

    kind: ObstacleKind
    message: str
    label: str | Promise

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Consent:
    """Who consents to the last round for one body.

    `people` speak for it; `evidence` are the events by which officers recorded its consent, or gave
    it in its place; `unconfirmed` of these wait for a second officer.
    """

    party: Party
    people: list[User] = field(default_factory=list)
    evidence: list[Event] = field(default_factory=list)
    unconfirmed: list[Event] = field(default_factory=list)
    speakers: list[User] = field(default_factory=list)
    """Who speaks for it, and could consent."""
    since: datetime.datetime | None = None
    """When its letters had left: the waiting period begins. None while one has not."""

    @property
    def is_given(self) -> bool:
        """Whether it consents."""
        return bool(self.people or self.evidence)


def find_consent(case: RequestCase, party: Party) -> Consent:
    """Return who consents to the last round for `party`."""
    speakers = case.list_speakers(party)
    by_person: dict[int | None, Event] = {}
    evidence: list[Event] = []
    unconfirmed: list[Event] = []
    for event in case.round_events:
        if is_consent_of_person(event):
            by_person[event.actor_id] = event
        elif enums.is_verb_of_kind(event.verb, VerbKind.OBJECTION):
            by_person.pop(event.actor_id, None)
        elif event.number in case.overturned_rulings:
            continue
        elif is_evidence_for(event, party) and not (speakers and is_void_with_speakers(event)):
            is_sure = is_countersigned(case, event) if needs_countersign(event) else True
            (evidence if is_sure else unconfirmed).append(event)
    people = [each for each in speakers if each.pk in by_person]
    moments = [find_time_letters_left(case, by_person[each.pk]) for each in people]
    moments += [find_time_letters_left(case, each) for each in evidence]
    since = min((at for at in moments if at), default=None)
    return Consent(party, people, evidence, unconfirmed, speakers, since)


def is_consent_of_person(event: Event) -> bool:
    """Whether somebody consents by this event to the round, for each body they speak for."""
    return enums.is_verb_of_kind(event.verb, VerbKind.ASKS_FOR_ROUND) or (
        enums.is_verb_of_kind(event.verb, VerbKind.CONSENT) and "instead_of" not in event.data
    )


def is_evidence_for(event: Event, party: Party) -> bool:
    """Whether an officer recorded the consent of `party`, or gave it in its place."""
    about = event.data.get("about")
    if about == EvidenceAbout.RFC:
        return party.is_holder
    if about == EvidenceAbout.CONSENT or event.data.get("ruling") == Ruling.HOLDER:
        return bool(event.data.get("organization_id") == party.key[0])
    return bool(event.data.get("instead_of") == party.key[0])


def is_void_with_speakers(event: Event) -> bool:
    """Whether it counts only while nobody speaks for the body, who could say it themselves."""
    return event.data.get("about") == EvidenceAbout.CONSENT or "instead_of" in event.data


def needs_countersign(event: Event) -> bool:
    """Whether evidence is about a holder, so that a second officer confirms it."""
    return event.data.get("about") == EvidenceAbout.CONSENT and bool(event.data.get("of_holder"))


def find_time_letters_left(case: RequestCase, event: Event) -> datetime.datetime | None:
    """Return when the letters about an event had left, or None if one of them has not."""
    letters = case.batch.letters.get(event.pk, [])
    sent = [at for at in letters if at is not None]
    return max([event.at, *sent]) if len(sent) == len(letters) else None


def list_consents(case: RequestCase) -> list[Consent]:
    """Return who consents to the last round for each body that it speaks for."""
    return [find_consent(case, each) for each in case.parties]


# Two officers


def list_countersigners(case: RequestCase) -> list[User]:
    """Return who confirmed the last round and has not taken it back, whatever they are by now."""
    confirmed: dict[int, User] = {}
    for event in case.round_events:
        if event.actor is None:
            continue
        if enums.is_verb_of_kind(event.verb, VerbKind.SECOND_OFFICER):
            confirmed[event.actor.pk] = event.actor
        elif enums.is_verb_of_kind(event.verb, VerbKind.RECONSIDERS):
            confirmed.pop(event.actor.pk, None)
    return list(confirmed.values())


def list_second_officers(case: RequestCase) -> list[User]:
    """Return who confirmed the last round and is still an officer without a stake in it."""
    return [
        each
        for each in list_countersigners(case)
        if permissions.may_publish(each, case.request) or permissions.may_direct(each, case.request)
    ]


def is_countersigned(case: RequestCase, evidence: Event) -> bool:
    """Whether another officer confirmed evidence after it was recorded."""
    able = {each.pk for each in list_second_officers(case)} - {evidence.actor_id}
    return any(
        each.actor_id in able and each.number > evidence.number
        for each in case.round_events
        if enums.is_verb_of_kind(each.verb, VerbKind.SECOND_OFFICER)
    )


def lacks_second_officer(case: RequestCase) -> bool:
    """Whether the last round is a change that one officer cannot make, and no second confirmed."""
    is_change = case.request.change in permissions.SECOND_OFFICER_CHANGES
    return is_change and not list_second_officers(case)


def list_unconfirmed_changes() -> list[RegistrationRequest]:
    """Return the changes that wait for a second officer, the longest waiting first."""
    waiting = RegistrationRequest.objects.filter(
        state=State.APPROVED, change__in=permissions.SECOND_OFFICER_CHANGES
    )
    found = waiting.select_related("organization", "namespace").order_by("state_since")
    return [each.request for each in open_cases(found) if lacks_second_officer(each)]


# Objections


def list_objections(case: RequestCase) -> list[Event]:
    """Return the objections that were neither taken back nor ruled on, the oldest first.

    A ruling is for one text, or for the rounds to come as well.
    """
    last, standing = case.last_round, dict[int, Event]()
    overturned = case.overturned_rulings
    for event in case.events if last else ():
        ruling = event.data.get("ruling") if event.number not in overturned else None
        if enums.is_verb_of_kind(event.verb, VerbKind.OBJECTION):
            if "takes_back" in event.data:
                standing.pop(event.data["takes_back"], None)
            else:
                standing[event.number] = event
        elif ruling == Ruling.OBJECTIONS or (
            ruling == Ruling.OBJECTION and event in case.round_events
        ):
            standing.clear()
    return list(standing.values())


def list_own_objections(case: RequestCase, person: Person) -> list[Event]:
    """Return those that `person` raised, or the reader of a letter at an address on record."""
    key = None if isinstance(person, PublishedContact) else person.pk
    return [each for each in list_objections(case) if each.actor_id == key]


def list_objected_requests() -> RequestQuerySet:
    """Return the live requests that somebody objects to, the longest waiting first."""
    objected = RegistrationRequest.objects.live().filter(
        events__verb__in=enums.list_verbs_of_kind(VerbKind.OBJECTION)
    )
    standing = [
        each.request.pk for each in open_cases(objected.distinct()) if list_objections(each)
    ]
    found = RegistrationRequest.objects.filter(pk__in=standing).order_by("state_since", "pk")
    return found.select_related("organization", "namespace")


# What is missing


def find_missing_consent(case: RequestCase) -> PublicationObstacle | None:
    """Return what of the consent of others keeps the last round from being registered, or None.

    None for a draft that was never sent, and once the request has ended.
    """
    if State(case.request.state) not in LIVE_STATES or case.last_round is None:
        return None
    if objections := list_objections(case):
        return PublicationObstacle(
            ObstacleKind.OBJECTION, describe_objections(objections), OBJECTED
        )
    consents = list_consents(case)
    if missing := [each for each in consents if not (each.is_given or is_corrected(case, each))]:
        parties = [each.party for each in missing]
        words = " ".join(describe_missing_consent(case, each) for each in missing)
        return PublicationObstacle(
            ObstacleKind.CONSENT, words, describe_unconfirmed_author(case, parties)
        )
    if waits := describe_waiting_period(case, consents):
        return PublicationObstacle(ObstacleKind.WAITING, waits, WAITS)
    return None


def is_corrected(case: RequestCase, consent: Consent) -> bool:
    """Whether the outcome of an appeal stands in for the consent of the holder to this change."""
    namespace = consent.party.namespace
    return (
        namespace is not None
        and namespace.pk in case.batch.corrected_namespaces
        and is_directed_after_appeal(namespace, case.request.change)
    )


def describe_unconfirmed_author(case: RequestCase, parties: list[Party]) -> str:
    """Say who asks, and by whom that is not confirmed."""
    author = case.request.author
    bodies = ", ".join(str(each) for each in parties if each.organization)
    if not bodies:
        return _("Asked by %(author)s; not confirmed by the holder") % {"author": author}
    return _("Asked by %(author)s; not confirmed by %(bodies)s") % {
        "author": author,
        "bodies": bodies,
    }


def describe_author(case: RequestCase) -> str:
    """Say that the author of a request for a new namespace says to act for an unknown body.

    Empty for a known body, and where the author speaks for it.
    """
    asked = case.request
    if asked.change != ChangeKind.NEW or case.parties:
        return ""
    if permissions.speaks_for(asked.author, asked.organization):
        return ""
    return _("Asked by %(author)s, who says they act for %(organization)s") % {
        "author": asked.author,
        "organization": asked.organization,
    }


def describe_missing_consent(case: RequestCase, consent: Consent) -> str:
    """Say whose consent to the last round is missing, and who can give it."""
    last, party = case.last_round, consent.party
    told = {"body": party, "round": last.number if last else 0}
    if consent.unconfirmed:
        return (
            _(
                "The consent of the holder to round %(round)d is recorded. A second officer has to "
                "confirm that first."
            )
            % told
        )
    if party.organization is None:
        return (
            _(
                "The registry does not know who holds this namespace. The registrar has to record "
                "the holder’s consent to round %(round)d."
            )
            % told
        )
    if case.list_speakers(party):
        return _("%(body)s has to consent to round %(round)d: somebody who speaks for it.") % told
    return (
        _(
            "%(body)s has to consent to round %(round)d, and the registry knows nobody who speaks "
            "for it. Somebody shows that they do, or the registrar records its consent."
        )
        % told
    )


def explain_consent_once_sent(case: RequestCase, person: User) -> str:
    """Say whose consent is missing if `person` sends the draft; empty if nobody's."""
    bodies = [
        str(each) or _("the holder of the namespace")
        for each in case.parties
        if person not in case.list_speakers(each)
    ]
    if not bodies:
        return ""
    return _(
        "You do not speak for %(bodies)s, whose consent is needed. Until somebody who does has "
        "consented to this round, the request is marked “not confirmed”."
    ) % {"bodies": ", ".join(bodies)}


def describe_objections(objections: list[Event]) -> str:
    """Say who objects, and what ends it."""
    first = objections[0]
    return _(
        "%(who)s objected on %(day)s. Nothing is published until the objection is taken back, or "
        "the standards body rules on it."
    ) % {"who": first.actor_name, "day": date_format(first.at, "j F Y")}


def describe_waiting_period(case: RequestCase, consents: list[Consent]) -> str:
    """Say from when the change can be published; empty if it does not have to wait."""
    is_rename = case.request.change == ChangeKind.RENAME
    holder = next((each for each in consents if each.party.is_holder or is_rename), None)
    if holder is None or not has_waiting_period(case, holder):
        return ""
    subject = holder.party.namespace or holder.party.organization
    days = find_waiting_days(subject) if subject else 0
    if not days:
        return ""
    if holder.since is None:
        return _("The waiting period begins when the letters about it have left.")
    effective_at = load_calendar().add_days(holder.since, days)
    if effective_at <= timezone.now():
        return ""
    return _(
        "It can be published from %(day)s UTC, unless somebody who speaks for the holder or an "
        "address on record objects before."
    ) % {"day": date_format(effective_at, "j F Y, H:i")}


def has_waiting_period(case: RequestCase, holder: Consent) -> bool:
    """Whether the change waits: a transfer, a status, or a reference that only an RFC changes.

    What the standards body directed after an appeal has been public long enough.
    """
    if is_corrected(case, holder):
        return False
    if case.request.change in WAITING_CHANGES:
        return not any(each.data.get("ruling") for each in holder.evidence)
    return not holder.people and all(
        each.data.get("about") == EvidenceAbout.RFC for each in holder.evidence
    )


# Who may act


def find_parties_of(case: RequestCase, person: Person) -> list[Party]:
    """Return the bodies of the request that `person` speaks for."""
    return [each for each in case.parties if person in case.list_speakers(each)]


def find_party_to_stand_in_for(case: RequestCase, person: Person) -> Party | None:
    """Return the holder for whom the standards body can consent: nobody speaks for it, and its
    document is an RFC (RFC 8126, section 9.5).
    """
    if not permissions.may_direct(person, case.request):
        return None
    for each in case.parties:
        references = each.namespace.references if each.namespace else []
        if not case.list_speakers(each) and any(name.startswith("RFC") for name in references):
            return each
    return None


def may_consent(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can consent for a body that the request speaks for."""
    if not isinstance(person, User) or not person.is_active:
        return False
    case = open_case(registration_request)
    return bool(find_parties_of(case, person) or find_party_to_stand_in_for(case, person))


def may_object(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can object, or take their objection back.

    Somebody who speaks for a body of the request or for one with a name like its, the reader of a
    letter to an address on record, and where nobody on record can, anyone with a confirmed address.
    """
    if isinstance(person, PublishedContact):
        return person.request_id == registration_request.pk
    if not permissions.has_confirmed_address(person):
        return False
    case = open_case(registration_request)
    if find_parties_of(case, person) or list_own_objections(case, person):
        return True
    if person in case.list_namesake_speakers():
        return True
    return any(not has_somebody_on_record(case, each) for each in case.parties)


def has_somebody_on_record(case: RequestCase, party: Party) -> bool:
    """Whether a letter about the request reaches somebody who can object for `party`."""
    contact = party.namespace.contact if party.namespace else ""
    return bool(case.list_speakers(party) or list(find_addresses_in(contact)))


def may_record_evidence(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` records what was seen of a body: a registrar with no stake in it."""
    return permissions.may_publish(person, registration_request)


def may_countersign(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` is an officer without a stake, and there is something to confirm."""
    return permissions.may_be_second_officer(person, registration_request) and bool(
        find_what_to_countersign(open_case(registration_request))
    )


def find_what_to_countersign(case: RequestCase) -> list[Event] | bool:
    """Return the evidence that waits for a second officer, or whether the change itself does."""
    unconfirmed = [each for one in list_consents(case) for each in one.unconfirmed]
    is_change = case.request.change in permissions.SECOND_OFFICER_CHANGES
    return unconfirmed or (is_change and case.request.state == State.APPROVED)


def list_people_who_can_consent(case: RequestCase) -> list[User]:
    """Return who can remove what is missing of the consent of others, by name; perhaps nobody.

    Those who objected, or who speak for a body that has not consented yet.
    """
    objections = list_objections(case)
    if objections:
        people = {each.actor for each in objections if each.actor and each.actor.is_active}
    else:
        people = {
            person
            for each in list_consents(case)
            if not each.is_given
            for person in case.list_speakers(each.party)
        }
    return sorted(people, key=lambda person: (person.name, person.pk))
