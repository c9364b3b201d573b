"""What officers record of an organization: other names, public identifiers, bodies that it is not.

For a body that holds a namespace or is recognised, it counts once a second officer has recorded the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import EvidenceKind
from registry.journal.row_digests import build_row_key, digest_row
from registry.models import Organization, User
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused


def record_evidence(
    organization: Organization,
    *,
    actor: User,
    kind: EvidenceKind,
    value: str,
    source: str,
    since: str = "",
) -> None:
    """Record something about an organization, or confirm it as second officer.

    `value` is the name, the address of the identifier or of the website, or the key of the other
    body; `since` is the day, as in ISO 8601, on which a website's domain became the body's. Doing
    it twice counts once.
    """
    with transaction.atomic():
        body = lock_for_evidence(organization, actor)
        entry = find_evidence(body, kind, value)
        if entry and entry.get("recorded_by") in (None, actor.pk):
            return
        rows = {build_row_key(body): digest_row(body)}
        if entry:
            if since != entry.get("since", ""):
                raise ActionRefused(
                    _("Your colleague recorded another day: %(day)s.") % {"day": entry["since"]},
                    code="other_day",
                )
            del entry["recorded_by"]
        else:
            if not source.strip():
                raise ActionRefused(_("Say where that is known from."), code="no_source")
            entry = {"kind": kind.value, "value": value, "source": source.strip()}
            if since:
                entry["since"] = since
            if needs_second_officer(body, kind, value):
                entry["recorded_by"] = actor.pk
            body.evidence.append(entry)
        write_evidence(body, actor, "record_organization_evidence", entry, rows)


def withdraw_evidence(
    organization: Organization, *, actor: User, kind: EvidenceKind, value: str
) -> None:
    """Take back what an officer recorded by mistake; doing it twice counts once."""
    with transaction.atomic():
        body = lock_for_evidence(organization, actor)
        if entry := find_evidence(body, kind, value):
            rows = {build_row_key(body): digest_row(body)}
            body.evidence.remove(entry)
            if kind == EvidenceKind.WEBSITE and value == body.website:
                body.website = body.website_source = ""
            write_evidence(body, actor, "withdraw_organization_evidence", entry, rows)


def lock_for_evidence(organization: Organization, actor: User) -> Organization:
    """Return the organization as it is now, locked until the transaction ends."""
    body = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    if not permissions.may_record_evidence(reload_person(actor), body):
        raise ActionRefused(
            _("Only a registrar or the standards body records that, without a part in it."),
            code="not_allowed",
        )
    return body


def find_evidence(body: Organization, kind: EvidenceKind, value: str) -> dict[str, Any] | None:
    """Return what is recorded of that kind and value, confirmed or not."""
    same = (entry for entry in body.evidence if entry["kind"] == kind and entry["value"] == value)
    return next(same, None)


def needs_second_officer(body: Organization, kind: EvidenceKind, value: str) -> bool:
    """Whether somebody could lose by it: the body, or the other, holds or is recognised."""
    bodies = [body]
    if kind == EvidenceKind.OTHER_BODY:
        bodies += Organization.objects.filter(pk=value)
    return any(each.is_recognised or each.namespaces.exists() for each in bodies)


def write_evidence(
    body: Organization,
    actor: User,
    verb: str,
    entry: dict[str, Any],
    rows: Mapping[str, str | None],
) -> None:
    """Save the organization, and write the event, of which those who speak for it are told."""
    is_website = entry["kind"] == EvidenceKind.WEBSITE
    if is_website and entry in body.evidence and "recorded_by" not in entry:
        body.website, body.website_source = entry["value"], entry["source"]
    body.save(update_fields=["evidence", "website", "website_source"])
    concerned, value = [body], entry["value"]
    if entry["kind"] == EvidenceKind.OTHER_BODY:
        concerned += Organization.objects.filter(pk=value)
        value = str(concerned[-1])
    data = {
        "organization": str(body),
        "organization_id": body.pk,
        "concerned": [each.pk for each in concerned],
        "what": str(EvidenceKind(entry["kind"]).label),
        "value": value,
        "source": entry["source"],
        "waits": "recorded_by" in entry,
    }
    record_event(body, actor=actor, verb=verb, data=data, rows=rows)
