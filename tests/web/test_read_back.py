"""A decision is previewed before it is recorded, with what the checklist leaves open."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from registry.actions import remarks
from registry.enums import RemarkWeight, State
from registry.models import Event, Letter, RegistrationRequest, User
from registry.selectors.checklist import list_questions
from tests.web.experts import REASONS, SignIn, address, decision, verbs
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db


def unconfirmed(
    registration_request: RegistrationRequest, verb: str, **changes: object
) -> dict[str, object]:
    posted = decision(registration_request, verb, **changes)
    return {name: posted[name] for name in posted if name not in {"confirmed", "unanswered"}}


def answer_all(registration_request: RegistrationRequest, expert: User) -> None:
    last = registration_request.last_round
    assert last is not None
    remarks.answer_checklist(
        registration_request,
        actor=expert,
        round_number=last.number,
        answers={each.slug: "yes" for each in list_questions(registration_request)},
    )


def test_decision_is_read_back_with_its_letter_and_nothing_has_happened_yet(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    letters, events = Letter.objects.count(), Event.objects.count()

    page = sign_in(expert).post(address(in_review), unconfirmed(in_review, "request_changes"))

    words = text_of(page)
    in_review.refresh_from_db()
    last = in_review.last_round
    assert last is not None
    assert in_review.state == State.IN_REVIEW
    assert (Letter.objects.count(), Event.objects.count()) == (letters, events)
    assert "Ask for changes" in words
    assert REASONS in words
    assert last.sha256 in words
    assert page.context["letters"].count >= 1
    assert REASONS in page.context["letters"].text


def test_letter_read_back_is_the_letter_sent_and_keeps_the_key_of_its_reader(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    page = client.post(address(in_review), unconfirmed(in_review, "request_changes"))

    client.post(address(in_review), decision(in_review, "request_changes"))

    sent = Letter.objects.filter(event=in_review.events.last(), reason="registrant").first()
    assert sent is not None
    shown = page.context["letters"]
    assert sent.subject == shown.subject
    assert sent.text.partition("\n-- \n")[0].strip() == shown.text
    assert "\n-- \n" in sent.text


def test_favourable_decision_names_unanswered_questions_and_needs_a_reason(
    in_review: RegistrationRequest, expert: User, client: Client, sign_in: SignIn
) -> None:
    at, asked = address(in_review), list_questions(in_review)
    browser = sign_in(expert)

    page = browser.post(at, unconfirmed(in_review, "approve"))
    wordless = browser.post(at, decision(in_review, "approve", unanswered=" "))
    before = verbs(in_review)
    browser.post(at, decision(in_review, "approve", unanswered="RFC 9999 answers them."))

    event = in_review.events.last()
    assert event is not None
    assert [each.text for each in asked if each.text not in text_of(page)] == []
    assert error_codes(wordless, "unanswered") == ["required"]
    assert before == ["start", "submit", "assign"]
    assert event.data["unanswered"] == {
        "questions": [each.slug for each in asked],
        "word": "RFC 9999 answers them.",
    }
    assert "Left open:" in text_of(client.get(in_review.get_absolute_url()))
    assert "RFC 9999 answers them." in text_of(client.get(in_review.get_absolute_url()))


def test_reason_is_asked_only_for_a_favourable_decision_with_open_questions(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client, at = sign_in(expert), address(in_review)
    changes = client.post(at, unconfirmed(in_review, "request_changes"))
    answer_all(in_review, expert)

    approval = client.post(at, unconfirmed(in_review, "approve"))
    client.post(at, decision(in_review, "approve", unanswered=""))

    event = in_review.events.last()
    assert event is not None
    assert changes.context["explanations"] == []
    assert "unanswered" not in {each.name for each in approval.context["explanations"]}
    assert (event.verb, event.data.get("unanswered")) == ("approve", None)


def test_change_button_leads_back_with_what_was_typed(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).post(address(in_review), decision(in_review, "decline", change="1"))

    form = page.context["form"]
    assert (form["verb"].value(), form["comment"].value()) == ("decline", REASONS)
    assert verbs(in_review) == ["start", "submit", "assign"]


def test_obstacles_are_shown_before_the_decision_is_read_back(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    remarks.add_remark(
        in_review,
        actor=expert,
        round_number=1,
        section="syntax",
        weight=RemarkWeight.MUST_FIX,
        text="Which zeros count?",
    )

    page = sign_in(expert).post(address(in_review), unconfirmed(in_review, "approve"))

    assert page.templates[0].name == "review/detail.html"
    assert page.context["form"].errors


def test_stale_page_is_refused_before_the_decision_is_read_back(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    stale = unconfirmed(in_review, "approve")
    RegistrationRequest.objects.filter(pk=in_review.pk).update(
        revision=in_review.revision + 1, state_since=timezone.now()
    )

    page = sign_in(expert).post(address(in_review), stale)

    assert page.status_code == 409
    assert REASONS in page.content.decode()


def test_questions_and_findings_are_shown_once_beside_their_section(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(in_review))

    dossier, html = page.context["dossier"], page.content.decode()
    by_page = {part.page.slug: part for part in dossier.parts}
    syntax = html[html.index('id="syntax"') : html.index('id="assignment"')]
    assert sum(len(part.questions) for part in dossier.parts) == len(list_questions(in_review))
    for asked in list_questions(in_review):
        assert html.count(f'id="div_check_{asked.slug}"') == 1
    assert all(
        f'id="div_check_{each.question.slug}"' in syntax for each in by_page["syntax"].questions
    )
    assert by_page["syntax"].questions
    for finding in dossier.findings:
        assert text_of(page).count(finding.message) == 1, finding
