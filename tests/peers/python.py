"""Python programs for tests, installed once below `.cache/` at the versions we have pinned.

They have an environment of their own, separate from the registry's.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.peers.node import CACHE, PATIENCE

PINNED: Final = Path(__file__).with_name("requirements.txt")


def install_python_peers() -> Path:
    """Return the Python that has the programs; pip checks every file against our digests."""
    digest = hashlib.sha256(PINNED.read_bytes()).hexdigest()[:16]
    folder = CACHE / f"python-{digest}"
    if not folder.exists():
        making = CACHE / f"python-{digest}.{os.getpid()}"
        subprocess.run([sys.executable, "-m", "venv", making], check=True)
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
        pinned = ["--require-hashes", "--no-deps", "-r", str(PINNED)]
        python = str(making / "bin" / "python")
        pip = [python, "-m", "pip", "install", *quiet, *pinned]
        subprocess.run(pip, check=True, stdin=subprocess.DEVNULL)
        try:
            making.rename(folder)
        except OSError:  # Another worker was faster.
            shutil.rmtree(making)
    return folder / "bin" / "python"


def run_python_peer(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that uses them, and return its output."""
    return subprocess.run(
        [str(install_python_peers()), "-c", program, *arguments],
        env={"PATH": os.environ.get("PATH", ""), "no_proxy": "*"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
