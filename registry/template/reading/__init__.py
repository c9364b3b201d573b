"""Reading a template from text, whatever people have done to it.

Templates of RFC 8141 are read as plain text, however labels are set, as RFCXML, HTML, Markdown,
tables, JSON and CSV; so is the older template of RFC 2611 and RFC 3406, whose fields are put where
RFC 8141 wants their content. Whatever is not understood is kept and reported.
"""

from registry.template.reading.grammar_search import take_out_grammar
from registry.template.reading.lines import (
    FoundGrammar,
    FoundReference,
    Generation,
    LeftOutRule,
    Passage,
    ReadField,
    Reading,
    Source,
)
from registry.template.reading.reader import (
    MAX_READ_LENGTH,
    READER_VERSION,
    read,
    read_document,
)
from registry.template.reading.registrants import ParsedRegistrant, parse_registrant

__all__ = [
    "MAX_READ_LENGTH",
    "READER_VERSION",
    "FoundGrammar",
    "FoundReference",
    "Generation",
    "LeftOutRule",
    "ParsedRegistrant",
    "Passage",
    "ReadField",
    "Reading",
    "Source",
    "parse_registrant",
    "read",
    "read_document",
    "take_out_grammar",
]
