"""Turning the components of the drafts into those of RFC 8141."""

from __future__ import annotations

from registry.urn.assembly import compose
from registry.urn.spec.profiles import DRAFT_03, DRAFT_12, RFC_8141, Profile
from registry.urn.spec.reading import read
from registry.urn.urn import URN


def convert(text: str, source: Profile | None = None) -> URN:
    """`text` as `source` meant it, written by RFC 8141: `?q` becomes `?=q`, `??r` becomes `?+r`.

    Without a `source` a text that is a URN already stays as it is, and any other is read by
    draft -12, then by draft -03. Parts are moved, never changed. Raises `URNSyntaxError` for a
    text that is no URN by `source`, or whose parts RFC 8141 cannot hold, as a `?=` in an
    r-component.
    """
    if source is None:
        source = _likeliest(text)
    reading = read(text, source)
    if reading.error is not None:
        raise reading.error
    parts = reading.parts
    return URN(
        compose(
            parts["nid"],
            parts["nss"],
            parts.get("r"),
            parts.get("q", parts.get("query")),
            parts.get("f", parts.get("fragment")),
        )
    )


def _likeliest(text: str) -> Profile:
    order = (RFC_8141, DRAFT_12, DRAFT_03)
    return next((profile for profile in order if read(text, profile).is_valid), RFC_8141)
