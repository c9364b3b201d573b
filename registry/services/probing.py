"""Asking a service whether it answers: seldom, within limits, and never in a private network."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import task

from registry import queries, rules
from registry.background import PRIORITY, StillPending, enqueue_for, pending_subjects
from registry.choices import Probe
from registry.fetching import FetchError, Limits, fetch
from registry.models import ResolutionService, User
from registry.resolution.template import read
from registry.resolution.trying import examples, tried
from registry.workflow import Refused

LIMITS: Final = Limits(octets=0, seconds=8.0, redirects=3)
LONGEST: Final = 300


def request_probe(person: User, service: ResolutionService) -> None:
    """Have the worker ask a service because `person` wants to know; not again within minutes.

    What it says stands in the row, from `probed_at` on.
    """
    if not rules.has_confirmed_address(person):
        raise Refused(_("Confirm your mail address first: then you may have services asked."))
    with transaction.atomic():
        # The row is ours until the transaction ends: a second click finds the task of the first.
        held = ResolutionService.objects.select_for_update(no_key=True).get(pk=service.pk)
        if not is_due(held):
            raise Refused(
                _("It was asked less than %(minutes)d minutes ago. What it said stands here.")
                % {"minutes": settings.REGISTRY_PROBE_MINUTES}
            )
        if held.pk in services_being_asked():
            raise Refused(_("It is being asked at this moment. What it says will stand here."))
        try:
            enqueue_for(person, probe_service, held.pk)
        except StillPending as reason:
            raise Refused(str(reason)) from None


@task(priority=PRIORITY)
def probe_service(service_id: int, *, person_id: int) -> str:
    """Ask a service for a person who waits for it; return what became of it."""
    found = ResolutionService.objects.in_use().select_related("namespace")
    service = found.filter(pk=service_id).first()
    if service is None or not User.objects.filter(pk=person_id, is_active=True).exists():
        return "left alone"
    return str(probe(service).probe)


def services_being_asked() -> set[int]:
    """Return the keys of the services of which the worker has yet to say what they answer."""
    return pending_subjects(probe_service)


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
