"""Judging passwords by how many guesses they take, with the words that people guess here first."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

from registry.models import User

LEAST_SCORE: Final = 3
"""Of four: it takes more than 10**8 guesses."""
MAX_JUDGED: Final = 72
"""zxcvbn judges no more; what is longer is judged by its beginning, and kept whole."""
SITE_WORDS: Final = (
    *("urn", "urns", "nid", "nss", "namespace", "namespaces", "registry", "register"),
    *("registrar", "registrant", "expert", "identifier", "iana", "ietf", "rfc", "8141", "rfc8141"),
    *("2141", "rfc2141", "demonstration", "northlight", "saltmarsh"),
)
"""What somebody who guesses at a password of this site tries first."""
SEPARATORS: Final = re.compile(r"[\W_]+")


class GuessesValidator:
    """Refuses passwords that take too few guesses, as `AUTH_PASSWORD_VALIDATORS` names it."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise `ValidationError` where the password is guessed too soon."""
        if count_score(password, collect_known_words(user)) < LEAST_SCORE:
            raise ValidationError(
                _(
                    "This password is easy to guess. Use three or four unrelated words, or let "
                    "a password manager create one."
                ),
                code="password_too_guessable",
            )

    def get_help_text(self) -> str:
        """Return what is asked of a password."""
        return _("It must not be easy to guess. Several unrelated words are good.")


def count_score(password: str, known: list[str]) -> int:
    """Return zxcvbn's score, from 0 to 4, of what is left without blanks and known words.

    Three of them in a row have many guesses by its reckoning, and few by that of an attacker.
    """
    judged = password[:MAX_JUDGED]
    words = sorted(map(re.escape, known), key=len, reverse=True)
    left = SEPARATORS.sub("", re.sub("|".join(words), "", judged, flags=re.IGNORECASE))
    if not left:
        return 0
    return min(int(zxcvbn(text, user_inputs=known)["score"]) for text in (judged, left))


def collect_known_words(user: Any) -> list[str]:
    """Return what is known of the site and of whose password it is to be."""
    known = list(SITE_WORDS)
    if isinstance(user, User):
        about = f"{user.name} {user.email}"
        known += [about, user.email, *(word for word in SEPARATORS.split(about) if len(word) > 2)]
    return known
