"""Whose consent a request needs, and what happens while it is missing."""

from __future__ import annotations

import pytest

from registry.enums import State
from registry.models import Organization, User
from tests.courses.story import Story, named, state
from tests.courses.window import Window
from tests.factories import NamespaceFactory, OrganizationFactory, UserFactory, let_speak_for
from tests.template.samples import FORMAL

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def agency(db: None) -> Organization:
    """A body that holds a namespace, and for which somebody speaks."""
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    NamespaceFactory.create(nid="isbn", registrant=body, contact="desk@books.example")
    return body


def test_bystander_gets_nowhere_in_the_name_of_a_known_body_until_it_consents(
    story: Story, agency: Organization, outsider: User, expert: User, registrar: User
) -> None:
    delegate = UserFactory.create(name="Dag Delegate")
    let_speak_for(agency, delegate)
    reference = story.start(outsider, nid="shelfmark", organization="Book Number Agency")
    story.write(outsider, reference, named(FORMAL, "shelfmark"))
    story.send(outsider, reference)
    said = "Asked by Olaf Outsider; not confirmed by Book Number Agency"

    for page in (f"/requests/{reference}/", "/requests/", f"/organizations/{agency.pk}/", "/"):
        assert said in Window().go(page).text, page
    for name in ("requests.txt", f"requests/{reference}.json"):
        assert "not confirmed by Book Number Agency" in Window().client.get(f"/{name}").text, name
    story.take(expert, reference)
    refused = Window(expert).go(f"/review/{reference}/")
    refused.press("Check your decision", verb="approve", comment="It reads well.")
    assert not refused.offers("Record decision")

    story.act(delegate, reference, "consent", "Consent")
    assert said not in Window().go(f"/requests/{reference}/").text
    story.decide(expert, reference, "approve", "It reads well.")
    story.publish(registrar, reference, "shelfmark")
    assert state(reference) == State.REGISTERED


def test_body_whose_name_was_used_objects_and_the_request_goes_no_further(
    story: Story, agency: Organization, outsider: User, expert: User, standards_body: User
) -> None:
    delegate = UserFactory.create(name="Dag Delegate")
    let_speak_for(agency, delegate)
    reference = story.start(outsider, nid="shelfmark", organization="Book Number Agency")
    story.write(outsider, reference, named(FORMAL, "shelfmark"))
    story.send(outsider, reference)

    story.act(delegate, reference, "object", "Object", comment="We know nothing of it.")

    assert "Dag Delegate objected on" in Window().go(f"/requests/{reference}/").text
    assert reference.upper() in Window(standards_body).go("/direction/").text
