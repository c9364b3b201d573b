"""Everything the machine asks of a template, all at once.

The same checks run while somebody writes, when a round is sent, and before it is published.
"""

from __future__ import annotations

from typing import Final

from registry.template.checks import (
    completeness,
    considerations,
    identifier,
    placeholders,
    revision,
    syntax,
)
from registry.template.checks.context import Check, Context
from registry.template.fields import ORDER
from registry.template.template import Template
from registry.urn.finding import Finding, Severity

__all__ = ["TEMPLATE_CHECKS", "Context", "check"]

TEMPLATE_CHECKS: Final[tuple[Check, ...]] = (
    completeness.sections_are_filled_in,
    completeness.not_applicable_is_no_answer,
    completeness.documentation_points_somewhere,
    identifier.formal_identifier_may_be_registered,
    identifier.informal_identifier_is_left_open,
    identifier.informal_identifier_was_assigned,
    identifier.informal_names_leave_room,
    identifier.informal_names_are_numbered,
    identifier.version_counts_on,
    identifier.date_is_a_day_that_has_come,
    syntax.examples_are_names_of_the_namespace,
    syntax.two_examples_are_given,
    syntax.a_counter_example_is_given,
    completeness.registrant_has_a_name,
    completeness.registrant_can_be_reached,
    completeness.mailbox_outlives_a_person,
    completeness.mail_belongs_to_the_organization,
    completeness.successor_is_named,
    completeness.fast_track_is_claimed,
    considerations.purpose_answers_its_questions,
    syntax.encoding_is_spoken_of,
    syntax.equivalence_is_spoken_of,
    syntax.r_components_wait_for_their_standard,
    syntax.components_are_not_forbidden,
    syntax.names_are_written_in_ascii,
    considerations.assignment_says_for_whom,
    considerations.assignment_keeps_names_unique,
    considerations.names_are_never_reassigned,
    considerations.names_do_not_rest_on_what_changes_hands,
    considerations.security_says_more_than_nothing,
    considerations.security_answers_its_questions,
    considerations.examples_name_no_person,
    considerations.interoperability_says_where_one_looked,
    completeness.resolution_says_whether,
    considerations.resolution_says_by_whom,
    completeness.documentation_stays_as_it_is,
    completeness.documentation_can_be_found,
    revision.revision_changes_something,
    revision.revision_names_what_changed,
    revision.revision_names_nothing_else,
    placeholders.nothing_is_left_for_later,
    placeholders.no_instruction_is_left_in,
    placeholders.no_note_to_an_editor_is_left_in,
    placeholders.obsolete_documents_are_not_cited,
    placeholders.experimental_names_are_not_advised,
    placeholders.links_can_be_followed,
    placeholders.links_are_not_repeated,
    placeholders.no_control_characters,
    placeholders.no_hidden_turns_of_direction,
    placeholders.no_field_is_endless,
    syntax.the_rule_holds,
)

_FIELD_PLACES: Final = {name: place for place, name in enumerate(ORDER)}
_SEVERITY_WEIGHTS: Final = {severity: weight for weight, severity in enumerate(Severity)}


def check(template: Template, context: Context) -> tuple[Finding, ...]:
    """All findings on the template, in the order of its fields, the heaviest of a field first."""
    found = (finding for ask in TEMPLATE_CHECKS for finding in ask(template, context))
    return tuple(sorted(found, key=_sort_key))


def _sort_key(finding: Finding) -> tuple[int, int]:
    return _FIELD_PLACES[finding.section], _SEVERITY_WEIGHTS[finding.severity]
