"""The next version takes the number after the highest known from any source."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from registry import workflow
from registry.enums import RequestPath
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.selectors.publication import explain_low_version, explain_unknown_version
from registry.workflow import drafts
from tests.factories import (
    formal_text,
    let_speak_for,
)
from tests.records import copy_documents, import_from, make_imported_namespace
from tests.refusals import expect_refusal
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def needle(tmp_path: Path, organization: Organization, registrant: User) -> Namespace:
    """A namespace of which two documents say versions 1 and 3, held by the organization."""
    namespace = make_imported_namespace("needle", "RFC9998", "RFC9997")
    namespace.registrant = organization
    namespace.save()
    let_speak_for(organization, registrant)
    import_from(copy_documents(tmp_path))
    return namespace


@pytest.fixture
def approved_revision(
    needle: Namespace, registrant: User, organization: Organization, expert: User
) -> RegistrationRequest:
    """A revision that waits for the registrar."""
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Needles",
        namespace=needle,
    )
    assert asked.draft is not None
    text = formal_text("needle").replace(revision_information="All fields are written anew.")
    drafts.save_draft(asked.draft, text.to_dict(), seen=0)
    workflow.perform(asked, "submit", actor=registrant)
    workflow.perform(asked, "assign", actor=expert)
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")
    return asked


@pytest.mark.parametrize(
    ("facts", "following", "agreed"),
    [("", 4, True), ("3", 4, True), ("5", 6, False), ("2", 4, False)],
)
def test_next_version_comes_after_the_highest_and_texts_and_facts_have_to_agree(
    needle: Namespace, facts: str, following: int, agreed: bool
) -> None:
    needle.last_known_version = facts

    assert needle.next_version == following
    assert (needle.disagreeing_version_sources == []) is agreed


@pytest.mark.pages
def test_registrar_is_asked_and_told_where_sources_disagree(
    needle: Namespace,
    approved_revision: RegistrationRequest,
    registrar: User,
    client: Client,
) -> None:
    Namespace.objects.update(last_known_version="5")
    client.force_login(registrar)

    page = text_of(client.get(f"/publish/{approved_revision.slug}/"))
    with expect_refusal("version_known"):
        workflow.perform(approved_revision, "register", actor=registrar)

    assert explain_unknown_version(Namespace.objects.get(pk=needle.pk)) in page
    assert "RFC 9997 has version 3" in page


@pytest.mark.parametrize(("said", "number"), [("5", 6), ("7", 8)])
def test_number_after_the_highest_is_taken(
    needle: Namespace,
    approved_revision: RegistrationRequest,
    registrar: User,
    said: str,
    number: int,
) -> None:
    Namespace.objects.update(last_known_version="5")
    approved_revision.refresh_from_db()

    workflow.perform(
        approved_revision,
        "register",
        actor=registrar,
        last_version=said,
        last_version_source="A letter of the Guild",
    )

    assert needle.registrations.get().number == number


def test_number_that_a_source_is_beyond_is_refused(
    needle: Namespace, approved_revision: RegistrationRequest, registrar: User
) -> None:
    Namespace.objects.update(last_known_version="5")
    approved_revision.refresh_from_db()

    with expect_refusal("version_known"):
        workflow.perform(
            approved_revision,
            "register",
            actor=registrar,
            last_version="3",
            last_version_source="A letter of the Guild",
        )

    assert not needle.registrations.exists()


def test_low_version_is_told_of_a_known_namespace_and_a_number_alone(needle: Namespace) -> None:
    assert explain_low_version(needle, "2") != ""
    assert explain_low_version(needle, "two") == ""
    assert explain_low_version(None, "2") == ""
