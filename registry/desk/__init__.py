"""The desk: what pages and programs alike are told about a URN, about two, and about many."""

from registry.desk.findings import NamespaceFinding, Standing, find_out
from registry.desk.inspection import Inspection, Verdict, inspect
from registry.desk.lines import Known, Line, Tally, check, judge, known, resembling
from registry.desk.names import NameCheck, check_name
from registry.desk.pair import Pair, compare
from registry.desk.references import Target, resolve
from registry.desk.specifications import Specification, specifications
from registry.desk.writing import as_csv, as_json, as_json_lines, as_text
from registry.loading.octets import LONGEST, numbered
from registry.queries.name_rules import Held, held, merged_in_words

__all__ = [
    "LONGEST",
    "Held",
    "Inspection",
    "Known",
    "Line",
    "NameCheck",
    "NamespaceFinding",
    "Pair",
    "Specification",
    "Standing",
    "Tally",
    "Target",
    "Verdict",
    "as_csv",
    "as_json",
    "as_json_lines",
    "as_text",
    "check",
    "check_name",
    "compare",
    "find_out",
    "held",
    "inspect",
    "judge",
    "known",
    "merged_in_words",
    "numbered",
    "resembling",
    "resolve",
    "specifications",
]
