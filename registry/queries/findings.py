"""What the machine has to say of a text, asked with all that its request implies."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from registry.choices import Path
from registry.models import Registration, RegistrationRequest
from registry.queries.facts import facts_findings
from registry.queries.identifiers import nid_considerations
from registry.queries.namespaces import registered_nids
from registry.template import FIELDS, Context, Template, check, field
from registry.urn import Finding, Severity

LONG = 200
MOST = 3


def findings(
    registration_request: RegistrationRequest,
    template: Template,
    *,
    facts: Mapping[str, Any] | None = None,
    publishing: bool = False,
) -> tuple[Finding, ...]:
    """Return everything the machine has to say about `template` as a text of the request.

    Of a change of facts it speaks of `facts` alone: the text stays as it was published.
    """
    if registration_request.changes_facts:
        return facts_findings(registration_request, facts or {})
    found = check(template, context(registration_request, publishing=publishing))
    asks_for_a_name = (
        registration_request.namespace_id is None and registration_request.path != Path.INFORMAL
    )
    if asks_for_a_name and not any(finding.section == "nid" for finding in found):
        found = (*nid_considerations(template["nid"], registration_request), *found)
    return (*found, *pasted(registration_request, template))


def pasted(registration_request: RegistrationRequest, template: Template) -> Iterator[Finding]:
    """Yield a finding for each long section that another namespace has published word for word."""
    long = {each.name: template[each.name] for each in FIELDS if len(template[each.name]) >= LONG}
    if not long:
        return
    same = reduce(or_, (Q(**{name: text}) for name, text in long.items()))
    others = Registration.objects.filter(same).select_related("namespace")
    for registration in others.exclude(namespace=registration_request.namespace_id)[:MOST]:
        published = registration.template
        for name in [name for name in long if published[name] == long[name]]:
            yield Finding(
                "text.pasted",
                Severity.WARN,
                _("%(label)s reads word for word like that of %(nid)s.")
                % {"label": field(name).label, "nid": registration.namespace.nid},
                "local rule",
                _("Say what holds for your namespace, or refer to the other."),
                name,
            )


def context(registration_request: RegistrationRequest, *, publishing: bool = False) -> Context:
    """Return what the checks of a template need to know of its request."""
    namespace = registration_request.namespace
    current = namespace.current if namespace else None
    return Context(
        change=registration_request.change,
        path=registration_request.path,
        version=namespace.next_version if namespace else 1,
        taken=registered_nids() if namespace is None else frozenset(),
        today=timezone.now().date(),
        publishing=publishing,
        previous=current.template if current else None,
        last_date=datetime.date.fromisoformat(current.template.date) if current else None,
    )
