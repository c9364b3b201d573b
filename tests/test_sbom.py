"""The bill of materials has everything that is installed and served, in CycloneDX's format."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion

from tools.sbom import build_sbom

ROOT = Path(__file__).parents[1]


@pytest.mark.whole
def test_bill_of_materials_is_whole_and_valid() -> None:
    # It takes three seconds, which every run of every other test would wait for.
    from cyclonedx.validation.json import JsonStrictValidator

    pinned = re.findall(
        "^([a-z0-9][^=\n]*)==", (ROOT / "requirements.txt").read_text(), re.M | re.I
    )
    served = json.loads((ROOT / "package.json").read_text())["dependencies"]

    bill = build_sbom()

    version = SchemaVersion.from_version(bill["specVersion"])
    assert JsonStrictValidator(version).validate_str(json.dumps(bill)) is None
    named = {
        f"{component['group']}/{component['name']}" if "group" in component else component["name"]
        for component in bill["components"]
    }
    assert {name.partition("[")[0] for name in pinned} | set(served) <= named
    references = [component["bom-ref"] for component in bill["components"]]
    assert len(set(references)) == len(references)
