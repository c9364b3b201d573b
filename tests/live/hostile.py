"""Posts that no browser would send: pages' forms, filled in by an attacker."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from random import Random
from typing import Final
from urllib.parse import quote_plus, urljoin, urlsplit

from lxml import html

PATIENCE: Final = 60.0
BOUNDARY: Final = "b0undary"
HUGE: Final = 200_000

VALUES: Final[tuple[str | bytes, ...]] = (
    "",
    " ",
    "\x00",
    "a\x00b",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    "\u202etxt.exe\u2066",
    "\ufeff\u200b",
    "e" + "\u0301" * 2_000,
    "a\r\nSet-Cookie: sessionid=b",
    "\x1b[2J\x07",
    "-1",
    "0",
    "9" * 30,
    "9" * 5_000,
    "1e999",
    "1_000",
    "NaN",
    "-Infinity",
    "²",
    "٣",
    "null",
    "[]",
    '{"a": [1]}',
    "[" * 5_000,
    "(" * 5_000,
    "../../../../etc/passwd",
    "x",
    "http://[::1",
    "//elsewhere.example",
    "javascript:alert(1)",
    "https://\u2100.example/",
    "https://a.example:99999999/",
    "https://user:secret@[v1.x]/",
    "https://" + "a" * 70 + ".example/",
    "https://xn--a.example/\x00",
    "%",
    "%00",
    "%ed%a0%80",
    "%(who)s %n {0} {x.__class__}",
    "{{ 7 }}{% load x %}",
    "<script>alert(1)</script>",
    "'; DROP TABLE registry_event; --",
    "urn:",
    "urn:example:%00",
    "urn:exämple:\udcff".encode("utf-8", "surrogatepass"),
    "urn:urn-7:a?+b?=c#d",
    "x-1",
    "R-2026-0001",
    "2026-13-45",
    "0000-00-00",
    "99999-01-01",
    "0001-01-01",
    "a@" + "b" * 300 + ".example",
    '"a b"@[127.0.0.1]',
    "00000000-0000-0000-0000-000000000000",
    "rule = " + "(" * 300 + '"a"' + ")" * 300,
    "(a+)+$",
    "a" * 300,
    "a" * HUGE,
    "\n" * 20_000,
    "Namespace Identifier:\n" * 5_000,
)
"""Unexpected values: broken text, invalid numbers, addresses that lead nowhere."""

WORST: Final[tuple[str | bytes, ...]] = (
    "\x00",
    "9" * 5_000,
    "9" * 30,
    "-1",
    "x",
    "²",
    "http://[::1",
    b"\xed\xa0\x80",
    "%ed%a0%80",
    "a" * 5_000,
    "0000-00-00",
)
"""Values that have broken pages before, here or elsewhere: as frequent as all others together."""

STALE: Final = ("", "0", "-1", "99999", "9" * 30, "9" * 5_000, "x", "²", "0-0", ":", "null")
"""What somebody may claim to have seen."""
SEEN: Final = frozenset({"seen", "edition", "revision", "key", "form_key"})
IDS: Final = (
    *("0", "-1", "99999", "9" * 25, "x", "%00", "%ff", "%ed%a0%80", "%2e%2e", "%2F", "r-2026-0001"),
    *("r-2026-9999", "a" * 500, "%F0%9F%8C%B1", "%25", "..", "isbn", "x'y"),
)
HEADERS: Final[tuple[tuple[str, str | bytes], ...]] = (
    ("Host", "elsewhere.example"),
    ("Host", "[::1"),
    ("Host", "a b"),
    ("X-Forwarded-Host", "elsewhere.example"),
    ("X-Forwarded-For", "1.2.3.4, x, [::1"),
    ("X-Forwarded-Proto", "https, x"),
    ("Origin", "http://["),
    ("Origin", "null"),
    ("Referer", "http://[::1"),
    ("Referer", b"\xff\xfe"),
    ("Cookie", b"sessionid=\xff; csrftoken=\x80; theme=\xed\xa0\x80"),
    ("Cookie", 'sessionid="; theme="dark; csrftoken'),
    ("Cookie", "; ".join(f"c{n}=1" for n in range(90))),
    ("Cookie", "messages=W1siX19qc29uX21lc3NhZ2UiLDAsMjUsIngiXV0; sessionid=" + "a" * 200),
    ("Accept", "text/html;q=x, */*;q=1e9, " + "a/b," * 300),
    ("Accept", b"\xff"),
    ("Accept-Language", "*;q=2, xx-" + "y" * 200 + ", \x7f"),
    ("Accept-Encoding", "gzip;q=-1, br;q=x, *"),
    ("If-None-Match", '"a, W/"b'),
    ("If-Modified-Since", "Mon, 99 Foo 99999 99:99:99 GMT"),
    ("Range", "bytes=9-1,x"),
    ("Content-Encoding", "gzip"),
    ("HX-Request", "true"),
    ("HX-Current-URL", "http://[::1"),
    ("HX-Target", b"\xff"),
    ("HX-Current-URL-URI-AutoEncoded", "x"),
    ("Authorization", "Token " + "x" * 300),
    ("Authorization", b"Basic \xff"),
    ("User-Agent", b"\xff\x01"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("Idempotency-Key", "\t"),
    ("Expect", "200-maybe"),
)
MEDIA_TYPES: Final = (
    "",
    "x",
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded; charset=idna",
    "application/x-www-form-urlencoded; charset=utf-7",
    "application/x-www-form-urlencoded; charset=nonsense",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=" + "b" * 300,
    "multipart/form-data; boundary=\xe9",
    "multipart/form-data; boundary=b; charset=utf-7",
)
PART: Final = b"--b\r\nContent-Disposition: form-data; name="
BODIES: Final = (
    b"",
    b"%",
    b"%zz=%u1234&%=%",
    b"=&=&&;;=",
    b"a=%ED%A0%80&b=%FF%FE&c=%00",
    b"\x00\xff\xfe" * 100,
    b"&".join(b"f%d=1" % n for n in range(1_500)),
    b"csrfmiddlewaretoken=%ff&verb=" + b"a" * 1_000,
    b"--b\r\n\r\n--b--",
    PART + b'"a\r\n\r\nx',
    PART + b'"file"; filename="\xff\x00/../x"\r\n\r\nx\r\n--b--\r\n',
    PART + b'"a"\r\nContent-Transfer-Encoding: base64\r\n\r\n=x\r\n--b--\r\n',
    json.dumps([[[1]]]).encode(),
)
METHODS: Final = ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "post", "X-Y")


def in_octets(text: str | bytes) -> bytes:
    """Return a text as it goes over the wire."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def hostile_value(rng: Random) -> bytes:
    """Return a value that a field does not expect."""
    return in_octets(rng.choice(rng.choice((WORST, VALUES))))


@dataclass
class Post:
    """One form about to be sent; changes are made in place."""

    method: str
    target: str
    fields: list[tuple[bytes, bytes]]
    headers: dict[str, bytes]
    choices: dict[bytes, list[bytes]] = field(default_factory=dict)
    is_multipart: bool = False
    media_type: str = ""
    body: bytes | None = None

    def octets(self) -> bytes:
        """Return the request, to the last octet."""
        target, body = self.target, self.written()
        if self.method == "GET":
            query = urlsplit(target).query
            target += ("&" if query else "?") + self.encoded().decode("ascii", "replace")[:7_000]
            body = b""
        lines = [f"{self.method} {target} HTTP/1.1".encode("utf-8", "surrogateescape")]
        lines += [name.encode() + b": " + value for name, value in self.headers.items()]
        lines += [b"Content-Type: " + self.kind().encode("latin-1")] if self.kind() else []
        lines += [b"Content-Length: %d" % len(body), b"Connection: close"]
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    def kind(self) -> str:
        """The claimed media type of the body."""
        if self.media_type:
            return self.media_type
        if self.is_multipart:
            return f"multipart/form-data; boundary={BOUNDARY}"
        return "application/x-www-form-urlencoded"

    def written(self) -> bytes:
        """Return the body."""
        if self.body is not None:
            return self.body
        return self.in_parts() if self.is_multipart else self.encoded()

    def encoded(self) -> bytes:
        """Return the fields as a browser encodes them."""
        pairs = (f"{quote_plus(name)}={quote_plus(value)}" for name, value in self.fields)
        return "&".join(pairs).encode("ascii")

    def in_parts(self) -> bytes:
        """Return the fields as parts, those that look like files as files."""
        parts = b""
        for name, value in self.fields:
            file = b'; filename="\xff.csv"' if name in {b"file", b"table", b"template"} else b""
            parts += b"--" + BOUNDARY.encode() + b'\r\nContent-Disposition: form-data; name="'
            parts += name.replace(b'"', b"%22") + b'"' + file + b"\r\n\r\n" + value + b"\r\n"
        return parts + b"--" + BOUNDARY.encode() + b"--\r\n"


# Changes to a form


def change_a_value(rng: Random, post: Post) -> None:
    """Give one field, or each of several, an unexpected value."""
    names = [n for n, (name, _) in enumerate(post.fields) if name != b"csrfmiddlewaretoken"]
    for n in rng.sample(names, min(len(names), rng.choice((1, 1, 1, 2, 5)))):
        post.fields[n] = (post.fields[n][0], hostile_value(rng))


def choose_otherwise(rng: Random, post: Post) -> None:
    """Choose any option, or one that does not exist."""
    for name, values in post.choices.items():
        value = rng.choice([*values, hostile_value(rng)])
        post.fields = [each for each in post.fields if each[0] != name] + [(name, value)]


def leave_out(rng: Random, post: Post) -> None:
    """Leave fields out, sometimes including the CSRF token."""
    for _field in range(min(rng.choice((1, 1, 2, 4)), len(post.fields))):
        post.fields.pop(rng.randrange(len(post.fields)))


def say_twice(rng: Random, post: Post) -> None:
    """Repeat a field twice or often, with other values."""
    if post.fields:
        name, value = rng.choice(post.fields)
        more = [(name, hostile_value(rng)) for _ in range(rng.choice((1, 2, 50)))]
        post.fields = rng.choice(([*post.fields, *more], [*more, *post.fields]))
        post.fields.append((name + b"[]", value))


def add_unknown(rng: Random, post: Post) -> None:
    """Add fields that the form does not have, but other views read."""
    names = ("next", "verb", "seen", "remove", "take_back", "go", "page", "try", "check", "answers")
    for name in rng.sample([*names, "\x00", "a" * 5_000, "_method", "agree", "last"], 3):
        post.fields.append((in_octets(name), hostile_value(rng)))


def be_stale(rng: Random, post: Post) -> None:
    """Claim to have seen something outdated, or nonexistent."""
    post.fields = [
        (name, rng.choice(STALE).encode() if name.decode("utf-8", "replace") in SEEN else value)
        for name, value in post.fields
    ]


def go_elsewhere(rng: Random, post: Post) -> None:
    """Replace a part of the address, or add a query."""
    path, _, query = post.target.partition("?")
    parts = path.split("/")
    if len(parts) > 3 and rng.random() < 0.7:
        parts[rng.randrange(2, len(parts) - 1)] = rng.choice(IDS)
    if rng.random() < 0.5:
        name = rng.choice(("page", "request", "next", "section", "answers", "round", "nid", "q"))
        query = f"{name}={quote_plus(hostile_value(rng))[:3_000]}"
    post.target = "/".join(parts) + (f"?{query}" if query else "")


def say_otherwise(rng: Random, post: Post) -> None:
    """Send headers that no browser sends."""
    for name, value in rng.sample(HEADERS, rng.choice((1, 1, 3))):
        post.headers[name] = in_octets(value)


def send_something_else(rng: Random, post: Post) -> None:
    """Send another body than the form's, or claim another type."""
    if rng.random() < 0.6:
        post.media_type = rng.choice(MEDIA_TYPES)
    if rng.random() < 0.6 or not post.media_type:
        post.body = rng.choice(BODIES)
        if post.body.startswith(b"--b"):
            post.media_type = "multipart/form-data; boundary=b"


def send_in_parts(rng: Random, post: Post) -> None:
    """Send parts where the form is encoded, and vice versa."""
    post.is_multipart = not post.is_multipart
    change_a_value(rng, post)


def act_otherwise(rng: Random, post: Post) -> None:
    """Request another action of the form."""
    post.method = rng.choice(METHODS)


CHANGES: Final[Sequence[Callable[[Random, Post], None]]] = (
    *[change_a_value] * 8,
    *[choose_otherwise] * 3,
    *[leave_out] * 2,
    *[say_twice] * 2,
    *[add_unknown] * 2,
    *[be_stale] * 2,
    *[go_elsewhere] * 2,
    *[say_otherwise] * 2,
    send_something_else,
    send_in_parts,
    act_otherwise,
)

# Forms as pages have them

PLAUSIBLE: Final = {
    "email": b"somebody@people.example",
    "url": b"https://northlight.example/",
    "date": b"2026-12-24",
    "number": b"1",
    "password": b"correct horse battery staple",
    "file": b"urn:isbn:0451450523,https://books.example/1\n",
}
"""Valid values for fields of a kind, so that only the hostile one gets a form refused."""


def read_form(form: html.FormElement, at: str, headers: dict[str, bytes]) -> Post:
    """Return a form of the page `at`, with its required fields filled in."""
    fields: list[tuple[bytes, bytes]] = []
    choices: dict[bytes, list[bytes]] = {}
    own = form.xpath(".//input|.//select|.//textarea|.//button")
    key = form.get("id")
    own += form.xpath("//*[@form=$key]", key=key) if key else []
    for each in own:
        name, kind = each.get("name"), each.get("type", each.tag)
        if not name:
            continue
        if each.tag == "select":
            choices[name.encode()] = [in_octets(value) for value in each.value_options]
        elif each.tag == "button" or kind in {"radio", "checkbox", "submit"}:
            choices.setdefault(name.encode(), []).append(in_octets(each.get("value", "on")))
        value = each.value if each.tag != "button" else each.get("value", "")
        is_unchosen = kind in {"radio", "checkbox"} and not each.checked
        if each.tag != "button" and not is_unchosen:
            typed = in_octets(str(value or "")) or PLAUSIBLE.get(kind, b"Something.")
            fields.append((name.encode(), typed))
    buttons = [each for each in own if each.tag == "button" and each.get("name")]
    fields += [
        (each.get("name").encode(), in_octets(each.get("value", ""))) for each in buttons[:1]
    ]
    to = urlsplit(urljoin(at, form.get("action") or at))
    return Post(
        method=(form.get("method") or "get").upper(),
        target=to.path + (f"?{to.query}" if to.query and form.get("method") else ""),
        fields=fields,
        headers=dict(headers),
        choices=choices,
        is_multipart="multipart" in (form.get("enctype") or ""),
    )


@dataclass(frozen=True)
class Answer:
    """The response; without a status the server hung up."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    text: str


def send(host: str, octets: bytes) -> Answer:
    """Send the octets to `host`, an address with a port, and return the response."""
    name, _, port = host.rpartition(":")
    with socket.create_connection((name, int(port)), PATIENCE) as wire:
        # A server that stops reading may have sent a response all the same.
        with suppress(BrokenPipeError, ConnectionResetError):
            wire.sendall(octets)
        method = octets.partition(b" ")[0].decode("ascii", "replace")
        response = HTTPResponse(wire, method=method)
        try:
            response.begin()
            text = response.read().decode("utf-8", "replace")
        except (HTTPException, ConnectionError) as hung_up:
            return Answer(0, {}, {}, repr(hung_up))
    cookies = {}
    for each in response.headers.get_all("Set-Cookie", []):
        cookie, _, value = each.partition(";")[0].partition("=")
        cookies[cookie] = value
    return Answer(response.status, dict(response.headers.items()), cookies, text)
