"""What publication requires of a request, read for many requests at once.

`list_publication_obstacles` answers for one request, with a dozen queries if it changes a
registered namespace. Within `preload_publication_facts` it has the answers at hand, so that a list
says of each request what its own page says, by the same function.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.db.models import OuterRef, Q, Subquery, prefetch_related_objects

from registry.enums import LIVE_STATES, RequestPath, State
from registry.models import (
    Event,
    HeldNid,
    ImportedRecord,
    Namespace,
    Proof,
    Recognition,
    Registration,
    RegistrationRequest,
    Round,
    Speaker,
    User,
    WordConfirmation,
)
from registry.models.namespace import find_next_number
from registry.permissions import (
    ask_each_fact_once,
    is_fact_known,
    provide_fact,
)
from registry.selectors.actors import find_void_decision, map_void_decisions
from registry.selectors.appeals import find_pending_appeal, select_pending_appeals
from registry.selectors.findings import describe_version_in_force, find_version_in_force
from registry.selectors.held_nids import find_hold
from registry.selectors.holder_consent import (
    find_last_round,
    list_consent_events,
    list_proofs_in_effect,
    list_representatives,
    list_transfer_moments,
    map_confirmed_words,
    needs_confirmation,
    select_consent_events,
    select_proofs_in_effect,
    select_transfers,
)
from registry.selectors.imported_records import map_imported_templates
from registry.selectors.publication import (
    PublicationObstacle,
    awaits_recognition,
    find_deciding_body,
    list_publication_obstacles,
)
from registry.selectors.withdrawals import find_undoable_withdrawal, list_returning_requests
from registry.urn import nid as nids


@contextmanager
def preload_publication_facts(requests: Iterable[RegistrationRequest]) -> Iterator[None]:
    """Within the block, `list_publication_obstacles` needs no more queries for `requests`.

    Nor do `find_missing_consent` and `find_pausing_turn`. The number of queries does not depend on
    the number of requests.
    """
    with ask_each_fact_once():
        load_publication_facts([each for each in requests if each.state in LIVE_STATES])
        yield


def map_publication_obstacles(
    requests: Iterable[RegistrationRequest],
) -> dict[int, tuple[PublicationObstacle, ...]]:
    """Return by key why the last round of each request cannot be registered now."""
    listed = list(requests)
    with preload_publication_facts(listed):
        return {each.pk: list_publication_obstacles(each) for each in listed}


def has_facts(registration_request: RegistrationRequest) -> bool:
    """Whether what publication requires of a request was read already."""
    key = (registration_request.pk, registration_request.revision)
    return is_fact_known((find_last_round, *key)) and (
        not registration_request.needs_holder_consent or is_fact_known((list_consent_events, *key))
    )


def load_publication_facts(requests: Sequence[RegistrationRequest]) -> None:
    """Read what publication requires of `requests`, which are live, unless it was read already."""
    # These belong to the instances: the facts may be known from others with the same keys.
    prefetch_related_objects(requests, "organization", "namespace__registrant")
    unread = [each for each in requests if not has_facts(each)]
    if not unread:
        return
    load_last_rounds(unread)
    load_pending_appeals(unread)
    load_returning_requests(unread)
    load_holds(unread)
    load_recognitions(unread)
    load_void_decisions(unread)
    changing = [each for each in unread if each.needs_holder_consent and each.namespace]
    namespaces = {each.namespace.pk: each.namespace for each in changing if each.namespace}
    if namespaces:
        load_versions_in_force(namespaces)
        load_holder_facts(changing, namespaces)


def load_pending_appeals(requests: Sequence[RegistrationRequest]) -> None:
    """Read which approvals are under appeal."""
    approved = [each for each in requests if each.state == State.APPROVED]
    if not approved:
        return
    found = select_pending_appeals().filter(registration_request__in=approved).order_by("number")
    appeals = {each.registration_request_id: each for each in found}
    for each in approved:
        provide_fact((find_pending_appeal, each.pk, each.revision), appeals.get(each.pk))


def load_returning_requests(requests: Sequence[RegistrationRequest]) -> None:
    """Read which withdrawn requests for the same new NIDs can still come back."""
    asked = {each.nid for each in requests if each.state == State.APPROVED and each.nid}
    if not asked:
        return
    withdrawn = RegistrationRequest.objects.filter(
        nid__in=asked, namespace=None, state=State.WITHDRAWN
    )
    found = [each for each in withdrawn if find_undoable_withdrawal(each)]
    for nid in asked:
        provide_fact((list_returning_requests, nid), [each for each in found if each.nid == nid])


def load_void_decisions(requests: Sequence[RegistrationRequest]) -> None:
    """Read which decisions do not count any more, since who made them has become a party."""
    void = map_void_decisions(requests)
    for each in requests:
        provide_fact((find_void_decision, each.pk, each.revision), void.get(each.pk))


def load_last_rounds(requests: Sequence[RegistrationRequest]) -> None:
    """Read the last round sent of each request."""
    by_key = {each.pk: each for each in requests}
    sent = Round.objects.filter(registration_request=OuterRef("registration_request")).sent()
    latest = sent.order_by("-number").values("pk")[:1]
    found = Round.objects.filter(registration_request__in=by_key, pk=Subquery(latest))
    rounds = {each.registration_request_id: each for each in found}
    for key, registration_request in by_key.items():
        last = rounds.get(key)
        if last:
            last.registration_request = registration_request
        provide_fact((find_last_round, key, registration_request.revision), last)


def load_holds(requests: Sequence[RegistrationRequest]) -> None:
    """Read the holds on NIDs that the requests for a new namespace want."""
    named = [each for each in requests if not each.namespace_id and not each.is_informal]
    sent = [last.nid for each in named if (last := find_last_round(each))]
    asked = {nids.canonical(nid) for nid in (*(each.nid for each in named), *sent) if nid.isascii()}
    if not asked:
        return
    held = {each.nid: each for each in HeldNid.objects.in_force().filter(nid__in=asked)}
    for nid in asked:
        provide_fact((find_hold, nid), held.get(nid))


def load_recognitions(requests: Sequence[RegistrationRequest]) -> None:
    """Read which bodies on the fast track the standards body has yet to recognise or refuse."""
    bodies = [
        find_deciding_body(each).pk for each in requests if each.path == RequestPath.FAST_TRACK
    ]
    if not bodies:
        return
    asked = Recognition.objects.filter(organization__in=bodies, is_granted=None)
    waiting = set(asked.values_list("organization", flat=True))
    for key in bodies:
        provide_fact((awaits_recognition, key), key in waiting)


def load_versions_in_force(namespaces: Mapping[int, Namespace]) -> None:
    """Read what each namespace has published, here or elsewhere."""
    newest = Registration.objects.filter(namespace=OuterRef("namespace")).order_by("-number")
    found = Registration.objects.filter(
        namespace__in=namespaces, pk=Subquery(newest.values("pk")[:1])
    )
    current = {each.namespace_id: each for each in found}
    elsewhere = [each for key, each in namespaces.items() if key not in current]
    texts = map_imported_templates(elsewhere) if elsewhere else {}
    imported: dict[int, list[tuple[str, str]]] = {}
    records = ImportedRecord.objects.filter(namespace__in=namespaces)
    for key, *said in records.values_list("namespace", "document__name", "version"):
        imported.setdefault(key, []).append((said[0], said[1]))
    for key, namespace in namespaces.items():
        version = current.get(key)
        sources = namespace.weigh_version_sources(version, imported.get(key, ()))
        record = texts.get(namespace.nid)
        text = version.template if version else record.template if record else None
        fact = describe_version_in_force(version, find_next_number(sources), text)
        provide_fact((find_version_in_force, key), fact)


def load_holder_facts(
    requests: Sequence[RegistrationRequest], namespaces: Mapping[int, Namespace]
) -> None:
    """Read what the holder's consent depends on, for requests that change `namespaces`."""
    keys = [each.pk for each in requests]
    events: dict[int | None, list[Event]] = {}
    for event in select_consent_events(Event.objects.filter(registration_request__in=keys)):
        events.setdefault(event.registration_request_id, []).append(event)
    proofs: dict[int | None, list[Proof]] = {}
    for proof in select_proofs_in_effect(Proof.objects.filter(registration_request__in=keys)):
        proofs.setdefault(proof.registration_request_id, []).append(proof)
    confirming = [each.pk for each in requests if needs_confirmation(each)]
    words: dict[int, list[WordConfirmation]] = {}
    if confirming:
        for word in WordConfirmation.objects.filter(registration_request__in=confirming):
            words.setdefault(word.registration_request_id, []).append(word)
    for each in requests:
        key = (each.pk, each.revision)
        provide_fact((list_consent_events, *key), events.get(each.pk, []))
        provide_fact((list_proofs_in_effect, *key), proofs.get(each.pk, []))
        if each.pk in confirming:
            provide_fact((map_confirmed_words, *key), words.get(each.pk, []))
    load_transfers(namespaces)
    load_holder_representatives(requests, namespaces)


def load_transfers(namespaces: Mapping[int, Namespace]) -> None:
    """Read when `namespaces` changed hands."""
    moved: dict[int, list[datetime.datetime]] = {}
    transfers = select_transfers(Event.objects.filter(namespace__in=namespaces))
    for namespace, at in transfers.values_list("namespace", "at"):
        moved.setdefault(namespace, []).append(at)
    for key in namespaces:
        provide_fact((list_transfer_moments, key), moved.get(key, []))


def load_holder_representatives(
    requests: Sequence[RegistrationRequest], namespaces: Mapping[int, Namespace]
) -> None:
    """Read who speaks for the holder in each request: `representatives_of` in bulk."""
    holders = {each.registrant_id for each in namespaces.values() if each.registrant_id}
    delegates: dict[int, list[User]] = {}
    speakers: dict[int, list[User]] = {}
    known = Speaker.objects.in_effect().filter(
        Q(organization__in=holders) | Q(namespace__in=namespaces), person__is_active=True
    )
    for speaker in known.select_related("person"):
        if speaker.organization_id:
            delegates.setdefault(speaker.organization_id, []).append(speaker.person)
        elif speaker.namespace_id:
            speakers.setdefault(speaker.namespace_id, []).append(speaker.person)
    for each in requests:
        namespace = namespaces[each.namespace_id or 0]
        holder = namespace.registrant
        body = delegates.get(holder.pk, []) if holder else []
        found = {one.pk: one for one in (*body, *speakers.get(namespace.pk, ()))}
        people = sorted(found.values(), key=lambda person: (person.name, person.pk))
        key = (list_representatives, holder.pk if holder else None, each.pk)
        provide_fact(key, people)
