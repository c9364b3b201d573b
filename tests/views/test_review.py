"""The experts' screens: who may see the queue, take a request, and decide on what they read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from registry import rules, workflow
from registry.choices import Path, Role, State
from registry.models import Organization, RegistrationRequest, User
from registry.pages import workload
from registry.workflow import drafting
from tests.conftest import start
from tests.factories import OrganizationFactory, RequestFactory, UserFactory
from tests.template.samples import FORMAL, INFORMAL

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]
REASONS = "Say in Syntax that accession numbers are digits only."


@pytest.fixture
def sent(draft: RegistrationRequest, registrant: User) -> RegistrationRequest:
    """A formal request in review that nobody has taken."""
    workflow.perform(draft, "submit", actor=registrant)
    return draft


def address(registration_request: RegistrationRequest, name: str = "detail") -> str:
    return reverse(f"review:{name}", args=[registration_request.slug])


def decision(
    registration_request: RegistrationRequest, verb: str, **changes: object
) -> dict[str, object]:
    return {
        "seen": registration_request.revision,
        "verb": verb,
        "comment": REASONS,
        **changes,
    }


def send_second_round(registration_request: RegistrationRequest, author: User, text: str) -> None:
    """Change Assignment and send the next round."""
    draft = registration_request.draft
    assert draft is not None
    drafting.save(draft, {"assignment": text}, seen=draft.edition)
    workflow.perform(registration_request, "submit", actor=author)


def make_many(count: int) -> None:
    """Put requests of as many organizations into review, unassigned."""
    for _ in range(count):
        made = RequestFactory.create(state=State.IN_REVIEW)
        made.rounds.update(submitted_at=timezone.now(), sha256="0" * 64)


def verbs(registration_request: RegistrationRequest) -> list[str]:
    return [event.verb for event in registration_request.events.all()]


# The queue


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


# Stakes


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


def give_stake(stake: str, registration_request: RegistrationRequest, person: User) -> None:
    """Make `person` party to the request in one of the four ways."""
    if stake == "author":
        RegistrationRequest.objects.filter(pk=registration_request.pk).update(author=person)
    elif stake == "delegate":
        registration_request.organization.delegates.add(person)
    elif stake == "co_editor":
        registration_request.co_editors.add(person)
    elif stake == "organization":
        person.organization = registration_request.organization
        person.save()
    registration_request.refresh_from_db()


@pytest.mark.parametrize(
    ("stake", "words"),
    [
        ("author", "You started this request"),
        ("delegate", "You are a delegate of the organization"),
        ("co_editor", "You help to write this request."),
        ("organization", "You belong to the organization"),
    ],
)
def test_party_to_a_request_reads_why_they_cannot_judge_it_and_a_forged_post_is_refused(
    stake: str, words: str, in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    give_stake(stake, in_review, expert)
    client = sign_in(expert)

    page = client.get(address(in_review))
    forged = client.post(address(in_review), decision(in_review, "approve"))

    assert words in page.content.decode()
    assert page.context["form"] is None
    assert forged.status_code == 403
    assert words in forged.content.decode()
    assert verbs(in_review) == ["start", "submit", "assign"]


def test_party_to_a_request_cannot_take_it_by_a_forged_post(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    give_stake("delegate", sent, expert)

    response = sign_in(expert).post(address(sent, "take"), {"seen": sent.revision})

    assert response.status_code == 403
    assert not sent.assignments.exists()


# Taking and stepping back


def test_expert_takes_a_request_after_reading_what_that_declares(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    page = client.get(address(sent)).content.decode()

    response = client.post(address(sent, "take"), {"seen": sent.revision}, follow=True)

    assert "You declare that you have no conflict of interest" in page
    assert "Your decision on round 1" not in page
    assert "Your decision on round 1" in response.content.decode()
    assert [each.expert for each in sent.assignments.active()] == [expert]


def test_second_of_two_who_take_from_the_same_page_is_told(
    sent: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    seen = {"seen": sent.revision}
    sign_in(expert).post(address(sent, "take"), seen)

    response = sign_in(lead).post(address(sent, "take"), seen)

    assert response.status_code == 409
    assert address(sent) in response.content.decode()
    assert [each.expert for each in sent.assignments.all()] == [expert]


def test_taking_twice_is_told_and_does_nothing(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    response = client.post(address(in_review, "take"), {"seen": in_review.revision}, follow=True)

    assert "nor on it already" in response.content.decode()
    assert in_review.assignments.count() == 1


def test_expert_steps_back_with_a_reason_and_cannot_return(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    form = {"seen": in_review.revision, "comment": "I advised the federation last year."}

    page = client.post(address(in_review, "recuse"), form, follow=True)

    assignment = in_review.assignments.get()
    assert assignment.recused_at is not None
    assert assignment.reason == "I advised the federation last year."
    assert "You stepped back from this request." in page.content.decode()
    assert (page.context["form"], page.context["row"].may_take) == (None, False)


@pytest.mark.parametrize("name", ["take", "recuse"])
def test_stepping_on_and_off_is_never_done_by_a_link(
    name: str, sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).get(address(sent, name))

    assert response.status_code == 405
    assert verbs(sent) == ["start", "submit"]


def test_post_without_the_revision_seen_takes_nothing(
    sent: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    sign_in(expert).post(address(sent, "take"))

    assert not sent.assignments.exists()


# Reading


def test_first_round_is_read_in_full_with_its_grammar_and_examples(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(in_review))
    text = page.content.decode()

    assert page.context["shows_changes"] is False
    assert "Changes since" not in text
    assert "URNs of this namespace identify accessions" in text
    assert FORMAL.grammar.splitlines()[0].split()[0] in text
    assert all(example.rpartition(":")[2] in text for example in FORMAL.examples)


def test_second_round_is_read_by_its_changes_and_in_full(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    send_second_round(in_review, registrant, "Vaults keep accession numbers for ever.")
    client = sign_in(expert)

    changes, full = client.get(address(in_review)), client.get(address(in_review) + "?view=text")

    dossier = changes.context["dossier"]
    assert [section.field for section in dossier.changes] == ["assignment"]
    assert (dossier.since, dossier.round.number) == ("round 1", 2)
    assert {each["title"] for each in changes.context["rail"] if each["state"] == "changed"} == {
        "Assignment"
    }
    assert "Changes since round 1" in changes.content.decode()
    assert "URNs of this namespace identify accessions" in full.content.decode()
    assert REASONS in changes.content.decode()


def test_markup_in_a_template_is_shown_as_it_was_typed(
    draft: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    text = draft.draft
    assert text is not None
    drafting.save(text, {"purpose": "<script>alert(1)</script> names"}, seen=text.edition)
    draft.refresh_from_db()
    workflow.perform(draft, "submit", actor=registrant)

    page = sign_in(expert).get(address(draft)).content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt; names" in page
    assert "<script>alert" not in page


def test_reference_in_any_case_finds_the_request_and_a_wrong_one_nothing(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    found = client.get(f"/review/{in_review.reference}/")

    assert found.context["registration_request"] == in_review
    assert client.get("/review/r-2026-9999/").status_code == 404


# Deciding


@pytest.mark.parametrize(
    ("verb", "state"),
    [
        ("request_changes", State.CHANGES_REQUESTED),
        ("approve", State.APPROVED),
        ("decline", State.DECLINED),
    ],
)
def test_expert_decides_with_public_reasons(
    verb: str, state: State, in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(address(in_review), decision(in_review, verb), follow=True)

    in_review.refresh_from_db()
    event = in_review.events.last()
    assert event is not None
    assert in_review.state == state
    assert (event.verb, event.actor, event.comment) == (verb, expert, REASONS)
    assert response.redirect_chain == [("/review/", 302)]
    assert f"Recorded for {in_review}: {workflow.VERBS[verb].label}." in response.content.decode()


def test_where_a_standard_is_to_come_of_it_experts_report_and_cannot_approve(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    RegistrationRequest.objects.filter(pk=in_review.pk).update(standards_action=True)
    client = sign_in(expert)

    page = client.get(address(in_review))
    refused = client.post(address(in_review), decision(in_review, "approve"))
    client.post(address(in_review), decision(in_review, "report"))

    in_review.refresh_from_db()
    barred = {
        verb: str(option.barred)
        for verb, option in page.context["form"].fields["verb"].choices
        if option.barred
    }
    assert list(barred) == ["approve"]
    assert "experts report and the standards body decides" in barred["approve"]
    assert "experts report and the standards body decides" in refused.content.decode()
    assert REASONS in refused.content.decode()
    assert in_review.state == State.REPORTED
    assert verbs(in_review)[-1] == "report"


def test_report_is_barred_in_words_where_no_standard_is_anticipated(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(in_review)).content.decode()

    assert "No standards action is anticipated for this request" in page
    assert "Goes to the registrar, who publishes it." in page


def test_fast_track_offers_advice_alone(
    organization: Organization, registrant: User, expert: User, sign_in: SignIn
) -> None:
    organization.recognised_on, organization.recognition_source = timezone.now().date(), "Minutes"
    organization.save()
    fast = start(registrant, organization, FORMAL, Path.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)
    workflow.perform(fast, "assign", actor=expert)
    client = sign_in(expert)

    page = client.get(address(fast))
    client.post(address(fast), decision(fast, "advise"))

    fast.refresh_from_db()
    assert [verb for verb, _ in page.context["form"].fields["verb"].choices] == ["advise"]
    assert (fast.state, verbs(fast)[-1]) == (State.ADVISORY, "advise")


@pytest.mark.parametrize("comment", ["", "   \n"])
def test_decision_without_reasons_is_asked_for_them_beside_the_field(
    comment: str, in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = decision(in_review, "approve", comment=comment)

    response = sign_in(expert).post(address(in_review), form)

    page = response.content.decode()
    assert response.status_code == 200
    assert response.context["form"].errors == {"comment": ["Give your reasons; they are public."]}
    assert page.count("Give your reasons; they are public.") == 2
    assert verbs(in_review)[-1] == "assign"


def test_reasons_without_a_decision_are_kept(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(address(in_review), decision(in_review, ""))

    assert response.context["form"].errors == {"verb": ["Choose what you decide."]}
    assert REASONS in response.content.decode()


@pytest.mark.parametrize("verb", ["register", "withdraw", "assign", "no-such-verb"])
def test_decision_form_takes_decisions_alone(
    verb: str, in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(address(in_review), decision(in_review, verb))

    assert list(response.context["form"].errors) == ["verb"]
    assert verbs(in_review) == ["start", "submit", "assign"]


def test_control_characters_in_reasons_are_placed(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = decision(in_review, "approve", comment="Sound.\nSo\x07und.")

    response = sign_in(expert).post(address(in_review), form)

    assert "There is a control character (U+0007) in line 2" in response.content.decode()
    assert verbs(in_review)[-1] == "assign"


def test_expert_who_has_not_taken_it_is_refused_by_name_of_the_role(
    in_review: RegistrationRequest, lead: User, sign_in: SignIn
) -> None:
    response = sign_in(lead).post(address(in_review), decision(in_review, "approve"))

    assert response.status_code == 403
    assert "Deciding is for an expert who has taken the request." in response.content.decode()
    assert verbs(in_review)[-1] == "assign"


@pytest.mark.parametrize("who", ["registrant", "registrar", "outsider", "administrator"])
def test_forged_decisions_of_others_are_refused(
    who: str, in_review: RegistrationRequest, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    client = sign_in(request.getfixturevalue(who))

    answers = [
        client.post(address(in_review), decision(in_review, "approve")).status_code,
        client.post(address(in_review, "take"), {"seen": in_review.revision}).status_code,
        client.post(address(in_review, "recuse"), {"seen": in_review.revision}).status_code,
    ]

    assert answers == [403, 403, 403]
    assert verbs(in_review) == ["start", "submit", "assign"]


def test_second_of_two_deciders_is_told_and_keeps_the_words(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    workflow.perform(in_review, "assign", actor=lead)
    seen = decision(in_review, "approve")
    sign_in(expert).post(address(in_review), decision(in_review, "decline"))

    response = sign_in(lead).post(address(in_review), seen)

    in_review.refresh_from_db()
    page = response.content.decode()
    assert response.status_code == 409
    assert REASONS in page
    assert address(in_review) in page
    assert in_review.state == State.DECLINED
    assert verbs(in_review)[-1] == "decline"


def test_stale_page_of_an_earlier_round_does_not_decide_on_the_next(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    stale = decision(in_review, "approve")
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    send_second_round(in_review, registrant, "Anyone assigns names.")

    response = sign_in(expert).post(address(in_review), stale)

    in_review.refresh_from_db()
    assert response.status_code == 409
    assert in_review.state == State.IN_REVIEW


def test_double_click_decides_once(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = decision(in_review, "approve")
    client = sign_in(expert)

    answers = [client.post(address(in_review), form) for _ in range(2)]

    assert [answer.headers.get("Location") for answer in answers] == ["/review/", "/review/"]
    assert verbs(in_review).count("approve") == 1


def test_signing_in_again_keeps_reasons_and_choice(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    answer = client.post(address(in_review), decision(in_review, "decline"))
    client.force_login(expert)

    first, second = client.get(address(in_review)), client.get(address(in_review))

    assert answer.status_code == 302
    assert REASONS in first.content.decode()
    assert first.context["form"]["verb"].value() == "decline"
    assert REASONS not in second.content.decode()
    assert verbs(in_review)[-1] == "assign"


def test_below_the_quorum_an_approval_waits_for_another_expert(
    in_review: RegistrationRequest,
    expert: User,
    sign_in: SignIn,
    settings: Settings,
) -> None:
    settings.REGISTRY_QUORUM = 2

    sign_in(expert).post(address(in_review), decision(in_review, "approve"))

    in_review.refresh_from_db()
    row = sign_in(expert).get("/review/").context["rows"][0]
    assert in_review.state == State.IN_REVIEW
    assert row.step == "Approved by you; another expert is to decide"


def test_queue_leads_from_one_of_mine_to_the_next(
    in_review: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    other = start(registrant, OrganizationFactory.create(), INFORMAL, Path.INFORMAL)
    workflow.perform(other, "submit", actor=registrant)
    workflow.perform(other, "assign", actor=expert)
    client = sign_in(expert)

    first, second = client.get(address(in_review)), client.get(address(other))

    assert (first.context["previous"], first.context["following"]) == (None, other.reference)
    assert (second.context["previous"], second.context["following"]) == (in_review.reference, None)


def test_lead_counts_as_an_expert(sent: RegistrationRequest, sign_in: SignIn) -> None:
    both = UserFactory.create(roles=[Role.LEAD])

    sign_in(both).post(address(sent, "take"), {"seen": sent.revision})

    assert [each.expert for each in sent.assignments.all()] == [both]
