"""The front-end packages are copied, and nothing else of them stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.vendor import FILES

ROOT = Path(__file__).parents[1]


@pytest.mark.whole
def test_vendored_files_and_their_licences_are_all_that_npm_leaves(tmp_path: Path) -> None:
    downloaded, release = tmp_path / "downloaded", tmp_path / "release"
    for package, names in FILES.items():
        facts = {"version": "1.2.3", "license": "MIT"}
        texts = {"LICENSE": "Free", "README.md": "Read", "package.json": json.dumps(facts)}
        for name in (*names, *texts):
            path = downloaded / package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts.get(name, "{}"), "utf-8")
    release.mkdir()
    for name in ("package.json", "package-lock.json"):
        (release / name).write_text("{}", "utf-8")
    npm = tmp_path / "npm"
    npm.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo 11.0.0 || cp -R {downloaded} node_modules\n',
        "utf-8",
    )
    npm.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.defpath}", "PYTHONPATH": str(ROOT)}

    subprocess.run(
        [sys.executable, "-m", "tools.vendor"],
        cwd=release,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )

    vendor = release / "static" / "vendor"
    left = {path.relative_to(vendor).as_posix() for path in vendor.rglob("*") if path.is_file()}
    licences = {f"licences/{package.rpartition('/')[2]}.txt" for package in FILES}
    copies = {target for names in FILES.values() for target in names.values()}
    assert left == {"contents.txt"} | licences | copies
    assert "htmx.org 1.2.3, MIT, licences/htmx.org.txt\n" in (vendor / "contents.txt").read_text()
    everything = [path for path in release.rglob("*") if path.is_file()]
    assert len(everything) == len(left) + 2
