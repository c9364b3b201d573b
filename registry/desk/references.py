"""A reference resolved against a base, with what the URN specifications say of it."""

from __future__ import annotations

from dataclasses import dataclass

from registry.urn import Finding, uri


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a reference; none where the base or the reference cannot have one.

    `problems` are what keeps the base from being a URI, and the reference from being one.
    """

    base: str
    reference: str
    text: str | None
    base_problems: tuple[uri.URISyntaxError, ...]
    reference_problems: tuple[uri.URISyntaxError, ...]
    findings: tuple[Finding, ...] = ()


def resolve(base: str, reference: str, *, strict: bool = True) -> Target:
    """Resolve `reference` against `base` by RFC 3986, section 5.2. Nothing is refused."""
    wrong = uri.validate(base, "uri"), uri.validate(reference)
    if any(wrong):
        return Target(base, reference, None, *wrong)
    try:
        resolution = uri.resolve_with_advice(base, reference, strict=strict)
    except uri.URISyntaxError as error:
        return Target(base, reference, None, (error,), ())
    return Target(base, reference, resolution.target, (), (), resolution.findings)
