"""Find a Chromium for the browser tests, or install one: `python -m tools.browser` prints its path.

It tries, in this order: the path in REGISTRY_BROWSER, the machine's own, the Debian package if it
may be installed, and Playwright's. If there is none the output is empty, which is a failure under
CI=true.
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
    """Whether doing without a browser is a failure, as it is in continuous integration."""
    return os.environ.get("CI", "").lower() in {"true", "1"}


def find_browser() -> str | None:
    """Return the browser in REGISTRY_BROWSER, or if that is not set the machine's own.

    If it is set but empty, `make` has looked and found no usable one.
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
    """Return Playwright's Chromium, downloading it if necessary."""
    path = get_playwright_path()
    if not can_start(path):
        # Its libraries are installed too, where packages may be installed.
        libraries = ["--with-deps"] if debian.may_install() else []
        command = [*PLAYWRIGHT, "install", "--no-shell", *libraries, "chromium"]
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    return path if can_start(path) else None


def get_playwright_path() -> str:
    """Return where this version of Playwright keeps its Chromium, whether or not it exists."""
    question = (
        "from playwright.sync_api import sync_playwright as s\n"
        "with s() as p: print(p.chromium.executable_path)"
    )
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True)
    return answer.stdout.strip()


def can_start(*command: str) -> bool:
    """Whether a program runs: some systems ship a stub instead of a browser."""
    try:
        answer = subprocess.run([*command, "--version"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def get_browser() -> str | None:
    """Return a browser that Playwright can drive, installing what is missing if we may."""
    # Playwright comes with a node that needs a library which a bare Debian lacks.
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
