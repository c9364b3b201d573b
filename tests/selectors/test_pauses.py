"""While only the holder's consent or recognition is missing, all other deadlines pause."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registry import held_nids, scheduler, selectors, workflow
from registry.actions import recognition
from registry.actions.discussion import add_comment
from registry.enums import ChangeKind, HoldGround, RequestPath, State, Turn
from registry.models import (
    HeldNid,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    Reminder,
    User,
)
from registry.selectors.review_queue import list_requests_for_lead
from registry.workflow import drafts
from registry.workflow.pauses import tick_pauses
from tests.days import let_days_pass
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    UserFactory,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.small_changes import send
from tests.template.samples import FORMAL, REVISION
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(1)
CONTACT = "desk@books.example"
Days = Callable[[int], None]


@pytest.fixture
def days() -> object:
    """Let some days pass, running the scheduler daily."""
    with time_machine.travel(datetime.datetime(2026, 3, 2, 9, tzinfo=datetime.UTC)) as traveller:

        def pass_days(number: int) -> None:
            for _day in range(number):
                let_days_pass(traveller, 1)
                scheduler.tick()

        yield pass_days


@pytest.fixture
def agency(db: None) -> Organization:
    body: Organization = OrganizationFactory.create(name="Book Number Agency")
    let_speak_for(body, UserFactory.create(name="Dag Delegate", email="dag@people.example"))
    return body


@pytest.fixture
def namespace(agency: Organization) -> Namespace:
    return NamespaceFactory.create(
        nid="isbn", registrant=agency, contact=f"Desk, {CONTACT}", last_known_version="1"
    )


def send_revision(
    namespace: Namespace, author: User, organization: Organization
) -> RegistrationRequest:
    asked = drafts.start_request(
        author=author,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Books",
        namespace=namespace,
    )
    draft = asked.draft
    assert draft is not None
    text = REVISION.replace(revision_information="The purpose says more.")
    drafts.save_draft(draft, text.to_dict(), seen=draft.edition)
    workflow.perform(asked, "submit", actor=author)
    return asked


def find_turn(asked: RegistrationRequest) -> selectors.CurrentTurn:
    return selectors.find_current_turn(RegistrationRequest.objects.get(pk=asked.pk))


def list_reminders(asked: RegistrationRequest) -> list[str]:
    found = Reminder.objects.filter(registration_request=asked)
    return list(found.order_by("at", "kind").values_list("kind", flat=True))


@pytest.mark.whole
def test_it_is_the_turn_of_the_holder_and_nobody_is_late(
    days: Days,
    namespace: Namespace,
    outsider: User,
    organization: Organization,
    lead: User,
    expert: User,
    client: Client,
) -> None:
    asked = send_revision(namespace, outsider, organization)
    days(40)

    waiting = find_turn(asked)
    asked.refresh_from_db()
    page = text_of(client.get(f"/requests/{asked.slug}/"))
    assert (waiting.turn, waiting.promised_by, waiting.is_late) == (Turn.HOLDER, None, False)
    assert str(Turn.HOLDER.label) in page
    assert list_reminders(asked) == ["reminder-1", "reminder-2", "reminder-3"]
    assert not asked.assignments.exists(), "nor does the rota put an expert on it"
    told = Letter.objects.filter(event__verb="remind").values_list("address", flat=True)
    assert set(told) >= {"dag@people.example", CONTACT}


@pytest.mark.whole
def test_clock_asks_as_little_of_many_waiting_changes_as_of_few(
    outsider: User, organization: Organization, lead: User
) -> None:
    let_ask_often(outsider)

    def count_statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert tick_pauses(timezone.now()) == {}
        return len(asked)

    def ask_for_changes(*nids: str) -> None:
        for nid in nids:
            body = OrganizationFactory.create()
            let_speak_for(body, UserFactory.create())
            held = NamespaceFactory.create(nid=nid, registrant=body, last_known_version="1")
            send(held, ChangeKind.CONTACT, outsider, organization)

    ask_for_changes("one", "two")
    few = count_statements()
    ask_for_changes("three", "four", "five", "six")

    assert RegistrationRequest.objects.filter(paused_since__isnull=False).count() == 6
    assert count_statements() == few


@pytest.mark.whole
def test_days_of_the_experts_begin_once_the_word_is_there(
    days: Days,
    namespace: Namespace,
    agency: Organization,
    outsider: User,
    organization: Organization,
    expert: User,
) -> None:
    asked = send_revision(namespace, outsider, organization)
    workflow.perform(asked, "assign", actor=expert)
    days(40)
    workflow.perform(asked, "consent", actor=User.objects.speaking_for(agency).get())

    given = timezone.now()
    at_once = find_turn(asked)
    days(5)
    after = find_turn(asked)

    assert (at_once.turn, at_once.is_late) == (Turn.EXPERTS, False)
    assert (after.turn, after.promised_by) == (Turn.EXPERTS, (given + 28 * DAY).date())
    assert list_reminders(asked) == ["reminder-1", "reminder-2", "reminder-3"], (
        "no expert was late meanwhile"
    )
    days(8)
    assert list_reminders(asked)[3:] == ["reminder-1"]


@pytest.mark.whole
def test_objection_stops_the_days_of_the_registrar(
    days: Days, namespace: Namespace, agency: Organization, expert: User, registrar: User
) -> None:
    delegate = User.objects.speaking_for(agency).get()
    other = UserFactory.create(name="Olga Other", email="olga@people.example")
    let_speak_for(agency, other)
    asked = send_revision(namespace, delegate, agency)
    workflow.perform(asked, "assign", actor=expert)
    workflow.perform(asked, "approve", actor=expert, comment="Sound.")
    assert find_turn(asked).turn == Turn.REGISTRAR

    workflow.perform(asked, "object", actor=other, comment="We have not agreed on it.")
    days(13)
    waiting = find_turn(asked)
    workflow.perform(asked, "object", actor=other, comment="We agreed.")
    after = find_turn(asked)

    assert (waiting.turn, waiting.alarm) == (Turn.HOLDER, "")
    assert (after.turn, after.is_late, after.alarm) == (Turn.REGISTRAR, False, "")
    assert list_reminders(asked) == ["reminder-1"]


@pytest.mark.whole
def test_registrar_has_the_turn_where_nobody_is_known(
    days: Days, outsider: User, organization: Organization, registrar: User
) -> None:
    namespace = NamespaceFactory.create(nid="watermill", last_known_version="1")
    asked = send_revision(namespace, outsider, organization)

    days(15)

    assert find_turn(asked).turn == Turn.REGISTRAR
    told = Letter.objects.filter(event__verb="remind").values_list("address", flat=True)
    assert registrar.email in told


def test_standards_body_has_the_turn_while_recognition_is_missing(
    days: Days, outsider: User, organization: Organization, standards_body: User
) -> None:
    let_speak_for(organization, outsider)
    asked = drafts.start_request(
        author=outsider,
        path=RequestPath.FAST_TRACK,
        organization=organization,
        summary="Seeds",
        nid=FORMAL.nid,
    )
    draft = asked.draft
    assert draft is not None
    drafts.save_draft(draft, FORMAL.to_dict(), seen=draft.edition)
    workflow.perform(asked, "submit", actor=outsider)
    recognition.request_recognition(organization, outsider, "A consortium with a process.")
    days(3)
    waiting = find_turn(asked)

    pending = organization.recognitions.get()
    recognition.grant_recognition(
        pending, actor=standards_body, recognised_on=timezone.localdate(), source="Minutes"
    )

    assert asked.state == State.ADVISORY
    assert waiting.turn == Turn.STANDARDS_BODY
    assert find_turn(asked).turn == Turn.BODY


@pytest.mark.pages
def test_list_of_requests_is_filtered_by_the_turn_of_the_holder(
    namespace: Namespace, outsider: User, organization: Organization, client: Client
) -> None:
    asked = send_revision(namespace, outsider, organization)

    by_holder = text_of(client.get("/requests/?turn=holder"))
    by_lead = text_of(client.get("/requests/?turn=lead"))

    assert asked.reference in by_holder
    assert asked.reference not in by_lead


@pytest.mark.whole
def test_no_lead_is_called_while_only_the_word_is_missing(
    days: Days, namespace: Namespace, agency: Organization, outsider: User, lead: User
) -> None:
    asked = send_revision(namespace, outsider, OrganizationFactory.create())
    days(35)
    paused = list_requests_for_lead(lead, RegistrationRequest.objects.all()).exists()

    workflow.perform(asked, "consent", actor=User.objects.speaking_for(agency).get())
    days(1)

    assert not paused
    assert list(list_requests_for_lead(lead, RegistrationRequest.objects.all())) == [asked]


def hold_back(nid: str, registrar: User, days: int = 90) -> HeldNid:
    return held_nids.hold_nid(
        nid=nid,
        actor=registrar,
        ground=HoldGround.COURT,
        reasons="Two vaults are before the court.",
        source="Order 12/2026",
        until=timezone.localdate() + days * DAY,
    )


@pytest.mark.whole
def test_standards_body_has_the_turn_while_the_nid_is_held_back(
    days: Days,
    in_review: RegistrationRequest,
    registrar: User,
    standards_body: User,
    client: Client,
) -> None:
    held = hold_back(in_review.nid, registrar)
    at_once = RegistrationRequest.objects.get(pk=in_review.pk).paused_since
    days(40)

    waiting = find_turn(in_review)
    assert at_once is not None
    assert (waiting.turn, waiting.people) == (Turn.STANDARDS_BODY, (standards_body.name,))
    assert (waiting.promised_by, waiting.is_late) == (None, False)
    assert "review" not in list_reminders(in_review)

    held_nids.end_hold(held, actor=standards_body, ending="The court has decided.")
    after = find_turn(in_review)
    in_review.refresh_from_db()
    held.refresh_from_db()
    assert in_review.paused_since is None
    assert in_review.paused_until is not None
    assert held.ended_at is not None
    assert held.ended_at <= in_review.paused_until
    assert (after.turn, after.is_late) == (Turn.EXPERTS, False)


@pytest.mark.whole
def test_hold_that_ends_on_its_day_lets_the_days_run_again(
    days: Days, in_review: RegistrationRequest, registrar: User, standards_body: User
) -> None:
    hold_back(in_review.nid, registrar, days=10)
    before = find_turn(in_review).turn
    days(12)

    in_review.refresh_from_db()
    assert (before, find_turn(in_review).turn) == (Turn.STANDARDS_BODY, Turn.EXPERTS)
    assert in_review.paused_since is None
    assert in_review.paused_until is not None


@pytest.mark.whole
def test_reminder_of_a_held_nid_leads_to_it(
    days: Days, in_review: RegistrationRequest, registrar: User, standards_body: User
) -> None:
    held = hold_back(in_review.nid, registrar)
    days(15)

    letters = Letter.objects.filter(recipient=standards_body, event__verb="remind")
    assert [held.get_absolute_url() in each.text for each in letters] == [True, True]


def test_name_that_is_broken_too_stays_with_those_who_judge_it(
    days: Days, in_review: RegistrationRequest, registrar: User, standards_body: User
) -> None:
    NamespaceFactory.create(nid=in_review.nid)
    HeldNid.objects.create(
        nid=in_review.nid,
        ground=HoldGround.COURT,
        reasons="Two vaults are before the court.",
        source="Order 12/2026",
        until=timezone.localdate() + 90 * DAY,
        held_by=registrar,
        held_at=timezone.now(),
    )

    assert find_turn(in_review).turn == Turn.EXPERTS


@pytest.mark.whole
def test_review_expires_where_only_the_holders_consent_was_missing_for_half_a_year(
    days: Days, namespace: Namespace, outsider: User, organization: Organization, expert: User
) -> None:
    asked = send_revision(namespace, outsider, organization)
    workflow.perform(asked, "assign", actor=expert)
    days(179)
    add_comment(asked, author=outsider, text="We still want it.", key=uuid.uuid4())
    days(179)
    asked.refresh_from_db()
    before = asked.state

    days(2)

    asked.refresh_from_db()
    assert (before, asked.state) == (State.IN_REVIEW, State.EXPIRED)


@pytest.mark.whole
def test_wait_for_recognition_is_late_and_expires_by_the_same_rule(
    days: Days, registrant: User, organization: Organization, standards_body: User
) -> None:
    recognition.request_recognition(organization, registrant, "A society.")
    asked = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(asked, "submit", actor=registrant)
    days(40)
    waiting = find_turn(asked)
    assert (waiting.turn, waiting.days_late) == (Turn.STANDARDS_BODY, 12)

    days(140)

    asked.refresh_from_db()
    assert asked.state == State.EXPIRED
