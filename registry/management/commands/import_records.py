"""Read the documents of record of the registered namespaces."""

from __future__ import annotations

import datetime
from collections import Counter
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from registry.exchange.records import (
    DocumentLibrary,
    FolderLibrary,
    ImportOutcome,
    ImportResult,
    WebLibrary,
    import_records,
)
from registry.management.base import RegistryCommand
from registry.models import ImportedRecord, Namespace, Registration
from registry.urn import nid as nids

ENOUGH_HOURS: Final = 12
RESULT_WORDS: Final = {
    ImportResult.NEW: ("read", "would be read"),
    ImportResult.NEWER: ("read anew, beside the older record", "would be read anew"),
    ImportResult.UNCHANGED: ("as it was", "as it was"),
    ImportResult.NO_TEMPLATE: ("has no template of it", "has no template of it"),
}
"""The words for each outcome, when done and in a dry run."""


class Command(RegistryCommand):
    """`manage.py import_records [NID …]`: can be stopped and run again at any time."""

    help = (
        "Read the documents of record of the namespaces (RFCs, IANA's templates, addresses) and "
        "keep what was understood beside the text as found. Can be stopped and run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nid", nargs="*", metavar="NID", help="all namespaces, without one")
        parser.add_argument(
            "--from",
            dest="source",
            default="",
            metavar="DIR-or-URL",
            help="a folder of copies, or a mirror: rfc8458.txt, urn-formal/nbn; without it, where "
            "the documents are published",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be read, and write nothing"
        )
        parser.add_argument(
            "--again",
            action="store_true",
            help=f"ask servers for documents that they gave less than {ENOUGH_HOURS} hours ago too",
        )
        parser.add_argument(
            "--pause",
            type=float,
            default=1.0,
            metavar="SECONDS",
            help="between two questions to a server: 1",
        )

    def handle(
        self,
        *args: Any,
        nid: list[str],
        source: str,
        dry_run: bool,
        again: bool,
        pause: float,
        **options: Any,
    ) -> None:
        namespaces = list(find_namespaces(nid))
        library = open_library(source, pause)
        lately = timezone.now() - datetime.timedelta(hours=ENOUGH_HOURS)
        remote = isinstance(library, WebLibrary)
        outcomes = import_records(
            namespaces,
            library,
            dry_run=dry_run,
            asked_since=lately if remote and not again else None,
        )
        counts: Counter[ImportResult] = Counter()
        read: set[str] = set()
        for outcome in outcomes:
            counts[outcome.result] += 1
            if outcome.record:
                read.add(outcome.nid)
            self.report(outcome, dry_run=dry_run)
        self.summarize(namespaces, read, counts, dry_run=dry_run)

    def report(self, outcome: ImportOutcome, *, dry_run: bool) -> None:
        """Report the outcome for one document."""
        if outcome.result is ImportResult.UNAVAILABLE:
            self.stderr.write(f"{outcome.nid}: {outcome.problem}")
            return
        words = RESULT_WORDS[outcome.result][dry_run]
        line = f"{outcome.nid}: {outcome.document} {words}"
        if outcome.record and outcome.result is not ImportResult.UNCHANGED:
            line += f": {describe_record(outcome.record)}"
        self.stdout.write(line)

    def summarize(
        self,
        namespaces: list[Namespace],
        read: set[str],
        counts: Counter[ImportResult],
        *,
        dry_run: bool,
    ) -> None:
        """Report the totals, and the namespaces without a text."""
        new, newer = counts[ImportResult.NEW], counts[ImportResult.NEWER]
        did = "Would read" if dry_run else "Read"
        self.stdout.write(
            f"{did} {new} new and {newer} newer records; {counts[ImportResult.UNCHANGED]} are as "
            f"they were; {counts[ImportResult.UNAVAILABLE]} documents could not be read."
        )
        held = find_nids_with_text(namespaces) | read
        without = [each.nid for each in namespaces if each.nid not in held]
        if without:
            self.stdout.write(f"Without text: {', '.join(without)}.")


def describe_record(record: ImportedRecord) -> str:
    """Describe briefly what was read."""
    version = f"version {record.version}" if record.version else "no version"
    kind = "an update, " if record.is_update else ""
    fields = f"{len(record.field_sources)} fields"
    doubts = f", {len(record.doubts)} doubts" if record.doubts else ""
    return f"{kind}{version}, lines {record.lines}, {fields}{doubts}"


def find_namespaces(names: list[str]) -> QuerySet[Namespace]:
    """Return the namespaces of these NIDs, or all that were registered elsewhere."""
    found = Namespace.objects.select_related("provenance").order_by("nid")
    if not names:
        return found.filter(provenance__isnull=False)
    wanted = {nids.canonical(each) for each in names}
    known = set(found.filter(nid__in=wanted).values_list("nid", flat=True))
    if unknown := sorted(wanted - known):
        raise CommandError(f"No namespace “{unknown[0]}” is registered.")
    return found.filter(nid__in=wanted)


def open_library(source: str, pause: float) -> DocumentLibrary:
    """Return where documents are read from: a folder, a mirror, or where they are published."""
    if source.startswith(("https://", "http://")) or not source:
        return WebLibrary(source, pause=pause)
    folder = Path(source)
    if not folder.is_dir():
        raise CommandError(f"{folder} is no folder. Name one, or an address of a mirror.")
    return FolderLibrary(folder)


def find_nids_with_text(namespaces: list[Namespace]) -> set[str]:
    """Return the NIDs of the namespaces whose text we hold, our own or imported."""
    keys = [each.pk for each in namespaces]
    held = Namespace.objects.filter(pk__in=keys).filter(
        Exists(Registration.objects.filter(namespace=OuterRef("pk")))
        | Exists(ImportedRecord.objects.filter(namespace=OuterRef("pk")))
    )
    return set(held.values_list("nid", flat=True))
