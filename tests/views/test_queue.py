"""The experts' queue: who may see it, what it holds, in what order, and what it says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import rules, workflow
from registry.choices import Path, State
from registry.models import RegistrationRequest, User
from registry.pages import workload
from tests.conftest import start
from tests.factories import OrganizationFactory, RequestFactory
from tests.template.samples import FORMAL
from tests.views.experts import (
    REASONS,
    SignIn,
    address,
    give_stake,
    make_many,
    send_second_round,
)

pytestmark = pytest.mark.django_db


def test_queue_asks_strangers_to_sign_in(client: Client) -> None:
    response = client.get("/review/")

    assert response.headers["Location"] == f"{reverse('account_login')}?next=/review/"


@pytest.mark.parametrize("who", ["registrant", "registrar", "standards_body", "outsider"])
def test_queue_tells_everybody_else_that_it_is_for_experts(
    who: str, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    response = sign_in(request.getfixturevalue(who)).get("/review/")

    assert response.status_code == 403
    assert "Reviewing requests is for designated experts" in response.content.decode()


@pytest.mark.parametrize(
    ("tab", "state", "taken"),
    [
        ("mine", State.IN_REVIEW, True),
        ("mine", State.ADVISORY, True),
        ("unassigned", State.IN_REVIEW, False),
        ("waiting", State.CHANGES_REQUESTED, True),
        ("open", State.APPROVED, False),
        ("decided", State.DECLINED, False),
    ],
)
def test_each_tab_shows_what_it_is_called_after(
    tab: str,
    state: State,
    taken: bool,
    in_review: RegistrationRequest,
    expert: User,
    sign_in: SignIn,
) -> None:
    if not taken:
        in_review.assignments.all().delete()
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state=state)
    client = sign_in(expert)

    pages = {each.key: client.get(f"/review/?tab={each.key}") for each in workload.TABS}

    shown = {key for key, page in pages.items() if page.context["rows"]}
    assert tab in shown
    assert shown <= {"open", "decided", tab}


def test_unsent_drafts_stay_out_of_every_tab(
    draft: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    pages = [client.get(f"/review/?tab={tab.key}").content.decode() for tab in workload.TABS]

    assert not any(draft.reference in page for page in pages)
    assert client.get(address(draft)).status_code == 404


def test_line_says_what_is_next_and_what_the_checks_said(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    first = sign_in(expert).get("/review/").context["rows"][0]
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    send_second_round(in_review, registrant, "Only member vaults assign names, for ever.")

    second = sign_in(expert).get("/review/").context["rows"][0]

    assert (first.step, first.company, first.kind) == ("First reading", "You", "Formal")
    assert (second.step, second.registration_request.rounds_sent) == (
        "Read what changed in round 2",
        2,
    )
    assert first.checks.words in {"All pass", "1 to consider"}


def test_filter_by_words_and_path_narrows_and_an_empty_result_says_so(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    def found(query: str) -> list[str]:
        rows = client.get(f"/review/?{query}").context["rows"]
        return [row.registration_request.reference for row in rows]

    assert found("words=northlight+SEED") == [in_review.reference]
    assert found("path=community") == [in_review.reference]
    assert found("words=glyphs") == found("path=informal") == found("path=revision") == []
    assert "No request here matches" in client.get("/review/?words=glyphs").content.decode()


def test_wrong_filters_are_named_and_leave_the_rest_at_work(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).get("/review/?path=shortcut&sort=%00&tab=nowhere&page=99")

    assert response.status_code == 200
    assert set(response.context["form"].errors) == {"path", "sort"}
    assert len(response.context["rows"]) == 1


def test_due_first_puts_the_late_before_the_rest(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make_many(1)
    late = timezone.now() - timedelta(settings.REGISTRY_DECISION_DAYS + 2)
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state_since=late)

    rows = sign_in(expert).get("/review/?tab=open").context["rows"]

    assert [row.late for row in rows] == ["2 days late", ""]
    assert rows[0].registration_request == in_review


def test_two_live_requests_for_one_nid_are_pointed_out(
    sent: RegistrationRequest, outsider: User, expert: User, sign_in: SignIn
) -> None:
    other = start(outsider, OrganizationFactory.create(), FORMAL, Path.COMMUNITY)
    workflow.perform(other, "submit", actor=outsider)

    page = sign_in(expert).get("/review/?tab=unassigned")

    assert page.context["contended"] == [[sent, other]]
    assert "2 open requests ask for “seedbank”" in page.content.decode()
    assert [row.rivals for row in page.context["rows"]] == [[other], [sent]]


def test_queue_of_thirty_takes_no_more_queries_than_a_queue_of_one(
    lead: User, sign_in: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = sign_in(lead)
    make_many(1)
    with CaptureQueriesContext(connection) as of_one:
        client.get("/review/?tab=unassigned")
    make_many(30)

    with django_assert_num_queries(len(of_one)):
        page = client.get("/review/?tab=unassigned")

    assert len(page.context["rows"]) == 31


def test_what_nobody_has_taken_stands_beside_what_is_mine(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make_many(6)
    alike = RequestFactory.create(state=State.IN_REVIEW, nid="seed-bank")
    near = {"check": "nid.near", "severity": "warn", "message": "Close to “seedbank”."}
    alike.rounds.update(submitted_at=in_review.created_at, sha256="0" * 64, findings=[near])

    page = sign_in(expert).get("/review/")

    untaken = page.context["untaken"]
    assert [row.registration_request for row in page.context["rows"]] == [in_review]
    assert (len(untaken), untaken[0].registration_request) == (5, alike)
    assert untaken[0].checks.words == "1 to consider"
    assert "Close to “seedbank”." in page.content.decode()


@pytest.mark.parametrize("stake", ["author", "delegate", "co_editor", "organization", ""])
def test_stake_agrees_with_the_rule_and_takes_the_buttons_away(
    stake: str, sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    give_stake(stake, sent, expert)

    found = workload.with_stake_of(expert, RegistrationRequest.objects.all()).get()
    row = sign_in(expert).get("/review/?tab=unassigned").context["rows"][0]
    page = sign_in(expert).get(address(sent)).content.decode()

    assert vars(found)["stake"] == stake
    assert bool(stake) is rules.is_party(expert, sent)
    assert row.may_take is not bool(stake)
    assert (address(sent, "take") in page) is not bool(stake)
