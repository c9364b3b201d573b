"""Which files there are, and the one way to make them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.exports import iana, prefixes
from registry.exports.entries import Entry, entries
from registry.models import Namespace, Registration

Write = Callable[[Sequence[Entry]], str]


@dataclass(frozen=True, slots=True)
class File:
    """One file: its name, what is in it, its media type, and how it is written."""

    name: str
    title: str | Promise
    media_type: str
    write: Write


@dataclass(frozen=True, slots=True)
class Made:
    """A file as it is now: its octets and their SHA-256 in hexadecimal."""

    octets: bytes
    sha256: str


FILES: Final = {
    file.name: file
    for file in (
        File(
            "urn-namespaces.xml",
            _("All namespaces, in IANA's XML"),
            "application/xml; charset=utf-8",
            iana.xml,
        ),
        File(
            "urn-namespaces-1.csv",
            _("The formal namespaces, in IANA's CSV"),
            "text/csv; charset=utf-8; header=present",
            iana.formal_csv,
        ),
        File(
            "urn-namespaces-2.csv",
            _("The informal namespaces, in IANA's CSV"),
            "text/csv; charset=utf-8; header=present",
            iana.informal_csv,
        ),
        File(
            "urn-namespaces.txt",
            _("All namespaces, as plain text"),
            "text/plain; charset=utf-8",
            iana.txt,
        ),
        File(
            "bioregistry.json",
            _("All namespaces, as Bioregistry's programs read a registry"),
            "application/json",
            lambda found: prefixes.written(prefixes.registry(found, settings.SITE)),
        ),
        File(
            "prefixes.epm.json",
            _("NIDs as an extended prefix map"),
            "application/json",
            lambda found: prefixes.written(prefixes.extended_prefix_map(found)),
        ),
        File(
            "context.jsonld",
            _("NIDs as a JSON-LD context"),
            "application/ld+json",
            lambda found: prefixes.written(prefixes.context(found)),
        ),
    )
}


def make(file: File) -> Made:
    """Return the file as the registry is now; it is written anew once the registry changed."""
    key = f"export:{file.name}:{state()}"
    made: Made | None = cache.get(key)
    if made is None:
        octets = file.write(entries()).encode()
        made = Made(octets, hashlib.sha256(octets).hexdigest())
        cache.set(key, made, timeout=None)
    return made


def state() -> str:
    """Return what tells one state of the public registry from another, in a few letters."""
    namespaces = Namespace.objects.aggregate(count=Count("pk"), latest=Max("updated_at"))
    versions = Registration.objects.aggregate(latest=Max("pk"))
    told = f"{namespaces['count']}:{namespaces['latest']}:{versions['latest']}:{settings.SITE}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]
