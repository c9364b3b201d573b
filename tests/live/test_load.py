"""32 people at once, over HTTP: no duplicate numbers, losses or errors, and losers are told."""

from __future__ import annotations

import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path as FilePath
from threading import Barrier
from typing import Any, Final

import pytest
from django.db.models import Max
from django.utils import timezone

from registry import journal, workflow
from registry.enums import RequestPath, Role
from registry.models import (
    Counter,
    Event,
    Letter,
    Namespace,
    Organization,
    RegistrationRequest,
    User,
)
from registry.selectors import list_rival_requests
from registry.template import Template
from tests.factories import (
    UserFactory,
    formal_text,
    let_ask_often,
    let_speak_for,
    start,
)
from tests.live.servers import PAUSE, Page, Visitor, gunicorn
from tests.template.samples import FORMAL, INFORMAL

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("mailing_list")]

CLIENTS: Final = 32
TOLD: Final = (
    "Your action was not done.",
    "Someone has acted on this request since you opened the page.",
    "There is no draft to send: it was sent, or the request ended.",
    "“seedbank” has just been registered.",
    "“seedbank” is registered already;",
)
"""The message to the loser, by where the two collided."""

Act = Callable[[], Page]
"""What one client does at the common moment; its page was opened before."""


@pytest.fixture
def site(tmp_path: FilePath) -> Iterator[str]:
    with gunicorn(tmp_path) as url:
        yield url


@pytest.fixture
def bring(registrant: User, organization: Organization, expert: User) -> Callable[..., Any]:
    """Return a function that sends a request, and has the expert approve it."""

    let_ask_often(registrant)
    # With its first namespace the organization is known, and consents to what is asked in its name.
    let_speak_for(organization, registrant)

    def brought(text: Template, path: RequestPath, *, approved: bool = True) -> RegistrationRequest:
        registration_request = start(registrant, organization, text, path)
        workflow.perform(registration_request, "submit", actor=registrant)
        workflow.perform(registration_request, "assign", actor=expert)
        # The text is registered once the list has it.
        Letter.objects.update(sent_at=timezone.now())
        if approved:
            rivals = list_rival_requests(registration_request)
            reasons = f"Sound, beside {', '.join(each.reference for each in rivals)}."
            workflow.perform(registration_request, "approve", actor=expert, comment=reasons)
        return registration_request

    return brought


def at_once(acts: list[Act]) -> list[Page]:
    """Do `acts` at the same moment, and again while too many wait; return each response."""
    barrier = Barrier(len(acts))

    def one(act: Act) -> Page:
        barrier.wait()
        page = act()
        while page.status == HTTPStatus.SERVICE_UNAVAILABLE:
            time.sleep(PAUSE)
            page = act()
        return page

    with ThreadPoolExecutor(len(acts)) as clients:
        return list(clients.map(one, acts))


def publishing(site: str, registrar: User, registration_request: RegistrationRequest) -> Act:
    visitor = Visitor(site, registrar)
    page = visitor.ask(f"/publish/{registration_request.slug}/")
    asked = registration_request.nid or registration_request.reference
    return lambda: visitor.send(page, "confirmation", references="Letter", confirmation=asked)


def deciding(site: str, expert: User, registration_request: RegistrationRequest, verb: str) -> Act:
    visitor = Visitor(site, expert)
    page = visitor.ask(f"/review/{registration_request.slug}/")
    read_back = visitor.send(page, "decide", verb=verb, comment="Read with care.")
    reasons = {
        "unanswered": "Known by heart.",
        "haste": "The list has discussed it.",
        "acts_for": "The federation wrote to us.",
    }
    return lambda: visitor.send(read_back, "confirmed", **reasons)


def sending(site: str, person: User, registration_request: RegistrationRequest) -> Act:
    visitor = Visitor(site, person)
    page = visitor.ask(f"/requests/{registration_request.slug}/send/")
    return lambda: visitor.send(page, "edition", comment="Ready.")


def starting(site: str, person: User, nid: str) -> Act:
    visitor = Visitor(site, person)
    page = visitor.ask("/requests/new/")
    answers = {
        "path": RequestPath.COMMUNITY,
        "nid": nid,
        "organization": "Isby Seed Bank",
        "summary": "Accessions",
        "standards_action": "no",
    }
    return lambda: visitor.send(page, "key", **answers)


def people(count: int, *roles: Role) -> list[User]:
    return [UserFactory.create(roles=roles) for _n in range(count)]


def verbs_since(number: int) -> Tally[str]:
    return Tally(Event.objects.filter(number__gt=number).values_list("verb", flat=True))


def assert_whole() -> None:
    """The journal is complete, event by event, and no series skipped a number."""
    assert list(journal.verify()) == []
    assert Event.objects.count() == Counter.objects.get(name=Counter.EVENT).value
    numbers = [each.informal_number for each in Namespace.objects.order_by("informal_number")]
    numbers = [number for number in numbers if number]
    assert numbers == list(range(1, len(numbers) + 1))
    references = [each.reference for each in RegistrationRequest.objects.order_by("reference")]
    assert [int(each[-4:]) for each in references] == list(range(1, len(references) + 1))


def test_32_clients_deciding_sending_registering_and_starting_at_once(
    site: str, bring: Callable[..., RegistrationRequest], organization: Organization
) -> None:
    informal = [bring(INFORMAL, RequestPath.INFORMAL) for _n in range(6)]
    contended = [bring(FORMAL, RequestPath.COMMUNITY) for _n in range(2)]
    judged = bring(formal_text("herbarium"), RequestPath.COMMUNITY, approved=False)
    authors = people(5)
    drafts = [
        start(author, organization, formal_text(f"grain-{n}x"), RequestPath.COMMUNITY)
        for n, author in enumerate(authors)
    ]
    let_speak_for(organization, *(delegates := people(2)))
    experts, registrars = people(4, Role.EXPERT), people(2, Role.REGISTRAR)
    for each in experts:
        workflow.perform(judged, "assign", actor=each)
    acts = [publishing(site, each, request) for each in registrars for request in informal]
    acts += [publishing(site, registrars[n], each) for n, each in enumerate(contended)]
    decisions = ["approve", "decline", "request_changes", "approve"]
    acts += [
        deciding(site, each, judged, verb) for each, verb in zip(experts, decisions, strict=True)
    ]
    acts += [sending(site, author, draft) for author, draft in zip(authors, drafts, strict=True)]
    acts += [sending(site, each, drafts[0]) for each in delegates]
    acts += [starting(site, each, f"fruit-{n}x") for n, each in enumerate(people(7))]
    before = Event.objects.aggregate(last=Max("number"))["last"]

    answers = at_once(acts)

    assert len(answers) == CLIENTS
    assert {answer.status for answer in answers} == {200, 409}
    done = verbs_since(before)
    decided = {verb: done.pop(verb) for verb in set(decisions) if verb in done}
    # Everyone who asked for the same identifier is told at the same moment.
    assert done.pop("overtake") == 1
    assert done == {"register": 7, "submit": 5, "start": 7}
    assert list(decided.values()) == [1]
    told = [answer for answer in answers if any(words in answer.words for words in TOLD)]
    assert len(told) == CLIENTS - sum(done.values()) - 1
    assert_whole()
