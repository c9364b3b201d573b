"""The names of fields, and their spellings in templates."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from registry.template.fields import FIELDS

LabelKind: TypeAlias = Literal["new", "old", "either", "neither"]

EDITION_LABEL: Final = "edition"
"""Stands for version and date, which the older template has in one field."""


class Label(NamedTuple):
    """The name of a field, the field of RFC 8141 that it belongs to, and which template has it.

    `lead` introduces its content, empty if that needs no introduction; `place` orders what is
    merged into one field.
    """

    name: str
    field: str
    kind: LabelKind
    lead: str = ""
    place: int = 0

    @property
    def is_distinct(self) -> bool:
        """Whether the name is unlikely to precede a colon by chance."""
        return " " in self.name


_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_LABEL_WORD: Final = re.compile(r"[a-z0-9]+")
_SMALL: Final = frozenset("a an and for in of the to with".split())
# Some say which part of a name they mean, or mean namespaces besides identifiers.
_ADDED: Final = re.compile(
    r"\s+of (?:the )?(?:nss|namespace[- ]specific string)s?(?: part)?$|\s+of (?:the )?nss part$"
    r"|\band namespaces?\b(?= [a-z])",
    re.I,
)
_PLURAL: Final = re.compile(r"(?<=[a-z]{3})(?<![su])s$")


def normalize_label(written: str) -> str:
    """A label without what varies: case, number, signs, small words, and parentheses."""
    plain = _ADDED.sub("", _PARENTHESES.sub(" ", written).casefold().strip(" .:"))
    words = _LABEL_WORD.findall(plain)
    return " ".join(_PLURAL.sub("", word) for word in words if word not in _SMALL)


# The older names are those of RFC 2611, appendix A, and RFC 3406, appendix A. Two sections that RFC
# 3406, section 4.3 asks for besides the template are read with it.

_NEW: Final = {each.name: Label(each.label, each.name, "new") for each in FIELDS}

_SPELLINGS: Final[tuple[tuple[Label, str], ...]] = (
    (
        _NEW["nid"],
        "namespace identifier, urn namespace identifier, namespace identifier nid,"
        " requested namespace identifier, proposed namespace identifier",
    ),
    (
        Label("Namespace ID", "nid", "either"),
        "namespace id, nid, urn namespace id, urn nid, namespace id nid, requested namespace id,"
        " proposed namespace id, requested nid, proposed nid",
    ),
    (
        _NEW["version"]._replace(kind="either"),
        "version, version number, registration version, registration version number",
    ),
    (
        _NEW["date"]._replace(kind="either"),
        "date, registration date, date of registration, date of request",
    ),
    (_NEW["registrant"], "registrant"),
    (_NEW["purpose"], "purpose, purpose of the namespace, purpose and scope"),
    (_NEW["syntax"], "syntax, syntax of the namespace, urn syntax"),
    (_NEW["assignment"], "assignment, assignment of names, assignment of urns"),
    (
        _NEW["security_privacy"],
        "security and privacy, security and privacy considerations, security privacy,"
        " privacy and security, security and privacy issues",
    ),
    (
        _NEW["interoperability"],
        "interoperability, interoperability considerations, interoperability issues",
    ),
    (_NEW["resolution"], "resolution, resolution of names, resolution of urns"),
    (_NEW["documentation"], "documentation"),
    (_NEW["additional_information"], "additional information, additional info"),
    (
        _NEW["revision_information"],
        "revision information, revision info, revision history, revisions",
    ),
    (
        Label("Registration Information", EDITION_LABEL, "old"),
        "registration information, registration info",
    ),
    (
        Label("Declared registrant of the namespace", "registrant", "old"),
        "declared registrant of the namespace, declared registrant, registrant of the namespace,"
        " declared registration of the namespace, declaration of registrant,"
        " declaration of registrant of the namespace",
    ),
    (
        Label("Declaration of syntactic structure", "syntax", "old"),
        "declaration of syntactic structure, declaration of syntax, declaration of structure,"
        " syntactic structure, declaration of the syntactic structure",
    ),
    (
        Label("Conformance with URN Syntax", "syntax", "old", "Conformance with URN syntax", 1),
        "conformance with urn syntax, conformity with urn syntax, conformance with the syntax,"
        " conformance to urn syntax, urn syntax conformance, conformance",
    ),
    (
        Label("Rules for Lexical Equivalence", "syntax", "old", "Lexical equivalence", 2),
        "rules for lexical equivalence, lexical equivalence, lexical equivalence rules,"
        " rules of lexical equivalence, rules for lexical equivalency, lexical equivalency",
    ),
    (
        Label("Usage of query part", "syntax", "neither", "q-components", 3),
        "usage of query part, usage of query, use of query part, query part, usage of q component,"
        " use of q component, q components, usage of q components, use of q components",
    ),
    (
        Label("Usage of fragment part", "syntax", "neither", "f-components", 4),
        "usage of fragment part, usage of fragment, use of fragment part, fragment part,"
        " usage of f component, use of f component, f components, usage of f components,"
        " use of f components, usage of fragment identifier, use of fragment identifiers",
    ),
    (
        Label("Validation mechanism", "syntax", "old", "Validation", 5),
        "validation mechanism, validation mechanisms, validation, mechanism for validation",
    ),
    (
        Label("Process of identifier assignment", "assignment", "old"),
        "process of identifier assignment, identifier assignment, identifier assignment process,"
        " process of assignment, assignment process",
    ),
    (
        Label("Identifier uniqueness considerations", "assignment", "old", "Uniqueness", 1),
        "identifier uniqueness considerations, identifier uniqueness, uniqueness considerations,"
        " uniqueness",
    ),
    (
        Label(
            "Identifier uniqueness and persistence considerations",
            "assignment",
            "old",
            "Uniqueness and persistence",
            1,
        ),
        "identifier uniqueness and persistence considerations, identifier uniqueness and"
        " persistence, uniqueness and persistence",
    ),
    (
        Label("Identifier persistence considerations", "assignment", "old", "Persistence", 2),
        "identifier persistence considerations, identifier persistence, persistence"
        " considerations, persistence",
    ),
    (
        Label("Process for identifier resolution", "resolution", "old"),
        "process for identifier resolution, identifier resolution, process for resolution,"
        " resolution process, identifier resolution process",
    ),
    (
        Label("Relevant ancillary documentation", "documentation", "old"),
        "relevant ancillary documentation, ancillary documentation, relevant documentation,"
        " relevant ancillary documents",
    ),
    (
        Label("Scope", "purpose", "old", "Scope", 3),
        "scope, scope and kind of named resources, scope of the namespace",
    ),
    (
        Label("Namespace Considerations", "purpose", "neither", "Namespace considerations", 1),
        "namespace considerations, urn namespace considerations",
    ),
    (
        Label("Community Considerations", "purpose", "neither", "Community considerations", 2),
        "community considerations",
    ),
    (
        Label(
            "Namespace and Community Considerations",
            "purpose",
            "neither",
            "Namespace and community considerations",
            1,
        ),
        "namespace considerations and community considerations, namespace and community"
        " considerations",
    ),
    (
        Label("Security Considerations", "security_privacy", "neither"),
        "security considerations",
    ),
)


LABELS: Final = {
    normalize_label(spelling): label
    for label, spellings in _SPELLINGS
    for spelling in spellings.split(", ")
}
