"""The registration template: its fields, its text in and out, what is wrong, what changed.

Knows RFC 8141 and no Django. Everything callers need is named here.
"""

from registry.template.beside import BESIDE_SYNTAX, GRAMMAR_KINDS
from registry.template.checks import Context, check
from registry.template.checks.characters import LONGEST
from registry.template.definition import Field, Page, Required
from registry.template.diff import Row, Run, SectionDiff, compare, diff, unchanged
from registry.template.draft import kramdown, rfcxml
from registry.template.fields import FIELDS, ORDER, field
from registry.template.pages import PAGES, page, page_of
from registry.template.placeholder import number, occurrences
from registry.template.progress import Progress, Stage, progress, tally
from registry.template.reading import Generation, Passage, ReadField, Reading, Source, read
from registry.template.template import Template
from registry.template.text import sha256, write

__all__ = [
    "BESIDE_SYNTAX",
    "FIELDS",
    "GRAMMAR_KINDS",
    "LONGEST",
    "ORDER",
    "PAGES",
    "Context",
    "Field",
    "Generation",
    "Page",
    "Passage",
    "Progress",
    "ReadField",
    "Reading",
    "Required",
    "Row",
    "Run",
    "SectionDiff",
    "Source",
    "Stage",
    "Template",
    "check",
    "compare",
    "diff",
    "field",
    "kramdown",
    "number",
    "occurrences",
    "page",
    "page_of",
    "progress",
    "read",
    "rfcxml",
    "sha256",
    "tally",
    "unchanged",
    "write",
]
