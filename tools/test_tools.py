"""The programs that `make test-all` runs: `python -m tools.test_tools` installs what is missing.

With `--list` it names what is missing, which in continuous integration is a failure. Everything
else only looks for programs. `make test` needs none of them but Chromium.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from tools import browser, debian

PACKAGES: Final = {
    "caddy": "caddy",
    "curl": "curl",
    "go": "golang-go",
    "gpg": "gpg",
    "gpgconf": "gpgconf",
    "java": "default-jre-headless",
    "logrotate": "logrotate",
    "nginx": "nginx-light",
    "node": "nodejs",
    "pgbouncer": "pgbouncer",
    "redis-server": "redis-server",
    "squid": "squid",
    "systemd-analyze": "systemd",
    "taskset": "util-linux",
    "wrk": "wrk",
    "xgettext": "gettext",
    "xmllint": "libxml2-utils",
}
"""Debian's package of each program."""
PEERS_ONLY: Final = {"java"}
"""Needed by `make peers` alone."""
FILES: Final = {
    "/usr/share/gocode/src/golang.org/x/mod/sumdb": "golang-golang-x-mod-dev",
    "/usr/lib/postgresql": "postgresql",
}
"""What is no program in the path, and its package."""
# Where Debian has servers, which is not always in the path.
PLACES: Final = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])


def find_program(name: str) -> str | None:
    """Return the path of one of the programs on this machine."""
    return shutil.which(name, path=PLACES)


def list_missing_packages() -> list[str]:
    """List the packages of what `make test-all` wants and this machine lacks."""
    programs = (name for name in PACKAGES if name not in PEERS_ONLY and not find_program(name))
    packages = {PACKAGES[name] for name in programs}
    packages |= {package for path, package in FILES.items() if not Path(path).exists()}
    packages |= set(browser.list_missing_packages())
    return sorted(packages)


def is_continuous_integration() -> bool:
    return os.environ.get("CI", "").lower() in {"true", "1"}


def main(*options: str) -> int:
    missing = list_missing_packages()
    if not missing:
        print("Everything that make test-all wants is here.")
        return 0
    print(f"make test-all wants these packages of Debian: {' '.join(missing)}")
    if "--list" in options:
        return int(is_continuous_integration())
    if not debian.may_install():
        print("Install them as root with apt-get, or their like on another system.")
        return 1
    print("Installing them with apt-get.", flush=True)
    return 0 if debian.install_packages(*missing) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
