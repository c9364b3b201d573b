"""The documents belong to others and are not in this repository (benchmarks/findings.py)."""

from __future__ import annotations

import os

from benchmarks.findings import RECORDS_FOLDER_VARIABLE

collect_ignore = [] if os.environ.get(RECORDS_FOLDER_VARIABLE) else ["test_careful_documents.py"]
