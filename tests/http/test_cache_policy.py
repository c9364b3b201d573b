"""A response to one person is never given to another, however their browser writes cookies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import cycle, product
from typing import Any, Final, cast

import pytest
from django.contrib import messages
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.test import Client
from django.urls import URLResolver, get_resolver
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser
from gunicorn.http.wsgi import create
from hypothesis import HealthCheck, given, settings as limits, strategies as st
from pytest_django import Settings

from registry.http.cache import (
    EPOCH_KEY,
    CachingWSGIHandler,
    PublicCacheMiddleware,
    is_cacheable_request,
)
from registry.models import (
    Invitation,
    Organization,
    RegistrationRequest,
    Speaker,
    Token,
    User,
    Webhook,
)
from tests.api.clients import Program
from tests.http.test_wsgi import Asked, environment
from tests.populated_registry import (
    SECRET,
    Cast,
)

HARMLESS: Final = {"theme": {"system", "light", "dark"}}
SPELLINGS: Final = (
    "sessionid={}",
    "sessionid ={}",
    "sessionid= {}",
    " sessionid={}",
    "sessionid\t={}",
    'sessionid="{}"',
    "theme=dark; sessionid ={}",
    "theme=dark;sessionid={}",
    "django_language=en-gb; sessionid={}",
    "sessionid=x; sessionid={}",
    "theme; sessionid={}",
    "csrftoken=a; messages; sessionid={}; ",
)
"""How a browser may write the session so that Django finds it."""
ODD: Final = ("", "theme=dark", "sessionid", "sessionid=", "sessionid =", "a=b", "theme =dark", ";")
"""What somebody without a session may send."""
FRAGMENTS: Final = (
    *("sessionid", "theme", "dark", "django_language", "en-gb", "messages", "csrftoken"),
    *("theme=dark", "theme=light", "sessionid=abc", "; ", ";", "=", " ", "\t", '"', ",", "\\075"),
    *("\xa0", "\x0b", "\\", "%3D", "x"),
)
PART: Final = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>|\(\?P<(?P<group>\w+)>[^()]*\)")
"""A part of a route that the caller fills in."""
KNOWN: Final = {
    "act": "hide",
    "form": "json",
    "nid": "seedbank",
    "section": "identifier",
    "verb": "submit",
}
OWN: Final = 'action="/accounts/sign-out/"'
"""On every page of somebody who is signed in."""
COOKIE_LINES = st.lists(st.lists(st.sampled_from(FRAGMENTS), max_size=8).map("".join), max_size=3)


class Line:
    """The least that gunicorn needs of a connection."""

    def getsockname(self) -> tuple[str, int]:
        """Return the listening address."""
        return "127.0.0.1", 8000


def read_request(path: str, headers: list[tuple[str, str]]) -> dict[str, Any] | None:
    """Return what gunicorn passes on for a request with these headers, or None if it refuses it."""
    lines = [f"GET {path} HTTP/1.1", "Host: testserver", *(f"{n}: {v}" for n, v in headers), "", ""]
    config = Config()
    octets = "\r\n".join(lines).encode("latin-1")
    try:
        request = next(RequestParser(config, [octets], ("127.0.0.1", 1)))
    except ParseException:
        return None
    _response, environ = create(request, Line(), ("127.0.0.1", 1), "127.0.0.1:8000", config)
    return dict(environ)


@limits(max_examples=500)
@given(lines=COOKIE_LINES)
def test_harmless_cookies_are_harmless_to_django_too(lines: list[str]) -> None:
    environ = read_request("/about/", [("Cookie", line) for line in lines])

    if environ is not None and is_cacheable_request(environ):
        found = WSGIRequest(environ).COOKIES
        assert all(value in HARMLESS.get(name, ()) for name, value in found.items())


def test_colours_have_part_in_the_memory() -> None:
    environ = read_request("/about/", [("Cookie", "theme=dark")])

    assert environ is not None
    assert is_cacheable_request(environ)


@pytest.mark.parametrize("name", ["Authorization", "Proxy-Authorization"])
@given(data=st.data())
def test_credentials_have_no_part_in_the_memory_however_the_header_is_written(
    name: str, data: st.DataObject
) -> None:
    letters = [data.draw(st.sampled_from([each.lower(), each.upper()])) for each in name]
    blanks = data.draw(st.sampled_from(["", " ", "\t", "  "]))
    value = data.draw(st.sampled_from(["", "Token", "Token x", "token x", "Basic eDp5"]))

    environ = read_request("/about/", [("".join(letters), f"{blanks}{value}{blanks}")])

    assert environ is None or not is_cacheable_request(environ)


@pytest.mark.whole
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(before=COOKIE_LINES, gap=st.sampled_from(["", " ", "\t", "  "]), after=COOKIE_LINES)
def test_nobody_is_given_the_page_of_somebody_whose_cookies_are_written_oddly(
    door: CachingWSGIHandler, session: str, before: list[str], gap: str, after: list[str]
) -> None:
    cookies = "; ".join([*before, f"sessionid{gap}={gap}{session}", *after])
    environ = read_request("/about/", [("Cookie", cookies)])
    if environ is None:
        return

    own = Asked(door, environ)
    everybodys = Asked(door, environment("/about/"))

    assert b"data-signs-out" not in everybodys.body
    if b"data-signs-out" in own.body:
        assert own.headers["Cache-Control"] == "no-store"


@pytest.fixture
def session(registrant: User) -> str:
    """The key of a session in which somebody is signed in."""
    return session_of(registrant)


def session_of(person: User) -> str:
    """Return the key of a session in which a person is signed in."""
    client = Client()
    client.force_login(person)
    return str(client.cookies["sessionid"].value)


def samples_of(part: re.Match[str]) -> list[str]:
    """Return values for part of an address: existing ones, or anything."""
    name, kind = part["name"] or part["group"], part["kind"]
    if name == "reference":
        unpublished = RegistrationRequest.objects.filter(namespace=None)
        return sorted(unpublished.values_list("reference", flat=True))
    if kind == "int" or name == "number":
        things = (Webhook, Organization, Invitation, Speaker)
        return sorted({"1"} | {str(each.objects.latest("pk").pk) for each in things})
    if kind == "uuid":
        return [str(Token.objects.latest("created").form_key)]
    return [KNOWN.get(name, "x")]


def routes(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Yield every route of the site; of the admin only the first page."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver) and pattern.namespace != "admin":
            yield from routes(pattern, route)
        else:
            yield route


def addresses() -> Iterator[str]:
    """Yield the addresses of all routes, for the existing data."""
    for route in routes():
        plain = re.sub(r"[\^$]|\\Z", "", PART.sub("{}", route)).replace("\\", "")
        for chosen in product(*map(samples_of, PART.finditer(route))):
            yield f"/{plain}".format(*chosen)


@pytest.mark.whole
def test_nothing_of_a_person_comes_out_of_any_address(
    door: CachingWSGIHandler, populated: Cast
) -> None:
    people = [populated.registrant, populated.expert, populated.lead, populated.registrar]
    sessions = [session_of(person) for person in people]
    program = Program.of(populated.registrant).client.defaults
    spellings, odd = cycle(SPELLINGS), cycle(ODD)
    private, personal, kept, given_away = set[str](), set[str](), set[str](), set[str]()

    for address in addresses():
        brought = [{"HTTP_COOKIE": next(spellings).format(session)} for session in sessions]
        for headers in [*brought, program]:
            own = Asked(door, environment(address, **headers))
            if SECRET in own.text:
                private.add(address)
            if OWN in own.text:
                personal.add(address)
            if own.headers["Cache-Control"] != "no-store":
                kept.add(address)
        for cookie in ("", next(odd)):
            answer = Asked(door, environment(address, HTTP_COOKIE=cookie))
            if SECRET in answer.text or OWN in answer.text:
                given_away.add(address)

    assert given_away == set()
    assert kept == set()
    assert {"/account/tokens/", "/api/v1/account/hooks/"} <= private
    assert {"/", "/about/", "/namespaces/", "/requests/"} <= personal


def begin_session(request: HttpRequest) -> None:
    """Store something in a session."""
    request.session["place"] = "here"


def end_session(request: HttpRequest) -> None:
    """Store something in a session, and delete it again."""
    request.session["place"] = "here"
    del request.session["place"]


def sign_in_by_other_means(request: HttpRequest) -> None:
    """Identify the caller without a session, as the API does."""
    request.user = User(name="Runa Registrant")


def leave_message(request: HttpRequest) -> None:
    """Leave a message for the reader."""
    messages.success(request, "Saved.")


def show_message(request: HttpRequest) -> None:
    """Leave a message for the reader, on this very page."""
    leave_message(request)
    list(messages.get_messages(request))


def show_form(request: HttpRequest) -> None:
    """Put a CSRF token into a form."""
    get_token(request)


def lose_person(request: HttpRequest) -> None:
    """Respond without having looked for a person."""
    del request.user


def finding_person(
    answer: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return Django's own middleware around `answer`, in which it identifies the reader."""
    found = SessionMiddleware(AuthenticationMiddleware(MessageMiddleware(answer)))
    return lambda request: cast("HttpResponseBase", found(request))


@pytest.mark.parametrize(
    "act",
    [
        begin_session,
        end_session,
        sign_in_by_other_means,
        leave_message,
        show_message,
        show_form,
        lose_person,
    ],
)
def test_answer_in_which_a_person_appears_is_kept_for_nobody(
    remembering: None, act: Callable[[HttpRequest], None]
) -> None:
    def answer(request: HttpRequest) -> HttpResponse:
        act(request)
        return HttpResponse("An answer.")

    public_answers = PublicCacheMiddleware(finding_person(answer))

    request = WSGIRequest(environment("/about/"))

    response = public_answers(request)

    assert response.headers["Cache-Control"] in ("no-store", "private")
    assert public_answers.memory is not None
    assert public_answers.memory.find(request.META[EPOCH_KEY], environment("/about/")) is None


def test_answer_in_which_nobody_appears_is_kept(remembering: None) -> None:
    public_answers = PublicCacheMiddleware(finding_person(lambda _: HttpResponse("An answer.")))

    request = WSGIRequest(environment("/about/"))

    response = public_answers(request)

    assert response.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert public_answers.memory is not None
    assert public_answers.memory.find(request.META[EPOCH_KEY], environment("/about/")) is not None


@pytest.mark.parametrize("room", [0, 4_000_000])
def test_nobody_keeps_what_belongs_to_a_person_with_memory_and_without(
    settings: Settings, registrant: User, room: int
) -> None:
    settings.REGISTRY_CACHE_BYTES = room
    client = Client()
    client.force_login(registrant)

    said = {
        path: client.get(path).headers["Cache-Control"]
        for path in ("/", "/account/", "/exports/urn-namespaces.txt", "/api/v1/account/hooks/")
    }
    refused = Client().get("/api/v1/account/hooks/")

    assert set(said.values()) == {"no-store"}
    assert refused.headers["Cache-Control"] == "no-store"
