"""Publication: a version becomes permanent, a NID is taken for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.enums import ChangeKind, NamespaceKind, SpeakerEnd
from registry.journal.row_digests import (
    NEW_ROW,
    build_row_key,
    digest_row,
    digest_stored_rows,
)
from registry.models import (
    Counter,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
)
from registry.selectors.base_versions import explain_newer_version
from registry.selectors.case import open_case
from registry.selectors.publication import (
    awaits_informal_number,
    build_published_text,
    list_blocking_messages,
)
from registry.template import Template, sha256
from registry.urn import nid as nids
from registry.workflow import drafts
from registry.workflow.conditions import require_last_round
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, Step


def publish_round(step: Step) -> dict[str, Any]:
    """Publish the last round: namespace, number, text and version, all or nothing.

    A change of facts makes no version but updates the namespace. `step.data` may hold `references`
    (list of documents of record), `contact`, `iana_reference` and, if the last version is not known
    or its sources disagree, `last_version` and `last_version_source`.
    """
    registration_request = step.registration_request
    if registration_request.changes_facts:
        return publish_facts(step)
    known = drafts.lock_changed_namespace(registration_request)
    was = drafts.read_revisable_facts(known) if known else {}
    before = digest_row(known) if known else NEW_ROW
    nid, version = assign_nid(registration_request), find_next_version(step)
    last = require_last_round(registration_request)
    if known and (newest := known.current) and newest.pk != last.base_id:
        raise ActionRefused(explain_newer_version(newest), code="outdated")
    template = build_published_text(registration_request, last, nid, version)
    refuse_broken_rules(registration_request, template, {})
    namespace = registration_request.namespace or create_namespace(registration_request, nid)
    registration = Registration(
        namespace=namespace,
        number=version,
        number_source=step.data.get("last_version_source", ""),
        registered_on=timezone.now().date(),
        registration_request=registration_request,
        sha256=sha256(template),
        text_licence=last.text_licence,
    )
    registration.template = template
    registration.save()
    update_namespace(namespace, step)
    registration_request.namespace, registration_request.nid = namespace, namespace.nid
    registration_request.save(update_fields=["namespace", "nid"])
    step.rows[build_row_key(namespace)] = before
    step.rows[build_row_key(registration)] = NEW_ROW
    if namespace.registrant:
        step.rows[build_row_key(namespace.registrant)] = None
    told = {"nid": namespace.nid, "version": version, "sha256": registration.sha256}
    return told | drafts.diff_facts(was, namespace)


def publish_facts(step: Step) -> dict[str, Any]:
    """Apply the facts of the last round to the namespace, or to an organization without one.

    The event has both old and new values, so that letters reach the former contact.
    """
    registration_request = step.registration_request
    namespace = drafts.lock_changed_namespace(registration_request)
    if namespace:
        step.rows[build_row_key(namespace)] = digest_row(namespace)
    last = require_last_round(registration_request)
    refuse_broken_rules(registration_request, last.template, last.facts)
    body = Organization.objects.select_for_update(no_key=True).get(
        pk=registration_request.organization_id
    )
    is_rename = registration_request.change == ChangeKind.RENAME
    step.rows[build_row_key(body)] = digest_row(body) if is_rename else None
    told = drafts.apply_facts(registration_request, last.facts)
    if is_rename:
        record_rename(step, told)
    if namespace and registration_request.change == ChangeKind.TRANSFER:
        # Its separate speaker spoke for the body that held it.
        speakers = list(namespace.speakers.open())
        step.rows.update(digest_stored_rows(speakers))
        for speaker in speakers:
            speaker.finish(SpeakerEnd.TRANSFERRED)
    return told | {"sha256": last.sha256}


def record_rename(step: Step, told: Mapping[str, Any]) -> None:
    """Write the event of a rename on every other namespace that the organization holds."""
    others = step.registration_request.organization.namespaces.exclude(nid=told["nid"])
    for namespace in others:
        data = {
            "nid": namespace.nid,
            "before": told["before"],
            "after": told["after"],
            "request": step.registration_request.reference,
        }
        record_event(namespace, actor=step.actor, verb="rename_registrant", data=data)


def assign_nid(registration_request: RegistrationRequest) -> str:
    """Return the NID to register: as requested, or the next informal number, taken now (5.2)."""
    if awaits_informal_number(registration_request):
        return nids.informal_nid(Counter.objects.take(Counter.INFORMAL))
    return require_last_round(registration_request).template.nid


def find_next_version(step: Step) -> int:
    """Return the number after the highest in any source, including the registrar's statement."""
    namespace = step.registration_request.namespace
    if namespace is None:
        return 1
    if said := step.data.get("last_version"):
        namespace.last_known_version = str(said)
    version = namespace.next_version
    if version is None:
        raise ActionRefused(
            _("Write the last version as a number, such as 2 or 2.1."), code="version_not_number"
        )
    return version


def refuse_broken_rules(
    registration_request: RegistrationRequest, template: Template, facts: Mapping[str, Any]
) -> None:
    """Check the hard rules once more, on the exact text to be published, with its number."""
    case = open_case(registration_request)
    if blocks := list_blocking_messages(case, template, facts):
        raise ActionRefused(" ".join(blocks), code="text_blocks")


def create_namespace(registration_request: RegistrationRequest, nid: str) -> Namespace:
    """Take `nid` for ever. The unique column is the real guard against a second taker."""
    informal_number = nids.informal_number(nid)
    try:
        with transaction.atomic():
            return Namespace.objects.create(
                nid=nids.canonical(nid),
                nid_as_registered=nid,
                kind=NamespaceKind.INFORMAL if informal_number else NamespaceKind.FORMAL,
                informal_number=informal_number,
                summary=registration_request.summary,
                registrant=registration_request.organization,
                registered_on=timezone.now().date().isoformat(),
            )
    except IntegrityError:
        raise ActionRefused(
            _("“%(nid)s” has just been registered.") % {"nid": nid}, code="nid_taken"
        ) from None


def update_namespace(namespace: Namespace, step: Step) -> None:
    """Update the namespace from its new version.

    A revision does not change the holder: asking for one does not make anyone the holder, not even
    if the holder is unknown.
    """
    namespace.summary = step.registration_request.summary
    namespace.references = list(step.data.get("references") or [])
    if (contact := step.data.get("contact")) and not namespace.contact:
        namespace.contact, namespace.contact_confirmed_on = contact, timezone.localdate()
    # A silent version keeps what is known; removing it takes an action of its own.
    namespace.iana_reference = step.data.get("iana_reference") or namespace.iana_reference
    namespace.save()
