"""The desk: what pages and programs alike are told about a URN, about two, and about many."""

from registry.desk.inspection import Inspection, Verdict, inspect
from registry.desk.lines import (
    LONGEST,
    Known,
    Line,
    Tally,
    check,
    judge,
    known,
    numbered,
    resembling,
)
from registry.desk.pair import Pair, compare
from registry.desk.references import Target, resolve
from registry.desk.specifications import Specification, specifications
from registry.desk.writing import as_csv, as_json, as_json_lines, as_text

__all__ = [
    "LONGEST",
    "Inspection",
    "Known",
    "Line",
    "Pair",
    "Specification",
    "Tally",
    "Target",
    "Verdict",
    "as_csv",
    "as_json",
    "as_json_lines",
    "as_text",
    "check",
    "compare",
    "inspect",
    "judge",
    "known",
    "numbered",
    "resembling",
    "resolve",
    "specifications",
]
