"""Names from elsewhere that a NID might be mistaken for."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.choices import ReservedList


class ReservedName(models.Model):
    """One entry of a reserved list: likeness to it is to be considered, never a block.

    RFC 8141, section 5.1 asks applicants and reviewers for attention to such strings.
    """

    list = models.CharField(_("list"), max_length=12, choices=ReservedList)
    name = models.CharField(_("name"), max_length=63, help_text=_("In lower case."))
    note = models.CharField(_("what it stands for"), max_length=200, blank=True)

    class Meta:
        ordering = ["name", "list"]
        verbose_name = _("reserved name")
        verbose_name_plural = _("reserved names")
        constraints = [
            models.UniqueConstraint(fields=["list", "name"], name="reserved_name_unique"),
            models.CheckConstraint(
                name="reserved_name_lower",
                condition=models.Q(name=models.functions.Lower("name")),
                violation_error_message=_("Write the name in lower case."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_list_display()})"
