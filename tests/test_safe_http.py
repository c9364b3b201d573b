"""Requests to other people's servers never reach our own, and never take long."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from ipaddress import ip_address

import pytest
from pytest_django import Settings

from registry.safe_http import (
    FetchError,
    FetchLimits,
    fetch,
    look_up_texts,
    post,
)
from registry.safe_http.targets import is_public_address, may_be_fetched_from
from tests.refusals import expect_refusal
from tests.servers import (
    CERTIFICATE,
    Answering,
    NameServer,
    WebServer,
    leading,
    saying,
    web_server,
)

NAME = "northlight.example"


@pytest.fixture
def names(settings: Settings) -> Iterator[NameServer]:
    """A name server; one of this machine's addresses stands for the Internet."""
    with NameServer() as server:
        settings.REGISTRY_NAMESERVERS = [server.address]
        settings.REGISTRY_FETCH_NETWORKS = ["127.0.0.1/32"]
        server.say(NAME, "A", ["127.0.0.1"])
        yield server


@pytest.fixture
def server(names: NameServer) -> Iterator[WebServer]:
    """A server on the Internet, so to speak."""
    with web_server(saying()) as web:
        yield web


def refusal_code(url: str, limits: FetchLimits | None = None) -> str:
    """Return why `url` is not fetched."""
    with pytest.raises(FetchError) as refusal:
        fetch(url, limits=limits)
    return refusal.value.code


def private(port: int = 0) -> AbstractContextManager[WebServer]:
    """Return a server on an address of this machine that must not be contacted."""
    return web_server(saying(b"secret"), "127.0.0.2", port)


# What is fetched


def test_page_is_fetched_from_the_address_its_name_has(server: WebServer) -> None:
    found = fetch(f"http://{NAME}:{server.port}/a%20b/c?d=é#f")

    assert (found.status, found.body) == (200, b"Hello.")
    assert server.asked == [(f"{NAME}:{server.port}", "/a%20b/c?d=%C3%A9")]


def test_error_of_the_server_is_an_answer(names: NameServer) -> None:
    with web_server(saying(b"Gone.", 410)) as server:
        found = fetch(f"http://{NAME}:{server.port}/")

    assert (found.status, found.body) == (410, b"Gone.")


def test_redirects_are_followed_and_the_last_address_is_told(names: NameServer) -> None:
    def answer(to: Answering) -> None:
        (saying(b"Here.") if to.path == "/there" else leading("/there"))(to)

    with web_server(answer) as server:
        found = fetch(f"http://{NAME}:{server.port}/")

    assert (found.target.path, found.body) == ("/there", b"Here.")


def test_head_and_unread_fetches_take_no_body(names: NameServer) -> None:
    with web_server(saying(b"x" * 100_000)) as server:
        url = f"http://{NAME}:{server.port}/"

        head = fetch(url, method="HEAD")
        unread = fetch(url, reads=False)

        assert [(each.status, each.body) for each in (head, unread)] == [(200, b"")] * 2
        assert head.headers["content-length"] == "100000"


def test_headers_of_the_caller_are_sent_besides_our_own(names: NameServer) -> None:
    sent: list[tuple[str | None, str | None]] = []

    def answer(to: Answering) -> None:
        sent.append((to.headers["If-None-Match"], to.headers["User-Agent"]))
        saying(b"", 304)(to)

    with web_server(answer) as server:
        url = f"http://{NAME}:{server.port}/"
        found = fetch(url, headers={"If-None-Match": '"one"'})

    assert (found.status, found.body) == (304, b"")
    assert sent[0][0] == '"one"'
    assert str(sent[0][1]).startswith("URN-Namespace-Registry")


def test_answer_that_ends_before_its_promised_length_is_none(names: NameServer) -> None:
    def answer(to: Answering) -> None:
        to.send_response(200)
        to.send_header("Content-Length", "100")
        to.end_headers()
        to.wfile.write(b"Half of it")

    with web_server(answer) as server:
        assert refusal_code(f"http://{NAME}:{server.port}/") == "cut_off"


def test_name_in_another_script_is_looked_up_as_name_servers_know_it(names: NameServer) -> None:
    names.say("xn--nrdljus-90a.example", "A", ["127.0.0.1"])

    with web_server(saying()) as server:
        assert fetch(f"http://nördljus.example:{server.port}/").status == 200


def test_certificate_is_asked_for_and_has_to_be_for_the_name(names: NameServer) -> None:
    trust = ssl.create_default_context(cafile=str(CERTIFICATE))
    names.say("secure.northlight.example", "A", ["127.0.0.1"])

    with web_server(saying(), encrypted=True) as server:
        found = fetch(f"https://secure.northlight.example:{server.port}/", trust=trust)
        with expect_refusal("bad_certificate"):
            fetch(f"https://{NAME}:{server.port}/", trust=trust)
        with expect_refusal("bad_certificate"):
            fetch(f"https://secure.northlight.example:{server.port}/")

    assert found.body == b"Hello."


# What is never contacted


def test_unlisted_server_is_neither_looked_up_nor_asked(
    names: NameServer, settings: Settings
) -> None:
    names.say(f"www.{NAME}", "A", ["127.0.0.1"])
    with web_server(saying()) as web:
        settings.REGISTRY_FETCH_HOSTS = [NAME]
        assert fetch(f"http://{NAME}:{web.port}/").status == 200
        refused = refusal_code(f"http://www.{NAME}:{web.port}/")
        settings.REGISTRY_FETCH_HOSTS = [f".{NAME}"]
        below = fetch(f"http://www.{NAME}:{web.port}/")
        assert refusal_code(f"http://x{NAME}:{web.port}/") == "not_listed"

    assert refused == "not_listed"
    assert (below.status, len(web.asked)) == (200, 2)


def test_redirect_to_a_server_that_is_not_listed_is_not_followed(
    names: NameServer, settings: Settings
) -> None:
    settings.REGISTRY_FETCH_HOSTS = [NAME]
    with web_server(leading("http://other.example/")) as web:
        assert refusal_code(f"http://{NAME}:{web.port}/") == "not_listed"


@pytest.mark.parametrize(
    "address",
    """0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.1 192.0.2.1
    192.168.1.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1
    ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1
    2001:db8::1 2002:7f00:1::1 fc00::1 fd00::1 fe80::1 fec0::1 ff02::1""".split(),
)
def test_only_addresses_of_the_open_internet_are_public(address: str) -> None:
    assert not is_public_address(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "193.0.14.129", "2001:7fd::1", "2a00:1450::1"])
def test_addresses_of_the_open_internet_are_public(address: str, settings: Settings) -> None:
    settings.REGISTRY_FETCH_NETWORKS = []

    assert may_be_fetched_from(ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.2",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "169.254.169.254",
        "１２７.0.0.2",
        "127。0。0。2",
    ],
)
def test_address_in_place_of_a_name_is_checked_too(host: str, names: NameServer) -> None:
    with private() as secret:
        assert refusal_code(f"http://{host}:{secret.port}/") == "private_address"

    assert (secret.asked, names.asked) == ([], [])


@pytest.mark.parametrize(
    "host", ["2130706434", "0x7f000002", "0x7f.2", "127.2", "0177.0.0.2", "127.0.0.2.", "a..b"]
)
def test_numbers_that_systems_read_in_their_own_ways_are_no_names(
    host: str, names: NameServer
) -> None:
    names.say("127.0.0.2", "A", ["127.0.0.1"])

    with private() as secret:
        code = refusal_code(f"http://{host}:{secret.port}/")

    assert code in {"not_host_name", "private_address"}
    assert secret.asked == []


@pytest.mark.parametrize("answer", [["127.0.0.2"], ["10.0.0.1"], ["127.0.0.1", "127.0.0.2"]])
def test_name_with_any_private_address_is_not_asked(names: NameServer, answer: list[str]) -> None:
    names.say("inside.northlight.example", "A", answer)

    with private() as secret, web_server(saying()) as server:
        assert refusal_code(f"http://inside.northlight.example:{secret.port}/") == "private_address"

    assert (secret.asked, server.asked) == ([], [])


def test_private_address_beside_a_public_one_of_the_other_kind_spoils_both(
    names: NameServer, server: WebServer
) -> None:
    names.say(NAME, "AAAA", ["::ffff:127.0.0.2"])

    assert refusal_code(f"http://{NAME}:{server.port}/") == "private_address"
    assert server.asked == []


def test_name_that_changes_its_address_between_check_and_connection_gains_nothing(
    names: NameServer, server: WebServer
) -> None:
    names.say("turning.example", "A", ["127.0.0.1"], ["127.0.0.2"])

    with private(server.port) as secret:
        found = fetch(f"http://turning.example:{server.port}/")

    assert (found.body, secret.asked) == (b"Hello.", [])
    assert names.asked.count(("turning.example", "A")) == 1


def test_name_that_changes_its_address_before_a_redirect_is_checked_again(
    names: NameServer,
) -> None:
    names.say("turning.example", "A", ["127.0.0.1"], ["127.0.0.2"])

    with web_server(leading("/again")) as server, private(server.port) as secret:
        code = refusal_code(f"http://turning.example:{server.port}/")

    assert code == "private_address"
    assert (len(server.asked), secret.asked) == (1, [])


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.2:{port}/",
        "//127.0.0.2:{port}/",
        "http://[::ffff:127.0.0.2]:{port}/",
        "http://inside.northlight.example:{port}/",
    ],
)
def test_redirect_into_a_private_network_is_not_followed(names: NameServer, place: str) -> None:
    names.say("inside.northlight.example", "A", ["127.0.0.2"])

    with private() as secret, web_server(leading(place.format(port=secret.port))) as server:
        assert refusal_code(f"http://{NAME}:{server.port}/") == "private_address"

    assert (len(server.asked), secret.asked) == (1, [])


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("file:///etc/passwd", "not_web_address"),
        ("gopher://northlight.example/", "not_web_address"),
        ("//northlight.example/", "not_web_address"),
        ("http:///path", "not_web_address"),
        ("http://northlight.example@127.0.0.2/", "user_name"),
        ("http://northlight.example:80@127.0.0.2/", "user_name"),
        ("http://127.0.0.2\\@northlight.example/", "not_web_address"),
        ("http://northlight.example/\r\nHost: a", "not_web_address"),
        ("http://northlight.example:25/", "bad_port"),
        ("http://northlight.example:0/", "bad_port"),
        ("http://northlight.example:99999/", "not_web_address"),
        ("http://[::1/", "not_web_address"),
        ("http://[fe80::1%25eth0]/", "network_interface"),
        ("http://%31%32%37.0.0.2/", "not_host_name"),
        ("http://north light.example/", "not_web_address"),
    ],
)
def test_address_that_is_no_plain_url_is_refused(names: NameServer, url: str, code: str) -> None:
    assert refusal_code(url) == code
    assert names.asked == []


def test_redirect_from_https_to_http_is_not_followed(names: NameServer) -> None:
    trust = ssl.create_default_context(cafile=str(CERTIFICATE))
    names.say("secure.northlight.example", "A", ["127.0.0.1"])

    with (
        web_server(saying()) as plain,
        web_server(leading(f"http://{NAME}:{plain.port}/"), encrypted=True) as server,
        expect_refusal("insecure_redirect"),
    ):
        fetch(f"https://secure.northlight.example:{server.port}/", trust=trust)

    assert plain.asked == []


# Limits of size, time and repetition


def test_redirects_in_a_circle_come_to_an_end(names: NameServer) -> None:
    with web_server(leading("/")) as server:
        code = refusal_code(f"http://{NAME}:{server.port}/", FetchLimits(redirects=2))

    assert code == "too_many_redirects"
    assert len(server.asked) == 3


def test_answer_that_never_ends_is_cut(names: NameServer) -> None:
    def answer(to: Answering) -> None:
        to.send_response(200)
        to.end_headers()
        while True:
            to.wfile.write(b"x" * 65_536)

    with web_server(answer) as server:
        limits = FetchLimits(octets=1_000)
        assert refusal_code(f"http://{NAME}:{server.port}/", limits) == "too_long"


def test_answer_that_claims_to_be_huge_is_not_waited_for(names: NameServer) -> None:
    def answer(to: Answering) -> None:
        to.send_response(200)
        to.send_header("Content-Length", str(10**15))
        to.end_headers()
        to.wfile.write(b"x" * 2_000)

    with web_server(answer) as server:
        limits = FetchLimits(octets=1_000)
        assert refusal_code(f"http://{NAME}:{server.port}/", limits) == "too_long"


@pytest.mark.parametrize("part", ["head", "body"])
def test_answer_that_drips_is_not_waited_for(names: NameServer, part: str) -> None:
    def answer(to: Answering) -> None:
        if part == "body":
            to.send_response(200)
            to.end_headers()
        else:
            to.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
        for _drop in range(100):
            to.wfile.write(b"x")
            time.sleep(0.05)

    with web_server(answer) as server:
        code = refusal_code(f"http://{NAME}:{server.port}/", FetchLimits(seconds=0.3))

    assert code == "timeout"


@pytest.mark.parametrize(
    "lines",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000,
        b"HTTP/1.1 200 OK\r\n" + b"".join(b"A%d: %s\r\n" % (n, b"x" * 60_000) for n in range(9)),
    ],
    ids=["answers that come before", "headers"],
)
def test_overlong_head_is_refused(names: NameServer, lines: bytes) -> None:
    with web_server(lambda to: to.wfile.write(lines)) as server:
        code = refusal_code(f"http://{NAME}:{server.port}/")

    assert code == "head_too_long"


def test_server_that_does_not_speak_http_is_refused(names: NameServer) -> None:
    with web_server(lambda to: to.wfile.write(b"220 mail.northlight.example\r\n")) as server:
        code = refusal_code(f"http://{NAME}:{server.port}/")

    assert code == "not_http"


def test_server_that_is_not_there_is_said_so(names: NameServer) -> None:
    with web_server(saying()) as gone:
        port = gone.port

    assert refusal_code(f"http://{NAME}:{port}/") == "unreachable"


# What is posted


def test_body_is_posted_with_its_headers(names: NameServer) -> None:
    with web_server(saying(b"Taken.", 202)) as server:
        answer = post(f"http://{NAME}:{server.port}/in", b"{}", {"X-Kind": "one"})

    [(headers, body)] = server.sent
    assert (answer.status, answer.body, body) == (202, b"Taken.", b"{}")
    assert (headers["X-Kind"], headers["Content-Length"]) == ("one", "2")


def test_post_does_not_follow_a_redirect(server: WebServer, names: NameServer) -> None:
    with web_server(leading(f"http://{NAME}:{server.port}/", 307)) as leads:
        answer = post(f"http://{NAME}:{leads.port}/", b"{}", {})

    assert (answer.status, len(leads.sent), server.asked) == (307, 1, [])


def test_post_reads_the_beginning_of_a_long_answer(names: NameServer) -> None:
    with web_server(saying(b"x" * 5_000)) as server:
        answer = post(f"http://{NAME}:{server.port}/", b"{}", {}, limits=FetchLimits(octets=100))

    assert answer.body == b"x" * 100


def test_nothing_is_posted_into_a_private_network(names: NameServer) -> None:
    with private() as server, pytest.raises(FetchError, match="public Internet"):
        post(f"http://127.0.0.2:{server.port}/", b"{}", {})

    assert server.sent == []


# Names


def test_name_that_does_not_exist_is_said_so(names: NameServer) -> None:
    assert refusal_code("http://nobody.example/") == "unknown_name"


def test_name_without_an_address_is_said_so(names: NameServer) -> None:
    names.say("words.example", "TXT", ['"hello"'])

    assert refusal_code("http://words.example/") == "no_address"


def test_texts_at_a_name_are_read_whole(names: NameServer) -> None:
    names.say("words.example", "TXT", ['"one" " and two"', '"three"'])

    assert sorted(look_up_texts("words.example")) == ["one and two", "three"]
    assert (look_up_texts("nobody.example"), look_up_texts(NAME)) == ([], [])


def test_name_servers_that_do_not_answer_are_said_so(settings: Settings) -> None:
    settings.REGISTRY_NAMESERVERS = ["127.0.0.1:9"]

    with expect_refusal("name_servers_silent"):
        look_up_texts("words.example", seconds=0.2)
