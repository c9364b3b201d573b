"""The two kinds of rows in the administration: those for reading, and those for editing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models, transaction
from django.http import HttpRequest

from registry.admin.site import site
from registry.admin.telling import changed, note, rows_of, rows_saved, said

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


SECRETS = frozenset({"key", "secret", "previous_secret", "password"})
"""Columns that let whoever knows them act for somebody; nobody is shown them."""


class Entered(ModelAdmin):
    """Rows that whoever may enter may read."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the person may enter."""
        return site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the person may enter."""
        return site.has_permission(request)


class Readable(Entered):
    """Rows that nobody writes here. Every column shows, those too that are never typed."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes."""
        return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Show every column, unless some are named."""
        columns = (*self.opts.fields, *self.opts.many_to_many)
        return list(self.fields or (each.name for each in columns if each.name not in SECRETS))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Show them as text."""
        return self.get_fields(request, obj)


class Editable(Entered):
    """Rows that administrators edit; each saving and each deletion is one line of the journal."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether the person may enter."""
        return site.has_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the person may enter."""
        return site.has_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the person may enter."""
        return site.has_permission(request)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save what the row is tied to; then all is saved that the event tells of."""
        super().save_related(request, form, formsets, change)
        verb = "admin.change" if change else "admin.add"
        rows = rows_saved(form, is_new=not change)
        note(request, form.instance, verb, {"changed": changed(form)}, rows)

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        """Delete one row, and keep in the journal what it said."""
        with transaction.atomic():
            was, rows = said(obj, self.fields or ()), rows_of(obj)
            super().delete_model(request, obj)
            note(request, obj, "admin.delete", {"was": was}, rows)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> None:
        """Delete rows one by one, all or none."""
        with transaction.atomic():
            for obj in queryset:
                self.delete_model(request, obj)
