"""How certain we are of who is acting: signed in since when, or with a token for what.

Each interface provides this while it responds (`acting_with`); actions for which being signed in is
not enough call `require_confirmation`, whichever interface they come from. Commands and the
scheduler provide nothing: they run on the server, and nobody is asked.
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
    """What an interface knows about its person; times are those of `time.time`, zero for never.

    `word_at` is when a password or a code from a letter was entered, `factor_at` when a second
    factor was. `scopes` are those of a token, and empty for a session.
    """

    word_at: float = 0.0
    factor_at: float = 0.0
    scopes: frozenset[TokenScope] | None = None


NOBODY: Final = Assurance()
AssuranceFinder = Callable[[], Assurance]
_current: ContextVar[AssuranceFinder | None] = ContextVar("assurance", default=None)


class ConfirmationNeeded(RegistryError):
    """The person must confirm who they are; pages redirect there and back."""

    status = HTTPStatus.FORBIDDEN


class ScopeMissing(RegistryError):
    """The token does not have this scope."""

    status = HTTPStatus.FORBIDDEN


@contextmanager
def acting_with(find: AssuranceFinder) -> Iterator[None]:
    """Within the block, let actions use `find` to learn how certain it is who acts."""
    before = _current.set(find)
    try:
        yield
    finally:
        _current.reset(before)


def replace_assurance(found: Assurance) -> None:
    """Use `found` for the rest of the current response: a token was sent."""
    _current.set(lambda: found)


def is_confirmed(person: User, found: Assurance) -> bool:
    """Whether `person` recently confirmed who they are, by a second factor if they have one."""
    shown = found.factor_at if person.has_second_factor else max(found.word_at, found.factor_at)
    return time.time() - shown < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def require_confirmation(person: User) -> None:
    """Raise if it is not certain enough who acts.

    Raises `ScopeMissing` for a token without the scope to publish, `ConfirmationNeeded` in a
    session without a recent confirmation.
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
    """Raise `ScopeMissing` if a token does not have `scope`; a session has all."""
    if found.scopes is not None and scope not in found.scopes:
        raise ScopeMissing(
            _("This token does not allow that. Create one with the scope “%(scope)s”.")
            % {"scope": scope.label}
        )
