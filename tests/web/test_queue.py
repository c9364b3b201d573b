"""The experts' queue: who may see it, its content and order, and what it says."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registry import permissions, workflow
from registry.actions import conflicts_of_interest, read_markers
from registry.enums import (
    RequestPath,
    Role,
    State,
)
from registry.models import RegistrationRequest, User
from registry.presenters.review_queue import LEAD_CALL_REASONS, QUEUE_TABS
from registry.presenters.reviewers import STAKE_REASONS
from registry.selectors.review_queue import annotate_stake
from tests.factories import OrganizationFactory, RequestFactory, UserFactory, formal_text, start
from tests.template.samples import FORMAL
from tests.web.experts import (
    REASONS,
    SignIn,
    address,
    give_stake,
    make_many,
    send_second_round,
    verbs,
)
from tests.web.pages import text_of

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
    assert "Only designated experts can review requests" in response.content.decode()


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
def test_tabs_show_the_requests_that_they_are_named_after(
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

    pages = {each.key: client.get(f"/review/?tab={each.key}") for each in QUEUE_TABS}

    shown = {key for key, page in pages.items() if page.context["rows"]}
    assert tab in shown
    assert shown <= {"open", "decided", tab}


def test_unsent_drafts_stay_out_of_every_tab(
    draft: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    pages = [client.get(f"/review/?tab={tab.key}").content.decode() for tab in QUEUE_TABS]

    assert not any(draft.reference in page for page in pages)
    assert client.get(address(draft)).status_code == 404


def test_line_says_how_long_ago_the_request_was_first_sent(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    untaken = start(
        registrant, in_review.organization, formal_text("watermill"), RequestPath.COMMUNITY
    )
    workflow.perform(untaken, "submit", actor=registrant)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    with time_machine.travel(timezone.now() + timedelta(3)):
        send_second_round(in_review, registrant, "Only member vaults assign names, for ever.")

        page = sign_in(expert).get("/review/").content.decode()

    assert re.findall(r'data-label="Age">([^<]*)<', page) == ["3 days", "3 days"]


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
    assert 'class="empty"' in client.get("/review/?words=glyphs").content.decode()


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
    late = timezone.now() - timedelta(30)
    RegistrationRequest.objects.filter(pk=in_review.pk).update(state_since=late)

    rows = sign_in(expert).get("/review/?tab=open").context["rows"]

    assert [row.late for row in rows] == ["2 days late", ""]
    assert rows[0].registration_request == in_review


def test_rival_requests_for_one_nid_are_pointed_out(
    sent: RegistrationRequest, outsider: User, expert: User, sign_in: SignIn
) -> None:
    other = start(outsider, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
    workflow.perform(other, "submit", actor=outsider)

    page = sign_in(expert).get("/review/?tab=unassigned")

    assert page.context["contended"] == [[sent, other]]
    assert "2 open requests" in page.content.decode()
    assert [row.rivals for row in page.context["rows"]] == [[other], [sent]]


def test_rival_requests_are_pointed_out_if_one_is_on_the_page(
    in_review: RegistrationRequest, outsider: User, expert: User, sign_in: SignIn
) -> None:
    other = start(outsider, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
    workflow.perform(other, "submit", actor=outsider)
    client = sign_in(expert)

    beside = client.get("/review/?tab=mine").context["contended"]
    elsewhere = client.get("/review/?tab=waiting").context["contended"]

    assert (beside, elsewhere) == ([[in_review, other]], [])


@pytest.mark.parametrize("tab", ["mine", "unassigned", "open", "lead"])
def test_queue_of_fifty_takes_no_more_queries_than_a_queue_of_five(
    tab: str, lead: User, sign_in: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client, queue = sign_in(lead), f"/review/?tab={tab}"
    make_busy(5, lead)
    client.get(queue)
    with CaptureQueriesContext(connection) as of_five:
        before = client.get(queue)
    make_busy(45, lead)

    with django_assert_num_queries(len(of_five)):
        page = client.get(queue)

    assert 0 < len(before.context["rows"]) < 6
    assert len(page.context["rows"]) > 20


def make_busy(count: int, person: User) -> None:
    """Put requests into review, late, every second one with experts on it, seen by `person`."""
    second = UserFactory.create(roles=[Role.EXPERT])
    long_ago = timezone.now() - timedelta(30)
    made = make_many(count)
    for each in made[::2]:
        for expert in (person, second):
            each.assignments.create(expert=expert, assigned_at=long_ago)
        read_markers.mark_request_read(person, each)
    RegistrationRequest.objects.update(state_since=long_ago)


def test_untaken_requests_are_shown_beside_mine(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make_many(6)
    alike = RequestFactory.create(state=State.IN_REVIEW, nid="seed-bank")
    near = {"check": "nid.near", "severity": "warn", "message": "Close to “seedbank”."}
    text = formal_text("seed-bank").to_dict()
    sent = {"submitted_at": in_review.created_at, "sha256": "0" * 64, "findings": [near]}
    alike.rounds.update(**{**text, **sent})

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

    found = annotate_stake(expert, RegistrationRequest.objects.all()).get()
    row = sign_in(expert).get("/review/?tab=unassigned").context["rows"][0]
    page = sign_in(expert).get(address(sent)).content.decode()

    assert vars(found)["stake"] == stake
    assert bool(stake) is permissions.is_party(expert, sent)
    assert row.may_take is not bool(stake)
    assert (address(sent, "take") in page) is not bool(stake)


def test_declared_conflict_takes_the_buttons_away_and_says_why(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    conflicts_of_interest.declare_conflict(expert, sent.organization)

    row = sign_in(expert).get("/review/?tab=unassigned").context["rows"][0]

    assert row.may_take is permissions.may_take(expert, sent) is False
    assert row.step.startswith(str(STAKE_REASONS["conflict"]))


def test_shared_mail_domain_is_named_beside_take(
    sent: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    for person in (expert, registrant):
        person.email = f"{person.pk}@vault.example"
        person.save()

    page = text_of(sign_in(expert).get("/review/"))

    assert re.search(r"Runa Registrant [^.]+ vault\.example", page)


# Turn and age


def test_oldest_of_one_turn_comes_first(expert: User, sign_in: SignIn) -> None:
    younger = make_many(1)[0]
    with time_machine.travel(timezone.now() - timedelta(9)):
        older = make_many(1)[0]

    rows = sign_in(expert).get("/review/?tab=unassigned").context["rows"]

    assert [row.registration_request for row in rows] == [older, younger]


def test_late_request_says_so_in_words(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    days = 30

    with time_machine.travel(in_review.state_since + timedelta(days), tick=False):
        page = text_of(sign_in(expert).get("/review/"))

    assert "2 days late" in page


def test_near_identifiers_of_two_open_requests_are_pointed_out(
    sent: RegistrationRequest, outsider: User, expert: User, sign_in: SignIn
) -> None:
    text = FORMAL.replace(
        **{name: FORMAL[name].replace("seedbank", "seed-bank") for name in FORMAL.to_dict()}
    )
    other = start(outsider, OrganizationFactory.create(), text, RequestPath.COMMUNITY)
    workflow.perform(other, "submit", actor=outsider)

    page = sign_in(expert).get("/review/")

    assert page.context["alike"] == [[other, sent]]
    assert "identifier: urn:seed-bank" in text_of(page)


# Away, and approvals


def test_days_away_of_those_on_it_are_shown(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    today = timezone.localdate()
    expert.absences.create(first_day=today, last_day=today)

    of_others = text_of(sign_in(lead).get("/review/?tab=open"))
    of_oneself = text_of(sign_in(expert).get("/review/"))

    assert "Ede Expert is away" in of_others
    assert "You are away" in of_oneself


# Since the last visit


def test_first_look_at_the_queue_has_no_last_one(expert: User, sign_in: SignIn) -> None:
    page = sign_in(expert).get("/review/")

    expert.refresh_from_db()
    assert page.context["since"] is None
    assert expert.queue_seen_at is not None


def test_news_is_what_others_did_since_the_last_visit_mine_first(
    in_review: RegistrationRequest, expert: User, lead: User, registrant: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    client.get("/review/")
    tomorrow = timezone.now() + timedelta(1)
    with time_machine.travel(tomorrow):
        workflow.perform(in_review, "assign", actor=lead)
        other = start(registrant, OrganizationFactory.create(), FORMAL, RequestPath.COMMUNITY)
        workflow.perform(other, "submit", actor=registrant)
        workflow.perform(other, "assign", actor=expert)
        workflow.perform(other, "recuse", actor=expert)

        client = sign_in(expert)
        page = client.get("/review/")
        again = client.get("/review/?tab=open")

    news = [(each.event.verb, each.registration_request) for each in page.context["since"].news]
    assert news == [("assign", in_review), ("submit", other)]
    assert [each.is_mine for each in page.context["since"].news] == [True, False]
    assert len(again.context["since"].news) == 2
    assert "Lova Lead took" in text_of(page)


def test_news_that_was_shown_is_not_new_after_a_pause(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    client.get("/review/")
    workflow.perform(in_review, "assign", actor=lead)
    pause = timedelta(minutes=50)
    with time_machine.travel(timezone.now() + pause):
        first = client.get("/review/")
    with time_machine.travel(timezone.now() + 2 * pause):
        second = client.get("/review/")

    assert [each.event.verb for each in first.context["since"].news] == ["assign"]
    assert second.context["since"].news == []


def test_news_leads_to_its_place(
    in_review: RegistrationRequest, expert: User, lead: User, registrant: User, sign_in: SignIn
) -> None:
    User.objects.filter(pk=expert.pk).update(queue_seen_at=timezone.now())
    client = sign_in(expert)
    workflow.perform(in_review, "assign", actor=lead)
    workflow.perform(in_review, "request_changes", actor=lead, comment=REASONS)
    send_second_round(in_review, registrant, "Only member vaults assign names.")

    found = client.get("/review/").context["since"].news

    changes = in_review.events.get(verb="request_changes")
    assert [each.url for each in found][:2] == [
        address(in_review),
        f"/requests/{in_review.slug}/history/#e{changes.number}",
    ]
    assert all(client.get(each.url).status_code == 200 for each in found)


def test_line_counts_what_others_did_since_i_looked_at_that_request(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    workflow.perform(in_review, "assign", actor=lead)
    never_seen = client.get("/review/").context["rows"][0].news
    client.get(address(in_review))
    seen = client.get("/review/").context["rows"][0].news
    workflow.perform(in_review, "recuse", actor=lead)

    page = client.get("/review/")

    assert (never_seen, seen, page.context["rows"][0].news) == (0, 0, 1)
    assert "1 new thing" in text_of(page)


# What needs the lead


@pytest.mark.parametrize(
    ("call", "days"), [("untaken", 0), ("stuck", 0), ("late", 30), ("quiet", 15), ("", 0)]
)
def test_lead_has_a_tab_for_what_waits_for_the_lead(
    call: str, days: int, in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    if call == "untaken":
        workflow.perform(in_review, "recuse", actor=expert)
    elif call == "stuck":
        expert.groups.clear()

    with time_machine.travel(timezone.now() + timedelta(days)):
        page = sign_in(lead).get("/review/?tab=lead")

    rows = page.context["rows"]
    assert [row.calls for row in rows] == ([str(LEAD_CALL_REASONS[call])] if call else [])
    assert [each.count for each in page.context["waiting"] if each.key == "review"] == [len(rows)]


def test_lead_lands_where_something_waits(
    sign_in: SignIn, lead: User, draft: RegistrationRequest, registrant: User
) -> None:
    browser = sign_in(lead)
    before = browser.get("/review/").context["tab"].key

    workflow.perform(draft, "submit", actor=registrant)
    after = browser.get("/review/").context["tab"].key
    workflow.perform(draft, "assign", actor=lead)
    with_own = browser.get("/review/").context["tab"].key

    assert (before, after, with_own) == ("mine", "lead", "mine")


def test_tab_of_the_lead_is_for_the_lead_alone(
    sent: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    def titles(person: User) -> list[str]:
        tabs = sign_in(person).get("/review/?tab=lead").context["tabs"]
        return [str(each["title"]) for each in tabs]

    assert "For the lead" in titles(lead)
    assert "For the lead" not in titles(expert)


def test_extension_quiets_the_call(
    in_review: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    with time_machine.travel(timezone.now() + timedelta(30)):
        late = sign_in(lead).get("/review/?tab=lead").context["rows"]
        due_on = timezone.localdate() + timedelta(7)
        workflow.perform(in_review, "extend", actor=lead, comment="Summer.", due_on=due_on)

        rows = sign_in(lead).get("/review/?tab=lead").context["rows"]

    assert [row.late for row in late] == ["2 days late"]
    assert rows == []


def test_party_who_leads_is_offered_nothing_to_lead(
    sent: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    give_stake("organization", sent, lead)

    page = sign_in(lead).get("/review/?tab=lead")

    row = page.context["rows"][0]
    assert (row.may_lead, row.calls) == (False, "")
    assert address(sent, "assign") not in page.content.decode()
    assert verbs(sent) == ["start", "submit"]
