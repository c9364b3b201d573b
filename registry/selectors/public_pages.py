"""Where the public pages are: for the sitemap, and as starting points of a static edition."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from django.core.cache import caches
from django.db.models import QuerySet
from django.urls import reverse

from registry.guide import GUIDE_CHAPTERS, GuideChapter
from registry.journal.openness import public_organizations
from registry.models import Namespace, Organization, Registration, RegistrationRequest
from registry.selectors.registry_version import find_registry_version

STATIC_PAGE_NAMES: Final = (
    "home:index",
    "namespaces:index",
    "requests:index",
    "requests:figures",
    "organizations:index",
    "sightings:index",
    "held:index",
    "enquiries:index",
    "inspect:index",
    "guide:index",
    "guide:about",
    "guide:trust",
    "guide:experts",
    "guide:scheme",
    "guide:discussion_list",
    "guide:accessibility",
    "guide:privacy",
    "exports:index",
    "log:index",
    "api:index",
    "api:problems",
    "api:versions",
)
"""Single pages."""

LENGTHS_CACHE_KEY: Final = "public-pages"
"""A cache entry: a version of the registry, and how many pages of each kind it has."""

SITEMAP_PAGE_SIZE: Final = 1_000
"""Pages in one part of the sitemap: it reads only those, however many others there are."""


@dataclass(frozen=True, slots=True)
class PublicPage:
    """One page: its path, and the day of its last change, if known."""

    path: str
    changed_on: datetime.date | None = None


def build_static_page(name: str) -> PublicPage:
    """Return a single page."""
    return PublicPage(reverse(name))


def build_chapter_page(chapter: GuideChapter) -> PublicPage:
    """Return the page of a chapter of the guide."""
    return PublicPage(reverse("guide:section", args=[chapter.slug]))


def build_organization_page(each: Organization) -> PublicPage:
    """Return the page of an organization."""
    return PublicPage(each.get_absolute_url())


def build_namespace_page(row: tuple[str, datetime.datetime]) -> PublicPage:
    """Return the page of a namespace."""
    nid, changed = row
    return PublicPage(reverse("namespaces:detail", args=[nid]), changed.date())


def build_version_page(row: tuple[str, int, datetime.date]) -> PublicPage:
    """Return the page of a version of a namespace."""
    nid, number, day = row
    return PublicPage(reverse("namespaces:version", args=[nid, number]), day)


def build_request_page(each: RegistrationRequest) -> PublicPage:
    """Return the page of a request."""
    return PublicPage(each.get_absolute_url(), each.state_since.date())


@dataclass(frozen=True, slots=True)
class PublicPages(Sequence[PublicPage]):
    """Every public page worth finding, in a stable order, read in parts.

    They come from several sources, one after the other. A slice reads only its own rows.
    """

    sources: tuple[tuple[Any, int, Callable[[Any], PublicPage]], ...]
    """Rows, their number, and how a page is built from one."""

    def __len__(self) -> int:
        return sum(length for _rows, length, _build in self.sources)

    @overload
    def __getitem__(self, place: int) -> PublicPage: ...
    @overload
    def __getitem__(self, place: slice) -> list[PublicPage]: ...
    def __getitem__(self, place: int | slice) -> PublicPage | list[PublicPage]:
        if isinstance(place, int):
            return self[place : place + 1][0]
        start, stop, _step = place.indices(len(self))
        found: list[PublicPage] = []
        for rows, length, build in self.sources:
            first, last = max(start, 0), min(stop, length)
            if first < last:
                found += map(build, rows[first:last])
            start, stop = start - length, stop - length
        return found

    def __iter__(self) -> Iterator[PublicPage]:
        for rows, _length, build in self.sources:
            yield from map(build, rows.iterator() if isinstance(rows, QuerySet) else rows)


def list_public_pages() -> PublicPages:
    """Return every public page worth finding."""
    namespaces = Namespace.objects.order_by("nid").values_list("nid", "updated_at")
    versions = Registration.objects.order_by("namespace__nid", "number")
    known = versions.values_list("namespace__nid", "number", "registered_on")
    requests = RegistrationRequest.objects.public().order_by("reference")
    named = requests.only("reference", "state_since")
    organizations = public_organizations().order_by("pk")
    pages: dict[Callable[[Any], PublicPage], Any] = {
        build_static_page: STATIC_PAGE_NAMES,
        build_chapter_page: GUIDE_CHAPTERS,
        build_namespace_page: namespaces,
        build_version_page: known,
        build_request_page: named,
        build_organization_page: organizations,
    }
    lengths = load_lengths(list(pages.values()))
    return PublicPages(
        tuple(
            (rows, length, build)
            for (build, rows), length in zip(pages.items(), lengths, strict=True)
        )
    )


def load_lengths(sources: Sequence[Any]) -> list[int]:
    """Return how many rows each source has, counted once per version of the registry.

    The version is read first: the counts are never older than it.
    """
    cache, version = caches["figures"], find_registry_version()
    kept: tuple[int, list[int]] | None = cache.get(LENGTHS_CACHE_KEY)
    if kept is not None and kept[0] == version:
        return kept[1]
    lengths = [rows.count() if isinstance(rows, QuerySet) else len(rows) for rows in sources]
    cache.set(LENGTHS_CACHE_KEY, (version, lengths), timeout=None)
    return lengths
