"""Reads that pages, API and commands share."""

from registry.journal.openness import public_organizations
from registry.selectors.findings import build_check_context, list_findings
from registry.selectors.nids import (
    SimilarNid,
    expected_informal_nid,
    find_namespace,
    find_similar_nids,
    latest_imported_namespaces,
    latest_versions,
    list_nid_findings,
    list_versions,
    namespaces_for_filters,
    namespaces_for_lists,
    registered_nids,
)
from registry.selectors.organizations import (
    organizations_visible_to,
    public_recognitions,
    recognitions_visible_to,
)
from registry.selectors.prepared_queries import (
    PreparedQuery,
    find_registry_version,
    raise_registry_version,
)
from registry.selectors.requests import (
    claimable_sightings,
    list_open_requests,
    list_rival_requests,
    list_similar_requests,
    publishable_requests,
    requests_asking_for,
    requests_assigned_to,
    requests_holding_nids,
    requests_open_for_comment,
    requests_visible_to,
    requests_written_by,
    sightings_of_nid,
    unassigned_requests,
    was_recognition_refused,
)
from registry.selectors.turns import (
    CurrentTurn,
    find_current_turn,
    find_current_turns,
)

__all__ = [
    "CurrentTurn",
    "PreparedQuery",
    "SimilarNid",
    "build_check_context",
    "claimable_sightings",
    "expected_informal_nid",
    "find_current_turn",
    "find_current_turns",
    "find_namespace",
    "find_registry_version",
    "find_similar_nids",
    "latest_imported_namespaces",
    "latest_versions",
    "list_findings",
    "list_nid_findings",
    "list_open_requests",
    "list_rival_requests",
    "list_similar_requests",
    "list_versions",
    "namespaces_for_filters",
    "namespaces_for_lists",
    "organizations_visible_to",
    "public_organizations",
    "public_recognitions",
    "publishable_requests",
    "raise_registry_version",
    "recognitions_visible_to",
    "registered_nids",
    "requests_asking_for",
    "requests_assigned_to",
    "requests_holding_nids",
    "requests_open_for_comment",
    "requests_visible_to",
    "requests_written_by",
    "sightings_of_nid",
    "unassigned_requests",
    "was_recognition_refused",
]
