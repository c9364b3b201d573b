"""The search index: what can be found, and the words that find it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from registry.enums import SearchKind


class SearchDocument(models.Model):
    """One public thing as search finds it. Only `registry.search.index` writes it.

    `stems` has each stem once, and is what the database searches: SQLite with an FTS5 table that
    triggers keep in step with this one, PostgreSQL with an index of the same text (see the
    migrations). `fields` has the stems of each field in order, which results are ranked by.
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
    """A word of the index: its stem, and how many documents contain it.

    These words correct typing mistakes. A word no longer in any document is deleted with the change
    that removed it.
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
