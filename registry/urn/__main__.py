"""Entry point of `python -m registry.urn`."""

from __future__ import annotations

import sys

from registry.urn.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
