"""Readers' messages to the registrar, without an account."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.validators import validate_no_control_characters


class Report(models.Model):
    """A message to the registrar about a page. Only registrars can read it.

    It is open until a registrar closes it, with an answer if there is an address to send one to.
    """

    page = models.CharField(
        _("page"), max_length=500, blank=True, help_text=_("The path that it is about.")
    )
    text = models.TextField(_("text"), validators=[validate_no_control_characters])
    name = models.CharField(_("name"), max_length=200, blank=True)
    address = models.EmailField(_("mail address"), blank=True)
    author = models.ForeignKey(
        "registry.User",
        verbose_name=_("author"),
        related_name="reports",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Where they were signed in."),
    )
    sent_at = models.DateTimeField(_("sent"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("closed by"),
        related_name="closed_reports",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    answer = models.TextField(_("answer"), blank=True, validators=[validate_no_control_characters])

    class Meta:
        ordering = ["-sent_at", "-pk"]
        verbose_name = _("report of a reader")
        verbose_name_plural = _("reports of readers")
        constraints = [
            models.CheckConstraint(
                name="report_closed_says_by_whom",
                condition=models.Q(closed_at__isnull=True, closed_by__isnull=True)
                | models.Q(closed_at__isnull=False, closed_by__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"report {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("publish:report", args=[self.pk])
