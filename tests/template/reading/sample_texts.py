"""Texts for testing the reader, written by us in the style of real ones."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "fixtures"
NAMES = tuple(sorted(path.name for path in FOLDER.iterdir()))


def text_of(name: str) -> str:
    """The text of a fixture, with its form feeds and line ends unchanged."""
    return (FOLDER / name).read_bytes().decode("utf-8")
