"""The documents belong to others, and are not in this repository; see benchmarks/reader.py."""

from __future__ import annotations

import os

from benchmarks.reader import RECORDS_VARIABLE

collect_ignore = [] if os.environ.get(RECORDS_VARIABLE) else ["test_documents_of_record.py"]
