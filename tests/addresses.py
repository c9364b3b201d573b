"""An address for every pattern of the site, including regular expressions.

Each part of an address is a sample value by the part's name. An address only counts if it resolves
to the pattern it was made for, so a pattern without a suitable sample is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

from django.urls import Resolver404, URLResolver, get_resolver, resolve

Samples = Mapping[str, Sequence[str]]

PART: Final = re.compile(r"<(?:\w+:)?(?P<part>\w+)>|\(\?P<(?P<group>\w+)>[^()]*\)")
"""A part of a pattern that the caller fills in."""
UUID: Final = "00000000-0000-0000-0000-000000000001"
NUMBERED: Final = ("a", "content_type_id", "delegate", "delivery", "number", "object_id", "pk")
SAMPLES: Final[Samples] = {
    **dict.fromkeys(NUMBERED, ("1",)),
    "act": ("hide", "drop", "test"),
    "app_label": ("registry",),
    "b": ("2",),
    "dated": ("2026-01-01-000000000000",),
    "first": ("0",),
    "form": ("json", "txt", "csv", "pdf"),
    "identifier": ("1",),
    "key": ("1", UUID),
    "kind": ("formal",),
    "name": ("resolution-services",),
    "nid": ("seedbank",),
    "other": ("r-2026-0001",),
    "path": ("tile/0/000",),
    "prefix": ("seedbank",),
    "reference": ("r-2026-0002",),
    "second": ("1",),
    "secret": ("secret",),
    "section": ("identifier",),
    "uidb36": ("1",),
    "url": ("nothing",),
    "verb": ("approve",),
    "word": ("word",),
}
"""Values for a part of that name: the first that resolves to the pattern is used.

The rows are those of `tests.populated_registry`, whose second request is in review.
"""
SAMPLES_BELOW: Final[Mapping[str, Samples]] = {
    "exports/": {"name": ("urn-namespaces.txt",)},
    "guide/": {"section": ("paths",)},
    "registries/": {"key": ("N2L",)},
    "uri-res/": {"name": ("N2L",)},
}
"""The same below one address, where the name alone is not enough."""
WHOLE_ADDRESSES: Final = {
    r"resolve/[\s\S]+\Z": "/resolve/urn:seedbank:1",
}
"""Addresses of patterns whose parts have no names."""
UNKNOWN_ADDRESSES: Final = ("/nothing/at/all/", "/api/v1/nothing/")
"""Addresses without a pattern, or whose pattern is written like another one."""


def list_routes(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Yield the pattern of every address, as `ResolverMatch.route` writes it."""
    for pattern in (resolver or get_resolver()).url_patterns:
        here = str(pattern.pattern)
        route = before + here.removeprefix("^") if before else here
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern, route)
        else:
            yield route


def build_address(route: str) -> str:
    """Return an address that resolves to a pattern; raise `LookupError` if no sample does."""
    if route in WHOLE_ADDRESSES:
        return WHOLE_ADDRESSES[route]
    names = [part["part"] or part["group"] for part in PART.finditer(route)]
    more_samples = next(
        (each for start, each in SAMPLES_BELOW.items() if route.startswith(start)), {}
    )
    samples = {**SAMPLES, **more_samples}
    plain = re.sub(r"[\^$]|\\Z", "", PART.sub("{}", route)).replace("\\", "")
    for chosen in product(*(samples.get(name, ()) for name in names)):
        address = f"/{plain}".format(*chosen)
        try:
            if resolve(address).route == route:
                return address
        except Resolver404:
            continue
    raise LookupError(f"Say in tests/addresses.py what stands for {names} in {route}.")


def list_addresses() -> list[str]:
    """Return an address for every pattern, each once, and two unknown ones; raise `LookupError`."""
    return sorted({*map(build_address, list_routes()), *UNKNOWN_ADDRESSES})
