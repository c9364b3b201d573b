"""The content of a letter, and the headers that mail programs use."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from registry import workflow
from registry.actions import discussion
from registry.actions.follows import FollowTarget, start_following
from registry.enums import RemarkWeight, Settlement, State, Turn
from registry.models import Follow, Letter, Organization, RegistrationRequest, User
from registry.notifications.letters import (
    build_letter_key,
    describe_follow,
    find_letter_host,
    find_letter_path,
    find_signed_person,
    find_turn_url,
    format_fact,
    shorten_subject,
    sign_person,
    wrap_letter_line,
)
from registry.selectors.turns import find_current_turn
from registry.workflow.events import record_event
from tests.factories import NamespaceFactory
from tests.notifications.conftest import work
from tests.notifications.smtp import MailServer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailing_list")]


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


def test_letter_tells_what_happened_why_whose_turn_it_is_and_what_happens_then(
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


def test_text_that_people_wrote_is_text_in_the_html_too(declined: RegistrationRequest) -> None:
    letter = Letter.objects.get(event__verb="decline", recipient=declined.author)

    assert "&lt;b&gt;And&lt;/b&gt;" in letter.html
    assert f'<a href="https://registry.example/requests/{declined.slug}/">' in letter.html


def test_promise_is_told_with_its_day(draft: RegistrationRequest, lead: User) -> None:
    workflow.perform(draft, "submit", actor=draft.author)

    letter = Letter.objects.get(recipient=lead)

    assert (draft.state, "Promised by " in letter.text) == (State.IN_REVIEW, True)


def test_all_letters_about_a_request_stand_in_one_thread(
    declined: RegistrationRequest, mail_server: MailServer
) -> None:
    work()

    letters = [letter for _to, letter in mail_server.taken]
    first: dict[str, str] = {}
    for to, letter in mail_server.taken:
        root = first.setdefault(to[0], letter["Message-ID"])
        place = None if root == letter["Message-ID"] else root
        assert (letter["In-Reply-To"], letter["References"]) == (place, place)
    assert len({letter["Message-ID"] for letter in letters}) == len(letters) > len(first) >= 3
    [list_id] = {letter["List-Id"] for letter in letters}
    assert list_id.endswith(" <requests.registry.example>")
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


def test_letter_comes_as_plain_text_and_as_html(
    declined: RegistrationRequest, mail_server: MailServer
) -> None:
    work()

    letter = next(letter for to, letter in mail_server.taken if to == [declined.author.email])
    parts = [part.get_content_type() for part in letter.walk()]
    assert parts == ["multipart/alternative", "text/plain", "text/html"]


def test_message_of_the_discussion_keeps_its_own_message_id_and_its_writers_name(
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

    # The list also gets the text of the request, since no letter contains it any more.
    by_id = {
        letter["Message-ID"]: letter
        for to, letter in mail_server.taken
        if to != ["urn-list@lists.example"]
    }
    assert set(by_id) == {asked.message_id, answer.message_id}
    letter = by_id[answer.message_id]
    assert letter["In-Reply-To"] == asked.message_id
    assert letter["References"] == asked.message_id
    assert letter["From"].addresses[0].display_name.startswith("Ede Expert, ")
    body = letter.get_body(("plain",))
    assert body is not None
    assert body.get_content().startswith("Ede Expert wrote:\n\n  The desk.\n")


def test_decision_points_at_the_remarks_that_are_open(
    in_review: RegistrationRequest, expert: User
) -> None:
    last = in_review.last_round
    assert last is not None
    for number, settlement in enumerate((Settlement.DROPPED, Settlement.OPEN), start=1):
        in_review.remarks.create(
            round=last,
            number=number,
            author=expert,
            made_at=timezone.now(),
            section="purpose",
            weight=RemarkWeight.MUST_FIX,
            text=f"Remark {number}.",
            settlement=settlement,
        )

    workflow.perform(in_review, "request_changes", actor=expert, comment="See below.")

    letter = Letter.objects.get(event__verb="request_changes", recipient=in_review.author)
    assert ("Remark 1." in letter.text, "Remark 2." in letter.text) == (False, True)


def test_letter_leads_to_what_it_tells_of(
    in_review: RegistrationRequest, organization: Organization, registrar: User
) -> None:
    namespace = NamespaceFactory.create(nid="isbn")
    with transaction.atomic():
        paths = [
            find_letter_path(record_event(subject, actor=registrar, verb="change", data=data))
            for subject, data in (
                (in_review, {}),
                (namespace, {}),
                (organization, {"organization_id": organization.pk}),
                (organization, {}),
            )
        ]

    assert paths == [
        in_review.get_absolute_url(),
        "/namespaces/isbn/",
        organization.get_absolute_url(),
        "/",
    ]


@pytest.mark.parametrize(
    ("state", "turn", "page"),
    [
        (State.IN_REVIEW, Turn.EXPERTS, "/review/{}/"),
        (State.IN_REVIEW, Turn.LEAD, "/review/{}/assign/"),
        (State.APPROVED, Turn.REGISTRAR, "/publish/{}/"),
        (State.IN_REVIEW, Turn.STANDARDS_BODY, "/review/{}/assign/"),
        (State.APPROVED, Turn.STANDARDS_BODY, "/publish/{}/"),
        (State.REPORTED, Turn.STANDARDS_BODY, "/direction/{}/"),
        (State.APPEALED, Turn.STANDARDS_BODY, "/direction/{}/"),
        (State.DECLINED, Turn.REGISTRANT, "/requests/{}/"),
        (State.APPROVED, Turn.REGISTRANT, "/requests/{}/"),
    ],
)
def test_letter_leads_those_whose_turn_it_is_to_their_buttons(
    in_review: RegistrationRequest, state: State, turn: Turn, page: str
) -> None:
    in_review.state = state
    waiting = replace(find_current_turn(in_review), turn=turn)

    assert find_turn_url(in_review, waiting) == "https://registry.example" + page.format(
        in_review.slug
    )


@pytest.mark.parametrize(
    ("line", "wrapped"),
    [
        ("abc" + " de" * 23, "abc" + " de" * 23),
        ("abcd" + " de" * 23, "abcd" + " de" * 22 + "\nde"),
        ("  abcd" + " de" * 23, "  abcd" + " de" * 22 + "\n  de"),
        ("https://names.example/" + "a" * 80, "https://names.example/" + "a" * 80),
        ("well-known " * 8, ("well-known " * 6).strip() + "\nwell-known well-known"),
    ],
)
def test_line_is_broken_between_words_where_it_is_longer_than_72(line: str, wrapped: str) -> None:
    assert wrap_letter_line(line) == wrapped


@pytest.mark.parametrize(("length", "is_whole"), [(200, True), (201, False)])
def test_subject_is_cut_where_it_is_too_long_for_a_list(length: int, is_whole: bool) -> None:
    subject = ("word " * 60)[: length - 4] + "ends"
    assert len(subject) == length

    short = shorten_subject(subject)

    assert (short == subject) is is_whole
    assert len(short) <= 200
    assert short.endswith("…") is not is_whole


@pytest.mark.parametrize(
    ("address", "host"), [("https://registry.example:8443/", "registry.example"), ("", "localhost")]
)
def test_message_ids_end_with_the_host_of_the_site(
    address: str, host: str, settings: Settings
) -> None:
    settings.SITE = address

    assert find_letter_host() == host


@pytest.mark.parametrize(
    ("length", "is_spelled"), [(200, True), (201, False)], ids=["as it is", "by its digest"]
)
def test_key_of_a_letter_has_room_in_its_column(
    in_review: RegistrationRequest, length: int, is_spelled: bool
) -> None:
    event = in_review.events.latest("number")
    address = "A" * (length - len(f"{event.number}:"))

    key = build_letter_key(event, address)

    assert (key == f"{event.number}:{address.lower()}") is is_spelled
    assert key.startswith(f"{event.number}:")
    assert len(key) <= 200


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        ("Desk\n  12 Mill Lane ", "Desk, 12 Mill Lane"),
        (["RFC 8141", "RFC 3187"], "RFC 8141, RFC 3187"),
        ([], "(nothing)"),
        ("", "(nothing)"),
        (None, "(nothing)"),
    ],
)
def test_fact_is_told_on_one_line(fact: object, line: str) -> None:
    assert format_fact(fact) == line


def test_follower_is_told_what_they_follow(in_review: RegistrationRequest, outsider: User) -> None:
    follows = [
        Follow(person=outsider, registration_request=in_review),
        Follow(person=outsider, nid="isbn"),
        Follow(person=outsider),
    ]

    assert [describe_follow(each) for each in follows] == [
        f"You follow the request {in_review.reference}.",
        "You follow urn:isbn.",
        "You follow everything in the registry.",
    ]


def test_only_the_word_that_was_made_for_a_person_ends_their_letters(outsider: User) -> None:
    word = sign_person(outsider)

    assert find_signed_person(word) == outsider
    assert find_signed_person(f"{outsider.pk + 1}{word[word.index(':') :]}") is None
    assert find_signed_person("") is None
