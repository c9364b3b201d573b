"""The vectors for other languages are those of these tests, and the file is up to date."""

from __future__ import annotations

import json
from typing import Any

import pytest

from registry.urn import URNSyntaxError, find, is_valid, nid, parse, uri
from tests.urn.vectors import FILE, write_vectors

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text("utf-8"))["vectors"]


def test_file_has_the_cases_of_the_tests() -> None:
    assert FILE.read_text("utf-8") == write_vectors(), "run: python -m tests.urn.vectors"


def test_every_vector_says_where_its_rule_stands() -> None:
    sections = {each["section"] for vectors in VECTORS.values() for each in vectors}

    assert sum(map(len, VECTORS.values())) > 400
    assert all(
        section.startswith(("RFC ", "draft", "local rule")) and not section.endswith("section ")
        for section in sections
    )


def test_vectors_hold_when_they_are_read_from_the_file_alone() -> None:
    for vector in VECTORS["urn_valid"]:
        urn = parse(vector["text"])
        assert urn.parts == {name: vector[name] for name in urn.parts}
        assert urn.assigned_name == vector["assigned_name"]
    for vector in VECTORS["urn_invalid"]:
        assert not is_valid(vector["text"])
        with pytest.raises(URNSyntaxError) as refusal:
            parse(vector["text"])
        where = (refusal.value.position, refusal.value.component, refusal.value.rule)
        assert where == (vector["position"], vector["component"], vector["rule"])
    for vector in VECTORS["urn_equivalence"]:
        one, other = parse(vector["first"]), parse(vector["second"])
        assert one.is_equivalent_to(other) is vector["equivalent"]
    for vector in VECTORS["uri_resolution"]:
        target = uri.resolve_reference(vector["base"], vector["reference"])
        assert target == vector["target"]
    for vector in VECTORS["uri_ladder"]:
        assert uri.compare_uris(vector["first"], vector["second"]).rung == vector["rung"]
    for vector in VECTORS["find"]:
        assert [found.text for found in find(vector["text"])] == vector["uris"]
    for vector in VECTORS["nid"]:
        findings = nid.check(vector["nid"], set(vector["registered"]))
        assert [finding.source for finding in findings] == vector["broken"]
