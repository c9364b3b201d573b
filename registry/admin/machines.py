"""What is kept for programs: resolution, the gateway, webhooks, repeated answers; read-only."""

from __future__ import annotations

from django.contrib import admin

from registry.admin.rows import Readable
from registry.admin.site import site
from registry.models import (
    Answered,
    Hook,
    HookAttempt,
    HookDelivery,
    LocatorTable,
    QueryKeyword,
    RateLimit,
    ResolutionService,
    ServiceDesignator,
    SignInSource,
)


@admin.register(ResolutionService, site=site)
class ServiceAdmin(Readable):
    """Resolution services of namespaces."""

    list_display = ("namespace", "service", "template", "priority", "operator", "probe")
    list_filter = ("service", "probe", ("withdrawn_at", admin.EmptyFieldListFilter))
    list_select_related = ("namespace", "service")
    search_fields = ("namespace__nid", "template", "operator")


@admin.register(ServiceDesignator, site=site)
class DesignatorAdmin(Readable):
    """Kinds of resolution services."""

    list_display = ("name", "purpose", "status", "reference")
    list_filter = ("status",)
    search_fields = ("name", "purpose", "reference")


@admin.register(QueryKeyword, site=site)
class KeywordAdmin(Readable):
    """Keywords of queries."""

    list_display = ("keyword", "purpose", "scope", "reference")
    list_filter = ("scope",)
    search_fields = ("keyword", "purpose", "reference")


@admin.register(LocatorTable, site=site)
class LocatorTableAdmin(Readable):
    """Tables of locators that organizations loaded."""

    list_display = ("namespace", "file_name", "state", "rows", "refused", "started_at")
    list_filter = ("state", "started_at")
    list_select_related = ("namespace",)
    search_fields = ("namespace__nid", "file_name", "sha256")


@admin.register(Hook, site=site)
class HookAdmin(Readable):
    """Webhooks."""

    list_display = ("name", "owner", "url", "topic", "subject", "stopped_at")
    list_filter = ("topic", ("stopped_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner",)
    search_fields = ("name", "url", "subject", "owner__email")


@admin.register(HookDelivery, site=site)
class DeliveryAdmin(Readable):
    """What webhooks are told."""

    list_display = ("hook", "event", "written_at", "attempts", "delivered_at", "given_up_at")
    list_filter = (("delivered_at", admin.EmptyFieldListFilter), "written_at")
    list_select_related = ("hook", "event")
    search_fields = ("hook__name", "event__subject")


@admin.register(HookAttempt, site=site)
class AttemptAdmin(Readable):
    """Tries to tell them."""

    list_display = ("delivery", "at", "status", "milliseconds", "note")
    list_filter = ("status", "at")
    list_select_related = ("delivery__hook", "delivery__event")
    search_fields = ("delivery__hook__name", "note")


@admin.register(Answered, site=site)
class AnsweredAdmin(Readable):
    """Answers that programs may ask for again."""

    list_display = ("person", "status", "at")
    list_filter = ("status", "at")
    list_select_related = ("person",)
    search_fields = ("person__email",)


@admin.register(RateLimit, site=site)
class RateLimitAdmin(Readable):
    """How much is used up of limits."""

    list_display = ("key", "used", "expires_at")
    list_filter = ("expires_at",)
    search_fields = ("key",)


@admin.register(SignInSource, site=site)
class SignInSourceAdmin(Readable):
    """That accounts were used from several networks and browsers, and when."""

    list_display = ("user", "used_at")
    list_filter = ("used_at",)
    list_select_related = ("user",)
    search_fields = ("user__email",)
