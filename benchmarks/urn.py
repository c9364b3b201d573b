"""Run the benchmarks of the URN library: `python benchmarks/urn.py`, from anywhere.

What is measured, and how, stands in `measuring.py`; the last figures in `README.md`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from runpy import run_module

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    run_module("benchmarks.measuring", run_name="__main__")
