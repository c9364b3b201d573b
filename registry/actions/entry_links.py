"""Whether the addresses that an entry leads to still answer: asked when the registrar wants it, and
by the clock, a few at a time and each once in a while."""

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
"""So many addresses of one entry are asked."""
LINK_INTERVAL: Final = datetime.timedelta(30)
"""So far apart does the clock have one address asked."""
LINK_PATIENCE: Final = datetime.timedelta(hours=1)
"""What the worker was given for the clock is not given again for so long."""
BACKGROUND_TASK_PRIORITY: Final = -20
ADDRESS_PATTERN: Final = re.compile(r"https?://[^\s<>\"]+")
GONE_STATUSES: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


def list_entry_urls(namespace: Namespace) -> list[str]:
    """Return the addresses in an entry, each once; those of RFCs are the RFC Editor's to keep."""
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
    """Have the worker ask the addresses of an entry; the queue shows what they said."""
    if not permissions.may_keep_entries(actor):
        raise ActionRefused(_("Only the registrar can change the entries of namespaces."))
    if not list_entry_urls(namespace):
        raise ActionRefused(_("The entry of %(nid)s has no links.") % {"nid": namespace.nid})
    enqueue_for_person(actor, check_links, namespace.pk)


@task(priority=PERSONAL_TASK_PRIORITY)
def check_links(namespace_id: int, *, person_id: int) -> str:
    """Ask the addresses of an entry for a registrar who waits for it; return how many answered."""
    person = User.objects.filter(pk=person_id).first()
    namespace = Namespace.objects.filter(pk=namespace_id).first()
    if person is None or namespace is None or not permissions.may_keep_entries(person):
        return "left alone"
    links = check_links_now(namespace)
    answered = sum(each.result == ProbeResult.ANSWERED for each in links)
    return f"{answered} of {len(links)} answered"


def check_links_now(namespace: Namespace) -> list[EntryLink]:
    """Ask each address of the entry, and write down what it said; forget those it has no more."""
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


# What the clock has asked.


def request_due_link_checks(now: datetime.datetime) -> int:
    """Have the worker ask a few addresses that are due; return how many.

    One of a host, and no more than a setting says, none before the last ones were asked. Addresses
    that are in no entry any more are forgotten.
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
    """Whether the worker is to ask addresses for the clock already."""
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
    """Forget what was said by addresses that are in no entry any more."""
    gone = [
        key
        for key, namespace, url in EntryLink.objects.values_list("pk", "namespace", "url")
        if url not in entries.get(namespace, ())
    ]
    EntryLink.objects.filter(pk__in=gone).delete()


def choose_due_urls(entries: Mapping[int, Sequence[str]], now: datetime.datetime) -> list[str]:
    """Return the addresses that are asked next: never asked before, else the longest ago.

    What stands in several entries is asked once for all of them.
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
    """Return the host of an address, empty where it has none that can be read."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


@task(priority=BACKGROUND_TASK_PRIORITY)
def check_due_links(urls: list[str]) -> str:
    """Ask addresses for the clock, one after the other, and write down what each said."""
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
    """Return what became of asking for `url`, and what was said.

    A page that wants a password is there; one that is not found or gone is not.
    """
    try:
        status = fetch(url, limits=LINK_LIMITS, method="HEAD").status
        if status >= HTTPStatus.BAD_REQUEST:
            status = fetch(url, limits=LINK_LIMITS, method="GET", reads=False).status
    except FetchError as error:
        return ProbeResult.SILENT, str(error)[:MAX_PROBE_NOTE]
    is_dead = status in GONE_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return ProbeResult.SILENT if is_dead else ProbeResult.ANSWERED, describe_http_status(status)
