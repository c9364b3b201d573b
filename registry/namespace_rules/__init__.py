"""Is this a name of its namespace? Rules for the most used namespaces, from documents of record.

Each rule is a file in `data/`, read on demand: a grammar of the NSS, the equivalences that the
namespace declares, check digits if its identifiers have them, and where the document and long
practice disagree a caution instead of a verdict. For all other namespaces we hold no rule, and
`rule` returns `None`.
"""

from registry.namespace_rules.rules import (
    NAMESPACE_RULES,
    NamespaceRule,
    NamingPractice,
    find_namespace_rule,
    list_ruled_nids,
)
from registry.namespace_rules.rulings import (
    NameEquivalence,
    NamePart,
    Outcome,
    Ruling,
    answer_failures,
)

__all__ = [
    "NAMESPACE_RULES",
    "NameEquivalence",
    "NamePart",
    "NamespaceRule",
    "NamingPractice",
    "Outcome",
    "Ruling",
    "answer_failures",
    "find_namespace_rule",
    "list_ruled_nids",
]
