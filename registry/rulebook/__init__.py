"""Is this a name of its namespace? Rules for the namespaces most used, from documents of record.

Each rule is a file in `data/`, read when somebody asks for it: a grammar of the NSS, the
equivalences that the namespace declares, check digits where its identifiers have them, and where
the document and long practice disagree a caution instead of a verdict. For all other namespaces
no rule is held, and `rule` says so with `None`.
"""

from registry.rulebook.answers import Equivalence, Outcome, Part, Ruling
from registry.rulebook.reading import RULES, nids, rule
from registry.rulebook.rule import Practice, Rule

__all__ = [
    "RULES",
    "Equivalence",
    "Outcome",
    "Part",
    "Practice",
    "Rule",
    "Ruling",
    "nids",
    "rule",
]
