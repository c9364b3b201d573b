"""Write the public registry as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from registry.exchange import static_site
from registry.management.base import RegistryCommand


class Command(RegistryCommand):
    """`manage.py publish_static DIR`: can be run again while the folder is served."""

    help = (
        "Write the public registry as files into a folder, which any web server can serve: pages, "
        "all forms of them, exports, feeds, style and script. Run it again to renew them."
    )

    refusal_words = "Nothing was published.\n"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        done = static_site.publish_site(directory.absolute(), self.progress)
        megabytes = done.octets / 1_000_000
        self.stdout.write(
            f"{done.files:,} files of {megabytes:.1f} MB, {done.written:,} of them new or changed; "
            f"{done.moved:,} addresses lead to others."
        )
        self.stdout.write(
            f"{len(done.needing):,} addresses need the application; manifest.json names them."
        )

    def progress(self, count: int) -> None:
        """Report the progress now and then."""
        if count and count % 500 == 0:
            self.stdout.write(f"{count:,} files …")
