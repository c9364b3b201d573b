"""Crawling the public registry within this process, from its pages along their links."""

from __future__ import annotations

import html
import io
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final
from urllib.parse import SplitResult, quote, unquote_to_bytes, urljoin, urlsplit

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from registry.exchange.exports import EXPORT_FILES
from registry.models import Namespace, Sighting
from registry.selectors.public_pages import SITEMAP_PAGE_SIZE, list_public_pages

OMITTED_HEADERS: Final = ("Content-Length", "ETag", "Last-Modified", "Set-Cookie", "Vary")
"""Headers that the file's web server sets itself, or that are about the application."""


@dataclass(frozen=True, slots=True)
class CrawledResponse:
    """The application's response for a path: status, headers and octets."""

    path: str
    status: int
    headers: dict[str, str]
    octets: bytes

    @property
    def media_type(self) -> str:
        """The media type, without its parameters."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip()

    @property
    def is_everybodys(self) -> bool:
        """Whether it is a page or file that is the same for everyone."""
        kept = self.headers.get("Cache-Control", "")
        is_own = "Set-Cookie" in self.headers or "private" in kept or "no-store" in kept
        return self.status == 200 and not is_own

    @property
    def served_with(self) -> dict[str, str]:
        """The headers with which to serve the file."""
        return {name: text for name, text in self.headers.items() if name not in OMITTED_HEADERS}


class StartResponse:
    """The application's response before the octets (PEP 3333)."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}

    def __call__(
        self, status: str, headers: list[tuple[str, str]], failed: object = None, /
    ) -> Callable[[bytes], object]:
        """Record status and headers; Django never uses the `write` function."""
        self.status, self.headers = int(status[:3]), dict(headers)
        return bytes


class InProcessClient:
    """A client for the registry at its public address."""

    def __init__(self) -> None:
        self.handler = WSGIHandler()
        self.site = urlsplit(settings.SITE)

    def ask(self, path: str) -> CrawledResponse:
        """Return the response for `path`."""
        start = StartResponse()
        answer = self.handler(self.environment(path), start)
        try:
            octets = b"".join(answer)
        finally:
            answer.close()
        return CrawledResponse(path, start.status, start.headers, octets)

    def environment(self, path: str) -> dict[str, Any]:
        """Return the environment that a web server would pass (PEP 3333)."""
        place, _mark, query = path.partition("?")
        port = self.site.port or {"https": 443}.get(self.site.scheme, 80)
        return {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(place).decode("latin-1"),
            "QUERY_STRING": query,
            "RAW_URI": path,
            "SERVER_NAME": self.site.hostname or "",
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": self.site.netloc,
            "HTTP_X_FORWARDED_PROTO": self.site.scheme,
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self.site.scheme,
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }


# Our own pages, style sheets and scripts, which are written in one way.
HTML_LINK: Final = re.compile(r"""\s(?:href|src|action)="([^"]*)\"""")
CSS_LINK: Final = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
SCRIPT_LINK: Final = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.{0,2}/[^"']+)["']""")
HEADER_LINK: Final = re.compile(r"<([^>]*)>\s*;")

LINK_PATTERNS: Final = {
    "text/html": HTML_LINK,
    "text/css": CSS_LINK,
    "text/javascript": SCRIPT_LINK,
    "application/javascript": SCRIPT_LINK,
}


def find_site_links(answered: CrawledResponse, site: str) -> Iterator[str]:
    """Yield the addresses on `site` that the response links to, with queries, not fragments."""
    for written in find_written_links(answered):
        address = urlsplit(urljoin(f"{site}{answered.path}", written))
        if f"{address.scheme}://{address.netloc}" == site:
            yield normalize_address(address)


def normalize_address(address: SplitResult) -> str:
    """Return path and query of an address on this site, in the crawl's one spelling."""
    query = f"?{address.query}" if address.query else ""
    return quote(address.path or "/", safe="/%:@!$&'()*+,;=~-._") + query


def find_written_links(answered: CrawledResponse) -> Iterator[str]:
    """Yield every address written in the response."""
    yield from HEADER_LINK.findall(answered.headers.get("Link", ""))
    if "Location" in answered.headers:
        yield answered.headers["Location"]
    pattern = LINK_PATTERNS.get(answered.media_type)
    if pattern is None:
        return
    for found in pattern.finditer(answered.octets.decode()):
        yield html.unescape(next(filter(None, found.groups()), ""))


DYNAMIC_ADDRESSES: Final = re.compile(
    r"/(?:accounts?|admin|contact|demonstration|direction|find|publish|resolve|review|theme|uri-res)/"
    r"|/api/(?!(?:(?:problems|versions)/)?\Z)|/requests/new/|/requests/[^/]+/(?:comment|fresh)/"
    r"|/organizations/[0-9]+/(?!\Z)|/sightings/(?!\Z)|/log/consistency/"
    r"|.*\?(?!(?:order|page|round|show|year)=[a-z0-9]+\Z)"
)
"""What needs an application: actions, questions, and pages that differ per visitor.

Of addresses with a query only those that turn pages become files.
"""
NOT_FOUND_PATH: Final = "/404.html"
SITEWIDE_PATHS: Final = ("/robots.txt", "/sitemap.xml", NOT_FOUND_PATH)


@dataclass
class Crawl:
    """What was found: files, redirects, addresses that need the application, and broken links."""

    files: dict[str, CrawledResponse] = field(default_factory=dict)
    moved: dict[str, tuple[int, str]] = field(default_factory=dict)
    needing: set[str] = field(default_factory=set)
    broken: dict[str, str] = field(default_factory=dict)


def crawl_site(application: InProcessClient, say: Callable[[int], None]) -> Crawl:
    """Request every public page, and everything it links to."""
    unregistered = set(list_sighted_paths())
    found, waiting, known = Crawl(needing=unregistered), deque[tuple[str, str]](), {*unregistered}
    enqueue_addresses(found, waiting, known, "the list of pages", list_start_paths())
    while waiting:
        path, source = waiting.popleft()
        answered = application.ask(path)
        enqueue_addresses(found, waiting, known, path, record_response(found, answered, source))
        say(len(found.files))
    for path, answered in found.files.items():
        found.files[path] = adapt_to_files(answered, found)
    return found


def enqueue_addresses(
    found: Crawl,
    waiting: deque[tuple[str, str]],
    known: set[str],
    source: str,
    addresses: Iterable[str],
) -> None:
    """Queue those of `addresses` that are new and can be files."""
    for address in addresses:
        if DYNAMIC_ADDRESSES.match(address):
            found.needing.add(address)
        elif address not in known:
            known.add(address)
            waiting.append((address, source))


def record_response(found: Crawl, answered: CrawledResponse, source: str) -> Iterator[str]:
    """Record the response by its kind; return its links."""
    path, after = answered.path, list(find_site_links(answered, settings.SITE))
    if answered.is_everybodys or (path == NOT_FOUND_PATH and answered.status == 404):
        found.files[path] = answered
    elif 300 <= answered.status < 400 and after and not DYNAMIC_ADDRESSES.match(after[-1]):
        found.moved[path] = answered.status, after[-1]
    elif 300 <= answered.status < 400 or answered.status == 200:
        found.needing.add(path)
        after = []
    else:
        found.broken[path] = f"{answered.status}, linked from {source}"
        after = []
    return iter(after)


FORM: Final = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
FORM_ACTION: Final = re.compile(r"""\saction="([^"]*)\"""")
FORM_FIELD: Final = re.compile(r"""<(?:textarea|select|input(?![^>]*\stype="hidden"))\b""")
ADDRESS_ATTRIBUTE: Final = re.compile(r"""(\s(?:href|src|data-search)=")([^"#][^"]*)\"""")
REQUEST_ATTRIBUTE: Final = re.compile(r"""\sdata-hx-(?:get|post)="[^"]*\"""")
"""What htmx asks for by itself: the parts of a page, which are no files."""


def adapt_to_files(answered: CrawledResponse, found: Crawl) -> CrawledResponse:
    """Return a response as the edition has it, after the crawl, which says what became a file.

    In pages, nothing leads to an address that only the application can answer: forms are left out,
    and links lead to the registry's site, as in the `Link` header of any response.
    """
    headers = dict(answered.headers)
    if "Link" in headers:
        headers["Link"] = HEADER_LINK.sub(
            lambda link: link[0].replace(link[1], resolve_link(answered.path, link[1], found), 1),
            headers["Link"],
        )
    octets = answered.octets
    if answered.media_type == "text/html":
        page = leave_out_forms(answered.path, octets.decode())
        page = REQUEST_ATTRIBUTE.sub("", page)
        octets = ADDRESS_ATTRIBUTE.sub(
            lambda link: (
                link[1]
                + html.escape(resolve_link(answered.path, html.unescape(link[2]), found))
                + '"'
            ),
            page,
        ).encode()
    return replace(answered, headers=headers, octets=octets)


def resolve_link(path: str, written: str, found: Crawl) -> str:
    """Return where a link leads in the edition: to a file, the registry's site, or elsewhere.

    A redirect is followed now, because not every server of files has been told of it.
    """
    local, mark, fragment = urljoin(path, written).partition("#")
    if not local.startswith("/") or local.startswith("//"):
        return written
    address = normalize_address(urlsplit(local))
    if address in found.moved:
        return resolve_link(path, found.moved[address][1], found) + mark + fragment
    if address in found.needing:
        return f"{settings.SITE}{local}{mark}{fragment}"
    return written


def leave_out_forms(path: str, page: str) -> str:
    """Return a page without forms: a file always says the same, whatever is sent to it.

    A link to the form in the registry takes its place, unless there is nothing to fill in.
    """

    def leave_out(form: re.Match[str]) -> str:
        attributes, content = form.groups()
        if not FORM_FIELD.search(content):
            return ""
        action = FORM_ACTION.search(attributes)
        is_sent = 'method="post"' in attributes
        target = path if is_sent or not action else urljoin(path, html.unescape(action[1]))
        address = f"{settings.SITE}{target}"
        if 'role="search"' in attributes:
            words = _("Search in the registry itself")
            return format_html('<a class="finder small" href="{}">{}</a>', address, words)
        words = _("This form works only in the registry itself, not in this static edition:")
        return format_html(
            '<p class="small muted">{} <a href="{}">{}</a></p>', words, address, address
        )

    return FORM.sub(leave_out, page)


def list_start_paths() -> Iterator[str]:
    """Yield where the crawl begins; every other address is linked from one of these."""
    public = list_public_pages()
    pages = (address.path for address in public)
    exports = (reverse("exports:file", args=[name]) for name in EXPORT_FILES)
    return chain(
        SITEWIDE_PATHS,
        list_map_paths(len(public)),
        pages,
        exports,
        list_template_paths(),
        list_spelling_paths(),
    )


def list_map_paths(pages: int) -> Iterator[str]:
    """Yield the parts of the sitemap, if it has any."""
    if pages > SITEMAP_PAGE_SIZE:
        for number in range(1, math.ceil(pages / SITEMAP_PAGE_SIZE) + 1):
            yield reverse("robots:sitemap_page", args=[number])


def list_template_paths() -> Iterator[str]:
    """Yield where IANA's layout has the templates."""
    held = Namespace.objects.filter(registrations__isnull=False).distinct().order_by("nid")
    for kind, nid in held.values_list("kind", "nid"):
        yield reverse("exports:template", args=[kind, nid])


def list_sighted_paths() -> Iterator[str]:
    """Yield the pages of NIDs that are in use without being registered: their status is 404."""
    registered = Namespace.objects.values("nid")
    for nid in Sighting.objects.exclude(nid__in=registered).values_list("nid", flat=True):
        yield reverse("namespaces:detail", args=[nid])


def list_spelling_paths() -> Iterator[str]:
    """Yield the pages of namespaces in other common spellings."""
    names = Namespace.objects.order_by("nid").values_list("nid", "nid_as_registered")
    for nid, registered in names:
        for name in sorted({nid.upper(), registered} - {nid}):
            yield reverse("namespaces:detail", args=[name])
