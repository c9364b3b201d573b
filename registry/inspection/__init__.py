"""Inspection of URNs for pages and programs: one text, two compared, and many at once."""

from registry.exchange.text_lines import MAX_LINE_BYTES, number_stream_lines
from registry.inspection.batch import (
    CheckedLine,
    LineCounts,
    RegisteredNids,
    check_line,
    check_lines,
    conclude_line,
    find_resembling_nids,
    read_registered_nids,
    write_json_lines,
    write_lines_csv,
    write_lines_json,
    write_lines_text,
)
from registry.inspection.comparison import (
    ComparedPair,
    ReferenceTarget,
    SpecificationReading,
    compare_texts,
    read_by_specifications,
    resolve_reference_text,
)
from registry.inspection.finding import NamespaceFinding, RuleStanding, check_against_rule
from registry.inspection.reconciliation import reconcile_text
from registry.inspection.result import NameResult, ResultKind
from registry.inspection.searched_text import FoundPiece, find_carried_name, split_at_uris
from registry.inspection.single import (
    Inspection,
    InspectionVerdict,
    NameCheck,
    check_name_of_namespace,
    draw,
    inspect_text,
)
from registry.inspection.uris import URIReading, read_other_uri, read_uri
from registry.inspection.writing import WrittenURN, build_urn, convert_text
from registry.selectors.name_rules import (
    NameRule,
    find_equivalence,
    find_name_rule,
)

__all__ = [
    "MAX_LINE_BYTES",
    "CheckedLine",
    "ComparedPair",
    "FoundPiece",
    "Inspection",
    "InspectionVerdict",
    "LineCounts",
    "NameCheck",
    "NameResult",
    "NameRule",
    "NamespaceFinding",
    "ReferenceTarget",
    "RegisteredNids",
    "ResultKind",
    "RuleStanding",
    "SpecificationReading",
    "URIReading",
    "WrittenURN",
    "build_urn",
    "check_against_rule",
    "check_line",
    "check_lines",
    "check_name_of_namespace",
    "compare_texts",
    "conclude_line",
    "convert_text",
    "draw",
    "find_carried_name",
    "find_equivalence",
    "find_name_rule",
    "find_resembling_nids",
    "inspect_text",
    "number_stream_lines",
    "read_by_specifications",
    "read_other_uri",
    "read_registered_nids",
    "read_uri",
    "reconcile_text",
    "resolve_reference_text",
    "split_at_uris",
    "write_json_lines",
    "write_lines_csv",
    "write_lines_json",
    "write_lines_text",
]
