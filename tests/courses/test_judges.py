"""Who judges a request: an expert who joins the applicant, and one who is challenged."""

from __future__ import annotations

import pytest

from registry.models import User
from tests.courses.story import Story, found, state
from tests.courses.test_silence import ask
from tests.courses.window import Window
from tests.factories import let_speak_for

pytestmark = pytest.mark.django_db


def test_approval_of_an_expert_who_joins_the_applicant_does_not_count(
    story: Story, registrant: User, expert: User, lead: User, registrar: User
) -> None:
    reference = ask(story, registrant)
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "Sound.")
    let_speak_for(found(reference).organization, expert)

    page = Window().go(f"/requests/{reference}/").text
    assert "Ede Expert decided on it and has become a party to it since" in page
    assert "Who can act today: Lova Lead." in page
    refused = Window(registrar).go(f"/publish/{reference}/").text
    assert "does not count any more" in refused

    Window(lead).go(f"/review/{reference}/recuse/").press(
        "Take them off", leaver=expert.pk, comment="He has joined the federation."
    )
    assert state(reference) == "in_review"
    story.take(lead, reference)
    story.decide(lead, reference, "approve", "Sound.")
    story.publish(registrar, reference, "manifestmark")
    assert state(reference) == "registered"


def test_challenged_expert_decides_once_the_standards_body_has_answered(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = ask(story, registrant)
    story.take(expert, reference)
    write = f"/requests/{reference}/comment/"
    Window(registrant).go(write).press(
        "Send the comment", text="He works for our rival.", mark=f"challenge:{expert.pk}"
    )
    story.pass_days(1)
    page = Window().go(f"/requests/{reference}/").text
    assert "challenged Ede Expert, who decides nothing until the lead expert has answered" in page
    assert "Who can act today: Lova Lead." in page
    story.pass_days(7)
    assert "Who can act today: Stine Standards." in Window().go(f"/requests/{reference}/").text

    number = found(reference).messages.get(mark="challenge").number
    Window(standards_body).go(write).press(
        "Send the comment", text="He left them years ago.", mark=f"answer:{number}"
    )
    story.pass_days(1)
    story.decide(expert, reference, "approve", "Sound.")
    story.publish(registrar, reference, "manifestmark")
    assert state(reference) == "registered"
