"""Passwords that were given away in breaches elsewhere, looked up in a file of this machine."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

DIGEST_LETTERS: Final = 40
AFTER_ALL: Final = b"~"
"""Stands behind every digest."""


class BreachedPasswordValidator:
    """Refuses passwords of `REGISTRY_BREACHED_PASSWORDS`; without such a file, none."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise `ValidationError` where the password is in the file."""
        path = settings.REGISTRY_BREACHED_PASSWORDS
        if path and is_breached(password, Path(path)):
            raise ValidationError(
                _(
                    "This password was leaked from another site, and attackers try it "
                    "everywhere. Choose one that you have never used."
                ),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        """Return what is asked of a password."""
        return _("It must not be one that was leaked from another site.")


def is_breached(password: str, path: Path) -> bool:
    """Whether the SHA-1 of a password begins a line of the file, whose lines are in order.

    The file is read in some forty places, however large it is. Raises `OSError` where it is gone.
    """
    sought = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        place = bisect_left(range(size), sought, key=lambda each: read_digest(file, each))
        return read_digest(file, place) == sought


def read_digest(file: IO[bytes], place: int) -> bytes:
    """Return the digest of the first line that begins at `place` or behind it."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    return file.readline()[:DIGEST_LETTERS] or AFTER_ALL
