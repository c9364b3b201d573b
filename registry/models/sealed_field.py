"""A column whose text the database alone does not reveal."""

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

    Its ciphertext differs each time, so no query can find it by content.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the text as the database stores it."""
        plain = super().get_prep_value(value)
        return plain if plain is None else encrypt_secret(plain)

    def from_db_value(self, value: str | None, *_about: object) -> str | None:
        """Return the stored text decrypted; nothing if its key is lost.

        So a row whose secret is lost can still be read, and be given a new one.
        """
        if value is None:
            return None
        try:
            return decrypt_secret(value)
        except SecretUnreadable as reason:
            logger.error("%s.%s: %s", self.model.__name__, self.name, reason)
            return ""

    def get_lookup(self, lookup_name: str) -> Any:
        """Refuse queries by this column, which would silently find nothing."""
        if lookup_name != "isnull":
            raise TypeError("What is sealed is not looked for: read the row and compare.")
        return super().get_lookup(lookup_name)
