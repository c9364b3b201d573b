"""A squatter asks first for the name of a body; the body comes, is heard and gets its name."""

from __future__ import annotations

import pytest

from registry.models import Namespace, User
from tests.courses.story import Story, letters, named, state, with_round
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

TEXT = named(FORMAL, "loopforum")


def ask(story: Story, author: User, organization: str) -> str:
    """Send a request for the name, and return its reference."""
    reference = story.start(author, nid="loopforum", organization=organization)
    story.write(author, reference, TEXT)
    story.send(author, reference)
    return reference


def test_squatter_who_came_first_does_not_get_the_name_and_hears_so_at_once(
    story: Story,
    registrant: User,
    outsider: User,
    expert: User,
    lead: User,
    registrar: User,
) -> None:
    squatting = ask(story, outsider, "Names for Everybody")
    story.take(expert, squatting)
    story.pass_days(3)
    theirs = ask(story, registrant, "Loop Forum")
    for mine, other in ((theirs, squatting), (squatting, theirs)):
        assert other.upper() in Window().go(f"/requests/{mine}/").text
    story.take(lead, theirs)

    story.pass_days(1)
    refused = Window(expert).go(f"/review/{squatting}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")
    assert state(squatting) == "in_review", "it does not say why this one"
    said = f"{squatting.upper()} has no mandate of the forum; this one has."
    story.decide(lead, theirs, "approve", said)
    story.publish(registrar, theirs, "loopforum")

    assert state(squatting) == "changes_requested"
    page = Window(outsider).go(f"/requests/{squatting}/")
    assert theirs.upper() in page.text
    story.write(outsider, squatting, with_round(TEXT, 2))
    again = Window(outsider).go(f"/requests/{squatting}/send/").press("Send")
    assert "loopforum" in again.text
    assert state(squatting) == "changes_requested", "only another name can be sent"
    story.act(outsider, squatting, "withdraw", "Withdraw", comment="It is taken.")
    assert state(squatting) == "withdrawn"
    assert str(Namespace.objects.get(nid="loopforum").registrant) == "Loop Forum"
    assert letters() == {
        "Ede Expert": "submit overtake",
        "Lova Lead": "submit*2",
        "Olaf Outsider": "submit overtake",
        "Rafe Registrar": "approve",
        "Runa Registrant": "submit approve register",
        "the list": "submit*2 approve register overtake withdraw",
    }
