"""How working screens save people time: where they land, what comes first, and counts."""

from __future__ import annotations

import datetime
import uuid

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from registry import workflow
from registry.actions import discussion, remarks
from registry.enums import RemarkWeight, State
from registry.models import DismissedFinding, RegistrationRequest, User
from registry.workflow import drafts
from tests.factories import PASSWORD
from tests.sign_in import make_totp_code
from tests.web.experts import REASONS, SignIn, address
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db


def land(client: Client, person: User) -> str:
    """Sign in without a target page, and return where that leads."""
    answer = client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    if person.has_second_factor:
        assert answer.headers["Location"] == reverse("mfa_authenticate")
        answer = client.post(reverse("mfa_authenticate"), {"code": make_totp_code()})
    assert answer.status_code == 302, text_of(answer)
    return answer.headers["Location"]


def edit(registration_request: RegistrationRequest, section: str) -> str:
    return reverse("requests:edit", args=[registration_request.slug, section])


def remark(
    registration_request: RegistrationRequest, expert: User, section: str, weight: RemarkWeight
) -> None:
    last = registration_request.last_round
    assert last is not None
    remarks.add_remark(
        registration_request,
        actor=expert,
        round_number=last.number,
        section=section,
        weight=weight,
        text="Which zeros count?",
    )


# Landing


@pytest.mark.parametrize(
    ("who", "where"),
    [("expert", "/review/"), ("registrar", "/publish/"), ("standards_body", "/direction/")],
)
def test_sign_in_leads_people_with_an_office_to_its_screen(
    who: str, where: str, client: Client, request: pytest.FixtureRequest
) -> None:
    assert land(client, request.getfixturevalue(who)) == where


def test_sign_in_leads_people_without_an_office_to_their_requests(
    client: Client, outsider: User
) -> None:
    assert land(client, outsider) == "/account/requests/"


def test_sign_in_leads_to_where_something_waits(
    draft: RegistrationRequest, client: Client, registrar: User
) -> None:
    RegistrationRequest.objects.filter(pk=draft.pk).update(author=registrar)

    assert land(client, registrar) == "/account/requests/"


# The editor


def test_section_that_nobody_started_shows_no_findings(
    draft: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"purpose": "", "assignment": ""}, seen=text.edition)
    browser = sign_in(registrant)

    untouched = browser.get(edit(draft, "purpose"))
    begun = browser.post(
        edit(draft, "purpose"),
        {"purpose": "TBD", "seen": "1-0000000000000000"},
        headers={"HX-Request": "true"},
    )

    assert "Nothing is written" in text_of(untouched)
    assert untouched.context["findings"] == []
    assert untouched.context["elsewhere"] == 0
    assert begun.context["findings"]
    assert "Nothing is written" not in text_of(begun)


def test_result_of_the_rule_is_right_under_the_rule(
    draft: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    html = sign_in(registrant).get(edit(draft, "syntax")).content.decode()

    rule, result = html.index('id="id_grammar"'), html.index('id="bench-result"')
    assert rule < result < html.index('id="id_examples"')
    assert html.count('id="bench-result"') == 1


def test_finding_is_dismissed_once_with_a_reason_and_stays_dismissed(
    draft: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"purpose": "TBD"}, seen=text.edition)
    browser, page = sign_in(registrant), edit(draft, "purpose")
    finding = next(
        each for each in browser.get(page).context["findings"] if each.severity != "block"
    )
    at = f"/requests/{draft.slug}/note/?check={finding.check}&section={finding.section}"

    wordless, reason = browser.post(at, {"word": " "}), "The standard says the rest."
    browser.post(at, {"word": reason})
    after = browser.get(page)
    text.refresh_from_db()
    drafts.save_draft(text, {"purpose": "TBD, again."}, seen=text.edition)
    later, sending = browser.get(page), browser.get(f"/requests/{draft.slug}/send/")

    assert error_codes(wordless, "word") == ["required"]
    for shown in (after, later):
        assert finding.check not in {each.check for each in shown.context["findings"]}
        assert reason in text_of(shown)
    assert finding.check not in {
        each.finding.check for each in sending.context["findings"].to_consider
    }
    dismissed = DismissedFinding.objects.get()
    browser.post(f"/requests/{draft.slug}/note/{dismissed.pk}/again/")
    assert finding.check in {each.check for each in browser.get(page).context["findings"]}


def test_dismissed_findings_are_shown_to_experts_with_their_reasons(
    draft: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    text = draft.draft
    assert text is not None
    drafts.save_draft(
        text, {"purpose": text.template.purpose + "\n\nTODO: say more."}, seen=text.edition
    )
    browser, reason = sign_in(registrant), "It is a title."
    finding = next(
        each
        for each in browser.get(edit(draft, "purpose")).context["findings"]
        if each.severity != "block"
    )
    browser.post(
        f"/requests/{draft.slug}/note/?check={finding.check}&section={finding.section}",
        {"word": reason},
    )
    draft.refresh_from_db()
    workflow.perform(draft, "submit", actor=registrant)

    words = text_of(sign_in(expert).get(address(draft)))

    assert f"{registrant}: {reason}" in words
    # Once as dismissed, and once for what it still prevents: publishing the text.
    assert words.count(finding.message) == 2


def test_dismissal_is_for_writers_and_for_what_need_not_be_fixed(
    draft: RegistrationRequest, registrant: User, outsider: User, sign_in: SignIn
) -> None:
    text = draft.draft
    assert text is not None
    drafts.save_draft(text, {"nid": "x-y"}, seen=text.edition)
    browser = sign_in(registrant)
    hard = next(
        each
        for each in browser.get(edit(draft, "identifier")).context["findings"]
        if each.severity == "block"
    )
    at = f"/requests/{draft.slug}/note/?check={hard.check}&section={hard.section}"

    refused = browser.post(at, {"word": "I like it."})

    assert refused.context["form"].non_field_errors()
    assert sign_in(outsider).post(at, {"word": "No."}).status_code == 404
    assert not DismissedFinding.objects.exists()


def test_edit_opens_the_remark_that_must_be_fixed_first(
    in_review: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    remark(in_review, expert, "purpose", RemarkWeight.ADVICE)
    remark(in_review, expert, "syntax", RemarkWeight.MUST_FIX)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    browser, to_syntax = sign_in(registrant), f"{edit(in_review, 'syntax')}#m2"

    page = browser.get(in_review.get_absolute_url())
    mine = browser.get("/account/requests/")

    assert next(step.url for step in page.context["steps"] if step.is_main) == to_syntax
    assert to_syntax in mine.content.decode()


def test_remarks_are_answered_from_the_public_page_by_those_who_write(
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    remark(in_review, expert, "syntax", RemarkWeight.QUESTION)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    link = f'href="{edit(in_review, "syntax")}#m1"'
    page = in_review.get_absolute_url()

    assert "Answer remark 1" in text_of(sign_in(registrant).get(page))
    assert link in sign_in(registrant).get(page).content.decode()
    assert "Answer remark 1" not in text_of(client.get(page))


def test_withdraw_is_offered_in_lighter_type_than_what_leads_on(
    draft: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    page = sign_in(registrant).get(draft.get_absolute_url())

    light = {str(step.label): step.is_light for step in page.context["steps"]}
    assert (light["Send"], light["Withdraw"]) == (False, True)
    assert f'<li class="cluster"><a href="/requests/{draft.slug}/act/withdraw/">' in (
        page.content.decode()
    )


def test_remark_begun_by_mistake_is_cancelled(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(in_review, "remark")).content.decode()

    assert f'data-remark-cancel href="{address(in_review)}">Cancel</a>' in page


# Counts and lateness


def test_lists_and_tabs_count_comments_and_open_questions(
    in_review: RegistrationRequest, expert: User, outsider: User, client: Client
) -> None:
    for text in ("Who may join?", "Anybody."):
        discussion.add_comment(in_review, author=outsider, text=text, key=uuid.uuid4())
    remark(in_review, expert, "syntax", RemarkWeight.QUESTION)

    listed = text_of(client.get("/requests/"))
    page = text_of(client.get(in_review.get_absolute_url()))

    assert "2 comments, 1 open" in listed
    assert "Discussion 2, 1 open" in page


def test_lead_sees_what_is_late_first_and_at_other_offices(
    in_review: RegistrationRequest, lead: User, expert: User, sign_in: SignIn
) -> None:
    workflow.perform(in_review, "approve", actor=expert, comment=REASONS)
    with time_machine.travel(timezone.now() + datetime.timedelta(days=30)):
        page = sign_in(lead).get("/review/?tab=lead")

    late = page.content.decode().partition('id="late-title"')[2]
    assert page.context["tab"].sort == "due"
    assert in_review.reference in late
    assert "days late" in late
    assert 'id="late-title"' not in sign_in(expert).get("/review/").content.decode()
    assert in_review.state == State.APPROVED
