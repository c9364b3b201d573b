"""Write the registry's bill of materials: `python -m tools.sbom FILE`.

It is in CycloneDX's JSON. Python packages come from requirements.txt, by CycloneDX's own program;
those whose style sheets, scripts, fonts and pictures are served come from package-lock.json.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parents[1]
FOLDER = "node_modules/"


def build_sbom() -> dict[str, Any]:
    """Return the bill of materials, always the same for the same pins."""
    flags = ["--output-reproducible", "--output-format", "JSON"]
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", *flags, "requirements.txt"]
    written = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    bill: dict[str, Any] = json.loads(written)
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    served = list(iterate_npm_components(lock["packages"]))
    bill["components"] += served
    bill["dependencies"] += [{"ref": component["bom-ref"]} for component in served]
    return bill


def iterate_npm_components(packages: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the packages in an npm lock file, as CycloneDX components."""
    for path, package in packages.items():
        if not path:
            continue  # The registry itself.
        name, version = path.rpartition(FOLDER)[2], package["version"]
        group, _slash, base = name.rpartition("/")
        locator = f"pkg:npm/{quote(name, safe='/')}@{version}"
        algorithm, _dash, digest = package["integrity"].partition("-")
        component = {
            "bom-ref": locator,
            "type": "library",
            "name": base,
            "version": version,
            "purl": locator,
            "licenses": [{"license": {"id": package["license"]}}],
            "hashes": [
                {
                    "alg": {"sha512": "SHA-512"}[algorithm],
                    "content": base64.b64decode(digest).hex(),
                }
            ],
        }
        yield component | ({"group": group} if group else {})


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"{json.dumps(build_sbom(), indent=2)}\n", encoding="utf-8")
    print(target)
