"""Answers that a program may ask for twice."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Answered(models.Model):
    """What a program was answered under an `Idempotency-Key`: the same key, the same answer."""

    person = models.ForeignKey("registry.User", related_name="+", on_delete=models.CASCADE)
    key = models.CharField(max_length=255)
    digest = models.CharField(
        max_length=64, help_text=_("SHA-256 of method, address and body: what was asked.")
    )
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="answered_once")]

    def __str__(self) -> str:
        return self.key
