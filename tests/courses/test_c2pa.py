"""C2PA: three rounds, a quick review, and a hand-over that then went unnoticed for half a year."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from registry.models import User
from tests.courses.story import Story, list_verbs, named, state, with_round
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def test_publication_that_stalls_is_reminded_of_once_on_day_7(
    story: Story, registrant: User, expert: User, lead: User, registrar: User
) -> None:
    text = named(FORMAL, "manifestmark")
    story.on("2026-03-02")
    reference = story.start(registrant, nid="manifestmark")
    story.write(registrant, reference, text)
    story.send(registrant, reference)
    story.take(expert, reference)
    for number in (2, 3):
        story.later(2)
        story.decide(expert, reference, "request_changes", "Say who assigns names.")
        story.later(1)
        story.write(registrant, reference, with_round(text, number))
        story.send(registrant, reference)
    story.later(1)
    story.decide(expert, reference, "approve", "Sound.")
    assert state(reference) == "approved"

    story.later(6.5)
    call_command("tick", verbosity=0)
    quiet = list_verbs(reference)
    story.later(1)
    call_command("tick", verbosity=0)
    call_command("tick", verbosity=0)

    public = Window().go(f"/requests/{reference}/")
    assert "remind" not in quiet
    assert list_verbs(reference).count("remind") == 1
    assert "the registrar" in public.text
    assert "late" in public.text

    story.publish(registrar, reference, "manifestmark")
    assert state(reference) == "registered"
    assert "version 1" in Window().go("/namespaces/manifestmark/").text.lower()
