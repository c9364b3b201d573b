"""Saying where names of a namespace resolve: added, changed and taken away, each in the journal."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.choices import Probe
from registry.models import Event, Namespace, ResolutionService, User
from registry.resolution.choosing import ALIASES
from registry.resolution.template import Template, TemplateError, read, read_alias
from registry.workflow import Refused, Superseded
from registry.workflow.recording import record

SAID: Final = (
    "service",
    "prefix",
    "template",
    "media_type",
    "language",
    "priority",
    "operator",
    "source",
)
"""What is said of a service, in the words of its columns."""


def add(namespace: Namespace, *, actor: User, **said: Any) -> ResolutionService:
    """Add a service and return it; what was added already with the same words, once."""
    refuse_others(actor, namespace)
    refuse_faults(said)
    with transaction.atomic():
        hold(namespace)
        if twin := twin_of(namespace, said):
            if told(twin) == words(said):
                return twin
            raise Refused(already())
        service = ResolutionService.objects.create(namespace=namespace, **columns(said))
        record(namespace, actor=actor, verb="add_service", data=about(service))
    return service


def change(service: ResolutionService, /, *, actor: User, seen: str, **said: Any) -> None:
    """Write what a service shall be, in place of what `seen` names; done twice, once.

    Another address was never asked anything, whatever the one before it answered.
    """
    refuse_others(actor, service.namespace)
    refuse_faults(said)
    with transaction.atomic():
        hold(service.namespace)
        found = in_use(service)
        before = told(found)
        if before == words(said):
            return
        if edition(found) != seen:
            raise Superseded(_("Somebody changed this service meanwhile. Read it again."))
        twin = twin_of(found.namespace, said)
        if twin is not None and twin != found:
            raise Refused(already())
        if found.template != said["template"]:
            found.probe, found.probed_at, found.probe_note = Probe.NOT_CHECKED, None, ""
        for name, value in columns(said).items():
            setattr(found, name, value)
        found.save()
        data = about(found) | {"before": before}
        record(found.namespace, actor=actor, verb="change_service", data=data)


def withdraw(service: ResolutionService, *, actor: User, reason: str) -> Event | None:
    """Take a service away; the journal keeps what it was. None where it was away already."""
    refuse_others(actor, service.namespace)
    with transaction.atomic():
        hold(service.namespace)
        found = ResolutionService.objects.get(pk=service.pk)
        if found.withdrawn_at:
            return None
        found.withdrawn_at = timezone.now()
        found.save(update_fields=["withdrawn_at", "updated_at"])
        return record(
            found.namespace,
            actor=actor,
            verb="withdraw_service",
            comment=reason.strip(),
            data=about(found),
        )


def fault_in(service: str, template: str, prefix: str) -> TemplateError | None:
    """Return what is wrong with a template for a kind of service, none where nothing is."""
    try:
        parsed = parsed_for(service, template)
    except TemplateError as error:
        return error
    if not prefix and not parsed.names - {"nid", "r", "q", "f", "c"}:
        return TemplateError(
            _("All names would lead to one address. Write the name into it, as {+nss} or {nss}."),
            len(template),
        )
    return None


def parsed_for(service: str, template: str) -> Template:
    """Return the template of a kind of service; raise `TemplateError` where it is none."""
    return read_alias(template) if service in ALIASES else read(template)


def hold(namespace: Namespace) -> None:
    """Have the namespace's row until the transaction ends: the second of two finds the first."""
    Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)


def in_use(service: ResolutionService) -> ResolutionService:
    """Return the service as it is now; raise `Superseded` where it was taken away."""
    found = ResolutionService.objects.in_use().filter(pk=service.pk).first()
    if found is None:
        raise Superseded(_("Somebody has taken this service away."))
    return found


def twin_of(namespace: Namespace, said: dict[str, Any]) -> ResolutionService | None:
    """Return the service in use that leads the same names to the same address."""
    same = {name: columns(said)[name] for name in ("service_id", "prefix", "template")}
    return ResolutionService.objects.in_use().filter(namespace=namespace, **same).first()


def already() -> str:
    """Say that there is such a service."""
    return _("These names are led to this address already. Change that service instead.")


def columns(said: dict[str, Any]) -> dict[str, Any]:
    """Return what is said, by the columns of the table."""
    return {"service_id" if name == "service" else name: said[name] for name in SAID}


def words(said: dict[str, Any]) -> dict[str, Any]:
    """Return what is said, by its own names and in their order."""
    return {name: said[name] for name in SAID}


def told(service: ResolutionService) -> dict[str, Any]:
    """Return what a service says of itself, by the same names."""
    return {
        name: service.service_id if name == "service" else getattr(service, name) for name in SAID
    }


def about(service: ResolutionService) -> dict[str, Any]:
    """Return what it is, for the journal."""
    return {"key": service.pk, "nid": service.namespace.nid, **told(service)}


def edition(service: ResolutionService) -> str:
    """Return a mark of what the service says, by which a stale page is known."""
    return hashlib.sha256(json.dumps(told(service)).encode()).hexdigest()


def refuse_others(person: User, namespace: Namespace) -> None:
    """Raise `Refused` where `person` does not keep the services of `namespace`."""
    if not rules.may_keep_services(person, namespace):
        raise Refused(
            _("Services are kept by the registrar, and by delegates of the registrant of %(nid)s.")
            % {"nid": namespace.nid}
        )


def refuse_faults(said: dict[str, Any]) -> None:
    """Raise `Refused` where the template leads nowhere, or could mislead."""
    if fault := fault_in(said["service"], said["template"], said["prefix"]):
        raise Refused(str(fault))
