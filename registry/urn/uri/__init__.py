"""Generic URIs by RFC 3986, and the locators of the draft of 1993."""

from registry.urn.uri.comparison import Comparison, Step, compare
from registry.urn.uri.errors import URISyntaxError
from registry.urn.uri.locators import Locator, locate
from registry.urn.uri.normalization import Rung, normalize
from registry.urn.uri.reference import Authority, Reference, recompose, split, split_authority
from registry.urn.uri.resolution import (
    Resolution,
    advise,
    remove_dot_segments,
    resolve,
    resolve_with_advice,
)
from registry.urn.uri.validation import validate

__all__ = [
    "Authority",
    "Comparison",
    "Locator",
    "Reference",
    "Resolution",
    "Rung",
    "Step",
    "URISyntaxError",
    "advise",
    "compare",
    "locate",
    "normalize",
    "recompose",
    "remove_dot_segments",
    "resolve",
    "resolve_with_advice",
    "split",
    "split_authority",
    "validate",
]
