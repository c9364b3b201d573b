"""Bioregistry's own application with our export, the file named in BIOREGISTRY_RECORDS."""

from __future__ import annotations

import json
import os
from pathlib import Path

from bioregistry import Manager, Resource
from bioregistry.app.impl import get_app

records = json.loads(Path(os.environ["BIOREGISTRY_RECORDS"]).read_text("utf-8"))
manager = Manager(
    registry={prefix: Resource(**record) for prefix, record in records.items()},
    metaregistry={},
    collections={},
    contexts={},
)
config = {"METAREGISTRY_EXAMPLE_PREFIX": "isbn", "METAREGISTRY_EXAMPLE_IDENTIFIER": "9780395363416"}
app = get_app(manager=manager, config=config, first_party=False, return_flask=False)
