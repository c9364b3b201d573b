"""The documents belong to others and are not in this repository (benchmarks/findings.py)."""

from __future__ import annotations

import os

from benchmarks.reader import RECORDS_VARIABLE

collect_ignore = [] if os.environ.get(RECORDS_VARIABLE) else ["test_careful_documents.py"]
