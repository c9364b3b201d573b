"""Why a dump is not loaded."""

from __future__ import annotations


class Refused(Exception):
    """A dump cannot be loaded; its text says where and why. Nothing has changed then."""


def on_line(number: int, what: str) -> Refused:
    """Return the refusal of a line of the file."""
    return Refused(f"Line {number}: {what}")
