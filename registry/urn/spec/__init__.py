"""The same text by RFC 2141, drafts -03 and -12 of its successor, and RFC 8141."""

from registry.urn.spec.changes import Change, changes
from registry.urn.spec.conversion import convert
from registry.urn.spec.directives import KEYWORDS, SERVICES, Directive, directives, effective
from registry.urn.spec.equivalence import Step, is_lexically_equivalent, lexical_form
from registry.urn.spec.profiles import DRAFT_03, DRAFT_12, PROFILES, RFC_2141, RFC_8141, Profile
from registry.urn.spec.reading import Reading, read, readings

__all__ = [
    "DRAFT_03",
    "DRAFT_12",
    "KEYWORDS",
    "PROFILES",
    "RFC_2141",
    "RFC_8141",
    "SERVICES",
    "Change",
    "Directive",
    "Profile",
    "Reading",
    "Step",
    "changes",
    "convert",
    "directives",
    "effective",
    "is_lexically_equivalent",
    "lexical_form",
    "read",
    "readings",
]
