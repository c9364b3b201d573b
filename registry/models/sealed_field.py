"""A column whose text the database alone does not tell."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from django.db import models

from registry.secret_box import SecretUnreadable, decrypt_secret, encrypt_secret

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    TextField = models.TextField[str, str]
else:
    TextField = models.TextField


class SealedField(TextField):
    """A short text, encrypted in the database and plain in Python.

    It is encrypted another way each time, so no query finds it by what it says.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the text as the database keeps it."""
        plain = super().get_prep_value(value)
        return plain if plain is None else encrypt_secret(plain)

    def from_db_value(self, value: str | None, *_about: object) -> str | None:
        """Return what the database keeps as it was; nothing where its key is lost.

        So a row whose secret is lost can still be read, and be given another.
        """
        if value is None:
            return None
        try:
            return decrypt_secret(value)
        except SecretUnreadable as reason:
            logger.error("%s.%s: %s", self.model.__name__, self.name, reason)
            return ""

    def get_lookup(self, lookup_name: str) -> Any:
        """Refuse to look for it, which would find nothing and say nothing."""
        if lookup_name != "isnull":
            raise TypeError("What is sealed is not looked for: read the row and compare.")
        return super().get_lookup(lookup_name)
