"""Inspection of URNs for pages and programs alike: one text, two compared, and many at once."""

from registry.exchange.text_lines import MAX_LINE_BYTES, number_stream_lines
from registry.inspection.batch import (
    CheckedLine,
    LineCounts,
    RegisteredNids,
    check_line,
    check_lines,
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
from registry.inspection.single import (
    Inspection,
    InspectionVerdict,
    NameCheck,
    NamespaceFinding,
    RuleStanding,
    check_against_rule,
    check_name_of_namespace,
    inspect_text,
)
from registry.selectors.name_rules import (
    NameRule,
    describe_rule_merges,
    find_name_rule,
)

__all__ = [
    "MAX_LINE_BYTES",
    "CheckedLine",
    "ComparedPair",
    "Inspection",
    "InspectionVerdict",
    "LineCounts",
    "NameCheck",
    "NameRule",
    "NamespaceFinding",
    "ReferenceTarget",
    "RegisteredNids",
    "RuleStanding",
    "SpecificationReading",
    "check_against_rule",
    "check_line",
    "check_lines",
    "check_name_of_namespace",
    "compare_texts",
    "describe_rule_merges",
    "find_name_rule",
    "find_resembling_nids",
    "inspect_text",
    "number_stream_lines",
    "read_by_specifications",
    "read_registered_nids",
    "resolve_reference_text",
    "write_json_lines",
    "write_lines_csv",
    "write_lines_json",
    "write_lines_text",
]
