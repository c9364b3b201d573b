"""How surely it is known who acts: in a session since when, or by a token for what.

Doors say it for as long as they answer (`acting_with`); acts for which being signed in is not
enough ask `require_confirmation`, whichever door they come by. Commands and the clock have no door:
whoever runs the server acts there, and nobody is asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from registry.enums import TokenScope
from registry.errors import RegistryError
from registry.models import User


@dataclass(frozen=True, slots=True)
class Assurance:
    """What a door knows of whoever it serves; times are those of `time.time`, zero for never.

    `word_at` is when a password or the code of a letter was given, `factor_at` when a second factor
    was. `scopes` are those of a token, and nothing in a session.
    """

    word_at: float = 0.0
    factor_at: float = 0.0
    scopes: frozenset[TokenScope] | None = None


NOBODY: Final = Assurance()
AssuranceFinder = Callable[[], Assurance]
_current: ContextVar[AssuranceFinder | None] = ContextVar("assurance", default=None)


class ConfirmationNeeded(RegistryError):
    """Whoever acts has to show once more who they are; pages lead there and back."""

    status = HTTPStatus.FORBIDDEN


class ScopeMissing(RegistryError):
    """The token was not made for this."""

    status = HTTPStatus.FORBIDDEN


@contextmanager
def acting_with(find: AssuranceFinder) -> Iterator[None]:
    """Within the block, have acts ask `find` how surely it is known who acts."""
    before = _current.set(find)
    try:
        yield
    finally:
        _current.reset(before)


def replace_assurance(found: Assurance) -> None:
    """Have the rest of the answer that is under way be given with `found`: a token was shown."""
    _current.set(lambda: found)


def is_confirmed(person: User, found: Assurance) -> bool:
    """Whether `person` showed a moment ago who they are, by their factor if they have one."""
    shown = found.factor_at if person.has_second_factor else max(found.word_at, found.factor_at)
    return time.time() - shown < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def require_confirmation(person: User) -> None:
    """Raise where it is not known surely enough who acts.

    Raises `ScopeMissing` for a token that was not made to publish, `ConfirmationNeeded` in a
    session in which nothing was shown of late.
    """
    find = _current.get()
    if find is None:
        return
    found = find()
    if found.scopes is not None:
        require_scope(TokenScope.PUBLISH, found)
    elif not is_confirmed(person, found):
        raise ConfirmationNeeded(
            _("Confirm that it is you first: this needs more than being signed in.")
        )


def require_scope(scope: TokenScope, found: Assurance) -> None:
    """Raise `ScopeMissing` where a token was not made for `scope`; a session is for everything."""
    if found.scopes is not None and scope not in found.scopes:
        raise ScopeMissing(
            _("This token does not allow that. Create one with the scope “%(scope)s”.")
            % {"scope": scope.label}
        )
