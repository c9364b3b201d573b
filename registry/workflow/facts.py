"""Changes of facts: contact, reference, registrant, status. No experts, and no new version.

What is asked for stands in `facts` of a round, frozen like its text:

- contact: `contact`
- reference: `references`, a list of documents of record
- transfer: `registrant`, the name of the organization of the request, which takes over; its
  `contact`; and `succession`, where a document says who succeeds whom
- status: `status`, one of `Status`, and `notice`, what readers are told
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from registry.enums import ChangeKind
from registry.models import Namespace, Organization, RegistrationRequest
from registry.selectors.holder_consent import (
    Consent,
    find_consent,
    find_holder_consent,
)


def build_first_facts(
    change: ChangeKind, namespace: Namespace, organization: Organization
) -> dict[str, Any]:
    """Return what a draft starts from: the facts as they are, and who takes over from whom."""
    if change == ChangeKind.TRANSFER:
        return {"registrant": str(organization), "contact": "", "succession": ""}
    return read_stated_facts(namespace, change)


def apply_facts(registration_request: RegistrationRequest, facts: dict[str, Any]) -> dict[str, Any]:
    """Have the namespace say what was asked for; return before and after for the journal."""
    namespace = lock_changed_namespace(registration_request)
    assert namespace is not None, "a database constraint has every change name its namespace"
    before = read_stated_facts(namespace, registration_request.change)
    for name in ("contact", "references", "status", "notice"):
        if name in facts:
            setattr(namespace, name, facts[name])
    if registration_request.change == ChangeKind.TRANSFER:
        namespace.registrant = registration_request.organization
    namespace.save()
    after = read_stated_facts(namespace, registration_request.change)
    return {"nid": namespace.nid, "before": before, "after": after}


def lock_changed_namespace(registration_request: RegistrationRequest) -> Namespace | None:
    """Return the namespace as it is now, ours until the transaction ends.

    Another request may have changed it since this one was read: nothing of that is overwritten.
    """
    if registration_request.namespace_id is None:
        return None
    namespace = Namespace.objects.select_for_update(no_key=True).get(
        pk=registration_request.namespace_id
    )
    registration_request.namespace = namespace
    return namespace


def read_stated_facts(namespace: Namespace, change: str) -> dict[str, Any]:
    """Return what `namespace` says now of the facts that `change` is about."""
    every: dict[str, dict[str, Any]] = {
        ChangeKind.CONTACT: {"contact": namespace.contact},
        ChangeKind.REFERENCE: {"references": list(namespace.references)},
        ChangeKind.TRANSFER: {
            "registrant": str(namespace.registrant or ""),
            "contact": namespace.contact,
        },
        ChangeKind.STATUS: {"status": namespace.status, "notice": namespace.notice},
    }
    return every.get(change, {})


def read_revisable_facts(namespace: Namespace) -> dict[str, Any]:
    """Return what `namespace` says now of the facts that a new version can change."""
    return {
        "summary": namespace.summary,
        "registrant": str(namespace.registrant or ""),
        "references": list(namespace.references),
        "last_known_version": namespace.last_known_version,
    }


def diff_facts(was: dict[str, Any], namespace: Namespace) -> dict[str, Any]:
    """Return what a version changed of `was`, for the journal: without it the past is not known."""
    now = read_revisable_facts(namespace)
    before = {name: value for name, value in was.items() if value != now[name]}
    return {"before": before} if before else {}


def explain_missing_proof(registration_request: RegistrationRequest, seen: str) -> str:
    """Return what proof a transfer lacks of the body that takes over, nothing where it is enough.

    `seen` is what the registrar says to have seen. The word of the holder, which every change
    needs, is another matter: see `registry.selectors.holder_consent`.
    """
    if registration_request.change != ChangeKind.TRANSFER or seen.strip():
        return ""
    heir = registration_request.organization
    if find_consent(registration_request, heir).is_given:
        return ""
    return _(
        "There is no proof for %(who)s yet: a delegate, or somebody who proved to act for it. "
        "Say what other proof you have seen, or send the request back."
    ) % {"who": heir}


def list_consents(registration_request: RegistrationRequest) -> list[Consent]:
    """Return who stands behind the request for each body that has to agree.

    The holder; and of a transfer, who takes over from it.
    """
    holder = find_holder_consent(registration_request)
    bodies = [holder] if holder else []
    if registration_request.change == ChangeKind.TRANSFER:
        bodies.append(find_consent(registration_request, registration_request.organization))
    return bodies
