"""From the bytes of a file to its text: UTF-8 and nothing else."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path

from registry.loading.defects import BadFiles, Defect

# UTF-32 first: its mark in little-endian order begins with that of UTF-16.
OTHERS = (
    (BOM_UTF32_LE, "UTF-32"),
    (BOM_UTF32_BE, "UTF-32"),
    (BOM_UTF16_LE, "UTF-16"),
    (BOM_UTF16_BE, "UTF-16"),
)


def read_text(path: Path) -> str:
    """Return the text of a file, without its byte order mark.

    Raises `BadFiles` when it cannot be opened, is empty, or is in another encoding; then with
    the line and the byte of each place.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise refused(path, 0, f"It cannot be read: {error.strerror}.") from None
    for mark, encoding in OTHERS:
        if content.startswith(mark):
            raise refused(path, 1, f"The file is in {encoding}. Save it as UTF-8.")
    content = content.removeprefix(BOM_UTF8)
    if not content.strip():
        raise refused(path, 0, "The file is empty.")
    defects = [
        Defect(path.name, number, trouble)
        for number, line in enumerate(content.splitlines(), start=1)
        if (trouble := trouble_in(line))
    ]
    if defects:
        raise BadFiles(defects)
    return content.decode()


def trouble_in(line: bytes) -> str:
    """Return what keeps the bytes of a line from being text, empty where nothing does."""
    if b"\0" in line:
        place = line.index(b"\0") + 1
        return f"Byte {place} is zero. The file may be in UTF-16; save it as UTF-8."
    try:
        line.decode()
    except UnicodeDecodeError as error:
        byte = f"Byte {error.start + 1} (0x{line[error.start]:02X})"
        return f"{byte} is not UTF-8. The file may be in Latin-1; save it as UTF-8."
    return ""


def refused(path: Path, line: int, text: str) -> BadFiles:
    """Return the refusal of a file for one reason."""
    return BadFiles([Defect(path.name, line, text)])
