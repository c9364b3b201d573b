"""The discussion on the page of a request: writing, moderating, and what only experts see."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.models import Message, RegistrationRequest, User
from registry.workflow import drafts
from tests.factories import UserFactory
from tests.web.pages import error_codes, text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def page(registration_request: RegistrationRequest, rest: str = "") -> str:
    return registration_request.get_absolute_url() + rest


def say(
    registration_request: RegistrationRequest,
    author: User,
    text: str,
    answers: Message | None = None,
) -> Message:
    return discussion.add_comment(
        registration_request, author=author, text=text, key=uuid.uuid4(), answers=answers
    )


def entries_of(response: Any) -> list[str]:
    """The discussion in short: texts, with answers in brackets, and verbs of events."""
    return [
        entry.message.text + "".join(f" [{each.message.text}]" for each in entry.answers)
        if hasattr(entry, "message")
        else entry.line.event.verb
        for entry in response.context["discussion"].entries
    ]


# Reading


def test_messages_and_events_stand_in_the_order_of_time_with_answers_below(
    client: Client,
    in_review: RegistrationRequest,
    outsider: User,
    registrant: User,
    expert: User,
) -> None:
    question = say(in_review, outsider, "Who may join?")
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    say(in_review, registrant, "Anybody.", answers=question)
    say(in_review, outsider, "Thank you.")

    in_order = client.get(page(in_review))
    turned = client.get(page(in_review), {"order": "newest"})

    assert entries_of(in_order) == [
        "submit",
        "assign",
        "Who may join? [Anybody.]",
        "request_changes",
        "Thank you.",
    ]
    assert entries_of(turned) == entries_of(in_order)[::-1]
    words = text_of(in_order)
    assert "Discussion 3 Template, round 1" in words
    assert "Runa Registrant Asked for it" in words
    for author, number in ((outsider, 1), (registrant, 2), (outsider, 3)):
        drawn = in_order.content.decode().partition(f'id="c{number}"')[2]
        assert str(author) in drawn.partition("</header>")[0]


def test_text_keeps_its_lines_and_becomes_no_markup(
    client: Client, in_review: RegistrationRequest, outsider: User
) -> None:
    text = "First line\nsecond line\n\n<b onclick=x>bold</b> https://vaults.example/a?b=c."
    say(in_review, outsider, text)

    drawn = client.get(page(in_review)).content.decode()

    assert "<p>{}\n{}</p>".format(*text.split("\n")[:2]) in drawn
    assert "&lt;b onclick=x&gt;bold&lt;/b&gt;" in drawn
    assert (
        '<a href="https://vaults.example/a?b=c" rel="nofollow noopener">'
        "https://vaults.example/a?b=c</a>."
    ) in drawn


def test_comment_on_a_section_names_it(
    client: Client, in_review: RegistrationRequest, sign_in: SignIn, outsider: User
) -> None:
    url, browser = page(in_review, "comment/"), sign_in(outsider)

    browser.post(url, filled(browser, url) | {"text": "Which?", "section": "purpose"})

    assert "<blockquote>Purpose</blockquote>" in client.get(page(in_review)).content.decode()


def test_open_questions_of_experts_are_counted(
    client: Client, in_review: RegistrationRequest, expert: User
) -> None:
    shown = in_review.rounds.sent().get()
    for number in (1, 2):
        in_review.remarks.create(
            round=shown,
            number=number,
            author=expert,
            made_at=in_review.created_at,
            section="purpose",
            weight="question",
            text="Why?",
        )

    drawn = client.get(page(in_review)).content.decode()

    assert '<a href="#m1">2 open' in drawn


@pytest.mark.whole
def test_page_takes_no_more_queries_for_more_of_everything(
    client: Client,
    in_review: RegistrationRequest,
    registrant: User,
    expert: User,
    outsider: User,
    sign_in: SignIn,
    lead: User,
) -> None:
    def another_round(number: int) -> None:
        workflow.perform(in_review, "request_changes", actor=expert, comment="Say more.")
        draft = in_review.draft
        assert draft is not None
        drafts.save_draft(draft, {"assignment": f"Text {number}."}, seen=draft.edition)
        workflow.perform(in_review, "submit", actor=registrant)

    def talk(people: list[User]) -> None:
        for person in people:
            answered = say(in_review, person, "A question.")
            say(in_review, registrant, "An answer.", answers=answered)
        discussion.hide_message(answered, moderator=lead, reason="Off the topic.")
        discussion.add_note(in_review, author=lead, text="A note.", key=uuid.uuid4())

    another_round(0)
    talk([outsider])
    browser = sign_in(lead)
    browser.get(page(in_review))
    with CaptureQueriesContext(connection) as few:
        browser.get(page(in_review))

    for number in range(1, 5):
        another_round(number)
    talk([UserFactory.create() for _each in range(6)])
    browser.get(page(in_review))
    with CaptureQueriesContext(connection) as many:
        browser.get(page(in_review))

    assert len(many) == len(few)


# Writing


def filled(browser: Client, url: str) -> dict[str, Any]:
    """What the form on a page contains before anybody types."""
    form = browser.get(url).context["form"]
    return {name: form[name].value() or "" for name in form.fields}


def test_comment_is_public_where_it_was_written(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "comment/"), sign_in(outsider)

    response = browser.post(url, filled(browser, url) | {"text": "Who may join?"}, follow=True)

    assert response.redirect_chain == [(page(in_review, "#c1"), 302)]
    assert entries_of(response)[-1] == "Who may join?"
    assert in_review.messages.get().author == outsider


def test_form_says_in_words_that_comments_are_public_and_permanent(
    client: Client, in_review: RegistrationRequest, settings: Settings
) -> None:
    settings.REGISTRY_LIST_ADDRESS = "urn@lists.example"

    words = text_of(client.get(page(in_review)))

    assert "Public and permanent, under the name on your account." in words
    assert "Sign in to comment" in words
    assert f"Or write to urn@lists.example, with {in_review.reference} in the subject." in words


def test_double_click_makes_one_comment(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest
) -> None:
    url, browser = page(in_review, "comment/"), sign_in(outsider)
    typed = filled(browser, url) | {"text": "Who may join?"}

    locations = [browser.post(url, typed).headers["Location"] for _click in range(2)]

    assert locations == [page(in_review, "#c1")] * 2
    assert in_review.messages.count() == 1


def test_text_survives_signing_in(
    client: Client, outsider: User, in_review: RegistrationRequest
) -> None:
    url = page(in_review, "comment/")
    typed = filled(client, url) | {"text": "Who may join?", "section": "assignment"}

    response = client.post(url, typed)
    client.force_login(outsider)
    again = client.get(url)

    assert response.headers["Location"] == f"{reverse('account_login')}?next={url}"
    form = again.context["form"]
    assert (form["text"].value(), form["section"].value()) == ("Who may join?", "assignment")
    assert not in_review.messages.exists()


def test_answer_shows_what_it_answers(
    sign_in: SignIn, outsider: User, registrant: User, in_review: RegistrationRequest
) -> None:
    question = say(in_review, outsider, "Who may join?")
    url, browser = page(in_review, "comment/?answers=1"), sign_in(registrant)

    asked = browser.get(url)
    browser.post(page(in_review, "comment/"), filled(browser, url) | {"text": "Anybody."})

    assert "Answer Olaf Outsider" in text_of(asked)
    assert "Who may join?" in text_of(asked)
    assert in_review.messages.get(number=2).answers == question


@pytest.mark.parametrize("answers", ["2", "x", "٣", "9" * 30])
def test_answer_to_nothing_is_refused_and_the_text_stays(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest, answers: str
) -> None:
    url, browser = page(in_review, "comment/"), sign_in(outsider)

    response = browser.post(url, filled(browser, url) | {"text": "Hm.", "answers": answers})

    assert error_codes(response, "answers") == ["invalid_choice"]
    assert response.context["form"]["text"].value() == "Hm."
    assert not in_review.messages.exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [(" \n", "required"), ("x" * 10_001, "too_long"), ("a\x07b", "control_character")],
)
def test_invalid_text_is_refused_and_stays_in_the_form(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest, text: str, code: str
) -> None:
    url, browser = page(in_review, "comment/"), sign_in(outsider)

    response = browser.post(url, filled(browser, url) | {"text": text})

    assert error_codes(response, "text") == [code]
    assert response.context["form"]["text"].value() == text
    assert not in_review.messages.exists()


def test_comments_beyond_the_limit_are_refused_and_the_text_stays(
    sign_in: SignIn, outsider: User, in_review: RegistrationRequest, settings: Settings
) -> None:
    settings.REGISTRY_COMMENTS_PER_HOUR = 1
    say(in_review, outsider, "One.")
    url, browser = page(in_review, "comment/"), sign_in(outsider)

    response = browser.post(url, filled(browser, url) | {"text": "Two."})

    assert len(error_codes(response)) == 1
    assert response.context["form"]["text"].value() == "Two."
    assert [each.text for each in in_review.messages.all()] == ["One."]


def test_closed_discussion_has_no_form(
    client: Client, sign_in: SignIn, registrant: User, outsider: User, draft: RegistrationRequest
) -> None:
    url, browser = page(draft, "comment/"), sign_in(outsider)
    before = client.get(url).status_code
    workflow.perform(draft, "submit", actor=registrant)
    typed = filled(browser, url) | {"text": "Why?"}
    workflow.perform(draft, "withdraw", actor=registrant)

    after = client.get(page(draft))
    posted = browser.post(url, typed)

    assert before == 404
    assert after.context["discussion"].why_closed in text_of(after)
    assert 'name="text"' not in after.content.decode()
    assert posted.context["discussion"].why_closed in text_of(posted)
    assert posted.context["form"]["text"].value() == "Why?"
    assert not draft.messages.exists()


def test_unconfirmed_address_cannot_comment(
    sign_in: SignIn, in_review: RegistrationRequest
) -> None:
    browser, url = sign_in(UserFactory.create(confirmed=False)), page(in_review, "comment/")
    typed = filled(browser, url) | {"text": "Who may join?"}

    shown, posted = browser.get(page(in_review)), browser.post(url, typed)

    assert shown.context["discussion"].why_closed in text_of(shown)
    assert 'name="text"' not in shown.content.decode()
    assert posted.context["form"]["text"].value() == "Who may join?"
    assert not in_review.messages.exists()


# Moderating


@pytest.fixture
def advertising(in_review: RegistrationRequest, outsider: User) -> Message:
    return say(in_review, outsider, "Buy our seeds.")


def test_hidden_message_shows_who_hid_it_and_why_and_never_its_text(
    client: Client,
    sign_in: SignIn,
    lead: User,
    outsider: User,
    expert: User,
    in_review: RegistrationRequest,
    advertising: Message,
) -> None:
    url, browser = page(in_review, "messages/1/hide/"), sign_in(lead)
    say(in_review, expert, "Who does?", answers=advertising)

    before = text_of(client.get(page(in_review)))
    hidden = browser.post(url, {"reason": "Advertising."})

    assert "Buy our seeds." in before
    assert hidden.headers["Location"] == page(in_review, "#c1")
    for reader in (client, sign_in(expert)):
        for rest in ("", "history/", "comment/?answers=1"):
            assert "Buy our seeds." not in text_of(reader.get(page(in_review, rest)))
        words = text_of(reader.get(page(in_review)))
        assert "moderator, Lova Lead," in words
        assert ": Advertising." in words
        assert "Who does?" in words
    for reader in (browser, sign_in(outsider)):
        assert "Buy our seeds." in text_of(reader.get(page(in_review)))
    event = in_review.events.get(verb="hide_message")
    assert (event.actor, event.data["message"], event.comment) == (lead, 1, "Advertising.")
    assert "Lova Lead [Lead expert] hid message 1" in text_of(
        client.get(page(in_review, "history/"))
    )


def test_hidden_message_is_shown_again(
    client: Client,
    sign_in: SignIn,
    lead: User,
    registrar: User,
    in_review: RegistrationRequest,
    advertising: Message,
) -> None:
    discussion.hide_message(advertising, moderator=lead, reason="Advertising.")

    sign_in(registrar).post(page(in_review, "messages/1/show/"), {"reason": "A quotation."})

    advertising.refresh_from_db()
    assert not advertising.is_hidden
    assert "Buy our seeds." in text_of(client.get(page(in_review)))
    event = in_review.events.get(verb="show_message")
    assert (event.actor, event.data["message"]) == (registrar, 1)
    assert "Rafe Registrar [Registrar] showed message 1" in text_of(
        client.get(page(in_review, "history/"))
    )


def test_message_is_not_hidden_without_a_reason(
    sign_in: SignIn, lead: User, in_review: RegistrationRequest, advertising: Message
) -> None:
    response = sign_in(lead).post(page(in_review, "messages/1/hide/"), {"reason": " "})

    assert error_codes(response, "reason") == ["required"]
    advertising.refresh_from_db()
    assert not advertising.is_hidden


def test_second_moderator_changes_nothing(
    sign_in: SignIn, lead: User, in_review: RegistrationRequest, advertising: Message
) -> None:
    browser = sign_in(lead)
    hide, show = page(in_review, "messages/1/hide/"), page(in_review, "messages/1/show/")

    shown = [browser.get(hide), browser.get(show)]
    discussion.hide_message(advertising, moderator=lead, reason="Advertising.")
    hidden = [browser.get(hide), browser.get(show)]
    browser.post(hide, {"reason": "Mine."})

    has_form = ['name="reason"' in each.content.decode() for each in (*shown, *hidden)]
    assert has_form == [True, False, False, True]
    advertising.refresh_from_db()
    assert advertising.hidden_reason == "Advertising."
    assert in_review.events.filter(verb="hide_message").count() == 1


@pytest.mark.parametrize("person", ["registrant", "expert", "outsider"])
@pytest.mark.parametrize("verb", ["hide", "show"])
def test_moderation_is_refused_to_others(
    request: pytest.FixtureRequest,
    sign_in: SignIn,
    in_review: RegistrationRequest,
    advertising: Message,
    person: str,
    verb: str,
) -> None:
    browser = sign_in(request.getfixturevalue(person))

    response = browser.post(page(in_review, f"messages/1/{verb}/"), {"reason": "Mine."})

    assert response.status_code == 403
    assert response.context["reason"] == discussion.describe_moderators()
    assert f"messages/1/{verb}/" not in browser.get(page(in_review)).content.decode()


# Notes among experts


@pytest.fixture
def noted(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    discussion.add_note(in_review, author=expert, text="A doubtful body.", key=uuid.uuid4())
    return in_review


def test_experts_see_notes_marked_as_theirs_and_nobody_else_does(
    client: Client,
    sign_in: SignIn,
    noted: RegistrationRequest,
    lead: User,
    registrant: User,
    registrar: User,
    standards_body: User,
) -> None:
    drawn = sign_in(lead).get(page(noted))

    theirs = text_of(drawn)
    assert '<section class="panel" id="notes"' in drawn.content.decode()
    assert "Only experts" in theirs
    assert "A doubtful body." in theirs
    for reader in (client, *map(sign_in, (registrant, registrar, standards_body))):
        for rest in ("", "history/", "template/", "comment/"):
            response = reader.get(page(noted, rest))
            assert "A doubtful body." not in text_of(response)
            assert 'id="notes"' not in response.content.decode()
    assert "Discussion Template, round 1" in theirs


def test_note_is_written_on_a_page_of_its_own(
    sign_in: SignIn, lead: User, noted: RegistrationRequest
) -> None:
    url, browser = reverse("review:notes", args=[noted.slug]), sign_in(lead)
    typed = filled(browser, url) | {"text": "I know them."}

    locations = [browser.post(url, typed).headers["Location"] for _click in range(2)]

    assert locations == [f"{url}#n2"] * 2
    words = text_of(browser.get(url))
    assert "Only experts" in words
    assert ["A doubtful body." in words, "I know them." in words] == [True, True]


@pytest.mark.parametrize("person", ["registrant", "registrar", "standards_body", "outsider"])
def test_page_of_notes_is_refused_to_others(
    request: pytest.FixtureRequest, sign_in: SignIn, noted: RegistrationRequest, person: str
) -> None:
    browser = sign_in(request.getfixturevalue(person))
    url = reverse("review:notes", args=[noted.slug])

    response = browser.post(url, {"text": "Hear me.", "key": str(uuid.uuid4())})

    assert (browser.get(url).status_code, response.status_code) == (403, 403)
    assert response.context["reason"] == discussion.describe_note_readers()
    assert noted.messages.count() == 1
