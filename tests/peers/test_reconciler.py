"""PyPI's reconciler, a client like OpenRefine, matches a column with our namespaces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from registry.models import RegistrationRequest, User
from tests.peers.python import run_python_peer
from tests.peers.sites import serve_small_registry

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAM = """
import sys
import pandas
from reconciler import reconcile
column = pandas.Series(["urn:isbn:0395363411", "ISSN", "0-395-36341-1", "seedbank"])
found = reconcile(column, reconciliation_endpoint=sys.argv[1], type_id="namespace", top_res=1)
print(found[["input_value", "id", "match"]].to_json(orient="values"))
"""


def test_column_is_matched(tmp_path: Path, approved: RegistrationRequest, registrar: User) -> None:
    with serve_small_registry(tmp_path, approved, registrar) as site:
        said = run_python_peer(PROGRAM, f"{site}/reconcile/")

    assert said.returncode == 0, said.stderr
    assert sorted(json.loads(said.stdout.splitlines()[-1])) == [
        ["0-395-36341-1", "isbn", True],
        ["ISSN", "issn", True],
        ["seedbank", "seedbank", True],
        ["urn:isbn:0395363411", "isbn", True],
    ]
