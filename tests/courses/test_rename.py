"""Names of bodies: an administrator who takes one, an honest rename, a merge, another's name."""

from __future__ import annotations

import pytest
from django.urls import reverse

from registry import journal
from registry.enums import Role, State
from registry.models import Namespace, Organization, User
from tests.courses.story import Story, deliver, state
from tests.courses.window import Window
from tests.factories import NamespaceFactory, OrganizationFactory, UserFactory, let_speak_for

pytestmark = [pytest.mark.django_db]

NEW_NAME = "World Book Number Office"


@pytest.fixture
def agency(db: None) -> Organization:
    """The holder of two namespaces."""
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    for nid in ("isbn", "ismn"):
        NamespaceFactory.create(nid=nid, registrant=body, contact="Desk, desk@books.example")
    return body


@pytest.fixture
def dag(agency: Organization) -> User:
    """Its delegate."""
    person: User = UserFactory.create(name="Dag Delegate", email="dag@people.example")
    let_speak_for(agency, person)
    return person


@pytest.fixture
def society(db: None) -> Organization:
    """Another body, recognised for the fast track."""
    body: Organization = OrganizationFactory.create(
        name="Page Number Society", recognised_on="2026-01-02", recognition_source="Minutes 3"
    )
    return body


def ask_rename(author: User, name: str) -> str:
    """Write a rename of the holder of isbn, and return its reference."""
    window = Window(author).go("/requests/new/")
    window.press(
        "Continue to the template",
        path="facts",
        namespace="isbn",
        change="rename",
        organization="Book Number Agency",
    )
    window.press("Save", registrant=name, source="Register of associations, 4 January 2026")
    return window.url.split("/")[2]


@pytest.mark.whole
def test_holder_renames_itself_where_an_administrator_cannot(
    story: Story, agency: Organization, dag: User, registrar: User, administrator: User
) -> None:
    admin = Window(administrator).go("/admin/")
    forged = admin.client.post(
        reverse("admin:registry_organization_change", args=[agency.pk]), {"name": "Evil Corp"}
    )
    assert forged.status_code == 403

    reference = ask_rename(dag, NEW_NAME)
    story.send(dag, reference)
    deliver()
    page = Window(registrar).go(f"/publish/{reference}/")
    assert not page.offers("Publish the change")
    second: User = UserFactory.create(name="Sanna Second", roles=[Role.REGISTRAR])
    story.act(second, reference, "countersign", "Confirm as second officer", comment="I read it.")
    assert not Window(registrar).go(f"/publish/{reference}/").offers("Publish the change")
    story.pass_days(8)
    page = Window(registrar).go(f"/publish/{reference}/")
    page.press("Publish the change", confirmation="isbn")

    assert state(reference) == State.REGISTERED, page.text
    for nid in ("isbn", "ismn"):
        assert NEW_NAME in Window().go(f"/namespaces/{nid}/").text
        feed = Window().client.get(f"/namespaces/{nid}.atom").content.decode()
        assert reference.upper() in feed
    assert "Former name: Book Number Agency" in Window().go(f"/organizations/{agency.pk}/").text
    assert str(Namespace.objects.get(nid="ismn").registrant) == NEW_NAME


@pytest.mark.whole
def test_body_without_a_namespace_renames_itself_too(
    story: Story, society: Organization, registrar: User, standards_body: User
) -> None:
    person: User = UserFactory.create(name="Sol Speaker", email="sol@people.example")
    let_speak_for(society, person)
    window = Window(person).go(f"/organizations/{society.pk}/").follow("Ask for another name")
    window.press("Continue to the template")
    window.press("Save", registrant="World Page Society", source="Statutes of 2 January 2026")
    assert "You speak for it: sending the text is its consent." in window.text
    reference = window.url.split("/")[2]
    story.send(person, reference)
    deliver()
    story.act(
        standards_body, reference, "countersign", "Confirm as second officer", comment="I read it."
    )
    page = Window(registrar).go(f"/publish/{reference}/")
    assert not page.offers("Publish the change")
    assert "It can be published from" in page.text
    for place in (
        "requests/",
        "publish/",
        f"requests/{reference}/",
        f"organizations/{society.pk}/",
    ):
        assert "Page Number Society" in Window(registrar).go(f"/{place}").text, place
    for ending in ("json", "xml", "csv", "txt", "atom", "ttl", "jsonld"):
        address = f"/requests/{reference}.{ending}"
        assert Window().client.get(address).status_code == 200, ending
    assert Window().client.get(f"/api/v1/requests/{reference}/").status_code == 200

    story.pass_days(8)
    page = Window(registrar).go(f"/publish/{reference}/")
    page.press("Publish the change", confirmation=reference)

    assert state(reference) == State.REGISTERED, page.text
    text = Window().go(f"/organizations/{society.pk}/").text
    assert "World Page Society" in text
    assert "Former name: Page Number Society" in text
    assert "Recognised on" in text
    history = Window().go(f"/requests/{reference}/").text
    assert "entered the new name of the organization" in history
    assert list(journal.verify()) == []


@pytest.mark.whole
def test_two_bodies_are_not_merged_by_a_name(
    story: Story, agency: Organization, society: Organization, dag: User, administrator: User
) -> None:
    admin = Window(administrator).go("/admin/")
    for body in (agency, society):
        for act in ("change", "delete"):
            address = reverse(f"admin:registry_organization_{act}", args=[body.pk])
            forged = admin.client.post(address, {"name": "Page Number Agency", "post": "yes"})
            assert forged.status_code == 403

    reference = ask_rename(dag, "The Page Number Society")
    page = Window(dag).go(f"/requests/{reference}/send/").press("Send")

    assert state(reference) == State.DRAFT
    assert "can be taken for Page Number Society, another body" in page.text
    assert "ask for a transfer of each" in page.text
    assert {body.name for body in Organization.objects.spoken_for_by(dag)} == {agency.name}
