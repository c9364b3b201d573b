"""Appeals of an approval and of a registration: what they hold up, and what is left of them."""

from __future__ import annotations

import pytest

from registry.models import Namespace, User
from tests.courses.story import Story, named, state, with_round
from tests.courses.window import Window
from tests.factories import UserFactory
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

TEXT = named(FORMAL, "gadget")


def bring_approval(story: Story, registrant: User, expert: User) -> str:
    """Bring a request to its approval, and return its reference."""
    reference = story.start(registrant, nid="gadget")
    story.write(registrant, reference, TEXT)
    story.send(registrant, reference)
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "Sound.")
    assert state(reference) == "approved"
    return reference


def decide(standards_body: User, reference: str, outcome: str, comment: str) -> None:
    """Decide on the appeal, from the list of what waits for the standards body."""
    window = (
        Window(standards_body).go("/direction/").follow("gadget").follow("Decide on the appeal")
    )
    window.press("Decide on the appeal", outcome=outcome, comment=comment)


def test_straw_appeal_uses_up_nobodys_right(
    story: Story,
    registrant: User,
    outsider: User,
    expert: User,
    registrar: User,
    standards_body: User,
) -> None:
    friend = UserFactory.create(name="Finn Friend", email="finn@people.example")
    reference = bring_approval(story, registrant, expert)
    story.act(friend, reference, "appeal", "Appeal", ground="judgement", comment="I do not like it")
    decide(standards_body, reference, "stands", "No reasons were given.")

    story.later(1)
    story.act(
        outsider, reference, "appeal", "Appeal", ground="rights", comment="We have sold gadgets."
    )
    assert not Window(registrar).go(f"/publish/{reference}/").offers("Register and publish")
    story.act(
        standards_body,
        reference,
        "extend",
        "Extend the date",
        due_on="2026-02-20",
        comment="We ask both.",
    )
    story.pass_days(20)
    page = Window().go(f"/requests/{reference}/").text
    assert "The approval is under appeal." in page
    assert "Who can act today: Stine Standards." in page
    decide(standards_body, reference, "goes_back", "The names collide: look again.")

    assert state(reference) == "in_review"
    story.decide(expert, reference, "decline", "They do collide.")
    assert state(reference) == "declined"


def test_registration_is_appealed_and_corrected_against_the_will_of_its_holder(
    story: Story,
    registrant: User,
    outsider: User,
    expert: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = bring_approval(story, registrant, expert)
    story.publish(registrar, reference, "gadget")
    story.later(50)
    story.act(
        outsider, reference, "appeal", "Appeal", ground="rule", comment="It cannot be resolved."
    )
    assert "The registration is under appeal." in Window().go(f"/requests/{reference}/").text
    decide(standards_body, reference, "correct", "It breaks section 5.2, item 3.")
    assert state(reference) == "registered"

    changed = story.start(
        outsider,
        path="revision",
        namespace="gadget",
        organization="Gadget Makers",
    )
    story.write(
        outsider,
        changed,
        with_round(TEXT, 2).replace(revision_information="Assignment says who decides."),
    )
    story.send(outsider, changed)
    assert "Not by the holder" not in Window().go(f"/requests/{changed}/").text
    story.take(expert, changed)
    story.decide(expert, changed, "approve", "It corrects what was wrong.")
    story.publish(registrar, changed, "gadget")
    assert Namespace.objects.get(nid="gadget").registrations.count() == 2
