"""Checks whether the links in entries still work: when the registrar asks, and by the scheduler, a
few at a time and each only occasionally.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from registry import permissions
from registry.actions.resolution_services import MAX_PROBE_NOTE, describe_http_status
from registry.background import PERSONAL_TASK_PRIORITY, enqueue_for_person
from registry.enums import ProbeResult
from registry.models import EntryLink, Namespace, User
from registry.safe_http import FetchError, FetchLimits, fetch
from registry.workflow.step import ActionRefused

LINK_LIMITS: Final = FetchLimits(octets=0, seconds=8.0, redirects=5)
MAX_LINKS_OF_ENTRY: Final = 20
"""How many addresses of one entry are checked."""
LINK_INTERVAL: Final = datetime.timedelta(30)
"""How long the scheduler waits before checking an address again."""
LINK_PATIENCE: Final = datetime.timedelta(hours=1)
"""How long before the worker is given the scheduler's task again."""
BACKGROUND_TASK_PRIORITY: Final = -20
ADDRESS_PATTERN: Final = re.compile(r"https?://[^\s<>\"]+")
GONE_STATUSES: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


def list_entry_urls(namespace: Namespace) -> list[str]:
    """Return the distinct addresses in an entry, without RFCs, which the RFC Editor maintains."""
    provenance = getattr(namespace, "provenance", None)
    texts = [
        *map(str, namespace.references),
        namespace.iana_reference,
        namespace.registrant.website if namespace.registrant else "",
        provenance.template_url if provenance else "",
    ]
    found = (url.rstrip(".,;)") for text in texts for url in ADDRESS_PATTERN.findall(text))
    return list(dict.fromkeys(found))[:MAX_LINKS_OF_ENTRY]


def request_link_check(namespace: Namespace, *, actor: User) -> None:
    """Have the worker check the addresses of an entry; the queue shows the results."""
    if not permissions.may_keep_entries(actor):
        raise ActionRefused(_("Only the registrar can change the entries of namespaces."))
    if not list_entry_urls(namespace):
        raise ActionRefused(_("The entry of %(nid)s has no links.") % {"nid": namespace.nid})
    enqueue_for_person(actor, check_links, namespace.pk)


@task(priority=PERSONAL_TASK_PRIORITY)
def check_links(namespace_id: int, *, person_id: int) -> str:
    """Check an entry's addresses for a waiting registrar; return how many answered."""
    person = User.objects.filter(pk=person_id).first()
    namespace = Namespace.objects.filter(pk=namespace_id).first()
    if person is None or namespace is None or not permissions.may_keep_entries(person):
        return "left alone"
    links = check_links_now(namespace)
    answered = sum(each.result == ProbeResult.ANSWERED for each in links)
    return f"{answered} of {len(links)} answered"


def check_links_now(namespace: Namespace) -> list[EntryLink]:
    """Check each address of the entry and record the results; delete those of removed addresses."""
    outcomes = {url: fetch_link_result(url) for url in list_entry_urls(namespace)}
    with transaction.atomic():
        namespace.links.exclude(url__in=outcomes).delete()
        return [
            EntryLink.objects.update_or_create(
                namespace=namespace,
                url=url,
                defaults={"result": result, "note": note, "checked_at": timezone.now()},
            )[0]
            for url, (result, note) in outcomes.items()
        ]


# Scheduled checks.


def request_due_link_checks(now: datetime.datetime) -> int:
    """Have the worker check a few addresses that are due; return how many.

    At most one per host, up to the number in the settings, and none while the last batch is
    pending. Addresses no longer in any entry are deleted.
    """
    if not settings.REGISTRY_LINKS_PER_TICK or is_link_check_pending(now):
        return 0
    entries = map_entry_urls()
    forget_removed_links(entries)
    due = choose_due_urls(entries, now)
    if due:
        check_due_links.enqueue(due)
    return len(due)


def is_link_check_pending(now: datetime.datetime) -> bool:
    """Whether the worker already has a scheduled check to do."""
    waiting = DBTaskResult.objects.filter(
        task_path=check_due_links.module_path,
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=now - LINK_PATIENCE,
    )
    return waiting.exists()


def map_entry_urls() -> dict[int, list[str]]:
    """Return the addresses in each entry, by the key of its namespace."""
    return {each.pk: list_entry_urls(each) for each in Namespace.objects.for_lists()}


def forget_removed_links(entries: Mapping[int, Sequence[str]]) -> None:
    """Delete the results of addresses that are no longer in any entry."""
    gone = [
        key
        for key, namespace, url in EntryLink.objects.values_list("pk", "namespace", "url")
        if url not in entries.get(namespace, ())
    ]
    EntryLink.objects.filter(pk__in=gone).delete()


def choose_due_urls(entries: Mapping[int, Sequence[str]], now: datetime.datetime) -> list[str]:
    """Return the addresses to check next: never checked, else checked longest ago.

    An address in several entries is checked once for all of them.
    """
    asked: dict[str, datetime.datetime] = {}
    for url, at in EntryLink.objects.order_by("checked_at").values_list("url", "checked_at"):
        asked[url] = at
    never = datetime.datetime.min.replace(tzinfo=datetime.UTC)
    found = {url for urls in entries.values() for url in urls}
    due = [url for url in found if asked.get(url, never) <= now - LINK_INTERVAL]
    by_host: dict[str, str] = {}
    for url in sorted(due, key=lambda url: (asked.get(url, never), url)):
        by_host.setdefault(find_host(url), url)
    return list(by_host.values())[: settings.REGISTRY_LINKS_PER_TICK]


def find_host(url: str) -> str:
    """Return the host of an address, empty if there is none or it cannot be parsed."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


@task(priority=BACKGROUND_TASK_PRIORITY)
def check_due_links(urls: list[str]) -> str:
    """Check addresses for the scheduler, one after the other, and record the results."""
    outcomes = {url: fetch_link_result(url) for url in urls}
    now = timezone.now()
    with transaction.atomic():
        for namespace, listed in map_entry_urls().items():
            for url in [each for each in listed if each in outcomes]:
                result, note = outcomes[url]
                EntryLink.objects.update_or_create(
                    namespace_id=namespace,
                    url=url,
                    defaults={"result": result, "note": note, "checked_at": now},
                )
    answered = sum(result == ProbeResult.ANSWERED for result, _note in outcomes.values())
    return f"{answered} of {len(outcomes)} answered"


def fetch_link_result(url: str) -> tuple[ProbeResult, str]:
    """Fetch `url`; return the outcome, and what the server said.

    A page that requires a password exists; one that is not found or gone does not.
    """
    try:
        status = fetch(url, limits=LINK_LIMITS, method="HEAD").status
        if status >= HTTPStatus.BAD_REQUEST:
            status = fetch(url, limits=LINK_LIMITS, method="GET", reads=False).status
    except FetchError as error:
        return ProbeResult.SILENT, str(error)[:MAX_PROBE_NOTE]
    is_dead = status in GONE_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return ProbeResult.SILENT if is_dead else ProbeResult.ANSWERED, describe_http_status(status)
