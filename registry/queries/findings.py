"""What the machine has to say of a text, asked with all that its request implies."""

from __future__ import annotations

from django.utils import timezone

from registry.choices import Path
from registry.models import RegistrationRequest
from registry.queries.identifiers import nid_considerations
from registry.queries.namespaces import registered_nids
from registry.template import Context, Template, check
from registry.urn import Finding


def findings(
    registration_request: RegistrationRequest, template: Template, *, publishing: bool = False
) -> tuple[Finding, ...]:
    """Return everything the machine has to say about `template` as a text of the request."""
    found = check(template, context(registration_request, publishing=publishing))
    asks_for_a_name = (
        registration_request.namespace_id is None and registration_request.path != Path.INFORMAL
    )
    if asks_for_a_name and not any(finding.section == "nid" for finding in found):
        found = (*nid_considerations(template["nid"], registration_request), *found)
    return found


def context(registration_request: RegistrationRequest, *, publishing: bool = False) -> Context:
    """Return what the checks of a template need to know of its request."""
    namespace = registration_request.namespace
    return Context(
        change=registration_request.change,
        path=registration_request.path,
        version=namespace.next_version if namespace else 1,
        taken=registered_nids() if namespace is None else frozenset(),
        today=timezone.now().date(),
        publishing=publishing,
    )
