"""A discussion with something of everything, and two requests for one name."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from registry import workflow
from registry.actions import (
    discussion,
    incoming_mail,
)
from registry.enums import RequestPath
from registry.models import Message, RegistrationRequest, User
from registry.template import Template
from tests.actions.letters import letter
from tests.factories import OrganizationFactory, start


def talk(people: Mapping[str, User], registration_request: RegistrationRequest) -> None:
    """Let people comment, answer, write by mail and be hidden, and experts exchange notes."""

    def say(who: str, text: str, **fields: Any) -> Message:
        return discussion.add_comment(
            registration_request, author=people[who], text=text, key=uuid.uuid4(), **fields
        )

    question = say("outsider", "May a vault that is no member obtain a code?", section="purpose")
    say("registrant", "It may: see https://northlight.example/codes.", answers=question)
    advertising = say("outsider", "We sell seeds, too.")
    discussion.hide_message(advertising, moderator=people["lead"], reason="Advertising.")
    incoming_mail.receive_letter(
        letter(
            "On Monday they wrote:\n> May a vault obtain a code?\n\nSo I hope.\n\n-- \nMaja\n",
            subject=f"Re: {registration_request.reference}",
        ).as_bytes()
    )
    discussion.add_note(
        registration_request, author=people["lead"], text="I know this body.", key=uuid.uuid4()
    )


def contend(people: Mapping[str, User], text: Template) -> RegistrationRequest:
    """Let another body send `text`, whose identifier is requested already."""
    body = OrganizationFactory.create(name="Tidewater Buoy Cooperative")
    rival = start(people["registrant"], body, text, RequestPath.COMMUNITY)
    workflow.perform(rival, "submit", actor=people["registrant"])
    return rival
