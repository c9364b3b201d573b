"""Run the benchmarks of the URN library: `python benchmarks/urn.py`, from anywhere.

`measuring.py` says what is measured, and how; `README.md` has the last figures.
"""

from __future__ import annotations

import sys
from pathlib import Path
from runpy import run_module

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    run_module("benchmarks.measuring", run_name="__main__")
