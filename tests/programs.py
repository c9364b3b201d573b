"""Programs of other people that tests run: those of this machine, or Debian's."""

from __future__ import annotations

import os
import shutil

import pytest

from tools import browser, debian

# Where Debian has servers, which is not always looked at.
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])


def program(name: str, package: str) -> str:
    """Return where the program is, installed if that may be done.

    Without it the test is left out; in continuous integration that is a failure.
    """
    found = shutil.which(name, path=PLACES)
    if found is None and debian.install(package):
        found = shutil.which(name, path=PLACES)
    if found:
        return found
    missing = f"{name} could not be found or installed (Debian: apt-get install {package})."
    if browser.wanted():
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)
