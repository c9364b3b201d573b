"""The shortcut: cached responses are served before Django sees the request."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection, reset_queries
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings as limits, strategies as st

from registry.http.cache import CachingWSGIHandler, make_cache_key
from registry.models import Namespace
from registry.selectors import raise_registry_version
from tests.factories import NamespaceFactory

HOSTS = st.sampled_from(["testserver", "registry.example", "other.example"])
COOKIES = st.sampled_from(["", "theme=dark", "theme=light", "theme=system"])
TOKEN = f"csrftoken={'a' * 32}"
PATHS = st.sampled_from(["/", "/about/", "/namespaces/", "/a,b", "/a%2Cb"])


def environment(path: str, method: str = "GET", **more: str) -> dict[str, Any]:
    """Return the environment that a web server passes."""
    place, _mark, query = path.partition("?")
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": place,
        "QUERY_STRING": query,
        "RAW_URI": path,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "HTTP_HOST": "testserver",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
    } | more


class Asked:
    """The response to one request."""

    def __init__(self, door: CachingWSGIHandler, environ: dict[str, Any]) -> None:
        reset_queries()
        self.status, self.headers = "", dict[str, str]()
        with CaptureQueriesContext(connection) as captured:
            answer: Iterable[bytes] = door(environ, self.start)
            self.body = b"".join(answer)
        self.questions = len(captured)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    def start(self, status: str, headers: list[tuple[str, str]], failed: object = None, /) -> Any:
        """Record the beginning of the response."""
        self.status, self.headers = status, dict(headers)


@pytest.mark.parametrize("path", ["/about/", "/namespaces/isbn/", "/nowhere/", "/guide/nowhere/"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_short_way_gives_what_the_long_one_gives(
    door: CachingWSGIHandler, path: str, method: str
) -> None:
    long = Asked(door, environment(path, method))

    short = Asked(door, environment(path, method))

    assert (short.status, short.headers, short.body) == (long.status, long.headers, long.body)
    assert short.questions == (1 if path in ("/about/", "/namespaces/isbn/") else short.questions)


def test_changed_page_is_rendered_anew(door: CachingWSGIHandler) -> None:
    Asked(door, environment("/namespaces/isbn/"))
    Namespace.objects.filter(nid="isbn").update(summary="Numbers of printed books")
    raise_registry_version()

    assert b"Numbers of printed books" in Asked(door, environment("/namespaces/isbn/")).body


def test_matching_etag_is_answered_from_memory(door: CachingWSGIHandler) -> None:
    etag = Asked(door, environment("/about/")).headers["ETag"]

    same = Asked(door, environment("/about/", HTTP_IF_NONE_MATCH=etag))

    assert (same.status, same.body, same.questions) == ("304 Not Modified", b"", 1)
    assert "Content-Security-Policy" in same.headers
    assert "Content-Type" not in same.headers


def test_cookie_of_ours_is_never_overlooked(door: CachingWSGIHandler) -> None:
    Asked(door, environment("/about/"))

    dark = Asked(door, environment("/about/", HTTP_COOKIE="a=b; theme=dark"))

    assert b'data-bs-theme="dark"' in dark.body


@given(
    first=st.tuples(PATHS, PATHS, HOSTS, COOKIES), second=st.tuples(PATHS, PATHS, HOSTS, COOKIES)
)
def test_requests_that_differ_have_different_keys(
    first: tuple[str, str, str, str], second: tuple[str, str, str, str]
) -> None:
    sent = [
        environment(f"{path}?q={query}", HTTP_HOST=host, HTTP_COOKIE=cookie)
        for path, query, host, cookie in (first, second)
    ]

    assert (make_cache_key(sent[0]) == make_cache_key(sent[1])) is (first == second)


@pytest.mark.whole
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(
    asked=st.lists(
        st.tuples(
            st.sampled_from(["/about/", "/namespaces/isbn/", "/exports/bioregistry.json"]),
            st.sampled_from(["GET", "HEAD"]),
            st.sampled_from(["", "gzip", "gzip;q=0"]),
            st.sampled_from(["", "theme=dark", "theme=light", TOKEN]),
            st.booleans(),
        ),
        max_size=8,
    )
)
def test_answers_never_depend_on_earlier_requests(
    door: CachingWSGIHandler, asked: list[tuple[str, str, str, str, bool]]
) -> None:
    for path, method, coding, cookie, changes in asked:
        if changes:
            NamespaceFactory.create()
            raise_registry_version()
        sent = {"HTTP_ACCEPT_ENCODING": coding, "HTTP_COOKIE": cookie}

        given_now = Asked(door, environment(path, method, **sent))
        alone = Asked(CachingWSGIHandler(), environment(path, method, **sent))

        assert given_now.body == alone.body
        assert given_now.headers.keys() == alone.headers.keys()
        assert given_now.headers.get("ETag") == alone.headers.get("ETag")


def test_door_is_open_where_nothing_is_kept(settings: Any, client: Client) -> None:
    settings.REGISTRY_CACHE_BYTES = 0

    assert CachingWSGIHandler().find_served(environment("/robots.txt")) is None


@pytest.mark.parametrize(
    ("path", "status"), [("/api/v1/urn/check/", "413"), ("/requests/new/", "403")]
)
def test_body_that_is_refused_is_read_to_its_end_so_that_a_proxy_hears_why(
    door: CachingWSGIHandler, path: str, status: str
) -> None:
    body = io.BytesIO(b"urn:isbn:0451450523\n" * 200_000)
    length = str(len(body.getvalue()))

    asked = Asked(
        door,
        environment(path, "POST", CONTENT_LENGTH=length, CONTENT_TYPE="text/plain")
        | {"wsgi.input": body},
    )

    assert (asked.status[:3], body.read()) == (status, b"")
