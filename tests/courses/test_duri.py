"""DURI and TDB: withdrawn together; both names are free again, and the pages stay."""

from __future__ import annotations

import pytest

from registry.models import User
from tests.courses.story import Story, named, state
from tests.courses.window import Window
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def test_withdrawal_frees_both_names_and_keeps_both_pages(
    story: Story, registrant: User, outsider: User, expert: User
) -> None:
    references = {}
    for nid in ("duri", "tdb"):
        references[nid] = story.start(registrant, nid=nid)
        story.write(registrant, references[nid], named(FORMAL, nid))
        story.send(registrant, references[nid])
        story.take(expert, references[nid])
    assert "asks for" in Window(outsider).go("/requests/new/?nid=duri").text

    story.later(30)
    for reference in references.values():
        story.act(registrant, reference, "withdraw", "Withdraw", comment="Out of time.")

    for nid, reference in references.items():
        page = Window().go(f"/requests/{reference}/")
        assert state(reference) == "withdrawn"
        assert "Withdrawn" in page.text
        assert "Out of time." in page.text
        assert "asks for" not in Window(outsider).go(f"/requests/new/?nid={nid}").text
        assert story.start(outsider, nid=nid, organization="Saltmarsh Charts Cooperative")
