"""Permission classes: they check the person; actions check what depends on the row."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from registry import permissions


class IsPersonAllowed(BasePermission):
    """Checks one of the predicates of `registry.permissions`, for writing only."""

    message: ClassVar[str | Promise]
    predicate: ClassVar[Callable[[permissions.Person], bool]]
    free_methods: ClassVar[Collection[str]] = SAFE_METHODS

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether the person may; an unsupported method is refused as such."""
        is_free = request.method in self.free_methods or getattr(view, "action", None) is None
        return is_free or type(self).predicate(request.user)


class IsExpert(IsPersonAllowed):
    """For resources that only experts may read or write."""

    message = _("This is for designated experts.")
    predicate = permissions.is_expert
    free_methods = ()


class IsOfficer(IsPersonAllowed):
    """For days away."""

    message = _("This is for officers of the registry.")
    predicate = permissions.is_officer
    free_methods = ()


class MayManageVocabularies(IsPersonAllowed):
    """For the two registries of draft -03, section 9.2."""

    message = _("Only the registrar can change these registries.")
    predicate = permissions.may_manage_vocabularies


class MayKeepEntries(IsPersonAllowed):
    """For what the registrar records besides the versions of namespaces."""

    message = _("Only the registrar can change the entries of namespaces.")
    predicate = permissions.may_keep_entries


class KeepsEntries(MayKeepEntries):
    """For reports about entries that only the registrar reads."""

    free_methods = ()


class MayKeepRecords(IsPersonAllowed):
    """For imported records, which everyone can read."""

    message = _("Records are kept by the registrar.")
    predicate = permissions.is_registrar


class MayReadContacts(MayKeepRecords):
    """For the addresses in documents of record."""

    free_methods = ()


class MayCompareWithIANA(IsPersonAllowed):
    """For the differences from IANA's list, reading included."""

    message = _("What IANA's list says is entered by the registrar.")
    predicate = permissions.is_registrar
    free_methods = ()

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether the person is the registrar; a view without actions asks for every method."""
        return request.method not in view.allowed_methods or type(self).predicate(request.user)
