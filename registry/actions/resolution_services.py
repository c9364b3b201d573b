"""Resolution services of a namespace, kept and probed, and the two vocabularies about them."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext
from django_tasks import task

from registry import permissions, selectors
from registry.actions.enquiries import ask_enquiry
from registry.background import PERSONAL_TASK_PRIORITY, enqueue_for_person, find_pending_subjects
from registry.enums import DesignatorStatus, ProbeResult
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_row
from registry.models import (
    Enquiry,
    Event,
    Namespace,
    QueryKeyword,
    ResolutionService,
    ServiceDesignator,
    User,
)
from registry.models.dates import count_days, load_dates
from registry.resolution.resolver import ALIAS_SERVICES, iterate_example_names, try_service
from registry.resolution.uri_templates import (
    UriTemplate,
    UriTemplateError,
    parse_alias_template,
    parse_uri_template,
)
from registry.safe_http import FetchError, FetchLimits, fetch
from registry.workflow import ActionRefused, ConcurrentChange
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person

SERVICE_FIELDS: Final = (
    "service",
    "prefix",
    "assigner",
    "template",
    "media_type",
    "language",
    "priority",
    "operator",
    "source",
)
"""The fields of a service, as its columns are named."""


def add_service(namespace: Namespace, *, actor: User, **said: Any) -> ResolutionService:
    """Add a service and return it; the same one twice counts once."""
    refuse_template_faults(said)
    with transaction.atomic():
        lock_namespace_services(namespace)
        refuse_other_managers(actor, namespace)
        if twin := find_twin_service(namespace, said):
            if read_service_fields(twin) == order_service_fields(said):
                return twin
            raise ActionRefused(describe_twin_service(), code="twin_service")
        service = ResolutionService.objects.create(
            namespace=namespace, **build_service_columns(said)
        )
        record_event(
            namespace,
            actor=actor,
            verb="add_service",
            data=build_service_data(service),
            rows={build_row_key(service): NEW_ROW},
        )
    return service


def change_service(service: ResolutionService, /, *, actor: User, seen: str, **said: Any) -> None:
    """Change a service, replacing what `seen` identifies; doing it twice counts once.

    Another address takes effect after the waiting period: see `move_due_services`.
    """
    refuse_template_faults(said)
    with transaction.atomic():
        lock_namespace_services(service.namespace)
        refuse_other_managers(actor, service.namespace)
        found = lock_service(service)
        before = read_service_fields(found)
        if before | {"template": found.next_template or found.template} == order_service_fields(
            said
        ):
            return
        if mark_service_edition(found) != seen:
            raise ConcurrentChange(
                _("Somebody has changed this service since you opened the page. Read it again."),
                code="superseded",
            )
        twin = find_twin_service(found.namespace, said)
        if twin is not None and twin != found:
            raise ActionRefused(describe_twin_service(), code="twin_service")
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        is_moving = found.template != said["template"]
        found.next_template = said["template"] if is_moving else ""
        found.next_since = timezone.now() if is_moving else None
        for name, value in build_service_columns(said | {"template": found.template}).items():
            setattr(found, name, value)
        found.save()
        data = build_service_data(found) | {"before": before}
        if is_moving:
            data["next_template"] = found.next_template
        record_event(found.namespace, actor=actor, verb="change_service", data=data, rows=rows)


def move_due_services(now: datetime.datetime) -> int:
    """Let the new addresses of services take effect whose waiting period is over.

    A new address has never been probed, whatever the old one answered.
    """
    days, moved = load_dates().waiting_days, 0
    for service in ResolutionService.objects.in_use().filter(next_since__isnull=False):
        with transaction.atomic():
            lock_namespace_services(service.namespace)
            found = ResolutionService.objects.in_use().filter(pk=service.pk).first()
            since = found.next_since if found else None
            if found is None or since is None or count_days(since, now) < days:
                continue
            rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
            found.template, found.next_template, found.next_since = found.next_template, "", None
            found.probe, found.probed_at, found.probe_note = ProbeResult.NOT_CHECKED, None, ""
            found.save()
            data = build_service_data(found)
            record_event(
                found.namespace, actor=permissions.CLOCK, verb="move_service", data=data, rows=rows
            )
            moved += 1
    return moved


def withdraw_service(service: ResolutionService, *, actor: User, reason: str) -> Event | None:
    """Withdraw a service, which the journal keeps; return None if it was withdrawn already."""
    with transaction.atomic():
        lock_namespace_services(service.namespace)
        refuse_other_managers(actor, service.namespace)
        found = ResolutionService.objects.get(pk=service.pk)
        if found.withdrawn_at:
            return None
        rows: dict[str, str | None] = {build_row_key(found): digest_row(found)}
        found.withdrawn_at = timezone.now()
        found.save(update_fields=["withdrawn_at", "updated_at"])
        return record_event(
            found.namespace,
            actor=actor,
            verb="withdraw_service",
            comment=reason.strip(),
            data=build_service_data(found),
            rows=rows,
        )


def find_template_fault(service: str, template: str, prefix: str) -> UriTemplateError | None:
    """Return what is wrong with a template for a kind of service, or None."""
    try:
        parsed = parse_service_template(service, template)
    except UriTemplateError as error:
        return error
    if not prefix and not parsed.names - {"nid", "r", "q", "f", "c"}:
        return UriTemplateError(
            _("All names would lead to one address. Write the name into it, as {+nss} or {nss}."),
            len(template),
        )
    return None


def parse_service_template(service: str, template: str) -> UriTemplate:
    """Return the parsed template of a kind of service; raise `UriTemplateError` if invalid."""
    return (
        parse_alias_template(template)
        if service in ALIAS_SERVICES
        else parse_uri_template(template)
    )


def lock_namespace_services(namespace: Namespace) -> None:
    """Lock the namespace's row until the transaction ends: a second click finds the first."""
    Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)


def lock_service(service: ResolutionService) -> ResolutionService:
    """Return the service as it is now; raise `ConcurrentChange` if it was withdrawn."""
    found = ResolutionService.objects.in_use().filter(pk=service.pk).first()
    if found is None:
        raise ConcurrentChange(_("Somebody has removed this service."))
    return found


def find_twin_service(namespace: Namespace, said: dict[str, Any]) -> ResolutionService | None:
    """Return the service in use that leads the same names to the same address."""
    same = {
        name: build_service_columns(said)[name] for name in ("service_id", "prefix", "template")
    }
    return ResolutionService.objects.in_use().filter(namespace=namespace, **same).first()


def describe_twin_service() -> str:
    """Say that there is such a service."""
    return _("These names already lead to this address. Change that service instead.")


def build_service_columns(said: dict[str, Any]) -> dict[str, Any]:
    """Return the fields by the columns of the table."""
    return {
        "service_id" if name == "service" else name: value
        for name, value in order_service_fields(said).items()
    }


def order_service_fields(said: dict[str, Any]) -> dict[str, Any]:
    """Return the fields by their own names and in their order; most have no assigner."""
    return {name: said[name] for name in SERVICE_FIELDS if name != "assigner"} | {
        "assigner": said.get("assigner", "")
    }


def read_service_fields(service: ResolutionService) -> dict[str, Any]:
    """Return a service's current fields, by the same names."""
    return {
        name: service.service_id if name == "service" else getattr(service, name)
        for name in SERVICE_FIELDS
    }


def build_service_data(service: ResolutionService) -> dict[str, Any]:
    """Return the service as a journal event records it."""
    return {"key": service.pk, "nid": service.namespace.nid, **read_service_fields(service)}


def mark_service_edition(service: ResolutionService) -> str:
    """Return a mark of the service's content, by which an outdated page is recognised."""
    return hashlib.sha256(json.dumps(read_service_fields(service)).encode()).hexdigest()


def refuse_other_managers(person: User, namespace: Namespace) -> None:
    """Raise `ActionRefused` if `person` does not keep the services of `namespace`."""
    if not permissions.may_manage_services(reload_person(person), namespace):
        raise ActionRefused(
            _("Only the registrar and delegates of the registrant of %(nid)s can change services.")
            % {"nid": namespace.nid},
            code="not_allowed",
        )


def refuse_template_faults(said: dict[str, Any]) -> None:
    """Raise `ActionRefused` if the template leads nowhere, or could mislead."""
    if fault := find_template_fault(said["service"], said["template"], said["prefix"]):
        raise ActionRefused(str(fault))


PROBE_LIMITS: Final = FetchLimits(octets=0, seconds=8.0, redirects=3)
MAX_PROBE_NOTE: Final = 300


def request_probe(person: User, service: ResolutionService) -> None:
    """Have the worker probe a service for `person`; not again within minutes.

    The result is in the row, once `probed_at` is set.
    """
    if not permissions.has_confirmed_address(person):
        raise ActionRefused(
            _("Confirm your email address first: then you can check services."),
            code="address_unconfirmed",
        )
    with transaction.atomic():
        # The row stays locked until the transaction ends: a second click finds the first's task.
        held = ResolutionService.objects.select_for_update(no_key=True).get(pk=service.pk)
        if not is_probe_due(held):
            raise ActionRefused(
                ngettext(
                    "It was checked less than %(minutes)d minute ago. The result is shown here.",
                    "It was checked less than %(minutes)d minutes ago. The result is shown here.",
                    settings.REGISTRY_PROBE_MINUTES,
                )
                % {"minutes": settings.REGISTRY_PROBE_MINUTES},
                code="checked_recently",
            )
        if held.pk in find_pending_probes():
            raise ActionRefused(
                _("It is being checked now. The result will appear here."), code="check_pending"
            )
        enqueue_for_person(person, probe_service, held.pk)


@task(priority=PERSONAL_TASK_PRIORITY)
def probe_service(service_id: int, *, person_id: int) -> str:
    """Probe a service for a waiting person; return the result."""
    found = ResolutionService.objects.in_use().select_related("namespace")
    service = found.filter(pk=service_id).first()
    if service is None or not User.objects.filter(pk=person_id, is_active=True).exists():
        return "left alone"
    return str(probe_now(service).probe)


def find_pending_probes() -> set[int]:
    """Return the keys of the services with a pending probe."""
    return find_pending_subjects(probe_service)


def is_probe_due(service: ResolutionService) -> bool:
    """Whether it may be probed again."""
    return service.probed_at is None or service.probed_at < timezone.now() - find_probe_pause()


def find_probe_pause() -> datetime.timedelta:
    """Return how long people must wait between two probes of a service."""
    return datetime.timedelta(minutes=settings.REGISTRY_PROBE_MINUTES)


def probe_now(service: ResolutionService) -> ResolutionService:
    """Probe a service, and record whether it answered; pages show it at once."""
    outcome, note = fetch_probe_result(find_probe_address(service))
    service.probe, service.probe_note, service.probed_at = outcome, note, timezone.now()
    service.save(update_fields=["probe", "probe_note", "probed_at"])
    selectors.raise_registry_version()
    return service


def fetch_probe_result(address: str) -> tuple[ProbeResult, str]:
    """Fetch `address`; return the outcome, and what the server said.

    HEAD requests no more than is needed; a server that does not support it gets a GET. Not knowing
    the name is an answer too.
    """
    try:
        status = fetch(address, limits=PROBE_LIMITS, method="HEAD").status
        if status >= HTTPStatus.BAD_REQUEST:
            status = fetch(address, limits=PROBE_LIMITS, method="GET", reads=False).status
    except FetchError as error:
        return ProbeResult.SILENT, str(error)[:MAX_PROBE_NOTE]
    answered = status < HTTPStatus.INTERNAL_SERVER_ERROR
    return ProbeResult.ANSWERED if answered else ProbeResult.SILENT, describe_http_status(status)


def describe_http_status(status: int) -> str:
    """Return a status code with its reason phrase, if known."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def find_probe_address(service: ResolutionService) -> str:
    """Return the address to probe: that of an example, else what all addresses begin with."""
    namespace = service.namespace
    for name in iterate_example_names(namespace.nid, namespace.current):
        if address := try_service(service, name):
            return address
    return parse_uri_template(service.template).literal_beginning


Entry = QueryKeyword | ServiceDesignator
Faults = dict[str, str]
"""What is wrong, by field."""

KEYWORD_PATTERN: Final = re.compile(r"[A-Za-z](?:-?[A-Za-z0-9])*")
DESIGNATOR_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9=-]*")
RFC_PATTERN: Final = re.compile(r"\bRFC[ -]?[1-9][0-9]{0,4}\b")
RFC_STATUSES: Final = frozenset({DesignatorStatus.STANDARD, DesignatorStatus.EXPERIMENTAL})


def find_keyword_faults(key: str, said: Mapping[str, Any]) -> Faults:
    """Return what the draft does not allow of a keyword (section 2.3, `keywd`; 9.2.1)."""
    faults: Faults = {}
    if not KEYWORD_PATTERN.fullmatch(key):
        faults["keyword"] = _(
            "“%(keyword)s” is not a keyword: a letter, then letters, digits and single hyphens "
            "(draft -03, section 2.3)."
        ) % {"keyword": key}
    named = [nid for nid, _reference in said["supported_by"]]
    unknown = sorted(set(named) - selectors.map_namespaces_by_nid(named).keys())
    if unknown:
        faults["supported_by"] = _("Not registered: %(nids)s.") % {"nids": ", ".join(unknown)}
    elif len(named) > len(set(named)):
        faults["supported_by"] = _("A NID is listed more than once.")
    return faults


def find_designator_faults(key: str, said: Mapping[str, Any]) -> Faults:
    """Return what the draft does not allow of a service designator (section 9.2.2)."""
    faults: Faults = {}
    if not DESIGNATOR_PATTERN.fullmatch(key):
        faults["name"] = _(
            "“%(name)s” is not a name: letters, digits, hyphens and equals signs."
        ) % {"name": key}
    if said["status"] in RFC_STATUSES and not RFC_PATTERN.search(said["reference"]):
        faults["reference"] = _(
            "With this status an RFC is required (draft -03, section 9.2.2). Name it, or choose"
            " another status."
        )
    return faults


@dataclass(frozen=True, slots=True)
class ServiceVocabulary:
    """One of the vocabularies: its table, its key, its fields, and its validation.

    Adding to the fields in `by_others` does not change what a word means (section 9.2.1).
    """

    model: type[QueryKeyword] | type[ServiceDesignator]
    key: str
    columns: tuple[str, ...]
    word: str
    faults: Callable[[str, Mapping[str, Any]], Faults]
    by_others: frozenset[str] = frozenset()


KEYWORD_VOCABULARY: Final = ServiceVocabulary(
    QueryKeyword,
    "keyword",
    ("purpose", "scope", "reference", "supported_by"),
    "keyword",
    find_keyword_faults,
    frozenset({"supported_by"}),
)
DESIGNATOR_VOCABULARY: Final = ServiceVocabulary(
    ServiceDesignator,
    "name",
    ("purpose", "status", "reference"),
    "designator",
    find_designator_faults,
)


def add_entry(vocabulary: ServiceVocabulary, *, actor: User, key: str, **said: Any) -> Entry:
    """Enter a new word and return it; a second click counts once."""
    refuse_entry_faults(vocabulary, key, said)
    with transaction.atomic():
        refuse_other_editors(actor)
        first = said | (
            {"position": find_next_position()} if vocabulary is DESIGNATOR_VOCABULARY else {}
        )
        rows: Any = vocabulary.model._default_manager
        entry, is_new = rows.get_or_create(pk=key, defaults=first)
        if is_new:
            record_entry(
                vocabulary, entry, actor, f"add_{vocabulary.word}", said["reference"], NEW_ROW
            )
        elif read_entry(vocabulary, entry) != said:
            raise ActionRefused(
                _("“%(word)s” is already entered. Change that entry.") % {"word": key},
                code="already_entered",
            )
    found: Entry = entry
    return found


def change_entry(
    vocabulary: ServiceVocabulary, entry: Entry, *, actor: User, seen: str, ground: str, **said: Any
) -> None:
    """Change an entry, replacing what `seen` identifies; doing it twice counts once.

    `ground` is the document that the change is based on.
    """
    with transaction.atomic():
        found = lock_entry(vocabulary, str(entry))
        refuse_other_editors(actor)
        before = read_entry(vocabulary, found)
        after = before | said
        refuse_entry_faults(vocabulary, str(entry), after)
        if before == after:
            return
        if mark_entry_edition(vocabulary, found) != seen:
            raise ConcurrentChange(
                _("Somebody has changed this entry since you opened the page. Read it again."),
                code="superseded",
            )
        if not ground.strip():
            raise ActionRefused(
                _("Name the document that the change is based on."), code="no_reference"
            )
        digest = digest_row(found)
        for name, value in said.items():
            setattr(found, name, value)
        found.save()
        changed = {name for name in after if after[name] != before[name]}
        more = {"before": before, "substantive": not changed <= vocabulary.by_others}
        verb = f"change_{vocabulary.word}"
        record_entry(vocabulary, found, actor, verb, ground.strip(), digest, **more)


def ask_keyword_support(
    namespace: Namespace, *, actor: User, keyword: QueryKeyword, reference: str, demonstration: str
) -> Enquiry:
    """Ask in public that `namespace` be listed under *Supported by* of `keyword`.

    Draft -03, section 9.2.1, lets IANA list it once its maintainers "demonstrate to IANA the
    usability of query directives", with the experts' advice: so it is an enquiry, which they and
    the registrar answer, and the registrar changes the entry.
    """
    refuse_other_managers(actor, namespace)
    if namespace.nid in dict(keyword.supported_by):
        raise ActionRefused(
            _("%(nid)s is already listed under “%(keyword)s”.")
            % {"nid": namespace.nid, "keyword": keyword},
            code="already_listed",
        )
    # The second paragraph is the line that the registrar adds.
    question = _(
        "Please add to “Supported by” of the query keyword “%(keyword)s”:\n\n"
        "%(nid)s %(reference)s\n\n"
        "How it can be tried: %(demonstration)s"
    ) % {
        "keyword": keyword,
        "nid": namespace.nid,
        "reference": reference,
        "demonstration": demonstration,
    }
    return ask_enquiry(question, actor=actor, is_public=True)


def find_next_position() -> int:
    """Return the position after the last service designator."""
    last = ServiceDesignator.objects.aggregate(last=models.Max("position"))["last"]
    return (last or 0) + 1


def lock_entry(vocabulary: ServiceVocabulary, key: str) -> Entry:
    """Return the entry of that name, locked until the transaction ends."""
    rows: Any = vocabulary.model._default_manager.select_for_update(no_key=True)
    found: Entry = rows.get(pk=key)
    return found


def read_entry(vocabulary: ServiceVocabulary, entry: Entry) -> dict[str, Any]:
    """Return the fields of an entry."""
    return {name: getattr(entry, name) for name in vocabulary.columns}


def record_entry(
    vocabulary: ServiceVocabulary,
    entry: Entry,
    actor: User,
    verb: str,
    ground: str,
    digest: str,
    **more: Any,
) -> None:
    """Write the event, with what the action is based on; `digest` is the entry's earlier one."""
    data = {vocabulary.key: str(entry), **read_entry(vocabulary, entry), "ground": ground, **more}
    rows = {build_row_key(entry): digest}
    record_event(entry, actor=actor, verb=verb, comment=ground, data=data, rows=rows)


def mark_entry_edition(vocabulary: ServiceVocabulary, entry: Entry) -> str:
    """Return a mark of the entry's content, by which an outdated page is recognised."""
    return hashlib.sha256(json.dumps(read_entry(vocabulary, entry)).encode()).hexdigest()


def refuse_other_editors(person: User) -> None:
    """Raise `ActionRefused` if `person` does not keep these vocabularies."""
    if not permissions.may_manage_vocabularies(reload_person(person)):
        raise ActionRefused(
            _("Only the registrar can change these registries."), code="not_registrar"
        )


def refuse_entry_faults(vocabulary: ServiceVocabulary, key: str, said: Mapping[str, Any]) -> None:
    """Raise `ActionRefused` with the first thing that the draft does not allow."""
    if faults := vocabulary.faults(key, said):
        raise ActionRefused(next(iter(faults.values())))
