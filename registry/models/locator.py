"""The gateway's tables: which name is where."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.choices import TableState


class LocatorTable(models.Model):
    """A table of names and locators that an organization loads for its namespace.

    Rows are seen by nobody until the whole table is there: then it takes the place of the one
    before, in one step.
    """

    namespace = models.ForeignKey(
        "registry.Namespace",
        verbose_name=_("namespace"),
        related_name="locator_tables",
        on_delete=models.PROTECT,
    )
    loaded_by = models.ForeignKey(
        "registry.User",
        verbose_name=_("loaded by"),
        related_name="locator_tables",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty where whoever runs the registry loaded it."),
    )
    file_name = models.CharField(_("file"), max_length=200)
    state = models.CharField(_("state"), max_length=8, choices=TableState)
    sha256 = models.CharField(_("SHA-256 of the file"), max_length=64, blank=True)
    bytes_given = models.PositiveBigIntegerField(_("bytes"), null=True, blank=True)
    bytes_read = models.PositiveBigIntegerField(_("bytes read"), default=0)
    rows_read = models.PositiveBigIntegerField(_("rows read"), default=0)
    rows = models.PositiveBigIntegerField(_("rows"), default=0)
    refused = models.PositiveBigIntegerField(_("refused lines"), default=0)
    report = models.JSONField(_("report of refused lines"), default=list)
    started_at = models.DateTimeField(_("started"))
    moved_at = models.DateTimeField(_("last progress"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        verbose_name = _("locator table")
        verbose_name_plural = _("locator tables")
        constraints = [
            models.UniqueConstraint(
                fields=["namespace"],
                condition=models.Q(state=TableState.CURRENT),
                name="locator_table_one_current",
            )
        ]

    def __str__(self) -> str:
        return f"{self.file_name} of {self.namespace}"


class Locator(models.Model):
    """One row: where the thing is that a name names.

    `key` is a digest of the name as it is compared: it finds a row as quickly whatever the length
    of names, and rows that come in its order are written one after the other. `name` is the NSS
    as the organization wrote it.
    """

    pk = models.CompositePrimaryKey("table", "key")
    table = models.ForeignKey(
        LocatorTable, related_name="locators", on_delete=models.CASCADE, db_index=False
    )
    key = models.BinaryField(max_length=16)
    name = models.CharField(_("name"), max_length=2000)
    locator = models.CharField(_("locator"), max_length=2000)

    class Meta:
        verbose_name = _("locator")
        verbose_name_plural = _("locators")

    def __str__(self) -> str:
        return self.name
