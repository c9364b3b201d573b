"""A text compared with another, resolved against a base, read by earlier specifications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from registry import urn as urns
from registry.inspection.single import Inspection, inspect_text
from registry.namespace_rules import NameEquivalence
from registry.selectors.name_rules import find_equivalence_of_namespace
from registry.urn import Finding, URNSyntaxError, spec, uri


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two texts, each read for itself, and their comparison where both are URNs.

    `by_namespace` compares them by what their registered namespace declares beyond RFC 8141; it
    is none where they have not one namespace, or nothing of it is held.
    """

    first: Inspection
    second: Inspection
    comparison: urns.Comparison | None
    by_namespace: NameEquivalence | None = None

    @property
    def is_merged(self) -> bool:
        """Whether only their namespace makes the two the same name."""
        if self.by_namespace is None or self.comparison is None:
            return False
        return self.by_namespace.is_equivalent and not self.comparison.is_equivalent

    @property
    def are_uris(self) -> bool:
        """Whether both are URIs, of whatever scheme, and short enough to be drawn."""
        return self.is_drawn and all(
            each.urn or each.other_uri for each in (self.first, self.second)
        )

    @property
    def climbed(self) -> uri.URIComparison:
        """The two compared as URIs, rung by rung (RFC 3986, section 6.2)."""
        return uri.compare_uris(self.first.text, self.second.text)

    @property
    def lexical(self) -> tuple[spec.SpecComparison, ...]:
        """The two compared by each specification of URNs, the oldest first."""
        return spec.compare_by_each(self.first.text, self.second.text)

    @property
    def is_drawn(self) -> bool:
        """Whether both texts are short enough to be shown again and again."""
        return self.first.is_drawn and self.second.is_drawn

    @property
    def drawn_steps(self) -> tuple[uri.ComparisonStep, ...]:
        """The rungs that were climbed, of texts that are not too long for it."""
        return self.climbed.steps if self.is_drawn else ()

    @property
    def drawn_lexical(self) -> tuple[spec.SpecComparison, ...]:
        """The comparisons by each specification, of texts that are not too long for it."""
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
    """Compare two URNs by what their namespace declares, or what is held of it, if anything."""
    if not (one.urn and other.urn and one.namespace) or one.namespace != other.namespace:
        return None
    equivalence = find_equivalence_of_namespace(one.namespace)
    return equivalence.compare(one.urn, other.urn) if equivalence else None


@dataclass(frozen=True, slots=True)
class ReferenceTarget:
    """The target of a reference; none where the base or the reference cannot have one.

    `problems` are what keeps the base from being a URI, and the reference from being one.
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
        return ReferenceTarget(base, reference, None, (error,), ())
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
    """One specification of URN syntax and what it makes of a text.

    `differing` are the parts, by its own names, that it finds otherwise than RFC 8141 does;
    `converted` is a URN of RFC 8141 that says what the text says in a draft, empty where that is
    the text itself or cannot be said.
    """

    reading: spec.SpecReading
    differing: Mapping[str, str]
    converted: str = ""

    @property
    def title(self) -> str:
        """The name under which it is found."""
        return _TITLES[self.reading.profile.name]

    @property
    def is_in_force(self) -> bool:
        """Whether it is RFC 8141 itself."""
        return self.reading.profile is spec.RFC_8141


def read_by_specifications(text: str) -> tuple[SpecificationReading, ...]:
    """Read `text` by RFC 2141, drafts -03 and -12 and RFC 8141, the oldest first."""
    readings = spec.read_by_each(text)
    today = readings[-1]
    return tuple(
        SpecificationReading(
            reading, find_differing_parts(reading, today), convert_components(text, reading)
        )
        for reading in readings
    )


def find_differing_parts(reading: spec.SpecReading, today: spec.SpecReading) -> dict[str, str]:
    """Return the parts of `reading` that are not the same in `today`."""
    if not reading.is_valid or reading is today:
        return {}
    known = today.parts if today.is_valid else {}
    return {
        name: part
        for name, part in reading.parts.items()
        if known.get(_SINCE.get(name, name)) != part
    }


def convert_components(text: str, reading: spec.SpecReading) -> str:
    """Return the components of a draft as RFC 8141 writes them, empty where nothing changes."""
    if not reading.is_valid or reading.profile not in (spec.DRAFT_03, spec.DRAFT_12):
        return ""
    try:
        written = spec.convert_to_urn(text, reading.profile).text
    except URNSyntaxError:
        return ""
    return "" if written[4:] == text[4:] else written
