"""Findings on careful documents of record, from the folder in REGISTRY_TEST_RECORDS."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.findings import (
    CAREFUL_RFCS,
    MAX_CONSIDERATIONS,
    check_document,
)
from benchmarks.reader import RECORDS_VARIABLE
from registry.urn import Severity

FOLDER = Path(os.environ[RECORDS_VARIABLE])


@pytest.mark.parametrize("number", CAREFUL_RFCS)
def test_careful_document_is_blocked_by_nothing_and_asked_few_things(number: int) -> None:
    told = check_document(FOLDER, number)

    assert [each for each in told.findings if each.severity is Severity.BLOCK] == []
    considered = [each.check for each in told.findings if each.severity is Severity.WARN]
    assert len(considered) <= MAX_CONSIDERATIONS, considered
