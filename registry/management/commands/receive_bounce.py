"""`manage.py receive_bounce`: accept a report that a letter could not be delivered."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from registry.notifications.bounces import MAX_REPORT_BYTES, UnreadableReport, receive_report


class Command(BaseCommand):
    """Reads one report from standard input, as a mail server pipes it, or one from each file.

    Exit codes are those of sysexits.h, which mail servers understand: 65 for something that is not
    a report about one of our letters, 75 to try again later.
    """

    help = "Take a delivery report (RFC 3464): no letter goes to an address that is gone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="*", type=Path, metavar="FILE", help="a report each; else from stdin"
        )

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        """Read the report, mark the addresses, and print them."""
        try:
            reports = [path.read_bytes() for path in files] or [
                sys.stdin.buffer.read(MAX_REPORT_BYTES + 1)
            ]
            marked = [address for raw in reports for address in receive_report(raw)]
        except (UnreadableReport, OSError) as reason:
            raise CommandError(str(reason), returncode=os.EX_DATAERR) from reason
        except OperationalError as reason:
            text = "The database did not answer. Deliver the report again later."
            raise CommandError(text, returncode=os.EX_TEMPFAIL) from reason
        for address in marked:
            self.stdout.write(f"{address} has to be confirmed anew.")
        if not marked:
            self.stdout.write("No address was marked.")
