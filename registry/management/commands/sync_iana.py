"""Compare the registry with IANA's list of URN namespaces, and adopt what can be adopted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from registry.exchange.iana import Difference, DifferenceKind, SyncReport, synchronize
from registry.management.base import RegistryCommand


class Command(RegistryCommand):
    """`manage.py sync_iana`: shows differences; `--apply` adopts those that need no decision."""

    help = (
        "Read IANA's urn-namespaces.xml and say what is new, changed or gone there, and what is "
        "here alone. Can be run again at any time."
    )

    refusal_words = "Nothing was taken over.\n"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--from",
            dest="source",
            type=Path,
            metavar="FILE",
            help="a copy of urn-namespaces.xml; without it, the place in the settings is asked",
        )
        parser.add_argument(
            "--apply",
            action="store_true",
            help="enter new identifiers, dates, references and addresses of templates, in IANA's "
            "name; all else waits for the registrar",
        )

    def handle(self, *args: Any, source: Path | None, apply: bool, **options: Any) -> None:
        report = synchronize(
            apply=apply,
            octets=read_copy(source) if source else None,
            read_from=source.name if source else "",
        )
        snapshot = report.snapshot
        read = "Read" if report.is_new else "As before"
        self.stdout.write(
            f"{read}: {snapshot.address}, update of {snapshot.updated_on or 'an unknown day'}, "
            f"SHA-256 {snapshot.sha256}."
        )
        for difference in report.differences:
            self.stdout.write(describe_difference(difference, report))
        counts = {
            kind: sum(each.kind == kind for each in report.differences) for kind in DifferenceKind
        }
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        self.stdout.write(
            f"{told}; {len(report.entered)} taken over, {len(report.waiting)} wait for the "
            "registrar."
        )


def describe_difference(difference: Difference, report: SyncReport) -> str:
    """Describe a difference, and what was done about it, in one line."""
    changes = "; ".join(
        f"{each.field} “{each.here}” is “{each.there}” there"
        if each.here
        else f"{each.field} “{each.there}”"
        for each in difference.changes
    )
    line = f"{difference.nid}: {difference.kind}" + (f": {changes}" if changes else "")
    if difference.nid in report.entered:
        return f"{line}. Taken over."
    return f"{line}. {difference.waits_for}" if difference.waits_for else f"{line}."


def read_copy(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
