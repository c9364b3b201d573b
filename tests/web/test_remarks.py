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
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

PASSAGE = "one to six decimal digits"
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
        "text": "May it begin with zero?",
        **changes,
    }


def make(
    registration_request: RegistrationRequest,
    actor: User,
    quote: str = PASSAGE,
    section: str = "syntax",
    weight: RemarkWeight = RemarkWeight.MUST_FIX,
    text: str = "May it begin with zero?",
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
    workflow.perform(remarked, "request_changes", actor=expert)
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
    assert "May it begin with zero?" in public


def test_remark_stands_in_the_journal(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    sign_in(expert).post(address(in_review, "remark"), typed(in_review))

    event = in_review.events.get(verb="remark")
    assert (event.actor, event.comment) == (expert, "May it begin with zero?")
    assert event.data == {"remark": 1, "round": 1, "section": "syntax", "weight": "must_fix"}


def test_passage_is_highlighted_where_it_stands_and_the_remark_is_below_it(
    remarked: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    page = sign_in(expert).get(address(remarked)).content.decode()

    before, _, after = page.partition(f'<mark class="hl">{PASSAGE}</mark>')
    assert 'id="m1"' not in before
    assert after.index('id="m1"') < after.index("The vault code says who accepted the seeds first")


def test_words_copied_from_the_page_are_found_whatever_their_line_breaks(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    copied = typed(in_review, quote=" code of the vault  that first accepted\r\nthe seeds ")

    sign_in(expert).post(address(in_review, "remark"), copied)

    assert in_review.remarks.get().quote == WRAPPED


def test_of_words_that_occur_twice_the_selected_ones_are_meant(
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


def test_words_that_are_not_there_are_quoted_back_and_nothing_is_lost(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    wrong = typed(in_review, quote="seven digits <b>")

    response = sign_in(expert).post(address(in_review, "remark"), wrong)

    page = text_of(response)
    assert response.status_code == 200
    assert "“seven digits <b>” is not in Syntax as round 1 has it." in page
    assert "May it begin with zero?" in page
    assert not in_review.remarks.exists()


def test_words_of_another_section_are_pointed_to(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    wrong = typed(in_review, quote="31 vaults in 14 countries")

    response = sign_in(expert).post(address(in_review, "remark"), wrong)

    assert "is not in Syntax, but in Purpose: choose that section." in text_of(response)


@pytest.mark.parametrize(
    ("left_out", "words"),
    [
        ("weight", "Choose how much it weighs."),
        ("text", "Write what you want to remark."),
    ],
)
def test_what_is_left_out_is_asked_for(
    left_out: str,
    words: str,
    in_review: RegistrationRequest,
    expert: User,
    sign_in: SignIn,
) -> None:
    response = sign_in(expert).post(
        address(in_review, "remark"), typed(in_review, **{left_out: ""})
    )

    assert response.context["form"].errors == {left_out: [words]}
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


def test_remark_written_on_a_round_that_another_has_followed_is_kept_and_told(
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
    assert "Round 2 has arrived since you opened the page." in text_of(told)
    assert told.context["form"]["round_number"].value() == "2"
    assert again.status_code == 302
    assert in_review.remarks.get().round.number == 2


@pytest.mark.parametrize("who", ["registrant", "lead", "registrar", "outsider"])
def test_only_experts_on_the_request_remark(
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
    shown = "Remark on this section" in text_of(client.get(address(in_review)))
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    too_late = client.post(address(in_review, "remark"), typed(in_review))
    give_stake("delegate", in_review, expert)

    party = client.post(address(in_review, "remark"), typed(in_review))

    assert shown
    assert (too_late.status_code, party.status_code) == (403, 403)
    assert "Remark on this section" not in text_of(client.get(address(in_review)))
    assert not in_review.remarks.exists()


def test_signing_in_again_keeps_the_remark(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    client.post(address(in_review, "remark"), typed(in_review))
    client.force_login(expert)

    page = client.get(address(in_review, "remark"))

    assert page.context["form"]["text"].value() == "May it begin with zero?"
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


def test_author_drops_a_remark_with_a_reason_that_everybody_reads(
    remarked: RegistrationRequest, expert: User, sign_in: SignIn, client: Client
) -> None:
    answer = sign_in(expert).post(settle(remarked, "drop"), {"comment": "It says so below."})

    remark = remarked.remarks.get()
    event = remarked.events.last()
    assert event is not None
    assert answer.headers["Location"] == f"{address(remarked)}#m1"
    assert remark.settlement == Settlement.DROPPED
    assert (event.verb, event.comment) == ("drop_remark", "It says so below.")
    public = text_of(client.get(remarked.get_absolute_url()))
    assert "Ede Expert [Designated expert] dropped it" in public
    assert "It says so below." in public


def test_another_expert_on_the_request_may_drop_it_and_nobody_else(
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
def test_settling_without_a_reason_is_asked_for_it(
    name: str, remarked: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    response = sign_in(expert).post(settle(remarked, name), {"comment": " "})

    assert "Give your reasons; they are public." in text_of(response)
    assert verbs(remarked)[-1] == "remark"


def test_second_click_on_drop_is_quiet_and_another_person_is_told(
    remarked: RegistrationRequest, expert: User, lead: User, sign_in: SignIn
) -> None:
    workflow.perform(remarked, "assign", actor=lead)
    reason = {"comment": "It says so below."}
    client = sign_in(expert)
    first = client.post(settle(remarked, "drop"), reason)

    second = client.post(settle(remarked, "drop"), reason)
    other = sign_in(lead).post(settle(remarked, "drop"), {"comment": "Agreed."})

    assert (first.status_code, second.status_code, other.status_code) == (302, 302, 409)
    assert "Remark 1 is already dropped." in text_of(other)
    assert "Agreed." in text_of(other)
    assert verbs(remarked).count("drop_remark") == 1


def test_open_must_fix_bars_approval_until_it_is_dropped(
    remarked: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client = sign_in(expert)
    barred = client.post(address(remarked), decision(remarked, "approve"))
    client.post(settle(remarked, "drop"), {"comment": "It says so below."})

    client.post(address(remarked), decision(remarked, "approve"))

    remarked.refresh_from_db()
    assert "Remarks that must be fixed are open: 1." in text_of(barred)
    assert remarked.state == State.APPROVED


def test_remark_that_does_not_exist_is_not_found(
    remarked: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    assert sign_in(expert).get(settle(remarked, "drop", 2)).status_code == 404
    assert sign_in(registrant).get(answer_at(remarked, 2)).status_code == 404


# Answering


def test_registrant_finds_the_remark_on_the_page_of_its_section_and_the_rail_counts_it(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    client = sign_in(registrant)

    syntax = client.get(f"/requests/{sent_back.slug}/edit/syntax/")
    purpose = client.get(f"/requests/{sent_back.slug}/edit/purpose/")

    assert "May it begin with zero?" in text_of(syntax)
    assert "May it begin with zero?" not in text_of(purpose)
    rail = {each.title: (each.state, each.words) for each in purpose.context["sections"]}
    assert rail["Syntax"] == ("question", "1 to answer")
    assert rail["Purpose"] == ("done", "Done")


def test_answer_is_private_until_the_round_is_sent(
    sent_back: RegistrationRequest, registrant: User, client: Client, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "explained", "text": "No, and the rule says so."}

    answer = sign_in(registrant).post(answer_at(sent_back), said)

    before = text_of(client.get(sent_back.get_absolute_url()))
    send(sent_back, registrant, assignment="Anyone assigns.")
    after = text_of(client.get(sent_back.get_absolute_url()))
    assert answer.headers["Location"] == f"/requests/{sent_back.slug}/edit/syntax/#m1"
    assert "No, and the rule says so." not in before
    assert "Runa Registrant explained" in after
    assert "No, and the rule says so." in after
    assert sent_back.events.filter(verb="submit").latest("number").data["answers"] == {
        "1": {"settlement": "explained", "answer": "No, and the rule says so."}
    }


def test_answer_kept_by_script_comes_back_as_a_part_of_the_page(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "changed", "text": ""}

    part = sign_in(registrant).post(answer_at(sent_back), said, headers={"HX-Request": "true"})

    assert part.content.decode().strip().startswith('<div class="anchor-note')
    assert "Kept. It becomes public when you send the round." in text_of(part)
    assert sent_back.remarks.get().draft_settlement == Settlement.CHANGED


def test_explanation_without_words_is_asked_for_them(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "explained", "text": "  "}

    response = sign_in(registrant).post(answer_at(sent_back), said)

    assert "Explain why the text stays as it is." in text_of(response)
    assert sent_back.remarks.get().draft_settlement == ""


@pytest.mark.parametrize("button", ["Keep the answer", "Save", "Save and go to Assignment"])
def test_without_script_the_text_goes_with_the_answer_and_the_answer_with_the_text(
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
    assert ("Your answer to remark 1 is kept." in page.text) is (button == "Keep the answer")


def test_an_answer_of_several_lines_is_written_anew_without_script(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    first = {"answer-1-settlement": "explained", "answer-1-text": "One\r\ntwo"}
    page.press("Keep the answer", **first)

    # A browser sends every line end as CRLF, even in hidden fields.
    seen = page.page.xpath("//input[@name='answer-1-seen']/@value")[0].replace("\n", "\r\n")
    page.press("Keep the answer", **{"answer-1-seen": seen, "answer-1-text": "One\r\nthree"})

    assert "Your answer to remark 1 is kept." in page.text
    assert sent_back.remarks.get().draft_answer == "One\nthree"


def test_an_answer_that_cannot_be_kept_stays_on_the_page_and_the_text_is_saved(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))

    page.press("Keep the answer", syntax="Written.", **{"answer-1-settlement": "explained"})

    draft = sent_back.draft
    assert draft is not None
    assert draft.template["syntax"] == "Written."
    assert "Explain why the text stays as it is." in page.text
    assert sent_back.remarks.get().draft_settlement == ""

    page.press("Keep the answer", syntax="Written anew.", **{"answer-1-text": "As the rule says."})

    draft.refresh_from_db()
    assert draft.template["syntax"] == "Written anew."
    assert sent_back.remarks.get().draft_answer == "As the rule says."


def test_an_answer_stays_on_the_page_while_the_text_beside_it_cannot_be_saved(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    answer = {"answer-1-settlement": "explained", "answer-1-text": "As the rule says."}

    page.press("Keep the answer", syntax="A control\x80", **answer)
    shown = page.page.xpath("//textarea[@name='answer-1-text']")[0].text_content().strip()
    page.press("Save", syntax="No control")

    draft = sent_back.draft
    assert draft is not None
    assert shown == "As the rule says."
    assert draft.template["syntax"] == "No control"
    assert sent_back.remarks.get().draft_answer == "As the rule says."


@pytest.mark.parametrize("button", ["Use mine", "Keep theirs"])
def test_an_answer_goes_through_a_conflict_of_the_text_beside_it(
    button: str, sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    draft = sent_back.draft
    assert draft is not None
    drafts.save_draft(draft, {"syntax": "By a co-editor."}, seen=draft.edition)

    answer = {"answer-1-settlement": "explained", "answer-1-text": "As the rule says."}
    page.press("Keep the answer", syntax="By me.", **answer)
    assert sent_back.remarks.get().draft_answer == ""
    page.press(button)

    draft.refresh_from_db()
    assert draft.template["syntax"] == ("By me." if button == "Use mine" else "By a co-editor.")
    assert sent_back.remarks.get().draft_answer == "As the rule says."


def test_signing_in_again_keeps_the_text_and_the_answer_beside_it(
    sent_back: RegistrationRequest, registrant: User
) -> None:
    page = Window(registrant).go(editor_of(sent_back))
    page.client.logout()
    answer = {"answer-1-settlement": "explained", "answer-1-text": "As the rule says."}

    page.press("Keep the answer", syntax="Written just now.", **answer)
    page.go(editor_of(sent_back)).press("Save")

    draft = sent_back.draft
    assert draft is not None
    assert draft.template["syntax"] == "Written just now."
    assert sent_back.remarks.get().draft_answer == "As the rule says."


def test_a_page_that_saves_itself_keeps_no_half_written_answer(
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
    assert "Kept. It becomes public when you send the round." in text_of(part)
    assert 'name="answer-1-text"' in part.content.decode()
    assert sent_back.remarks.get().draft_settlement == Settlement.CHANGED
    assert draft.template["syntax"] == SYNTAX


def test_of_two_who_answer_the_second_is_told_what_the_first_said(
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
    assert "Somebody answered this remark after you opened the page." in text_of(told)
    assert "It now says: Explained. No." in text_of(told)
    assert "Now it says so." in text_of(told)
    assert sent_back.remarks.get().draft_answer == "Now it says so."


def test_answer_can_be_taken_back_and_said_twice(
    sent_back: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    client = sign_in(registrant)
    said = {"seen": ":", "settlement": "changed", "text": "Done."}
    twice = [client.post(answer_at(sent_back), said).status_code for _ in range(2)]

    client.post(answer_at(sent_back), {"seen": "changed:Done.", "settlement": "", "text": ""})

    assert twice == [302, 302]
    assert sent_back.remarks.get().draft_settlement == ""


def test_signing_in_again_keeps_the_answer(
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
def test_others_do_not_answer(
    who: str, sent_back: RegistrationRequest, request: pytest.FixtureRequest, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "changed", "text": ""}

    response = sign_in(request.getfixturevalue(who)).post(answer_at(sent_back), said)

    assert response.status_code == 404
    assert sent_back.remarks.get().draft_settlement == ""


def test_answer_while_the_text_is_with_the_experts_is_refused_in_words(
    remarked: RegistrationRequest, registrant: User, sign_in: SignIn
) -> None:
    said = {"seen": ":", "settlement": "changed", "text": ""}

    response = sign_in(registrant).post(answer_at(remarked), said)

    assert "Only those who write the draft can answer" in text_of(response)
    assert remarked.remarks.get().draft_settlement == ""


def test_sending_names_what_must_be_answered_and_leads_to_it(
    sent_back: RegistrationRequest, expert: User, registrant: User, sign_in: SignIn
) -> None:
    draft = sent_back.draft
    assert draft is not None
    draft = drafts.save_draft(draft, {"assignment": "Anyone."}, seen=draft.edition)
    client, at = sign_in(registrant), f"/requests/{sent_back.slug}/send/"

    refused = client.post(at, {"seen": sent_back.revision, "edition": draft.edition})
    client.post(answer_at(sent_back), {"seen": ":", "settlement": "changed", "text": ""})
    sent = client.post(at, {"seen": sent_back.revision, "edition": draft.edition})

    page = refused.content.decode()
    assert "1 remark that must be fixed has no answer yet" in page
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


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("accepted the seeds, a", "took the seeds, a", "The passage has not changed."),
        (
            "one to six decimal digits",
            "six decimal digits, the first of which is no zero",
            "The passage has changed. It now says: “six decimal digits",
        ),
        (f" is {PASSAGE}", "", "The passage is gone."),
    ],
)
def test_next_round_opens_on_the_differences_with_each_remark_beside_its_answer(
    old: str,
    new: str,
    words: str,
    sent_back: RegistrationRequest,
    registrant: User,
    expert: User,
    sign_in: SignIn,
) -> None:
    second_round(sent_back, registrant, old, new)

    response = sign_in(expert).get(address(sent_back))

    page = text_of(response)
    assert response.context["shows_changes"]
    assert "Answered with this round: 1, Changed (Syntax)" in page
    assert "Runa Registrant changed the text" in page
    assert words in page
    assert settle(sent_back, "reopen") in response.content.decode()


def test_passage_that_was_put_elsewhere_is_said_to_have_moved(
    sent_back: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    kept = SYNTAX.replace(PASSAGE, "a number")
    second_round(sent_back, registrant, SYNTAX, f"{kept}\n\nA number is {PASSAGE}.")

    page = sign_in(expert).get(address(sent_back)).content.decode()

    assert "The passage has moved." in page


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

    sign_in(expert).post(settle(sent_back, "reopen"), {"comment": "The rule allows it."})

    remark.refresh_from_db()
    page = text_of(client.get(sent_back.get_absolute_url()))
    assert (remark.settlement, remark.answer) == (Settlement.OPEN, "")
    assert page.index("Runa Registrant explained") < page.index(
        "Ede Expert [Designated expert] opened it again"
    )
    assert "No." in page
    assert "The rule allows it." in page


def test_what_earlier_rounds_settled_is_folded_away(
    sent_back: RegistrationRequest, registrant: User, expert: User, sign_in: SignIn
) -> None:
    second_round(sent_back, registrant, PASSAGE, "six digits")
    workflow.perform(sent_back, "request_changes", actor=expert, comment=REASONS)
    send(sent_back, registrant, assignment="Anyone at all.")

    page = text_of(sign_in(expert).get(address(sent_back)))

    assert "No remark is open." in page
    assert "1 remark settled before" in page


def test_questions_do_not_bar_approval_and_are_named_before_it(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    make(in_review, expert, weight=RemarkWeight.QUESTION)
    client = sign_in(expert)

    page = client.get(address(in_review))
    client.post(address(in_review), decision(in_review, "approve"))

    points = {verb: option.points for verb, option in page.context["form"].fields["verb"].choices}
    in_review.refresh_from_db()
    assert '1 remark is open: <a href="#m1">1, Question (Syntax)</a>' in points["approve"]
    assert points["request_changes"] == (
        '1 open remark goes along: <a href="#m1">1, Question (Syntax)</a>',
    )
    assert points["decline"] == ()
    assert in_review.state == State.APPROVED


def test_changes_can_be_asked_for_with_a_must_fix_alone_and_not_with_nothing(
    in_review: RegistrationRequest, expert: User, sign_in: SignIn
) -> None:
    client, bare = sign_in(expert), decision(in_review, "request_changes", comment="")
    refused = client.post(address(in_review), bare)
    make(in_review, expert)

    client.post(address(in_review), bare)

    in_review.refresh_from_db()
    assert "comment" in refused.context["form"].errors
    assert "or mark a passage that must be fixed" in text_of(refused)
    assert in_review.state == State.CHANGES_REQUESTED


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
def test_review_of_ten_rounds_with_forty_remarks_takes_no_more_queries_than_of_two_with_one(
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
def test_public_page_and_editor_take_no_more_queries_for_many_remarks_than_for_one(
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
