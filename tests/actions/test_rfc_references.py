"""A reference changed by a published RFC: announced to the holder, and in effect later."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from registry import scheduler, workflow
from registry.actions import rfc_references
from registry.enums import ChangeKind, State
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.selectors.holder_consent import NOT_IN_EFFECT
from tests.api.clients import JSON, Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_speak_for,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.small_changes import send

pytestmark = pytest.mark.django_db


@pytest.fixture
def agency(db: None) -> Organization:
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    let_speak_for(body, UserFactory.create(email="dag@people.example"))
    return body


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="isbn", registrant=agency, contact="desk@books.example", references=["RFC 3187"]
    )


def enter(namespace: Namespace, actor: User, section: str = "4.1") -> RegistrationRequest:
    return rfc_references.enter_rfc_reference(
        namespace, ["RFC 8254"], "rfc 8254", section, actor=actor
    )


def tick_after(days: float) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(days, minutes=1), tick=False):
        scheduler.tick()


def test_it_takes_effect_by_itself_14_days_after_the_holder_was_told(
    namespace: Namespace, registrar: User
) -> None:
    asked = enter(namespace, registrar)
    told = set(Letter.objects.filter(event__verb="cite_rfc").values_list("address", flat=True))

    tick_after(13)
    namespace.refresh_from_db()
    early = namespace.references
    tick_after(14)

    namespace.refresh_from_db()
    asked.refresh_from_db()
    assert told >= {"dag@people.example", "desk@books.example"}
    assert (early, namespace.references) == (["RFC 3187"], ["RFC 8254"])
    assert asked.state == State.REGISTERED
    data = asked.events.get(verb="cite_rfc").data
    assert (data["rfc"], data["section"]) == ("RFC 8254", "4.1")


def test_objection_of_the_holder_stops_it(
    namespace: Namespace, agency: Organization, registrar: User
) -> None:
    asked = enter(namespace, registrar)
    workflow.perform(
        asked,
        "object",
        actor=User.objects.speaking_for(agency).get(),
        comment="It does not say so.",
    )

    tick_after(60)

    namespace.refresh_from_db()
    assert namespace.references == ["RFC 3187"]


def test_request_of_somebody_else_can_rest_on_an_rfc_too(
    namespace: Namespace, organization: Organization, outsider: User, registrar: User
) -> None:
    asked = send(namespace, ChangeKind.REFERENCE, outsider, organization, references=["RFC 8254"])
    with expect_refusal("rfc_and_section"):
        workflow.perform(asked, "cite_rfc", actor=registrar, rfc="a draft", section="1")

    workflow.perform(asked, "cite_rfc", actor=registrar, rfc="8254", section="4.1")
    with expect_refusal("may_be_published"):
        workflow.perform(asked, "register", actor=registrar)
    assert list_obstacle_labels(asked) == [NOT_IN_EFFECT]
    tick_after(15)

    asked.refresh_from_db()
    assert asked.state == State.REGISTERED


@pytest.mark.parametrize("who", ["outsider", "expert"])
def test_only_the_registrar_enters_it(
    who: str, namespace: Namespace, request: pytest.FixtureRequest
) -> None:
    with expect_refusal("not_registrar"):
        enter(namespace, request.getfixturevalue(who))

    assert not RegistrationRequest.objects.exists()


def test_nothing_is_kept_of_an_entry_without_its_section(
    namespace: Namespace, registrar: User
) -> None:
    with expect_refusal("rfc_and_section"):
        enter(namespace, registrar, section=" ")

    assert not RegistrationRequest.objects.exists()


def test_registrar_of_the_holder_does_not_enter_it(
    namespace: Namespace, agency: Organization, registrar: User
) -> None:
    let_speak_for(agency, registrar)

    with expect_refusal("role"):
        enter(namespace, registrar)


def test_no_other_change_rests_on_an_rfc(
    namespace: Namespace, organization: Organization, outsider: User, registrar: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, outsider, organization)

    with expect_refusal("role"):
        workflow.perform(asked, "cite_rfc", actor=registrar, rfc="8254", section="4.1")


def test_it_is_entered_on_the_page_of_the_namespace_and_by_programs(
    namespace: Namespace, registrar: User, client: Client
) -> None:
    client.force_login(registrar)
    said = {"act": "enter_reference", "rfc": "RFC 8254", "section": "4.1"}

    client.post("/namespaces/isbn/holder/", {**said, "references": "RFC 8254"})
    answer = Program.of(registrar).client.post(
        "/api/v1/namespaces/isbn/holder/", {**said, "references": ["RFC 8254", "RFC 8141"]}, JSON
    )

    assert answer.status_code == 200
    asked = RegistrationRequest.objects.order_by("pk")
    facts = [each.rounds.get().facts["references"] for each in asked]
    assert facts == [["RFC 8254"], ["RFC 8254", "RFC 8141"]]
