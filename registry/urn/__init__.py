"""URNs by RFC 8141 and URIs by RFC 3986, with the standard library alone."""

from . import nid, spec, uri
from .advice import advise_on_urn
from .diagnosis import problems
from .equivalence import Comparison, compare
from .errors import URNSyntaxError, URNTypeError
from .finding import Finding, Severity
from .json_form import to_json_form
from .repair import Repair, repairs
from .running_text import Found, find
from .urn import URN, DisplayForm, build, display, is_valid, parse
from .version import __version__

__all__ = [
    "URN",
    "Comparison",
    "DisplayForm",
    "Finding",
    "Found",
    "Repair",
    "Severity",
    "URNSyntaxError",
    "URNTypeError",
    "__version__",
    "advise_on_urn",
    "build",
    "compare",
    "display",
    "find",
    "is_valid",
    "nid",
    "parse",
    "problems",
    "repairs",
    "spec",
    "to_json_form",
    "uri",
]
