"""Changes of status: a sole registrar who confirms by mistake, and a ring of replacements."""

from __future__ import annotations

import pytest

from registry.enums import State
from registry.models import Namespace, Organization, User
from tests.courses.story import Story, deliver, state
from tests.courses.window import Window
from tests.factories import NamespaceFactory, OrganizationFactory, let_speak_for

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def agency(registrant: User) -> Organization:
    """The holder of two namespaces, for which the registrant speaks."""
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    for nid in ("oldbook", "newbook"):
        NamespaceFactory.create(nid=nid, registrant=body, contact="Desk, desk@books.example")
    let_speak_for(body, registrant)
    return body


def deprecate(author: User, nid: str, replaced_by: str) -> str:
    """Write that a namespace is deprecated, and return the reference."""
    window = Window(author).go("/requests/new/")
    window.press(
        "Continue to the template",
        path="facts",
        namespace=nid,
        change="status",
        organization="Book Number Agency",
    )
    window.press("Save", status="deprecated", notice="Use the other.", replaced_by=replaced_by)
    return window.url.split("/")[2]


def confirm(officer: User, reference: str) -> None:
    """Confirm a change as second officer."""
    window = Window(officer).go(f"/requests/{reference}/act/countersign/")
    window.press("Confirm as second officer", comment="I read it.")


def publish(registrar: User, reference: str, nid: str) -> None:
    window = Window(registrar).go(f"/publish/{reference}/")
    window.press("Publish the change", confirmation=nid)
    assert state(reference) == State.REGISTERED, window.text


def test_sole_registrar_who_confirms_by_mistake_can_still_publish(
    story: Story, agency: Organization, registrant: User, registrar: User, standards_body: User
) -> None:
    reference = deprecate(registrant, "oldbook", "newbook")
    story.send(registrant, reference)
    deliver()
    story.pass_days(8)
    page = Window().go(f"/requests/{reference}/").text
    assert "Who can act today: Stine Standards." in page

    mistaken = Window(registrar).go(f"/requests/{reference}/act/countersign/")
    assert "Nobody else could publish this change" in mistaken.text
    assert not mistaken.offers("Confirm as second officer")
    confirm(standards_body, reference)
    assert "Who can act today: Rafe Registrar." in Window().go(f"/requests/{reference}/").text

    publish(registrar, reference, "oldbook")
    assert Namespace.objects.get(nid="oldbook").status == "deprecated"


def test_ring_of_replacements_is_not_sent_and_ends_at_a_namespace_in_use(
    story: Story, agency: Organization, registrant: User, registrar: User, standards_body: User
) -> None:
    first = deprecate(registrant, "oldbook", "newbook")
    story.send(registrant, first)
    deliver()
    confirm(standards_body, first)
    story.pass_days(8)
    publish(registrar, first, "oldbook")

    second = deprecate(registrant, "newbook", "oldbook")
    page = Window(registrant).go(f"/requests/{second}/send/").press("Send")
    assert state(second) == State.DRAFT
    assert "urn:oldbook is itself replaced by urn:newbook" in page.text

    Window(registrant).go(f"/requests/{second}/facts/").press("Save", replaced_by="")
    story.send(registrant, second)
    deliver()
    confirm(standards_body, second)
    story.pass_days(8)
    publish(registrar, second, "newbook")
    assert "newbook" in Window().go("/namespaces/oldbook/").text
    assert Namespace.objects.get(nid="newbook").replaced_by is None
