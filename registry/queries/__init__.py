"""Reads that pages, API and commands share."""

from registry.queries.findings import context, findings
from registry.queries.identifiers import Near, nid_findings, nids_near
from registry.queries.namespaces import (
    latest_imported,
    latest_versions,
    listed,
    namespace_shown,
    published,
    registered_nids,
)
from registry.queries.organizations import (
    organizations_visible_to,
    public_organizations,
    public_recognitions,
    recognitions_visible_to,
)
from registry.queries.prepared import Prepared
from registry.queries.requests import (
    asking_for,
    assigned_to,
    claimable,
    held_by_others,
    open_for_comment,
    open_requests_on,
    publishable,
    recognition_was_refused,
    rivals_of,
    sightings_of,
    unassigned,
    visible_to,
    written_by,
)
from registry.queries.standing import idle_since
from registry.queries.version import registry_version, shown_anew
from registry.queries.waiting import Waiting, waiting_for, waiting_for_all

__all__ = [
    "Near",
    "Prepared",
    "Waiting",
    "asking_for",
    "assigned_to",
    "claimable",
    "context",
    "findings",
    "held_by_others",
    "idle_since",
    "latest_imported",
    "latest_versions",
    "listed",
    "namespace_shown",
    "nid_findings",
    "nids_near",
    "open_for_comment",
    "open_requests_on",
    "organizations_visible_to",
    "public_organizations",
    "public_recognitions",
    "publishable",
    "published",
    "recognition_was_refused",
    "recognitions_visible_to",
    "registered_nids",
    "registry_version",
    "rivals_of",
    "shown_anew",
    "sightings_of",
    "unassigned",
    "visible_to",
    "waiting_for",
    "waiting_for_all",
    "written_by",
]
