"""In production, behind `deploy/nginx.conf`: pages work, and clients are distinguished."""

from __future__ import annotations

import datetime
import re
import socket
import ssl
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

import pytest
from django.conf import global_settings
from django.utils import timezone
from pytest_django import Settings

from registry.models import Namespace, RateLimit, Token, User
from registry.rate_limits import MAX_FAILURES_PER_MINUTE
from tests.factories import PASSWORD, NamespaceFactory, UserFactory
from tests.live.proxies import PROXY, caddy, nginx
from tests.live.servers import PATIENCE, PAUSE, gunicorn
from tests.programs import free_port
from tests.sign_in import ALL_SCOPES

pytestmark = pytest.mark.django_db(transaction=True)

HOST: Final = "urn.example"
PRODUCTION: Final = {
    "REGISTRY_MODE": "production",
    "REGISTRY_SECRET_KEY": "tests-production-only-0123456789-abcdefghijklmnopqrstuvwxyz",
    "REGISTRY_HOSTS": f"{HOST}, 127.0.0.1",
    "REGISTRY_SITE": f"https://{HOST}",
    "REGISTRY_EMAIL_URL": "smtp://127.0.0.1:9",
    "REGISTRY_MAIL_FROM": "registry@registry.example",
    "REGISTRY_TRUSTED_PROXIES": "1",
}
SIGN_IN: Final = "/accounts/sign-in/"
ATTACKER, HOME, ELSEWHERE = "127.0.0.2", "127.0.0.3", "127.0.0.4"
WRONG: Final = "do not match"
MEBIBYTE: Final = 1 << 20
CUT_OFF_SECONDS: Final = 15
INSIDE: Final = {"Host": HOST, "X-Forwarded-Proto": "https"}
"""What nginx sends to the registry."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass(slots=True)
class Browser:
    """Somebody at a separate address, who uses TLS and keeps cookies."""

    port: int
    address: str = HOME
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **more: str) -> Answer:
        """Return the response."""
        known = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Host": HOST, "Referer": f"https://{HOST}/", "Cookie": known}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with closing(
            HTTPSConnection(
                "127.0.0.1",
                self.port,
                timeout=PATIENCE,
                source_address=(self.address, 0),
                context=context,
            )
        ) as server:
            server.request(method, path, body, headers)
            answer = server.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie", []):
                name, _, value = cookie.partition(";")[0].partition("=")
                self.cookies[name] = value
            return Answer(
                answer.status,
                dict(answer.headers.items()),
                answer.read().decode("utf-8", "replace"),
            )

    def sign_in(self, person: User, password: str = PASSWORD, **more: str) -> Answer:
        """Return the response to the sign-in form."""
        page = self.ask(SIGN_IN)
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert found, page.text
        fields = {
            "csrfmiddlewaretoken": found[1],
            "login": person.email,
            "password": password,
        }
        kind = "application/x-www-form-urlencoded"
        return self.ask(SIGN_IN, "POST", urlencode(fields).encode(), Content_Type=kind, **more)


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of nginx."""

    plain: int
    tls: int
    inside: str
    """The address of the registry itself."""


@pytest.fixture
def site(db: None, tmp_path: Path, settings: Settings) -> Iterator[Ports]:
    """The registry in production, behind nginx."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    tls, log = free_port(), str(tmp_path / "files" / "log")
    with (
        gunicorn(tmp_path, **PRODUCTION, REGISTRY_LOG_DIR=log) as inside,
        nginx(tmp_path, PROXY, site=inside, tls=tls) as outside,
    ):
        yield Ports(int(outside.rpartition(":")[2]), tls, inside)


@pytest.fixture
def site_behind_caddy(db: None, tmp_path: Path, settings: Settings) -> Iterator[Ports]:
    """The registry in production, behind Caddy."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    tls, log = free_port(), str(tmp_path / "files" / "log")
    with (
        gunicorn(tmp_path, **PRODUCTION, REGISTRY_LOG_DIR=log) as inside,
        caddy(tmp_path, inside, tls) as outside,
    ):
        yield Ports(int(outside.rpartition(":")[2]), tls, inside)


@pytest.fixture
def namespace(db: None) -> Namespace:
    return NamespaceFactory.create(nid="lantern")


@pytest.mark.whole(sample=True)
def test_production_starts_and_answers_its_proxy(db: None, tmp_path: Path) -> None:
    with gunicorn(tmp_path, **PRODUCTION) as address:
        server = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
        with closing(server):
            server.request("GET", "/about/", headers=INSIDE)
            inside = server.getresponse()
            inside.read()
            server.request("GET", "/about/", headers={"Host": HOST})
            outside = server.getresponse()

    assert (inside.status, inside.headers["Strict-Transport-Security"]) == (200, "max-age=3600")
    assert (outside.status, outside.headers["Location"]) == (301, f"https://{HOST}/about/")


def test_pages_come_whatever_the_length_of_what_is_asked(site: Ports, namespace: Namespace) -> None:
    browser = Browser(site.tls)
    questions = ["lantern", "x" * 400, "x" * 8_000, "|" * 8_000, quote("é" * 1_300)]

    found = [browser.ask(f"/namespaces/?q={question}") for question in questions]
    as_data = [
        browser.ask(f"/namespaces/?q={question}", Accept="application/json")
        for question in questions
    ]

    assert [answer.status for answer in found + as_data] == [200] * 10
    assert 'href="/namespaces/lantern/"' in found[0].text
    assert found[0].headers["Strict-Transport-Security"] == "max-age=3600"
    assert 'rel="alternate"' in found[0].headers["Link"]


def test_plain_http_leads_people_on_to_tls_refuses_programs_and_resolves_names_as_they_are(
    site: Ports, namespace: Namespace
) -> None:
    page, name, program = ask_without_tls(site)

    assert page[:2] == (301, f"https://{HOST}/namespaces/")
    assert_plain_http_resolves_and_refuses(name, program)


def ask_without_tls(site: Ports) -> list[tuple[int, str | None, str]]:
    """Return the responses of a page, a name to resolve and the API over plain HTTP."""
    answers = []
    for path in ("/namespaces/", "/resolve/urn:lantern:a%2Cb//c,d", "/api/v1/namespaces/"):
        with closing(HTTPConnection("127.0.0.1", site.plain, timeout=PATIENCE)) as server:
            server.request("GET", path, headers={"Host": HOST})
            answer = server.getresponse()
            answers.append((answer.status, answer.getheader("Location"), answer.read().decode()))
    return answers


def assert_plain_http_resolves_and_refuses(
    name: tuple[int, str | None, str], program: tuple[int, str | None, str]
) -> None:
    """Check that a name is resolved as it was sent, and that a program is told to use TLS."""
    assert name[0] < 300 or name[0] >= 400
    assert "urn:lantern:a%2Cb//c,d" in name[2]
    assert program[:2] == (403, None)
    assert "over TLS" in program[2]


def test_large_body_reaches_the_registry_which_refuses_too_much(site: Ports) -> None:
    browser = Browser(site.tls)
    names = b"urn:isbn:0451450523-" + b"9" * 180 + b"\n"

    some = browser.ask("/api/v1/urn/check/", "POST", names * 7_000, Content_Type="text/plain")
    much = browser.ask("/api/v1/urn/check/", "POST", names * 60_000, Content_Type="text/plain")
    more = browser.ask("/api/v1/urn/check/", "POST", names * 100_000, Content_Type="text/plain")

    assert len(names) * 7_000 > MEBIBYTE
    assert (some.status, some.text.count("\n") >= 7_000) == (200, True)
    assert (much.status, "the limit of" in much.text) == (413, True)
    assert (more.status, "nginx" in more.text) == (413, True)


def test_large_table_of_locators_is_taken(
    site: Ports, namespace: Namespace, registrar: User
) -> None:
    _token, shown = Token.objects.create(
        user=registrar, name="test", form_key=uuid.uuid4(), scopes=ALL_SCOPES
    )
    lines = b"".join(b"n%d,https://a.example/%d/%s\n" % (n, n, b"x" * 150) for n in range(110_000))

    sent = Browser(site.tls).ask(
        "/api/v1/namespaces/lantern/locators/",
        "PUT",
        lines,
        Content_Type="text/csv",
        Authorization=f"Token {shown}",
    )

    assert len(lines) > 16 * MEBIBYTE
    assert (sent.status, '"waiting"' in sent.text) == (202, True), sent.text


def test_caddy_serves_pages_and_tiles_and_hands_on_who_asks(
    site_behind_caddy: Ports, tmp_path: Path, namespace: Namespace, registrant: User
) -> None:
    site = site_behind_caddy
    tile = tmp_path / "files" / "log" / "tile" / "0" / "000.p" / "1"
    tile.parent.mkdir(parents=True)
    tile.write_bytes(b"hashes")
    names = b"urn:isbn:0451450523-" + b"9" * 180 + b"\n"
    browser = Browser(site.tls)

    pages = [browser.ask(f"/namespaces/?q={each}") for each in ("lantern", "x" * 8_000)]
    plain = ask_without_tls(site)
    much, more = (
        browser.ask("/api/v1/urn/check/", "POST", names * count, Content_Type="text/plain").status
        # The second is just over Caddy's limit: a client that is still sending sees no response.
        for count in (60_000, 79_700)
    )
    given, missing = browser.ask("/log/tile/0/000.p/1"), browser.ask("/log/tile/0/001")
    signed_in = browser.sign_in(registrant, X_Forwarded_For="203.0.113.7")

    assert [page.status for page in pages] == [200, 200]
    assert 'href="/namespaces/lantern/"' in pages[0].text
    assert pages[0].headers["Strict-Transport-Security"] == "max-age=3600"
    assert plain[0][:2] == (308, f"https://{HOST}/namespaces/")
    assert_plain_http_resolves_and_refuses(*plain[1:])
    assert (much, more) == (413, 413)
    assert (given.status, given.text) == (200, "hashes")
    assert given.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Content-Security-Policy" not in given.headers
    assert missing.status == 404
    assert signed_in.headers["Location"] == "/account/requests/"
    # A client's own claims are ignored.
    assert RateLimit.objects.filter(key=f"sign-in:address:{HOME}").exists()
    assert not RateLimit.objects.filter(key__contains="203.0.113.7").exists()


def test_slow_clients_keep_nobody_out_behind_caddy(
    site_behind_caddy: Ports, namespace: Namespace
) -> None:
    assert_slow_clients_keep_nobody_out(site_behind_caddy)


def test_slow_clients_keep_nobody_out(site: Ports, namespace: Namespace) -> None:
    assert_slow_clients_keep_nobody_out(site)


def assert_slow_clients_keep_nobody_out(site: Ports) -> None:
    """Open three times as many connections as the server has threads; none reaches one."""
    head = f"Host: {HOST}\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n"
    began = [
        f"GET /namespaces/ HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ",
        f"POST /api/v1/urn/check/ HTTP/1.1\r\n{head}X-Forwarded-Proto: https\r\n\r\nurn:",
    ]

    with ExitStack() as slow:
        for number in range(24):
            client = socket.create_connection(("127.0.0.1", site.plain), PATIENCE)
            slow.enter_context(closing(client)).sendall(began[number % 2].encode())
        answers = [Browser(site.tls).ask(f"/namespaces/?q=x{number}") for number in range(10)]

    assert [answer.status for answer in answers] == [200] * 10


def test_nginx_cuts_off_clients_that_stop_halfway(tmp_path: Path) -> None:
    text = PROXY
    for name in ("client_header_timeout", "client_body_timeout"):
        assert f"{name} 20s;" in text
        text = text.replace(f"{name} 20s;", f"{name} 1s;")

    with nginx(tmp_path, text, site="http://127.0.0.1:9", tls=free_port()) as outside:
        assert_clients_that_stop_are_cut_off(outside)


def test_nginx_refuses_many_anonymous_posts_and_says_when_to_come_again(tmp_path: Path) -> None:
    limited = PROXY.replace("rate=1000r/s", "rate=2r/s", 1)
    nobody = f"http://127.0.0.1:{free_port()}"
    with nginx(tmp_path, limited, site=nobody, tls=free_port()) as outside:
        anonymous = [post_nothing(outside) for _post in range(40)]
        signed_in = post_nothing(outside, Cookie="sessionid=1")

    assert [answer.status for answer in anonymous[:20]] == [502] * 20
    refused = next(answer for answer in anonymous if answer.status == 429)
    assert refused.headers["Retry-After"] == "10"
    assert refused.headers["Content-Type"] == "text/plain"
    assert signed_in.status == 502


def post_nothing(url: str, **headers: str) -> Answer:
    """Return the response to an empty POST."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)) as server:
        server.request("POST", "/api/v1/urn/check/", b"", headers)
        answer = server.getresponse()
        return Answer(answer.status, dict(answer.headers.items()), answer.read().decode())


def test_caddy_cuts_off_clients_that_stop_halfway(tmp_path: Path) -> None:
    soon = {"read_header 20s": "read_header 1s", "read_body 30m": "read_body 1s"}

    with caddy(tmp_path, "http://127.0.0.1:9", free_port(), soon) as outside:
        assert_clients_that_stop_are_cut_off(outside)


def assert_clients_that_stop_are_cut_off(site: str) -> None:
    """Begin a head and a body, and wait for the other side to close the connection."""
    port = urlsplit(site).port
    head = f"POST /api/v1/urn/check/ HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 100\r\n"
    for began in (f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ", f"{head}\r\nurn:"):
        with (
            closing(socket.create_connection(("127.0.0.1", port), CUT_OFF_SECONDS)) as client,
            suppress(ConnectionError),
        ):
            client.sendall(began.encode())
            while client.recv(1_000):
                """Whatever it says before, it closes the connection."""


def test_tiles_of_the_log_come_from_nginx_with_what_the_registry_says_of_them(
    site: Ports, tmp_path: Path
) -> None:
    names = ["tile/0/000.p/1", "tile/entries/x001/000"]
    for name in (*names, "tile/0/.000.p"):
        file = tmp_path / "files" / "log" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode())
    browser, url = Browser(site.tls), f"{site.inside}/log/"

    for name in names:
        given = browser.ask(f"/log/{name}")
        with closing(HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)) as server:
            server.request("GET", f"/log/{name}", headers=INSIDE)
            own = server.getresponse()
            assert (own.status, own.read().decode()) == (given.status, given.text) == (200, name)
        for header in ("Content-Type", "Cache-Control", "X-Content-Type-Options"):
            assert given.headers[header] == own.headers[header]
        # Only the registry says this: it was not called.
        assert own.headers["Content-Security-Policy"]
        assert "Content-Security-Policy" not in given.headers
    bundle = tmp_path / "files" / "log" / "tile/entries/x001/000"
    bundle.write_bytes(b"entry " * 1000)
    plain = browser.ask("/log/tile/entries/x001/000")
    packed = browser.ask("/log/tile/entries/x001/000", Accept_Encoding="gzip")
    assert (plain.text, plain.headers.get("Content-Encoding")) == ("entry " * 1000, None)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    missing, hidden = browser.ask("/log/tile/0/001"), browser.ask("/log/tile/0/.000.p")
    assert (missing.status, hidden.status) == (404, 404)
    assert "Content-Security-Policy" in missing.headers


def test_fifty_wrong_passwords_at_once_let_no_more_through_than_one_after_another(
    site: Ports,
) -> None:
    victim, owner, other = UserFactory.create_batch(3)
    Browser(site.tls, HOME).sign_in(owner)
    # However slow this machine is, all fifty come within the period counted.
    ends = timezone.now() + datetime.timedelta(hours=1)
    for kind in ("sign-in", "failures"):
        RateLimit.objects.create(key=f"{kind}:address:{ATTACKER}", used=0, expires_at=ends)

    def try_wrong(number: int) -> bool:
        browser = Browser(site.tls, ATTACKER)
        # A client's own claims are ignored: nginx appends the real address.
        forged = f"203.0.113.{number}"
        answer = browser.sign_in(victim, f"wrong {number}", X_Forwarded_For=forged)
        while answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
            time.sleep(PAUSE)
            answer = browser.sign_in(victim, f"wrong {number}", X_Forwarded_For=forged)
        return WRONG in answer.text

    with ThreadPoolExecutor(25) as threads:
        looked_at = list(threads.map(try_wrong, range(50)))

    # One that was counted may have been told to come again, since too many were writing.
    assert 0 < looked_at.count(True) <= MAX_FAILURES_PER_MINUTE
    counted = RateLimit.objects.get(pk=f"failures:address:{ATTACKER}")
    assert counted.used == MAX_FAILURES_PER_MINUTE
    assert Browser(site.tls, HOME).sign_in(other).headers["Location"] == "/account/requests/"
    assert Browser(site.tls, ELSEWHERE).sign_in(owner).headers["Location"] == "/account/requests/"
    asked = Browser(site.tls, ELSEWHERE).sign_in(victim)
    assert asked.headers["Location"] == "/accounts/login/code/confirm/"
