"""Findings of the automatic checks on a text or a change of facts, as part of its request."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext as _

from registry.enums import (
    LIVE_STATES,
    SMALL_CHANGES,
    ChangeKind,
    NamespaceStatus,
    RequestPath,
    State,
)
from registry.lookalikes import names_organization
from registry.models import (
    ImportedRecord,
    Namespace,
    Organization,
    Registration,
    RegistrationRequest,
)
from registry.models.namespace import find_next_number
from registry.selectors.imported_records import map_imported_templates
from registry.selectors.nids import list_nid_considerations, registered_nids
from registry.selectors.organizations import find_namesake, q_is_known
from registry.template import FIELDS, Context, Template, check, field
from registry.urn import Finding, Severity

FACTS_SOURCE = "RFC 8141, section 6.2"


def list_facts_findings(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> tuple[Finding, ...]:
    """Return the obstacles to `facts`, requested by a change of facts."""
    checks = {
        ChangeKind.CONTACT: check_contact,
        ChangeKind.REFERENCE: check_references,
        ChangeKind.TRANSFER: check_transfer,
        ChangeKind.STATUS: check_status,
        ChangeKind.RENAME: check_rename,
    }
    check = checks.get(ChangeKind(registration_request.change))
    return tuple(check(registration_request, facts)) if check else ()


def check_contact(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """A contact is named, and can be written to."""
    contact = str(facts.get("contact", "")).strip()
    if not contact:
        yield make_blocking_finding(
            "facts.contact",
            _("No contact is named."),
            _("Name somebody and say how to reach them."),
        )
    elif "@" not in contact:
        yield Finding(
            "facts.contact-address",
            Severity.WARN,
            _("The contact has no email address."),
            FACTS_SOURCE,
            _("Add one that outlives a job, such as urn@ your domain."),
            "contact",
        )
    namespace = registration_request.namespace
    if contact and namespace and contact == namespace.contact.strip():
        yield make_unchanged_finding("contact")


def check_references(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """At least one document of record is named, and it differs from the current ones."""
    references = facts.get("references") or []
    if not references:
        yield make_blocking_finding(
            "facts.references",
            _("No document of record is named."),
            _("Name at least one, such as RFC 3187."),
        )
    namespace = registration_request.namespace
    if references and namespace and list(references) == list(namespace.references):
        yield make_unchanged_finding("references")


def check_transfer(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """Another body takes over, and says how to reach it."""
    if not str(facts.get("contact", "")).strip():
        yield make_blocking_finding(
            "facts.contact",
            _("No contact is named."),
            _("Name somebody and say how to reach them."),
        )
    namespace = registration_request.namespace
    if namespace and namespace.registrant_id == registration_request.organization_id:
        yield make_blocking_finding(
            "facts.registrant",
            _("%(organization)s holds the namespace already.")
            % {"organization": registration_request.organization},
            _("Withdraw the request, and start one for the organization that takes over."),
        )


def check_status(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """The status is a known one, differs from the current one, and readers are told why."""
    status, namespace = facts.get("status"), registration_request.namespace
    if status not in NamespaceStatus.values:
        yield make_blocking_finding(
            "facts.status", _("No status is chosen."), _("Choose the new status.")
        )
    elif namespace and status == namespace.status:
        yield make_unchanged_finding("status")
    if (
        status in {NamespaceStatus.DEPRECATED, NamespaceStatus.OBSOLETE}
        and not str(facts.get("notice", "")).strip()
    ):
        yield make_blocking_finding(
            "facts.notice",
            _("The notice does not say why, or what to use instead."),
            _("Write the notice that the page of the namespace will show."),
        )
    if instead := str(facts.get("replaced_by") or ""):
        yield from check_replacement(namespace, str(status), instead)


def check_replacement(namespace: Namespace | None, status: str, instead: str) -> Iterator[Finding]:
    """What replaces a deprecated or obsolete namespace is registered, and leads back to none."""
    check, other = "facts.replaced_by", Namespace.objects.filter(nid=instead).first()
    if status == NamespaceStatus.ACTIVE:
        yield make_blocking_finding(
            check, _("An active namespace is not replaced."), _("Leave out what replaces it.")
        )
    elif other is None:
        yield make_blocking_finding(
            check,
            _("“%(nid)s” is not registered.") % {"nid": instead},
            _("Enter the identifier of a registered namespace, or leave it empty."),
        )
    while other and other != namespace:
        other = other.replaced_by
    if other and namespace:
        yield make_blocking_finding(
            check,
            _("urn:%(instead)s is itself replaced by urn:%(nid)s, or is the same.")
            % {"instead": instead, "nid": namespace.nid},
            _("Name another, or leave it empty."),
        )


def check_rename(
    registration_request: RegistrationRequest, facts: Mapping[str, Any]
) -> Iterator[Finding]:
    """The registrant gets another name, of no other body, and says where it is recorded."""
    name, namespace = str(facts.get("registrant") or "").strip(), registration_request.namespace
    holder = namespace.registrant if namespace else registration_request.organization
    if holder is None or holder.pk != registration_request.organization_id:
        yield make_blocking_finding(
            "facts.holder",
            _("%(organization)s does not hold the namespace.")
            % {"organization": registration_request.organization},
            _("Only the registrant itself gets another name. Withdraw the request."),
        )
    elif namespace is None and (held := holder.namespaces.first()):
        yield make_blocking_finding(
            "facts.holder",
            _("%(organization)s holds urn:%(nid)s.") % {"organization": holder, "nid": held.nid},
            _("Withdraw the request, and ask for the new name from the page of the namespace."),
        )
    elif not name:
        yield make_blocking_finding(
            "facts.registrant", _("No name is given."), _("Enter the new name.")
        )
    elif name == holder.name:
        yield make_unchanged_finding("registrant")
    elif other := find_namesake(name, holder):
        yield make_blocking_finding(
            "facts.registrant",
            _("“%(name)s” can be taken for %(organization)s, another body.")
            % {"name": name, "organization": other},
            _(
                "Choose a name that tells the two apart, or have the registrar record that they "
                "are two. To hand namespaces to %(organization)s, ask for a transfer of each."
            )
            % {"organization": other},
        )
    if not str(facts.get("source") or "").strip():
        yield make_blocking_finding(
            "facts.source",
            _("It does not say where the new name is recorded."),
            _("Name a register, statutes or minutes that others can read."),
        )


def make_blocking_finding(check: str, message: str, mend: str) -> Finding:
    """Return a blocking finding."""
    return Finding(check, Severity.BLOCK, message, FACTS_SOURCE, mend, check.removeprefix("facts."))


def make_unchanged_finding(name: str) -> Finding:
    """Return the finding that nothing would change."""
    return Finding(
        f"facts.same-{name}",
        Severity.BLOCK,
        _("This is what the registry says already."),
        FACTS_SOURCE,
        _("Change it, or withdraw the request."),
        name,
    )


MAX_REMEMBERED_CHECKS: Final = 512
"""How many texts' check results each process remembers."""
MIN_COPIED_LENGTH = 200
MAX_COPIED_SECTIONS = 3


def list_findings(
    registration_request: RegistrationRequest,
    template: Template,
    *,
    facts: Mapping[str, Any] | None = None,
    publishing: bool = False,
) -> tuple[Finding, ...]:
    """Return all findings about `template` as a text of the request.

    For a change of facts they are only about `facts`: the text stays as published.
    """
    found = (
        *list_text_findings(registration_request, template, facts=facts, publishing=publishing),
        *find_newer_facts(registration_request),
    )
    if registration_request.changes_facts:
        return found
    found = (*found, *find_other_registrants(registration_request, template))
    asks_for_a_name = (
        registration_request.namespace_id is None
        and registration_request.path != RequestPath.INFORMAL
    )
    if asks_for_a_name and not any(finding.section == "nid" for finding in found):
        found = (*list_nid_considerations(template["nid"], registration_request), *found)
    return (*found, *find_copied_sections(registration_request, template))


def list_text_findings(
    registration_request: RegistrationRequest,
    template: Template,
    *,
    facts: Mapping[str, Any] | None = None,
    publishing: bool = False,
    context: Context | None = None,
) -> tuple[Finding, ...]:
    """Return what `list_findings` does except similarities to others, which never block.

    `context` is that of `build_check_context`, if the caller already has it.
    """
    if registration_request.changes_facts:
        return list_facts_findings(registration_request, facts or {})
    context = context or build_check_context(registration_request, publishing=publishing)
    return check_text(template, context, get_language())


@lru_cache(maxsize=MAX_REMEMBERED_CHECKS)
def check_text(template: Template, context: Context, language: str | None) -> tuple[Finding, ...]:
    """Return the findings on a text, in the reader's language; each text is checked once.

    A list of requests says of each whether it can be registered now, and the checks take a few
    milliseconds per text.
    """
    return check(template, context)


def find_newer_facts(registration_request: RegistrationRequest) -> Iterator[Finding]:
    """Yield a finding for each fact of the namespace that has changed since the text was begun."""
    namespace = registration_request.namespace
    newest = registration_request.rounds.last() if namespace else None
    if namespace is None or newest is None or registration_request.state not in LIVE_STATES:
        return
    changes = namespace.requests.filter(state=State.REGISTERED, change__in=SMALL_CHANGES)
    for change in changes.filter(state_since__gt=newest.based_at).order_by("state_since"):
        yield Finding(
            "base.newer-fact",
            Severity.WARN,
            _("%(change)s: changed on %(day)s by %(reference)s, after this text was begun.")
            % {
                "change": change.get_change_display(),
                "day": date_format(change.state_since, "j F Y"),
                "reference": change.reference,
            },
            "local rule",
            _("Read what holds now, and change what you wrote if it says otherwise."),
            "registrant",
        )


def find_other_registrants(
    registration_request: RegistrationRequest, template: Template
) -> Iterator[Finding]:
    """Yield a finding for each known body that Registrant names instead of, or beside, its own."""
    namespace, text = registration_request.namespace, template.registrant
    own = {registration_request.organization, namespace.registrant if namespace else None} - {None}
    own_names = "\n".join(name for each in own if each for name in each.names)
    others = Organization.objects.filter(q_is_known()).order_by("name") if text else ()
    for other in others:
        named = [each for each in other.names if names_organization(text, each)]
        # A name that is part of its own says nothing of the other body.
        if other not in own and any(not names_organization(own_names, each) for each in named):
            yield Finding(
                "registrant.other-body",
                Severity.WARN,
                _("Registrant names %(body)s, and the request is in the name of %(organization)s.")
                % {"body": other, "organization": registration_request.organization},
                "RFC 8141, Appendix A",
                _("Name who will hold the namespace, or say what the other body does in it."),
                "registrant",
            )


def find_copied_sections(
    registration_request: RegistrationRequest, template: Template
) -> Iterator[Finding]:
    """Yield a finding for each long section that another namespace has published word for word."""
    long = {
        each.name: template[each.name]
        for each in FIELDS
        if len(template[each.name]) >= MIN_COPIED_LENGTH
    }
    if not long:
        return
    same = reduce(or_, (Q(**{name: text}) for name, text in long.items()))
    others = Registration.objects.filter(same).select_related("namespace")
    for registration in others.exclude(namespace=registration_request.namespace_id)[
        :MAX_COPIED_SECTIONS
    ]:
        published = registration.template
        for name in [name for name in long if published[name] == long[name]]:
            yield Finding(
                "text.pasted",
                Severity.WARN,
                _("%(label)s is word for word the same as that of %(nid)s.")
                % {"label": field(name).label, "nid": registration.namespace.nid},
                "local rule",
                _("Say what applies to your namespace, or refer to the other."),
                name,
            )


def build_check_context(
    registration_request: RegistrationRequest,
    *,
    publishing: bool = False,
    before: VersionInForce | None = None,
    taken: frozenset[str] | None = None,
) -> Context:
    """Return what the checks of a template need to know about its request.

    `before` is what its namespace has published, and `taken` all registered NIDs, if the caller
    already has them.
    """
    namespace = registration_request.namespace
    if before is None:
        before = find_version_in_force(namespace) if namespace else VersionInForce(next_number=1)
    if taken is None:
        taken = registered_nids() if namespace is None else frozenset()
    return Context(
        change=registration_request.change,
        path=registration_request.path,
        version=before.next_number,
        taken=taken,
        today=timezone.now().date(),
        publishing=publishing,
        previous=before.text,
        last_date=before.last_date,
        host=urlsplit(settings.SITE).netloc,
    )


@dataclass(frozen=True, slots=True)
class VersionInForce:
    """What a namespace has published: its text, the version if registered here, and the number of
    the next version if known.
    """

    next_number: int | None = None
    text: Template | None = None
    registration: Registration | None = None

    @property
    def last_date(self) -> datetime.date | None:
        """The date of the version registered here."""
        if self.registration is None:
            return None
        return datetime.date.fromisoformat(self.registration.date)


def find_version_in_force(namespace: Namespace) -> VersionInForce:
    """Return what the next text of `namespace` follows."""
    return map_versions_in_force({namespace.pk: namespace})[namespace.pk]


def map_versions_in_force(namespaces: Mapping[int, Namespace]) -> dict[int, VersionInForce]:
    """Return by key what the next text of each namespace follows."""
    newest = Registration.objects.filter(namespace=OuterRef("namespace")).order_by("-number")
    found = Registration.objects.filter(
        namespace__in=namespaces, pk=Subquery(newest.values("pk")[:1])
    )
    current = {each.namespace_id: each for each in found}
    elsewhere = [each for key, each in namespaces.items() if key not in current]
    texts = map_imported_templates(elsewhere) if elsewhere else {}
    imported: dict[int, list[tuple[str, str]]] = {}
    records = ImportedRecord.objects.filter(namespace__in=namespaces)
    for key, document, number in records.values_list("namespace", "document__name", "version"):
        imported.setdefault(key, []).append((document, number))
    versions = {}
    for key, namespace in namespaces.items():
        version, record = current.get(key), texts.get(namespace.nid)
        sources = namespace.weigh_version_sources(version, imported.get(key, ()))
        text = version.template if version else record.template if record else None
        versions[key] = VersionInForce(find_next_number(sources), text, version)
    return versions
