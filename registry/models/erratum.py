"""What readers say is wrong in an entry."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from registry.validators import validate_no_control_characters


class Erratum(models.Model):
    """An error that somebody found in an entry, and the registrar's answer.

    It is public once the registrar has looked and shows it. Nobody is recorded as its author.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="errata",
        on_delete=models.PROTECT,
    )
    text = models.TextField(_("text"), validators=[validate_no_control_characters])
    sent_at = models.DateTimeField(_("sent"))
    answer = models.TextField(_("answer"), blank=True, validators=[validate_no_control_characters])
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    is_shown = models.BooleanField(_("shown"), default=False)

    public_fields = ("id", "namespace", "text", "sent_at", "answer", "answered_at", "is_shown")

    class Meta:
        ordering = ["-sent_at", "-pk"]
        verbose_name = _("erratum")
        verbose_name_plural = _("errata")
        constraints = [
            models.CheckConstraint(
                name="erratum_shown_once_answered",
                condition=models.Q(is_shown=False) | models.Q(answered_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"erratum {self.pk} of {self.namespace}"

    def get_absolute_url(self) -> str:
        return reverse("namespaces:errata", args=[self.namespace.nid]) + f"#e{self.pk}"
