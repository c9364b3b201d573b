"""Asking a service whether it answers: seldom, within limits, and never in a private network."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import queries, rules
from registry.choices import Probe
from registry.fetching import FetchError, Limits, fetch
from registry.models import ResolutionService, User
from registry.resolution.template import read
from registry.resolution.trying import examples, tried
from registry.workflow import Refused

LIMITS: Final = Limits(octets=0, seconds=8.0, redirects=3)
LONGEST: Final = 300


def probe_for(person: User, service: ResolutionService) -> ResolutionService:
    """Have a service asked because `person` wants to know; not again within some minutes."""
    if not rules.has_confirmed_address(person):
        raise Refused(_("Confirm your mail address first: then you may have services asked."))
    now = timezone.now()
    due = Q(probed_at__isnull=True) | Q(probed_at__lt=now - pause())
    # Whoever writes the time first asks; a second click finds it written.
    if not ResolutionService.objects.filter(due, pk=service.pk).update(probed_at=now):
        raise Refused(
            _("It was asked less than %(minutes)d minutes ago. What it said stands here.")
            % {"minutes": settings.REGISTRY_PROBE_MINUTES}
        )
    return probe(service)


def is_due(service: ResolutionService) -> bool:
    """Whether it may be asked again already."""
    return service.probed_at is None or service.probed_at < timezone.now() - pause()


def pause() -> datetime.timedelta:
    """Return how long a service is left alone between two questions of people."""
    return datetime.timedelta(minutes=settings.REGISTRY_PROBE_MINUTES)


def probe(service: ResolutionService) -> ResolutionService:
    """Ask a service, and write down whether it answered; pages show it at once."""
    outcome, note = asked(address_of(service))
    service.probe, service.probe_note, service.probed_at = outcome, note, timezone.now()
    service.save(update_fields=["probe", "probe_note", "probed_at"])
    queries.shown_anew()
    return service


def asked(address: str) -> tuple[Probe, str]:
    """Return what became of asking for `address`, and what was said.

    HEAD asks for no more than is needed; a server that does not know it is asked by GET. That a
    name is not known there is an answer too.
    """
    try:
        status = fetch(address, limits=LIMITS, method="HEAD").status
        if status >= HTTPStatus.BAD_REQUEST:
            status = fetch(address, limits=LIMITS, method="GET", reads=False).status
    except FetchError as error:
        return Probe.SILENT, str(error)[:LONGEST]
    answered = status < HTTPStatus.INTERNAL_SERVER_ERROR
    return Probe.ANSWERED if answered else Probe.SILENT, in_words(status)


def in_words(status: int) -> str:
    """Return a status with its words where they are known."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def address_of(service: ResolutionService) -> str:
    """Return what to ask for: the address of an example, else where all of its addresses begin."""
    namespace = service.namespace
    for name in examples(namespace.nid, namespace.current):
        if address := tried(service, name):
            return address
    return read(service.template).literal_beginning
