"""Packages of Debian, where the machine has apt-get and we may use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def may_install() -> bool:
    """Say whether packages can be installed here without asking anybody."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def install_packages(*packages: str) -> bool:
    """Install `packages` and what they depend on; say whether that worked.

    Where it is not permitted nothing happens. apt-get writes to standard error, since
    standard output belongs to the answers of our own programs.
    """
    if not may_install():
        return False
    # Servers that come along are not started: who needs one starts it.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "SYSTEMD_OFFLINE": "1"}
    quietly = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", "-o", "DPkg::Lock::Timeout=300"]
    steps = (["update"], ["install", "-y", "--no-install-recommends", *packages])
    for step in steps:
        finished = subprocess.run(
            [*quietly, *step], env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
    return finished.returncode == 0
