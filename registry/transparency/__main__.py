"""The command line: `python -m registry.transparency`."""

from __future__ import annotations

import sys

from registry.transparency.command import run

if __name__ == "__main__":
    sys.exit(run())
