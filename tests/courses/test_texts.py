"""Texts: an empty one is not sent, Send hides nothing, and no revision takes back another."""

from __future__ import annotations

import pytest

from registry.enums import Role, State
from registry.models import Namespace, Organization, User
from tests.courses.story import Story, found, state, with_round
from tests.courses.window import Window
from tests.factories import UserFactory, let_speak_for
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

SECTIONS = (
    "purpose",
    "syntax",
    "assignment",
    "security_privacy",
    "interoperability",
    "resolution",
    "documentation",
)
POINTING = FORMAL.replace(
    **dict.fromkeys(SECTIONS, "See RFC 8141."), known_issues="", resolution_intended=""
)


def test_text_that_only_points_to_the_rfc_is_not_sent(story: Story, registrant: User) -> None:
    reference = story.start(registrant, nid="seedbank")
    story.write(registrant, reference, POINTING)
    page = Window(registrant).go(f"/requests/{reference}/send/")
    assert page.text.count("only points elsewhere") == len(SECTIONS)
    assert "The question “Is resolution intended?” has no answer." in page.text
    assert "The question “Are any issues known?” has no answer." in page.text

    page.press("Send")
    assert "9 things must be fixed" in page.text
    assert state(reference) == State.DRAFT

    story.write(registrant, reference, FORMAL)
    story.send(registrant, reference)
    assert state(reference) == State.IN_REVIEW


def test_send_says_what_will_prevent_publication(
    story: Story, registrant: User, expert: User
) -> None:
    reference = story.start(registrant, nid="seedbank")
    story.write(registrant, reference, FORMAL.replace(resolution="TBD"))
    page = Window(registrant).go(f"/requests/{reference}/send/").text
    later = page.partition("Nobody can publish before this is done")[2].partition("To consider")[0]
    assert "Resolution still says “TBD”" in later

    story.send(registrant, reference)
    story.take(expert, reference)
    refused = Window(expert).go(f"/review/{reference}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")
    assert "Resolution still says “TBD”" in refused.text


@pytest.fixture
def seedbank(
    story: Story, organization: Organization, registrant: User, expert: User, registrar: User
) -> Namespace:
    """Registered through the pages, by a delegate of its holder."""
    let_speak_for(organization, registrant)
    reference = story.start(registrant, nid="seedbank", organization=organization.name)
    story.write(registrant, reference, FORMAL)
    story.send(registrant, reference)
    story.take(expert, reference)
    story.later(30)
    story.decide(expert, reference, "approve", "Sound.")
    story.publish(registrar, reference, "seedbank")
    return Namespace.objects.get(nid="seedbank")


def revise(story: Story, author: User, namespace: Namespace, number: int) -> str:
    """Send a revision that says more in one section; return its reference."""
    reference = story.start(
        author, path="revision", namespace=namespace.nid, organization=str(namespace.registrant)
    )
    text = with_round(FORMAL, number) if number == 1 else FORMAL.replace(purpose=PURPOSE)
    story.write(author, reference, text.replace(revision_information="One section says more."))
    story.send(author, reference)
    return reference


PURPOSE = f"{FORMAL.purpose}\n\nGardens may name their seeds, too."


def test_second_of_two_revisions_keeps_what_the_first_changed(
    story: Story,
    seedbank: Namespace,
    organization: Organization,
    registrant: User,
    expert: User,
    registrar: User,
) -> None:
    colleague = UserFactory.create(name="Cora Colleague", email="cora@people.example")
    let_speak_for(organization, colleague)
    first = revise(story, registrant, seedbank, 1)
    second = revise(story, colleague, seedbank, 2)
    for one, other in ((first, second), (second, first)):
        page = Window().go(f"/requests/{one}/").text
        assert f"Request {other.upper()} by {organization} changes the same namespace" in page
    story.take(expert, second)
    story.decide(expert, second, "request_changes", "Say which gardens.")
    story.take(expert, first)
    story.later(30)
    story.decide(expert, first, "approve", f"{second.upper()} is still being written.")
    story.publish(registrar, first, "seedbank")

    window = Window(colleague).go(f"/requests/{second}/send/")
    window.press("Send")
    assert "Version 2 of seedbank has been registered since this text was begun." in window.text
    window.follow("Bring the text up to date")
    assert "What version 2 changed: taken over" in window.text
    assert "What you changed: stays" in window.text
    window.press("Bring the text up to date")
    draft = found(second).draft
    assert draft
    assert "Agreed in round 1." in draft.assignment
    window.press("Send")

    other_expert = UserFactory.create(name="Enno Expert", roles=[Role.EXPERT])
    story.take(other_expert, second)
    story.later(30)
    story.decide(other_expert, second, "approve", "Sound.")
    story.publish(registrar, second, "seedbank")
    published = seedbank.registrations.get(number=3)
    assert published.assignment.endswith("Agreed in round 1.")
    assert published.purpose.endswith("Gardens may name their seeds, too.")
