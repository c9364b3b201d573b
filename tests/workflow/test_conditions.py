"""What prevents a step, before and after its input is known."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from registry import permissions, workflow
from registry.enums import RequestPath, Role
from registry.models import Organization, RegistrationRequest, User
from registry.selectors.publication import explain_missing_recognition
from registry.workflow import VERBS, drafts
from registry.workflow.step import Step
from tests.factories import (
    NamespaceFactory,
    UserFactory,
    let_speak_for,
    start,
)
from tests.template.samples import FORMAL

pytestmark = pytest.mark.django_db


def obstacles(
    verb: str, asked: RegistrationRequest, actor: permissions.Person, **data: Any
) -> tuple[str, str]:
    """Return what prevents a step before its input is known, and what does then."""
    step = Step(asked, actor, "For good reasons.", data)
    transition = VERBS[verb]
    return str(transition.obstacle_before_input(step)), str(transition.obstacle(step))


@pytest.mark.parametrize(
    ("verb", "source", "who", "data", "missing"),
    [
        ("submit", "draft", "registrant", {"edition": 99}, "The draft was changed"),
        ("assign", "in_review", "registrar", {}, "cannot judge this request"),
        ("extend", "in_review", "lead", {}, "Name a day after today"),
    ],
)
def test_missing_input_is_no_obstacle_before_it_is_given(
    verb: str,
    source: str,
    who: str,
    data: dict[str, Any],
    missing: str,
    request: pytest.FixtureRequest,
) -> None:
    asked, actor = request.getfixturevalue(source), request.getfixturevalue(who)

    before, after = obstacles(verb, asked, actor, **data)

    assert (before, missing in after) == ("", True)


@pytest.mark.parametrize(
    ("days", "is_later"), [(None, False), (-1, False), (0, False), (1, True), (30, True)]
)
def test_date_is_put_off_and_never_brought_forward(
    in_review: RegistrationRequest, lead: User, days: int | None, is_later: bool
) -> None:
    promised = in_review.promised_by
    assert promised is not None
    due_on = None if days is None else promised + datetime.timedelta(days)

    _before, after = obstacles("extend", in_review, lead, due_on=due_on)

    assert (after == "") is is_later


@pytest.mark.parametrize(("days", "is_later"), [(-1, False), (0, False), (1, True)])
def test_date_that_is_over_is_put_off_to_a_day_to_come(
    in_review: RegistrationRequest, lead: User, days: int, is_later: bool
) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(100), tick=False):
        due_on = timezone.localdate() + datetime.timedelta(days)

        _before, after = obstacles("extend", in_review, lead, due_on=due_on)

    assert (after == "") is is_later


def test_only_the_lead_and_the_rota_put_somebody_else_on_a_request(
    in_review: RegistrationRequest, expert: User, lead: User, registrar: User
) -> None:
    heir = UserFactory.create(roles=[Role.EXPERT])

    after = {
        str(who): obstacles("assign", in_review, who, expert=heir)[1]
        for who in (lead, permissions.CLOCK, expert, registrar)
    }

    refused = "Only a lead expert can assign somebody else."
    assert list(after.values()) == ["", "", refused, refused]


def test_version_that_is_not_known_is_asked_for_on_the_page_of_publishing(
    registrant: User, registrar: User, organization: Organization
) -> None:
    let_speak_for(organization, registrant)
    revision = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Accessions",
        namespace=NamespaceFactory.create(registrant=organization, last_known_version=""),
    )

    assert obstacles("register", revision, registrar)[0] == ""


def test_missing_recognition_is_an_obstacle_from_the_beginning(
    registrant: User, organization: Organization
) -> None:
    let_speak_for(organization, registrant)
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)

    before, after = obstacles("complete", fast, registrant)

    assert before == after == explain_missing_recognition(fast)
    assert before
