"""Record everything that the demonstration answers, and compare two such snapshots.

    python -m tools.snapshot take FOLDER
    python -m tools.snapshot compare BEFORE AFTER

Take one before and one after moving or renaming code: the comparison shows what a visitor would
notice. `take` creates the demonstration of the tree it is run in, in a folder of its own, with a
frozen clock, a known key and known random numbers. Then it crawls: as a stranger and as each
account, from page to page by every link, to every form and every address of the API that can be
built from the links, up to a limit per kind; each response is stored as one text file (status,
headers, body), and so is each letter and the content of the dumps. Requests write nothing
permanently: each finds the registry as the demonstration created it, so no response depends on the
order of the crawl.

What differs each time is masked: CSRF tokens, nonces, version-4 UUIDs, entity tags (some depend on
the program's files) and the digests in names of static files. JSON is stored with one member per
line. `compare` prints the addresses that were added and removed, and each change once, with the
number of responses that have it; it fails if there is any.
"""

from __future__ import annotations

import argparse
import difflib
import filecmp
import hashlib
import html
import io
import json
import logging
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote, unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
    from django.test import Client
    from django.urls import URLResolver

ROOT: Final = Path(__file__).resolve().parent.parent
PROCESSES: Final = 2
STRANGER: Final = "stranger"
SITE: Final = "http://127.0.0.1:8000"
KEY: Final = "a key that the snapshots share, and nothing else in the world does"
MADE_AT: Final = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
WALKED_AT: Final = MADE_AT + timedelta(days=1)
LATER_DAYS: Final = (8, 35, 65, 100, 190)
"""After how many days to look at the letters the scheduler has sent."""

MAX_ADDRESSES: Final = 16
"""How many addresses are requested per kind: per route and extension."""
MAX_QUERIES: Final = 3
"""How many with a query, for each choice of parameters."""
MAX_REFUSALS: Final = 4
"""After how many responses other than 200 to stop guessing addresses of a kind."""
MAX_ROWS: Final = 3
"""How many pages of one kind in the admin, which shows all tables alike."""
MAX_NEGOTIATED: Final = 2
"""How many of a route are requested in every media type, by the stranger only."""
MAX_FORMS: Final = 1
"""How many files of one kind are requested while signed in: they are the same."""

BROWSER: Final = "text/html,application/xhtml+xml,*/*;q=0.8"
MEDIA_TYPES: Final = (
    "application/json",
    "application/xml",
    "text/csv",
    "text/plain",
    "application/ld+json",
    "text/turtle",
    "application/atom+xml",
    "text/markdown",
    "image/png",
)
STARTS: Final = (
    "/",
    "/robots.txt",
    "/sitemap.xml",
    "/admin/",
    "/nowhere/",
    "/find/?q=isbn",
    "/find/?q=seed",
    "/find/?q=urn:isbn:9780141036144",
    "/find/reading/?q=urn:isbn:9780141036144",
    "/inspect/?urn=urn:isbn:9780141036144",
    "/inspect/?urn=urn:isbn:9780141036145",
    "/inspect/?urn=urn:example:a%20b?+r?=q%23f",
    "/inspect/?urn=urn:-x:bad",
    "/inspect/compare/?a=urn:isbn:9780141036144&b=URN:ISBN:978-0-14-103614-4",
    "/resolve/urn:isbn:9780141036144",
    "/resolve/urn:nbn:de:101:1-201102033592",
    "/resolve/urn:watermill:17",
    "/uri-res/N2L?urn:isbn:9780141036144",
    "/uri-res/N2Ls?urn:isbn:9780141036144",
    "/uri-res/N2C?urn:isbn:9780141036144",
    "/uri-res/I=I?a=urn:isbn:1&b=URN:isbn:1",
    "/api/schema/",
    "/api/v1/namespaces/?q=seed",
    "/api/v1/urn/parse/?urn=urn:isbn:9780141036144",
    "/api/v1/urn/parse/?urn=urn:isbn:9780141036145",
    "/api/v1/urn/compare/?a=urn:isbn:1&b=URN:isbn:1",
    "/api/v1/urn/resolve-reference/?base=urn:example:a&reference=?=q",
    "/api/v1/urn/find/?text=See+urn:isbn:9780141036144.",
    "/api/search?q=isbn",
    "/api/autocomplete?q=is",
    "/api/registry/isbn",
    "/api/reference/isbn:9780141036144",
)

UNSAID_HEADERS: Final = frozenset({"content-length", "date", "server-timing"})
MASKS: Final = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*'), r"\1…"),
    (re.compile(r"(X-CSRFToken(?:&quot;|\"): ?(?:&quot;|\"))[A-Za-z0-9]+", re.I), r"\1…"),
    (re.compile(r'(\bnonce[-=]"?)[A-Za-z0-9+/_=-]+'), r"\1…"),
    (
        re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b"),
        "…uuid…",
    ),
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{12}(\.[a-z0-9]+)"), r"\1\2"),
)
LINKS: Final = re.compile(r"""\b(?:href|src|action|data-[a-z-]+)=["']([^"'<>]*)["']""")
MENTIONS: Final = re.compile(rf"""{re.escape(SITE)}(/[^\s"'<>\\)\]]*)""")
MEMBERS: Final = re.compile(r'"(/[^"\s\\]*)"')
IN_HEADERS: Final = re.compile(r"<([^<>]*)>")


Kind = tuple[str, ...]
"""Route, extension and parameter names of an address."""


def mask(text: str) -> str:
    """Return `text` without what differs between two snapshots of the same tree."""
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


def show_header(name: str, value: str) -> str:
    """Return one header line of a response, with its entity tag masked."""
    if name.lower() == "etag":
        value = re.sub(r'"[^"]*"', '"…"', value)
    return f"{name}: {mask(value)}"


def show_body(octets: bytes, media_type: str) -> str:
    """Return the body as text: JSON one member per line, and binary data by its digest."""
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError:
        return f"{len(octets)} octets, SHA-256 {hashlib.sha256(octets).hexdigest()}\n"
    if media_type.partition(";")[0].endswith("json"):
        with suppress(ValueError):
            text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    return mask(text)


def name_file(address: str) -> str:
    """Return the file name for an address: readable and unique."""
    name = quote(address, safe="/=&?:+,@!*()[]' ").replace("/", "│")
    if len(name.encode()) > 200:
        digest = hashlib.sha256(address.encode()).hexdigest()[:12]
        name = name.encode()[:180].decode("utf-8", "ignore") + digest
    return f"{name}.txt"


def keep(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name_file(name)).write_text(text, encoding="utf-8", newline="")


class Randomness:
    """Random octets that are the same in each snapshot; `restart` begins them again."""

    def __init__(self) -> None:
        self.drawn = 0
        self.seed = ""

    def restart(self, seed: str) -> None:
        """Begin a separate series, so that what is drawn for one page changes no other."""
        self.drawn, self.seed = 0, seed
        random.seed(seed)

    def draw(self, size: int) -> bytes:
        """Return random octets, like `os.urandom`."""
        self.drawn += 1
        return hashlib.shake_128(f"{self.seed}:{self.drawn}".encode()).digest(size)


RANDOMNESS: Final = Randomness()


def start_django() -> None:
    """Set up Django in a process whose environment `run` has chosen."""
    vars(os)["urandom"] = RANDOMNESS.draw
    vars(random)["_urandom"] = RANDOMNESS.draw  # what `secrets` draws from
    RANDOMNESS.restart("")

    import django
    from django.conf import settings

    settings.STATICFILES_FINDERS = []
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.WHITENOISE_AUTOREFRESH = True
    django.setup()
    logging.disable(logging.CRITICAL)


def make(data: Path, folder: Path) -> None:
    """Create the demonstration, have the worker send its letters, and store those and the dumps.

    Print the mail address of each account.
    """
    import time_machine
    from django.contrib.auth import get_user_model

    with time_machine.travel(MADE_AT, tick=False):
        keep(folder / "commands", "demonstration", print_of("demonstration", port="8000"))
        print_of("db_worker", batch=True, startup_delay=False)
        print_of("build_exports")
    with time_machine.travel(WALKED_AT, tick=False):
        keep(folder / "commands", "tick", print_of("tick"))
        print_of("db_worker", batch=True, startup_delay=False)
        keep(folder / "commands", "verify_journal", print_of("verify_journal"))
        for name, options in (("dump", {}), ("dump --complete", {"complete": True})):
            file = data / "dump.jsonl"
            print_of("dump", str(file), **options)
            lines = (json.loads(line) for line in file.read_text("utf-8").splitlines())
            text = "".join(f"{json.dumps(line, indent=1, ensure_ascii=False)}\n" for line in lines)
            keep(folder / "commands", name, mask(text))
            file.unlink()
    keep_letters(data, folder / "letters")
    people = get_user_model()._default_manager.order_by("pk")
    print("\n".join(people.values_list("email", flat=True)))


def look_later(data: Path, folder: Path) -> None:
    """Store the letters that the scheduler sends in the months to come."""
    import time_machine

    shutil.rmtree(data / "mail", ignore_errors=True)
    for days in LATER_DAYS:
        RANDOMNESS.restart(f"after {days} days")
        with time_machine.travel(MADE_AT + timedelta(days), tick=False):
            keep(folder / "commands", f"tick after {days} days", print_of("tick"))
            print_of("db_worker", batch=True, startup_delay=False)
    keep_letters(data, folder / "letters later")


def print_of(command: str, *arguments: str, **options: Any) -> str:
    """Run a management command and return its output."""
    from django.core.management import call_command

    out = io.StringIO()
    call_command(command, *arguments, stdout=out, stderr=out, **options)
    return mask(out.getvalue())


def keep_letters(data: Path, folder: Path) -> None:
    """Store each letter under its recipient and subject; duplicates are numbered."""
    known: defaultdict[str, list[str]] = defaultdict(list)
    for path in (data / "mail").glob("*.eml"):
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        said = [
            f"{name}: {re.sub('boundary=.*', 'boundary=…', value)}"
            for name, value in message.items()
            if name.lower() not in {"date", "message-id"}
        ]
        for part in message.walk():
            if part.get_content_maintype() == "text":
                said += ["", f"[{part.get_content_type()}]", part.get_content()]
        known[f"{message['to']} {message['subject']}"].append(mask("\n".join(said)))
    for name, letters in known.items():
        for number, text in enumerate(sorted(letters), start=1):
            keep(folder, f"{name} {number}" if number > 1 else name, text)


@dataclass
class Walk:
    """One person's crawl through everything reachable."""

    client: Client
    folder: Path
    person: str
    waiting: deque[str] = field(default_factory=lambda: deque(STARTS))
    seen: set[str] = field(default_factory=lambda: set(STARTS))
    tried: list[dict[str, Any]] = field(default_factory=list)
    guessed: set[str] = field(default_factory=set)
    refusals: Counter[Kind] = field(default_factory=Counter)
    numbers: Counter[Kind] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def is_stranger(self) -> bool:
        return self.person == STRANGER

    def go(self) -> None:
        """Request everything."""
        for name, parameters in named_routes():
            if not parameters:
                self.offer(reverse_or_none(name, {}))
        while self.waiting:
            self.visit(self.waiting.popleft())

    def visit(self, address: str) -> None:
        """Request one address unless its kind has reached its limit, and follow its links."""
        route, values = resolve_address(address)
        kind = kind_of(address, route)
        if address in self.guessed and self.refusals[kind] >= MAX_REFUSALS:
            self.seen.discard(address)  # A link may still lead there.
            return
        self.numbers[kind] += 1
        if self.numbers[kind] > self.limit(address, kind):
            return
        status = self.ask(address)
        if status != 200:
            self.refusals[kind] += 1
        elif self.is_stranger and "?" not in address and self.numbers[kind] <= MAX_NEGOTIATED:
            for media_type in MEDIA_TYPES:
                self.ask(address, media_type)
        if values and values not in self.tried:
            self.tried.append(values)
            for name, parameters in named_routes():
                if parameters == values.keys():
                    self.offer(reverse_or_none(name, values), is_guess=True)

    def limit(self, address: str, kind: Kind) -> int:
        """Return the limit for a kind."""
        if address.startswith("/admin/"):
            return 1 if "?" in address else MAX_ROWS
        if "?" in address:
            return MAX_QUERIES
        return MAX_FORMS if kind[1] and not self.is_stranger else MAX_ADDRESSES

    def offer(self, address: str | None, *, is_guess: bool = False) -> None:
        """Queue an address, unless it was queued before or is not on the site."""
        if not address or address.startswith("/static/"):
            return
        if address not in self.seen:
            self.seen.add(address)
            self.waiting.append(address)
            if is_guess:
                self.guessed.add(address)
        if not is_guess:
            self.guessed.discard(address)

    def ask(self, address: str, accept: str = "") -> int:
        """Request one address, store the response and queue its links; return its status."""
        from django.db import transaction

        RANDOMNESS.restart(f"{self.person} {address} {accept}")
        cookies = dict(self.client.cookies)
        with transaction.atomic():
            response = self.client.get(
                address, headers={"accept": accept or BROWSER}, REQUEST_URI=address, RAW_URI=address
            )
            octets = b"".join(response) if response.streaming else response.content
            transaction.set_rollback(True)
        self.client.cookies.clear()
        self.client.cookies.update(cookies)
        self.statuses[response.status_code] += 1
        text = show_answer(response, octets)
        asked = f"{address} as {accept}" if accept else address
        keep(self.folder / self.person, asked, text)
        for found in addresses_in(text):
            there = urlsplit(urljoin(SITE + address, found))
            if f"{there.scheme}://{there.netloc}" == SITE:
                self.offer(there._replace(scheme="", netloc="", fragment="").geturl())
        return response.status_code


def show_answer(response: HttpResponseBase, octets: bytes) -> str:
    """Return status, sorted headers, and body."""
    head = [str(response.status_code)]
    head += sorted(
        show_header(name, value)
        for name, value in response.items()
        if name.lower() not in UNSAID_HEADERS
    )
    for name, cookie in sorted(response.cookies.items()):
        cookie.set(name, "…", "…")
        head.append(cookie.output())
    return "\n".join([*head, "", show_body(octets, response.get("Content-Type", ""))])


def addresses_in(text: str) -> Iterator[str]:
    """Yield the addresses that a response links to or names, in order."""
    head, _, body = text.partition("\n\n")
    for line in head.splitlines():
        if line.startswith("Link: "):
            yield from IN_HEADERS.findall(line)
        elif line.startswith(("Location: ", "Content-Location: ")):
            yield line.partition(": ")[2]
    page = body.lstrip().lower().startswith("<!doctype html")
    for found in LINKS.findall(body) if page else MEMBERS.findall(body):
        address = html.unescape(found)
        # Other data- attributes of pages contain no addresses.
        if address.startswith(("/", "?", "./", "../", SITE)) and "…" not in address:
            yield address
    yield from (found for found in map(html.unescape, MENTIONS.findall(body)) if "…" not in found)


def kind_of(address: str, route: str) -> Kind:
    """Return the kind of an address, of which only a few are requested."""
    path, _, query = address.partition("?")
    ending = re.search(r"\.[a-z.]{2,9}$", path)
    parameters = {name for name, _value in parse_qsl(query, keep_blank_values=True)}
    return (route, ending[0] if ending else "", *sorted(parameters))


def resolve_address(address: str) -> tuple[str, dict[str, Any]]:
    """Return the route of an address and its arguments; both empty without one."""
    from django.urls import Resolver404, resolve

    try:
        match = resolve(unquote(address.partition("?")[0]))
    except Resolver404:
        return "", {}
    return match.route, match.kwargs


@lru_cache(maxsize=1)
def named_routes() -> list[tuple[str, frozenset[str]]]:
    """Return the name and the parameters of each named route."""
    from django.urls import get_resolver

    return list(routes_of(get_resolver()))


def routes_of(
    resolver: URLResolver, spaces: tuple[str, ...] = (), parameters: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset[str]]]:
    from django.urls import URLResolver

    for each in resolver.url_patterns:
        here = parameters | each.pattern.regex.groupindex.keys()
        if isinstance(each, URLResolver):
            below = (*spaces, each.namespace) if each.namespace else spaces
            yield from routes_of(each, below, here)
        elif each.name:
            yield ":".join((*spaces, each.name)), here


def reverse_or_none(name: str, values: Mapping[str, Any]) -> str | None:
    """Return the address of a route with these values, or None if they do not fit."""
    from django.urls import NoReverseMatch, reverse

    try:
        return reverse(name, kwargs=dict(values))
    except NoReverseMatch:
        return None


def walk(data: Path, folder: Path, person: str) -> None:
    """Crawl as one person, by mail address, or as a stranger."""
    import time_machine
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tools.sign_in import sign_in

    with time_machine.travel(WALKED_AT, tick=False):
        client = Client(raise_request_exception=False, headers={"host": urlsplit(SITE).netloc})
        if "@" in person:
            RANDOMNESS.restart(person)
            sign_in(client, get_user_model()._default_manager.get(email=person))
        one = Walk(client, folder, person.partition("@")[0])
        one.go()
    print(f"{one.person}:", dict(sorted(one.statuses.items())), file=sys.stderr)


def run(part: str, data: Path, folder: Path, person: str = "") -> str:
    """Run one part in a process of its own with a known environment; return its output."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("REGISTRY_")}
    environment = kept | {
        "DJANGO_SETTINGS_MODULE": "registry.settings",
        "PYTHONHASHSEED": "0",
        "REGISTRY_CACHE_BYTES": "0",
        "REGISTRY_CHECK_SECONDS_PER_MINUTE": "100000",
        "REGISTRY_DATA_DIR": str(data),
        "TZ": "UTC",
    }
    command = [sys.executable, "-m", "tools.snapshot", part, str(data), str(folder), person]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def take(folder: Path) -> int:
    """Take a snapshot of this tree into `folder`, which must be new; return how many files."""
    folder = folder.absolute()
    if folder.exists():
        raise SystemExit(f"{folder} is there already: a snapshot wants a folder of its own.")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="snapshot-") as name:
        made = Path(name) / "made"
        made.mkdir()
        (made / "secret-key").write_text(KEY, encoding="ascii")
        people = [STRANGER, *run("make", made, folder).split()]

        def do(part: str, person: str = "") -> None:
            data = Path(shutil.copytree(made, Path(name) / f"{part}-{person}"))
            run(part, data, folder, person)
            shutil.rmtree(data)

        with ThreadPoolExecutor(PROCESSES) as pool:
            parts = [pool.submit(do, "walk", person) for person in people]
            parts.append(pool.submit(do, "later"))
        for each in parts:
            each.result()
    join_equal(folder)
    count = len(files_of(folder))
    print(f"{count:,} answers and letters in {time.monotonic() - began:.0f} seconds: {folder}")
    return count


def join_equal(folder: Path) -> None:
    """Hard-link equal files to save space."""
    first: dict[bytes, Path] = {}
    for path in map(folder.joinpath, files_of(folder)):
        known = first.setdefault(hashlib.sha256(path.read_bytes()).digest(), path)
        if known is not path:
            path.unlink()
            path.hardlink_to(known)


def files_of(folder: Path) -> list[str]:
    """Return the names of all files of a snapshot, below its folder."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*.txt"))


Change = tuple[tuple[str, ...], tuple[str, ...]]
"""The removed lines, and those that replace them."""


@dataclass(frozen=True)
class Comparison:
    """The differences of two snapshots: files added and removed, and who has each change."""

    added: list[str]
    removed: list[str]
    changed: list[str]
    changes: dict[Change, list[str]]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def lines(self, most: int = 40) -> Iterator[str]:
        """Yield the report; of long changes only the first `most` lines on each side."""
        for sign, what, names in (("+", "added", self.added), ("-", "removed", self.removed)):
            if names:
                yield f"== {len(names)} {what}"
                yield from (f"{sign} {name}" for name in names)
        if self.changed:
            yield f"== {len(self.changed)} changed, by {len(self.changes)} different changes"
        for (old, new), names in sorted(self.changes.items(), key=lambda each: -len(each[1])):
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            yield f"@@ {len(names)} × {', '.join(names[:3])}{more}"
            yield from shorten("-", old, most)
            yield from shorten("+", new, most)
        if not self:
            yield "No difference."


def shorten(sign: str, lines: Sequence[str], most: int) -> Iterator[str]:
    """Yield the first lines with a prefix, and how many are left out."""
    yield from (f"{sign}{line}" for line in islice(lines, most))
    if len(lines) > most:
        yield f"{sign}… {len(lines) - most} more lines"


def compare(before: Path, after: Path) -> Comparison:
    for folder in (before, after):
        if not folder.is_dir():
            raise SystemExit(f"{folder} is no folder.")
    old, new = files_of(before), files_of(after)
    common = sorted(set(old) & set(new))
    changed = [
        name for name in common if not filecmp.cmp(before / name, after / name, shallow=False)
    ]
    changes: defaultdict[Change, list[str]] = defaultdict(list)
    for name in changed:
        pair = ((folder / name).read_bytes().decode().split("\n") for folder in (before, after))
        for change in dict.fromkeys(changes_between(*pair)):
            changes[change].append(name)
    return Comparison(
        added=sorted(set(new) - set(old)),
        removed=sorted(set(old) - set(new)),
        changed=changed,
        changes=dict(changes),
    )


def changes_between(old: Sequence[str], new: Sequence[str]) -> Iterable[Change]:
    """Yield each place where two texts differ, in order."""
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            yield tuple(old[a:b]), tuple(new[c:d])


def main(arguments: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    if arguments and arguments[0] in {"make", "walk", "later"}:
        part, data, folder, person = arguments
        start_django()
        if part == "make":
            make(Path(data), Path(folder))
        elif part == "walk":
            walk(Path(data), Path(folder), person)
        else:
            look_later(Path(data), Path(folder))
        return 0
    parser = argparse.ArgumentParser(prog="python -m tools.snapshot", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("take").add_argument("folder", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    asked = parser.parse_args(arguments)
    if asked.command == "take":
        take(asked.folder)
        return 0
    comparison = compare(asked.before, asked.after)
    print("\n".join(comparison.lines()))
    return 1 if comparison else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
