"""Nothing is published in a known body's name without its consent to exactly the last round."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry import workflow
from registry.enums import ChangeKind, LetterReason, ObstacleKind, RequestPath, State, Turn
from registry.models import Letter, Namespace, Organization, RegistrationRequest, User
from registry.models.dates import Dates
from registry.selectors import find_current_turn
from registry.selectors.case import open_case, open_cases
from registry.selectors.consent import (
    describe_author,
    find_missing_consent,
    list_people_who_can_consent,
)
from registry.workflow import drafts
from tests.days import record_days
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    end_speaking_for,
    formal_text,
    let_speak_for,
    start,
)
from tests.refusals import expect_refusal, explain_missing_consent, list_obstacle_kinds
from tests.small_changes import ASKED, bring_second_officer, record_consent, send
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

FACTS = (ChangeKind.CONTACT, ChangeKind.REFERENCE, ChangeKind.TRANSFER, ChangeKind.STATUS)
NEEDS_CONSENT = [ObstacleKind.CONSENT]


@pytest.fixture
def agency(db: None) -> Organization:
    """A known body: it holds a namespace."""
    return OrganizationFactory.create(name="Book Number Agency")


@pytest.fixture
def delegate(agency: Organization) -> User:
    person = UserFactory.create(name="Dag Delegate")
    let_speak_for(agency, person)
    return person


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(nid="isbn", registrant=agency, references=["ISO 2108"])


@pytest.fixture
def press(registrant: User) -> Organization:
    """A body for which somebody speaks who does not speak for the holder."""
    body = OrganizationFactory.create(name="Paper Tiger Press")
    let_speak_for(body, registrant)
    return body


def ask_for_new_namespace(author: User, body: Organization) -> RegistrationRequest:
    asked = start(author, body, formal_text("shelfmark"), RequestPath.COMMUNITY)
    workflow.perform(asked, "submit", actor=author)
    return asked


def approve(asked: RegistrationRequest, expert: User) -> None:
    if not asked.assignments.exists():
        workflow.perform(asked, "assign", actor=expert)
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")


# Changes


@pytest.mark.parametrize("change", FACTS)
def test_change_by_a_stranger_waits_for_somebody_who_speaks_for_the_holder(
    change: ChangeKind,
    namespace: Namespace,
    press: Organization,
    registrant: User,
    delegate: User,
    registrar: User,
) -> None:
    asked = send(namespace, change, registrant, press)
    with expect_refusal("may_be_published"):
        workflow.perform(asked, "register", actor=registrar)
    assert list_obstacle_kinds(asked) == NEEDS_CONSENT

    workflow.perform(asked, "consent", actor=delegate)
    bring_second_officer(asked)
    workflow.perform(asked, "register", actor=registrar)

    assert asked.state == State.REGISTERED


def test_transfer_needs_the_consent_of_both_bodies(
    namespace: Namespace, press: Organization, registrant: User, delegate: User
) -> None:
    asked = send(namespace, ChangeKind.TRANSFER, delegate, press)
    people = list_people_who_can_consent(open_case(asked))
    with expect_refusal("role"):
        workflow.perform(asked, "consent", actor=UserFactory.create())

    workflow.perform(asked, "consent", actor=registrant)

    assert people == [registrant]
    assert explain_missing_consent(asked) == ""


def test_consent_is_for_one_round_and_ends_with_the_next(
    namespace: Namespace, press: Organization, registrant: User, delegate: User, registrar: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, registrant, press)
    workflow.perform(asked, "consent", actor=delegate)
    with expect_refusal("not_consented_before"):
        workflow.perform(asked, "consent", actor=delegate)
    given = explain_missing_consent(asked)

    workflow.perform(asked, "request_changes", actor=registrar, comment="Who?")
    draft = asked.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "mallory@tiger.example"}, seen=draft.edition)
    workflow.perform(asked, "submit", actor=registrant)

    assert given == ""
    assert list_obstacle_kinds(asked) == NEEDS_CONSENT


def test_consent_ends_with_the_part_of_whoever_gave_it(
    namespace: Namespace, agency: Organization, delegate: User, registrar: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, delegate)
    assert explain_missing_consent(asked) == ""

    end_speaking_for(agency, delegate)

    with expect_refusal("may_be_published"):
        workflow.perform(asked, "register", actor=registrar)
    assert list_obstacle_kinds(asked) == NEEDS_CONSENT


def test_membership_of_the_holder_gives_nobody_its_consent(
    namespace: Namespace, agency: Organization
) -> None:
    member = UserFactory.create(organization=agency)

    asked = send(namespace, ChangeKind.CONTACT, member)

    assert list_obstacle_kinds(asked) == NEEDS_CONSENT
    assert list_people_who_can_consent(open_case(asked)) == []


# Bodies that answer without an account


@pytest.mark.parametrize("is_known", [True, False], ids=["holder known", "holder unknown"])
def test_consent_by_letter_is_recorded_by_one_officer_and_confirmed_by_another(
    is_known: bool,
    namespace: Namespace,
    press: Organization,
    registrant: User,
    registrar: User,
    standards_body: User,
) -> None:
    if not is_known:
        namespace.registrant = None
        namespace.save()
    asked = send(namespace, ChangeKind.CONTACT, registrant, press)
    letter = "Letter of 3 May, signed; the archive has it under 2026/17."
    with expect_refusal("reasons_given"):
        workflow.perform(asked, "record_evidence", actor=registrar, about="consent")

    workflow.perform(asked, "record_evidence", actor=registrar, about="consent", comment=letter)
    alone = list_obstacle_kinds(asked)
    with expect_refusal("not_countersigned_before"):
        workflow.perform(asked, "countersign", actor=registrar, comment="I read it.")
    workflow.perform(asked, "countersign", actor=standards_body, comment="I read it.")
    workflow.perform(asked, "register", actor=registrar)

    assert alone == NEEDS_CONSENT
    assert asked.state == State.REGISTERED


def test_evidence_of_consent_is_refused_and_void_where_somebody_can_say_it_themselves(
    namespace: Namespace, press: Organization, agency: Organization, registrant: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, registrant, press)
    record_consent(asked)
    recorded = explain_missing_consent(asked)

    let_speak_for(agency, UserFactory.create())

    assert recorded == ""
    assert list_obstacle_kinds(asked) == NEEDS_CONSENT
    with expect_refusal("evidence_fits"):
        record_consent(asked)


def test_standards_body_consents_where_nobody_speaks_for_the_holder_of_an_rfc(
    namespace: Namespace, press: Organization, registrant: User, standards_body: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, registrant, press)
    with expect_refusal("role"):
        workflow.perform(asked, "consent", actor=standards_body)
    Namespace.objects.filter(pk=namespace.pk).update(references=["RFC 3187"])
    asked = RegistrationRequest.objects.get(pk=asked.pk)

    workflow.perform(asked, "consent", actor=standards_body)

    assert explain_missing_consent(asked) == ""


def test_standards_body_rules_where_the_holder_is_disputed(
    namespace: Namespace, press: Organization, registrant: User, standards_body: User
) -> None:
    asked = send(namespace, ChangeKind.CONTACT, registrant, press)

    workflow.perform(asked, "direct", actor=standards_body, ruling="holder", comment="Minutes, 4")

    assert explain_missing_consent(asked) == ""
    assert asked.state == State.APPROVED


def test_reference_that_an_rfc_changes_waits_and_needs_no_other_consent(
    namespace: Namespace, press: Organization, registrant: User, registrar: User
) -> None:
    asked = send(namespace, ChangeKind.REFERENCE, registrant, press)
    Dates(waiting_days=7, long_waiting_days=28).save()

    def record(rfc: str) -> None:
        workflow.perform(
            asked,
            "record_evidence",
            actor=registrar,
            comment="So it says.",
            about="rfc",
            rfc=rfc,
            section="4",
        )

    with expect_refusal("rfc_and_section"):
        record("a draft")

    record("8254")

    assert list_obstacle_kinds(asked) == [ObstacleKind.WAITING]
    assert asked.events.get(verb="record_evidence").data["rfc"] == "RFC 8254"


# The waiting period


@pytest.mark.parametrize(("signed_in_days_ago", "days"), [(30, 7), (400, 28)])
def test_transfer_waits_from_when_its_letters_have_left(
    signed_in_days_ago: int,
    days: int,
    namespace: Namespace,
    press: Organization,
    registrant: User,
    delegate: User,
) -> None:
    now = timezone.now()
    delegate.speaking.update(confirmed_at=now - datetime.timedelta(400))
    delegate.last_login = now - datetime.timedelta(signed_in_days_ago)
    delegate.save()
    asked = send(namespace, ChangeKind.TRANSFER, registrant, press)
    workflow.perform(asked, "consent", actor=delegate)
    Dates().save()
    unsent = find_missing_consent(open_case(asked))
    Letter.objects.update(sent_at=now)
    record_days(now, now + datetime.timedelta(days + 1))

    def find_obstacles_after(number: float) -> list[ObstacleKind]:
        with time_machine.travel(now + datetime.timedelta(number), tick=False):
            return list_obstacle_kinds(asked)

    assert unsent
    assert unsent.kind == ObstacleKind.WAITING
    assert find_obstacles_after(days - 0.1) == [ObstacleKind.WAITING]
    assert find_obstacles_after(days + 0.1) == []


def test_change_of_contact_does_not_wait(namespace: Namespace, delegate: User) -> None:
    asked = send(namespace, ChangeKind.CONTACT, delegate)
    Dates().save()

    assert list_obstacle_kinds(asked) == []


# New namespaces


def test_new_namespace_in_the_name_of_a_known_body_needs_its_consent(
    namespace: Namespace,
    agency: Organization,
    delegate: User,
    outsider: User,
    expert: User,
    registrar: User,
) -> None:
    asked = ask_for_new_namespace(outsider, agency)
    with expect_refusal("may_be_published"):
        approve(asked, expert)
    missing = find_missing_consent(open_case(asked))
    turn = find_current_turn(asked).turn

    workflow.perform(asked, "consent", actor=delegate)
    approve(asked, expert)
    workflow.perform(asked, "register", actor=registrar)

    assert missing
    assert missing.label == "Asked by Olaf Outsider; not confirmed by Book Number Agency"
    assert turn == Turn.HOLDER
    assert asked.state == State.REGISTERED


def test_new_namespace_under_a_name_like_that_of_a_known_body_needs_its_consent(
    namespace: Namespace, agency: Organization, delegate: User, outsider: User
) -> None:
    asked = ask_for_new_namespace(outsider, OrganizationFactory.create(name="Book Numbers Agency"))

    assert list_obstacle_kinds(asked) == NEEDS_CONSENT
    assert list_people_who_can_consent(open_case(asked)) == [delegate]


def test_bodies_recorded_to_be_two_need_no_consent_of_each_other(
    namespace: Namespace, agency: Organization, delegate: User, outsider: User
) -> None:
    other = OrganizationFactory.create(name="Book Numbers Agency")
    other.evidence = [{"kind": "other_body", "value": str(agency.pk), "source": "Two registers."}]
    other.save()

    asked = ask_for_new_namespace(outsider, other)

    assert list_obstacle_kinds(asked) == []
    told = Letter.objects.filter(recipient=delegate, event__verb="submit")
    assert told.get().reason == LetterReason.NAMESAKE


@pytest.mark.pages
def test_body_recorded_to_be_another_sees_the_request_on_its_page_and_objects(
    namespace: Namespace, agency: Organization, delegate: User, outsider: User, client: Client
) -> None:
    other = OrganizationFactory.create(name="Book Numbers Agency")
    agency.evidence = [{"kind": "other_body", "value": str(other.pk), "source": "Two registers."}]
    agency.save()
    asked = ask_for_new_namespace(outsider, other)

    page = text_of(client.get(f"/organizations/{agency.pk}/"))
    with pytest.raises(workflow.ActionRefused):
        workflow.perform(asked, "object", actor=UserFactory.create(), comment="We exist, too.")
    workflow.perform(asked, "object", actor=delegate, comment="Readers take it for us.")

    assert asked.reference in page
    assert list_obstacle_kinds(asked) == [ObstacleKind.OBJECTION]
    workflow.perform(asked, "object", actor=delegate, comment="We agreed.")
    assert list_obstacle_kinds(asked) == []


def test_speaker_for_a_known_body_consents_by_sending(
    namespace: Namespace, agency: Organization, delegate: User
) -> None:
    asked = ask_for_new_namespace(delegate, agency)

    assert list_obstacle_kinds(asked) == []


def test_new_namespace_of_an_unknown_body_says_who_asks_and_waits_for_nobody(
    organization: Organization, outsider: User
) -> None:
    asked = ask_for_new_namespace(outsider, organization)

    assert list_obstacle_kinds(asked) == []
    assert describe_author(open_case(asked)) == (
        f"Asked by Olaf Outsider, who says they act for {organization}"
    )


@pytest.mark.parametrize("how", ["held", "recognised", "by domain", "by evidence"])
def test_body_is_known_by_what_it_holds_or_officers_recorded_and_not_by_its_own_domain(
    how: str, agency: Organization, press: Organization, registrant: User, outsider: User
) -> None:
    body = OrganizationFactory.create(name="Seed Archive")
    if how == "held":
        person = UserFactory.create()
        let_speak_for(body, person)
        held = NamespaceFactory.create(nid="seeds", registrant=body)
        moved = send(held, ChangeKind.TRANSFER, person, press)
        workflow.perform(moved, "consent", actor=registrant)
        registrar = UserFactory.create(roles=["registrar"])
        bring_second_officer(moved)
        workflow.perform(moved, "register", actor=registrar)
    elif how == "recognised":
        body.recognised_on, body.recognition_source = timezone.localdate(), "Minutes"
        body.save()
    else:
        basis = {"by domain": "dns", "by evidence": "evidence"}[how]
        let_speak_for(body, UserFactory.create())
        body.speakers.update(basis=basis)

    asked = ask_for_new_namespace(outsider, body)

    assert list_obstacle_kinds(asked) == ([] if how == "by domain" else NEEDS_CONSENT)


# Cost


@pytest.mark.whole
def test_open_cases_reads_as_many_rows_with_few_statements_for_many_requests(
    namespace: Namespace,
    press: Organization,
    registrant: User,
) -> None:
    for change in (ChangeKind.TRANSFER, *FACTS):
        send(namespace, change, registrant, press, **ASKED[change])

    def count(number: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            cases = open_cases(RegistrationRequest.objects.order_by("pk")[:number])
            assert all(find_missing_consent(each) for each in cases)
        for each in captured:
            print(each["sql"][:150])
        return len(captured)

    assert count(1) == count(4)
