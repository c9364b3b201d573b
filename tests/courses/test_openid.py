"""OpenID: two requests for one name, one without a mandate; people settle it, one is renamed."""

from __future__ import annotations

import pytest

from registry import workflow
from registry.models import Namespace, User
from tests.courses.story import Story, found, named, state
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def test_rivals_for_a_name_are_both_registered_after_a_renaming(
    story: Story, registrant: User, outsider: User, expert: User, registrar: User
) -> None:
    theirs = ask(story, registrant, "openid", "Open Badge Foundation")
    ours = ask(story, outsider, "OpenID", "A Reader of Open Badges")
    for reference in (theirs, ours):
        story.take(expert, reference)

    for mine, other in ((theirs, ours), (ours, theirs)):
        assert other.upper() in Window().go(f"/requests/{mine}/").text
    queue = Window(expert).go("/review/").text
    assert "2 open requests ask for “openid”" in queue
    assert {state(theirs), state(ours)} == {"in_review"}  # Nobody's judgement is pre-empted.

    story.decide(expert, ours, "request_changes", "Show a mandate, or choose another name.")
    story.decide(expert, theirs, "approve", f"They speak for it; {ours.upper()} does not.")
    renamed = named(FORMAL, "badge-reader")
    window = Window(outsider).go(f"/requests/{ours}/edit/identifier/")
    window.press("Save", nid="badge-reader")
    story.write(outsider, ours, renamed)
    story.send(outsider, ours)
    assert theirs.upper() not in Window().go(f"/requests/{ours}/").text
    story.decide(expert, ours, "approve", "No longer to be mistaken.")
    story.later(1)
    story.publish(registrar, theirs, "openid")
    story.publish(registrar, ours, "badge-reader")

    assert set(Namespace.objects.values_list("nid", flat=True)) == {"openid", "badge-reader"}


def test_one_that_is_registered_overtakes_the_other_although_both_were_approved(
    story: Story, registrant: User, outsider: User, expert: User, registrar: User
) -> None:
    references = [
        ask(story, registrant, "openid", "Open Badge Foundation"),
        ask(story, outsider, "OPENID", "A Reader of Open Badges"),
    ]
    for reference, other in (references, references[::-1]):
        story.take(expert, reference)
        story.decide(expert, reference, "approve", f"Sound, as {other.upper()} is.")

    story.publish(registrar, references[0], "openid")

    assert state(references[1]) == "changes_requested"
    with pytest.raises(workflow.ActionRefused, match="is not possible"):
        workflow.perform(found(references[1]), "register", actor=registrar)
    assert references[0].upper() in Window().go(f"/requests/{references[1]}/").text


def ask(story: Story, author: User, nid: str, organization: str) -> str:
    """Send a request for `nid`."""
    reference = story.start(author, nid=nid, organization=organization)
    story.write(author, reference, named(FORMAL, nid))
    story.send(author, reference)
    return reference
