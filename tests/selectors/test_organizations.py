"""Which organizations are public: those of submitted requests, and registrants."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry import journal, selectors, workflow
from registry.actions import recognition
from registry.enums import ChangeKind
from registry.exchange import seed
from registry.exchange.backup import BackupExtent
from registry.exchange.exports import refresh_exports
from registry.forms.review import ConflictOfInterestForm
from registry.models import Organization, RegistrationRequest, User
from registry.selectors.organizations import find_like_organizations, list_recorded_others
from tests.exchange.backup.conftest import octets
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    let_speak_for,
)
from tests.small_changes import bring_second_officer, send

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]

LISTS = (
    "/organizations/",
    "/organizations/?q=Northlight",
    "/organizations.json",
    "/organizations.xml",
    "/organizations.csv",
    "/organizations.txt",
    "/api/v1/organizations/",
    "/api/v1/organizations/?q=Northlight",
    "/api/v1/recognitions/",
    "/api/v1/events/",
    "/exports/registry-dump.jsonl",
)
PAGES = ("/organizations/{}/", "/api/v1/organizations/{}/")
PAGES_FOR_PEOPLE = (*PAGES, "/organizations/{}/prove/", "/organizations/{}/delegates/")
ACTS_FOR_PEOPLE = ("/organizations/{}/delegates/", "/organizations/{}/prove/")


@pytest.fixture
def in_draft(
    draft: RegistrationRequest, organization: Organization, registrant: User
) -> Organization:
    """An organization named only in a draft, with a request for recognition."""
    recognition.request_recognition(organization, registrant, "A society.")
    return organization


def who_names_it(browser: Client) -> set[str]:
    """Return the lists that name the organization of the draft."""
    refresh_exports(at_once=True)
    answers = {path: browser.get(path) for path in LISTS}
    assert {each.status_code for each in answers.values()} == {200}
    name = b"Northlight Seed Vault"
    return {path for path, each in answers.items() if name in each.getvalue()}


@pytest.mark.whole
def test_organization_that_drafts_alone_name_is_at_no_door(
    client: Client, in_draft: Organization, sign_in: SignIn, outsider: User, registrar: User
) -> None:
    for browser in (client, sign_in(outsider), sign_in(registrar)):
        assert who_names_it(browser) == set()
        answers = [browser.get(page.format(in_draft.pk)) for page in PAGES]
        assert [each.status_code for each in answers] == [404, 404]
    for page in PAGES_FOR_PEOPLE:
        answer = sign_in(outsider).get(page.format(in_draft.pk))
        assert answer.status_code == 404
        assert b"Northlight" not in answer.content
    for page in ACTS_FOR_PEOPLE:
        assert sign_in(outsider).post(page.format(in_draft.pk)).status_code == 404
    assert b"Northlight" not in octets(BackupExtent.PUBLIC)


@pytest.mark.pages
def test_organization_is_at_every_door_once_a_request_is_sent(
    client: Client, draft: RegistrationRequest, in_draft: Organization, registrant: User
) -> None:
    workflow.perform(draft, "submit", actor=registrant)

    assert who_names_it(client) == set(LISTS)
    assert [client.get(page.format(in_draft.pk)).status_code for page in PAGES] == [200, 200]


@pytest.mark.pages
def test_drafts_organization_is_seen_by_writers_and_officers(
    sign_in: SignIn,
    draft: RegistrationRequest,
    in_draft: Organization,
    registrant: User,
    outsider: User,
    standards_body: User,
    administrator: User,
) -> None:
    draft.co_editors.add(outsider)

    for person in (registrant, outsider, standards_body, administrator):
        answers = [sign_in(person).get(page.format(in_draft.pk)) for page in PAGES]
        assert [each.status_code for each in answers] == [200, 200]


def test_expert_declares_conflicts_with_organizations_that_they_may_know_of(
    draft: RegistrationRequest, organization: Organization, registrant: User, expert: User
) -> None:
    typed = {"organization": organization.pk}
    assert not ConflictOfInterestForm(typed, expert=expert).is_valid()

    workflow.perform(draft, "submit", actor=registrant)

    assert ConflictOfInterestForm(typed, expert=expert).is_valid()


@pytest.mark.pages
@pytest.mark.parametrize("answer", [True, False])
def test_organization_that_was_answered_is_public(
    client: Client, in_draft: Organization, standards_body: User, answer: bool
) -> None:
    asked = in_draft.recognitions.get()
    if answer:
        day, source = asked.asked_at.date(), "Minutes"
        recognition.grant_recognition(asked, actor=standards_body, recognised_on=day, source=source)
    else:
        recognition.refuse_recognition(asked, actor=standards_body, reasons="Not one.")

    assert who_names_it(client) == set(LISTS)


def test_registrant_is_public_and_one_that_was(
    organization: Organization, registrant: User, registrar: User
) -> None:
    let_speak_for(organization, registrant)
    namespace = NamespaceFactory.create(nid="seedbank", registrant=organization)
    heir = OrganizationFactory.create(name="Southlight Seed Trust")
    let_speak_for(heir, registrant)
    transfer = send(namespace, ChangeKind.TRANSFER, registrant, heir)
    bring_second_officer(transfer)
    workflow.perform(transfer, "register", actor=registrar)
    NamespaceFactory.create(registrant=OrganizationFactory.create(name="Holder"))
    OrganizationFactory.create(name="Nobody's")

    names = set(selectors.public_organizations().values_list("name", flat=True))

    assert names == {"Holder", heir.name, organization.name}


def test_find_like_organizations_begins_with_the_nearest_of_any_name() -> None:
    like = OrganizationFactory.create(name="ISNI International Agency")
    renamed = OrganizationFactory.create(
        name="Culture Registry",
        evidence=[{"kind": "former_name", "value": "ISAN International Agency", "source": "RFC"}],
    )
    own = OrganizationFactory.create(name="The Isan International Agency")
    OrganizationFactory.create(name="Northlight Library")

    assert find_like_organizations("The ISAN International Agency") == [own, renamed, like]


def test_find_like_organizations_leaves_out_those_recorded_as_two_once_confirmed() -> None:
    isan = OrganizationFactory.create(name="ISAN International Agency")
    isni = OrganizationFactory.create(name="ISNI International Agency")
    entry = {"kind": "other_body", "value": str(isni.pk), "source": "RFC 8254"}

    isan.evidence = [entry | {"recorded_by": 1}]
    isan.save()
    assert find_like_organizations(isni.name) == [isni, isan]

    isan.evidence = [entry]
    isan.save()
    assert find_like_organizations(isni.name) == [isni]
    assert find_like_organizations(isan.name) == [isan]
    assert find_like_organizations("ISAN Internatlonal Agency") == [isan, isni]
    assert list_recorded_others(isni) == [isan]


@pytest.mark.whole
def test_find_like_organizations_keeps_shipped_registrants_with_like_names_apart() -> None:
    seed.load_namespaces(seed.read_namespaces())

    for name in ("ISAN International Agency", "International ISBN Agency"):
        assert [each.name for each in find_like_organizations(name)] == [name]
    assert list(journal.verify()) == []
