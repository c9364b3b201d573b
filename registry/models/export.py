"""Files of the whole registry that the worker built; the files themselves are in a store."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

DUMP_NAME: Final = "registry-dump.jsonl"
"""The public dump, which is kept by day."""


class BuiltExportQuerySet(models.QuerySet["BuiltExport"]):
    def newest_first(self, name: str) -> BuiltExportQuerySet:
        """Return the builds under this name; the first is served."""
        return self.filter(name=name).order_by("-pk")


class BuiltExport(models.Model):
    """One built file: its path in the store, its digest, and the state it describes.

    All servers read this row, so that they all serve the same octets.
    """

    name = models.CharField(_("file"), max_length=100, db_index=True)
    path = models.CharField(_("name in the store"), max_length=200)
    size = models.PositiveBigIntegerField(_("octets"))
    sha256 = models.CharField(_("SHA-256 of its octets"), max_length=64)
    packed_size = models.PositiveBigIntegerField(
        _("octets in gzip"), null=True, blank=True, help_text=_("None for a short file.")
    )
    changed_at = models.DateTimeField(_("changed"), null=True, blank=True)
    state = models.CharField(
        _("state"), max_length=100, help_text=_("Of what it tells of the registry.")
    )
    release = models.CharField(_("release that built it"), max_length=64)
    line = models.PositiveIntegerField(
        _("line"), help_text=_("The last line of the journal when it was begun.")
    )
    built_at = models.DateTimeField(_("built"))
    seconds = models.FloatField(_("seconds it took"))
    note = models.TextField(
        _("signed note"),
        blank=True,
        default="",
        db_default="",
        help_text=_("By the key of the log, about a dump; empty until it is signed."),
    )

    objects = BuiltExportQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-id"]
        verbose_name = _("built file")
        verbose_name_plural = _("built files")

    def __str__(self) -> str:
        return self.name
