"""Debian packages, if the machine has apt-get and we may use it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def may_install() -> bool:
    """Whether packages can be installed here without asking anybody."""
    return shutil.which("apt-get") is not None and os.geteuid() == 0


def install_packages(*packages: str) -> bool:
    """Install `packages` with their dependencies; return whether that worked.

    Without permission nothing happens. apt-get writes to standard error, since standard output
    belongs to our programs' own output.
    """
    if not may_install():
        return False
    # Servers installed along are not started: the tests start those they need.
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "SYSTEMD_OFFLINE": "1"}
    quietly = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", "-o", "DPkg::Lock::Timeout=300"]
    steps = (["update"], ["install", "-y", "--no-install-recommends", *packages])
    for step in steps:
        finished = subprocess.run(
            [*quietly, *step], env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
    return finished.returncode == 0
