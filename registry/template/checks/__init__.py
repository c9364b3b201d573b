"""Everything the machine asks of a template, all at once.

The same checks run while somebody writes, when a round is sent, and before it is published.
"""

from __future__ import annotations

from typing import Final

from registry.template.checks import (
    answers,
    assignment,
    characters,
    citations,
    documentation,
    edition,
    grammar,
    identifier,
    instructions,
    links,
    names,
    outside,
    particulars,
    placeholders,
    purpose,
    registrant,
    revision,
    security,
    syntax,
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
    edition.version_counts_on,
    edition.date_is_a_day_that_has_come,
    names.examples_are_names_of_the_namespace,
    names.two_examples_are_given,
    names.a_counter_example_is_given,
    registrant.registrant_has_a_name,
    particulars.registrant_can_be_reached,
    registrant.mailbox_outlives_a_person,
    registrant.mail_belongs_to_the_organization,
    registrant.successor_is_named,
    registrant.fast_track_is_claimed,
    purpose.purpose_answers_its_questions,
    syntax.encoding_is_spoken_of,
    syntax.equivalence_is_spoken_of,
    syntax.r_components_wait_for_their_standard,
    syntax.components_are_not_forbidden,
    syntax.names_are_written_in_ascii,
    assignment.assignment_says_for_whom,
    assignment.assignment_keeps_names_unique,
    assignment.names_are_never_reassigned,
    assignment.names_do_not_rest_on_what_changes_hands,
    security.security_says_more_than_nothing,
    security.security_answers_its_questions,
    security.examples_name_no_person,
    outside.interoperability_says_where_one_looked,
    particulars.resolution_says_whether,
    outside.resolution_says_by_whom,
    documentation.documentation_stays_as_it_is,
    documentation.documentation_can_be_found,
    revision.revision_changes_something,
    revision.revision_names_what_changed,
    revision.revision_names_nothing_else,
    placeholders.nothing_is_left_for_later,
    instructions.no_instruction_is_left_in,
    instructions.no_note_to_an_editor_is_left_in,
    citations.obsolete_documents_are_not_cited,
    citations.experimental_names_are_not_advised,
    links.links_can_be_followed,
    links.links_are_not_repeated,
    characters.no_control_characters,
    characters.no_hidden_turns_of_direction,
    characters.no_field_is_endless,
    grammar.the_rule_holds,
)

_PLACE: Final = {name: place for place, name in enumerate(ORDER)}
_WEIGHT: Final = {severity: weight for weight, severity in enumerate(Severity)}


def check(template: Template, context: Context) -> tuple[Finding, ...]:
    """All findings on the template, in the order of its fields, the heaviest of a field first."""
    found = (finding for ask in CHECKS for finding in ask(template, context))
    return tuple(sorted(found, key=_order))


def _order(finding: Finding) -> tuple[int, int]:
    return _PLACE[finding.section], _WEIGHT[finding.severity]
