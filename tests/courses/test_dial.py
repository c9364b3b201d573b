"""dial-multiscreen-org: seen in use, its users notified, and claimed by their request."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from registry.models import Letter, Sighting, User
from tests.courses.story import Story, named
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

NID = "dial-multiscreen-org"


def test_name_seen_in_use_is_noted_told_and_claimed(
    story: Story, registrant: User, expert: User, registrar: User
) -> None:
    note = Window(expert).go("/sightings/new/")
    note.press(
        "Note it",
        nid=NID,
        evidence="urn:dial-multiscreen-org:service:dial:1 in the headers of many televisions",
        user_of_it="Makers of televisions",
        address="protocol@screens.example",
    )
    sighting = Sighting.objects.get()
    Window(expert).go("/sightings/").press("Send a notice")
    call_command("tick", verbosity=0)

    sighting.refresh_from_db()
    notices = Letter.objects.filter(address="protocol@screens.example")
    assert notices.count() == 1
    assert sighting.notice_sent_at is not None
    assert "in use" in Window().go("/requests/new/?nid=dial-multiscreen-orgs").text

    story.later(60)
    reference = story.start(registrant, nid=NID)
    story.write(registrant, reference, named(FORMAL, NID))
    story.send(registrant, reference)

    sighting.refresh_from_db()
    assert sighting.claimed_by is not None
    assert sighting.claimed_by.slug == reference
    assert reference.upper() in Window().go("/sightings/").text
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "It was in use for years.")
    story.publish(registrar, reference, NID)
