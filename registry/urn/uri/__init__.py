"""Generic URIs by RFC 3986, and the locators of the draft of 1993."""

from registry.urn.uri.normalization import (
    ComparisonStep,
    Rung,
    URIComparison,
    compare_uris,
    normalize_uri,
)
from registry.urn.uri.reference import (
    LocatorParts,
    URIAuthority,
    URIReference,
    URISyntaxError,
    parse_locator,
    recompose_reference,
    split_authority,
    split_reference,
    validate_reference,
)
from registry.urn.uri.resolution import (
    Resolution,
    advise_on_reference,
    remove_dot_segments,
    resolve_reference,
    resolve_with_advice,
)

__all__ = [
    "ComparisonStep",
    "LocatorParts",
    "Resolution",
    "Rung",
    "URIAuthority",
    "URIComparison",
    "URIReference",
    "URISyntaxError",
    "advise_on_reference",
    "compare_uris",
    "normalize_uri",
    "parse_locator",
    "recompose_reference",
    "remove_dot_segments",
    "resolve_reference",
    "resolve_with_advice",
    "split_authority",
    "split_reference",
    "validate_reference",
]
