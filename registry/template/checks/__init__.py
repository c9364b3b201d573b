"""All automatic checks of a template.

The same checks run while somebody writes, when a round is sent, and before it is published.
"""

from __future__ import annotations

from typing import Final

from registry.template.checks import (
    assignment,
    completeness,
    components,
    declaration,
    equivalence,
    identifier,
    interoperability,
    placeholders,
    purpose,
    resolution,
    revision,
    rule,
    security,
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
    completeness.a_person_is_not_the_only_contact,
    completeness.mail_belongs_to_the_organization,
    completeness.fast_track_is_claimed,
    purpose.names_are_not_for_a_closed_network,
    purpose.another_namespace_would_not_do,
    purpose.names_are_meant_to_last,
    purpose.standards_action_is_asked_for,
    syntax.encoding_is_spoken_of,
    equivalence.identifier_is_compared_without_case,
    equivalence.percent_encoding_stays_when_compared,
    equivalence.components_are_not_compared,
    declaration.the_declaration_holds,
    declaration.examples_stay_different_names,
    declaration.the_words_say_what_is_declared,
    components.r_components_wait_for_their_standard,
    components.components_are_not_forbidden,
    syntax.structure_is_described,
    syntax.characters_beyond_ascii_have_a_form,
    syntax.names_are_written_in_ascii,
    assignment.names_are_never_reassigned,
    assignment.names_do_not_rest_on_what_changes_hands,
    assignment.names_do_not_follow_the_latest_version,
    security.security_says_more_than_nothing,
    security.examples_name_no_person,
    interoperability.other_namespaces_are_registered,
    interoperability.prior_use_is_stated,
    resolution.resolution_names_its_operator,
    resolution.services_advertised_have_requirements,
    resolution.resolution_is_what_other_sections_promise,
    components.resolution_needs_no_q_component,
    completeness.documentation_stays_as_it_is,
    completeness.documentation_can_be_found,
    completeness.documentation_can_be_read,
    revision.revision_says_what_changed,
    revision.names_given_out_stay_valid,
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
    rule.the_rule_holds,
    rule.the_rule_in_the_text_holds,
    rule.the_rule_says_what_the_words_say,
    rule.rule_still_has_the_names_given_out,
    rule.encoding_rules_stay,
    equivalence.revision_merges_no_two_names,
    declaration.a_revision_merges_no_two_names,
)

_FIELD_PLACES: Final = {name: place for place, name in enumerate(ORDER)}
_SEVERITY_WEIGHTS: Final = {severity: weight for weight, severity in enumerate(Severity)}


def check(template: Template, context: Context) -> tuple[Finding, ...]:
    """All findings on the template, in the order of its fields, most severe first in a field."""
    found = (finding for ask in TEMPLATE_CHECKS for finding in ask(template, context))
    return tuple(sorted(found, key=_sort_key))


def _sort_key(finding: Finding) -> tuple[int, int]:
    return _FIELD_PLACES[finding.section], _SEVERITY_WEIGHTS[finding.severity]
