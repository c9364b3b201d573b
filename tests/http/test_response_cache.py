"""What the cache stores, for how long and for whom, tested without the site around it."""

from __future__ import annotations

import datetime
import gzip
from collections.abc import Callable
from typing import Any, Final

import brotli
import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from pytest_django import Settings

from registry.http.cache import (
    ENTRY_OVERHEAD_BYTES,
    MIN_COMPRESSED_RESPONSE_BYTES,
    CachedResponse,
    CacheEpoch,
    LRUCache,
    ResponseCache,
    is_cacheable_request,
    is_cacheable_response,
    is_personal_request,
    make_cache_key,
    parse_vary,
)
from registry.models import User
from tests.http.test_wsgi import environment

TODAY: Final = datetime.date(2026, 6, 1)
BEFORE: Final[CacheEpoch] = (1, TODAY)
NOW: Final[CacheEpoch] = (2, TODAY)
TOMORROW: Final[CacheEpoch] = (2, TODAY + datetime.timedelta(1))
ROOM: Final = 1_000_000


@pytest.fixture
def memory() -> ResponseCache:
    return ResponseCache(ROOM)


def found(memory: ResponseCache, epoch: CacheEpoch, path: str, **headers: str) -> bytes | None:
    """Return the body found for a request."""
    given = memory.find(epoch, environment(path, **headers))
    return None if given is None else given.body


def keep(
    memory: ResponseCache, epoch: CacheEpoch, path: str, said: str = "An answer.", **headers: str
) -> None:
    """Have a response to a request stored in `epoch`."""
    memory.find(epoch, environment(path))
    memory.keep(epoch, environment(path), HttpResponse(said, headers=headers))


# Which state of the registry


@pytest.mark.parametrize("path", ["/about/", "/resolve/urn:isbn:1"])
@pytest.mark.parametrize("epoch", [BEFORE, TOMORROW])
def test_kept_answer_is_found_in_its_epoch_alone(
    memory: ResponseCache, path: str, epoch: CacheEpoch
) -> None:
    keep(memory, NOW, path)

    assert found(memory, NOW, path) == b"An answer."
    assert found(memory, epoch, path) is None
    assert found(memory, NOW, path) is None


@pytest.mark.parametrize("path", ["/about/", "/resolve/urn:isbn:1", "/namespaces/?q=a"])
def test_answer_that_was_begun_in_a_past_state_is_not_kept(
    memory: ResponseCache, path: str
) -> None:
    """It is created slowly: meanwhile something is published, and somebody else asks."""
    sent = environment(path)
    memory.find(BEFORE, sent)
    memory.find(NOW, sent)

    given = memory.keep(BEFORE, sent, HttpResponse("As it was."))

    assert given.body == b"As it was."
    assert found(memory, NOW, path) is None
    assert found(memory, BEFORE, path) is None


@pytest.mark.parametrize("path", ["/about/", "/resolve/urn:isbn:1"])
def test_outage_gives_answers_of_the_last_seen_state(memory: ResponseCache, path: str) -> None:
    keep(memory, NOW, path)

    given = memory.find_stale(environment(path))

    assert given is not None
    assert given.body == b"An answer."


@pytest.mark.parametrize(
    ("before", "now"),
    [("/about/", "/resolve/urn:isbn:1"), ("/resolve/urn:isbn:1", "/about/"), ("/about/", "/?a=b")],
)
def test_outage_gives_nothing_of_earlier_states(
    memory: ResponseCache, before: str, now: str
) -> None:
    keep(memory, BEFORE, before, "As it was.")
    keep(memory, NOW, now, "As it is.")

    given = memory.find_stale(environment(before))

    assert given is None
    assert found(memory, NOW, now) == b"As it is."


def test_outage_gives_nothing_that_was_never_confirmed(memory: ResponseCache) -> None:
    assert memory.find_stale(environment("/about/")) is None


def test_stale_answer_is_given_until_its_time_is_over(
    memory: ResponseCache, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REGISTRY_STALE_IF_ERROR_SECONDS = 60
    monkeypatch.setattr("registry.http.cache.time.monotonic", lambda: 1_000.0)
    keep(memory, NOW, "/about/")

    given = []
    for seconds in (0, 60, 60.5):
        monkeypatch.setattr("registry.http.cache.time.monotonic", lambda at=seconds: 1_000.0 + at)
        given.append(memory.find_stale(environment("/about/")) is not None)

    assert given == [True, True, False]


# How much there is room for


def answer_of(octets: int) -> CachedResponse:
    """Return a response that takes so much memory."""
    body = b"x" * (octets - ENTRY_OVERHEAD_BYTES)
    return CachedResponse.of(HttpResponse(body, content_type="image/png"))


def filled(room: int, *sizes: int) -> LRUCache:
    """Return a cache with responses of these sizes at 0, 1 and so on."""
    cache = LRUCache(room)
    for number, size in enumerate(sizes):
        cache.put((str(number),), answer_of(size))
    return cache


def places(cache: LRUCache) -> list[int]:
    """Return where responses are stored, and make sure that their octets are counted."""
    assert cache.taken == sum(each.size for each in cache.responses.values())
    return sorted(int(number) for (number,) in cache.responses)


@pytest.mark.parametrize(("octets", "is_kept"), [(25_000, True), (25_001, False)])
def test_answer_that_takes_more_than_a_quarter_is_not_kept(octets: int, is_kept: bool) -> None:
    assert places(filled(100_000, octets)) == ([0] if is_kept else [])


def test_cache_filled_to_the_octet_then_loses_the_oldest() -> None:
    assert places(filled(80_000, *[20_000] * 4)) == [0, 1, 2, 3]
    assert places(filled(80_000, *[20_000] * 5)) == [1, 2, 3, 4]


def test_recently_used_answer_stays_longest() -> None:
    cache = filled(80_000, *[20_000] * 4)
    assert cache.get(("0",)) is not None

    cache.put(("9",), answer_of(20_000))

    assert places(cache) == [0, 2, 3, 9]


def test_same_answer_kept_again_takes_no_more_room() -> None:
    cache = filled(100_000, 20_000)

    cache.put(("0",), answer_of(10_000))

    assert places(cache) == [0]
    assert cache.taken == 10_000


def test_new_epoch_begins_with_all_the_room(memory: ResponseCache) -> None:
    keep(memory, NOW, "/about/")
    keep(memory, NOW, "/about/?a=b")

    memory.find(TOMORROW, environment("/about/"))

    for cache in (memory.bounded, memory.unbounded):
        assert (places(cache), cache.taken) == ([], 0)


def test_packed_answer_takes_room_for_both_bodies() -> None:
    text = "An answer. " * 100

    plain = CachedResponse.of(HttpResponse(text, content_type="image/png"))
    packed = CachedResponse.of(HttpResponse(text))

    assert (plain.is_compressible, packed.is_compressible) == (False, True)
    assert plain.size == ENTRY_OVERHEAD_BYTES + len(text)
    assert packed.size == ENTRY_OVERHEAD_BYTES + 2 * len(text)


@pytest.mark.parametrize(
    ("path", "status", "goes_aside"),
    [
        ("/about/", 200, False),
        ("/about/?a=b", 200, True),
        ("/resolve/urn:isbn:1", 200, True),
        ("/uri-res/N2L", 200, True),
        ("/api/reference/x", 200, True),
        ("/about/", 404, True),
        ("/about/", 301, True),
    ],
)
def test_unbounded_addresses_have_a_room_of_their_own(
    memory: ResponseCache, path: str, status: int, goes_aside: bool
) -> None:
    memory.find(NOW, environment(path))

    memory.keep(NOW, environment(path), HttpResponse("An answer.", status=status))

    assert found(memory, NOW, path) == b"An answer."
    assert (bool(memory.bounded.responses), bool(memory.unbounded.responses)) == (
        not goes_aside,
        goes_aside,
    )
    assert memory.unbounded.room * 8 == memory.bounded.room == ROOM


def test_page_is_found_whatever_was_asked_of_it_before(memory: ResponseCache) -> None:
    keep(memory, NOW, "/about/", "The page.")
    keep(memory, NOW, "/about/?a=b", "A part.")

    assert found(memory, NOW, "/about/") == b"The page."
    assert found(memory, NOW, "/about/?a=b") == b"A part."


# Who gets it


def test_answer_that_varies_is_given_to_those_who_ask_alike(memory: ResponseCache) -> None:
    html = {"HTTP_ACCEPT": "text/html"}
    sent = environment("/namespaces/", **html)
    memory.find(NOW, sent)
    memory.keep(NOW, sent, HttpResponse("<p>", headers={"Vary": "Accept, Cookie"}))

    given = [
        found(memory, NOW, "/namespaces/", **html),
        found(memory, NOW, "/namespaces/", HTTP_ACCEPT="application/json"),
        found(memory, NOW, "/namespaces/"),
    ]

    assert given == [b"<p>", None, None]


def test_answer_that_varies_by_more_comes_before_one_that_varies_by_less(
    memory: ResponseCache,
) -> None:
    html = {"HTTP_ACCEPT": "text/html"}
    finnish = {**html, "HTTP_ACCEPT_LANGUAGE": "fi"}
    for vary, headers in (("Accept, Accept-Language", finnish), ("Accept", html)):
        sent = environment("/resolve/x", **headers)
        memory.find(NOW, sent)
        memory.keep(NOW, sent, HttpResponse(vary, headers={"Vary": vary}))

    given = [
        found(memory, NOW, "/resolve/x", **finnish),
        found(memory, NOW, "/resolve/x", **html, HTTP_ACCEPT_LANGUAGE="sv"),
        found(memory, NOW, "/resolve/x", HTTP_ACCEPT="text/plain", HTTP_ACCEPT_LANGUAGE="fi"),
    ]

    assert given == [b"Accept, Accept-Language", b"Accept", None]


def served(method: str = "GET", **headers: str) -> Any:
    """Return a large response to one request."""
    answer = CachedResponse.of(HttpResponse("An answer. " * 100))
    return answer.answer(environment("/about/", method, **headers))


def test_head_of_an_answer_has_its_length_and_no_body() -> None:
    head, whole = served("HEAD"), served()

    assert (head.body, head.headers) == (b"", whole.headers)
    assert whole.headers["Content-Length"] == str(len(whole.body)) == "1100"


@pytest.mark.parametrize(
    ("coding", "unpack"), [("br", brotli.decompress), ("gzip", gzip.decompress)]
)
def test_packed_answer_has_its_own_tag_and_length(
    coding: str, unpack: Callable[[bytes], bytes]
) -> None:
    plain, packed = served(), served(HTTP_ACCEPT_ENCODING=coding)

    assert unpack(packed.body) == plain.body
    assert packed.headers["ETag"] == plain.headers["ETag"][:-1] + f'-{coding}"'
    assert packed.headers["Content-Length"] == str(len(packed.body))
    assert packed.headers["Content-Encoding"] == coding
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("coding", ["", "br", "gzip"])
def test_matching_etag_is_answered_without_a_body(coding: str) -> None:
    etag = served(HTTP_ACCEPT_ENCODING=coding).headers["ETag"]

    same = served(HTTP_ACCEPT_ENCODING=coding, HTTP_IF_NONE_MATCH=etag)
    other = served(HTTP_ACCEPT_ENCODING=coding, HTTP_IF_NONE_MATCH='"other"')

    assert (same.status, same.body, same.headers["ETag"]) == (304, b"", etag)
    assert "Content-Length" not in same.headers
    assert other.status == 200


def test_missing_page_is_never_answered_not_modified() -> None:
    gone = HttpResponse("Nothing.", status=404, headers={"ETag": '"x"'})
    answer = CachedResponse.of(gone)

    given = answer.answer(environment("/nowhere/", HTTP_IF_NONE_MATCH='"x"'))

    assert (given.status, given.body) == (404, b"Nothing.")


# What is stored of a response


@pytest.mark.parametrize(
    ("octets", "kind", "headers", "is_compressible"),
    [
        (MIN_COMPRESSED_RESPONSE_BYTES, "text/html", {}, True),
        (MIN_COMPRESSED_RESPONSE_BYTES - 1, "text/html", {}, False),
        (5_000, "application/ld+json", {}, True),
        (5_000, "application/json", {}, True),
        (5_000, "application/x-ndjson", {}, True),
        (5_000, "image/svg+xml", {}, True),
        (5_000, "image/png", {}, False),
        (5_000, "application/zip", {}, False),
        (5_000, "application/json", {"ETag": '"3"'}, True),
    ],
)
def test_long_text_is_compressed(
    octets: int, kind: str, headers: dict[str, str], is_compressible: bool
) -> None:
    response = HttpResponse(b"x" * octets, content_type=kind, headers=headers)

    answer = CachedResponse.of(response)

    assert answer.is_compressible is is_compressible
    assert ("accept-encoding" in parse_vary(answer.headers)) is is_compressible


def test_headers_that_an_answer_sets_itself_stay() -> None:
    said = {"ETag": '"own"', "Cache-Control": "public, max-age=60", "Vary": "Accept-Encoding"}

    answer = CachedResponse.of(HttpResponse("x" * 5_000, headers=said), has_cookies=True)

    assert {name: answer.headers[name] for name in said} == said


@pytest.mark.parametrize(
    ("status", "has_cookies", "control", "has_tag"),
    [
        (200, False, "public, max-age=0, must-revalidate", True),
        (200, True, "private", True),
        (404, False, "public, max-age=0, must-revalidate", False),
    ],
)
def test_answer_says_who_may_keep_it_and_by_which_tag(
    status: int, has_cookies: bool, control: str, has_tag: bool
) -> None:
    response = HttpResponse("An answer.", status=status)

    answer = CachedResponse.of(response, has_cookies=has_cookies)

    assert answer.headers["Cache-Control"] == control
    assert ("ETag" in answer.headers) is has_tag


@pytest.mark.parametrize(
    ("outage", "cookie", "control", "varies"),
    [
        (
            86_400,
            "",
            "public, max-age=0, s-maxage=10, stale-while-revalidate=10, stale-if-error=3600",
            "Accept, Accept-Encoding, Authorization, Cookie, HX-Request",
        ),
        (
            60,
            "",
            "public, max-age=0, s-maxage=10, stale-while-revalidate=10, stale-if-error=60",
            "Accept, Accept-Encoding, Authorization, Cookie, HX-Request",
        ),
        (60, "theme=dark", "private", "Accept"),
    ],
)
def test_networks_give_out_by_themselves_what_strangers_are_answered(
    settings: Settings, outage: int, cookie: str, control: str, varies: str
) -> None:
    settings.REGISTRY_SHARED_CACHE_SECONDS = 10
    settings.REGISTRY_STALE_IF_ERROR_SECONDS = outage
    response = HttpResponse("An answer.", headers={"Vary": "Accept"})

    answer = CachedResponse.of(response, has_cookies=bool(cookie))

    assert (answer.headers["Cache-Control"], answer.headers["Vary"]) == (control, varies)


def test_networks_ask_each_time_for_what_says_so_itself(settings: Settings) -> None:
    settings.REGISTRY_SHARED_CACHE_SECONDS = 10
    response = HttpResponse("A head.", headers={"Cache-Control": "public, max-age=9"})

    answer = CachedResponse.of(response)

    assert answer.headers["Cache-Control"] == "public, max-age=9"


def test_answer_to_a_request_with_cookies_is_private(
    memory: ResponseCache,
) -> None:
    given = {
        cookie: memory.keep(
            NOW, environment("/about/", HTTP_COOKIE=cookie), HttpResponse("An answer.")
        ).headers["Cache-Control"]
        for cookie in ("", "theme=dark")
    }

    assert given == {"": "public, max-age=0, must-revalidate", "theme=dark": "private"}


def test_answer_without_a_kind_gets_none() -> None:
    response = HttpResponse(status=303, headers={"Location": "https://names.example/1"})
    del response.headers["Content-Type"]

    again = CachedResponse.of(response).answer(environment("/resolve/x")).response

    assert (again.status_code, again.headers["Location"]) == (303, "https://names.example/1")
    assert "Content-Type" not in again.headers


def asked_by_nobody() -> WSGIRequest:
    """Return a request for which Django looked for a person, and found none."""
    request = WSGIRequest(environment("/about/"))
    request.session = SessionBase()
    request.user = AnonymousUser()
    return request


@pytest.mark.parametrize("status", [200, 301, 303, 308, 404, 410])
def test_answers_that_last_are_kept(status: int) -> None:
    assert is_cacheable_response(asked_by_nobody(), HttpResponse(status=status))


@pytest.mark.parametrize("status", [201, 204, 206, 302, 304, 307, 400, 401, 403, 429, 500, 503])
def test_answers_of_the_moment_are_not_kept(status: int) -> None:
    assert not is_cacheable_response(asked_by_nobody(), HttpResponse(status=status))


@pytest.mark.parametrize(
    "headers",
    [
        {"Cache-Control": "no-store"},
        {"Cache-Control": "max-age=0, No-Cache"},
        {"Cache-Control": "private, max-age=5"},
        {"Vary": "Accept, User-Agent"},
        {"Vary": "*"},
        {"Content-Encoding": "br"},
    ],
)
def test_private_answer_is_not_kept(headers: dict[str, str]) -> None:
    assert is_cacheable_response(asked_by_nobody(), HttpResponse("An answer."))

    assert not is_cacheable_response(asked_by_nobody(), HttpResponse("x", headers=headers))


@pytest.mark.parametrize(
    "vary",
    [
        "",
        "Accept",
        "cookie, Accept-Language,accept-encoding",
        "Accept, Accept-Language, Accept-Encoding, Authorization, Cookie, HX-Request",
    ],
)
def test_answer_that_varies_by_known_headers_is_kept(vary: str) -> None:
    response = HttpResponse("An answer.", headers={"Vary": vary})

    assert is_cacheable_response(asked_by_nobody(), response)


def test_cookie_setting_or_streaming_answer_is_not_kept() -> None:
    setting, streaming = HttpResponse("An answer."), StreamingHttpResponse(["An", "answer."])
    setting.set_cookie("theme", "dark")

    kept = [is_cacheable_response(asked_by_nobody(), each) for each in (setting, streaming)]

    assert kept == [False, False]


@pytest.mark.parametrize(
    "brought",
    [
        {"HTTP_COOKIE": "sessionid=gone"},
        {"HTTP_AUTHORIZATION": "Token x"},
        {"REMOTE_USER": "runa"},
        {"PATH_INFO": "/account/"},
    ],
)
def test_request_that_says_for_whom_it_is_made_is_personal_be_it_true_or_not(
    brought: dict[str, str],
) -> None:
    request = WSGIRequest(environment("/about/", **brought))
    request.session, request.user = SessionBase(), AnonymousUser()

    assert not is_personal_request(asked_by_nobody())
    assert is_personal_request(request)
    assert not is_cacheable_response(request, HttpResponse("An answer."))


def test_is_personal_request_finds_a_session_begun_by_the_response_itself() -> None:
    request = asked_by_nobody()
    request.session["place"] = "here"

    assert is_personal_request(request)


def test_is_personal_request_finds_a_person_identified_without_a_session() -> None:
    request = asked_by_nobody()
    request.user = User(name="Runa Registrant")

    assert is_personal_request(request)


def test_request_without_a_path_asks_for_the_first_page() -> None:
    sent = environment("/", PATH_INFO="")

    assert is_cacheable_request(sent)
    assert make_cache_key(sent) == make_cache_key(environment("/"))


# What is cached


@pytest.mark.parametrize(
    ("method", "is_cacheable"),
    [("GET", True), ("HEAD", True), ("POST", False), ("OPTIONS", False), ("DELETE", False)],
)
def test_only_reading_has_part_in_the_memory(method: str, is_cacheable: bool) -> None:
    assert is_cacheable_request(environment("/about/", method)) is is_cacheable


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/about/",
        "/accessibility/",
        "/privacy/",
        "/guide/rfc/",
        "/inspect/",
        "/exports/x",
        "/api/v1/namespaces/",
        "/resolve/urn:isbn:1",
        "/uri-res/N2L",
        "/namespaces/isbn/",
        "/namespaces.atom",
        "/requests/",
        "/organizations/1/",
        "/sightings/",
        "/registries/",
        "/ns",
        "/robots.txt",
        "/sitemap.xml",
        "/sitemap-2.xml",
    ],
)
def test_areas_that_everybody_reads_have_part_in_the_memory(path: str) -> None:
    assert is_cacheable_request(environment(path))


@pytest.mark.parametrize(
    "path",
    [
        "/account/",
        "/accounts/sign-in/",
        "/admin/",
        "/api/v1/account/",
        "/api/v1/account",
        "/api/v1/account/hooks/",
        "/review/",
        "/publish/",
        "/direction/",
        "/theme/",
        "/ns/more",
        "/robots.txt2",
        "/namespacesx",
        "/x/about/",
    ],
)
def test_areas_of_people_and_what_is_not_known_have_none(path: str) -> None:
    assert not is_cacheable_request(environment(path))


@pytest.mark.parametrize(
    "header",
    [
        "HTTP_AUTHORIZATION",
        "HTTP_PROXY_AUTHORIZATION",
        "REMOTE_USER",
        "HTTP_HX_REQUEST",
        "HTTP_IF_MATCH",
        "HTTP_IF_UNMODIFIED_SINCE",
    ],
)
def test_request_that_is_a_matter_of_its_own_has_none(header: str) -> None:
    assert not is_cacheable_request(environment("/about/", **{header: "x"}))


@pytest.mark.parametrize(
    ("cookies", "is_cacheable"),
    [
        ("theme=dark", True),
        ("theme=system", True),
        ("theme=dark; csrftoken=a", False),
        ("theme=dark;", False),
        ("theme=dark; theme=dark", False),
        ("theme=dark; theme=light", False),
        ("theme=purple", False),
    ],
)
def test_is_cacheable_request_takes_a_known_cookie_alone(cookies: str, is_cacheable: bool) -> None:
    assert is_cacheable_request(environment("/about/", HTTP_COOKIE=cookies)) is is_cacheable


@pytest.mark.parametrize("path", ["/resolve/urn:isbn:1", "/uri-res/N2L", "/api/reference/x"])
def test_names_that_cannot_be_told_apart_have_none(path: str) -> None:
    told = environment(path)
    untold = environment(path, RAW_URI="")
    otherwise = environment(path, RAW_URI="", REQUEST_URI=path)

    assert [is_cacheable_request(each) for each in (told, untold, otherwise)] == [True, False, True]
    assert is_cacheable_request(environment("/about/", RAW_URI=""))


@pytest.mark.parametrize(
    "difference",
    [
        {"wsgi.url_scheme": "https"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_HOST": "other.example"},
        {"HTTP_HOST": "", "SERVER_NAME": "other.example"},
        {"RAW_URI": "/%61bout/"},
        {"PATH_INFO": "/about"},
        {"QUERY_STRING": "a=b"},
        {"HTTP_COOKIE": "theme=dark"},
    ],
)
def test_cache_key_tells_different_requests_apart(difference: dict[str, str]) -> None:
    assert make_cache_key(environment("/about/")) != make_cache_key(
        environment("/about/", **difference)
    )
