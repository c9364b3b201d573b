"""Walking through the public registry: from its pages to whatever they lead to."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from django.conf import settings
from django.urls import reverse

from registry.edition.asking import Answered, Application
from registry.edition.links import links
from registry.exports import FILES
from registry.models import Namespace
from registry.pages.addresses import public_pages

OF_THE_APPLICATION: Final = re.compile(
    r"/(?:accounts?|admin|demonstration|direction|find|publish|resolve|review|theme|uri-res)/"
    r"|/api/(?!\Z)|/requests/new/|/requests/[^/]+/(?:comment|fresh)/"
    r"|/organizations/[0-9]+/(?!\Z)|/sightings/(?!\Z)"
    r"|.*\?(?!(?:order|page|round|show|year)=[a-z0-9]+\Z)"
)
"""What somebody has to answer: acts, questions, and what is different for each who asks.

Of addresses with a query only those that turn pages are files.
"""
LOST: Final = "/404.html"
SITEWIDE: Final = ("/robots.txt", "/sitemap.xml", LOST)


@dataclass
class Walk:
    """What was found: files, where addresses moved, what needs the application, what is broken."""

    files: dict[str, Answered] = field(default_factory=dict)
    moved: dict[str, tuple[int, str]] = field(default_factory=dict)
    needing: set[str] = field(default_factory=set)
    broken: dict[str, str] = field(default_factory=dict)


def walk(application: Application, say: Callable[[int], None]) -> Walk:
    """Ask for every public page, and for whatever it leads to."""
    found, waiting, known = Walk(), deque[tuple[str, str]](), set[str]()
    lead(found, waiting, known, "the list of pages", beginnings())
    while waiting:
        path, source = waiting.popleft()
        answered = application.ask(path)
        lead(found, waiting, known, path, place(found, answered, source))
        say(len(found.files))
    return found


def lead(
    found: Walk,
    waiting: deque[tuple[str, str]],
    known: set[str],
    source: str,
    addresses: Iterable[str],
) -> None:
    """Have those of `addresses` asked for that are new, and can be files."""
    for address in addresses:
        if OF_THE_APPLICATION.match(address):
            found.needing.add(address)
        elif address not in known:
            known.add(address)
            waiting.append((address, source))


def place(found: Walk, answered: Answered, source: str) -> Iterator[str]:
    """Put the answer where it belongs; return what it leads to."""
    path, after = answered.path, list(links(answered, settings.SITE))
    if answered.is_everybodys or (path == LOST and answered.status == 404):
        found.files[path] = answered
    elif 300 <= answered.status < 400 and after and not OF_THE_APPLICATION.match(after[-1]):
        found.moved[path] = answered.status, after[-1]
    elif 300 <= answered.status < 400 or answered.status == 200:
        found.needing.add(path)
        after = []
    else:
        found.broken[path] = f"{answered.status}, linked from {source}"
        after = []
    return iter(after)


def beginnings() -> Iterator[str]:
    """Yield where the walk begins; every other address is linked from one of these."""
    pages = (address.path for address in public_pages())
    exports = (reverse("exports:file", args=[name]) for name in FILES)
    return chain(SITEWIDE, pages, exports, templates(), spellings())


def templates() -> Iterator[str]:
    """Yield where IANA's layout has the templates."""
    held = Namespace.objects.filter(registrations__isnull=False).distinct().order_by("nid")
    for kind, nid in held.values_list("kind", "nid"):
        yield reverse("exports:template", args=[kind, nid])


def spellings() -> Iterator[str]:
    """Yield the pages of namespaces in other spellings that people meet."""
    names = Namespace.objects.order_by("nid").values_list("nid", "nid_as_registered")
    for nid, registered in names:
        for name in sorted({nid.upper(), registered} - {nid}):
            yield reverse("namespaces:detail", args=[name])
