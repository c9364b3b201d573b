"""Other names and identifiers of organizations, as officers record them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from registry import search
from registry.enums import EvidenceKind
from registry.models import Event, Letter, Organization, User
from registry.selectors.organizations import find_like_organizations
from tests.factories import NamespaceFactory, OrganizationFactory, UserFactory, let_speak_for
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
ROR = "https://ror.example/0abc"


@pytest.fixture
def holder(organization: Organization) -> Organization:
    """An organization that holds a namespace and has a delegate."""
    NamespaceFactory.create(nid="accession", registrant=organization)
    let_speak_for(organization, UserFactory.create(email="dag@people.example"))
    return organization


def record(browser: Client, body: Organization, kind: str, value: str, **more: str) -> None:
    """Record something of the organization on its page."""
    answer = browser.post(
        f"/organizations/{body.pk}/evidence/",
        {"kind": kind, "value": value, "source": "Statutes of 2009", **more},
    )
    assert answer.status_code == 302, answer.context["form"].errors


def test_alias_of_a_holder_counts_once_a_second_officer_records_the_same(
    client: Client,
    sign_in: SignIn,
    holder: Organization,
    registrar: User,
    standards_body: User,
) -> None:
    first, second = sign_in(registrar), sign_in(standards_body)

    record(first, holder, "alias", "NSV Trust")
    record(first, holder, "alias", "NSV Trust")
    assert find_like_organizations("NSV Trust") == []
    assert "NSV Trust" not in text_of(client.get(holder.get_absolute_url()))

    record(second, holder, "alias", "NSV Trust")
    record(second, holder, "alias", "NSV Trust")
    assert find_like_organizations("the N.S.V. trust") == [holder]
    assert "Alias: NSV Trust" in text_of(client.get(holder.get_absolute_url()))
    assert [event.actor for event in Event.objects.filter(verb="record_organization_evidence")] == [
        registrar,
        standards_body,
    ]
    assert Letter.objects.filter(address="dag@people.example").count() == 2


def test_other_names_and_identifiers_are_shown_and_found_at_all_doors(
    client: Client, sign_in: SignIn, holder: Organization, registrar: User, standards_body: User
) -> None:
    for officer in (registrar, standards_body):
        for kind, value in (("former_name", "Seedhouse"), ("public_id", ROR)):
            record(sign_in(officer), holder, kind, value)

    listed = client.get("/api/v1/organizations/?q=seedhouse").json()["results"]

    assert [(each["former_names"], each["public_ids"]) for each in listed] == [
        (["Seedhouse"], [ROR])
    ]
    assert [*client.get("/organizations/?q=seedhouse").context["page"]] == [holder]
    for ending in ("txt", "ttl", "jsonld", "json", "csv"):
        answer = client.get(f"/organizations/{holder.pk}.{ending}")
        assert b"Seedhouse" in answer.getvalue(), ending
        assert ROR.encode() in answer.getvalue(), ending
    assert "Seedhouse" in search.documents.describe_organization(holder_now(holder), []).names


def holder_now(holder: Organization) -> Organization:
    """Return the organization as it is stored."""
    return Organization.objects.get(pk=holder.pk)


def test_evidence_is_refused_from_others_and_about_names_of_others(
    sign_in: SignIn, holder: Organization, registrar: User, outsider: User
) -> None:
    other = OrganizationFactory.create(name="Westlight Archive")
    NamespaceFactory.create(registrant=other)
    page = f"/organizations/{holder.pk}/evidence/"

    refused = sign_in(outsider).post(page, {"kind": "alias", "value": "NSV", "source": "x"})
    answers = {
        (kind, value): error_codes(
            sign_in(registrar).post(page, {"kind": kind, "value": value, "source": "x"}), "value"
        )
        for kind, value in (
            ("alias", "WESTLIGHT archive"),
            ("public_id", "no address"),
            ("other_body", "Nobody at all"),
            ("other_body", holder.name),
        )
    }
    silent = sign_in(registrar).post(page, {"kind": "alias", "value": "NSV", "source": " "})

    assert refused.status_code == 403
    assert [*answers.values()] == [["other_body"], ["invalid"], ["unknown_body"], ["unknown_body"]]
    assert "source" in silent.context["form"].errors
    assert holder_now(holder).evidence == []


def test_officer_takes_back_what_was_recorded_by_mistake(
    sign_in: SignIn, organization: Organization, registrar: User
) -> None:
    other = OrganizationFactory.create(name=f"{organization.name}s")
    NamespaceFactory.create(registrant=organization)
    browser = sign_in(registrar)
    record_directly(organization, other)

    assert other not in find_like_organizations(organization.name)
    record(browser, organization, "other_body", str(other.pk), withdraw="on")

    assert find_like_organizations(organization.name) == [organization, other]


def record_directly(body: Organization, other: Organization) -> None:
    """Have it on record that two bodies are not the same."""
    body.evidence = [
        {"kind": EvidenceKind.OTHER_BODY, "value": str(other.pk), "source": "Statutes"}
    ]
    body.save()
