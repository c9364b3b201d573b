"""Public request pages."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from registry import workflow
from registry.actions import discussion
from registry.enums import ChangeKind, RequestPath
from registry.models import Namespace, Organization, RegistrationRequest, User
from registry.template import write
from registry.workflow import drafts
from tests.factories import (
    NamespaceFactory,
    OrganizationFactory,
    create_sent_requests,
    let_ask_often,
    start,
)
from tests.template.samples import FORMAL, INFORMAL
from tests.web.pages import text_of

pytestmark = pytest.mark.django_db

SignIn = Callable[[User], Client]


def page(registration_request: RegistrationRequest, rest: str = "") -> str:
    return registration_request.get_absolute_url() + rest


def send_again(registration_request: RegistrationRequest, author: User, text: str) -> None:
    draft = registration_request.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": text}, seen=draft.edition)
    workflow.perform(registration_request, "submit", actor=author, comment="Answered.")


@pytest.fixture
def second_round(
    in_review: RegistrationRequest, registrant: User, expert: User
) -> RegistrationRequest:
    """A request in review for the second time, with one section changed."""
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    send_again(in_review, registrant, "Anybody may join.")
    return in_review


# The list


def sent(author: User, name: str, path: RequestPath = RequestPath.COMMUNITY) -> RegistrationRequest:
    text = INFORMAL if path == RequestPath.INFORMAL else FORMAL
    made = start(author, OrganizationFactory.create(name=name), text, path)
    workflow.perform(made, "submit", actor=author)
    return made


def listed(response: Any) -> list[str]:
    return [row.registration_request.reference for row in response.context["rows"]]


def test_list_shows_what_was_sent_and_no_draft(
    client: Client, in_review: RegistrationRequest, informal_draft: RegistrationRequest
) -> None:
    response = client.get("/requests/")

    assert listed(response) == [in_review.reference]
    assert informal_draft.reference not in text_of(response)


def test_list_says_whose_turn_it_is(
    client: Client, registrant: User, expert: User, in_review: RegistrationRequest
) -> None:
    untaken = sent(registrant, "Tidewater Buoy Cooperative", RequestPath.INFORMAL)

    rows = client.get("/requests/").context["rows"]

    assert {row.registration_request.reference: row.waiting.who for row in rows} == {
        untaken.reference: "the lead expert, to assign experts",
        in_review.reference: "the designated expert Ede Expert",
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["informal", "withdrawn", "formal"]),
        ({"state": "open"}, ["informal", "formal"]),
        ({"state": "withdrawn"}, ["withdrawn"]),
        ({"path": "informal"}, ["informal"]),
        ({"state": "open", "path": "community"}, ["formal"]),
        ({"change": "revision"}, []),
        ({"turn": "lead"}, ["informal", "formal"]),
        ({"turn": "experts"}, []),
        ({"turn": "registrar"}, []),
        ({"state": "nonsense"}, ["informal", "withdrawn", "formal"]),
    ],
)
def test_list_is_narrowed_by_state_change_and_path(
    client: Client, registrant: User, query: dict[str, str], found: list[str]
) -> None:
    made = {"formal": sent(registrant, "One"), "withdrawn": sent(registrant, "Two")}
    workflow.perform(made["withdrawn"], "withdraw", actor=registrant)
    made["informal"] = sent(registrant, "Three", RequestPath.INFORMAL)

    response = client.get("/requests/", query)

    assert listed(response) == [made[name].reference for name in found]


@pytest.mark.parametrize("turn", ["lead", "experts", "registrant", "registrar"])
def test_list_is_narrowed_by_whose_turn_it_is(client: Client, registrar: User, turn: str) -> None:
    requests = create_sent_requests(5)
    requests[4].assignments.all().delete()
    turns = ("experts", "registrant", "registrar", "standards", "lead")
    made = dict(zip(turns, requests, strict=True))

    response = client.get("/requests/", {"turn": turn})

    assert listed(response) == [made[turn].reference]
    assert [row.waiting.turn for row in response.context["rows"]] == [turn]


def test_late_request_says_so_in_words(client: Client, in_review: RegistrationRequest) -> None:
    with time_machine.travel(datetime.timedelta(days=30)):
        words = text_of(client.get("/requests/"))

    assert "2 days late" in words


def test_requests_for_one_name_are_marked_on_both_pages_and_in_the_list(
    client: Client, registrant: User, in_review: RegistrationRequest
) -> None:
    rival = sent(registrant, "Tidewater Buoy Cooperative")

    rows = client.get("/requests/").context["rows"]
    first, second = (text_of(client.get(page(each))) for each in (in_review, rival))
    workflow.perform(rival, "withdraw", actor=registrant)
    after = text_of(client.get(page(in_review)))

    assert {row.registration_request.reference: row.rivals for row in rows} == {
        in_review.reference: [rival.reference],
        rival.reference: [in_review.reference],
    }
    assert f"Request {rival.reference}" in first
    assert f"Request {in_review.reference}" in second
    assert ["Contended" in page_text for page_text in (first, second, after)] == [True, True, False]


def test_list_makes_no_more_queries_for_more_requests(client: Client, registrant: User) -> None:
    let_ask_often(registrant)
    sent(registrant, "One")
    sent(registrant, "Another", RequestPath.INFORMAL)
    with CaptureQueriesContext(connection) as few:
        client.get("/requests/")

    for number in range(5):
        sent(registrant, f"Body {number}", RequestPath.INFORMAL)
    with CaptureQueriesContext(connection) as many:
        response = client.get("/requests/")

    assert len(listed(response)) == 7
    assert len(many) == len(few)


def test_empty_list_leads_to_what_to_do(client: Client) -> None:
    def next_step(query: dict[str, str]) -> str:
        page = client.get("/requests/", query).content.decode()
        return page.partition('class="empty"')[2].partition("</main>")[0]

    assert 'href="/requests/new/"' in next_step({})
    assert 'href="/requests/"' in next_step({"state": "open"})


# The page of a request


def test_page_says_where_the_request_stands_and_until_when(
    client: Client, in_review: RegistrationRequest
) -> None:
    response = client.get(page(in_review))

    words = text_of(response)
    assert f"urn:seedbank {in_review.summary} In review" in words
    assert "Ede Expert since" in words
    assert "Promised by" in words
    assert [(stage.name, stage.done, stage.current) for stage in response.context["stages"]] == [
        ("Received", True, False),
        ("Round 1, in review", False, True),
        ("Decision", False, False),
        ("Registration", False, False),
    ]


def test_page_of_a_registered_request_folds_how_it_was_decided(
    client: Client, approved: RegistrationRequest, registrar: User
) -> None:
    before = client.get(page(approved)).content.decode()
    workflow.perform(approved, "register", actor=registrar, references=["RFC 5328"])

    folded = client.get(page(approved)).content.decode().partition('id="how-decided"')[2]

    assert 'id="how-decided"' not in before
    for panel in ('id="checks"', 'id="rounds"'):
        assert panel in before
        assert panel in folded.partition("</details>")[0]


def test_page_shows_what_changed_last_and_the_reasons_given(
    client: Client, second_round: RegistrationRequest
) -> None:
    response = client.get(page(second_round))

    words = text_of(response)
    assert [section.label for section in response.context["differences"]] == ["Assignment"]
    reasons = second_round.events.get(verb="request_changes").comment
    assert reasons in words.partition("Ede Expert [Designated expert]")[2]
    for each in second_round.rounds.sent():
        assert each.sha256 in words
    assert [stage.name for stage in response.context["stages"]] == [
        "Received",
        "Round 1",
        "Round 2, in review",
        "Decision",
        "Registration",
    ]


def test_open_page_is_told_of_the_next_round(
    client: Client, in_review: RegistrationRequest, registrant: User, expert: User
) -> None:
    drawn = client.get(page(in_review)).content.decode()
    [asks] = re.findall(r'data-hx-get="([^"]+)" data-hx-trigger="every 60s"', drawn)
    asks = unescape(asks)

    same = client.get(asks)
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    changed = client.get(asks)
    send_again(in_review, registrant, "Anybody may join.")
    arrived = client.get(asks)

    assert (same.status_code, same.content) == (204, b"")
    assert changed.status_code == arrived.status_code == 286
    assert "has changed" in text_of(changed)
    assert "Round 2" in text_of(arrived)


def test_comment_does_not_make_a_page_old(
    client: Client, in_review: RegistrationRequest, outsider: User
) -> None:
    asks = f"{page(in_review)}fresh/?seen={in_review.revision}&round=1"

    discussion.add_comment(in_review, author=outsider, text="Why?", key=uuid.uuid4())

    assert client.get(asks).status_code == 204


def test_page_of_an_ended_request_polls_no_more(
    client: Client, in_review: RegistrationRequest, registrant: User
) -> None:
    live = client.get(page(in_review)).content.decode()
    workflow.perform(in_review, "withdraw", actor=registrant)
    ended = client.get(page(in_review)).content.decode()

    assert ["every 60s" in drawn for drawn in (live, ended)] == [True, False]


def test_change_of_facts_shows_before_and_after_instead_of_the_text(
    client: Client, registrant: User, organization: Organization
) -> None:
    namespace = NamespaceFactory.create(contact="desk@old.example", registrant=organization)
    asked = drafts.start_request(
        author=registrant,
        path=RequestPath.COMMUNITY,
        organization=organization,
        summary="Another desk",
        namespace=namespace,
        change=ChangeKind.CONTACT,
    )
    draft = asked.draft
    assert draft is not None
    drafts.save_draft_facts(draft, {"contact": "desk@new.example"}, seen=draft.edition)
    workflow.perform(asked, "submit", actor=registrant)

    response = client.get(page(asked))

    words = text_of(response)
    assert "Requested change" in words
    assert "desk@old.example" in words
    assert "desk@new.example" in words
    assert "differences" not in response.context


def test_informal_request_has_no_number_before_it_is_registered(
    client: Client, informal_approved: RegistrationRequest, registrar: User
) -> None:
    before = text_of(client.get(page(informal_approved)))
    workflow.perform(informal_approved, "register", actor=registrar)
    after = client.get(page(informal_approved))

    namespace = Namespace.objects.get()
    assert "urn-N" not in before
    assert "not yet assigned" in before
    assert f'href="{namespace.get_absolute_url()}"' in after.content.decode()


def test_withdrawn_request_ends_there(
    client: Client, in_review: RegistrationRequest, registrant: User
) -> None:
    reason = "Not needed any more."
    workflow.perform(in_review, "withdraw", actor=registrant, comment=reason)

    response = client.get(page(in_review))

    assert "Waiting for" not in text_of(response)
    assert reason in text_of(response)
    assert [stage.name for stage in response.context["stages"]][-1] == "Withdrawn"


def test_address_in_capitals_leads_to_the_permanent_one(
    client: Client, in_review: RegistrationRequest
) -> None:
    response = client.get(f"/requests/{in_review.reference}/")

    assert (response.status_code, response.headers["Location"]) == (301, page(in_review))


@pytest.mark.parametrize("rest", ["", "template/", "history/", "changes/1..1/"])
def test_request_is_public_with_its_first_round(
    client: Client, draft: RegistrationRequest, registrant: User, rest: str
) -> None:
    before = client.get(page(draft, rest))
    workflow.perform(draft, "submit", actor=registrant)
    after = client.get(page(draft, rest))

    assert (before.status_code, after.status_code) == (404, 200)


def test_next_draft_is_not_public(
    client: Client, in_review: RegistrationRequest, expert: User
) -> None:
    workflow.perform(in_review, "request_changes", actor=expert, comment="Say who may join.")
    draft = in_review.draft
    assert draft is not None
    drafts.save_draft(draft, {"purpose": "A secret until it is sent."}, seen=0)

    for rest in ("", "template/", "history/"):
        assert "A secret until" not in text_of(client.get(page(in_review, rest)))
    for rest in ("template/?round=2", "changes/1..2/"):
        assert client.get(page(in_review, rest)).status_code == 404


@pytest.mark.parametrize(
    ("person", "steps"),
    [
        ("outsider", []),
        ("registrant", ["Change the path", "Withdraw", "Invite co-editors"]),
        ("expert", ["Open the review page"]),
        ("lead", ["Open the review page", "Extend the date", "Change the path"]),
        ("registrar", ["Record evidence"]),
    ],
)
def test_steps_offered_are_those_of_each_person(
    request: pytest.FixtureRequest,
    sign_in: SignIn,
    in_review: RegistrationRequest,
    person: str,
    steps: list[str],
) -> None:
    response = sign_in(request.getfixturevalue(person)).get(page(in_review))

    assert [str(step.label) for step in response.context["steps"]] == steps


def test_steps_lead_registrants_to_the_editor_and_registrars_to_publishing(
    sign_in: SignIn,
    registrant: User,
    registrar: User,
    approved: RegistrationRequest,
    informal_draft: RegistrationRequest,
) -> None:
    writing = sign_in(registrant).get(page(informal_draft)).context["steps"]
    publishing = sign_in(registrar).get(page(approved)).context["steps"]

    assert [step.url for step in writing] == [
        page(informal_draft, "edit/identifier/"),
        page(informal_draft, "send/"),
        page(informal_draft, "act/reroute/"),
        page(informal_draft, "act/withdraw/"),
        page(informal_draft, "people/"),
    ]
    assert [step.url for step in publishing] == [
        page(approved, "act/record_evidence/"),
        reverse("publish:detail", args=[approved.slug]),
        page(approved, "act/appeal/"),
    ]


def test_markup_in_reasons_is_text(
    client: Client, in_review: RegistrationRequest, expert: User
) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    workflow.perform(in_review, "decline", actor=expert, comment=hostile)

    for rest in ("", "history/"):
        assert "<img" not in client.get(page(in_review, rest)).content.decode()
        assert "&lt;img src=x" in client.get(page(in_review, rest)).content.decode()


# Text, changes, history


def test_text_of_any_round_is_at_its_address(
    client: Client, second_round: RegistrationRequest
) -> None:
    last = client.get(page(second_round, "template/"))
    first = client.get(page(second_round, "template/?round=1"))

    assert (last.context["round"].number, first.context["round"].number) == (2, 1)
    assert "Anybody may join." in text_of(last)
    assert "Anybody may join." not in text_of(first)
    assert first.context["round"].sha256 in text_of(first)


def test_round_is_downloaded_as_plain_text(
    client: Client, second_round: RegistrationRequest
) -> None:
    response = client.get(page(second_round, "template/?round=1&format=txt"))

    assert response.content.decode() == write(second_round.rounds.get(number=1).template)
    assert f"{second_round.slug}-round-1.txt" in response.headers["Content-Disposition"]


@pytest.mark.parametrize(
    "rest", ["template/?round=3", "template/?round=x", "changes/1..3/", "changes/0..1/"]
)
def test_round_that_was_never_sent_is_not_found(
    client: Client, second_round: RegistrationRequest, rest: str
) -> None:
    assert client.get(page(second_round, rest)).status_code == 404


def test_rounds_are_compared_the_older_first(
    client: Client, second_round: RegistrationRequest
) -> None:
    turned = client.get(page(second_round, "changes/2..1/"))
    response = client.get(turned.headers["Location"])

    assert turned.headers["Location"] == page(second_round, "changes/1..2/")
    assert [section.field for section in response.context["differences"]] == ["assignment"]
    assert response.context["unchanged"] == 22


def test_history_has_every_event_with_its_actor_and_states(
    client: Client, second_round: RegistrationRequest, expert: User
) -> None:
    workflow.perform(second_round, "approve", actor=expert, comment="Sound.")

    response = client.get(page(second_round, "history/"))

    lines = [act.line for act in response.context["acts"]]
    assert [(line.event.actor_name, line.event.verb, line.target) for line in lines] == [
        ("Runa Registrant", "start", "Draft"),
        ("Runa Registrant", "submit", "In review"),
        ("Ede Expert", "assign", "In review"),
        ("Ede Expert", "request_changes", "Changes asked for"),
        ("Runa Registrant", "submit", "In review"),
        ("Ede Expert", "approve", "Approved"),
    ]
    assert all(line.words in text_of(response) for line in lines)
    assert lines[-1].event.digest[:12] in text_of(response)


def test_verbs_have_words_for_the_history() -> None:
    assert [each.verb for each in workflow.TRANSITIONS if not each.done] == []
