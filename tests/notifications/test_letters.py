"""What a letter says, and the headers that mail programs go by."""

from __future__ import annotations

import uuid

import pytest
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.actions.follows import FollowTarget, start_following
from registry.enums import State
from registry.models import Letter, RegistrationRequest, User
from tests.notifications.conftest import work
from tests.notifications.smtp import MailServer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE = "https://registry.example"


@pytest.fixture
def declined(in_review: RegistrationRequest, expert: User, outsider: User) -> RegistrationRequest:
    """A request followed by the outsider, and declined with reasons."""
    start_following(outsider, FollowTarget(in_review))
    reasons = "Say who assigns.\n\n<b>And</b> " + "say how names are made, one by one. " * 4
    workflow.perform(in_review, "decline", actor=expert, comment=reasons)
    return in_review


def test_a_letter_tells_what_happened_why_whose_turn_it_is_and_what_happens_then(
    declined: RegistrationRequest,
) -> None:
    letter = Letter.objects.get(event__verb="decline", recipient=declined.author)

    assert letter.subject == f"[{declined.reference}] seedbank: Ede Expert declined round 1"
    wanted = [
        "It is your turn.",
        "Ede Expert declined round 1.",
        "  Say who assigns.",
        f"{declined.reference} (seedbank): Accessions held by federated seed vaults",
        "New namespace, asked for by Northlight Seed Vault Federation",
        "State: Declined",
        "Waiting for the registrant since ",
        "The registrant may change the text and send it again",
        f"https://registry.example/requests/{declined.slug}/\n",
        "-- \nYou write this request, or act for the organization that asks.\n",
    ]
    places = [letter.text.find(words) for words in wanted]
    assert -1 not in places
    assert places == sorted(places)
    assert max(len(line) for line in letter.text.splitlines()) <= 72


def test_what_people_wrote_is_text_in_the_html_too(declined: RegistrationRequest) -> None:
    letter = Letter.objects.get(event__verb="decline", recipient=declined.author)

    assert "&lt;b&gt;And&lt;/b&gt;" in letter.html
    assert f'<a href="https://registry.example/requests/{declined.slug}/">' in letter.html


def test_a_promise_is_told_with_its_day(draft: RegistrationRequest, lead: User) -> None:
    workflow.perform(draft, "submit", actor=draft.author)

    letter = Letter.objects.get(recipient=lead)

    assert (draft.state, "Promised by " in letter.text) == (State.IN_REVIEW, True)


def test_all_letters_about_a_request_stand_in_one_thread(
    declined: RegistrationRequest, mail_server: MailServer
) -> None:
    work()

    letters = [letter for _to, letter in mail_server.taken]
    roots = {(letter["In-Reply-To"], letter["References"]) for letter in letters}
    root = f"<{declined.reference}@registry.example>"
    assert roots == {(root, root)}
    assert len({letter["Message-ID"] for letter in letters}) == len(letters) > 3
    assert {letter["List-Id"] for letter in letters} == {
        "URN Namespace Registry <requests.registry.example>"
    }
    assert {letter["Auto-Submitted"] for letter in letters} == {"auto-generated"}


def test_only_letters_about_what_is_followed_can_be_ended_by_one_click(
    declined: RegistrationRequest, outsider: User, mail_server: MailServer
) -> None:
    work()

    ending = {
        (to[0], letter["List-Unsubscribe-Post"], letter["List-Unsubscribe"].strip())
        for to, letter in mail_server.taken
        if letter["List-Unsubscribe"]
    }
    key = outsider.follows.get().key
    assert ending == {
        (
            "outsider@people.example",
            "List-Unsubscribe=One-Click",
            f"<https://registry.example/account/follows/leave/{key}/>",
        )
    }


def test_a_letter_comes_as_plain_text_and_as_html(
    declined: RegistrationRequest, mail_server: MailServer
) -> None:
    work()

    _to, letter = mail_server.taken[0]
    parts = [part.get_content_type() for part in letter.walk()]
    assert parts == ["multipart/alternative", "text/plain", "text/html"]


def test_a_message_of_the_discussion_keeps_its_own_message_id_and_its_writers_name(
    in_review: RegistrationRequest, outsider: User, expert: User, mail_server: MailServer
) -> None:
    Letter.objects.all().delete()
    asked = discussion.add_comment(
        in_review, author=outsider, text="Who assigns?", key=uuid.uuid4()
    )
    answer = discussion.add_comment(
        in_review, author=expert, text="The desk.", key=uuid.uuid4(), answers=asked
    )

    work()

    by_id = {letter["Message-ID"]: letter for _to, letter in mail_server.taken}
    assert set(by_id) == {asked.message_id, answer.message_id}
    letter = by_id[answer.message_id]
    assert letter["In-Reply-To"] == asked.message_id
    assert letter["References"] == f"<{in_review.reference}@registry.example> {asked.message_id}"
    assert letter["From"].addresses[0].display_name == "Ede Expert, by the URN Namespace Registry"
    body = letter.get_body(("plain",))
    assert body is not None
    assert body.get_content().startswith("Ede Expert wrote:\n\n  The desk.\n")
