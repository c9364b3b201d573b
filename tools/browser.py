"""Find a Chromium for the browser tests: `python -m tools.browser` prints its path.

It tries the path in REGISTRY_TEST_BROWSER, the machine's own, and Playwright's, in this order.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLAYWRIGHT = [sys.executable, "-m", "playwright"]
NONE_FOUND = (
    "There is no Chromium here that starts, which the browser tests need. `make test-tools` "
    "installs Debian's, `python -m playwright install --no-shell chromium` another; "
    "REGISTRY_TEST_BROWSER names one."
)


def find_browser() -> str | None:
    """Return the path of a Chromium that starts and that Playwright can drive."""
    named = os.environ.get("REGISTRY_TEST_BROWSER")
    if named:
        return named if can_start(named) else None
    if not can_start(*PLAYWRIGHT):
        return None
    paths = [*(shutil.which(name) for name in NAMES), get_playwright_path()]
    return next((path for path in paths if path and can_start(path)), None)


def list_missing_packages() -> list[str]:
    """List Debian's packages without which no test runs in a browser."""
    # Playwright comes with a Node.js that needs a library which a bare Debian lacks.
    library = [] if can_start(*PLAYWRIGHT) else ["libatomic1"]
    return library if any(map(can_start, NAMES)) else [*library, "chromium"]


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


def main() -> int:
    path = find_browser()
    if path is None:
        print(NONE_FOUND, file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
