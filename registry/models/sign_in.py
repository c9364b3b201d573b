"""From where people have signed in."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SignInSource(models.Model):
    """A network or a browser that an account has been used from."""

    user = models.ForeignKey("registry.User", related_name="+", on_delete=models.CASCADE)
    digest = models.CharField(
        max_length=64,
        help_text=_("A keyed digest: the table tells nobody from where people sign in."),
    )
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "digest"], name="one_row_for_each_source")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.digest[:8]}"
