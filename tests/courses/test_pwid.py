"""PWID: ten rounds, an expiry and a reopening; what is published first is version 1."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from registry.models import Namespace, User
from tests.courses.story import Story, found, named, state, with_round
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def test_ten_rounds_with_an_expiry_between_end_in_version_1(
    story: Story, registrant: User, expert: User, registrar: User
) -> None:
    text = named(FORMAL, "webkeep")
    story.on("2024-01-08")
    first = story.start(registrant, nid="webkeep")
    story.write(registrant, first, text)
    story.send(registrant, first)
    story.take(expert, first)
    for number in range(2, 7):
        go_round(story, registrant, expert, first, number)
    story.decide(expert, first, "request_changes", "Say how archives are named.")

    story.later(181)
    call_command("tick", verbosity=0)
    assert state(first) == "expired"
    assert "Expired" in Window().go(f"/requests/{first}/").text

    story.later(40)
    story.act(registrant, first, "reopen", "Reopen")
    second = found(first).reopened_as.get().slug
    story.write(registrant, second, with_round(text, 7))
    story.send(registrant, second)
    story.take(expert, second)
    for number in range(8, 11):
        go_round(story, registrant, expert, second, number)
    story.decide(expert, second, "approve", "Sound at last.")
    story.publish(registrar, second, "webkeep")

    rounds = [found(each).rounds.sent().count() for each in (first, second)]
    namespace = Namespace.objects.get(nid="webkeep")
    assert rounds == [6, 4]
    assert [each.number for each in namespace.registrations.all()] == [1]
    assert first.upper() in Window().go(f"/requests/{second}/").text
    assert second.upper() in Window().go(f"/requests/{first}/").text


def go_round(story: Story, author: User, expert: User, reference: str, number: int) -> None:
    """Ask for changes, and make them."""
    story.later(5)
    story.decide(expert, reference, "request_changes", f"See to point {number}.")
    story.later(5)
    story.write(author, reference, with_round(named(FORMAL, "webkeep"), number))
    story.send(author, reference)
