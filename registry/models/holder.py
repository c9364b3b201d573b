"""Consents of holders that a code from a letter confirms."""

from __future__ import annotations

import secrets
from typing import Final

from django.db import models
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

CONFIRMATION_ALPHABET: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words result, and nothing that looks like a digit."""


def make_confirmation_code() -> str:
    """Return a new code for a letter, short enough to type."""
    return get_random_string(8, CONFIRMATION_ALPHABET)


def is_same_code(code: str, typed: str) -> bool:
    """Whether `typed` is the code, ignoring case and spaces."""
    said = "".join(typed.split()).upper().encode("utf-8", "replace")
    return bool(code) and secrets.compare_digest(code.encode(), said)


class WordConfirmation(models.Model):
    """A person's consent to a round must be confirmed with a code from a letter.

    Only a transfer and a change of status require it. The consent takes effect some days later.
    """

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="word_confirmations",
        on_delete=models.PROTECT,
    )
    person = models.ForeignKey(
        "registry.User",
        verbose_name=_("person"),
        related_name="word_confirmations",
        on_delete=models.PROTECT,
    )
    sha256 = models.CharField(_("SHA-256 of the text"), max_length=64)
    code = models.CharField(max_length=16, default=make_confirmation_code, editable=False)
    asked_at = models.DateTimeField(_("asked"))
    attempts = models.PositiveSmallIntegerField(_("typed wrongly"), default=0)
    letters = models.PositiveSmallIntegerField(_("letters written"), default=1)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)

    class Meta:
        ordering = ["asked_at"]
        verbose_name = _("confirmation of a word")
        verbose_name_plural = _("confirmations of words")
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "person", "sha256"], name="word_confirmed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} on {self.registration_request}"
