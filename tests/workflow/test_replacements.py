"""What replaces a namespace: part of its status, agreed to by both holders, and never a ring."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from registry import workflow
from registry.enums import ChangeKind
from registry.models import Namespace, User
from registry.selectors.case import open_case
from registry.selectors.consent import find_missing_consent
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.refusals import expect_refusal
from tests.small_changes import begin, bring_second_officer, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def namespaces(registrant: User) -> tuple[Namespace, Namespace]:
    """Two namespaces, for both of whose holders the registrant speaks."""
    bodies = OrganizationFactory.create_batch(2)
    for body in bodies:
        let_speak_for(body, registrant)
    return (
        NamespaceFactory.create(nid="oldseed", registrant=bodies[0]),
        NamespaceFactory.create(nid="newseed", registrant=bodies[1]),
    )


def replace(old: Namespace, new: str, author: User, registrar: User) -> None:
    """Publish that one namespace is replaced by another."""
    sent = send(
        old,
        ChangeKind.STATUS,
        author,
        status="deprecated",
        notice="Use the other.",
        replaced_by=new,
    )
    bring_second_officer(sent)
    workflow.perform(sent, "register", actor=registrar)
    old.refresh_from_db()


@pytest.mark.pages
def test_replacement_is_shown_and_not_redirected_to(
    namespaces: tuple[Namespace, Namespace], registrant: User, registrar: User, client: Client
) -> None:
    old, new = namespaces

    replace(old, "newseed", registrant, registrar)

    page = client.get("/namespaces/oldseed/")
    assert (old.replaced_by, page.status_code) == (new, 200)
    assert 'href="/namespaces/newseed/"' in page.content.decode()
    assert client.get("/api/v1/namespaces/oldseed/").json()["replaced_by"] == "newseed"
    turtle = client.get("/namespaces/oldseed.ttl").getvalue().decode()
    assert re.search(r"dcterms:isReplacedBy <\S*/namespaces/newseed/#namespace>", turtle)


def test_ring_of_replacements_is_refused(
    namespaces: tuple[Namespace, Namespace], registrant: User, registrar: User
) -> None:
    old, new = namespaces
    third = NamespaceFactory.create(nid="midseed", registrant=new.registrant, replaced_by=old)
    Namespace.objects.filter(pk=new.pk).update(replaced_by=third)

    for other, status in (
        ("newseed", "obsolete"),
        ("oldseed", "obsolete"),
        ("unknown", "obsolete"),
        ("midseed", "active"),
    ):
        begun = begin(
            old, ChangeKind.STATUS, registrant, status=status, notice="x", replaced_by=other
        )
        with expect_refusal("nothing_blocks"):
            workflow.perform(begun, "submit", actor=registrant)


def test_replacement_needs_the_consent_of_both_holders(
    namespaces: tuple[Namespace, Namespace], registrant: User
) -> None:
    old, new = namespaces
    assert new.registrant
    end_speaking_for(new.registrant, registrant)
    other = UserFactory.create()
    let_speak_for(new.registrant, other)
    facts = {"status": "deprecated", "notice": "Use the other."}

    plain = send(old, ChangeKind.STATUS, registrant, None, **facts)
    replaced = send(old, ChangeKind.STATUS, registrant, None, **facts, replaced_by="newseed")

    assert find_missing_consent(open_case(plain)) is None
    missing = find_missing_consent(open_case(replaced))
    assert missing
    assert str(new.registrant) in missing.message
    workflow.perform(replaced, "consent", actor=other)
    assert find_missing_consent(open_case(replaced)) is None
