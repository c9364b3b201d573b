"""Shared pages are byte for byte what would be rendered for each reader separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

import pytest
from django.contrib import messages
from django.db import connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.middleware.csrf import get_token
from django.template import Context, Engine
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from pytest_django import Settings

from registry import permissions, selectors
from registry.actions import discussion
from registry.actions.follows import FollowTarget, start_following
from registry.http.shared_pages import (
    PartsLeftOut,
    PersonalPart,
    PersonAsked,
    SharedPage,
    is_shared_by_readers,
    render_shared_page,
    select_impersonal,
)
from registry.models import RegistrationRequest, User
from tests.addresses import build_address, list_routes
from tests.factories import NamespaceFactory, UserFactory
from tests.http.readers import list_people, read, sign_in
from tests.populated_registry import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("moment")]


def list_shared_addresses() -> list[str]:
    """Return an address of each view whose pages may be shared, if there is a page at it."""
    found = map(build_address, list_routes())
    shared = {each for each in found if is_shared_by_readers(resolve(each).func)}
    return sorted(each for each in shared if Client().get(each).status_code == HTTPStatus.OK)


@pytest.mark.whole
def test_each_reader_is_given_byte_for_byte_what_is_drawn_whole_for_them(
    populated: Cast, drawn: list[tuple[str, SharedPage | None]], settings: Settings
) -> None:
    whole, worker = Client(), Client()
    settings.REGISTRY_CACHE_BYTES = 0
    whole.get("/robots.txt")
    settings.REGISTRY_CACHE_BYTES = 16_000_000
    worker.get("/robots.txt")
    addresses = list_shared_addresses()

    # All of them before any page: one of the pages lists the experts.
    for person in list(list_people(populated)):
        for client in (whole, worker):
            sign_in(client, person)
        for address in addresses:
            given = read(worker.get(address))
            assert given == read(whole.get(address)), (address, person)
            assert given[1]["Cache-Control"] == "no-store"

    assert {"/", "/namespaces/", "/namespaces/seedbank/", "/requests/"} <= set(addresses)
    assert {"/requests/r-2026-0002/", "/requests/r-2026-0002/history/"} <= set(addresses)
    # Once for all of them: later readers got the cached page.
    times = Counter(path for path, _page in drawn)
    # Moderators see more of the discussion, so it is drawn for them too.
    assert times == Counter(addresses) + Counter(["/requests/r-2026-0002/"])
    assert None not in [page for _path, page in drawn]


@pytest.mark.whole
def test_shared_page_is_the_same_whoever_it_was_drawn_for_first(
    populated: Cast, drawn: list[tuple[str, SharedPage | None]], sharing: None
) -> None:
    for person in (populated.expert, populated.outsider):
        for address in list_shared_addresses():
            sign_in(Client(), person).get(address)

    by_expert, by_outsider = drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]
    for (path, one), (_path, other) in zip(by_expert, by_outsider, strict=True):
        assert one is not None, path
        assert other is not None, path
        assert one.pieces == other.pieces
        assert one.headers == other.headers
        assert [part.about for part in one.parts] == [part.about for part in other.parts]


@pytest.mark.whole
def test_nothing_of_a_reader_comes_from_the_public_memory_or_goes_into_it(
    populated: Cast, sharing: None
) -> None:
    client = Client()
    stranger = client.get("/namespaces/").content
    sign_in(client, populated.registrar)
    own = client.get("/namespaces/").content
    client.cookies.clear()

    assert b"data-signs-out" not in stranger
    assert b"data-signs-out" in own
    assert client.get("/namespaces/").content == stranger


@pytest.mark.whole
def test_two_people_in_turn_are_each_given_their_own_parts(populated: Cast, sharing: None) -> None:
    client, follower, other = Client(), UserFactory.create(), UserFactory.create()
    start_following(follower, FollowTarget(nid="seedbank"))

    shown = [
        sign_in(client, person).get("/namespaces/seedbank/").content
        for person in (follower, other, follower)
    ]

    assert [b"Stop following" in each for each in shown] == [True, False, True]


def test_hidden_message_is_gone_with_the_next_page(
    in_review: RegistrationRequest, outsider: User, lead: User, sharing: None
) -> None:
    client = sign_in(Client(), outsider)
    message = discussion.add_comment(in_review, author=outsider, text="Buy this.", key=uuid4())
    before = client.get("/requests/").content

    discussion.hide_message(message, moderator=lead, reason="Advertising.")

    assert b"1 comment<" in before
    assert b"1 comment<" not in client.get("/requests/").content


def test_role_that_was_taken_away_is_gone_with_the_next_page(
    populated: Cast, sharing: None
) -> None:
    client = sign_in(Client(), populated.registrar)
    before = client.get("/namespaces/seedbank/").content

    populated.registrar.groups.clear()

    after = client.get("/namespaces/seedbank/").content
    assert b"Record a dispute" in before
    assert b"Record a dispute" not in after
    assert b'href="/publish/"' not in after


def test_session_that_was_ended_is_over_with_the_next_page(populated: Cast, sharing: None) -> None:
    client = sign_in(Client(), populated.outsider)
    before = client.get("/").content

    User.objects.filter(pk=populated.outsider.pk).update(session_epoch=1)

    assert b"data-signs-out" in before
    assert b"data-signs-out" not in client.get("/").content


@pytest.mark.parametrize("path", ["/", "/namespaces/", "/namespaces/seedbank/", "/requests/"])
def test_shared_page_takes_few_queries(path: str, populated: Cast, sharing: None) -> None:
    client = sign_in(Client(), populated.registrant)
    client.get(path)

    with CaptureQueriesContext(connection) as captured:
        client.get(path)

    assert len(captured) <= 7


def test_message_is_shown_once_and_to_its_reader_alone(populated: Cast, sharing: None) -> None:
    client = sign_in(Client(), populated.outsider)
    client.get("/")
    client.get("/find/")  # Asks to type something.
    cookies = dict(client.cookies)
    sign_in(client, populated.expert)
    by_other = client.get("/").content
    client.cookies.clear()
    client.cookies.update(cookies)

    assert b"Type an identifier" not in by_other
    assert b"Type an identifier" in client.get("/").content
    assert b"Type an identifier" not in client.get("/").content


ASKING: Final[dict[str, Callable[[Any], object]]] = {
    "whether anybody is signed in": lambda request: request.user.is_authenticated,
    "whose account it is": lambda request: isinstance(request.user, User),
    "for a role": lambda request: permissions.is_registrar(request.user),
    "whether there is a person": lambda request: bool(request.user),
    "for the name": lambda request: str(request.user),
    "whether it is somebody": lambda request: request.user == User(),
    "by a key": lambda request: {User(pk=1): 1}.get(request.user),
    "the database": lambda request: RegistrationRequest.objects.filter(author=request.user),
    "what they may see": lambda request: selectors.requests_visible_to(request.user),
    "the session": lambda request: request.session.get("registry.seen"),
    "for a token": get_token,
    "for messages": lambda request: list(messages.get_messages(request)),
    "the template": lambda request: (
        Engine()
        .from_string("{% if user.is_authenticated and x %}own{% endif %}")
        .render(Context({"user": request.user, "x": 1}))
    ),
}


@pytest.mark.parametrize("question", ASKING)
def test_page_whose_code_asks_who_reads_is_not_shared(question: str) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        # Code may continue after an error.
        with suppress(PersonAsked):
            ASKING[question](request)
        return HttpResponse("A page.")

    assert render_for_all(view) is None


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse("gone", status=410),
        HttpResponse("{}", content_type="application/json"),
        HttpResponse("by agent", headers={"Vary": "User-Agent"}),
        StreamingHttpResponse(["a stream"]),
    ],
    ids=["no page", "no HTML", "varies", "a stream"],
)
def test_response_that_is_no_public_page_is_not_shared(response: HttpResponse) -> None:
    assert render_for_all(lambda request: response) is None


def test_page_that_sets_a_cookie_is_not_shared() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        response = HttpResponse("A page.")
        response.set_cookie("seen", "1")
        return response

    assert render_for_all(view) is None
    assert render_for_all(lambda request: HttpResponse("A page.")) is not None


def test_page_is_drawn_from_a_request_that_holds_nothing_of_its_reader() -> None:
    seen: list[HttpRequest] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse("A page.")

    render_for_all(
        view,
        HTTP_COOKIE="__Host-session=secret; sessionid=secret; csrftoken=secret; theme=dark",
        HTTP_AUTHORIZATION="Token secret",
        HTTP_USER_AGENT="secret",
        HTTP_REFERER="https://secret.example/",
        REMOTE_ADDR="192.0.2.7",
    )

    held = repr(seen[0].META)
    assert "secret" not in held
    assert "192.0.2.7" not in held
    assert seen[0].COOKIES == {"theme": "dark"}


def test_personal_part_takes_plain_values_only() -> None:
    PersonalPart.of("personal/follow.html", {"nid": "isbn"})

    with pytest.raises(TypeError, match="plain values"):
        PersonalPart.of("personal/follow.html", {"nid": NamespaceFactory.create()})


def test_part_that_is_not_there_once_and_in_order_has_the_page_not_be_shared() -> None:
    left_out = PartsLeftOut()
    one, two = (
        left_out.leave_out(PersonalPart.of("personal/follow.html", {"nid": nid}))
        for nid in ("isbn", "issn")
    )

    assert left_out.split(f"a{one}b{two}c".encode()) == (b"a", b"b", b"c")
    for text in (f"a{one}b", f"{two}{one}", f"{one}{two}{one}", "neither"):
        assert left_out.split(text.encode()) is None


@pytest.mark.parametrize(
    "asked",
    [
        {"headers": {"HX-Request": "true"}},
        {"headers": {"Authorization": "Token nobody"}},
        {"headers": {"Range": "bytes=0-9"}},
        {"QUERY_STRING": "q=isbn"},
    ],
    ids=["a part", "a token", "a range", "a query"],
)
def test_unusual_request_is_rendered_whole(
    asked: dict[str, Any],
    populated: Cast,
    drawn: list[tuple[str, SharedPage | None]],
    sharing: None,
) -> None:
    sign_in(Client(), populated.outsider).get("/namespaces/", **asked)

    assert drawn == []


def render_for_all(view: Callable[..., Any], **sent: Any) -> SharedPage | None:
    """Return what a view renders for everyone, or None if it does not."""
    request = RequestFactory().get("/", **sent)
    return render_shared_page(request, select_impersonal(request), view)
