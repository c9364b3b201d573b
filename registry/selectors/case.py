"""A request with the rows that its rules ask, read once for all requests opened together.

Rows come in groups. A group is read when a rule first asks for it, with as many statements for many
requests as for one, and what no rule asks is not read. A case holds lists and no querysets,
lives as long as one page or one act, and is passed as an argument.

Nothing read before a write is used after it: an act opens a case under its lock, checks, writes,
and opens another one for the letters.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final, TypeVar

from django.db.models import OuterRef, Q, Subquery, prefetch_related_objects

from registry import enums
from registry.batches import batched
from registry.enums import (
    AppealOutcome,
    ChangeKind,
    LetterReason,
    RequestPath,
    State,
    VerbKind,
)
from registry.models import (
    Event,
    HeldNid,
    Letter,
    Namespace,
    Organization,
    Recognition,
    RegistrationRequest,
    Round,
    Speaker,
    User,
)
from registry.permissions import remember_fact
from registry.selectors.appeals import list_directions_after_appeals, select_pending_appeals
from registry.selectors.findings import VersionInForce, map_versions_in_force
from registry.selectors.nids import expected_informal_nid, registered_nids
from registry.selectors.organizations import are_recorded_as_two, can_be_taken_for, q_is_known
from registry.urn import nid as nids

T = TypeVar("T")

CONSENT_KINDS: Final = (
    VerbKind.ASKS_FOR_ROUND,
    VerbKind.CONSENT,
    VerbKind.EVIDENCE,
    VerbKind.OBJECTION,
    VerbKind.DIRECTION,
    VerbKind.SECOND_OFFICER,
    VerbKind.APPEAL_OUTCOME,
    VerbKind.RECONSIDERS,
)
"""Steps that affect whose consent a request has."""

LETTER_REASONS: Final = (
    LetterReason.HOLDER,
    LetterReason.CONTACT,
    LetterReason.BODY,
    LetterReason.REGISTRANT,
)
"""Why somebody gets a letter who could object."""

BATCH_SIZE: Final = 100
"""How many requests of a long file are opened together."""


class Party:
    """A body that a request speaks for: the holder of `namespace`, if that is given.

    The organization is None for a holder whom the registry does not know.
    """

    __slots__ = ("namespace", "organization")

    def __init__(
        self, organization: Organization | None, namespace: Namespace | None = None
    ) -> None:
        self.organization, self.namespace = organization, namespace

    @property
    def key(self) -> tuple[int, int]:
        """The keys of its organization and its namespace, 0 for none."""
        body = self.organization.pk if self.organization else 0
        return body, self.namespace.pk if self.namespace else 0

    @property
    def is_holder(self) -> bool:
        """Whether it holds the namespace to be changed."""
        return self.namespace is not None

    def __str__(self) -> str:
        return str(self.organization or "")


class Batch:
    """What was read for requests opened together; every group is a dictionary by request."""

    def __init__(self, requests: Sequence[RegistrationRequest]) -> None:
        self.requests = {each.pk: each for each in requests}

        self.answers: dict[Callable[..., Any], Any] = {}

    def read(self, load: Callable[[Sequence[RegistrationRequest]], T]) -> T:
        """Return what `load` returns for all the requests; it is called once."""
        if load not in self.answers:
            self.answers[load] = load(list(self.requests.values()))
        answer: T = self.answers[load]
        return answer

    @cached_property
    def last_rounds(self) -> dict[int, Round]:
        """The last round that was sent."""
        sent = Round.objects.filter(registration_request=OuterRef("registration_request")).sent()
        latest = sent.order_by("-number").values("pk")[:1]
        found = Round.objects.filter(registration_request__in=self.requests, pk=Subquery(latest))
        rounds = {}
        for each in found:
            each.registration_request = self.requests[each.registration_request_id]
            rounds[each.registration_request_id] = each
        return rounds

    @cached_property
    def events(self) -> dict[int | None, list[Event]]:
        """The events that affect consent, in order, with their actors."""
        verbs = enums.list_verbs_of_kind(*CONSENT_KINDS)
        found = Event.objects.filter(registration_request__in=self.requests, verb__in=verbs)
        together: dict[int | None, list[Event]] = defaultdict(list)
        for event in found.select_related("actor").order_by("number"):
            together[event.registration_request_id].append(event)
        return together

    @cached_property
    def versions(self) -> dict[int, VersionInForce]:
        """By namespace, what the next text of it follows."""
        namespaces = {each.namespace for each in self.requests.values() if each.namespace}
        return map_versions_in_force({each.pk: each for each in namespaces})

    @cached_property
    def registered_nids(self) -> frozenset[str]:
        """All NIDs that are taken."""
        return registered_nids()

    @cached_property
    def informal_nid(self) -> str:
        """The NID that the next informal namespace would get."""
        return expected_informal_nid()

    @cached_property
    def holds(self) -> dict[str, HeldNid]:
        """By NID, the holds in force on what new namespaces want."""
        named = [each for each in self.requests.values() if not each.namespace_id]
        sent = [self.last_rounds[each.pk].nid for each in named if each.pk in self.last_rounds]
        wanted = {nids.canonical(nid) for nid in (*(each.nid for each in named), *sent)}
        found = HeldNid.objects.in_force().filter(nid__in=wanted - {""}) if wanted - {""} else ()
        return {each.nid: each for each in found}

    @cached_property
    def pending_appeals(self) -> set[int]:
        """The requests of which an appeal is heard."""
        heard = [
            key
            for key, each in self.requests.items()
            if each.state not in enums.UNSUCCESSFUL_STATES
        ]
        pending = select_pending_appeals().filter(registration_request__in=heard)
        keys = pending.values_list("registration_request", flat=True) if heard else ()
        return {key for key in keys if key}

    @cached_property
    def corrected_namespaces(self) -> set[int]:
        """The namespaces that are to be changed by the outcome of an appeal."""
        return {key for key, _outcome, _at in list_directions_after_appeals()}

    @cached_property
    def withdrawn_nids(self) -> set[str]:
        """The new NIDs wanted by approved requests that withdrawn ones wanted too."""
        wanted = {
            each.nid
            for each in self.requests.values()
            if each.nid and each.state == State.APPROVED and each.namespace_id is None
        }
        withdrawn = RegistrationRequest.objects.filter(
            nid__in=wanted, namespace=None, state=State.WITHDRAWN
        )
        return set(withdrawn.values_list("nid", flat=True)) if wanted else set()

    @cached_property
    def unanswered_recognitions(self) -> set[int]:
        """The organizations whom the standards body has yet to recognise or refuse."""
        bodies = [
            body.pk
            for each in self.requests.values()
            if each.path == RequestPath.FAST_TRACK
            for body in (each.organization, each.namespace.registrant if each.namespace else None)
            if body
        ]
        waiting = Recognition.objects.filter(organization__in=bodies, is_granted=None)
        return set(waiting.values_list("organization", flat=True)) if bodies else set()

    @cached_property
    def known_bodies(self) -> list[Organization]:
        """The organizations in whose name nothing is published without their consent."""
        transfers = Event.objects.of_kind(VerbKind.PUBLICATION).filter(
            registration_request__change=ChangeKind.TRANSFER
        )
        former = transfers.values_list("data__before__registrant", flat=True)
        known = q_is_known() | Q(name__in=[each for each in former if each])
        return list(Organization.objects.filter(known).order_by("name"))

    @cached_property
    def parties(self) -> dict[int, list[Party]]:
        """The bodies that each request speaks for."""
        return {key: self.list_parties(each) for key, each in self.requests.items()}

    def list_parties(self, registration_request: RegistrationRequest) -> list[Party]:
        """Return whom a request speaks for: holders, who takes over, and known bodies."""
        organization, namespace = registration_request.organization, registration_request.namespace
        parties = []
        if namespace and registration_request.needs_holder_consent:
            parties.append(Party(namespace.registrant, namespace))
        elif registration_request.change == ChangeKind.RENAME:
            parties.append(Party(organization))
        if registration_request.change == ChangeKind.TRANSFER:
            parties.append(Party(organization))
        elif registration_request.change == ChangeKind.STATUS:
            other = self.replacements.get(self.read_replacement(registration_request))
            if other and namespace and other.registrant_id != namespace.registrant_id:
                parties.append(Party(other.registrant))
        elif registration_request.change == ChangeKind.NEW and is_live(registration_request):
            parties += [Party(each) for each in self.find_known(organization)]
        return parties

    @cached_property
    def namesakes(self) -> dict[int, list[Organization]]:
        """The known bodies that are on record as others than who asks for a new namespace."""
        return {
            key: [
                each for each in self.known_bodies if are_recorded_as_two(each, asked.organization)
            ]
            for key, asked in self.requests.items()
            if asked.change == ChangeKind.NEW and is_live(asked)
        }

    @cached_property
    def replacements(self) -> dict[str, Namespace]:
        """By NID, what replaces namespaces whose status is to change."""
        changes = [each for each in self.requests.values() if each.change == ChangeKind.STATUS]
        wanted = {self.read_replacement(each) for each in changes} - {""}
        found = Namespace.objects.filter(nid__in=wanted).select_related("registrant")
        return {each.nid: each for each in found} if wanted else {}

    def read_replacement(self, registration_request: RegistrationRequest) -> str:
        """Return the NID of what is to replace its namespace, or nothing."""
        last = self.last_rounds.get(registration_request.pk)
        return str(last.facts.get("replaced_by") or "") if last else ""

    def find_known(self, organization: Organization) -> list[Organization]:
        """Return the known bodies that `organization` is, or can be taken for."""
        return [
            each
            for each in self.known_bodies
            if each == organization or can_be_taken_for(organization, each)
        ]

    @cached_property
    def speakers(self) -> dict[tuple[int, int], list[User]]:
        """By organization or by namespace, as keys of which one is 0, who speaks for it."""
        parties = [each for together in self.parties.values() for each in together]
        bodies = {each.organization.pk for each in parties if each.organization}
        bodies.update(each.pk for together in self.namesakes.values() for each in together)
        namespaces = {each.namespace.pk for each in parties if each.namespace}
        found: dict[tuple[int, int], list[User]] = defaultdict(list)
        rows = Speaker.objects.in_effect().filter(
            Q(organization__in=bodies) | Q(namespace__in=namespaces), person__is_active=True
        )
        if bodies or namespaces:
            for row in rows.select_related("person"):
                found[row.organization_id or 0, row.namespace_id or 0].append(row.person)
        return found

    @cached_property
    def letters(self) -> dict[int | None, list[datetime.datetime | None]]:
        """By event, when its letters to the parties left; None for one that has not."""
        events = [each.pk for together in self.events.values() for each in together]
        sent: dict[int | None, list[datetime.datetime | None]] = defaultdict(list)
        found = Letter.objects.filter(
            event__in=events, reason__in=LETTER_REASONS, dropped_at=None, round=None
        )
        for event, sent_at in found.values_list("event", "sent_at"):
            sent[event].append(sent_at)
        return sent


class RequestCase:
    """One request with the rows that its rules ask."""

    def __init__(self, registration_request: RegistrationRequest, batch: Batch) -> None:
        self.request, self.batch = registration_request, batch

    @property
    def last_round(self) -> Round | None:
        """The last round that was sent."""
        return self.batch.last_rounds.get(self.request.pk)

    @property
    def events(self) -> list[Event]:
        """The events of all rounds that affect consent, in order."""
        return self.batch.events.get(self.request.pk, [])

    @property
    def has_pending_appeal(self) -> bool:
        """Whether the standards body hears an appeal of a decision about it."""
        return self.request.pk in self.batch.pending_appeals

    @property
    def has_withdrawn_rival(self) -> bool:
        """Whether it is approved, and a withdrawn request wanted the same new NID."""
        return self.request.nid in self.batch.withdrawn_nids

    @property
    def overturned_rulings(self) -> set[int]:
        """The numbers of the rulings that count no longer after an appeal."""
        return {
            each.data["decision"]
            for each in self.events
            if enums.is_verb_of_kind(each.verb, VerbKind.APPEAL_OUTCOME)
            and each.data.get("outcome") == AppealOutcome.GOES_BACK
        }

    @property
    def round_events(self) -> list[Event]:
        """The events about exactly the last round that affect consent, in order."""
        last = self.last_round
        return [
            each
            for each in self.events
            if last
            and each.data.get("round") == last.number
            and each.data.get("sha256") == last.sha256
        ]

    @property
    def parties(self) -> list[Party]:
        """The bodies that it speaks for."""
        return self.batch.parties[self.request.pk]

    def list_namesake_speakers(self) -> list[User]:
        """Return who speaks for bodies on record as others than who asks, with names like its."""
        namesakes = self.batch.namesakes.get(self.request.pk, ())
        return [person for each in namesakes for person in self.list_speakers(Party(each))]

    def list_speakers(self, party: Party) -> list[User]:
        """Return who speaks for `party`, by name.

        Who speaks for one namespace alone does not rename its holder.
        """
        body, namespace = party.key
        if self.request.change == ChangeKind.RENAME:
            namespace = 0
        found = {*self.batch.speakers.get((body, 0), ())} if body else set()
        found.update(self.batch.speakers.get((0, namespace), ()) if namespace else ())
        return sorted(found, key=lambda person: (person.name, person.pk))

    @property
    def version_in_force(self) -> VersionInForce:
        """What its text follows."""
        namespace = self.request.namespace_id
        return self.batch.versions[namespace] if namespace else VersionInForce(next_number=1)

    def find_hold(self, nid: str) -> HeldNid | None:
        """Return the hold in force on `nid`, which a new formal namespace wants, or None."""
        if self.request.namespace_id or self.request.is_informal or not nid.isascii():
            return None
        return self.batch.holds.get(nids.canonical(nid))


def open_cases(requests: Iterable[RegistrationRequest]) -> list[RequestCase]:
    """Return the cases of requests read just now; a list opens all of its page in one call."""
    listed = list(requests)
    prefetch_related_objects(listed, "organization", "author", "namespace__registrant")
    batch = Batch(listed)
    return [RequestCase(each, batch) for each in listed]


def open_cases_in_batches(requests: Iterable[RegistrationRequest]) -> Iterator[RequestCase]:
    """Yield the cases of many requests, of which only a batch is in memory."""
    return chain.from_iterable(map(open_cases, batched(requests, BATCH_SIZE)))


def open_case(registration_request: RegistrationRequest) -> RequestCase:
    """Return the case of one request read just now; within `ask_each_fact_once` it is one case."""
    key = (open_case, registration_request.pk, registration_request.revision)
    (case,) = remember_fact(key, lambda: open_cases([registration_request]))
    return case


def is_live(registration_request: RegistrationRequest) -> bool:
    """Whether the request has not ended."""
    return State(registration_request.state) in enums.LIVE_STATES
