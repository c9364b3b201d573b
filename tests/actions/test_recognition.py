"""Recognition for the fast track: asked for, answered once, with reasons (RFC 8141, 6.3)."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest

from registry import (
    journal,
    permissions,
    workflow,
)
from registry.actions import recognition
from registry.actions.recognition import RecognitionStatus
from registry.enums import RequestPath, Role
from registry.journal.event_messages import describe_event
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Event, Organization, Recognition, User
from registry.selectors.publication import NOT_RECOGNISED
from tests.factories import (
    UserFactory,
    let_speak_for,
    start,
)
from tests.refusals import expect_refusal, list_obstacle_labels
from tests.template.samples import FORMAL
from tests.workflow.test_at_once import at_once

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 3, 3)
MINUTES = "Minutes of 3 March 2026, item 7"
STATEMENT = "A scientific society, founded 1911."


@pytest.fixture
def asked(organization: Organization, registrant: User) -> Recognition:
    return recognition.request_recognition(organization, registrant, STATEMENT)


def test_asking_is_journaled_with_the_statement(asked: Recognition, registrant: User) -> None:
    event = Event.objects.get()

    assert (event.verb, event.actor, event.comment) == (
        "ask_recognition",
        registrant,
        STATEMENT,
    )
    assert describe_event(event) == "asked that Northlight Seed Vault Federation be recognised"
    status = recognition.find_recognition_status_by_name(" northlight  seed vault FEDERATION ")
    assert status == RecognitionStatus.PENDING


def test_asking_twice_asks_once(
    asked: Recognition, organization: Organization, outsider: User
) -> None:
    again = recognition.request_recognition(organization, outsider, "The same, said by another.")

    assert again == asked
    assert Event.objects.count() == 1


def test_recognising_says_since_when_and_where_it_is_recorded(
    asked: Recognition, organization: Organization, standards_body: User
) -> None:
    event = recognition.grant_recognition(
        asked, actor=standards_body, recognised_on=DAY, source=MINUTES
    )

    organization.refresh_from_db()
    assert (organization.recognised_on, organization.recognition_source) == (DAY, MINUTES)
    assert (event.verb, event.comment) == ("recognise", MINUTES)
    assert event.data["recognised_on"] == "2026-03-03"
    assert recognition.find_recognition_status(organization) == RecognitionStatus.RECOGNISED
    assert not recognition.pending_recognitions().exists()


def test_recognised_organization_has_nothing_to_ask_for(
    asked: Recognition, organization: Organization, standards_body: User, registrant: User
) -> None:
    recognition.grant_recognition(asked, actor=standards_body, recognised_on=DAY, source=MINUTES)

    with expect_refusal("already_recognised"):
        recognition.request_recognition(organization, registrant, "A scientific society.")

    assert Recognition.objects.count() == 1


def test_refusal_gives_reasons_and_another_request_may_follow(
    asked: Recognition, organization: Organization, standards_body: User, registrant: User
) -> None:
    with expect_refusal("no_reasons"):
        recognition.refuse_recognition(asked, actor=standards_body, reasons="  ")
    event = recognition.refuse_recognition(
        asked, actor=standards_body, reasons="No standards body."
    )
    after = recognition.find_recognition_status(organization)

    recognition.request_recognition(organization, registrant, "We have become one since.")

    digest = digest_row(organization)
    assert (event.verb, event.comment) == ("refuse_recognition", "No standards body.")
    assert event.rows == {build_row_key(organization): [digest, digest]}
    assert after == RecognitionStatus.REFUSED
    assert recognition.find_recognition_status(organization) == RecognitionStatus.PENDING


def test_withdraw_recognition_says_why_and_the_body_may_ask_again(
    asked: Recognition, organization: Organization, standards_body: User, registrant: User
) -> None:
    with pytest.raises(workflow.ConcurrentChange):
        recognition.withdraw_recognition(asked, actor=standards_body, reasons="Too early.")
    recognition.grant_recognition(asked, actor=standards_body, recognised_on=DAY, source=MINUTES)
    with pytest.raises(workflow.ActionRefused, match="Only the standards body"):
        recognition.withdraw_recognition(asked, actor=registrant, reasons="We are one no more.")

    event = recognition.withdraw_recognition(
        asked, actor=standards_body, reasons="It closed its process."
    )

    organization.refresh_from_db()
    assert (organization.recognised_on, organization.recognition_source) == (None, "")
    assert (event.verb, event.comment) == ("withdraw_recognition", "It closed its process.")
    assert recognition.find_recognition_status(organization) == RecognitionStatus.REFUSED
    again = recognition.request_recognition(organization, registrant, "It is open again.")
    assert again != asked
    assert list(journal.verify()) == []


@pytest.mark.parametrize("who", ["registrant", "expert", "lead", "registrar", "outsider"])
def test_nobody_but_the_standards_body_answers(
    who: str, asked: Recognition, organization: Organization, request: pytest.FixtureRequest
) -> None:
    person = request.getfixturevalue(who)

    with pytest.raises(workflow.ActionRefused, match="Only the standards body"):
        recognition.grant_recognition(asked, actor=person, recognised_on=DAY, source=MINUTES)

    organization.refresh_from_db()
    assert not organization.is_recognised


@pytest.mark.parametrize("stake", ["delegate", "member", "asked"])
def test_officer_with_a_stake_cannot_grant_the_recognition(
    stake: str, asked: Recognition, organization: Organization, standards_body: User
) -> None:
    if stake == "delegate":
        let_speak_for(organization, standards_body)
    elif stake == "member":
        standards_body.organization = organization
        standards_body.save()
    else:
        asked.asked_by = standards_body

    with pytest.raises(workflow.ActionRefused, match="a stake"):
        recognition.grant_recognition(
            asked, actor=standards_body, recognised_on=DAY, source=MINUTES
        )

    assert permissions.may_recognise(standards_body)
    assert recognition.pending_recognitions().get() == asked


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_once_leave_one_and_the_other_is_told(asked: Recognition) -> None:
    bodies = [UserFactory.create(roles=[Role.STANDARDS_BODY]) for _n in range(2)]
    pages = [recognition.pending_recognitions().get() for _n in range(2)]
    acts: list[Callable[[], object]] = [
        lambda: recognition.grant_recognition(
            pages[0], actor=bodies[0], recognised_on=DAY, source=MINUTES
        ),
        lambda: recognition.refuse_recognition(
            pages[1], actor=bodies[1], reasons="No standards body."
        ),
    ]

    results = at_once(acts)

    assert sum(isinstance(result, workflow.ConcurrentChange) for result in results) == 1
    assert Event.objects.exclude(verb="ask_recognition").count() == 1
    assert list(journal.verify()) == []


def test_pending_recognition_hinders_nothing_but_asking_for_registration(
    asked: Recognition,
    organization: Organization,
    registrant: User,
    expert: User,
    standards_body: User,
) -> None:
    let_speak_for(organization, registrant)
    fast_track = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast_track, "submit", actor=registrant)
    workflow.perform(fast_track, "assign", actor=expert)
    with expect_refusal("may_be_published_once_asked"):
        workflow.perform(fast_track, "complete", actor=registrant, comment="None left out.")
    assert list_obstacle_labels(fast_track) == [NOT_RECOGNISED]

    recognition.grant_recognition(asked, actor=standards_body, recognised_on=DAY, source=MINUTES)
    fast_track.refresh_from_db()
    workflow.perform(fast_track, "complete", actor=registrant, comment="None left out.")

    assert fast_track.state == "approved"
