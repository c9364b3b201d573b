"""A text compared with another, resolved against a base, or read by earlier specifications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from registry import urn as urns
from registry.inspection.single import Inspection, inspect_text
from registry.namespace_rules import NameEquivalence
from registry.selectors.name_rules import find_equivalence
from registry.urn import Finding, URNSyntaxError, spec, uri


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two texts, each read separately, and their comparison if both are URNs.

    `by_namespace` compares them by what their registered namespace declares beyond RFC 8141; it is
    None unless both are in one namespace with a declaration.
    """

    first: Inspection
    second: Inspection
    comparison: urns.Comparison | None
    by_namespace: NameEquivalence | None = None

    @property
    def is_merged(self) -> bool:
        """Whether the two are the same name only by their namespace's rules."""
        if self.by_namespace is None or self.comparison is None:
            return False
        return self.by_namespace.is_equivalent and not self.comparison.is_equivalent

    @property
    def are_uris(self) -> bool:
        """Whether both are URIs, of any scheme, and short enough to be drawn."""
        return self.is_drawn and all(
            each.urn or each.other_uri for each in (self.first, self.second)
        )

    @property
    def climbed(self) -> uri.URIComparison:
        """The two compared as URIs, rung by rung (RFC 3986, section 6.2)."""
        return uri.compare_uris(self.first.text, self.second.text)

    @property
    def lexical(self) -> tuple[spec.SpecComparison, ...]:
        """The two compared by each specification of URNs, oldest first."""
        return spec.compare_by_each(self.first.text, self.second.text)

    @property
    def is_drawn(self) -> bool:
        """Whether both texts are short enough to be shown repeatedly."""
        return self.first.is_drawn and self.second.is_drawn

    @property
    def drawn_steps(self) -> tuple[uri.ComparisonStep, ...]:
        """The steps of the ladder, if the texts are short enough."""
        return self.climbed.steps if self.is_drawn else ()

    @property
    def drawn_lexical(self) -> tuple[spec.SpecComparison, ...]:
        """The comparisons by each specification, if the texts are short enough."""
        return self.lexical if self.is_drawn else ()

    @property
    def malformed(self) -> tuple[Inspection, ...]:
        """Those of the two that are not URNs, and so cannot be compared."""
        return tuple(each for each in (self.first, self.second) if each.urn is None)


def compare_texts(first: str, second: str) -> ComparedPair:
    """Compare two texts, if both are URNs, by RFC 8141, section 3.1, and by their namespace."""
    one, other = inspect_text(first), inspect_text(second)
    if not (one.urn and other.urn):
        return ComparedPair(one, other, None)
    return ComparedPair(
        one, other, urns.compare(one.urn, other.urn), compare_by_namespace_rule(one, other)
    )


def compare_by_namespace_rule(one: Inspection, other: Inspection) -> NameEquivalence | None:
    """Compare two URNs by what their namespace declares, or what we hold of it, if anything."""
    if not (one.urn and other.urn and one.entry) or one.namespace != other.namespace:
        return None
    equivalence = find_equivalence(one.entry.nid, one.entry.current)
    return equivalence.compare(one.urn, other.urn) if equivalence else None


@dataclass(frozen=True, slots=True)
class ReferenceTarget:
    """The target of a reference; None if the base or the reference is unsuitable.

    `problems` say why the base or the reference is not valid.
    """

    base: str
    reference: str
    text: str | None
    base_problems: tuple[uri.URISyntaxError, ...]
    reference_problems: tuple[uri.URISyntaxError, ...]
    findings: tuple[Finding, ...] = ()


def resolve_reference_text(base: str, reference: str, *, strict: bool = True) -> ReferenceTarget:
    """Resolve `reference` against `base` by RFC 3986, section 5.2. Nothing is refused."""
    wrong = uri.validate_reference(base, "uri"), uri.validate_reference(reference)
    if any(wrong):
        return ReferenceTarget(base, reference, None, *wrong)
    try:
        resolution = uri.resolve_with_advice(base, reference, strict=strict)
    except uri.URISyntaxError as error:
        return ReferenceTarget(base, reference, None, (error.with_traceback(None),), ())
    return ReferenceTarget(base, reference, resolution.target, (), (), resolution.findings)


_TITLES: Final = {
    spec.RFC_2141.name: "RFC 2141",
    spec.DRAFT_03.name: "draft-ietf-urnbis-rfc2141bis-urn-03",
    spec.DRAFT_12.name: "draft-ietf-urnbis-rfc2141bis-urn-12",
    spec.RFC_8141.name: "RFC 8141",
}
_SINCE: Final = {"query": "q", "fragment": "f"}


@dataclass(frozen=True, slots=True)
class SpecificationReading:
    """How one specification of URN syntax reads a text.

    `differing` are the parts, by its own names, that differ from RFC 8141's; `converted` is a URN
    of RFC 8141 that means what the text means in a draft, empty if that is the text itself or
    impossible.
    """

    reading: spec.SpecReading
    differing: Mapping[str, str]
    converted: str = ""

    @property
    def title(self) -> str:
        """The name it is known under."""
        return _TITLES[self.reading.profile.name]

    @property
    def is_in_force(self) -> bool:
        """Whether it is RFC 8141 itself."""
        return self.reading.profile is spec.RFC_8141


def read_by_specifications(text: str) -> tuple[SpecificationReading, ...]:
    """Read `text` by RFC 2141, drafts -03 and -12 and RFC 8141, oldest first."""
    readings = spec.read_by_each(text)
    today = readings[-1]
    return tuple(
        SpecificationReading(
            reading, find_differing_parts(reading, today), convert_components(text, reading)
        )
        for reading in readings
    )


def find_differing_parts(reading: spec.SpecReading, today: spec.SpecReading) -> dict[str, str]:
    """Return the parts of `reading` that differ in `today`."""
    if not reading.is_valid or reading is today:
        return {}
    known = today.parts if today.is_valid else {}
    return {
        name: part
        for name, part in reading.parts.items()
        if known.get(_SINCE.get(name, name)) != part
    }


def convert_components(text: str, reading: spec.SpecReading) -> str:
    """Return the components of a draft as RFC 8141 writes them, empty if nothing changes."""
    if not reading.is_valid or reading.profile not in (spec.DRAFT_03, spec.DRAFT_12):
        return ""
    try:
        written = spec.convert_to_urn(text, reading.profile).text
    except URNSyntaxError:
        return ""
    return "" if written[4:] == text[4:] else written
