"""Remarks on passages: made by experts, answered by the registrant, carried from round to round."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.actions import remarks
from registry.enums import (
    RemarkWeight,
    RequestPath,
    Settlement,
    State,
)
from registry.models import Organization, RegistrationRequest, Remark, User
from registry.presenters.remarks import PASSAGE_STATEMENTS
from registry.template.passages import PassageState
from registry.workflow import drafts
from tests.courses.window import Window
from tests.factories import UserFactory, start
from tests.template.samples import FORMAL, INFORMAL
from tests.web.experts import (
    REASONS,
    SignIn,
    address,
    decision,
    give_stake,
    verbs,
)
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

PASSAGE = "one to six decimal digits"
TEXT = "May it begin with zero?"
RULE = "As the rule says."
WRAPPED = "code of the vault that first\naccepted the seeds"
SYNTAX = FORMAL["syntax"]


def typed(registration_request: RegistrationRequest, **changes: object) -> dict[str, object]:
    """What the form for a remark posts."""
    last = registration_request.last_round
    assert last is not None
    return {
        "round_number": last.number,
        "section": "syntax",
        "quote": PASSAGE,
        "weight": RemarkWeight.MUST_FIX,
        "text": TEXT,
        **changes,
    }


def make(
    registration_request: RegistrationRequest,
    actor: User,
    quote: str = PASSAGE,
    section: str = "syntax",
    weight: RemarkWeight = RemarkWeight.MUST_FIX,
    text: str = TEXT,
) -> Remark:
    last = registration_request.last_round
    assert last is not None
    return remarks.add_remark(
        registration_request,
        actor=actor,
        round_number=last.number,
        section=section,
        weight=weight,
        text=text,
        quote=quote,
        start=last.template[section].index(quote) if quote else None,
    )


def settle(registration_request: RegistrationRequest, name: str, number: int = 1) -> str:
    return reverse(f"review:{name}_remark", args=[registration_request.slug, number])


def answer_at(registration_request: RegistrationRequest, number: int = 1) -> str:
    return reverse("requests:answer", args=[registration_request.slug, number])


def editor_of(registration_request: RegistrationRequest) -> str:
    return reverse("requests:edit", args=[registration_request.slug, "syntax"])


def send(registration_request: RegistrationRequest, author: User, **changes: str) -> None:
    """Change the draft and send it."""
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, changes, seen=draft.edition)
    workflow.perform(registration_request, "submit", actor=author)


@pytest.fixture
def remarked(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    """A request in review with a remark that must be fixed."""
    make(in_review, expert)
    return in_review


@pytest.fixture
def sent_back(remarked: RegistrationRequest, expert: User) -> RegistrationRequest:
    """A request that the registrant must change, with a remark that must be fixed."""
    workflow.perform(remarked, "request_changes", actor=expert, comment=REASONS)
    return remarked


# Making a remark


def test_expert_remarks_on_a_passage_and_everybody_reads_it(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn, client: Client
) -> None:
    answer = sign_in(expert).post(address(in_review, "remark"), typed(in_review))

    remark = in_review.remarks.get()
    public = client.get(in_review.get_absolute_url()).content.decode()
    assert answer.headers["Location"] == f"{address(in_review)}#m1"
    assert (remark.number, remark.quote, remark.start) == (1, PASSAGE, SYNTAX.index(PASSAGE))
    assert (remark.author, remark.weight, remark.settlement) == (expert, "must_fix", "open")
    assert 'id="m1"' in public
    assert TEXT in public


def test_remark_stands_in_the_journal(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    sign_in(expert).post(address(in_review, "remark"), typed(in_review))

    event = in_review.events.get(verb="remark")
    assert (event.actor, event.comment) == (expert, TEXT)
    assert event.data == {"remark": 1, "round": 1, "section": "syntax", "weight": "must_fix"}


def test_passage_is_highlighted_where_it_stands_and_the_remark_is_below_it(
    remarked: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(remarked)).content.decode()

    before, _, after = page.partition(f'<mark class="hl">{PASSAGE}</mark>')
    assert 'id="m1"' not in before
    assert after.index('id="m1"') < after.index(SYNTAX.splitlines()[-1])


def test_words_copied_from_the_page_are_found_whatever_their_line_breaks(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    copied = typed(in_review, quote=" code of the vault  that first accepted\r\nthe seeds ")

    sign_in(expert).post(address(in_review, "remark"), copied)

    assert in_review.remarks.get().quote == WRAPPED


def test_words_that_occur_twice_are_meant_where_they_were_selected(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    again = SYNTAX.index("The vault code", SYNTAX.index("The vault code") + 1)

    selected = typed(in_review, quote="The vault code", occurrence=1)
    sign_in(expert).post(address(in_review, "remark"), selected)

    assert in_review.remarks.get().start == again


def test_remark_without_a_passage_is_on_the_whole_section(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    sign_in(expert).post(address(in_review, "remark"), typed(in_review, quote=" "))

    remark = in_review.remarks.get()
    assert (remark.section, remark.quote, remark.start) == ("syntax", "", None)


def test_passage_that_is_not_there_is_quoted_back_and_nothing_is_lost(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    wrong = typed(in_review, quote="seven digits <b>")

    response = sign_in(expert).post(address(in_review, "remark"), wrong)

    page = text_of(response)
    assert response.status_code == 200
    assert error_codes(response, "quote") == ["missing"]
    assert "“seven digits <b>”" in page
    assert TEXT in page
    assert not in_review.remarks.exists()


def test_passage_of_another_section_is_pointed_to(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    wrong = typed(in_review, quote="31 vaults in 14 countries")

    response = sign_in(expert).post(address(in_review, "remark"), wrong)

    assert error_codes(response, "quote") == ["elsewhere"]
    assert "Purpose" in response.context["form"].errors["quote"][0]


@pytest.mark.parametrize("left_out", ["weight", "text"])
def test_remark_without_a_weight_or_text_is_refused(
    left_out: str,
    in_review: RegistrationRequest,
    expert: User,
    sign_in: SignIn,
) -> None:
    response = sign_in(expert).post(
        address(in_review, "remark"), typed(in_review, **{left_out: ""})
    )

    assert list(response.context["form"].errors) == [left_out]
    assert error_codes(response, left_out) == ["required"]
    assert not in_review.remarks.exists()


@pytest.mark.parametrize(
    "forged",
    [
        {"section": "no-such-section"},
        {"section": "version"},
        {"weight": "blocker"},
        {"occurrence": "-1"},
        {"round_number": ""},
        {"text": "bell\x07"},
    ],
    ids=str,
)
def test_forged_remarks_are_refused_beside_the_field(
    forged: dict[str, str], in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(address(in_review, "remark"), typed(in_review, **forged))

    assert response.status_code in {200, 409}
    assert response.context["form"].errors
    assert not in_review.remarks.exists()


def test_double_click_makes_one_remark(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)

    answers = [client.post(address(in_review, "remark"), typed(in_review)) for _ in range(2)]

    assert {answer.headers["Location"] for answer in answers} == {f"{address(in_review)}#m1"}
    assert verbs(in_review).count("remark") == 1


def test_remarks_are_numbered_within_their_request(
    in_review: RegistrationRequest,
    registrant: User,
    organization: Organization,
    expert: User,
) -> None:
    other = start(registrant, organization, INFORMAL, RequestPath.INFORMAL)
    workflow.perform(other, "submit", actor=registrant)
    workflow.perform(other, "assign", actor=expert)

    made = [
        make(in_review, expert),
        make(in_review, expert, text="Another."),
        make(other, expert, quote=""),
    ]

    assert [each.number for each in made] == [1, 2, 1]


def test_remark_on_a_round_that_another_has_followed_is_kept_and_refused_once(
    in_review: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    stale = typed(in_review)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    send(in_review, registrant, syntax=SYNTAX.replace("one to six", "six"))
    client = sign_in(expert)

    told = client.post(address(in_review, "remark"), {**stale, "quote": "decimal digits"})
    again = client.post(
        address(in_review, "remark"), {**stale, "quote": "decimal digits", "round_number": 2}
    )

    assert told.status_code == 409
    assert told.context["form"]["round_number"].value() == "2"
    assert told.context["form"]["text"].value() == TEXT
    assert again.status_code == 302
    assert in_review.remarks.get().round.number == 2


@pytest.mark.parametrize("who", ["registrant", "lead", "registrar", "outsider"])
def test_remark_is_for_experts_on_the_request_alone(
    who: str, in_review: RegistrationRequest, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    response = sign_in(request.getfixturevalue(who)).post(
        address(in_review, "remark"), typed(in_review)
    )

    assert response.status_code == 403
    assert not in_review.remarks.exists()


def test_expert_with_a_stake_and_one_whose_turn_is_over_do_not_remark(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    form = f'action="{address(in_review, "remark")}"'
    shown = form in client.get(address(in_review)).content.decode()
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    too_late = client.post(address(in_review, "remark"), typed(in_review))
    give_stake("delegate", in_review, expert)

    party = client.post(address(in_review, "remark"), typed(in_review))

    assert shown
    assert (too_late.status_code, party.status_code) == (403, 403)
    assert form not in client.get(address(in_review)).content.decode()
    assert not in_review.remarks.exists()


def test_remark_is_kept_while_signing_in_again(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    client.post(address(in_review, "remark"), typed(in_review))
    client.force_login(expert)

    page = client.get(address(in_review, "remark"))

    assert page.context["form"]["text"].value() == TEXT
    assert page.context["form"]["weight"].value() == "must_fix"


def test_remarks_that_overlap_and_hold_markup_are_shown_as_they_are(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make(in_review, expert, text="<script>alert(1)</script>")
    make(in_review, expert, quote="six decimal digits. It does not begin", text="Two.")
    make(in_review, expert, quote="The accession number is one to six", text="Three.")

    page = sign_in(expert).get(address(in_review)).content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert [page.count(f'id="m{number}"') for number in (1, 2, 3)] == [1, 1, 1]


# Dropping and reopening


def test_drop_records_a_reason_that_everybody_reads(
    remarked: RegistrationRequest, expert: User, sign_in: SignIn, client: Client
) -> None:
    reason = "It says so below."

    answer = sign_in(expert).post(settle(remarked, "drop"), {"comment": reason})

    remark = remarked.remarks.get()
    event = remarked.events.last()
    assert event is not None
    assert answer.headers["Location"] == f"{address(remarked)}#m1"
    assert remark.settlement == Settlement.DROPPED
    assert (event.verb, event.comment) == ("drop_remark", reason)
    public = text_of(client.get(remarked.get_absolute_url()))
    assert reason in public.partition("[Designated expert] dropped")[2]


def test_drop_is_for_experts_on_the_request_alone(
    remarked: RegistrationRequest, lead: User, outsider: User, registrant: User, sign_in: SignIn
) -> None:
    refused = [
        sign_in(person).post(settle(remarked, "drop"), {"comment": "No."}).status_code
        for person in (outsider, registrant, lead)
    ]
    workflow.perform(remarked, "assign", actor=lead)

    sign_in(lead).post(settle(remarked, "drop"), {"comment": "We agreed."})

    assert refused == [403, 403, 403]
    assert remarked.remarks.get().settlement == Settlement.DROPPED


@pytest.mark.parametrize("name", ["drop", "reopen"])
def test_settlement_without_a_reason_is_refused(
    name: str, remarked: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(settle(remarked, name), {"comment": " "})

    assert error_codes(response, "comment") == ["required"]
    assert verbs(remarked)[-1] == "remark"


def test_second_drop_is_ignored_for_the_same_person_and_refused_to_another(
    remarked: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    workflow.perform(remarked, "assign", actor=lead)
    reason = {"comment": "It says so below."}
    client = sign_in(expert)
    first = client.post(settle(remarked, "drop"), reason)

    second = client.post(settle(remarked, "drop"), reason)
    other = sign_in(lead).post(settle(remarked, "drop"), {"comment": "Agreed."})

    assert (first.status_code, second.status_code, other.status_code) == (302, 302, 409)
    assert "Agreed." in text_of(other)
    assert verbs(remarked).count("drop_remark") == 1


def test_open_must_fix_bars_approval_until_it_is_dropped(
    remarked: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    barred = client.post(address(remarked), decision(remarked, "approve"))
    before = verbs(remarked)[-1]
    client.post(settle(remarked, "drop"), {"comment": "It says so below."})

    client.post(address(remarked), decision(remarked, "approve"))

    remarked.refresh_from_db()
    assert barred.context["form"].errors
    assert before == "remark"
    assert remarked.state == State.APPROVED


def test_remark_that_does_not_exist_is_not_found(
    remarked: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    assert sign_in(expert).get(settle(remarked, "drop", 2)).status_code == 404
    assert sign_in(registrant).get(answer_at(remarked, 2)).status_code == 404


# Answering


def test_remark_is_on_the_page_of_its_section_and_the_rail_counts_it(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    client = sign_in(registrant)

    syntax = client.get(f"/requests/{sent_back.slug}/edit/syntax/")
    purpose = client.get(f"/requests/{sent_back.slug}/edit/purpose/")

    assert TEXT in text_of(syntax)
    assert TEXT not in text_of(purpose)
    rail = {each.title: (each.state, each.words) for each in purpose.context["sections"]}
    assert rail["Syntax"] == ("question", "1 to answer")
    assert rail["Purpose"] == ("done", "Done")


def test_answer_is_private_until_the_round_is_sent(
    sent_back: RegistrationRequest, registrant: User, client: Client, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "explained", "text": RULE}

    answer = sign_in(registrant).post(answer_at(sent_back), said)

    before = text_of(client.get(sent_back.get_absolute_url()))
    send(sent_back, registrant, assignment="Anyone assigns.")
    after = text_of(client.get(sent_back.get_absolute_url()))
    assert answer.headers["Location"] == f"/requests/{sent_back.slug}/edit/syntax/#m1"
    assert RULE not in before
    assert "Runa Registrant explained" in after
    assert RULE in after
    assert sent_back.events.filter(verb="submit").latest("number").data["answers"] == {
        "1": {"settlement": "explained", "answer": RULE}
    }


def test_answer_kept_by_script_comes_back_as_a_part_of_the_page(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "changed", "text": ""}

    part = sign_in(registrant).post(answer_at(sent_back), said, headers={"HX-Request": "true"})

    assert part.content.decode().strip().startswith('<div class="anchor-note')
    assert part.context["is_kept"]
    assert "Kept." in text_of(part)
    assert sent_back.remarks.get().draft_settlement == Settlement.CHANGED


def test_explanation_without_words_is_asked_for_them(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "explained", "text": "  "}

    response = sign_in(registrant).post(answer_at(sent_back), said)

    assert error_codes(response, "text") == ["required"]
    assert sent_back.remarks.get().draft_settlement == ""


@pytest.mark.parametrize("button", ["Keep the answer", "Save", "Save and go to Assignment"])
def test_text_and_answer_are_saved_together_without_script(
    button: str, sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))

    page.press(
        button,
        syntax="Written just now.",
        **{"answer-1-settlement": "explained", "answer-1-text": "No,\r\nas the rule says."},
    )

    remark, draft = sent_back.remarks.get(), sent_back.draft
    assert draft is not None
    assert draft.template["syntax"] == "Written just now."
    assert (remark.draft_settlement, remark.draft_answer) == (
        Settlement.EXPLAINED,
        "No,\nas the rule says.",
    )
    assert ("answer to remark 1" in page.text) is (button == "Keep the answer")


def test_answer_of_several_lines_is_written_anew_without_script(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    first = {"answer-1-settlement": "explained", "answer-1-text": "One\r\ntwo"}
    page.press("Keep the answer", **first)

    # A browser sends every line end as CRLF, even in hidden fields.
    seen = page.page.xpath("//input[@name='answer-1-seen']/@value")[0].replace("\n", "\r\n")
    page.press("Keep the answer", **{"answer-1-seen": seen, "answer-1-text": "One\r\nthree"})

    assert sent_back.remarks.get().draft_answer == "One\nthree"


def test_answer_that_cannot_be_kept_stays_on_the_page_and_the_text_is_saved(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))

    page.press("Keep the answer", syntax="Written.", **{"answer-1-settlement": "explained"})

    draft = sent_back.draft
    assert draft is not None
    assert draft.template["syntax"] == "Written."
    assert page.page.xpath("//textarea[@name='answer-1-text' and @aria-invalid='true']")
    assert sent_back.remarks.get().draft_settlement == ""

    page.press("Keep the answer", syntax="Written anew.", **{"answer-1-text": RULE})

    draft.refresh_from_db()
    assert draft.template["syntax"] == "Written anew."
    assert sent_back.remarks.get().draft_answer == RULE


def test_answer_stays_on_the_page_while_the_text_beside_it_cannot_be_saved(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    answer = {"answer-1-settlement": "explained", "answer-1-text": RULE}

    page.press("Keep the answer", syntax="A control\x80", **answer)
    shown = page.page.xpath("//textarea[@name='answer-1-text']")[0].text_content().strip()
    page.press("Save", syntax="No control")

    draft = sent_back.draft
    assert draft is not None
    assert shown == RULE
    assert draft.template["syntax"] == "No control"
    assert sent_back.remarks.get().draft_answer == RULE


@pytest.mark.parametrize("button", ["Use mine", "Keep theirs"])
def test_answer_goes_through_a_conflict_of_the_text_beside_it(
    button: str, sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    draft = sent_back.draft
    assert draft is not None
    drafts.save_draft(draft, {"syntax": "By a co-editor."}, seen=draft.edition)

    answer = {"answer-1-settlement": "explained", "answer-1-text": RULE}
    page.press("Keep the answer", syntax="By me.", **answer)
    assert sent_back.remarks.get().draft_answer == ""
    page.press(button)

    draft.refresh_from_db()
    assert draft.template["syntax"] == ("By me." if button == "Use mine" else "By a co-editor.")
    assert sent_back.remarks.get().draft_answer == RULE


def test_text_and_answer_are_kept_while_signing_in_again(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    page.client.logout()
    answer = {"answer-1-settlement": "explained", "answer-1-text": RULE}

    page.press("Keep the answer", syntax="Written just now.", **answer)
    page.go(editor_of(sent_back)).press("Save")

    draft = sent_back.draft
    assert draft is not None
    assert draft.template["syntax"] == "Written just now."
    assert sent_back.remarks.get().draft_answer == RULE


def test_autosave_keeps_no_half_written_answer(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    form, _button = page.form_with("Keep the answer")
    typed = dict(form.form_values()) | {"syntax": "Written.", "answer-1-settlement": "changed"}

    saved = page.client.post(editor_of(sent_back), typed, headers={"X-Autosave": "1"})

    draft = sent_back.draft
    assert draft is not None
    assert (saved.status_code, draft.template["syntax"]) == (200, "Written.")
    assert sent_back.remarks.get().draft_settlement == ""


def test_script_keeps_the_answer_alone_out_of_the_form_of_the_editor(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    form, button = page.form_with("Keep the answer")
    taken = button.get("data-hx-params", "").split(",")
    typed = dict(form.form_values()) | {"syntax": "Not yet.", "answer-1-settlement": "changed"}
    sent = {name: text for name, text in typed.items() if name in taken}

    part = page.client.post(button.get("data-hx-post", ""), sent, headers={"HX-Request": "true"})

    draft = sent_back.draft
    assert draft is not None
    assert part.context["is_kept"]
    assert 'name="answer-1-text"' in part.content.decode()
    assert sent_back.remarks.get().draft_settlement == Settlement.CHANGED
    assert draft.template["syntax"] == SYNTAX


def test_second_of_two_who_answer_reads_what_the_first_said(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    helper = UserFactory.create()
    sent_back.co_editors.add(helper)
    first = {"seen": ":", "settlement": "explained", "text": "No."}
    second = {"seen": ":", "settlement": "changed", "text": "Now it says so."}
    sign_in(helper).post(answer_at(sent_back), first)
    client = sign_in(registrant)

    told = client.post(answer_at(sent_back), second)
    seen = told.context["each"].form["seen"].value()
    client.post(answer_at(sent_back), {**second, "seen": seen})

    assert told.status_code == 409
    assert "Explained. No." in text_of(told)
    assert second["text"] in text_of(told)
    assert sent_back.remarks.get().draft_answer == second["text"]


def test_answer_can_be_taken_back_and_said_twice(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    client = sign_in(registrant)
    said = {"seen": ":", "settlement": "changed", "text": "Done."}
    twice = [client.post(answer_at(sent_back), said).status_code for _ in range(2)]

    client.post(answer_at(sent_back), {"seen": "changed:Done.", "settlement": "", "text": ""})

    assert twice == [302, 302]
    assert sent_back.remarks.get().draft_settlement == ""


def test_answer_is_kept_while_signing_in_again(
    sent_back: RegistrationRequest, registrant: User, client: Client
) -> None:
    said = {"seen": ":", "settlement": "explained", "text": "No."}

    plain = client.post(answer_at(sent_back), said)
    part = client.post(answer_at(sent_back), said, headers={"HX-Request": "true"})
    client.force_login(registrant)
    page = client.get(answer_at(sent_back))

    assert part.headers["HX-Redirect"] == plain.headers["Location"]
    assert page.context["each"].form["text"].value() == "No."


@pytest.mark.parametrize("who", ["expert", "lead", "outsider"])
def test_answer_is_for_those_who_write_alone(
    who: str, sent_back: RegistrationRequest, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "changed", "text": ""}

    response = sign_in(request.getfixturevalue(who)).post(answer_at(sent_back), said)

    assert response.status_code == 404
    assert sent_back.remarks.get().draft_settlement == ""


def test_answer_while_the_text_is_with_the_experts_is_refused(
    remarked: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "changed", "text": ""}

    response = sign_in(registrant).post(answer_at(remarked), said)

    assert response.context["form"].non_field_errors()
    assert remarked.remarks.get().draft_settlement == ""


def test_send_names_what_must_be_answered_and_leads_to_it(
    sent_back: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    draft = sent_back.draft
    assert draft is not None
    draft = drafts.save_draft(draft, {"syntax": "Six digits."}, seen=draft.edition)
    client, at = sign_in(registrant), f"/requests/{sent_back.slug}/send/"

    refused = client.post(at, {"seen": sent_back.revision, "edition": draft.edition})
    client.post(answer_at(sent_back), {"seen": ":", "settlement": "changed", "text": ""})
    sent = client.post(at, {"seen": sent_back.revision, "edition": draft.edition})

    page = refused.content.decode()
    assert refused.context["form"].non_field_errors()
    assert "remark 1 (Syntax)" in page
    assert f'href="/requests/{sent_back.slug}/edit/syntax/#m1"' in page
    assert sent.status_code == 302


# The next round


def second_round(
    registration_request: RegistrationRequest, author: User, old: str, new: str
) -> RegistrationRequest:
    """Let the registrant say that the text was changed, change it so, and send it."""
    remarks.answer_remark(
        registration_request.remarks.get(), actor=author, settlement="changed", text="", seen=":"
    )
    send(registration_request, author, syntax=SYNTAX.replace(old, new), assignment="Anyone.")
    return registration_request


def test_answer_of_a_change_that_was_not_made_is_asked_about_and_marked(
    sent_back: RegistrationRequest, registrant: User, client: Client, sign_in: SignIn
) -> None:
    url, browser = reverse("requests:send", args=[sent_back.slug]), sign_in(registrant)
    remarks.answer_remark(
        sent_back.remarks.get(), actor=registrant, settlement="changed", text="", seen=":"
    )
    draft = sent_back.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": "Anyone."}, seen=draft.edition)
    form = browser.get(url).context["form"]
    typed = {name: form[name].value() for name in ("seen", "edition")} | {"comment": ""}

    refused = browser.post(url, typed)
    sent = browser.post(url, typed | {"changed_elsewhere": "on"})

    (error,) = refused.context["form"].non_field_errors()
    assert "Syntax (remark 1)" in error
    assert sent.headers["Location"] == sent_back.get_absolute_url()
    page = text_of(client.get(sent_back.get_absolute_url()))
    assert "Runa Registrant changed the text, but not in this section" in page


def test_answer_of_a_change_that_was_made_is_not_asked_about(
    sent_back: RegistrationRequest, registrant: User, client: Client
) -> None:
    second_round(sent_back, registrant, PASSAGE, "six digits")

    page = text_of(client.get(sent_back.get_absolute_url()))

    assert "Runa Registrant changed the text" in page
    assert "but not in this section" not in page


@pytest.mark.parametrize(
    ("old", "new", "state", "now"),
    [
        ("accepted the seeds, a", "took the seeds, a", PassageState.SAME, ""),
        (
            PASSAGE,
            "six decimal digits, the first of which is no zero",
            PassageState.CHANGED,
            "“six decimal digits",
        ),
        (f" is {PASSAGE}", "", PassageState.GONE, ""),
    ],
)
def test_next_round_opens_on_the_differences_with_remarks_and_answers(
    old: str,
    new: str,
    state: PassageState,
    now: str,
    sent_back: RegistrationRequest,
    registrant: User,
    expert: User,
    sign_in: SignIn,
) -> None:
    second_round(sent_back, registrant, old, new)

    response = sign_in(expert).get(address(sent_back))

    page = text_of(response)
    assert response.context["shows_changes"]
    assert "1, Changed (Syntax)" in page
    assert "Runa Registrant changed" in page
    assert f"{PASSAGE_STATEMENTS[state]} {now}".strip() in page
    assert settle(sent_back, "reopen") in response.content.decode()


def test_passage_that_was_put_elsewhere_is_said_to_have_moved(
    sent_back: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    kept = SYNTAX.replace(PASSAGE, "a number")
    second_round(sent_back, registrant, SYNTAX, f"{kept}\n\nA number is {PASSAGE}.")

    page = sign_in(expert).get(address(sent_back)).content.decode()

    assert str(PASSAGE_STATEMENTS[PassageState.MOVED]) in page


def test_open_question_is_carried_and_shown_in_a_section_that_did_not_change(
    in_review: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    make(in_review, expert, weight=RemarkWeight.QUESTION)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    send(in_review, registrant, assignment="Anyone.")

    response = sign_in(expert).get(address(in_review))

    page = response.content.decode()
    assert "Still open:" in page
    assert f'<mark class="hl">{PASSAGE}</mark>' in page
    assert "1 open remark" in text_of(response)
    assert [each["words"] for each in response.context["rail"] if each["title"] == "Syntax"] == [
        "1 open"
    ]


def test_answered_remark_is_opened_again_and_keeps_the_answer_it_had(
    sent_back: RegistrationRequest,
    registrant: User,
    expert: User,
    client: Client,
    sign_in: SignIn,
) -> None:
    remark = sent_back.remarks.get()
    remarks.answer_remark(remark, actor=registrant, settlement="explained", text="No.", seen=":")
    send(sent_back, registrant, assignment="Anyone.")

    reason = "The rule allows it."
    sign_in(expert).post(settle(sent_back, "reopen"), {"comment": reason})

    remark.refresh_from_db()
    page = text_of(client.get(sent_back.get_absolute_url()))
    assert (remark.settlement, remark.answer) == (Settlement.OPEN, "")
    answered, _words, reopened = page.partition("[Designated expert] opened")
    assert "No." in answered.partition("Runa Registrant explained")[2]
    assert reason in reopened


def test_remarks_settled_in_earlier_rounds_are_folded_away(
    sent_back: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    second_round(sent_back, registrant, PASSAGE, "six digits")
    workflow.perform(sent_back, "request_changes", actor=expert, comment=REASONS)
    send(sent_back, registrant, assignment="Anyone at all.")

    response = sign_in(expert).get(address(sent_back))

    remark = sent_back.remarks.get()
    assert remark.settlement == Settlement.CHANGED
    folded = response.content.decode().partition("<details")[2]
    assert f'id="{remark.anchor}"' in folded
    assert "1 remark settled" in text_of(response)


def test_questions_do_not_bar_approval_and_are_named_before_it(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make(in_review, expert, weight=RemarkWeight.QUESTION)
    client = sign_in(expert)

    page = client.get(address(in_review))
    client.post(address(in_review), decision(in_review, "approve"))

    points = {verb: option.points for verb, option in page.context["form"].fields["verb"].choices}
    in_review.refresh_from_db()
    link = '<a href="#m1">1, Question (Syntax)</a>'
    assert any(link in point for point in points["approve"])
    (point,) = points["request_changes"]
    assert link in point
    assert points["decline"] == ()
    assert in_review.state == State.APPROVED


def test_changes_are_not_asked_for_without_reasons_beside_a_must_fix(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make(in_review, expert)
    bare = decision(in_review, "request_changes", comment="")

    refused = sign_in(expert).post(address(in_review), bare)

    in_review.refresh_from_db()
    assert list(refused.context["form"].errors) == ["comment"]
    assert in_review.state == State.IN_REVIEW


# Many


def rounds_and_remarks(
    registration_request: RegistrationRequest, author: User, actor: User, rounds: int, each: int
) -> None:
    """Send `rounds` more rounds, with remarks on each."""
    for number in range(rounds):
        for at in range(each):
            make(registration_request, actor, weight=RemarkWeight.ADVICE, text=f"{number}, {at}")
        workflow.perform(registration_request, "request_changes", actor=actor, comment=REASONS)
        send(registration_request, author, assignment=f"Anyone, {rounds}, {number}.")


@pytest.mark.whole
@pytest.mark.parametrize("view", ["changes", "text"])
def test_review_makes_no_more_queries_for_many_rounds_and_remarks(
    view: str,
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client, at = sign_in(expert), f"{address(in_review)}?view={view}"
    rounds_and_remarks(in_review, registrant, expert, 1, 1)
    client.get(at)
    with CaptureQueriesContext(connection) as of_one:
        client.get(at)
    rounds_and_remarks(in_review, registrant, expert, 8, 5)

    with django_assert_num_queries(len(of_one)):
        page = client.get(at)

    assert len(page.context["dossier"].rounds) == 10
    assert len(page.context["dossier"].remarks) == 41


@pytest.mark.whole
def test_public_page_and_editor_make_no_more_queries_for_many_remarks(
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make(in_review, expert, weight=RemarkWeight.ADVICE)
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)
    client, pages = sign_in(registrant), (in_review.get_absolute_url(), "edit/syntax/", "send/")
    addresses = [pages[0], *(f"/requests/{in_review.slug}/{page}" for page in pages[1:])]
    of_one = []
    for each in addresses:
        with CaptureQueriesContext(connection) as queries:
            client.get(each)
        of_one.append(len(queries))
    send(in_review, registrant, assignment="Anyone.")
    for number in range(12):
        make(in_review, expert, weight=RemarkWeight.ADVICE, text=str(number))
    workflow.perform(in_review, "request_changes", actor=expert, comment=REASONS)

    for each, count in zip(addresses[1:], of_one[1:], strict=True):
        with django_assert_num_queries(count):
            client.get(each)
