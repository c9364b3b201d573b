"""Pin every version: `python -m tools.pins`, with uv in the environment.

Python packages are pinned with the digests of all their files, for every Python from OLDEST on; npm
packages without their addresses, since each machine decides where to fetch from.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import vendor

OLDEST = "3.11"
ADDRESSES = ("resolved", "funding")
HEADER = "# Written by `make pins` from {source}. Every version is pinned, with its digests.\n\n"


def pin_python(source: Path) -> None:
    """Write the requirements file for `source`."""
    target = source.with_suffix(".txt")
    flags = ["--universal", "--upgrade", "--generate-hashes", "--no-header", "--no-emit-index-url"]
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--python-version", OLDEST]
    pinned = subprocess.run(
        [*command, *flags, str(source)], check=True, capture_output=True, text=True
    ).stdout
    target.write_text(HEADER.format(source=source) + pinned, encoding="utf-8")


def pin_npm(npm: Path) -> None:
    """Write package-lock.json."""
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    command = [str(npm), "install", "--package-lock-only", "--ignore-scripts"]
    subprocess.run(
        [*command, "--omit-lockfile-registry-resolved", *quiet],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    lock = Path("package-lock.json")
    facts = json.loads(lock.read_text(encoding="utf-8"))
    for package in facts["packages"].values():
        for address in ADDRESSES:
            package.pop(address, None)
    lock.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    # The first of the three files constrains the versions of the others, so it comes first.
    for source in ("requirements.in", "requirements-dev.in", "requirements-node.in"):
        pin_python(Path(source))
    with tempfile.TemporaryDirectory() as folder:
        pin_npm(vendor.find_npm(Path(folder)))


if __name__ == "__main__":
    main()
