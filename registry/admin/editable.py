"""What administrators edit: accounts with their roles, organizations and reserved lists."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext as _

from registry.admin.base import EditableAdmin, site
from registry.models import Organization, ReservedName, User


@admin.register(User, site=site)
class AccountAdmin(EditableAdmin):
    """Accounts and their roles. None is deleted: it is switched off, and what was done stays."""

    fields = ("email", "name", "organization", "is_active", "is_staff", "groups")
    filter_horizontal = ("groups",)
    list_display = ("email", "name", "organization", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "groups")
    list_select_related = ("organization",)
    search_fields = ("email", "name", "organization__name")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Whether the person may enter; only a superuser changes another's account."""
        is_above = obj is not None and obj.is_superuser and not request.user.is_superuser
        return site.has_permission(request) and not is_above

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody deletes an account."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Nobody locks themselves out."""
        return ("is_active", "is_staff") if obj is not None and obj == request.user else ()

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Call groups what they are here."""
        told = {"label": _("Roles"), "help_text": _("What this person may do in the registry.")}
        return super().formfield_for_manytomany(db_field, request, **told, **kwargs)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save an account; a new address has to be confirmed before it opens the door."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            EmailAddress.objects.filter(user=obj).delete()
            EmailAddress.objects.create(user=obj, email=obj.email.lower(), primary=True)


@admin.register(Organization, site=site)
class OrganizationAdmin(EditableAdmin):
    """Registrant bodies, their delegates, and who was recognised for the fast track."""

    fields = ("name", "website", "delegates", "recognised_on", "recognition_source")
    filter_horizontal = ("delegates",)
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    list_display = ("name", "website", "recognised_on")
    list_filter = (("recognised_on", admin.EmptyFieldListFilter),)
    search_fields = ("name", "website", "recognition_source")

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Organization | None:
        """Return a row, nobody else's to change while it is saved: the journal says what it was."""
        found: Organization | None = super().get_object(request, object_id, from_field)
        if found is None or request.method != "POST":
            return found
        return Organization.objects.select_for_update(no_key=True).filter(pk=found.pk).first()


@admin.register(ReservedName, site=site)
class ReservedNameAdmin(EditableAdmin):
    """Names from elsewhere that a NID might be mistaken for."""

    fields = ("list", "name", "note")
    list_display = ("name", "list", "note")
    list_filter = ("list",)
    search_fields = ("name", "note")
