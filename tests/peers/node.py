"""Node programs for tests, installed once below `.cache/` at the versions in our lock files."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tools import vendor

FOLDER: Final = Path(__file__).parent
# What checks pages is large, and only `make peers` has it.
PAGES: Final = FOLDER / "pages"
CACHE: Final = FOLDER.parents[1] / ".cache" / "peers"
PATIENCE: Final = 300


def find_npm() -> Path:
    """Return npm; if the machine has none, one worker installs it while the others wait."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "npm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return vendor.find_npm(CACHE / "npm")


def install_peers(pinned: Path = FOLDER) -> Path:
    """Return the folder of the programs, which npm creates if there is none for this lock file.

    The lock file is the one in `pinned`. npm checks every package against the digest in it, and
    runs no package's scripts.
    """
    digest = hashlib.sha256((pinned / "package-lock.json").read_bytes()).hexdigest()[:16]
    folder = CACHE / digest
    if not folder.exists():
        making = CACHE / f"{digest}.{os.getpid()}"
        making.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pinned / name, making / name)
        npm = find_npm()
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([npm, "ci", *quiet], cwd=making, check=True, stdin=subprocess.DEVNULL)
        try:
            making.rename(folder)
        except OSError:  # Another worker was faster.
            shutil.rmtree(making)
    return folder


def run_peer(
    name: str, *arguments: str | Path, folder: Path, pinned: Path = FOLDER
) -> subprocess.CompletedProcess[str]:
    """Run one of the programs that `pinned` names in `folder`, and return its output."""
    program = install_peers(pinned) / "node_modules" / ".bin" / name
    return run_command(program, *arguments, folder=folder)


def run_node(
    program: Path, *arguments: str | Path, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one of our programs in Node, in `folder` or where it is, and return its output."""
    node = find_npm().with_name("node")
    return run_command(node, program, *arguments, folder=folder or program.parent)


def run_command(
    program: Path, *arguments: str | Path, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run a command with Node first in its path."""
    command = [str(program), *map(str, arguments)]
    path = os.pathsep.join([str(find_npm().parent), os.environ.get("PATH", "")])
    quiet = {"PATH": path, "HOME": str(folder), "REDOCLY_TELEMETRY": "off"}
    return subprocess.run(
        command,
        cwd=folder,
        env=quiet,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
