"""Find a Chromium for the browser tests, or get one: `python -m tools.browser` prints its path.

Looked for in this order: what REGISTRY_BROWSER names, what the machine has, the Debian package
where it may be installed, Playwright's own. Without any the answer is empty, and under CI=true
that is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tools import debian

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLAYWRIGHT = [sys.executable, "-m", "playwright"]
NONE_FOUND = (
    "No Chromium could be found or installed, so the browser tests cannot run.\n"
    "Install one (Debian: apt-get install chromium libatomic1), or name one in REGISTRY_BROWSER."
)


def is_browser_required() -> bool:
    """Say whether doing without a browser is a failure, as it is in continuous integration."""
    return os.environ.get("CI", "").lower() in {"true", "1"}


def find_browser() -> str | None:
    """Return the browser that REGISTRY_BROWSER names, or where it is not set the machine's own.

    Set and empty it says that `make` has looked and found none that could be used.
    """
    named = os.environ.get("REGISTRY_BROWSER")
    if named is None:
        return find_system_browser()
    return named if can_start(named) else None


def find_system_browser() -> str | None:
    """Return the first browser of this machine that starts."""
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in found if path and can_start(path)), None)


def find_playwright_browser() -> str | None:
    """Return the Chromium that Playwright keeps, which it fetches when it has none."""
    path = get_playwright_path()
    if not can_start(path):
        # The libraries that it needs come with it where packages may be installed.
        libraries = ["--with-deps"] if debian.may_install() else []
        command = [*PLAYWRIGHT, "install", "--no-shell", *libraries, "chromium"]
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    return path if can_start(path) else None


def get_playwright_path() -> str:
    """Return where this version of Playwright keeps its Chromium, there or not."""
    question = (
        "from playwright.sync_api import sync_playwright as s\n"
        "with s() as p: print(p.chromium.executable_path)"
    )
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True)
    return answer.stdout.strip()


def can_start(*command: str) -> bool:
    """Say whether a program runs: some systems ship a stub in a browser's place."""
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def get_browser() -> str | None:
    """Return a browser that Playwright can drive, installing what is missing where we may."""
    # Playwright brings a node along, which needs a library that a bare Debian has not.
    if not can_start(*PLAYWRIGHT) and not (
        debian.install_packages("libatomic1") and can_start(*PLAYWRIGHT)
    ):
        return None
    if os.environ.get("REGISTRY_BROWSER"):
        return find_browser()
    return (
        find_system_browser()
        or (debian.install_packages("chromium") and find_system_browser())
        or find_playwright_browser()
    )


def main() -> int:
    path = get_browser()
    if path is None:
        print(NONE_FOUND, file=sys.stderr)
        return 1 if is_browser_required() else 0
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
