"""Facts about people and requests that are asked of the database, each once if wanted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from registry.models import RegistrationRequest, User

Person = User | AnonymousUser

NOTHING: Final = Q(pk__in=())
"""A condition that no row meets."""

T = TypeVar("T")
Question = Callable[[Person, RegistrationRequest], T]
_known_facts: ContextVar[dict[tuple[Hashable, ...], Any] | None] = ContextVar(
    "known_facts", default=None
)


@contextmanager
def ask_each_fact_once() -> Iterator[None]:
    """Within the block, query each fact about a person and a request only once.

    For code that only reads and offers actions: a dozen predicates share a few facts. Actions check
    again, outside of any such block. A nested block shares the facts of the outer one.
    """
    known = _known_facts.get()
    token = _known_facts.set({} if known is None else known)
    try:
        yield
    finally:
        _known_facts.reset(token)


def remember_answers(question: Question[T]) -> Question[T]:
    """Make `question`, which queries the database, respect `ask_each_fact_once`."""

    @wraps(question)
    def ask(person: Person, registration_request: RegistrationRequest) -> T:
        if person.pk is None or registration_request.pk is None:
            return question(person, registration_request)
        key = make_fact_key(ask, person.__class__, person.pk, registration_request.pk)
        return remember_fact(key, lambda: question(person, registration_request))

    return ask


def make_fact_key(
    question: Question[Any], kind: Hashable, person: int, registration_request: int
) -> tuple[Hashable, ...]:
    """Return the key under which the answer about a person and a request, by key, is remembered."""
    return question, kind, person, registration_request


def remember_fact(key: tuple[Hashable, ...], find: Callable[[], T]) -> T:
    """Return what `find` returns; within `ask_each_fact_once` it is called once for each key."""
    facts = _known_facts.get()
    if facts is None:
        return find()
    if key not in facts:
        facts[key] = find()
    answer: T = facts[key]
    return answer


def provide_fact(key: tuple[Hashable, ...], fact: object) -> None:
    """Give `remember_fact` a fact that was read for many at once; within `ask_each_fact_once`."""
    remember_fact(key, lambda: fact)


def provide_answer(
    question: Question[Any], person: int, registration_request: int, answer: object
) -> None:
    """Give an account predicate its answer for a person and a request, by their keys.

    For predicates that respect `ask_each_fact_once`, within such a block.
    """
    provide_fact(make_fact_key(question, User, person, registration_request), answer)
