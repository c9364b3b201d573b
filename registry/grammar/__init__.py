"""Formal grammars of names: read ABNF or a regular expression, try names, draw them, compare.

Knows RFC 8141 and no Django. Matching is an automaton of our own, in time proportional to the name;
all searches are bounded, and an answer says where a bound was reached. Everything callers need is
exported here.
"""

from registry.grammar.comparison import Comparison
from registry.grammar.equivalence import (
    DeclaredEquivalence,
    EquivalenceStatement,
    EquivalenceSyntaxError,
    StatementKind,
    describe_statements,
    parse_equivalence,
    parse_statement,
)
from registry.grammar.errors import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_SAMPLES,
    Effort,
    GrammarSyntaxError,
    NotDecided,
)
from registry.grammar.expression import Rule
from registry.grammar.findings import Scope
from registry.grammar.grammar import KINDS, Grammar, Kind, read
from registry.grammar.matching import Answer, Verdict

__all__ = [
    "KINDS",
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "MOST_SAMPLES",
    "Answer",
    "Comparison",
    "DeclaredEquivalence",
    "Effort",
    "EquivalenceStatement",
    "EquivalenceSyntaxError",
    "Grammar",
    "GrammarSyntaxError",
    "Kind",
    "NotDecided",
    "Rule",
    "Scope",
    "StatementKind",
    "Verdict",
    "describe_statements",
    "parse_equivalence",
    "parse_statement",
    "read",
]
