"""URNs made from parts that are not encoded, or from what an earlier specification meant."""

from __future__ import annotations

from dataclasses import dataclass

from registry.inspection.finding import RuleStanding
from registry.inspection.single import Inspection, inspect_text
from registry.urn import URNSyntaxError, build, spec


@dataclass(frozen=True, slots=True)
class WrittenURN:
    """A URN as `converted`, None if `problem` or the rule of its namespace prevents it.

    `inspection` is that of the URN, also if it is against the rule; None with a `problem`.
    """

    converted: str | None
    problem: URNSyntaxError | None
    inspection: Inspection | None


def build_urn(
    nid: str, name: str, r: str | None = None, q: str | None = None, f: str | None = None
) -> WrittenURN:
    """Encode the parts of a URN; one against the rule of its namespace is not made."""
    try:
        urn = build(nid, name, r_component=r, q_component=q, f_component=f)
    except URNSyntaxError as error:
        return WrittenURN(None, error.with_traceback(None), None)
    inspection = inspect_text(urn.text)
    finding = inspection.finding
    is_wrong = finding is not None and finding.standing is RuleStanding.AGAINST
    return WrittenURN(None if is_wrong else urn.text, None, inspection)


def convert_text(text: str, by: str = "") -> WrittenURN:
    """Write by RFC 8141 what the specification `by` meant; without one, whichever takes `text`."""
    try:
        urn = spec.convert_to_urn(text, spec.find_profile(by) if by else None)
    except URNSyntaxError as error:
        return WrittenURN(None, error.with_traceback(None), None)
    return WrittenURN(urn.text, None, inspect_text(urn.text))
