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

from registry.choices import Change
from registry.models import Namespace, Organization, RegistrationRequest
from registry.queries.holder import Backing, backing, holder_backing


def first_facts(change: Change, namespace: Namespace, organization: Organization) -> dict[str, Any]:
    """Return what a draft starts from: the facts as they are, and who takes over from whom."""
    if change == Change.TRANSFER:
        return {"registrant": str(organization), "contact": "", "succession": ""}
    return stated(namespace, change)


def apply(registration_request: RegistrationRequest, facts: dict[str, Any]) -> dict[str, Any]:
    """Have the namespace say what was asked for; return before and after for the journal."""
    namespace = locked_namespace(registration_request)
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


def locked_namespace(registration_request: RegistrationRequest) -> Namespace | None:
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


def revisable(namespace: Namespace) -> dict[str, Any]:
    """Return what `namespace` says now of the facts that a new version can change."""
    return {
        "summary": namespace.summary,
        "registrant": str(namespace.registrant or ""),
        "references": list(namespace.references),
        "last_known_version": namespace.last_known_version,
    }


def changed(was: dict[str, Any], namespace: Namespace) -> dict[str, Any]:
    """Return what a version changed of `was`, for the journal: without it the past is not known."""
    now = revisable(namespace)
    before = {name: value for name, value in was.items() if value != now[name]}
    return {"before": before} if before else {}


def missing_proof(registration_request: RegistrationRequest, seen: str) -> str:
    """Return what proof a transfer lacks of the body that takes over, nothing where it is enough.

    `seen` is what the registrar says to have seen. The word of the holder, which every change
    needs, is another matter: see `registry.queries.holder`.
    """
    if registration_request.change != Change.TRANSFER or seen.strip():
        return ""
    heir = registration_request.organization
    if backing(registration_request, heir).is_given:
        return ""
    return _(
        "There is no proof for %(who)s yet: a delegate, or somebody who proved to act for it. "
        "Say what other proof you have seen, or send the request back."
    ) % {"who": heir}


def backings(registration_request: RegistrationRequest) -> list[Backing]:
    """Return who stands behind the request for each body that has to agree.

    The holder; and of a transfer, who takes over from it.
    """
    holder = holder_backing(registration_request)
    bodies = [holder] if holder else []
    if registration_request.change == Change.TRANSFER:
        bodies.append(backing(registration_request, registration_request.organization))
    return bodies
