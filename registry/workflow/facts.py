"""Changes of facts: contact, reference, registrant, status. No experts, and no new version.

What is asked for stands in `facts` of a round, frozen like its text:

- contact: `contact`
- reference: `references`, a list of documents of record
- transfer: `contact`, and `succession`, where a document says who succeeds whom; the
  organization of the request is the one that takes over
- status: `status`, one of `Status`, and `notice`, what readers are told
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from registry.choices import Change
from registry.models import Namespace, Organization, RegistrationRequest
from registry.queries.facts import has_proved


def first_facts(change: Change, namespace: Namespace) -> dict[str, Any]:
    """Return what a draft starts from: the facts as they are."""
    if change == Change.TRANSFER:
        return {"contact": "", "succession": ""}
    return stated(namespace, change)


def apply(registration_request: RegistrationRequest, facts: dict[str, Any]) -> dict[str, Any]:
    """Have the namespace say what was asked for; return before and after for the journal."""
    namespace = registration_request.namespace
    assert namespace is not None, "a database constraint has every change name its namespace"
    before = stated(namespace, registration_request.change)
    for name in ("contact", "references", "status", "notice"):
        if name in facts:
            setattr(namespace, name, facts[name])
    if registration_request.change == Change.TRANSFER:
        namespace.registrant = registration_request.organization
    namespace.save()
    after = stated(namespace, registration_request.change)
    return {"nid": namespace.nid, "before": before, "after": after}


def stated(namespace: Namespace, change: str) -> dict[str, Any]:
    """Return what `namespace` says now of the facts that `change` is about."""
    every: dict[str, dict[str, Any]] = {
        Change.CONTACT: {"contact": namespace.contact},
        Change.REFERENCE: {"references": list(namespace.references)},
        Change.TRANSFER: {
            "registrant": str(namespace.registrant or ""),
            "contact": namespace.contact,
        },
        Change.STATUS: {"status": namespace.status, "notice": namespace.notice},
    }
    return every.get(change, {})


def missing_proof(registration_request: RegistrationRequest, seen: str) -> str:
    """Return what proof is missing, nothing where it is enough.

    `seen` is what the registrar says to have seen. A transfer needs both sides, or a document
    of succession that the registrar has seen (process guide, States).
    """
    if not registration_request.changes_facts or seen.strip():
        return ""
    unproved = [
        side for side in sides(registration_request) if not has_proved(registration_request, side)
    ]
    if not unproved:
        return ""
    return _(
        "There is no proof for %(who)s yet: a delegate, or somebody who proved to act for it. "
        "Say what other proof you have seen, or send the request back."
    ) % {"who": ", ".join(str(side) for side in unproved)}


def sides(registration_request: RegistrationRequest) -> list[Organization]:
    """Return the bodies that have to agree: the registrant, and who takes over from it."""
    namespace = registration_request.namespace
    holder = namespace.registrant if namespace else None
    asking = registration_request.organization
    if registration_request.change != Change.TRANSFER or holder is None:
        return [holder or asking]
    return [holder, asking]
