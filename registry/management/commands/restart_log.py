"""Begin another transparency log."""

from __future__ import annotations

from typing import Any

from registry.journal import log_worker
from registry.management.base import RegistryCommand


class Command(RegistryCommand):
    """`manage.py restart_log`: after a restore that lost what was signed."""

    help = (
        "Begin the log that REGISTRY_LOG_ORIGIN names. Its entry 0 names the last head of the log "
        "before, so that anybody can see what was signed and is no more."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        log, head = log_worker.restart_log()
        self.stdout.write(f"Begun: {log.origin}.")
        if head:
            self.stdout.write(f"It names {head.origin}: {head.size} entries, {head.root.hex()}.")
