"""The page of a request, which readers share, and what of it is for one of them alone."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from registry import permissions, selectors, workflow
from registry.actions import co_editors, discussion
from registry.actions.conflicts_of_interest import declare_conflict
from registry.actions.follows import FollowTarget, start_following
from registry.actions.remarks import add_remark
from registry.actions.roles import grant_role
from registry.enums import MessageChannel, RemarkWeight, RequestPath, Role, State
from registry.http.shared_pages import SharedPage, find_kind_for_view, tell_readers_apart
from registry.models import (
    Assignment,
    Counter,
    Message,
    Namespace,
    PendingComment,
    RegistrationRequest,
    Remark,
    User,
)
from registry.permissions import Question
from registry.selectors.request_ties import read_tied_request
from registry.workflow import drafts
from tests.factories import UserFactory
from tests.http.readers import read, sign_in
from tests.populated_registry import SECRET, Cast, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("moment")]

DRAFT_STATES: Final = frozenset({State.CHANGES_REQUESTED, State.DECLINED, State.APPEALED})
Drawn = list[tuple[str, SharedPage | None]]


@dataclass(frozen=True)
class Named:
    """A kind that says who belongs to it."""

    name: str


@pytest.fixture
def asked(populated: Cast) -> RegistrationRequest:
    """A request in review, with a draft that it goes on from, a note, and a hidden message."""
    return RegistrationRequest.objects.get(nid="watermill")


@pytest.fixture
def whole(settings: Settings, db: None) -> Client:
    """A browser whose worker renders every page whole for its reader."""
    client = Client()
    settings.REGISTRY_CACHE_BYTES = 0
    client.get("/robots.txt")
    return client


@pytest.fixture
def worker(whole: Client, settings: Settings) -> Client:
    """A browser whose worker has readers share pages."""
    client = Client()
    settings.REGISTRY_CACHE_BYTES = 16_000_000
    client.get("/robots.txt")
    return client


def make_people(cast: Cast, asked: RegistrationRequest) -> dict[str, User]:
    """Return people of each role and each tie to a request, by what they are."""
    now, body = timezone.now(), asked.organization
    people = {
        name: UserFactory.create(name=name, roles=roles, confirmed=name != "unconfirmed")
        for name, roles in (
            ("delegate", []),
            ("co-editor", []),
            ("former co-editor", []),
            ("colleague", []),
            ("holder's delegate", []),
            ("appointed", []),
            ("follower", []),
            ("commenter", []),
            ("unconfirmed", []),
            ("free expert", [Role.EXPERT]),
            ("expert to declare", [Role.EXPERT]),
            ("expert who stepped back", [Role.EXPERT]),
            ("expert with a conflict", [Role.EXPERT]),
            ("standards body", [Role.STANDARDS_BODY]),
            ("administrator", [Role.ADMINISTRATOR]),
        )
    }
    people |= {
        "author": cast.registrant,
        "expert": cast.expert,
        "lead": cast.lead,
        "registrar": cast.registrar,
        "outsider": UserFactory.create(),
    }
    body.delegates.add(people["delegate"])
    asked.co_editors.add(people["co-editor"])
    asked.invitations.create(
        address="left@people.example",
        invited_by=cast.registrant,
        invited_at=now,
        joined_by=people["former co-editor"],
        closed_at=now,
    )
    User.objects.filter(pk=people["colleague"].pk).update(organization=body)
    namespace = Namespace.objects.get(nid="seedbank")
    namespace.speakers.create(person=people["holder's delegate"], since=now)
    asked.appointments.create(person=people["appointed"], appointed_at=now)
    start_following(people["follower"], FollowTarget(asked))
    write_pending_comment(people["commenter"], asked)
    people["expert with a conflict"].conflicts.create(organization=body, declared_at=now)
    for name, facts in (
        ("expert to declare", {}),
        ("expert who stepped back", {"declared_at": now, "recused_at": now}),
    ):
        Assignment.objects.create(
            registration_request=asked, expert=people[name], assigned_at=now, **facts
        )
    return people


def write_pending_comment(author: User, asked: RegistrationRequest) -> PendingComment:
    """Have somebody send a comment that nobody else sees yet."""
    return PendingComment.objects.create(
        registration_request=asked,
        author=author,
        text=f"A {SECRET} of mine.",
        key=uuid.uuid4(),
        written_at=timezone.now(),
        publish_at=timezone.now() + timedelta(minutes=1),
    )


def put_into_state(asked: RegistrationRequest, state: State) -> None:
    """Put a request into a state without anybody's step."""
    facts: dict[str, Any] = {"state": state}
    if state == State.REGISTERED:
        facts["namespace"] = Namespace.objects.get(nid="seedbank")
    if state == State.ADVISORY:
        facts["path"] = RequestPath.FAST_TRACK
    if state in DRAFT_STATES:
        drafts_of = asked.rounds.filter(submitted_at=None)
        if not drafts_of.exists():
            last = asked.rounds.sent().last()
            assert last is not None
            begun = type(last)(registration_request=asked, number=last.number + 1)
            begun.template = last.template.replace(purpose=f"Of {SECRET} again.")
            begun.save()
    RegistrationRequest.objects.filter(pk=asked.pk).update(**facts)
    selectors.raise_registry_version()


def compare(worker: Client, whole: Client, person: User, path: str) -> bytes:
    """Return the page that a person is given, which is what is rendered for them alone."""
    given = read(sign_in(worker, person).get(path))
    assert given == read(sign_in(whole, person).get(path)), (path, person)
    return given[2]


@pytest.mark.whole
@pytest.mark.parametrize("state", [each for each in State if each != State.DRAFT])
def test_shared_page_equals_each_readers_own_in_every_state(
    state: State,
    populated: Cast,
    asked: RegistrationRequest,
    worker: Client,
    whole: Client,
    drawn: Drawn,
) -> None:
    people = make_people(populated, asked)
    put_into_state(asked, state)
    path = asked.get_absolute_url()

    pages = {name: compare(worker, whole, each, path) for name, each in people.items()}

    # Once for each kind of reader: who writes, who moderates, and who has no confirmed address.
    assert len(drawn) == 3
    assert None not in [page for _path, page in drawn]
    noted = {"expert", "free expert", "expert to declare", "expert who stepped back", "lead"}
    moderating, writing = {"lead", "registrar"}, {"author", "commenter"}
    private = {name for name, page in pages.items() if SECRET.encode() in page}
    assert private == noted | moderating | writing


@pytest.mark.parametrize("part", ["template", "history", "changes/1..2"])
def test_other_pages_of_a_request_are_shared_too(
    part: str,
    populated: Cast,
    asked: RegistrationRequest,
    worker: Client,
    whole: Client,
    drawn: Drawn,
) -> None:
    people = make_people(populated, asked)
    workflow.perform(asked, "request_changes", actor=populated.expert, comment="Say more.")
    draft = asked.draft
    assert draft is not None
    drafts.save_draft(draft, {"assignment": "By the vaults."}, seen=draft.edition)
    Remark.objects.filter(registration_request=asked).delete()
    asked.refresh_from_db()
    workflow.perform(asked, "submit", actor=populated.registrant)

    for name in ("author", "expert", "registrar", "follower", "outsider"):
        compare(worker, whole, people[name], f"{asked.get_absolute_url()}{part}/")

    assert [page is None for _path, page in drawn] == [False]


def test_shared_request_page_holds_nothing_private(
    populated: Cast, asked: RegistrationRequest, worker: Client, drawn: Drawn
) -> None:
    people = make_people(populated, asked)
    write_pending_comment(populated.registrant, asked)
    put_into_state(asked, State.CHANGES_REQUESTED)

    own = {
        name: sign_in(worker, person).get(asked.get_absolute_url()).content.decode()
        for name, person in people.items()
    }

    assert SECRET in own["author"]
    assert "Change your answer" in own["author"]
    assert "Goes on from request" in own["author"]
    assert "Notes among experts" in own["expert"]
    assert "Stop following" in own["follower"]
    kept = [
        (page, page.pieces, [each.about for each in page.parts]) for _path, page in drawn if page
    ]
    assert len(kept) == 3
    for _page, pieces, about in kept:
        said = b"".join(pieces).decode() + repr(about)
        for words in (
            SECRET,
            "Change your answer",
            "Goes on from request",
            "Notes among experts",
            "Stop following",
            "What you can do",
            "csrfmiddlewaretoken",
            'name="key"',
        ):
            assert words not in said
        assert [each for each in people.values() if each.email in said] == []


def remark_on_syntax(expert: User, asked: RegistrationRequest) -> None:
    """Have an expert remark on what a request says, beside the remark that is there."""
    Counter.objects.take(f"remark-{asked.reference}")
    add_remark(
        asked,
        actor=expert,
        round_number=1,
        section="syntax",
        weight=RemarkWeight.MUST_FIX,
        text="Say how.",
    )


ACTS: Final[dict[str, Callable[[Cast, RegistrationRequest, dict[str, User]], object]]] = {
    "a comment": lambda cast, asked, people: say(people["outsider"], asked, "New here."),
    "a comment that is hidden": lambda cast, asked, people: discussion.hide_message(
        asked.messages.public().get(text="Which mills?"), moderator=cast.lead, reason="Spam."
    ),
    "a message shown again": lambda cast, asked, people: discussion.unhide_message(
        asked.messages.public().get(text=SECRET), moderator=cast.lead
    ),
    "a note": lambda cast, asked, people: discussion.add_note(
        asked, author=cast.expert, text="Between us.", key=uuid.uuid4()
    ),
    "a comment that waits": lambda cast, asked, people: write_pending_comment(
        people["outsider"], asked
    ),
    "a comment taken back": lambda cast, asked, people: PendingComment.objects.all().delete(),
    "a remark": lambda cast, asked, people: remark_on_syntax(cast.expert, asked),
    "a decision": lambda cast, asked, people: workflow.perform(
        asked, "request_changes", actor=cast.expert, comment="Say more."
    ),
    "a recusal": lambda cast, asked, people: workflow.perform(
        asked, "recuse", actor=cast.expert, comment="I have a conflict."
    ),
    "a withdrawal": lambda cast, asked, people: workflow.perform(
        asked, "withdraw", actor=cast.registrant
    ),
    "an announced withdrawal": lambda cast, asked, people: workflow.perform(
        asked, "announce_withdrawal", actor=people["delegate"], comment="We have another name."
    ),
    "a co-editor who goes": lambda cast, asked, people: co_editors.remove_co_editor(
        asked, people["co-editor"], actor=cast.registrant
    ),
    "a role that is given": lambda cast, asked, people: grant_role(people["outsider"], Role.LEAD),
    "a conflict": lambda cast, asked, people: declare_conflict(
        people["free expert"], asked.organization
    ),
    "an address": lambda cast, asked, people: people["unconfirmed"].emailaddress_set.create(
        email="now@people.example", verified=True
    ),
    "a follower": lambda cast, asked, people: start_following(
        people["outsider"], FollowTarget(asked)
    ),
    "an answer in the draft": lambda cast, asked, people: Remark.objects.update(
        draft_settlement="", draft_answer=""
    ),
}
"""What somebody does, after which readers are given another page."""


@pytest.mark.whole
@pytest.mark.parametrize("act", ACTS)
def test_request_page_changes_at_once_after_anybodys_act(
    act: str, populated: Cast, asked: RegistrationRequest, worker: Client, whole: Client
) -> None:
    people = make_people(populated, asked)
    path = asked.get_absolute_url()
    if act == "an answer in the draft":
        put_into_state(asked, State.CHANGES_REQUESTED)
    before = {name: compare(worker, whole, person, path) for name, person in people.items()}

    ACTS[act](populated, asked, people)

    after = {name: compare(worker, whole, person, path) for name, person in people.items()}
    assert before != after


def test_draft_is_never_shared(
    populated: Cast, worker: Client, whole: Client, drawn: Drawn
) -> None:
    draft = RegistrationRequest.objects.get(nid=SECRET)
    somebody = draft.co_editors.get()
    path = draft.get_absolute_url()

    shown = compare(worker, whole, populated.registrant, path)
    compare(worker, whole, somebody, path)
    draft.co_editors.remove(somebody)
    draft.organization.delegates.remove(somebody)

    assert SECRET.encode() in shown
    assert {page for _path, page in drawn} == {None}
    for person in (somebody, populated.expert, populated.lead, populated.registrar):
        assert sign_in(worker, person).get(path).status_code == 404
    worker.cookies.clear()
    assert worker.get(path).status_code == 404


def test_text_of_a_hidden_letter_from_nobody_known_is_not_for_strangers(
    asked: RegistrationRequest, populated: Cast
) -> None:
    Message.objects.filter(text=SECRET, audience="public").update(
        author=None, author_name="Somebody", channel=MessageChannel.LIST, is_sender_verified=False
    )
    path = asked.get_absolute_url()

    assert SECRET not in Client().get(path).content.decode()
    assert SECRET not in Client().get(f"/api/v1{path}").content.decode()
    assert SECRET in sign_in(Client(), populated.lead).get(path).content.decode()


@pytest.mark.parametrize(
    ("name", "most"),
    [("outsider", 5), ("author", 6), ("delegate", 6), ("expert", 9), ("registrar", 6)],
)
def test_page_of_a_request_takes_few_queries(
    name: str, most: int, populated: Cast, asked: RegistrationRequest, worker: Client
) -> None:
    people = make_people(populated, asked)
    Message.objects.update(hidden_at=None)
    RegistrationRequest.objects.update(reopens=None)
    selectors.raise_registry_version()
    sign_in(worker, people[name]).get(asked.get_absolute_url())

    with CaptureQueriesContext(connection) as captured:
        worker.get(asked.get_absolute_url())

    assert len(captured) <= most


def test_one_query_finds_all_that_ties_a_person_to_a_request(
    populated: Cast, asked: RegistrationRequest
) -> None:
    questions: tuple[Question[Any], ...] = (
        *permissions.REQUEST_FACTS,
        permissions.find_assignment,
        permissions.find_appointment,
    )
    appointed = make_people(populated, asked)["appointed"]
    for person in User.objects.all():
        for namespace in (None, Namespace.objects.get(nid="seedbank")):
            RegistrationRequest.objects.filter(pk=asked.pk).update(namespace=namespace)
            asked.refresh_from_db()
            each_alone = [question(person, asked) for question in questions]

            with permissions.ask_each_fact_once():
                found = read_tied_request(person, asked.reference).registration_request
                with CaptureQueriesContext(connection) as captured:
                    provided = [question(person, found) for question in questions]

            assert provided == each_alone
            assert len(captured) == (person in (appointed, populated.lead))


def test_kind_of_readers_says_nothing_else_of_them() -> None:
    @tell_readers_apart(lambda person: Named(name=str(person)))
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse("A page.")

    with pytest.raises(TypeError, match="person"):
        find_kind_for_view(view, User(name="Ede"))
