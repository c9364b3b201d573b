"""The URN library as a wheel: what `pip install .` and `make wheel` build.

A build backend (PEP 517) for a pure Python package that has another name in the checkout. It needs
only the standard library, so that nothing is downloaded to build a package without dependencies,
and gives the same octets each time. Its settings are in pyproject.toml.
"""

from __future__ import annotations

import base64
import hashlib
import io
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
# The oldest time that a ZIP archive can hold, so that builds do not differ by date.
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_FILE_MODE: Final = 0o100644 << 16
_LEFT_OUT: Final = frozenset({".pyc"})


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Write the wheel into a folder and return the name of its file (PEP 517)."""
    del config_settings, metadata_directory
    project, settings = read_settings()
    name = f"{project['name']}-{project['version']}-py3-none-any.whl"
    info = f"{project['name']}-{project['version']}.dist-info"
    files = dict(list_sources(settings["package"], ROOT / settings["source"]))
    files |= {f"{info}/{file}": text.encode() for file, text in describe_project(project).items()}
    record = f"{info}/RECORD"
    files[record] = write_record(files, record).encode()
    folder = Path(wheel_directory)
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, octets in files.items():
            member = zipfile.ZipInfo(file, _TIME)
            member.external_attr = _FILE_MODE
            member.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(member, octets)
    return name


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Write the sources of the library, and nothing else, into a folder (PEP 517)."""
    del config_settings
    project, settings = read_settings()
    name = f"{project['name']}-{project['version']}"
    files = {"pyproject.toml": (ROOT / "pyproject.toml").read_bytes()}
    files["tools/wheel.py"] = Path(__file__).read_bytes()
    files |= dict(list_sources(settings["source"], ROOT / settings["source"]))
    files["PKG-INFO"] = describe_project(project)["METADATA"].encode()
    with tarfile.open(Path(sdist_directory, f"{name}.tar.gz"), "w:gz") as archive:
        for file, octets in files.items():
            member = tarfile.TarInfo(f"{name}/{file}")
            member.size = len(octets)
            archive.addfile(member, io.BytesIO(octets))
    return f"{name}.tar.gz"


def read_settings() -> tuple[dict[str, Any], dict[str, str]]:
    """The project and build settings in pyproject.toml."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return read["project"], read["tool"]["wheel"]


def list_sources(package: str, source: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of the package by its name in the archive, in a fixed order."""
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.suffix not in _LEFT_OUT:
            yield f"{package}/{path.relative_to(source).as_posix()}", path.read_bytes()


def describe_project(project: dict[str, Any]) -> dict[str, str]:
    """The files that describe the distribution (core metadata 2.1)."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
    ]
    for extra, needed in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {each}; extra == "{extra}"' for each in needed]
    lines.append("Description-Content-Type: text/markdown")
    readme = (ROOT / project["readme"]).read_text("utf-8")
    scripts = "".join(f"{name} = {call}\n" for name, call in project["scripts"].items())
    return {
        "METADATA": "\n".join(lines) + f"\n\n{readme}",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: tools/wheel.py\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
        "entry_points.txt": f"[console_scripts]\n{scripts}",
    }


def write_record(files: dict[str, bytes], record: str) -> str:
    """The digest and the size of each file, as installers check them."""
    rows = [f"{name},sha256={digest(octets)},{len(octets)}" for name, octets in files.items()]
    return "\n".join([*rows, f"{record},,"]) + "\n"


def digest(octets: bytes) -> str:
    """The SHA-256 of a file as wheels have it: URL-safe base 64, not padded."""
    digested = hashlib.sha256(octets).digest()
    return base64.urlsafe_b64encode(digested).decode().rstrip("=")


if __name__ == "__main__":
    written = Path(sys.argv[1], build_wheel(sys.argv[1]))
    print(f"Built {written}: pip install {written}")
