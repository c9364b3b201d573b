"""What the page of a namespace explains to people who came from a search engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from registry.grammar import read
from registry.models import Namespace, Registration
from registry.namespace_descriptions import NamespaceDescription, find_description
from registry.namespace_rules import NamePart, NamespaceRule
from registry.presenters.linked_data import name_term_set
from registry.presenters.railroad import RuleDrawing, draw_grammar, draw_plain_rule
from registry.selectors.imported_records import ImportedTemplate
from registry.selectors.name_rules import NameRule, RegisteredRule
from registry.urn import URNSyntaxError, nid as nids, parse

MAX_PURPOSE_LENGTH = 600
MIN_PURPOSE_WORDS = 4
"""Shorter texts explain nothing, such as the “Global.” of older templates."""
OLDER_LABEL = "Scope:"
"""What precedes the text of an RFC 3406 field that corresponds to Purpose."""


@dataclass(frozen=True, slots=True)
class NamespaceExplanation:
    """What its names name, an annotated example, and the rule for names.

    `rule` is None if we hold no rule of the namespace: `drawings` then show what RFC 8141 requires
    of every name.
    """

    paragraph: str
    sources: tuple[str, ...]
    called: str
    example: str
    parts: tuple[NamePart, ...]
    drawings: tuple[RuleDrawing, ...]
    rule: NameRule | None


def explain_namespace(
    namespace: Namespace,
    registration: Registration | None,
    rule: NameRule | None,
    imported: ImportedTemplate | None = None,
) -> NamespaceExplanation:
    """Return the explanation of a namespace, from our description or its own text.

    That text is `registration`, else `imported`, what its documents of record say.
    """
    described = find_description(namespace.nid)
    text = registration or imported
    example = find_example(namespace.nid, registration, rule, described, imported)
    return NamespaceExplanation(
        described.paragraph if described else read_purpose(text),
        described.sources if described else cite_purpose(text),
        described.called if described else "",
        example,
        explain_example(example, rule),
        draw_rule_of_names(namespace.nid, rule),
        rule,
    )


def describe_as_linked_data(
    namespace: Namespace, explanation: NamespaceExplanation, site: str
) -> dict[str, object]:
    """Return the data for search engines about a namespace, in schema.org's vocabulary."""
    address = f"{site}{namespace.get_absolute_url()}"
    said: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "@id": address,
        "url": address,
        "name": f"urn:{namespace.nid}",
        "termCode": namespace.nid,
        "description": explanation.paragraph or namespace.summary,
        "inDefinedTermSet": name_term_set(site),
    }
    return {name: value for name, value in said.items() if value}


def read_purpose(text: Registration | ImportedTemplate | None) -> str:
    """Return the beginning of a text that says what the namespace is for; empty if none does."""
    first = text.template.purpose.strip().partition("\n\n")[0] if text else ""
    words = first.removeprefix(OLDER_LABEL).split()
    return " ".join(words)[:MAX_PURPOSE_LENGTH] if len(words) >= MIN_PURPOSE_WORDS else ""


def cite_purpose(text: Registration | ImportedTemplate | None) -> tuple[str, ...]:
    """Return the document of record with the purpose of the namespace, if it is somebody else's."""
    if isinstance(text, ImportedTemplate) and "purpose" in text.sources:
        return (text.sources["purpose"].document.name,)
    return ()


def find_example(
    nid: str,
    registration: Registration | None,
    rule: NameRule | None,
    described: NamespaceDescription | None,
    imported: ImportedTemplate | None,
) -> str:
    """Return a full URN of the namespace, from its registration, a rule or a document.

    What a program found in a document of record comes last.
    """
    offered = [
        *(registration.examples if registration else ()),
        *(rule.examples if rule else ()),
        *([described.example] if described and described.example else ()),
        *(imported.template.examples if imported else ()),
    ]
    for each in offered:
        text = each if each[:4].lower() == "urn:" else f"urn:{nid}:{each}"
        try:
            name = parse(text)
        except URNSyntaxError:
            continue
        if nids.canonical(name.nid) == nid:
            return name.text
    return ""


def explain_example(example: str, rule: NameRule | None) -> tuple[NamePart, ...]:
    """Return the parts of the example, if the rule knows them."""
    return rule.check(parse(example)).parts if example and rule else ()


def draw_rule_of_names(nid: str, rule: NameRule | None) -> tuple[RuleDrawing, ...]:
    """Return the rules for names in words and drawn: its own, or those for every URN."""
    if isinstance(rule, NamespaceRule):
        return draw_shipped_rule(rule.grammar, rule.kind, nid)
    if isinstance(rule, RegisteredRule):
        return tuple(draw_grammar(rule.grammar))
    return draw_plain_rule(nid)


@lru_cache(maxsize=128)
def draw_shipped_rule(text: str, kind: str, nid: str) -> tuple[RuleDrawing, ...]:
    """Return the drawings of a rule that comes with the registry, which never changes."""
    return tuple(draw_grammar(read(text, kind, nid=nid)))
