"""The registration template: its fields, reading and writing it, checks, and differences.

Knows RFC 8141 and no Django. Everything callers need is exported here.
"""

from registry.template.checks import Context, check
from registry.template.checks.placeholders import LONGEST
from registry.template.diff import (
    Row,
    Run,
    SectionDiff,
    compare,
    diff,
    unchanged,
    write_differences,
)
from registry.template.editor_pages import PAGES, Progress, Stage, page, page_of, progress, tally
from registry.template.fields import (
    FIELDS,
    ORDER,
    SUBFIELDS,
    Field,
    Page,
    Required,
    field,
)
from registry.template.merge import Merge
from registry.template.reading import Generation, Passage, ReadField, Reading, Source, read
from registry.template.template import Template, number, occurrences
from registry.template.text import kramdown, rfcxml, sha256, write

__all__ = [
    "FIELDS",
    "LONGEST",
    "ORDER",
    "PAGES",
    "SUBFIELDS",
    "Context",
    "Field",
    "Generation",
    "Merge",
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
    "write_differences",
]
