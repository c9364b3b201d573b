"""May this text, for this namespace, by these people, be registered at this moment?

One function answers (docs/process.md, May be published). Approving, reporting, directing, asking
for registration and registering ask it; pages, the queue and the API show its answer as it is now.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from registry.enums import LIVE_STATES, RequestPath, State, VerbKind
from registry.models import Event, Organization, RegistrationRequest, Round
from registry.permissions import remember_fact
from registry.selectors.findings import list_text_findings
from registry.selectors.holder_consent import explain_missing_consent
from registry.selectors.nids import expected_informal_nid
from registry.template import Template, number
from registry.urn import Severity


class ObstacleKind(enum.StrEnum):
    """What stands in the way of publication; it says whose turn it is to clear it."""

    TEXT = "text"
    """A hard rule is broken, the NID is gone, or a finding blocks: the registrant's."""
    HOLDER = "holder"
    """The word of whoever holds the namespace is missing: theirs."""
    RECOGNITION = "recognition"
    """The body is not recognised for the fast track: the standards body's."""


@dataclass(frozen=True, slots=True)
class PublicationObstacle:
    """One thing for which the last round cannot be registered now."""

    kind: ObstacleKind
    message: str


def list_publication_obstacles(
    registration_request: RegistrationRequest,
) -> tuple[PublicationObstacle, ...]:
    """Return why the last round cannot be registered now; nothing where it can be.

    Nothing is said of a request that was never sent or has ended.
    """
    last = find_last_round(registration_request)
    if last is None or State(registration_request.state) not in LIVE_STATES:
        return ()
    return remember_fact(
        (list_publication_obstacles, registration_request.pk, registration_request.revision),
        lambda: tuple(_find_obstacles(registration_request, last)),
    )


def _find_obstacles(
    registration_request: RegistrationRequest, last: Round
) -> Iterator[PublicationObstacle]:
    text = preview_published_text(registration_request, last)
    for message in list_blocking_messages(registration_request, text, last.facts):
        yield PublicationObstacle(ObstacleKind.TEXT, message)
    if missing := explain_missing_consent(registration_request):
        yield PublicationObstacle(ObstacleKind.HOLDER, missing)
    if unrecognised := explain_missing_recognition(registration_request):
        yield PublicationObstacle(ObstacleKind.RECOGNITION, unrecognised)


def find_last_round(registration_request: RegistrationRequest) -> Round | None:
    """Return the last round that was sent; a page asks for it once."""
    return remember_fact(
        (find_last_round, registration_request.pk, registration_request.revision),
        lambda: registration_request.last_round,
    )


def list_approvals(registration_request: RegistrationRequest) -> QuerySet[Event]:
    """Return the approvals of the last round, given since it came to where it is.

    What the standards body has decided anew begins without any.
    """
    last = find_last_round(registration_request)
    approvals = registration_request.events.of_kind(VerbKind.APPROVAL)
    return approvals.filter(
        data__sha256=last.sha256 if last else None, at__gte=registration_request.state_since
    )


def list_blocking_messages(
    registration_request: RegistrationRequest, template: Template, facts: Mapping[str, Any]
) -> list[str]:
    """Return what breaks a hard rule in a text as it would stand in the registry."""
    found = list_text_findings(registration_request, template, facts=facts, publishing=True)
    return [finding.message for finding in found if finding.severity is Severity.BLOCK]


def find_deciding_body(registration_request: RegistrationRequest) -> Organization:
    """Return the organization whose recognition the fast track asks for (RFC 8141, section 6.3).

    Of a registered namespace that is whoever holds it, and not whoever writes the request.
    """
    namespace = registration_request.namespace
    holder = namespace.registrant if namespace else None
    return holder or registration_request.organization


def explain_missing_recognition(registration_request: RegistrationRequest) -> str:
    """Return that the fast track is for recognised bodies, where this one is none (6.3)."""
    if registration_request.path != RequestPath.FAST_TRACK or registration_request.changes_facts:
        return ""
    body = find_deciding_body(registration_request)
    if body.is_recognised:
        return ""
    return _(
        "%(organization)s has not been recognised for the fast track yet. The standards body "
        "decides on that. RFC 8141, section 6.3."
    ) % {"organization": body}


def awaits_informal_number(registration_request: RegistrationRequest) -> bool:
    """Whether registering it takes an informal number."""
    return registration_request.is_informal and registration_request.namespace_id is None


def build_published_text(
    registration_request: RegistrationRequest, last: Round, nid: str, version: int | None
) -> Template:
    """Return the last round as it will stand: the number in place of `urn-N`, and the Version."""
    template = last.template
    if awaits_informal_number(registration_request):
        template = number(template, nid)
    return template.replace(version="" if version is None else str(version))


def preview_published_text(
    registration_request: RegistrationRequest, last: Round | None = None
) -> Template:
    """Return what registering would publish now; another registration may take the number first.

    `last` is the last round, where the caller has it at hand.
    """
    last = last or registration_request.rounds.sent().latest("number")
    namespace = registration_request.namespace
    version = namespace.next_version if namespace else 1
    nid = expected_informal_nid() if awaits_informal_number(registration_request) else ""
    return build_published_text(registration_request, last, nid, version)
