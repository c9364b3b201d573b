"""Entry point of `urn`, and of `python -m` with the name of the package."""

from __future__ import annotations

import sys
from importlib import import_module

from .version import __version__, find_program_name


def run() -> int:
    """Run the command that the arguments give, and return its exit status."""
    if sys.argv[1:] == ["--version"]:
        # The modules of all commands take as long to import as Python takes to start.
        print(f"{find_program_name()} {__version__}")
        return 0
    status: int = import_module(".command", __package__).main(sys.argv[1:])
    return status


if __name__ == "__main__":
    sys.exit(run())
