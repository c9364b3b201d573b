"""Public pages for signed-in readers: rendered once for all, with personal parts filled in.

A page is rendered without its personal parts, from a request that holds nothing of anybody, and
kept. Each reader's parts are then rendered for them. The public cache is neither read nor filled.

It fails closed. A view has to opt in, and while a shared page is rendered there is no person for
its code to look at. If the code asks for one, the page is rendered whole, for its reader alone.
"""

from __future__ import annotations

import datetime
import io
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from http import HTTPStatus
from types import NoneType
from typing import Any, Final, NoReturn, TypeVar, cast

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template import Context, RequestContext
from django.template.backends.django import Template
from django.template.loader import get_template
from django.utils import timezone
from django.utils.safestring import SafeString
from django_htmx.middleware import HtmxDetails

from registry import selectors
from registry.errors import RegistryError
from registry.http.cache import (
    CACHEABLE_VARY_HEADERS,
    ENTRY_OVERHEAD_BYTES,
    UNCACHEABLE_DIRECTIVES,
    LRUCache,
    parse_vary,
)
from registry.http.cache_policy import (
    UNCACHEABLE_REQUEST_HEADERS,
    Environ,
    is_unbounded,
    list_harmless_cookies,
    make_cache_key,
)
from registry.permissions import Person, ask_each_fact_once, forget_all_facts

V = TypeVar("V", bound=Callable[..., HttpResponseBase])
K = TypeVar("K")

SHARED_BY_READERS: Final = "is_shared_by_readers"
"""The attribute by which a view opts in."""
READER_KINDS: Final = "reader_kinds"
"""The attribute by which a view says which kinds of readers it distinguishes."""
READER_KIND_KEY: Final = "reader_kind"
"""The attribute of an impersonal request that holds its readers' kind."""
LEFT_OUT_KEY: Final = "personal_parts_left_out"
"""The attribute of a request whose page is to be shared."""
SHARED_CACHE_FRACTION: Final = 4
"""Shared pages take this fraction of the room for public answers, in addition to it."""
IMPERSONAL_KEYS: Final = (
    "HTTP_ACCEPT",
    "HTTP_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "PATH_INFO",
    "QUERY_STRING",
    "RAW_URI",
    "REQUEST_URI",
    "SCRIPT_NAME",
    "SERVER_NAME",
    "SERVER_PORT",
    "SERVER_PROTOCOL",
    "wsgi.url_scheme",
)
"""What a shared page may depend on, apart from harmless cookies: its address and `Accept`."""
PERSONAL_NAMES: Final = (
    "csrf_token",
    "messages",
    "missing_factor",
    "request",
    "user",
    "waiting",
)
"""What a personal part knows besides the values its tag passes."""
PLAIN_VALUES: Final = (str, int, datetime.date, NoneType)
"""What a tag may pass to a part. Values are kept with the page, so they have to be immutable."""


class PersonAsked(RegistryError):
    """The code of a shared page asked who reads it."""


@dataclass(frozen=True, slots=True)
class PersonalPart:
    """A part rendered for each reader: its template and the values it is about."""

    template: Template
    about: dict[str, Any]

    @classmethod
    def of(cls, name: str, about: dict[str, Any]) -> PersonalPart:
        """Return the part with the template of that name; refuse mutable values."""
        template = get_template(name)
        if not isinstance(template, Template):
            raise TypeError(f"{name} is not a Django template.")
        for word, value in about.items():
            if not isinstance(value, PLAIN_VALUES):
                raise TypeError(f"{name} takes plain values only, and {word} is not one.")
        return cls(template, about)

    def render(self, page: Context, known: dict[str, Any]) -> SafeString:
        """Render the part for the reader of `page`, isolated from the rest of its context.

        `known` is what `select_personal` returned.
        """
        return self.template.template.render(page.new(known | self.about))


def select_personal(page: Context) -> dict[str, Any]:
    """Return the values of a page's context that every part gets."""
    return {name: page[name] for name in PERSONAL_NAMES if name in page}


@dataclass
class PartsLeftOut:
    """The parts left out of a shared page while it is rendered."""

    secret: str = field(default_factory=lambda: secrets.token_hex(16))
    parts: list[PersonalPart] = field(default_factory=list)
    is_person_asked: bool = False

    def leave_out(self, part: PersonalPart) -> str:
        """Return a placeholder; nobody knows the secret, so no content can contain it."""
        self.parts.append(part)
        return f"{self.secret}-{len(self.parts) - 1}-"

    def note_person_asked(self) -> NoReturn:
        """Keep the page from being shared. Raising is not enough: templates swallow some errors."""
        self.is_person_asked = True
        raise PersonAsked

    def split(self, body: bytes) -> tuple[bytes, ...] | None:
        """Return the content between the parts, or None unless each occurs once and in order."""
        pieces = re.split(rb"%s-([0-9]+)-" % self.secret.encode(), body)
        if pieces[1::2] != [b"%d" % place for place in range(len(self.parts))]:
            return None
        return tuple(pieces[::2])


class NobodyKnown:
    """Takes the place of the person, the session and the messages; any use of it is refused."""

    def __init__(self, left_out: PartsLeftOut) -> None:
        object.__setattr__(self, "_left_out", left_out)

    def _ask(self, *_args: object, **_named: object) -> NoReturn:
        left_out: PartsLeftOut = object.__getattribute__(self, "_left_out")
        left_out.note_person_asked()

    def __getattribute__(self, name: str) -> NoReturn:
        # `isinstance` asks for `__class__`.
        object.__getattribute__(self, "_ask")()
        raise AssertionError

    __setattr__ = __delattr__ = __call__ = _ask
    __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __setitem__ = _ask
    __str__ = __repr__ = __hash__ = __eq__ = __ne__ = __lt__ = __int__ = __index__ = _ask


@dataclass(frozen=True)
class SharedPage:
    """A page without its personal parts: the content between them, the parts and the headers."""

    headers: dict[str, str]
    pieces: tuple[bytes, ...]
    parts: tuple[PersonalPart, ...]

    @property
    def varies_by(self) -> frozenset[str]:
        """The request headers it depends on, in lower case."""
        return parse_vary(self.headers.get("Vary", ""))

    @property
    def size(self) -> int:
        """Roughly how many octets of memory it takes."""
        return ENTRY_OVERHEAD_BYTES * (1 + len(self.parts)) + sum(map(len, self.pieces))

    @property
    def may_be_kept(self) -> bool:
        """Whether it stays valid until the version of the registry changes."""
        return not UNCACHEABLE_DIRECTIVES.search(self.headers.get("Cache-Control", ""))

    def complete(self, request: HttpRequest) -> HttpResponse:
        """Return the page for one reader, with their parts filled in."""
        body, page = [self.pieces[0]], RequestContext(request)
        if self.parts:
            with page.bind_template(self.parts[0].template.template):
                known = select_personal(page)
                for part, piece in zip(self.parts, self.pieces[1:], strict=True):
                    body += [part.render(page, known).encode(), piece]
        return HttpResponse(b"".join(body), headers=self.headers)


def share_among_readers(view: V) -> V:
    """Declare that a view's page is the same for all signed-in readers, except its personal parts.

    Put it above all other decorators.
    """
    vars(view)[SHARED_BY_READERS] = True
    return view


def is_shared_by_readers(view: Callable[..., HttpResponseBase]) -> bool:
    """Whether a view opted in."""
    return getattr(view, SHARED_BY_READERS, False) is True


def tell_readers_apart(kind_of: Callable[[Person], Any]) -> Callable[[V], V]:
    """Declare that a view's page is shared only by readers of the same kind.

    `kind_of` returns the kind of a person: a frozen dataclass of booleans, so that many people have
    the same, and it says nothing else about any of them. The view gets it from `find_reader_kind`.
    Put it below `share_among_readers`.
    """

    def decorate(view: V) -> V:
        vars(view)[READER_KINDS] = kind_of
        return view

    return decorate


def find_reader_kind(request: HttpRequest, kind_of: Callable[[Person], K]) -> K:
    """Return the kind of the reader of a page, or of all readers of a shared page."""
    known = vars(request).get(READER_KIND_KEY)
    return kind_of(request.user) if known is None else cast(K, known)


def find_kind_for_view(view: Callable[..., HttpResponseBase], person: Person) -> object:
    """Return a person's kind for a view; None if it does not distinguish kinds."""
    kind_of = getattr(view, READER_KINDS, None)
    if kind_of is None:
        return None
    kind = kind_of(person)
    if not all(isinstance(each, bool) for each in astuple(kind)):
        raise TypeError(f"{kind!r} may say more of a person than to which kind they belong.")
    return kind


class SharedPageMiddleware:
    """Answers signed-in readers with shared pages. It has to be the last middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        room = settings.REGISTRY_CACHE_BYTES // SHARED_CACHE_FRACTION
        self.pages = LRUCache[SharedPage](room) if room else None

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Have the request answered."""
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponseBase],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        """Return the page for its reader, or None if it has to be rendered whole."""
        if self.pages is None or not may_be_given_shared_page(request, view):
            return None
        epoch = (selectors.find_registry_version(), timezone.localdate())
        with ask_each_fact_once():
            kind = find_kind_for_view(view, request.user)
            sent = select_impersonal(request)
            key = (*make_cache_key(sent), repr(kind))
            page = self.pages.find(epoch, key, sent)
            if page is None:
                page = render_shared_page(
                    request, sent, lambda known: view(known, *args, **kwargs), kind
                )
                if page is not None and page.may_be_kept:
                    self.pages.keep(epoch, key, sent, page)
            return page.complete(request) if page else None


def may_be_given_shared_page(request: HttpRequest, view: Callable[..., HttpResponseBase]) -> bool:
    """Whether a signed-in reader asks for a whole page of a view that opted in."""
    return (
        is_shared_by_readers(view)
        and request.method == "GET"
        and settings.SESSION_COOKIE_NAME in request.COOKIES
        and not is_unbounded(request.META)
        and not any(header in request.META for header in UNCACHEABLE_REQUEST_HEADERS)
        and request.user.is_authenticated
    )


def select_impersonal(request: HttpRequest) -> dict[str, str]:
    """Return the part of a WSGI environment that says nothing about a person."""
    sent: dict[str, str] = {
        key: request.META[key] for key in IMPERSONAL_KEYS if key in request.META
    }
    cookies = [
        f"{name}={value}"
        for name, value in list_harmless_cookies()
        if request.COOKIES.get(name) == value
    ]
    if cookies:
        sent["HTTP_COOKIE"] = "; ".join(cookies)
    return sent | {"REQUEST_METHOD": "GET"}


def make_impersonal_request(
    request: HttpRequest, sent: Environ, left_out: PartsLeftOut, kind: object = None
) -> HttpRequest:
    """Return a request for the same page that holds nothing about its reader but their kind."""
    known = WSGIRequest({**sent, "wsgi.input": io.BytesIO()})
    known.resolver_match = request.resolver_match
    nobody = NobodyKnown(left_out)
    vars(known).update(
        {
            "user": nobody,
            "session": nobody,
            "_messages": nobody,
            "htmx": HtmxDetails(known),
            LEFT_OUT_KEY: left_out,
            READER_KIND_KEY: kind,
        }
    )
    return known


def render_shared_page(
    request: HttpRequest,
    sent: Environ,
    render: Callable[[HttpRequest], HttpResponseBase],
    kind: object = None,
) -> SharedPage | None:
    """Return the page that `render` makes of an impersonal request, or None if it cannot be shared.

    Errors are passed over here: they occur again when the page is rendered whole.
    """
    left_out = PartsLeftOut()
    known = make_impersonal_request(request, sent, left_out, kind)
    with suppress(Exception), forget_all_facts():
        response = render(known)
        if is_shareable(known, left_out, response):
            return make_shared_page(response, left_out)
    return None


def is_shareable(known: HttpRequest, left_out: PartsLeftOut, response: HttpResponseBase) -> bool:
    """Whether a response to an impersonal request is a page that all readers may share."""
    return (
        not left_out.is_person_asked
        and "CSRF_COOKIE" not in known.META
        and type(response) is HttpResponse
        and response.status_code == HTTPStatus.OK
        and not response.cookies
        and not response.has_header("Content-Encoding")
        and response.headers.get("Content-Type", "").startswith("text/html")
        and parse_vary(response.headers.get("Vary", "")) <= CACHEABLE_VARY_HEADERS
    )


def make_shared_page(response: HttpResponseBase, left_out: PartsLeftOut) -> SharedPage | None:
    """Return the page of a response, or None if its placeholders are not all in order."""
    pieces = left_out.split(response.content) if isinstance(response, HttpResponse) else None
    if pieces is None:
        return None
    return SharedPage(dict(response.headers.items()), pieces, tuple(left_out.parts))


def render_personal_part(page: Context, name: str, about: dict[str, Any]) -> str:
    """Return a personal part, or its placeholder if the page is to be shared."""
    part = PersonalPart.of(name, about)
    left_out: PartsLeftOut | None = vars(page["request"]).get(LEFT_OUT_KEY)
    if left_out is None:
        return part.render(page, select_personal(page))
    return left_out.leave_out(part)
