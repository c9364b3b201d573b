"""What letters about many requests say, and whom they go to, read for all of them at once.

`prepare_letters` works event by event, and asks for each person what ties them to its request.
After `preload_letter_facts` and `preload_recipients` the same functions find the answers at hand.
Call both within `permissions.ask_each_fact_once`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db.models import F, Value

from registry import permissions
from registry.enums import LetterReason, State, Turn
from registry.models import (
    Assignment,
    Event,
    Namespace,
    Organization,
    RegistrationRequest,
    Round,
    User,
)
from registry.notifications.recipients import (
    ROLE_BY_REASON,
    is_public,
    list_assigned_experts,
    list_held_contacts,
    list_holder_speakers,
    list_role_holders,
    list_with_roles,
    list_writers,
    reachable_people,
)
from registry.permissions import provide_answer, provide_fact
from registry.selectors.actors import CONFLICT, build_path_condition, list_ties
from registry.selectors.request_clock import RequestClock, provide_request_clock

TIE_QUESTIONS = {
    "delegate": permissions.is_delegate,
    "co_editor": permissions.has_co_edited,
    "holder": permissions.is_on_holder_side,
    CONFLICT: permissions.has_declared_conflict,
}
"""The facts about one person and one request, by the names that `list_ties` gives them.

Who started a request and who belongs to its organization is read along with the two.
"""
WRITER_PATHS = ("requests", "speaking__organization__requests", "co_edited_requests")
SPEAKER_PATHS = ("speaking__organization__namespaces", "speaking__namespace")


def preload_letter_facts(clocks: Iterable[RequestClock]) -> None:
    """Read the state of requests for letters, and facts that only few of them need.

    These are whose consent is missing, the holds of NIDs, and the contacts of bodies that are
    reminded. Many requests cost as many queries as one.
    """
    listed = list(clocks)
    for standing in listed:
        provide_request_clock(standing)
    told = [each.registration_request for each in listed if tells_of_publication(each)]
    load_held_contacts(each.organization for each in told if each.state == State.ADVISORY)


def tells_of_publication(standing: RequestClock) -> bool:
    """Whether letters about a request mention its last round, the holder's consent or a hold."""
    registration_request = standing.registration_request
    return (
        registration_request.needs_holder_consent
        or registration_request.state == State.ADVISORY
        or standing.turn == Turn.STANDARDS_BODY
    )


def preload_recipients(events: Iterable[Event]) -> None:
    """Read what `find_recipients` needs for events that name their readers by `to`.

    Many events cost as many queries as one.
    """
    asked: dict[LetterReason, dict[int, RegistrationRequest]] = {}
    for event in events:
        if registration_request := event.registration_request:
            for name in event.data.get("to", ()):
                asked.setdefault(LetterReason(name), {})[registration_request.pk] = (
                    registration_request
                )
    requests = {key: each for together in asked.values() for key, each in together.items()}
    if not requests:
        return
    load_public_requests(list(requests))
    people = {
        person.pk
        for reason in ROLE_BY_REASON
        if reason in asked
        for person in list_role_holders(ROLE_BY_REASON[reason])
    }
    if LetterReason.EXPERT in asked:
        people |= load_experts(list(asked[LetterReason.EXPERT]))
    load_ties(list(requests.values()), people)
    if LetterReason.REGISTRANT in asked:
        load_writers(list(asked[LetterReason.REGISTRANT]))
    if LetterReason.HOLDER in asked:
        load_holder_speakers(
            {each.namespace.pk for each in asked[LetterReason.HOLDER].values() if each.namespace}
        )


def load_public_requests(keys: Collection[int]) -> None:
    """Read which requests ever had a round sent."""
    sent = Round.objects.filter(registration_request__in=keys).sent().order_by()
    public = set(sent.values_list("registration_request", flat=True).distinct())
    for key in keys:
        provide_fact((is_public, key), key in public)


def load_experts(keys: Collection[int]) -> set[int]:
    """Read who is on each request as an expert; return the keys of all of them."""
    stays = Assignment.objects.active().filter(registration_request__in=keys)
    together: dict[int, list[Assignment]] = {}
    for stay in stays:
        together.setdefault(stay.registration_request_id, []).append(stay)
    wanted = {stay.expert_id for stay in stays}
    people = {each.pk: each for each in list_with_roles(reachable_people().filter(pk__in=wanted))}
    for key in keys:
        on_it = [stay for stay in together.get(key, ()) if stay.expert_id in people]
        provide_fact((list_assigned_experts, key), [people[stay.expert_id] for stay in on_it])
        for stay in on_it:
            provide_answer(permissions.find_assignment, stay.expert_id, key, stay)
    return set(people)


def load_ties(requests: Sequence[RegistrationRequest], keys: Collection[int]) -> None:
    """Read what ties people, by their keys, to requests."""
    ties = list_ties(requests, User.objects.filter(pk__in=keys).order_by()) if keys else {}
    for registration_request in requests:
        for person in keys:
            names = ties.get((registration_request.pk, person), ())
            for name, question in TIE_QUESTIONS.items():
                provide_answer(question, person, registration_request.pk, name in names)


def load_writers(keys: Collection[int]) -> None:
    """Read who writes each request, and whether as a delegate or a co-editor."""
    found = map_people(WRITER_PATHS, keys)
    for key in keys:
        sides = found.get(key, {})
        provide_fact((list_writers, key), [person for person, _paths in sides.values()])
        for person, (_user, paths) in sides.items():
            is_delegate, is_co_editor = WRITER_PATHS[1] in paths, WRITER_PATHS[2] in paths
            provide_answer(permissions.is_delegate, person, key, is_delegate)
            provide_answer(permissions.is_co_editor, person, key, is_co_editor)


def load_holder_speakers(keys: Collection[int]) -> None:
    """Read who speaks for the holder of each namespace."""
    found = map_people(SPEAKER_PATHS, keys)
    for key in keys:
        speakers = [person for person, _paths in found.get(key, {}).values()]
        provide_fact((list_holder_speakers, key), speakers)


def map_people(
    paths: Sequence[str], keys: Collection[int]
) -> dict[int, dict[int, tuple[User, set[str]]]]:
    """Return the reachable people whom any of these paths connects to rows with these keys.

    By the key of the row and that of the person, with the paths that do; one query.
    """
    sides = [
        reachable_people()
        .order_by()
        .filter(**build_path_condition(path, keys))
        .annotate(subject=F(path), path=Value(path))
        for path in paths
    ]
    found: dict[int, dict[int, tuple[User, set[str]]]] = {}
    for person in sides[0].union(*sides[1:]):
        facts = vars(person)
        together = found.setdefault(facts["subject"], {})
        together.setdefault(person.pk, (person, set()))[1].add(facts["path"])
    return found


def load_held_contacts(bodies: Iterable[Organization]) -> None:
    """Read the contacts of what organizations hold, as `list_held_contacts` returns them."""
    contacts: dict[int, list[str]] = {each.pk: [] for each in bodies}
    held = Namespace.objects.filter(registrant__in=contacts)
    for key, contact in held.values_list("registrant", "contact"):
        contacts[key].append(contact)
    for key, together in contacts.items():
        provide_fact((list_held_contacts, key), together)
