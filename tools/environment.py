"""Create the virtual environment: `python -m tools.environment .venv`."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys

from tools import debian


def has_ensurepip() -> bool:
    """Whether this Python can put pip into an environment; Debian ships that separately.

    A missing package is installed from Debian if that is allowed.
    """
    if importlib.util.find_spec("ensurepip"):
        return True
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if debian.install_packages(f"{version}-venv"):
        return True
    print(
        f"This Python cannot make virtual environments yet. As root: apt-get install {version}-venv"
        "\nThen run the same command again.",
        file=sys.stderr,
    )
    return False


def make_environment(path: str) -> bool:
    """Create the environment at `path`, whole or not at all."""
    print(f"Making {path} with Python {sys.version.split()[0]}", flush=True)
    made = False
    try:
        command = [sys.executable, "-m", "venv", "--clear", path]
        made = subprocess.run(command).returncode == 0
    finally:
        if not made:
            shutil.rmtree(path, ignore_errors=True)
    return made


if __name__ == "__main__":
    sys.exit(0 if has_ensurepip() and make_environment(sys.argv[1]) else 1)
