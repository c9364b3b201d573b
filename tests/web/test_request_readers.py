"""The page of a request shows each reader what is public and what is theirs, and nothing else."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from registry import selectors
from registry.actions.follows import FollowTarget, start_following
from registry.enums import MessageChannel, RequestPath, Role, State
from registry.models import (
    Assignment,
    Message,
    Namespace,
    PendingComment,
    RegistrationRequest,
    User,
)
from registry.permissions import Person
from tests.factories import (
    UserFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.populated_registry import SECRET, Cast

pytestmark = pytest.mark.django_db

DRAFT_STATES: Final = frozenset({State.CHANGES_REQUESTED, State.DECLINED, State.APPEALED})
NOBODY: Final = "nobody"


@pytest.fixture
def watermill(populated: Cast) -> RegistrationRequest:
    """A request in review, with a draft that it goes on from, a note, and a hidden message."""
    return RegistrationRequest.objects.get(nid="watermill")


@pytest.fixture
def server(settings: Settings, db: None) -> Client:
    """A server that keeps public answers in memory."""
    settings.REGISTRY_CACHE_BYTES = 16_000_000
    return Client()


def make_readers(cast: Cast, watermill: RegistrationRequest) -> dict[str, Person]:
    """Return people of each role and each tie to a request, by what they are, and nobody."""
    now, organization = timezone.now(), watermill.organization
    people = {
        name: UserFactory.create(name=name, roles=roles, confirmed=name != "unconfirmed")
        for name, roles in (
            ("delegate", []),
            ("co-editor", []),
            ("former co-editor", []),
            ("colleague", []),
            ("holder's delegate", []),
            ("temporary expert", []),
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
    let_speak_for(organization, people["delegate"])
    watermill.co_editors.add(people["co-editor"])
    watermill.invitations.create(
        address="left@people.example",
        invited_by=cast.registrant,
        invited_at=now,
        joined_by=people["former co-editor"],
        closed_at=now,
    )
    User.objects.filter(pk=people["colleague"].pk).update(organization=organization)
    namespace = Namespace.objects.get(nid="seedbank")
    let_speak_for(namespace, people["holder's delegate"])
    start_following(people["follower"], FollowTarget(watermill))
    PendingComment.objects.create(
        registration_request=watermill,
        author=people["commenter"],
        text=f"A {SECRET} of mine.",
        key=uuid.uuid4(),
        written_at=now,
        publish_at=now + timedelta(minutes=1),
    )
    people["expert with a conflict"].conflicts.create(organization=organization, declared_at=now)
    for name, facts in (
        ("temporary expert", {"is_temporary": True}),
        ("expert to declare", {}),
        ("expert who stepped back", {"declared_at": now, "recused_at": now}),
    ):
        Assignment.objects.create(
            registration_request=watermill, expert=people[name], assigned_at=now, **facts
        )
    return {NOBODY: AnonymousUser(), **people}


def put_into_state(watermill: RegistrationRequest, state: State) -> None:
    """Put a request into a state without anybody's step."""
    facts: dict[str, Any] = {"state": state}
    if state == State.REGISTERED:
        facts["namespace"] = Namespace.objects.get(nid="seedbank")
    if state == State.ADVISORY:
        facts["path"] = RequestPath.FAST_TRACK
    if state in DRAFT_STATES and not watermill.rounds.filter(submitted_at=None).exists():
        last = watermill.rounds.sent().last()
        assert last is not None
        begun = type(last)(registration_request=watermill, number=last.number + 1)
        begun.template = last.template.replace(purpose=f"Of {SECRET} again.")
        begun.save()
    RegistrationRequest.objects.filter(pk=watermill.pk).update(**facts)
    selectors.raise_registry_version()


def read_as(server: Client, reader: Person, path: str) -> str:
    """Return the page that the server gives to a reader."""
    server.cookies.clear()
    if isinstance(reader, User):
        server.force_login(reader)
    return server.get(path).content.decode()


@pytest.mark.whole
@pytest.mark.parametrize("state", [each for each in State if each != State.DRAFT])
def test_private_text_is_on_the_pages_of_those_it_is_for(
    state: State, populated: Cast, watermill: RegistrationRequest, server: Client
) -> None:
    readers = make_readers(populated, watermill)
    put_into_state(watermill, state)
    path = watermill.get_absolute_url()

    pages = {name: read_as(server, reader, path) for name, reader in readers.items()}

    note_readers = {"expert", "free expert", "expert to declare", "expert who stepped back", "lead"}
    moderators, writers = {"lead", "registrar"}, {"author", "commenter"}
    assert {name for name, page in pages.items() if SECRET in page} == (
        note_readers | moderators | writers
    )
    assert read_as(server, AnonymousUser(), path) == pages[NOBODY]


def test_parts_of_a_request_page_are_shown_to_those_they_are_for(
    populated: Cast, watermill: RegistrationRequest, server: Client
) -> None:
    readers = make_readers(populated, watermill)
    people = {"author", "co-editor", "commenter", "follower", "lead", "registrar", "unconfirmed"}
    put_into_state(watermill, State.CHANGES_REQUESTED)

    pages = {
        name: read_as(server, readers[name], watermill.get_absolute_url())
        for name in sorted(people | {NOBODY})
    }

    assert {
        text: {name for name, page in pages.items() if text in page}
        for text in (
            "Change your answer",
            "Edit the draft",
            "Notes among experts",
            "Stop following",
            "Your comment becomes public",
            "Read it anyway",
            "Send the comment",
            "data-signs-out",
            "csrfmiddlewaretoken",
            'name="key"',
        )
    } == {
        "Change your answer": {"author", "co-editor"},
        "Edit the draft": {"author", "co-editor"},
        "Notes among experts": {"lead"},
        "Stop following": {"follower"},
        "Your comment becomes public": {"commenter"},
        "Read it anyway": {"author", "lead", "registrar"},
        "Send the comment": people - {"unconfirmed"},
        "data-signs-out": people,
        "csrfmiddlewaretoken": people,
        'name="key"': people - {"unconfirmed"},
    }


def test_request_that_one_goes_on_from_is_named_to_those_who_may_know_of_it(
    populated: Cast, watermill: RegistrationRequest, server: Client
) -> None:
    readers = make_readers(populated, watermill)
    names = ("author", "delegate", "co-editor", "expert", "registrar", NOBODY)
    for part in ("", "history/"):
        path = f"{watermill.get_absolute_url()}{part}"

        pages = {name: read_as(server, readers[name], path) for name in names}

        named = {name for name, page in pages.items() if "Goes on from request" in page}
        assert named == {"author", "delegate"}, part


def test_draft_is_shown_to_its_writers_alone(populated: Cast, server: Client) -> None:
    draft = RegistrationRequest.objects.get(nid=SECRET)
    co_editor = draft.co_editors.get()
    path = draft.get_absolute_url()

    shown = [read_as(server, reader, path) for reader in (populated.registrant, co_editor)]
    draft.co_editors.remove(co_editor)
    end_speaking_for(draft.organization, co_editor)

    assert [SECRET in page for page in shown] == [True, True]
    for reader in (co_editor, populated.expert, populated.lead, populated.registrar):
        server.force_login(reader)
        assert server.get(path).status_code == 404
    server.cookies.clear()
    assert server.get(path).status_code == 404


def test_text_of_a_hidden_letter_from_nobody_known_is_for_moderators(
    populated: Cast, watermill: RegistrationRequest, server: Client
) -> None:
    Message.objects.filter(text=SECRET, audience="public").update(
        author=None, author_name="Somebody", channel=MessageChannel.LIST, is_sender_verified=False
    )
    path = watermill.get_absolute_url()

    assert SECRET in read_as(server, populated.lead, path)
    assert SECRET not in read_as(server, AnonymousUser(), path)
    assert SECRET not in server.get(f"/api/v1{path}").content.decode()


def test_pages_of_people_neither_fill_the_memory_nor_come_from_it(
    populated: Cast, server: Client
) -> None:
    path = "/namespaces/seedbank/"
    by_registrar = read_as(server, populated.registrar, path)
    by_nobody = read_as(server, AnonymousUser(), path)

    assert "Record a dispute" in by_registrar
    assert "Record a dispute" not in by_nobody
    assert "Record a dispute" in read_as(server, populated.registrar, path)
    populated.registrar.groups.clear()
    assert "Record a dispute" not in read_as(server, populated.registrar, path)
