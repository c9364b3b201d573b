"""Judging passwords by the guesses they take, with words that attackers of this site try first."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

from registry.models import User

LEAST_SCORE: Final = 3
"""Out of four: it takes more than 10**8 guesses."""
MAX_JUDGED: Final = 72
"""zxcvbn judges no more; a longer password is judged by its beginning, and stored whole."""
SITE_WORDS: Final = (
    *("urn", "urns", "nid", "nss", "namespace", "namespaces", "registry", "register"),
    *("registrar", "registrant", "expert", "identifier", "iana", "ietf", "rfc", "8141", "rfc8141"),
    *("2141", "rfc2141", "demonstration", "northlight", "saltmarsh"),
)
"""What an attacker of this site tries first."""
SEPARATORS: Final = re.compile(r"[\W_]+")


class GuessesValidator:
    """Refuses passwords that take too few guesses; listed in `AUTH_PASSWORD_VALIDATORS`."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise `ValidationError` if the password is too easy to guess."""
        if count_score(password, collect_known_words(user)) < LEAST_SCORE:
            raise ValidationError(
                _(
                    "This password is easy to guess. Use three or four unrelated words, or let "
                    "a password manager create one."
                ),
                code="password_too_guessable",
            )

    def get_help_text(self) -> str:
        """Return the requirement for passwords."""
        return _("It must not be easy to guess. Several unrelated words are good.")


def count_score(password: str, known: list[str]) -> int:
    """Return zxcvbn's score, from 0 to 4, of the password without spaces and known words.

    zxcvbn thinks that three known words in a row take many guesses; an attacker needs few.
    """
    judged = password[:MAX_JUDGED]
    words = sorted(map(re.escape, known), key=len, reverse=True)
    left = SEPARATORS.sub("", re.sub("|".join(words), "", judged, flags=re.IGNORECASE))
    if not left:
        return 0
    return min(int(zxcvbn(text, user_inputs=known)["score"]) for text in (judged, left))


def collect_known_words(user: Any) -> list[str]:
    """Return words connected with the site and the password's owner."""
    known = list(SITE_WORDS)
    if isinstance(user, User):
        about = f"{user.name} {user.email}"
        known += [about, user.email, *(word for word in SEPARATORS.split(about) if len(word) > 2)]
    return known
