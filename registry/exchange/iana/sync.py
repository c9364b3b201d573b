"""Reading IANA's list from its one address, storing it, and adopting what may be adopted."""

from __future__ import annotations

import datetime
import hashlib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry import permissions, selectors, workflow
from registry.errors import RegistryError
from registry.exchange.iana.differences import (
    Difference,
    DifferenceKind,
    compare_with_registry,
    count_changes,
)
from registry.exchange.iana.listing import (
    MAX_LISTING_OCTETS,
    IANAEntry,
    IANAListing,
    InvalidListing,
    read_listing,
)
from registry.journal.row_digests import NEW_ROW, build_row_key, digest_row
from registry.models import (
    Counter,
    DocumentSource,
    Event,
    IANASnapshot,
    Namespace,
    Provenance,
    User,
)
from registry.permissions import Person
from registry.safe_http import FetchedResponse, FetchError, FetchLimits, fetch
from registry.urn.nid import informal_number
from registry.workflow.events import record_event
from registry.workflow.perform import reload_person
from registry.workflow.step import ActionRefused, ConcurrentChange

LISTING_NAME: Final = "urn-namespaces.xml"
IANA_NAME: Final = "IANA"
"""The journal's name for what was adopted automatically."""
SYNC_LIMITS: Final = FetchLimits(octets=MAX_LISTING_OCTETS, seconds=60.0, redirects=0)
"""This one address only: redirects are not followed."""
SYNC_INTERVAL: Final = datetime.timedelta(days=1)
SYNC_PATIENCE: Final = datetime.timedelta(hours=1)
"""A task that was started and not finished in this time is given up."""
MAX_PROBLEM_LENGTH: Final = 300


class IANAUnavailable(RegistryError):
    """IANA's list cannot be read now; the message says why. Earlier readings stay."""

    status = HTTPStatus.BAD_GATEWAY


@dataclass(slots=True)
class SyncReport:
    """The outcome of a reading: the differences, and which of them were adopted."""

    snapshot: IANASnapshot
    is_new: bool
    differences: list[Difference]
    entered: list[str] = field(default_factory=list)

    @property
    def waiting(self) -> list[Difference]:
        return [
            each
            for each in self.differences
            if each.waits_for and not each.is_final and each.nid not in self.entered
        ]


def synchronize(
    *, apply: bool, octets: bytes | None = None, read_from: str = "", trust: Any = None
) -> SyncReport:
    """Read the list and compare it; with `apply` adopt what needs nobody's decision.

    `octets` are a copy that was `read_from` somewhere; without them the list is fetched from IANA.
    Raises `IANAUnavailable` or `InvalidListing`, having changed nothing.
    """
    known = IANASnapshot.objects.values_list("pk", flat=True)
    before = set(known)
    snapshot = (
        read_snapshot(trust=trust)
        if octets is None
        else keep_snapshot(octets, read_from or LISTING_NAME)
    )
    report = SyncReport(snapshot, snapshot.pk not in before, list_differences(snapshot))
    if apply:
        for difference in report.differences:
            if not difference.waits_for and difference.may_be_entered:
                enter_difference(snapshot, difference, actor=permissions.CLOCK)
                report.entered.append(difference.nid)
    return report


def read_snapshot(*, trust: ssl.SSLContext | None = None) -> IANASnapshot:
    """Return the list as IANA has it now; an unchanged list is not sent again.

    The response is recorded, even a refusal. Raises `IANAUnavailable` if the server cannot be
    reached or answers unexpectedly, and `InvalidListing` if the content is not the list.
    """
    address = settings.REGISTRY_IANA_LIST
    source = DocumentSource.objects.filter(pk=LISTING_NAME).first()
    newest = find_newest_snapshot()
    headers = {}
    if source and newest and newest.address == address and source.asked_from == address:
        wanted = {"If-None-Match": source.etag, "If-Modified-Since": source.last_modified}
        headers = {name: value for name, value in wanted.items() if value}
    source = source or DocumentSource(name=LISTING_NAME)
    source.asked_from, source.asked_at, source.problem = address, timezone.now(), ""
    try:
        answer = ask_iana(address, headers, trust)
        if answer.status == HTTPStatus.NOT_MODIFIED and newest:
            source.save()
            return newest
        snapshot = keep_snapshot(answer.body, address)
    except (IANAUnavailable, InvalidListing) as error:
        source.problem = str(error)[:MAX_PROBLEM_LENGTH]
        source.save()
        raise
    source.etag = answer.headers.get("etag", "")[:200]
    source.last_modified = answer.headers.get("last-modified", "")[:60]
    source.save()
    return snapshot


def ask_iana(
    address: str, headers: Mapping[str, str], trust: ssl.SSLContext | None
) -> FetchedResponse:
    """Return the response of the list's address; raise `IANAUnavailable` if there is none."""
    try:
        answer = fetch(
            address,
            limits=SYNC_LIMITS,
            accept="application/xml, text/xml;q=0.9",
            headers=headers,
            trust=trust,
        )
    except FetchError as error:
        raise IANAUnavailable(_("IANA's list could not be read: %s") % error) from None
    is_unchanged = answer.status == HTTPStatus.NOT_MODIFIED and bool(headers)
    if answer.status != HTTPStatus.OK and not is_unchanged:
        said = {"url": address, "status": answer.status}
        raise IANAUnavailable(
            _("IANA's list could not be read: %(url)s answered %(status)d.") % said
        )
    return answer


def keep_snapshot(octets: bytes, address: str) -> IANASnapshot:
    """Store a list with its digest and the number of differences; the same octets only once."""
    listing = read_listing(octets)
    sha256 = hashlib.sha256(octets).hexdigest()
    with transaction.atomic():
        known = IANASnapshot.objects.filter(sha256=sha256).first()
        if known:
            return known
        return IANASnapshot.objects.create(
            sha256=sha256,
            address=address,
            content=octets,
            updated_on=listing.updated_on,
            read_at=timezone.now(),
            changes=count_changes(compare_with_registry(listing.entries)),
        )


def find_newest_snapshot() -> IANASnapshot | None:
    """Return the latest reading, or None before the first."""
    return IANASnapshot.objects.order_by("-read_at", "-pk").first()


def read_stored_listing(snapshot: IANASnapshot) -> IANAListing:
    """Return the parsed list of a reading."""
    return read_listing(bytes(snapshot.content))


def list_differences(snapshot: IANASnapshot) -> list[Difference]:
    """Return the differences between a reading and this registry, except dismissed ones.

    Whether there are too many depends on the number when it was read: then all of them wait until
    the registrar has looked.
    """
    listing = read_stored_listing(snapshot)
    aside = find_digests_set_aside()
    return [
        each
        for each in compare_with_registry(listing.entries, count=snapshot.changes)
        if each.digest not in aside
    ]


def find_digests_set_aside() -> set[str]:
    """Return the digests of the differences that the registrar dismissed."""
    lines = Event.objects.filter(verb="set_iana_aside").values_list("data", flat=True)
    return {str(data.get("difference")) for data in lines}


def require_difference(snapshot: IANASnapshot, nid: str, digest: str) -> Difference:
    """Return a difference as it was seen; raise `ConcurrentChange` if it has changed."""
    for each in list_differences(snapshot):
        if each.nid == nid and each.digest == digest:
            return each
    raise ConcurrentChange(
        _("The difference for “%(nid)s” has changed since you saw it. Look again.") % {"nid": nid}
    )


def enter_difference(snapshot: IANASnapshot, difference: Difference, *, actor: Person) -> None:
    """Adopt what IANA says about one namespace: a new NID, dates, references, the template.

    Holder, delegates, contact and status stay as they are. If automatic, it is recorded in IANA's
    name, otherwise in the registrar's; requests for the NID are notified as in *overtake*. Raises
    `ActionRefused` for what can never be adopted, and for anyone but the registrar or the
    scheduler.
    """
    if not difference.may_be_entered or difference.entry is None:
        raise ActionRefused(difference.waits_for or _("There is nothing to take over."))
    if actor is permissions.CLOCK and difference.waits_for:
        raise ActionRefused(difference.waits_for)
    write = ENTER_BY_KIND[difference.kind]
    try:
        with transaction.atomic():
            if actor is not permissions.CLOCK:
                refuse_others_to_enter(actor)
            write(snapshot, difference, difference.entry, actor)
    except IntegrityError:
        said = {"nid": difference.nid}
        raise ConcurrentChange(_("“%(nid)s” has just been registered.") % said) from None


def enter_new_namespace(
    snapshot: IANASnapshot, difference: Difference, entry: IANAEntry, actor: Person
) -> None:
    """Enter a namespace that IANA registered; its holder is unknown here."""
    number = informal_number(entry.spelling)
    rivals = list(selectors.requests_asking_for(entry.nid).order_by("pk"))
    if number:
        Counter.objects.raise_to(Counter.INFORMAL, number)
    namespace = Namespace.objects.create(
        nid=entry.nid,
        nid_as_registered=entry.spelling,
        kind=entry.kind,
        informal_number=number,
        references=list(entry.references),
        registered_on=entry.date,
    )
    Provenance.objects.create(
        namespace=namespace,
        source=name_snapshot(snapshot),
        is_verified=True,
        registered_source="iana-record" if entry.date else "none",
        template_url=entry.template_address,
    )
    tell_journal(namespace, snapshot, difference, actor, NEW_ROW, {})
    for rival in rivals:
        workflow.perform(
            rival,
            "overtake",
            actor=permissions.CLOCK,
            winner=_("the entry in IANA's list"),
        )


def enter_changed_facts(
    snapshot: IANASnapshot, difference: Difference, entry: IANAEntry, actor: Person
) -> None:
    """Update date, references and template of a namespace from IANA."""
    namespace = Namespace.objects.select_for_update(of=("self",), no_key=True).get(nid=entry.nid)
    provenance = Provenance.objects.filter(namespace=namespace).first()
    provenance = provenance or Provenance(namespace=namespace)
    digest = digest_row(namespace)
    fields = {change.field for change in difference.changes}
    before: dict[str, Any] = {}
    if "registered_on" in fields:
        before["registered_on"] = namespace.registered_on
        namespace.registered_on, provenance.registered_source = entry.date, "iana-record"
    if "references" in fields:
        before["references"] = list(namespace.references)
        namespace.references, provenance.is_verified = list(entry.references), True
    if "template_url" in fields:
        before["template_url"] = provenance.template_url
        provenance.template_url = entry.template_address
    namespace.save()
    provenance.source = name_snapshot(snapshot)
    provenance.save()
    tell_journal(namespace, snapshot, difference, actor, digest, before)


ENTER_BY_KIND: Final = {
    DifferenceKind.NEW: enter_new_namespace,
    DifferenceKind.CHANGED: enter_changed_facts,
}


def name_snapshot(snapshot: IANASnapshot) -> str:
    """Return the provenance of facts from a reading."""
    day = snapshot.updated_on or snapshot.read_at.date().isoformat()
    return f"IANA, URN Namespaces registry, update of {day}"


def tell_journal(
    namespace: Namespace,
    snapshot: IANASnapshot,
    difference: Difference,
    actor: Person,
    digest: str,
    before: Mapping[str, Any],
) -> None:
    """Write the event about what was adopted."""
    record_event(
        namespace,
        actor=actor,
        verb="sync_iana",
        in_name_of="" if isinstance(actor, User) else IANA_NAME,
        comment=difference.waits_for,
        data={
            "nid": namespace.nid,
            "source": name_snapshot(snapshot),
            "snapshot": snapshot.sha256,
            "changes": ", ".join(change.field for change in difference.changes),
            "before": dict(before),
        },
        rows={build_row_key(namespace): digest},
    )


def set_difference_aside(
    snapshot: IANASnapshot, difference: Difference, *, actor: User, reason: str
) -> Event:
    """Stop showing a difference while it stays the same; the reason is public."""
    if not reason.strip():
        raise ActionRefused(_("Say why it is set aside; it is public."))
    with transaction.atomic():
        refuse_others_to_enter(actor)
        namespace = Namespace.objects.filter(nid=difference.nid).first()
        return record_event(
            namespace or snapshot,
            actor=actor,
            verb="set_iana_aside",
            comment=reason.strip(),
            data={
                "nid": difference.nid,
                "difference": difference.digest,
                "snapshot": snapshot.sha256,
            },
        )


def refuse_others_to_enter(person: Person) -> None:
    """Raise `ActionRefused` for anyone but the registrar."""
    if not permissions.is_registrar(reload_person(person)):
        raise ActionRefused(_("What IANA says is entered by the registrar."))


# The scheduler starts it once a day, and the worker does it: other people's servers may be slow.


def request_daily_sync(now: datetime.datetime) -> int:
    """Have the worker read the list if that is configured and a day has passed; return 1 then."""
    if not settings.REGISTRY_IANA_SYNC or is_sync_pending(now):
        return 0
    source = DocumentSource.objects.filter(pk=LISTING_NAME).first()
    if source and source.asked_at > now - SYNC_INTERVAL:
        return 0
    synchronize_in_worker.enqueue()
    return 1


def is_sync_pending(now: datetime.datetime) -> bool:
    """Whether the worker already has to read the list."""
    waiting = DBTaskResult.objects.filter(
        task_path=synchronize_in_worker.module_path,
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=now - SYNC_PATIENCE,
    )
    return waiting.exists()


@task(priority=-20)
def synchronize_in_worker() -> str:
    """Read the list, and adopt what needs nobody's decision; record a failure's reason."""
    try:
        report = synchronize(apply=True)
    except (IANAUnavailable, InvalidListing) as error:
        return str(error)
    return ", ".join(report.entered)
