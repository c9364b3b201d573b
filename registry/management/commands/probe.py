"""Check whether resolution services answer."""

from __future__ import annotations

import time
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.actions import resolution_services
from registry.enums import ProbeResult
from registry.models import Namespace, ResolutionService
from registry.resolution.resolver import ALIAS_SERVICES
from registry.urn import nid as nids

PAUSE_SECONDS: Final = 2.0


class Command(BaseCommand):
    """`manage.py probe [NID…]`: one service after the other, with a pause before each host."""

    help = "Ask resolution services whether they answer, one after the other and with pauses."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nids", nargs="*", metavar="NID", help="all namespaces without any")
        parser.add_argument(
            "--pause",
            type=float,
            default=PAUSE_SECONDS,
            metavar="SECONDS",
            help="between two questions to one host",
        )

    def handle(self, *args: Any, nids: list[str], pause: float, **options: Any) -> None:
        counted = dict.fromkeys(ProbeResult, 0)
        asked: dict[str, float] = {}
        for service in select_services(nids):
            host = urlsplit(service.template).hostname or ""
            time.sleep(max(0.0, asked.get(host, 0.0) + pause - time.monotonic()))
            resolution_services.probe_now(service)
            asked[host] = time.monotonic()
            counted[ProbeResult(service.probe)] += 1
            outcome = service.get_probe_display()
            self.stdout.write(f"{service.namespace}, {host}: {outcome}. {service.probe_note}")
        self.stdout.write(
            f"{sum(counted.values())} asked: {counted[ProbeResult.ANSWERED]} answered, "
            f"{counted[ProbeResult.SILENT]} did not."
        )


def select_services(names: list[str]) -> list[ResolutionService]:
    """Return the services in use of these namespaces, or of all."""
    wanted = {nids.canonical(name) for name in names}
    known = set(Namespace.objects.filter(nid__in=wanted).values_list("nid", flat=True))
    if unknown := sorted(wanted - known):
        raise CommandError(f"Not registered: {', '.join(unknown)}.")
    found = ResolutionService.objects.in_use().exclude(service__in=ALIAS_SERVICES)
    found = found.select_related("namespace").order_by("namespace__nid", "pk")
    return list(found.filter(namespace__nid__in=known) if names else found)
