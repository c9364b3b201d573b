"""DEV: the standards flag comes halfway; nothing is published before report and direction."""

from __future__ import annotations

import pytest

from registry import workflow
from registry.models import User
from tests.courses.story import Story, found, list_verbs, named, state, with_round
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def test_standards_track_is_published_with_report_and_direction_and_not_before(
    story: Story, registrant: User, expert: User, registrar: User, standards_body: User
) -> None:
    text = named(FORMAL, "gadget")
    reference = story.start(registrant, nid="gadget")
    story.write(registrant, reference, text)
    story.send(registrant, reference)
    story.take(expert, reference)
    story.decide(expert, reference, "request_changes", "Is it to become a standard?")

    story.act(
        registrant,
        reference,
        "reroute",
        "Change the path",
        standards_action="yes",
        comment="A working group has adopted it.",
    )
    story.write(registrant, reference, with_round(text, 2))
    story.send(registrant, reference)
    with pytest.raises(workflow.ActionRefused, match="standards body"):
        workflow.perform(found(reference), "approve", actor=expert, comment="Sound.")
    assert cannot_be_published(registrar, reference)

    story.decide(expert, reference, "report", "The text is ready for the body.")
    assert state(reference) == "reported"
    assert cannot_be_published(registrar, reference)

    window = Window(standards_body).go(f"/direction/{reference}/")
    window.press("Record decision", verb="direct", comment="https://standards.example/minutes/7")
    assert state(reference) == "approved", window.text
    story.later(1)
    story.publish(registrar, reference, "gadget")
    assert list_verbs(reference)[-3:] == ["report", "direct", "register"]


def cannot_be_published(registrar: User, reference: str) -> bool:
    """Whether the registrar's page offers no way to publish the request."""
    return not Window(registrar).go(f"/publish/{reference}/").offers("Register and publish")
