"""How much a person's programs have written of late."""

from __future__ import annotations

from django.db import models


class Allowance(models.Model):
    """How often somebody has written since the span began that is counted now."""

    person = models.OneToOneField(
        "registry.User", related_name="+", on_delete=models.CASCADE, primary_key=True
    )
    since = models.DateTimeField()
    spent = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.person}: {self.spent}"
