"""What there is to say of a change of facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from registry.choices import Change, Status
from registry.models import RegistrationRequest
from registry.urn import Finding, Severity

SOURCE = "RFC 8141, section 6.2"


def facts_findings(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Return what stands in the way of `facts`, asked for by a change of facts."""
    checks = {
        Change.CONTACT: contact_findings,
        Change.REFERENCE: reference_findings,
        Change.TRANSFER: transfer_findings,
        Change.STATUS: status_findings,
    }
    check = checks.get(Change(registration_request.change))
    return tuple(check(registration_request, facts)) if check else ()


def contact_findings(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """A contact is named, and can be written to."""
    contact = str(facts.get("contact", "")).strip()
    if not contact:
        yield blocked("facts.contact", _("No contact is named."), _("Say who can be reached how."))
    elif "@" not in contact:
        yield Finding(
            "facts.contact-address",
            Severity.WARN,
            _("The contact has no mail address."),
            SOURCE,
            _("Add one that outlives a job, such as urn@ your domain."),
            "contact",
        )
    namespace = registration_request.namespace
    if contact and namespace and contact == namespace.contact.strip():
        yield unchanged("contact")


def reference_findings(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """At least one document of record is named, and it is not the same as now."""
    references = facts.get("references") or []
    if not references:
        yield blocked(
            "facts.references",
            _("No document of record is named."),
            _("Name at least one, such as RFC 3187."),
        )
    namespace = registration_request.namespace
    if references and namespace and list(references) == list(namespace.references):
        yield unchanged("references")


def transfer_findings(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """Another body takes over, and says how it is reached."""
    if not str(facts.get("contact", "")).strip():
        yield blocked("facts.contact", _("No contact is named."), _("Say who can be reached how."))
    namespace = registration_request.namespace
    if namespace and namespace.registrant_id == registration_request.organization_id:
        yield blocked(
            "facts.registrant",
            _("%(organization)s holds the namespace already.")
            % {"organization": registration_request.organization},
            _("Withdraw the request, and start one for the organization that takes over."),
        )


def status_findings(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """The status is one we know, differs from the one now, and readers are told why."""
    status, namespace = facts.get("status"), registration_request.namespace
    if status not in Status.values:
        yield blocked("facts.status", _("No status is chosen."), _("Choose the new status."))
    elif namespace and status == namespace.status:
        yield unchanged("status")
    if status in {Status.DEPRECATED, Status.OBSOLETE} and not str(facts.get("notice", "")).strip():
        yield blocked(
            "facts.notice",
            _("Readers are not told why, nor what to use instead."),
            _("Write the notice that the page of the namespace will show."),
        )


def blocked(check: str, message: str, mend: str) -> Finding:
    """Return a finding that stands in the way."""
    return Finding(check, Severity.BLOCK, message, SOURCE, mend, check.removeprefix("facts."))


def unchanged(name: str) -> Finding:
    """Return the finding that nothing would change."""
    return Finding(
        f"facts.same-{name}",
        Severity.BLOCK,
        _("This is what the registry says already."),
        SOURCE,
        _("Change it, or withdraw the request."),
        name,
    )
