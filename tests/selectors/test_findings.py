"""Findings on a text that depend on what is already in the registry."""

from __future__ import annotations

import pytest

from registry import selectors, workflow
from registry.enums import RequestPath
from registry.models import Namespace, Organization, Registration, RegistrationRequest, User
from registry.template import Template
from registry.workflow import drafts
from tests.factories import NamespaceFactory, OrganizationFactory, start
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def checks(registration_request: RegistrationRequest, text: Template) -> set[tuple[str, str]]:
    found = selectors.list_findings(registration_request, text)
    return {(finding.check, finding.section) for finding in found}


def test_section_taken_word_for_word_from_another_namespace_is_pointed_out(
    approved: RegistrationRequest,
    registrar: User,
    registrant: User,
    organization: Organization,
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    own = Template.blank().replace(nid="herbarium", purpose="Names of herbarium sheets. " * 20)
    draft = start(registrant, organization, own, RequestPath.COMMUNITY)

    assert ("text.pasted", "purpose") not in checks(draft, own)
    assert ("text.pasted", "purpose") in checks(draft, own.replace(purpose=FORMAL.purpose))


@pytest.mark.parametrize(
    ("written", "is_told"),
    [
        ("Book Number Agency\nMail: desk@books.example", True),
        ("Registrant: The Book Number Agency, Frostgata 12", True),
        ("Northlight Seed Vault Federation\nBook desk, number 7", False),
        ("BNA\nFrostgata 12", True),
        ("The BNA of the north", False),
    ],
)
def test_registrant_that_names_another_known_body_is_pointed_out(
    written: str, is_told: bool, draft: RegistrationRequest
) -> None:
    text = FORMAL.replace(registrant=written)
    entry = {"kind": "alias", "value": "BNA", "source": "Statutes"}
    agency = OrganizationFactory.create(name="Book Number Agency", evidence=[entry])
    before = checks(draft, text)
    NamespaceFactory.create(registrant=agency)

    told = [
        each.message
        for each in selectors.list_findings(draft, text)
        if each.check == "registrant.other-body"
    ]

    assert ("registrant.other-body", "registrant") not in before, "nobody knows it"
    assert ["Book Number Agency" in each for each in told] == [True] * is_told


def test_revision_may_repeat_what_its_own_namespace_published(
    approved: RegistrationRequest, registrar: User, registrant: User, organization: Organization
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    revision = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=Namespace.objects.get(nid="seedbank"),
    )

    found = {check for check, _section in checks(revision, FORMAL)}

    assert "text.pasted" not in found


def test_revision_is_read_beside_the_version_before_it(
    approved: RegistrationRequest, registrar: User, registrant: User, organization: Organization
) -> None:
    workflow.perform(approved, "register", actor=registrar)
    revision = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=Namespace.objects.get(nid="seedbank"),
    )
    unchanged = FORMAL.replace(revision_information="The syntax has a new part.")

    assert selectors.build_check_context(revision).previous == Registration.objects.get().template
    assert ("revision.same", "revision_information") in checks(revision, unchanged)
