"""Generic URIs by RFC 3986, and the locators of the draft of 1993."""

from .components import build_uri, decode_component, encode_component
from .hosts import HostKind, classify_host
from .locators import LocatorParts, parse_locator
from .normalization import (
    ComparisonStep,
    Rung,
    URIComparison,
    compare_uris,
    normalize_uri,
)
from .reference import (
    ReferenceForm,
    URIAuthority,
    URIReference,
    URISyntaxError,
    recompose_reference,
    split_authority,
    split_reference,
    validate_reference,
)
from .resolution import (
    Base,
    BaseSource,
    Resolution,
    advise_on_reference,
    establish_base,
    is_same_document,
    remove_dot_segments,
    resolve_reference,
    resolve_with_advice,
)

__all__ = [
    "Base",
    "BaseSource",
    "ComparisonStep",
    "HostKind",
    "LocatorParts",
    "ReferenceForm",
    "Resolution",
    "Rung",
    "URIAuthority",
    "URIComparison",
    "URIReference",
    "URISyntaxError",
    "advise_on_reference",
    "build_uri",
    "classify_host",
    "compare_uris",
    "decode_component",
    "encode_component",
    "establish_base",
    "is_same_document",
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
