"""Whether the addresses that an entry leads to still answer, asked when the registrar wants it."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

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
