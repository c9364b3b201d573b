"""What has a course of its own, and is read-only here for everybody, superusers included."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.models import Group

from registry.admin.rows import Readable
from registry.admin.site import site
from registry.models import (
    Assignment,
    Counter,
    Event,
    Namespace,
    Provenance,
    Registration,
    RegistrationRequest,
    Round,
)


@admin.register(RegistrationRequest, site=site)
class RequestAdmin(Readable):
    """Requests."""

    list_display = ("reference", "nid", "organization", "change", "path", "state", "state_since")
    list_filter = ("state", "path", "change", "standards_action")
    list_select_related = ("organization",)
    search_fields = ("reference", "nid", "summary", "organization__name", "author__name")


@admin.register(Round, site=site)
class RoundAdmin(Readable):
    """Rounds of requests."""

    list_display = ("registration_request", "number", "submitted_at", "sha256")
    list_filter = (("submitted_at", admin.EmptyFieldListFilter), "number")
    list_select_related = ("registration_request",)
    search_fields = ("registration_request__reference", "nid", "sha256")


@admin.register(Namespace, site=site)
class NamespaceAdmin(Readable):
    """Registered namespaces."""

    list_display = ("nid", "kind", "status", "registrant", "registered_on")
    list_filter = ("kind", "status")
    list_select_related = ("registrant",)
    search_fields = ("nid", "summary", "registrant__name")


@admin.register(Registration, site=site)
class RegistrationAdmin(Readable):
    """Published versions."""

    list_display = ("namespace", "number", "registered_on", "registration_request")
    list_filter = ("registered_on", "number")
    list_select_related = ("namespace", "registration_request")
    search_fields = ("namespace__nid", "registration_request__reference", "sha256")


@admin.register(Provenance, site=site)
class ProvenanceAdmin(Readable):
    """Where imported facts came from."""

    list_display = ("namespace", "source", "is_verified", "registered_source")
    list_filter = ("is_verified", "registered_source", "template_generation")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "source", "note")


@admin.register(Assignment, site=site)
class AssignmentAdmin(Readable):
    """Experts on requests."""

    list_display = ("registration_request", "expert", "assigned_at", "recused_at")
    list_filter = (("recused_at", admin.EmptyFieldListFilter), "assigned_at")
    list_select_related = ("registration_request", "expert")
    search_fields = ("registration_request__reference", "expert__name", "expert__email")


@admin.register(Event, site=site)
class EventAdmin(Readable):
    """The journal."""

    list_display = ("number", "at", "actor_name", "verb", "subject")
    list_filter = ("verb", "at")
    search_fields = ("subject", "actor_name", "comment", "digest")


@admin.register(Counter, site=site)
class CounterAdmin(Readable):
    """The last number given in each series."""

    list_display = ("name", "value")
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(Group, site=site)
class RoleAdmin(Readable):
    """Roles; who holds one is said by the account."""

    fields = ("name",)
    list_display = ("name",)
    list_filter = ("name",)
    search_fields = ("name",)


@admin.register(EmailAddress, site=site)
class EmailAddressAdmin(Readable):
    """Mail addresses and whether they were confirmed."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__name")
