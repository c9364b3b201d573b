"""A request together with one person's ties to it, read in one query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Exists, OuterRef, Subquery, Value

from registry import permissions
from registry.models import (
    Appointment,
    Assignment,
    Follow,
    Message,
    PendingComment,
    RegistrationRequest,
    User,
)
from registry.models.request import RequestQuerySet
from registry.permissions import Person, provide_answer, remember_fact
from registry.selectors.prepared_queries import PreparedQuery


@dataclass(frozen=True, slots=True)
class TiedRequest:
    """A request as one person gets it.

    `has_pending_comment` says whether a comment of theirs is not public yet, `has_expert_notes`
    whether there are any notes between experts. `follow_id` is the key of their follow of it.
    """

    registration_request: RegistrationRequest
    has_pending_comment: bool
    has_expert_notes: bool
    follow_id: int | None


def ask_for_ties(reference: Value, person: Value) -> RequestQuerySet:
    """Return the request with that reference, annotated with the answers to `REQUEST_FACTS`."""
    here: dict[str, Any] = {"registration_request": OuterRef("pk")}
    facts = {
        f"answer_{question.__name__}": Exists(
            RegistrationRequest.objects.filter(twin(person), pk=OuterRef("pk"))
        )
        for question, twin in permissions.REQUEST_FACTS.items()
    }
    found = RegistrationRequest.objects.filter(reference=reference)
    return found.select_related("namespace__registrant").annotate(
        **facts,
        was_assigned=Exists(Assignment.objects.filter(expert=person, **here)),
        was_appointed=Exists(Appointment.objects.filter(person=person, **here)),
        has_pending_comment=Exists(PendingComment.objects.filter(author=person, **here)),
        has_expert_notes=Exists(Message.objects.among_experts().filter(**here)),
        follow_id=Subquery(Follow.objects.filter(person=person, **here).values("pk")[:1]),
    )


TIES_QUERY: Final = PreparedQuery(ask_for_ties, gaps=2)
ASSIGNMENT_QUERY: Final = PreparedQuery(
    lambda request, expert: Assignment.objects.filter(registration_request=request, expert=expert),
    gaps=2,
)


def read_tied_request(person: User, reference: str) -> TiedRequest:
    """Return the request with that reference; predicates then know the person's ties to it.

    Within `permissions.ask_each_fact_once` it is read once. Raises `DoesNotExist`.
    """
    key = (read_tied_request, type(person), person.pk, reference)
    return remember_fact(key, lambda: ask_and_provide_ties(person, reference))


def ask_and_provide_ties(person: User, reference: str) -> TiedRequest:
    """Read the request, and provide the facts and the person's assignment and appointment."""
    found = TIES_QUERY.first(reference, person.pk)
    if found is None:
        raise RegistrationRequest.DoesNotExist(reference)
    beside = vars(found)
    for question in permissions.REQUEST_FACTS:
        answer = bool(beside[f"answer_{question.__name__}"])
        provide_answer(question, person.pk, found.pk, answer)
    own = ASSIGNMENT_QUERY.first(found.pk, person.pk) if beside["was_assigned"] else None
    provide_answer(permissions.find_assignment, person.pk, found.pk, own)
    if not beside["was_appointed"]:
        provide_answer(permissions.find_appointment, person.pk, found.pk, None)
    return TiedRequest(
        registration_request=found,
        has_pending_comment=bool(beside["has_pending_comment"]),
        has_expert_notes=bool(beside["has_expert_notes"]),
        follow_id=beside["follow_id"],
    )


def read_request(person: Person, reference: str) -> RegistrationRequest:
    """Return the request with that reference, and the ties of a person who is signed in."""
    if isinstance(person, User):
        return read_tied_request(person, reference).registration_request
    return RegistrationRequest.objects.get(reference=reference)
