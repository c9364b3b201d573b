"""Whether the examples are names of the namespace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from registry.template.checks.context import Context, finding
from registry.template.template import Template
from registry.urn import URNSyntaxError, parse
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity
from registry.urn.nid import PLACEHOLDER, canonical

_MOST: Final = 10
_MORE: Final = finding(
    "examples",
    "examples.more",
    Severity.BLOCK,
    "More examples have faults.",
    "Mend the ones above; the others are shown then.",
)


def examples_are_names_of_the_namespace(template: Template, context: Context) -> Iterator[Finding]:
    """Each example is a URN (RFC 8141, section 2) and has the identifier asked for."""
    faults = _faults(template, context)
    yield from islice(faults, _MOST)
    if next(faults, None):
        yield _MORE


def two_examples_are_given(template: Template, context: Context) -> Iterator[Finding]:
    """A reader sees what varies and what does not (ours)."""
    count = len(template.examples)
    if count < 2:
        yield finding(
            "examples",
            "examples.few",
            Severity.WARN,
            "There is only one example." if count else "There are no examples.",
            "Give at least two names that are right, and as different as they can be.",
        )


def a_counter_example_is_given(template: Template, context: Context) -> Iterator[Finding]:
    """A reader sees where the names end (ours)."""
    if not template.counter_examples:
        yield finding(
            "counter_examples",
            "counter-examples.none",
            Severity.WARN,
            "There is no counter-example.",
            "Give a name that looks right and is wrong, best a mistake that people really make.",
        )


def _faults(template: Template, context: Context) -> Iterator[Finding]:
    for number, text in enumerate(template.examples, start=1):
        quoted = f"Example {number}, {excerpt(text)},"
        try:
            urn = parse(text)
        except URNSyntaxError as error:
            yield finding(
                "examples",
                "examples.syntax",
                Severity.BLOCK,
                f"{quoted} is not a URN. {error.message}",
                error.mend,
                error.rule,
            )
        else:
            if template.nid and not _same(urn.nid, template.nid):
                yield finding(
                    "examples",
                    "examples.namespace",
                    Severity.BLOCK,
                    f"{quoted} is not in the namespace {excerpt(template.nid)}: its identifier is"
                    f" “{urn.nid}” (character 5).",
                    f"Begin it with urn:{template.nid[:40]}: or take it out.",
                )


def _same(left: str, right: str) -> bool:
    # Only the exact placeholder is replaced by the number, so urn-n will not do for urn-N.
    if PLACEHOLDER in (left, right):
        return left == right
    return canonical(left) == canonical(right)
