"""Write the public registry as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from registry.exchange.static_site import publish_site
from registry.management.base import RegistryCommand


class Command(RegistryCommand):
    """`manage.py publish_static DIR`: can be run again while the folder is served."""

    help = (
        "Write the public registry as files into a folder, which any web server can serve: pages, "
        "all forms of them, exports, the log, style and script (after collectstatic). Run it again "
        "to renew them."
    )
    refusal_words = "Nothing was published. "

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        published = publish_site(directory.absolute())
        megabytes = published.octets / 1_000_000
        self.stdout.write(f"{published.files:,} files of {megabytes:.1f} MB.")
