"""The experts' screens: who may see the queue, take a request, and decide on what they read."""

from __future__ import annotations

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from registry import workflow
from registry.enums import RequestPath, Role, State
from registry.models import Organization, RegistrationRequest, User
from registry.presenters.reviewers import STAKE_REASONS
from registry.workflow import drafts
from tests.factories import OrganizationFactory, UserFactory, start
from tests.template.samples import FORMAL, INFORMAL
from tests.web.experts import (
    REASONS,
    SignIn,
    address,
    decision,
    give_stake,
    send_second_round,
    verbs,
)
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("stake", ["author", "delegate", "co_editor", "organization"])
def test_party_to_a_request_reads_why_they_cannot_judge_it_and_a_forged_post_is_refused(
    stake: str, in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    give_stake(stake, in_review, expert)
    client = sign_in(expert)

    page = client.get(address(in_review))
    forged = client.post(address(in_review), decision(in_review, "approve"))

    reason = str(STAKE_REASONS[stake])
    assert reason in page.content.decode()
    assert page.context["form"] is None
    assert forged.status_code == 403
    assert reason in forged.content.decode()
    assert verbs(in_review) == ["start", "submit", "assign"]


# Reading


def test_first_round_is_read_in_full_with_its_grammar_and_examples(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(in_review))
    text = page.content.decode()

    assert page.context["shows_changes"] is False
    assert "Changes since" not in text
    assert FORMAL.purpose.splitlines()[0] in text
    assert FORMAL.grammar.splitlines()[0].split()[0] in text
    assert all(example.rpartition(":")[2] in text for example in FORMAL.examples)


def test_page_makes_few_queries(
    in_review: RegistrationRequest,
    expert: User,
    sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = sign_in(expert)
    client.get(f"/review/{in_review.slug}/")

    with django_assert_max_num_queries(60):
        client.get(f"/review/{in_review.slug}/")


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
    assert "Changes since" in changes.content.decode()
    assert FORMAL.purpose.splitlines()[0] in full.content.decode()
    assert REASONS in changes.content.decode()


def test_markup_in_a_template_is_shown_as_it_was_typed(
    draft: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"purpose": "<script>alert(1)</script> names"}, seen=text.edition)
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
    response = sign_in(expert).post(address(in_review), decision(in_review, verb))

    in_review.refresh_from_db()
    event = in_review.events.last()
    assert event is not None
    assert in_review.state == state
    assert (event.verb, event.actor, event.comment) == (verb, expert, REASONS)
    assert response["Location"] == "/review/"
    (message,) = get_messages(response.wsgi_request)
    assert str(workflow.VERBS[verb].label) in message.message


def test_standards_action_is_reported_on_and_cannot_be_approved(
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
    assert refused.context["form"].errors
    assert REASONS in refused.content.decode()
    assert in_review.state == State.REPORTED
    assert verbs(in_review)[-1] == "report"


def test_report_is_barred_if_no_standard_is_anticipated(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(in_review))

    options = dict(page.context["form"].fields["verb"].choices)
    assert {verb for verb, option in options.items() if option.barred} == {"report"}
    assert str(options["report"].barred) in text_of(page)


def test_fast_track_offers_advice_alone(
    organization: Organization, registrant: User, expert: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.REGISTRY_COMMENT_SECONDS = 0
    organization.recognised_on, organization.recognition_source = timezone.now().date(), "Minutes"
    organization.save()
    fast = start(registrant, organization, FORMAL, RequestPath.FAST_TRACK)
    workflow.perform(fast, "submit", actor=registrant)
    workflow.perform(fast, "assign", actor=expert)
    client = sign_in(expert)
    write = reverse("requests:comment", args=[fast.slug])

    page = client.get(address(fast))
    client.post(write, {"text": "One name would be enough.", "mark": "advice"})

    fast.refresh_from_db()
    assert page.context["form"] is None
    assert f"{write}?mark=advice" in page.content.decode()
    assert (fast.state, verbs(fast)[-1]) == (State.ADVISORY, "advise")
    assert "Advice of an expert" in text_of(client.get(fast.get_absolute_url()))


@pytest.mark.parametrize("comment", ["", "   \n"])
def test_decision_without_reasons_is_refused_beside_the_field(
    comment: str, in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = decision(in_review, "approve", comment=comment)

    response = sign_in(expert).post(address(in_review), form)

    page = response.content.decode()
    assert response.status_code == 200
    ((name, (error,)),) = response.context["form"].errors.items()
    assert (name, error_codes(response, name)) == ("comment", ["required"])
    assert page.count(error) == 2
    assert verbs(in_review)[-1] == "assign"


def test_reasons_without_a_decision_are_kept(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(address(in_review), decision(in_review, ""))

    assert list(response.context["form"].errors) == ["verb"]
    assert error_codes(response, "verb") == ["required"]
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

    assert error_codes(response, "comment") == ["control_character"]
    assert "(U+0007) in line 2" in response.content.decode()
    assert verbs(in_review)[-1] == "assign"


def test_expert_who_has_not_taken_it_is_refused(
    in_review: RegistrationRequest, sign_in: SignIn
) -> None:
    other = UserFactory.create(roles=[Role.EXPERT])

    response = sign_in(other).post(address(in_review), decision(in_review, "approve"))

    assert response.status_code == 403
    assert "an expert who has taken" in response.content.decode()
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


def test_second_of_two_deciders_is_refused_and_keeps_the_words(
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


@pytest.mark.parametrize("seen", ["9" * 5_000, "9" * 30, "²", "٣", "-1", "x", ""])
def test_revision_that_cannot_be_is_refused(
    in_review: RegistrationRequest, expert: User, lead: User, sign_in: SignIn, seen: str
) -> None:
    forged = decision(in_review, "approve", seen=seen)

    decided = sign_in(expert).post(address(in_review), forged)
    assigned = sign_in(lead).post(f"/review/{in_review.slug}/assign/rota/", {"seen": seen})

    assert decided.status_code in {200, 409}
    assert assigned.status_code in {302, 409}
    assert in_review.events.filter(verb="approve").count() == 0


def test_double_click_decides_once(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    form = decision(in_review, "approve")
    client = sign_in(expert)

    answers = [client.post(address(in_review), form) for _ in range(2)]

    assert [answer.headers.get("Location") for answer in answers] == ["/review/", "/review/"]
    assert verbs(in_review).count("approve") == 1


def test_reasons_and_choice_are_kept_while_signing_in_again(
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


def test_queue_leads_from_one_of_mine_to_the_next(
    in_review: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    other = start(registrant, OrganizationFactory.create(), INFORMAL, RequestPath.INFORMAL)
    workflow.perform(other, "submit", actor=registrant)
    workflow.perform(other, "assign", actor=expert)
    client = sign_in(expert)

    first, second = client.get(address(in_review)), client.get(address(other))

    assert (first.context["previous"], first.context["following"]) == (None, other.reference)
    assert (second.context["previous"], second.context["following"]) == (in_review.reference, None)


# Keeping for later


def test_reasons_kept_for_later_come_back_until_the_decision(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    away = client.post(address(in_review), decision(in_review, "decline", later="1"))
    first, second = client.get(address(in_review)), client.get(address(in_review))
    client.post(address(in_review), decision(in_review, "decline"))

    assert away["Location"] == "/review/"
    for page in (first, second):
        assert page.context["form"]["comment"].value() == REASONS
        assert page.context["form"]["verb"].value() == "decline"
    assert verbs(in_review) == ["start", "submit", "assign", "decline"]
    assert client.session["later"] == {}


def test_reasons_kept_for_later_are_kept_for_each_request(
    in_review: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    other = start(registrant, OrganizationFactory.create(), INFORMAL, RequestPath.INFORMAL)
    workflow.perform(other, "submit", actor=registrant)
    workflow.perform(other, "assign", actor=expert)
    client = sign_in(expert)

    for each, words in ((in_review, "Of the first."), (other, "Of the second.")):
        client.post(address(each), decision(each, "", comment=words, later="1"))

    assert "Of the first." in client.get(address(in_review)).content.decode()
    assert "Of the second." in client.get(address(other)).content.decode()


# Shortcuts


def test_shortcuts_are_there_for_those_who_want_them(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    with_them = client.get(address(in_review)).content.decode()
    expert.has_shortcuts = False
    expert.save()

    without = client.get(address(in_review)).content.decode()

    assert "data-no-shortcuts" not in with_them
    assert "data-no-shortcuts" in without
