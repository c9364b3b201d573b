"""The checklist of an expert: saved as they go, private, and published with the decision."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from registry import workflow
from registry.enums import RequestPath
from registry.models import ChecklistAnswer, Organization, RegistrationRequest, User
from registry.selectors.checklist import list_questions
from registry.template.checklist import QUESTIONS, find_question
from tests.factories import start
from tests.template.samples import INFORMAL
from tests.web.experts import (
    REASONS,
    SignIn,
    address,
    decision,
    send_second_round,
    verbs,
)
from tests.web.pages import TAG, text_of

pytestmark = pytest.mark.django_db

UNIQUE, PRIVACY = "assignment-unique", "security-described"


def answers(registration_request: RegistrationRequest, **given: str) -> dict[str, object]:
    last = registration_request.last_round
    assert last is not None
    named = {slug.replace("_", "-"): answer for slug, answer in given.items()}
    return {"round_number": last.number, **named}


def kept(expert: User) -> dict[str, str]:
    return dict(ChecklistAnswer.objects.filter(expert=expert).values_list("question", "answer"))


def test_answers_are_kept_as_one_goes_and_come_back(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client, at = sign_in(expert), address(in_review, "checklist")

    client.post(at, answers(in_review, assignment_unique="yes"))
    again = client.post(at, answers(in_review, assignment_unique="no", security_described="unsure"))

    page = client.get(address(in_review))
    assert again.headers["Location"] == f"{address(in_review)}#checklist"
    assert kept(expert) == {UNIQUE: "no", PRIVACY: "unsure"}
    assert page.context["checklist_form"][UNIQUE].value() == "no"
    assert "Checklist 2 of 17" in text_of(page)


def test_script_is_answered_with_the_counts_alone(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    part = sign_in(expert).post(
        address(in_review, "checklist"),
        answers(in_review, assignment_unique="yes"),
        headers={"HX-Request": "true"},
    )

    assert text_of(part) == "1 of 17 1 of 17 Kept."
    assert part.content.decode().count('data-hx-swap-oob="true"') == 3


def test_answers_are_private_until_the_decision_and_public_with_it(
    in_review: RegistrationRequest, expert: User, lead: User, client: Client, sign_in: SignIn
) -> None:
    workflow.perform(in_review, "assign", actor=lead)
    given = answers(in_review, assignment_unique="yes", security_described="unsure")
    sign_in(expert).post(address(in_review, "checklist"), given)
    before = [client.get(in_review.get_absolute_url()), sign_in(lead).get(address(in_review))]

    sign_in(expert).post(address(in_review), decision(in_review, "approve"))

    asked = find_question(UNIQUE)
    assert asked is not None
    event = in_review.events.get(verb="approve")
    public = text_of(client.get(in_review.get_absolute_url()))
    assert "checklist_form" not in before[0].context
    assert before[1].context["checklist"].answers == {}
    assert "Checklist: 2 answers" not in text_of(before[0])
    assert event.data["checklist"] == {UNIQUE: "yes", PRIVACY: "unsure"}
    assert "Checklist: 2 answers" in public
    assert f"{asked.text} Yes ({asked.source})" in public


def test_answers_are_about_one_round(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    client, at = sign_in(expert), address(in_review, "checklist")
    stale = answers(in_review, assignment_unique="yes")
    client.post(at, stale)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    send_second_round(in_review, registrant, "Anyone assigns names.")

    told = client.post(at, {**stale, PRIVACY: "yes"}, follow=True)
    part = client.post(at, stale, headers={"HX-Request": "true"})

    *_earlier, message = told.context["messages"]
    assert message.level_tag == "error"
    assert message.message == part.context["refusal"]
    assert message.message.startswith("Round 2 ")
    assert client.get(address(in_review)).context["checklist"].answers == {}
    assert kept(expert) == {UNIQUE: "yes"}


def test_forged_answers_are_refused_and_strange_questions_ignored(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client, at = sign_in(expert), address(in_review, "checklist")

    pages = [
        client.post(at, answers(in_review, **given), follow=True)
        for given in (
            {"assignment_unique": "perhaps"},
            {"no_such_question": "yes", "revision_differences": "yes"},
        )
    ]

    levels = [[each.level_tag for each in page.context["messages"]] for page in pages]
    assert levels == [["error"], ["success"]]
    assert kept(expert) == {}


@pytest.mark.parametrize("who", ["registrant", "lead", "registrar", "outsider"])
def test_only_experts_on_the_request_answer(
    who: str, in_review: RegistrationRequest, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    response = sign_in(request.getfixturevalue(who)).post(
        address(in_review, "checklist"), answers(in_review, assignment_unique="yes")
    )

    assert response.status_code == 403
    assert not ChecklistAnswer.objects.exists()


def test_answers_are_not_written_into_the_journal(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    client.post(address(in_review, "checklist"), answers(in_review, assignment_unique="yes"))

    assert kept(expert) == {UNIQUE: "yes"}
    assert verbs(in_review) == ["start", "submit", "assign"]


def test_informal_requests_have_no_questions_of_section_5_1(
    in_review: RegistrationRequest, registrant: User, organization: Organization
) -> None:
    informal = start(registrant, organization, INFORMAL, RequestPath.INFORMAL)

    asked = {each.slug for each in list_questions(informal)}

    assert {each.slug for each in list_questions(in_review)} - asked == {
        "identifier-claims-nothing",
        "organization-lasts",
        "organization-competent",
        "purpose-benefit",
        "documentation-stable",
    }
    assert asked < {each.slug for each in QUESTIONS}


def test_unanswered_questions_are_named_in_the_preview_and_do_not_bar_approval(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    before = point_of(client, in_review)
    asked = [each.slug for each in list_questions(in_review)]
    all_but_two = {slug: "yes" for slug in asked if slug not in {UNIQUE, PRIVACY}}
    client.post(address(in_review, "checklist"), {"round_number": 1, **all_but_two})

    after = point_of(client, in_review)

    ((count, links), (count_after, links_after)) = (
        (re.findall(r"\d+", TAG.sub("", each)), re.findall('href="(.*?)"', each))
        for each in (before, after)
    )
    assert (count, links) == (["17"], ["#checklist"])
    assert (count_after, links_after) == (
        ["2"],
        ["#div_check_assignment-unique", "#div_check_security-described"],
    )


def point_of(client: Client, registration_request: RegistrationRequest) -> str:
    """Return the one thing that the page says to consider before approving."""
    page = client.get(address(registration_request))
    assert 'id="div_check_assignment-unique"' in page.content.decode()
    options = dict(page.context["form"].fields["verb"].choices)
    (point,) = options["approve"].points
    return str(point)
