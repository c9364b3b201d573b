"""The catalogue of user-facing strings, for translators: `make strings` writes it.

Django's makemessages searches `registry` and `templates`. The catalogue has no locations or dates,
so it only changes when a text does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tools import debian

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = "en_GB"
"""The language of the strings in the code; another one begins as a copy of its catalogue."""
CATALOGUE: Final = ROOT / "locale" / LOCALE / "LC_MESSAGES" / "django.po"
SOURCES: Final = ("registry", "templates")
EXTENSIONS: Final = "html,py,txt,xml"
HEADER: Final = r"""# Every string that people read, in the order of the code, by `make strings`.
msgid ""
msgstr ""
"Project-Id-Version: urn-registry\n"
"Language: en_GB\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"""


def collect_strings() -> str:
    """Return the current catalogue of the strings.

    This needs GNU gettext. RuntimeError says what is wrong with a text that cannot be collected.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in SOURCES:
            shutil.copytree(ROOT / name, Path(folder) / name)
        messages = Path(folder) / "locale" / LOCALE / "LC_MESSAGES" / "django.po"
        messages.parent.mkdir(parents=True)
        run_makemessages(folder)
        _, _, entries = messages.read_text("utf-8").partition("\n\n")
    return f"{HEADER}\n{entries}"


def run_makemessages(folder: str) -> None:
    """Have Django write the catalogue of a folder, without a registry's settings."""
    command = [sys.executable, "-m", "django", "makemessages", "--locale", LOCALE]
    command += ["--extension", EXTENSIONS, "--no-location", "--no-wrap"]
    environment = {
        name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"
    }
    finished = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if finished.returncode or "warning" in finished.stderr.lower():
        raise RuntimeError(finished.stderr.strip())


def has_gettext() -> bool:
    """Whether GNU gettext is installed, or can be now."""
    return shutil.which("xgettext") is not None or debian.install_packages("gettext")


if __name__ == "__main__":
    if not has_gettext():
        sys.exit("The catalogue needs GNU gettext (Debian: apt-get install gettext).")
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    CATALOGUE.write_text(collect_strings(), "utf-8")
    print(CATALOGUE.relative_to(ROOT))
