"""The fast track for a body that is refused recognition, and for one that loses it at the end."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registry.actions import recognition
from registry.enums import RequestPath
from registry.models import Namespace, Organization, User
from tests.courses.story import Story, deliver, found, letters, named, state, with_round
from tests.courses.window import Window
from tests.factories import (
    OrganizationFactory,
    let_speak_for,
)
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

TEXT = named(FORMAL, "loopforum")
BODY = "Loop Forum"
REFUSED = "It publishes no specifications that anybody could read."


def test_body_that_is_refused_goes_on_by_expert_review(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = story.start(
        registrant,
        path=RequestPath.FAST_TRACK,
        nid="loopforum",
        organization=BODY,
        statement="A forum that publishes technical reports.",
    )
    story.write(registrant, reference, TEXT)
    story.send(registrant, reference)
    assert "Waiting for the standards body" in Window().go(f"/requests/{reference}/").text
    story.pass_days(4)
    Window(standards_body).go("/direction/").follow(BODY).press(
        "Record decision", verb="refuse_recognition", comment=REFUSED
    )
    story.pass_days(1)

    window = Window(registrant).go(f"/requests/{reference}/act/complete/")
    assert "has not been recognised" in window.text
    assert not window.offers("Ask for registration")
    story.act(registrant, reference, "reroute", "Change the path", path=RequestPath.COMMUNITY)
    assert state(reference) == "in_review"
    story.take(expert, reference)
    story.decide(expert, reference, "approve", "Sound.")
    story.publish(registrar, reference, "loopforum")

    assert letters() == {
        "Lova Lead": "reroute",
        "Rafe Registrar": "approve",
        "Runa Registrant": "refuse_recognition approve register",
        "Stine Standards": "ask_recognition submit",
        "the list": "submit reroute approve register",
    }


@pytest.fixture
def forum(registrant: User, standards_body: User) -> Organization:
    """A body that is recognised for the fast track."""
    body: Organization = OrganizationFactory.create(name=BODY)
    let_speak_for(body, registrant)
    asked = recognition.request_recognition(body, registrant, "A forum.")
    recognition.grant_recognition(
        asked, actor=standards_body, recognised_on=timezone.localdate(), source="Minutes"
    )
    return body


@pytest.fixture
def complete(story: Story, forum: Organization, registrant: User, registrar: User) -> str:
    """Its request, complete and approved."""
    reference = story.start(
        registrant, path=RequestPath.FAST_TRACK, nid="loopforum", organization=BODY
    )
    story.write(registrant, reference, TEXT)
    story.send(registrant, reference)
    story.act(
        registrant, reference, "complete", "Ask for registration", comment="Nobody gave advice."
    )
    assert state(reference) == "approved"
    deliver()
    return reference


def take_back(standards_body: User, forum: Organization) -> None:
    """Take the recognition back, from the page of the organization."""
    window = Window(standards_body).go(f"/organizations/{forum.pk}/").follow("Take it back")
    window.press("Record decision", verb="withdraw_recognition", comment="It closed its process.")
    assert f"{BODY} is not recognised" in window.text


def test_body_that_lost_recognition_after_it_asked_is_not_published(
    story: Story,
    forum: Organization,
    complete: str,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    before = Window(registrar).go(f"/publish/{complete}/")
    assert before.offers("Register and publish")

    story.pass_days(1)
    take_back(standards_body, forum)
    before.sign_in_again()
    before.press("Register and publish", confirmation="loopforum")
    assert "has not been recognised" in before.text
    assert not Window(registrar).go(f"/publish/{complete}/").offers("Register and publish")
    assert not Namespace.objects.filter(nid="loopforum").exists()
    story.pass_days(1)
    story.pass_days(40, step=5)
    page = Window().go(f"/requests/{complete}/").text
    assert "has not been recognised" in page
    assert "Who can act today: Stine Standards." in page
    assert "12 days late." in page
    assert "Alarm" not in page
    assert found(complete).reference in Window(standards_body).go("/direction/").text
    window = Window(standards_body).go(f"/publish/{complete}/")
    window.press("Ask for changes", comment="It is not recognised any more.")
    assert window.url == "/direction/"

    story.act(registrant, complete, "reroute", "Change the path", path=RequestPath.COMMUNITY)
    story.write(registrant, complete, with_round(TEXT, 2))
    story.send(registrant, complete)
    story.take(expert, complete)
    story.decide(expert, complete, "approve", "Sound.")
    story.publish(registrar, complete, "loopforum")
    assert found(complete).path == RequestPath.COMMUNITY
    assert letters() == {
        "Lova Lead": "reminder-2 weekly*2 reminder-3 weekly*3 submit",
        "Rafe Registrar": "complete weekly*2 reminder-3 weekly*3 approve",
        "Runa Registrant": (
            "recognise withdraw_recognition reminder-1 reminder-2 reminder-3 request_changes "
            "approve register"
        ),
        "Stine Standards": "ask_recognition reminder-1 reminder-2 weekly*2 reminder-3 weekly*3",
        "the list": "submit complete request_changes reroute submit approve register",
    }


def test_request_whose_body_is_recognised_again_is_published_as_it_is(
    story: Story,
    forum: Organization,
    complete: str,
    registrant: User,
    registrar: User,
    standards_body: User,
) -> None:
    take_back(standards_body, forum)
    Window(registrant).go(f"/requests/{complete}/recognition/").press(
        "Ask for recognition", statement="Its process is open again."
    )
    page = Window().go(f"/requests/{complete}/").text
    assert "Who can act today: Stine Standards." in page
    Window(standards_body).go("/direction/").follow(BODY).press(
        "Record decision", verb="recognise", comment="Minutes of 6 January"
    )

    story.publish(registrar, complete, "loopforum")

    assert state(complete) == "registered"


def test_wait_for_recognition_is_the_standards_bodys_and_late_until_it_expires(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = story.start(
        registrant,
        path=RequestPath.FAST_TRACK,
        nid="loopforum",
        organization=BODY,
        statement="A forum that publishes technical reports.",
    )
    story.write(registrant, reference, TEXT)
    story.send(registrant, reference)

    story.pass_days(40, step=5)
    page = Window().go(f"/requests/{reference}/").text
    assert "Waiting for the standards body" in page
    assert "Who can act today: Stine Standards." in page
    assert "12 days late." in page
    story.pass_days(135, step=5)
    assert state(reference) == "advisory"
    story.pass_days(10, step=5)

    assert state(reference) == "expired"
    assert "expire" in letters()["Runa Registrant"].split()
