"""The list of requests: each with for whom it waits, and with whom it contends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from registry import queries
from registry.models import RegistrationRequest
from registry.pages.course import with_waiting
from registry.queries import Waiting


@dataclass(frozen=True, slots=True)
class Row:
    """One request of the list; `rivals` are the references of those that ask for its NID."""

    registration_request: RegistrationRequest
    waiting: Waiting
    rivals: Sequence[str] = ()


def rows(requests: Sequence[RegistrationRequest]) -> list[Row]:
    """Return a row for each of `requests`; the database is asked once for all."""
    held: dict[str, list[str]] = {}
    asked = {each.nid for each in requests} - {""}
    others = queries.held_by_others(None).filter(nid__in=asked).order_by("reference")
    for nid, reference in others.values_list("nid", "reference"):
        held.setdefault(nid, []).append(reference)
    return [
        Row(each, waiting, rivals_among(held.get(each.nid, []), each.reference))
        for each, waiting in with_waiting(requests)
    ]


def rivals_among(references: Sequence[str], own: str) -> list[str]:
    """Return the others of those that hold a NID together, if `own` is one of them."""
    return [each for each in references if each != own] if own in references else []
