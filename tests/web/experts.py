"""What the tests of the experts' screens share: addresses, decisions, and preparing a scene."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import workflow
from registry.enums import State
from registry.models import RegistrationRequest, User
from registry.workflow import drafts
from tests.factories import (
    RequestFactory,
    let_speak_for,
)

SignIn = Callable[[User], Client]
REASONS = "Say in Syntax that accession numbers are digits only."


def address(registration_request: RegistrationRequest, name: str = "detail") -> str:
    return reverse(f"review:{name}", args=[registration_request.slug])


def decision(
    registration_request: RegistrationRequest, verb: str, **changes: object
) -> dict[str, object]:
    """Return what is posted after the preview of a decision, with the checklist left open."""
    return {
        "seen": registration_request.revision,
        "verb": verb,
        "comment": REASONS,
        "confirmed": "True",
        "unanswered": "The template answers these.",
        "acts_for": "She signs the letters of the federation.",
        **changes,
    }


def send_second_round(registration_request: RegistrationRequest, author: User, text: str) -> None:
    """Change Assignment and send the next round."""
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": text}, seen=draft.edition)
    workflow.perform(registration_request, "submit", actor=author)


def make_many(count: int) -> list[RegistrationRequest]:
    """Put requests of as many organizations into review, unassigned."""
    made = [RequestFactory.create(state=State.IN_REVIEW) for _ in range(count)]
    for each in made:
        each.rounds.update(submitted_at=timezone.now(), sha256="0" * 64)
    return made


def verbs(registration_request: RegistrationRequest) -> list[str]:
    return [event.verb for event in registration_request.events.all()]


def give_stake(stake: str, registration_request: RegistrationRequest, person: User) -> None:
    """Make `person` party to the request in one of the four ways."""
    if stake == "author":
        RegistrationRequest.objects.filter(pk=registration_request.pk).update(author=person)
    elif stake == "delegate":
        let_speak_for(registration_request.organization, person)
    elif stake == "co_editor":
        registration_request.co_editors.add(person)
    elif stake == "organization":
        person.organization = registration_request.organization
        person.save()
    registration_request.refresh_from_db()
