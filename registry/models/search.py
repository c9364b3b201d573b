"""The search index: what can be found, and the words that it is found by."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.enums import SearchKind


class SearchDocument(models.Model):
    """One thing that anybody may read, as search finds it. `registry.search.index` alone writes it.

    `stems` has each stem once, and is what the database searches: SQLite by an FTS5 table that
    follows this one by triggers, PostgreSQL by an index of the same text (migrations say how).
    `fields` has the stems of each field in their order, by which results are ranked.
    """

    kind = models.CharField(_("kind"), max_length=12, choices=SearchKind)
    key = models.CharField(
        _("key"), max_length=200, help_text=_("What tells it from others of its kind.")
    )
    url = models.CharField(_("address"), max_length=300)
    title = models.CharField(_("title"), max_length=300)
    summary = models.TextField(_("summary"), blank=True)
    fields = models.JSONField(_("stems of each field"), default=dict)
    words = models.JSONField(_("words as written"), default=list)
    stems = models.TextField(_("every stem once"), blank=True)

    class Meta:
        ordering = ["kind", "key"]
        verbose_name = _("search document")
        verbose_name_plural = _("search documents")
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="search_document_once")]

    def __str__(self) -> str:
        return self.title


class SearchWord(models.Model):
    """A word of the index: its stem, and in how many documents it occurs.

    Typing mistakes are mended by these words. One that is in no document any more is deleted with
    the change that took it away.
    """

    word = models.CharField(_("word"), max_length=60, primary_key=True)
    stem = models.CharField(_("stem"), max_length=60, db_index=True)
    documents = models.PositiveIntegerField(_("documents"))

    class Meta:
        ordering = ["word"]
        verbose_name = _("search word")
        verbose_name_plural = _("search words")

    def __str__(self) -> str:
        return self.word
