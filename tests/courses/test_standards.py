"""What is to become part of a standard: the body refuses and is appealed, or no standard comes."""

from __future__ import annotations

import pytest

from registry.models import Namespace, User
from tests.courses.story import Story, letters, list_verbs, named, state, with_round
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

TEXT = named(FORMAL, "gadget")


def bring_report(story: Story, registrant: User, expert: User) -> str:
    """Bring a request before the standards body, and return its reference."""
    reference = story.start(registrant, nid="gadget", standards_action="yes")
    story.write(registrant, reference, TEXT)
    story.send(registrant, reference)
    story.take(expert, reference)
    story.decide(expert, reference, "report", "The text is ready for the body.")
    assert state(reference) == "reported"
    return reference


def rule(standards_body: User, reference: str, verb: str, comment: str) -> Window:
    """Record the standards body's decision."""
    window = Window(standards_body).go(f"/direction/{reference}/")
    return window.press("Record decision", verb=verb, comment=comment)


def test_reported_request_changes_path_only_after_being_sent_back(
    story: Story,
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = bring_report(story, registrant, expert)
    for person in (registrant, lead):
        window = Window(person).go(f"/requests/{reference}/act/reroute/")
        assert "Once it has asked for changes" in window.text
        assert not window.offers("Change the path")
    assert state(reference) == "reported"

    story.later(3)
    rule(standards_body, reference, "request_changes", "The group has closed: drop the flag.")
    story.later(1)
    story.act(
        registrant,
        reference,
        "reroute",
        "Change the path",
        standards_action="no",
        comment="The group has closed.",
    )
    story.write(registrant, reference, with_round(TEXT, 2))
    story.send(registrant, reference)
    story.decide(expert, reference, "approve", "It stands without a standard.")
    story.later(1)
    story.publish(registrar, reference, "gadget")

    assert list_verbs(reference)[-6:] == [
        *("report", "request_changes", "reroute", "submit", "approve", "register")
    ]
    assert "None is anticipated" in Window().go(f"/requests/{reference}/").text
    assert letters() == {
        "Ede Expert": "request_changes reroute submit",
        "Lova Lead": "submit",
        "Rafe Registrar": "approve",
        "Runa Registrant": "report request_changes approve register",
        "Stine Standards": "report",
        "the list": "submit report request_changes reroute submit approve register",
    }


def test_refusal_that_stands_on_appeal_stays_refused(
    story: Story,
    registrant: User,
    outsider: User,
    expert: User,
    registrar: User,
    standards_body: User,
) -> None:
    reference = bring_report(story, registrant, expert)
    rule(standards_body, reference, "decline", "No such standard is wanted.")
    assert state(reference) == "refused"

    story.later(2)
    story.act(
        registrant,
        reference,
        "appeal",
        "Appeal",
        ground="process",
        comment="It was wanted in March.",
    )
    assert state(reference) == "appealed"
    assert not Window(outsider).go(f"/requests/{reference}/").offers("Appeal")
    story.pass_days(10)
    Window(standards_body).go(f"/direction/{reference}/").follow("Decide on the appeal").press(
        "Decide on the appeal", outcome="stands", comment="The minutes of March say otherwise."
    )

    assert state(reference) == "refused"
    for person in (registrant, outsider):
        page = Window(person).go(f"/requests/{reference}/")
        assert "The minutes of March say otherwise." in page.text
        form = Window(person).go(f"/requests/{reference}/act/appeal/")
        assert "The process was not followed" not in form.text
        assert form.offers("Appeal")
    assert not Namespace.objects.filter(nid="gadget").exists()
    assert letters() == {
        "Ede Expert": "decline appeal decide_appeal",
        "Runa Registrant": "report decline reminder-1 decide_appeal",
        "Stine Standards": "report appeal reminder-1",
        "the list": "submit report decline appeal decide_appeal",
    }
