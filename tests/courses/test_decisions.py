"""An approval within the minute, a list that gets no mail, and an approval of the wrong request."""

from __future__ import annotations

import smtplib
from collections.abc import Sequence

import pytest
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from pytest_django import Settings

from registry.models import Letter, User
from registry.notifications.outbox import send_letter
from tests.courses.story import EXPLANATIONS, Story, found, list_verbs, named, state
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def ask(story: Story, author: User, expert: User, nid: str) -> str:
    """Send a request, have the expert take it, and return its reference."""
    reference = story.start(author, nid=nid)
    story.write(author, reference, named(FORMAL, nid))
    story.send(author, reference)
    story.take(expert, reference)
    return reference


def test_approval_within_the_minute_says_why_and_register_waits_for_the_list(
    story: Story, registrant: User, expert: User, registrar: User
) -> None:
    reference = ask(story, registrant, expert, "gadget")
    window = Window(expert).go(f"/review/{reference}/")
    window.press("Check your decision", verb="approve", comment="Sound.")
    silent = {name: text for name, text in EXPLANATIONS.items() if name != "haste"}
    window.press("Record decision", **silent)
    assert "Say why you decide while comments are invited" in window.text
    assert state(reference) == "in_review"

    window.press("Record decision", haste=EXPLANATIONS["haste"])
    assert state(reference) == "approved"
    assert EXPLANATIONS["haste"] in Window().go(f"/requests/{reference}/").text
    page = Window(registrar).go(f"/publish/{reference}/")
    assert "The discussion list has not got this text yet" in page.text
    assert not page.offers("Register and publish")

    story.publish(registrar, reference, "gadget")
    assert state(reference) == "registered"
    assert EXPLANATIONS["acts_for"] in Window().go("/namespaces/gadget/").text


def test_expert_who_approved_the_wrong_request_takes_it_back(
    story: Story, registrant: User, expert: User, registrar: User
) -> None:
    meant, other = (ask(story, registrant, expert, nid) for nid in ("gadget", "badge-reader"))
    story.decide(expert, other, "approve", "Sound.")
    assert state(other) == "approved"

    story.act(expert, other, "reconsider", "Reconsider", comment="I meant the other request.")
    assert (state(other), state(meant)) == ("in_review", "in_review")
    assert "I meant the other request." in Window().go(f"/requests/{other}/").text
    assert not Window(registrar).go(f"/publish/{other}/").offers("Register and publish")
    story.decide(expert, meant, "approve", "Sound.")
    story.decide(expert, other, "decline", "Name a reader of badges that is yours.")
    story.publish(registrar, meant, "gadget")

    assert list_verbs(other)[-3:] == ["approve", "reconsider", "decline"]
    assert state(meant) == "registered"


def test_text_that_the_list_refuses_is_registered_once_it_is_recorded_where_it_was_posted(
    story: Story, registrant: User, expert: User, registrar: User, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "tests.courses.test_decisions.RefusingBackend"
    reference = ask(story, registrant, expert, "gadget")
    story.decide(expert, reference, "approve", "Sound.")
    letter = Letter.objects.get(round__registration_request=found(reference))
    assert send_letter.call(letter.pk) == "refused"
    assert not Window(registrar).go(f"/publish/{reference}/").offers("Register and publish")

    posted = "I posted it by hand: https://lists.example/archive/urn/2026-01/msg7.html"
    story.act(
        registrar, reference, "record_evidence", "Record evidence", about="list", comment=posted
    )
    window = Window(registrar).go(f"/publish/{reference}/")
    window.press("Register and publish", confirmation="gadget")

    assert state(reference) == "registered"
    assert posted in Window().go(f"/requests/{reference}/").text


class RefusingBackend(BaseEmailBackend):
    """A mail server that knows none of our recipients."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Refuse every recipient."""
        raise smtplib.SMTPRecipientsRefused(
            {each.to[0]: (550, b"No such list") for each in messages}
        )
