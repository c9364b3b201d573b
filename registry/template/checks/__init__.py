"""Everything the machine asks of a template, all at once.

The same checks run while somebody writes, when a round is sent, and before it is published.
"""

from __future__ import annotations

from typing import Final

from registry.template.checks import (
    answers,
    characters,
    identifier,
    names,
    particulars,
    placeholders,
)
from registry.template.checks.context import Check, Context
from registry.template.fields import ORDER
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

__all__ = ["CHECKS", "Context", "check"]

CHECKS: Final[tuple[Check, ...]] = (
    answers.sections_are_filled_in,
    answers.not_applicable_is_no_answer,
    answers.documentation_points_somewhere,
    identifier.formal_identifier_may_be_registered,
    identifier.informal_identifier_is_left_open,
    identifier.informal_identifier_was_assigned,
    identifier.informal_names_leave_room,
    identifier.informal_names_are_numbered,
    names.examples_are_names_of_the_namespace,
    names.two_examples_are_given,
    names.a_counter_example_is_given,
    particulars.registrant_can_be_reached,
    particulars.resolution_says_whether,
    placeholders.nothing_is_left_for_later,
    characters.no_control_characters,
    characters.no_hidden_turns_of_direction,
    characters.no_field_is_endless,
)

_PLACE: Final = {name: place for place, name in enumerate(ORDER)}
_WEIGHT: Final = {severity: weight for weight, severity in enumerate(Severity)}


def check(template: Template, context: Context) -> tuple[Finding, ...]:
    """All findings on the template, in the order of its fields, the heaviest of a field first."""
    found = (finding for ask in CHECKS for finding in ask(template, context))
    return tuple(sorted(found, key=_order))


def _order(finding: Finding) -> tuple[int, int]:
    return _PLACE[finding.section], _WEIGHT[finding.severity]
