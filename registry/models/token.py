"""Keys with which people's programs use the API."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from registry.validators import validate_no_control_characters


class Token(AbstractAuthToken):
    """What a program shows in place of a password; only a digest of it is kept.

    `form_key` was made with the form it came from: a second click finds the token again.
    """

    name = models.CharField(
        _("what it is for"), max_length=80, validators=[validate_no_control_characters]
    )
    form_key = models.UUIDField(unique=True, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        """Whether it opens nothing any more."""
        return self.expiry is not None and self.expiry <= timezone.now()
