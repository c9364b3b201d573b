"""URNs by RFC 8141 and URIs by RFC 3986, with the standard library alone."""

from registry.urn import nid, spec, uri
from registry.urn.diagnosis import problems
from registry.urn.equivalence import Comparison, compare
from registry.urn.errors import URNSyntaxError
from registry.urn.finding import Finding, Severity
from registry.urn.repair import Repair, repairs
from registry.urn.running_text import Found, find
from registry.urn.urn import URN, DisplayForm, build, display, is_valid, parse

__all__ = [
    "URN",
    "Comparison",
    "DisplayForm",
    "Finding",
    "Found",
    "Repair",
    "Severity",
    "URNSyntaxError",
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
    "uri",
]
