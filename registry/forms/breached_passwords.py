"""Passwords known from breaches elsewhere, looked up in a local file."""

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
"""Follows every digest."""


class BreachedPasswordValidator:
    """Refuses passwords in `REGISTRY_BREACHED_PASSWORDS`; without such a file, none."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise `ValidationError` if the password is in the file."""
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
        """Return the requirement for passwords."""
        return _("It must not be one that was leaked from another site.")


def is_breached(password: str, path: Path) -> bool:
    """Whether the SHA-1 of a password begins a line of the sorted file.

    This reads some forty places in the file, however large it is. Raises `OSError` if it is
    missing.
    """
    sought = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        place = bisect_left(range(size), sought, key=lambda each: read_digest(file, each))
        return read_digest(file, place) == sought


def read_digest(file: IO[bytes], place: int) -> bytes:
    """Return the digest of the first line that begins at or after `place`."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    return file.readline()[:DIGEST_LETTERS] or AFTER_ALL
