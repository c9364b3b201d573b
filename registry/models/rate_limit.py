"""How often something was done of late, counted for all processes together."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class RateLimit(models.Model):
    """How much is used up of one limit, until the span ends that is counted now."""

    key = models.CharField(
        max_length=200, primary_key=True, help_text=_("What is limited, and for whom.")
    )
    used = models.PositiveIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
