"""The door of the administration: who gets in is asked of our rules."""

from __future__ import annotations

from functools import update_wrapper
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _, gettext_lazy

from registry import rules
from registry.models import User


class Administration(admin.AdminSite):
    """The administration's pages, for administrators alone."""

    site_header = site_title = gettext_lazy("URN Namespace Registry: administration")
    index_title = gettext_lazy("Accounts, roles, organizations and lists")

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the person is an administrator who may enter, or a superuser."""
        person = request.user
        if not isinstance(person, User) or not person.is_active:
            return False
        return person.is_superuser or (person.is_staff and rules.is_administrator(person))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Ask strangers to sign in, and tell whoever is signed in who may enter."""
        inner = super().admin_view(view, cacheable)

        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.user.is_authenticated and not self.has_permission(request):
                raise PermissionDenied(_("The administration is for administrators."))
            response: HttpResponseBase = inner(request, *args, **kwargs)
            return response

        return update_wrapper(asked, inner)


site = Administration(name="admin")
