"""The head of a request's page: its stages, and whose turn it is."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from datetime import UTC

import pytest
import time_machine
from django.test import Client

from registry import workflow
from registry.enums import ChangeKind, RequestPath
from registry.models import Organization, RegistrationRequest, User
from registry.presenters.requests import RequestStage
from registry.workflow import drafts
from tests.factories import NamespaceFactory
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

MONDAY = datetime.datetime(2026, 6, 1, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY) as traveller:
        yield traveller


def later(clock: time_machine.Traveller, days: float) -> None:
    clock.shift(datetime.timedelta(days))


def shown(registration_request: RegistrationRequest) -> tuple[list[RequestStage], str]:
    """Return the public stages, and the words of the page."""
    response = Client().get(registration_request.get_absolute_url())
    return response.context["stages"], text_of(response)


def list_notes(stages: list[RequestStage]) -> list[tuple[str, str]]:
    return [(each.name, each.note) for each in stages]


def test_review_says_who_since_when_until_when_and_what_then(
    in_review: RegistrationRequest, clock: time_machine.Traveller
) -> None:
    later(clock, 2)

    stages, words = shown(in_review)

    for words_of_the_turn in (
        "Ede Expert since 1 June (2 days)",
        "act today: Ede Expert",
        "Promised by 29 June",
        "before 8 June",
    ):
        assert words_of_the_turn in words
    assert list_notes(stages)[-2:] == [("Decision", ""), ("Registration", "By the registrar")]
    assert stages[-2].promised == datetime.date(2026, 6, 29)


def test_late_request_says_so_in_words(
    in_review: RegistrationRequest, clock: time_machine.Traveller
) -> None:
    later(clock, 30)

    stages, words = shown(in_review)

    assert "29 June. 2 days late." in words
    assert [each.late for each in stages] == ["", "", "2 days late", ""]


def test_decision_and_registration_have_clocks_of_their_own(
    in_review: RegistrationRequest,
    expert: User,
    registrar: User,
    clock: time_machine.Traveller,
) -> None:
    later(clock, 11)
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    later(clock, 8)
    waiting, words = shown(in_review)
    workflow.perform(in_review, "register", actor=registrar)

    over, _words = shown(in_review)

    assert list_notes(waiting)[-2:] == [
        ("Decision", "Approved after 11 days"),
        ("Registration", "Waiting for the registrar"),
    ]
    assert (waiting[-1].promised, waiting[-1].late) == (datetime.date(2026, 6, 19), "1 day late")
    assert "Alarm: approved 8 days ago" in words
    assert list_notes(over)[-2:] == [("Decision", "Approved after 11 days"), ("Registered", "")]
    assert [each.since and each.since.day for each in over[-2:]] == [12, 20]


def test_page_says_when_a_request_with_the_registrant_expires(
    in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")

    _stages, words = shown(in_review)

    for words_of_the_turn in (
        "the registrant since 1 June",
        "act today: Runa Registrant",
        "before 8 June",
        "before 28 November",
    ):
        assert words_of_the_turn in words
    assert "Promised" not in words


def test_declined_request_waits_for_no_registration(
    in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "decline", actor=expert, comment="Nobody needs it.")

    stages, _words = shown(in_review)

    assert list_notes(stages) == [("Received", ""), ("Round 1", ""), ("Decision", "Declined")]


def test_report_is_with_the_standards_body(
    in_review: RegistrationRequest, expert: User, clock: time_machine.Traveller
) -> None:
    in_review.standards_action = True
    in_review.save()
    workflow.perform(in_review, "report", actor=expert, comment="Sound.")
    later(clock, 29)

    stages, words = shown(in_review)

    assert list_notes(stages)[-2:] == [
        ("Decision", "With the standards body"),
        ("Registration", "By the registrar"),
    ]
    assert stages[-2].late == "1 day late"
    assert "standards body since 1 June (29 days)" in words


def test_change_of_facts_has_no_decision_of_experts(
    registrant: User, organization: Organization
) -> None:
    namespace = NamespaceFactory.create(nid="seedbank", registrant=organization)
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Another address",
        namespace=namespace,
        change=ChangeKind.CONTACT,
    )
    draft = asked.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "Desk, desk@northlight.example"}, seen=draft.edition)
    asked.refresh_from_db()
    workflow.perform(asked, "submit", actor=registrant)

    stages, words = shown(asked)

    assert list_notes(stages) == [
        ("Received", ""),
        ("Round 1", ""),
        ("Registration", "Waiting for the registrar"),
    ]
    assert "checks the proof" in words


def test_ended_request_waits_for_nobody(in_review: RegistrationRequest, registrant: User) -> None:
    workflow.perform(in_review, "withdraw", actor=registrant)

    stages, words = shown(in_review)

    assert "It is closed" in words
    assert "Waiting for" not in words
    assert list_notes(stages) == [("Received", ""), ("Round 1", ""), ("Withdrawn", "")]
