"""Experts on requests."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Who is on a request, and who stepped back."""

    def active(self) -> AssignmentQuerySet:
        """Return the assignments whose expert has not stepped back."""
        return self.filter(recused_at__isnull=True)


class Assignment(models.Model):
    """An expert on a request: declared free of conflict, or recused."""

    registration_request = models.ForeignKey(
        "registry.RegistrationRequest",
        verbose_name=_("request"),
        related_name="assignments",
        on_delete=models.PROTECT,
    )
    expert = models.ForeignKey(
        "registry.User",
        verbose_name=_("expert"),
        related_name="assignments",
        on_delete=models.PROTECT,
    )
    assigned_at = models.DateTimeField(_("since"))
    recused_at = models.DateTimeField(_("stepped back"), null=True, blank=True)
    reason = models.TextField(_("reason for stepping back"), blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["assigned_at"]
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        constraints = [
            models.UniqueConstraint(
                fields=["registration_request", "expert"], name="assignment_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.expert} on {self.registration_request}"
