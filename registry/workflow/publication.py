"""The step that publishes: a version stands, a NID is taken for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.enums import NamespaceKind
from registry.journal.row_digests import (
    NEW_ROW,
    build_row_key,
    digest_row,
)
from registry.models import Counter, Namespace, Registration, RegistrationRequest
from registry.selectors.publication import (
    awaits_informal_number,
    build_published_text,
    list_blocking_messages,
)
from registry.template import Template, sha256
from registry.urn import nid as nids
from registry.workflow import drafts
from registry.workflow.conditions import require_last_round
from registry.workflow.step import ActionRefused, Step


def publish_round(step: Step) -> dict[str, Any]:
    """Publish the last round: namespace, number, text and version, all or nothing.

    A change of facts makes no version: the namespace says what was asked for from now on.
    `step.data` may hold `references` (list of documents of record) and, where the last
    version is not known, `last_version` and `last_version_source`.
    """
    registration_request = step.registration_request
    if registration_request.changes_facts:
        return publish_facts(step)
    known = drafts.lock_changed_namespace(registration_request)
    was = drafts.read_revisable_facts(known) if known else {}
    before = digest_row(known) if known else NEW_ROW
    nid, version = assign_nid(registration_request), find_next_version(step)
    template = build_published_text(
        registration_request, require_last_round(registration_request), nid, version
    )
    refuse_broken_rules(registration_request, template, {})
    namespace = registration_request.namespace or create_namespace(registration_request, nid)
    registration = Registration(
        namespace=namespace,
        number=version,
        number_source=step.data.get("last_version_source", ""),
        registered_on=timezone.now().date(),
        registration_request=registration_request,
        sha256=sha256(template),
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
    """Have the namespace say what the last round asks for.

    Before and after stand in the event, so that letters reach the contact that was.
    """
    registration_request = step.registration_request
    namespace = drafts.lock_changed_namespace(registration_request)
    assert namespace is not None, "a database constraint has every change name its namespace"
    step.rows[build_row_key(namespace)] = digest_row(namespace)
    last = require_last_round(registration_request)
    refuse_broken_rules(registration_request, last.template, last.facts)
    told = drafts.apply_facts(registration_request, last.facts)
    step.rows[build_row_key(registration_request.organization)] = None
    return told | {"sha256": last.sha256, "proof": str(step.data.get("proof") or "")}


def assign_nid(registration_request: RegistrationRequest) -> str:
    """Return the NID to register: as asked, or the next informal number, taken now (5.2)."""
    if awaits_informal_number(registration_request):
        return nids.informal_nid(Counter.objects.take(Counter.INFORMAL))
    return require_last_round(registration_request).template.nid


def find_next_version(step: Step) -> int:
    """Return the next whole number, counting from what the registrar says where none is known."""
    namespace = step.registration_request.namespace
    if namespace is None:
        return 1
    said = step.data.get("last_version")
    if namespace.next_version is None and said:
        namespace.last_known_version = str(said)
    version = namespace.next_version
    if version is None:
        raise ActionRefused(_("Write the last version as a number, such as 2 or 2.1."))
    return version


def refuse_broken_rules(
    registration_request: RegistrationRequest, template: Template, facts: Mapping[str, Any]
) -> None:
    """Ask the hard rules of the very text that will stand, with its number, once more."""
    if blocks := list_blocking_messages(registration_request, template, facts):
        raise ActionRefused(" ".join(blocks))


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
        raise ActionRefused(_("“%(nid)s” has just been registered.") % {"nid": nid}) from None


def update_namespace(namespace: Namespace, step: Step) -> None:
    """Have the namespace say what its new version says.

    A revision does not change hands: the registrant stays, and is filled in where nobody knew it.
    """
    registration_request = step.registration_request
    namespace.summary = registration_request.summary
    namespace.registrant = namespace.registrant or registration_request.organization
    namespace.references = list(step.data.get("references") or [])
    namespace.save()
