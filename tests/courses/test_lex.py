"""LEX: sent back by the body, expired, on another path, and finally registered, years later."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from registry.models import Namespace, User
from tests.courses.story import Story, found, named, state, with_round
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


@pytest.mark.whole(sample=True)
def test_sent_back_lapsed_rerouted_and_registered_years_later(
    story: Story, registrant: User, expert: User, registrar: User, standards_body: User
) -> None:
    text = named(FORMAL, "statute")
    story.on("2012-05-07")
    first = story.start(registrant, nid="statute", standards_action="yes")
    story.write(registrant, first, text)
    story.send(registrant, first)
    story.take(expert, first)
    story.decide(expert, first, "report", "Ready, but for the jurisdictions.")
    story.later(20)
    Window(standards_body).go(f"/direction/{first}/").press(
        "Record decision", verb="request_changes", comment="Name the jurisdictions."
    )
    assert state(first) == "changes_requested"

    for _month in range(7):
        story.later(30)
        call_command("tick", verbosity=0)
    assert state(first) == "expired"

    story.on("2021-02-01")
    story.act(registrant, first, "reopen", "Reopen")
    second = found(first).reopened_as.get().slug
    story.act(registrant, second, "reroute", "Change the path", standards_action="no")
    story.write(registrant, second, with_round(text, 2))
    story.send(registrant, second)
    story.take(expert, second)
    story.decide(expert, second, "approve", "The jurisdictions are named.")
    story.on("2024-11-04")
    story.publish(registrar, second, "statute")

    assert Namespace.objects.get(nid="statute").registrations.get().number == 1
    assert found(first).rounds.sent().count() == 1
    assert "Name the jurisdictions." in Window().go(f"/requests/{first}/").text
