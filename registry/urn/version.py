"""The version of the library and of its distribution, and the name of its program."""

import os
import sys

__version__ = "1.0.0"


def find_program_name() -> str:
    """How the program was started: `urn`, or Python with the name of the package."""
    if os.path.basename(sys.argv[0]) in ("urn", "urn.exe"):  # noqa: PTH119
        return "urn"
    return f"python -m {__package__}"
