"""BBF: a recognised body registers three names with one specification, against advice."""

from __future__ import annotations

import pytest

from registry.enums import RequestPath
from registry.models import Namespace, User
from tests.courses.story import Story, named, state
from tests.courses.window import Window
from tests.factories import OrganizationFactory, let_speak_for
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db

NIDS = ("loopforum", "loop-forum-org", "oldloop-org")
BODY = "Loop Forum"
SPECIFICATION = "Loop Forum TR-900, edition 2, 2016, https://loop-forum.example/tr-900"


def test_recognised_body_registers_three_names_against_an_experts_advice(
    story: Story, registrant: User, expert: User, registrar: User, standards_body: User
) -> None:
    let_speak_for(OrganizationFactory.create(name=BODY), registrant)
    references = {}
    for nid in NIDS:
        references[nid] = story.start(
            registrant,
            path=RequestPath.FAST_TRACK,
            nid=nid,
            organization=BODY,
            statement="An international body that publishes technical reports since 1994.",
        )
        text = named(FORMAL, nid).replace(documentation=SPECIFICATION)
        story.write(registrant, references[nid], text)
        story.send(registrant, references[nid])
        story.take(expert, references[nid])
        window = Window(expert).go(f"/requests/{references[nid]}/comment/?mark=advice")
        window.press("Send the comment", text="One name would be enough.")
        assert state(references[nid]) == "advisory"

    first = Window(registrant).go(f"/requests/{references[NIDS[0]]}/act/complete/")
    assert "has not been recognised" in first.text
    assert not first.offers("Ask for registration")

    window = Window(standards_body).go("/direction/").follow(BODY)
    recorded = "https://standards.example/minutes/12"
    window.press("Record decision", verb="recognise", comment=recorded)
    for reference in references.values():
        complete(story, registrant, reference)
        assert state(reference) == "approved"
    for nid, reference in references.items():
        story.publish(registrar, reference, nid)

    published = Namespace.objects.filter(nid__in=NIDS)
    assert published.count() == 3
    assert {each.registrations.get().template.documentation for each in published} == {
        SPECIFICATION
    }


def complete(story: Story, author: User, reference: str) -> Window:
    """Ask for registration although an expert advised against it."""
    return story.act(
        author,
        reference,
        "complete",
        "Ask for registration",
        comment="Three names are in use, and old devices cannot be changed.",
    )
