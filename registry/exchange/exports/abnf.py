"""The grammar of the names of a namespace as a file of ABNF (RFC 5234)."""

from __future__ import annotations

from typing import Final

from registry.models import Registration
from registry.namespace_rules import find_namespace_rule
from registry.template.text import wrap_text

ABNF_COMMENT_WIDTH: Final = 70
ANY_NAME_GRAMMAR: Final = """\
assigned-name = "urn:{nid}:" NSS
NSS           = pchar *( pchar / "/" )
pchar         = unreserved / pct-encoded / sub-delims / ":" / "@"
unreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~"
pct-encoded   = "%" HEXDIG HEXDIG
sub-delims    = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
"""


def write_abnf(nid: str, registration: Registration | None, *, may_stand_in: bool = True) -> str:
    """Return the grammar of `registration`; else the rule that is held, if one `may_stand_in`.

    Where there is neither, what RFC 8141, section 2 says of every namespace: it holds here too.
    """
    if registration and registration.grammar_kind == "abnf" and registration.grammar.strip():
        about = f"Names of urn:{nid}, from its registration, version {registration.number}."
        return format_abnf_file(about, registration.grammar)
    held = find_namespace_rule(nid) if may_stand_in else None
    if held and held.kind == "abnf":
        about = (
            f"The part behind urn:{nid}: of its names. Not from a registration that is held here, "
            f"but the registry's own reading of {held.document}."
        )
        left_open = f"Left open: {held.left_open}" if held.left_open else ""
        return format_abnf_file(f"{about} {left_open}".rstrip(), held.grammar)
    return format_abnf_file(
        explain_general_grammar(nid, registration), ANY_NAME_GRAMMAR.format(nid=nid)
    )


def has_own_grammar(nid: str, registration: Registration | None) -> bool:
    """Whether there is a grammar of the namespace itself."""
    if registration and registration.grammar_kind == "abnf":
        return bool(registration.grammar.strip())
    held = find_namespace_rule(nid)
    return held is not None and held.kind == "abnf"


def explain_general_grammar(nid: str, registration: Registration | None) -> str:
    """Return why the grammar is that of all namespaces."""
    if registration and registration.grammar.strip():
        found = "gives a grammar that is not ABNF; its .txt has it"
    elif registration:
        found = "gives no grammar"
    else:
        return f"No ABNF for urn:{nid} is held here. RFC 8141, section 2 says of every namespace:"
    return (
        f"Version {registration.number} of urn:{nid} {found}. "
        "RFC 8141, section 2 says of every namespace:"
    )


def format_abnf_file(about: str, grammar: str) -> str:
    """Return a grammar under a comment that says what it is."""
    comment = "\n".join(f"; {line}" for line in wrap_text(about, ABNF_COMMENT_WIDTH))
    return f"{comment}\n\n{grammar.strip()}\n"
