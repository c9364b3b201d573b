"""The registrar's page for changes of facts, and sending back what is in review."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import workflow
from registry.enums import (
    ChangeKind,
    ObstacleKind,
    Role,
    State,
)
from registry.models import Namespace, Organization, RegistrationRequest, User
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.small_changes import ASKED, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
NEW_DESK = ASKED[ChangeKind.CONTACT]["contact"]
LETTER = "Letter of 3 May, signed."


@pytest.fixture
def namespace(organization: Organization, registrant: User) -> Namespace:
    let_speak_for(organization, registrant)
    return NamespaceFactory.create(nid="seedbank", registrant=organization, contact="Old desk")


@pytest.fixture
def contact(namespace: Namespace, registrant: User) -> RegistrationRequest:
    """A change of contact that a delegate sent."""
    return send(namespace, ChangeKind.CONTACT, registrant)


@pytest.fixture
def unproved(namespace: Namespace, outsider: User) -> RegistrationRequest:
    """A change of contact sent by somebody without a proof."""
    return send(namespace, ChangeKind.CONTACT, outsider)


def address(registration_request: RegistrationRequest) -> str:
    return reverse("publish:detail", args=[registration_request.slug])


def publishing(registration_request: RegistrationRequest, **changes: object) -> dict[str, object]:
    return {
        "verb": "register",
        "seen": registration_request.revision,
        "confirmation": "seedbank",
        **changes,
    }


def test_page_shows_before_and_after_and_who_stands_behind_it(
    contact: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    page = sign_in(registrar).get(address(contact))

    (difference,) = page.context["asked"].differences
    (backing,) = page.context["asked"].backings
    words = text_of(page)
    assert difference.label == "Contact"
    assert (backing.is_given, list(backing.people)) == (True, [contact.author])
    assert "Runa Registrant" in words
    assert "contact: Old desk" in words
    assert "references" not in page.context["register"].fields


def test_registrar_changes_the_facts_by_typing_the_nid_without_a_new_version(
    contact: RegistrationRequest, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    response = sign_in(registrar).post(address(contact), publishing(contact), follow=True)

    namespace.refresh_from_db()
    contact.refresh_from_db()
    assert (namespace.contact, namespace.registrations.count()) == (NEW_DESK, 0)
    assert contact.state == State.REGISTERED
    assert response.redirect_chain == [("/namespaces/seedbank/", 302)]
    (message,) = response.context["messages"]
    assert message.level_tag == "success"
    assert "urn:seedbank" in message.message


def test_wrong_confirmation_changes_nothing_and_keeps_what_was_typed(
    contact: RegistrationRequest, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    form = publishing(contact, confirmation="seedbnak")

    page = sign_in(registrar).post(address(contact), form)

    assert list(page.context["register"].errors) == ["confirmation"]
    assert Namespace.objects.get().contact == "Old desk"


def test_registrar_cannot_publish_without_the_consent_of_a_known_holder(
    unproved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client = sign_in(registrar)

    page = client.get(address(unproved))
    client.post(address(unproved), publishing(unproved))

    missing = page.context["missing_consent"]
    assert missing.kind == ObstacleKind.CONSENT
    assert missing.message in text_of(page)
    assert 'name="confirmation"' not in page.content.decode()
    assert Namespace.objects.get().contact == "Old desk"


def test_page_leads_to_recording_consent_where_no_holder_is_known(
    unproved: RegistrationRequest, organization: Organization, registrar: User, sign_in: SignIn
) -> None:
    end_speaking_for(organization)
    client, record = sign_in(registrar), f"/requests/{unproved.slug}/act/record_evidence/"
    assert record in client.get(address(unproved)).content.decode()

    form = {"seen": unproved.revision, "about": "consent", "comment": LETTER}
    client.post(record, form)
    unproved.refresh_from_db()
    second = UserFactory.create(roles=["registrar"])
    workflow.perform(unproved, "countersign", actor=second, comment="I read it.")
    page = client.get(address(unproved))
    client.post(address(unproved), publishing(unproved))

    (backing,) = page.context["asked"].backings
    assert [each.actor for each in backing.evidence] == [registrar]
    assert "Rafe Registrar" in text_of(page)
    assert LETTER in text_of(page)
    assert Namespace.objects.get().contact == NEW_DESK


def test_transfer_shows_both_sides_and_the_document(
    namespace: Namespace, registrant: User, registrar: User, sign_in: SignIn
) -> None:
    heir = OrganizationFactory.create(name="Southlight Seed Trust")
    transfer = send(namespace, ChangeKind.TRANSFER, registrant, heir)

    page = sign_in(registrar).get(address(transfer))

    sides = [(each.party.organization, each.is_given) for each in page.context["asked"].backings]
    assert sides == [(namespace.registrant, True), (heir, False)]
    assert [each.label for each in page.context["asked"].differences] == [
        "Registrant",
        "Contact",
        "Document of succession",
    ]
    assert f"/organizations/{heir.pk}/prove/" not in page.content.decode()


def test_registrar_asks_for_changes_where_proof_is_missing(
    unproved: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    form = {
        "verb": "request_changes",
        "seen": unproved.revision,
        "comment": "Nobody vouches for you.",
    }

    response = sign_in(registrar).post(address(unproved), form)

    unproved.refresh_from_db()
    assert response.headers["Location"] == "/publish/"
    assert unproved.state == State.CHANGES_REQUESTED


def test_second_of_two_registrars_is_told_and_what_they_wrote_is_kept(
    contact: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    other = UserFactory.create(roles=[Role.REGISTRAR])
    stale = publishing(contact)
    sign_in(registrar).post(address(contact), publishing(contact))

    response = sign_in(other).post(address(contact), stale)

    assert response.status_code == 409
    assert contact.events.filter(verb="register").count() == 1


def test_double_click_changes_the_facts_once(
    contact: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    client, form = sign_in(registrar), publishing(contact)

    answers = [client.post(address(contact), form) for _click in range(2)]

    assert [answer.headers.get("Location") for answer in answers] == ["/namespaces/seedbank/"] * 2
    assert contact.events.filter(verb="register").count() == 1


def test_facts_that_hold_meanwhile_are_not_published_again(
    contact: RegistrationRequest, namespace: Namespace, registrar: User, sign_in: SignIn
) -> None:
    Namespace.objects.update(contact=NEW_DESK)

    page = sign_in(registrar).get(address(contact))

    assert page.context["asked"].is_blocked
    assert 'name="confirmation"' not in page.content.decode()


@pytest.mark.parametrize("who", ["registrant", "expert", "lead", "standards_body", "outsider"])
def test_nobody_but_the_registrar_publishes_it(
    who: str,
    contact: RegistrationRequest,
    registrar: User,
    request: pytest.FixtureRequest,
    sign_in: SignIn,
) -> None:
    person = request.getfixturevalue(who)

    response = sign_in(person).post(address(contact), publishing(contact))

    assert response.status_code == 403
    assert Namespace.objects.get().contact == "Old desk"


def test_ready_list_names_the_kind_and_what_is_late(
    contact: RegistrationRequest, registrar: User, sign_in: SignIn
) -> None:
    late = timezone.now() - timedelta(8)
    RegistrationRequest.objects.update(state_since=late)
    client = sign_in(registrar)
    (row,) = client.get("/publish/").context["rows"]

    client.post(address(contact), publishing(contact))

    assert (row.kind, row.is_late) == ("Change of contact", True)
    done = client.get("/publish/").context["amended"]
    assert [event.registration_request for event in done] == [contact]
