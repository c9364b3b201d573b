"""Requests as programs read and write them: the list, single ones, drafts, the discussion."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from registry import workflow
from registry.actions import discussion, remarks
from registry.enums import (
    ChangeKind,
    RemarkWeight,
    RequestPath,
    State,
)
from registry.models import Message, Organization, RegistrationRequest, User
from registry.workflow import drafts
from registry.workflow.drafts import MAX_OPEN_DRAFTS
from tests.api.clients import Program
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    RequestFactory,
    UserFactory,
    formal_text,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.small_changes import send
from tests.template.samples import FORMAL
from tests.web.test_as_of_now import hold_back, send_revision

pytestmark = pytest.mark.django_db

READ = "/api/v1/requests/"


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Reset the counts of earlier tests."""
    cache.clear()


def references(answer: Any) -> list[str]:
    """Return the references in a list."""
    return [each["reference"] for each in answer.json()["results"]]


def say(registration_request: RegistrationRequest, author: User, text: str) -> Message:
    """Write a public message."""
    return discussion.add_comment(registration_request, author=author, text=text, key=uuid.uuid4())


def remark(registration_request: RegistrationRequest, expert: User, text: str = "Say why.") -> None:
    """Remark on a whole section."""
    remarks.add_remark(
        registration_request,
        actor=expert,
        round_number=1,
        section="purpose",
        weight=RemarkWeight.MUST_FIX,
        text=text,
    )


# The list


def test_list_has_what_is_public_and_what_is_mine(
    sent: RegistrationRequest, registrant: User, organization: Organization, client: Client
) -> None:
    mine = start(registrant, organization, formal_text("another"), RequestPath.COMMUNITY)

    assert references(client.get(READ)) == [sent.reference]
    assert references(Program.of(registrant).get("")) == [mine.reference, sent.reference]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"nid": "SEEDBANK"}, True),
        ({"nid": "seed"}, False),
        ({"state": "open"}, True),
        ({"state": "in_review"}, True),
        ({"state": "approved"}, False),
        ({"change": "new", "path": "community"}, True),
        ({"path": "informal"}, False),
        ({"turn": "lead"}, True),
        ({"turn": "experts"}, False),
        ({"nid": "é"}, False),
    ],
)
def test_list_is_narrowed(
    asked: dict[str, str], found: bool, sent: RegistrationRequest, client: Client
) -> None:
    assert references(client.get(READ, asked)) == ([sent.reference] if found else [])


def test_filter_that_is_not_known_is_pointed_at(client: Client) -> None:
    response = client.get(READ, {"state": "lost"})

    assert (response.status_code, list(response.json()["errors"])) == (400, ["state"])


def test_each_of_the_list_says_for_whom_it_waits(
    in_review: RegistrationRequest, client: Client
) -> None:
    (told,) = client.get(READ).json()["results"]

    assert told["state_word"] == "In review"
    assert "Ede Expert" in told["waiting"]["who"]
    assert told["waiting"]["turn"] == "experts"
    assert told["waiting"]["days_late"] == 0
    assert all("%" not in each["words"] for each in told["waiting"]["otherwise"])
    assert "verbs" not in told


@pytest.mark.whole
def test_list_asks_the_database_as_often_for_many(
    registrant: User,
    expert: User,
    organization: Organization,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    let_ask_often(registrant)
    for n in range(12):
        each = start(registrant, organization, formal_text(f"many{n}a"), RequestPath.COMMUNITY)
        workflow.perform(each, "submit", actor=registrant)
        workflow.perform(each, "assign", actor=expert)

    with django_assert_num_queries(15):
        whole = client.get(READ)
    with django_assert_num_queries(15):
        part = client.get(READ, {"page_size": 2})

    assert (len(references(whole)), len(references(part))) == (12, 2)


@pytest.mark.whole
def test_list_says_why_each_cannot_be_registered_as_each_itself_does(
    sent: RegistrationRequest,
    registrar: User,
    outsider: User,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """A held NID, texts without the holder's consent, and one without obstacles."""

    let_ask_often(outsider)

    def ask(count: int) -> None:
        for _n in range(count):
            holder = OrganizationFactory.create()
            let_speak_for(holder, UserFactory.create())
            namespace = NamespaceFactory.create(registrant=holder, last_known_version="1")
            send_revision(namespace, outsider)
            send(namespace, ChangeKind.CONTACT, outsider, OrganizationFactory.create())

    ask(1)
    with CaptureQueriesContext(connection) as of_three:
        before = client.get(READ, {"sort": "started"}).json()["results"]
    ask(4)
    hold_back("seedbank", registrar)

    with django_assert_num_queries(len(of_three)):
        listed = client.get(READ, {"sort": "started"}).json()["results"]

    assert before[0]["publication_obstacles"] == []
    kinds = [[each["kind"] for each in row["publication_obstacles"]] for row in listed]
    assert kinds == [["held_nid"], *[["consent"]] * 10]
    for row in listed:
        (obstacle,) = row["publication_obstacles"]
        alone = client.get(f"{READ}{row['reference']}/").json()
        assert alone["publication_obstacles"] == [obstacle]
        is_holders = obstacle["kind"] == "consent"
        assert row["missing_consent"] == (obstacle["message"] if is_holders else None)


# Single requests


def test_request_is_read_in_any_case_with_all_there_is_to_read(
    in_review: RegistrationRequest, expert: User, outsider: User, client: Client
) -> None:
    remark(in_review, expert)
    say(in_review, outsider, "A good thing.")

    response = client.get(f"{READ}{in_review.reference}/")

    told = response.json()
    in_review.refresh_from_db()
    assert response.headers["ETag"].startswith(f'"{in_review.revision}-')
    assert told["rounds"][0]["template"]["purpose"] == FORMAL["purpose"]
    assert told["rounds"][0]["template"]["examples"] == list(FORMAL.examples)
    assert told["rounds"][0]["template"]["revision_information"] is None
    assert len(told["rounds"][0]["sha256"]) == 64
    assert (told["remarks"][0]["text"], told["remarks"][0]["author"]) == ("Say why.", "Ede Expert")
    assert told["messages"][0]["text"] == "A good thing."
    assert told["verbs"] == []
    assert told["links"]["draft"] is None
    assert [each["verb"] for each in told["events"]] == [
        "start",
        "submit",
        "assign",
        "remark",
        "comment",
    ]
    assert told == client.get(f"{READ}{in_review.slug}/").json()


def test_no_mail_address_is_told(
    in_review: RegistrationRequest, expert: User, lead: User, client: Client
) -> None:
    say(in_review, expert, "A word.")

    for program in (Program(client), Program.of(lead), Program.of(expert)):
        assert "people.example" not in program.get(f"{in_review.slug}/").content.decode()


def test_hidden_message_keeps_its_place_and_not_its_text(
    in_review: RegistrationRequest, outsider: User, lead: User, client: Client
) -> None:
    message = say(in_review, outsider, "Rude.")
    discussion.hide_message(message, moderator=lead, reason="Rude words.")

    (public,) = client.get(f"{READ}{in_review.slug}/messages/").json()["results"]
    (own,) = Program.of(outsider).get(f"{in_review.slug}/messages/").json()["results"]

    assert (public["text"], public["hidden_by"], public["hidden_reason"]) == (
        None,
        "Lova Lead",
        "Rude words.",
    )
    assert own["text"] == "Rude."


def test_notes_among_experts_are_not_in_it(
    in_review: RegistrationRequest, expert: User, client: Client
) -> None:
    discussion.add_note(in_review, author=expert, text="Between us.", key=uuid.uuid4())

    for program in (Program(client), Program.of(expert)):
        assert program.get(f"{in_review.slug}/").json()["messages"] == []


@pytest.mark.parametrize("person", ["", "expert", "registrar"])
def test_draft_is_not_found_by_others(
    person: str, draft: RegistrationRequest, request: pytest.FixtureRequest
) -> None:
    program = Program.of(request.getfixturevalue(person)) if person else Program(Client())
    assert Program.of(draft.author).get(f"{draft.slug}/").status_code == 200

    answers = [program.get(f"{draft.slug}/"), program.get(f"{draft.slug}/draft/")]

    assert [each.status_code for each in answers] == [404, 404]
    assert answers[0].headers["Content-Type"] == "application/problem+json"
    assert references(program.get("")) == []


def test_draft_begun_after_a_round_is_not_told(
    in_review: RegistrationRequest, expert: User, registrant: User, client: Client
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="More.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "Not yet public."}, seen=draft.edition)

    mine = Program.of(registrant).get(f"{in_review.slug}/draft/").json()
    public = client.get(f"{READ}{in_review.slug}/")

    assert mine["template"]["purpose"] == "Not yet public."
    assert "Not yet public." not in public.content.decode()
    assert client.get(f"{READ}{in_review.slug}/draft/").status_code == 404


def test_rivals_are_told(
    sent: RegistrationRequest, outsider: User, organization: Organization, client: Client
) -> None:
    rival = start(outsider, organization, FORMAL, RequestPath.COMMUNITY)
    workflow.perform(rival, "submit", actor=outsider)

    told = client.get(f"{READ}{sent.slug}/").json()

    assert told["contended_with"] == [rival.reference]


# Starting


def asked(**changes: Any) -> dict[str, Any]:
    """Return the input that starts a formal request."""
    return {
        "path": "community",
        "organization": "Some Body",
        "nid": "somebody",
        "summary": "Things of some body",
        "standards_action": False,
        **changes,
    }


def test_request_sent_twice_with_one_key_is_started_once(registrant: User) -> None:
    program, key = Program.of(registrant), str(uuid.uuid4())

    first, second = (program.post("", asked(key=key)) for _ in range(2))

    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["reference"] == second.json()["reference"]
    assert first.json()["state"] == "draft"
    assert RegistrationRequest.objects.count() == 1


def test_start_accepts_the_key_of_a_request_of_somebody_else(
    draft: RegistrationRequest, outsider: User
) -> None:
    answer = Program.of(outsider).post("", asked(key=str(draft.start_key)))

    assert answer.status_code == 201
    assert RegistrationRequest.objects.filter(start_key=draft.start_key).count() == 2


def test_start_says_that_there_are_too_many_drafts(
    outsider: User, organization: Organization
) -> None:
    RequestFactory.create_batch(MAX_OPEN_DRAFTS, author=outsider, organization=organization)

    answer = Program.of(outsider).post("", asked())

    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("You have 20 open drafts")


def test_requests_that_the_page_would_not_start_are_not_started(registrant: User) -> None:
    program = Program.of(registrant)

    wrong = program.post("", asked(nid="x-no", summary=""))
    unknown = program.post("", {"path": "revision", "namespace": "nothing"})

    assert list(wrong.json()["errors"]) == ["summary", "nid"]
    assert "X-" in wrong.json()["errors"]["nid"][0] or "x-" in wrong.json()["errors"]["nid"][0]
    assert "organization" in unknown.json()["errors"]
    assert not RegistrationRequest.objects.exists()


def test_change_of_facts_is_started_and_written(registrant: User) -> None:
    NamespaceFactory.create(nid="old", contact="desk@old.example")
    program = Program.of(registrant)
    said = {"path": "facts", "namespace": "OLD", "change": "contact", "organization": "Old Body"}

    started = program.post("", said).json()
    reference = started["reference"].lower()
    draft = program.get(f"{reference}/draft/").json()
    facts = {"facts": {"contact": "office@old.example"}}
    changed = program.patch(f"{reference}/draft/", facts, draft["edition"])
    text = program.patch(f"{reference}/draft/", {"template": {"purpose": "x"}}, 1)
    other = program.patch(f"{reference}/draft/", {"facts": {"status": "obsolete"}}, 1)

    assert (started["change"], draft["facts"]) == (
        ChangeKind.CONTACT,
        {"contact": "desk@old.example"},
    )
    assert changed.json()["facts"] == {"contact": "office@old.example"}
    assert changed.headers["ETag"] == '"1"'
    assert (text.status_code, "text" in text.json()["detail"]) == (400, True)
    assert list(other.json()["errors"]) == ["facts.status"]


def test_rename_of_a_body_that_holds_no_namespace_names_none(registrant: User) -> None:
    OrganizationFactory.create(name="Old Body")
    program = Program.of(registrant)
    said = {"path": "facts", "change": "rename", "organization": "Old Body"}

    started = program.post("", said).json()
    reference = started["reference"].lower()
    draft = program.get(f"{reference}/draft/").json()
    facts = {"facts": {"registrant": "New Body", "source": "Statutes"}}
    written = program.patch(f"{reference}/draft/", facts, draft["edition"]).json()

    assert (started["change"], started["namespace"]) == (ChangeKind.RENAME, None)
    assert draft["facts"] == {"registrant": "Old Body"}
    assert written["facts"] == facts["facts"]


# The draft


def test_findings_come_with_what_is_written(draft: RegistrationRequest, registrant: User) -> None:
    program = Program.of(registrant)
    edition = program.get(f"{draft.slug}/draft/").json()["edition"]

    answer = program.patch(f"{draft.slug}/draft/", {"template": {"purpose": ""}}, edition)

    told = answer.json()
    assert (told["edition"], told["template"]["purpose"]) == (edition + 1, None)
    assert any(
        (each["section"], each["severity"]) == ("purpose", "block") for each in told["findings"]
    )


def test_lists_are_written_as_lists(draft: RegistrationRequest, registrant: User) -> None:
    program = Program.of(registrant)
    names = ["urn:seedbank:NVF/1", "urn:seedbank:NVF/2"]

    answer = program.patch(f"{draft.slug}/draft/", {"template": {"examples": names}}, 1)

    assert answer.json()["template"]["examples"] == names


def test_second_of_two_writers_is_told(draft: RegistrationRequest, registrant: User) -> None:
    program, text = Program.of(registrant), {"template": {"purpose": "One."}}

    first = program.patch(f"{draft.slug}/draft/", text, 1)
    second = program.patch(f"{draft.slug}/draft/", {"template": {"purpose": "Two."}}, 1)
    unsaid = program.patch(f"{draft.slug}/draft/", text)

    assert [each.status_code for each in (first, second, unsaid)] == [200, 412, 428]
    draft_now = draft.draft
    assert draft_now is not None
    assert draft_now.template["purpose"] == "One."


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ({"date": "2026-01-01"}, {"template.date": ["The registry fills this in."]}),
        ({"aim": "x"}, {"template.aim": ["Nothing of this name is asked for."]}),
        ({"purpose": ["x"]}, {"template.purpose": ["This is not a string."]}),
        ({"grammar_kind": "prose"}, ["grammar_kind"]),
        ({"nid": "a" * 300}, ["nid"]),
        ({"purpose": "\x07"}, ["purpose"]),
    ],
)
def test_invalid_draft_is_pointed_at(
    text: dict[str, Any], errors: Any, draft: RegistrationRequest, registrant: User
) -> None:
    answer = Program.of(registrant).patch(f"{draft.slug}/draft/", {"template": text}, 1)

    told = answer.json()["errors"]
    assert answer.status_code == 400
    assert (told if isinstance(errors, dict) else list(told)) == errors


def test_nothing_is_written_while_others_have_the_text(
    sent: RegistrationRequest, registrant: User
) -> None:
    answer = Program.of(registrant).patch(f"{sent.slug}/draft/", {}, 0)

    assert answer.status_code == 409
    assert str(State.IN_REVIEW.label) in answer.json()["detail"]


# Discussion


def test_comment_is_written_once_for_one_key(sent: RegistrationRequest, outsider: User) -> None:
    program, key = Program.of(outsider), str(uuid.uuid4())
    said = {"text": "A good thing.", "section": "purpose", "key": key}

    first, second = (program.post(f"{sent.slug}/messages/", said) for _ in range(2))
    answer = program.post(f"{sent.slug}/messages/", {"text": "Indeed.", "answers": 1})

    assert (first.status_code, first.json()["number"]) == (201, 1)
    assert second.json() == first.json()
    assert answer.json()["answers"] == 1


def test_comment_on_what_has_ended_is_refused(
    sent: RegistrationRequest, registrant: User, outsider: User
) -> None:
    workflow.perform(sent, "withdraw", actor=registrant)

    answer = Program.of(outsider).post(f"{sent.slug}/messages/", {"text": "But why?"})

    assert answer.status_code == 409
    assert "is closed" in answer.json()["detail"]


def test_remark_is_made_answered_and_dropped(
    in_review: RegistrationRequest, expert: User, registrant: User
) -> None:
    judge, author = Program.of(expert), Program.of(registrant)
    quote = FORMAL["purpose"].split(".")[0]
    said = {"round": 1, "section": "purpose", "quote": quote, "weight": "must_fix", "text": "Why?"}

    made = judge.post(f"{in_review.slug}/remarks/", said)
    judge.take(in_review.slug, "request_changes", comment="See the remark.")
    waiting = author.get(f"{in_review.slug}/draft/").json()["remarks"]
    answer = {"settlement": "explained", "text": "Because."}
    answered = author.post(f"{in_review.slug}/remarks/1/answer/", answer)
    overtaken = author.post(
        f"{in_review.slug}/remarks/1/answer/", {"settlement": "changed", "text": "No."}
    )
    public = Client().get(f"{READ}{in_review.slug}/remarks/").json()["results"]

    assert (made.status_code, made.json()["start"]) == (201, 0)
    assert waiting[0]["prepared"] == ":"
    assert answered.json()["prepared"] == "explained:Because."
    assert overtaken.status_code == 412
    assert (public[0]["settlement"], public[0]["answer"]) == ("open", None)
    assert "Because." not in str(public)


def test_remark_is_dropped_for_a_reason(in_review: RegistrationRequest, expert: User) -> None:
    remark(in_review, expert)
    program = Program.of(expert)

    silent = program.post(f"{in_review.slug}/remarks/1/drop/")
    dropped = program.post(f"{in_review.slug}/remarks/1/drop/", {"comment": "I misread."})
    opened = program.post(f"{in_review.slug}/remarks/1/reopen/", {"comment": "I did not."})

    assert list(silent.json()["errors"]) == ["comment"]
    assert dropped.json()["settlement"] == "dropped"
    assert opened.json()["settlement"] == "open"


def test_remark_on_words_that_are_not_there_is_pointed_at(
    in_review: RegistrationRequest, expert: User, outsider: User
) -> None:
    said = {"round": 1, "section": "purpose", "quote": "Nowhere", "weight": "advice", "text": "?"}

    wrong = Program.of(expert).post(f"{in_review.slug}/remarks/", said)
    other = Program.of(outsider).post(f"{in_review.slug}/remarks/", said)
    later = Program.of(expert).post(f"{in_review.slug}/remarks/", {**said, "round": 7})
    beyond = Program.of(expert).post(f"{in_review.slug}/remarks/", {**said, "round": 10**30})

    assert list(wrong.json()["errors"]) == ["quote"]
    assert (other.status_code, "expert" in other.json()["detail"]) == (409, True)
    assert beyond.json() == later.json()
    assert list(later.json()["errors"]) == ["round"]
    assert not in_review.remarks.exists()
