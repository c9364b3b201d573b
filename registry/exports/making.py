"""How a file is made of the registry as it is, and when it is made anew."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet
from django.utils.functional import Promise

from registry import queries
from registry.exports.entries import Entry, entries
from registry.models import Event, Namespace

Write = Callable[[Sequence[Entry]], str]
Moment = datetime.datetime | None


def changed_at() -> Moment:
    """Return when the registry last changed what it says of namespaces; none while it is empty."""
    about = Q(registration_request__isnull=True) | Q(verb="register")
    return latest(Event.objects.filter(about, namespace__isnull=False))


def anything_changed_at() -> Moment:
    """Return when anybody last did anything; none where nothing ever happened."""
    return latest(Event.objects.all())


def latest(acts: QuerySet[Event]) -> Moment:
    """Return when the last of `acts` was, or a namespace was written, whichever is later."""
    moments: Iterable[Moment] = (
        acts.order_by("-number").values_list("at", flat=True).first(),
        Namespace.objects.aggregate(at=Max("updated_at"))["at"],
    )
    return max((each for each in moments if each), default=None)


@dataclass(frozen=True, slots=True)
class File:
    """One file: its name, what is in it, its media type, how it is written, and its date."""

    name: str
    title: str | Promise
    media_type: str
    write: Write
    date: Callable[[], Moment] = changed_at


@dataclass(frozen=True, slots=True)
class Made:
    """A file as it is now: its octets, their SHA-256 in hexadecimal, and since when it is so."""

    octets: bytes
    sha256: str
    changed_at: Moment = None


def make(file: File) -> Made:
    """Return the file as the registry is now; it is written anew once the registry changed."""
    key, now = f"export:{file.name}", state()
    # Under the name alone: the file of a state that is over makes room for the next.
    kept: tuple[str, Made] | None = cache.get(key)
    if kept is not None and kept[0] == now:
        return kept[1]
    octets = file.write(entries()).encode()
    made = Made(octets, hashlib.sha256(octets).hexdigest(), file.date())
    cache.set(key, (now, made), timeout=None)
    return made


def state() -> str:
    """Return what tells one state of the public registry from another, in a few letters."""
    rows = Namespace.objects.aggregate(count=Count("pk"), latest=Max("updated_at"))
    version = queries.registry_version()
    told = f"{version}:{rows['count']}:{rows['latest']}:{settings.SITE}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]
