"""What is read-only in the admin for everyone, superusers included: every table not edited here.

A list shows the first columns of its table, finds rows by what is short in them and by whom they
are about, and is filtered by states and dates. `LISTS` has what that would miss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import models

from registry.admin.base import ReadOnlyAdmin, site
from registry.models import (
    BuiltExport,
    ChecklistAnswer,
    Enquiry,
    Event,
    HeldNid,
    ImportedRecord,
    Letter,
    Locator,
    LocatorTable,
    MailedTemplate,
    Message,
    Namespace,
    Organization,
    PendingComment,
    RateLimit,
    Recognition,
    Registration,
    RegistrationRequest,
    Remark,
    Reminder,
    Report,
    ResolutionService,
    Round,
    Sighting,
    Speaker,
    Token,
    User,
    WebhookAttempt,
    WebhookDelivery,
)

Model = type[models.Model]

UNLISTED: Final[frozenset[Model]] = frozenset({Locator})
"""Rows by the million, which are looked up by name and not browsed."""
SECRET_COLUMNS: Final = frozenset({"key", "code", "secret", "previous_secret", "password"})
"""Columns that would let a reader impersonate somebody; nobody sees them, or finds rows by them."""
HIDDEN_COLUMNS: Final[Mapping[Model, frozenset[str]]] = {
    # Some letters contain keys that act for their reader.
    Letter: frozenset({"text", "html", "headers"}),
    # Not public yet.
    MailedTemplate: frozenset({"text"}),
    PendingComment: frozenset({"text"}),
}
READABLE_ROWS: Final[Mapping[Model, Callable[[], models.QuerySet[Any]]]] = {
    # Drafts are for those who write them, notes among experts for experts.
    Message: Message.objects.public,
    RegistrationRequest: RegistrationRequest.objects.public,
    Round: Round.objects.sent,
}
"""Of these tables, the rows that administrators may read."""
MAX_LIST_COLUMNS: Final = 6
LONG_COLUMNS: Final = (models.AutoField, models.BinaryField, models.JSONField, models.TextField)
"""Kinds of columns that a list does not show."""
FOUND_BY: Final[Mapping[Any, tuple[str, ...]]] = {
    Namespace: ("nid",),
    Organization: ("name",),
    RegistrationRequest: ("reference",),
    User: ("name", "email"),
}
"""By which of its columns a row is found that others refer to."""
LISTS: Final[Mapping[Model, Mapping[str, Any]]] = {
    RegistrationRequest: {
        "list_display": ("reference", "nid", "organization", "change", "path", "state"),
    },
    Round: {"list_display": ("registration_request", "number", "submitted_at", "sha256")},
    Namespace: {"list_display": ("nid", "kind", "status", "registrant", "registered_on")},
    Registration: {"list_display": ("namespace", "number", "registered_on", "sha256")},
    ImportedRecord: {"list_display": ("namespace", "number", "document", "version", "read_at")},
    BuiltExport: {"list_display": ("name", "built_at", "size", "seconds", "sha256")},
    ResolutionService: {
        "list_display": ("namespace", "service", "template", "priority", "operator", "probe"),
    },
    LocatorTable: {
        "list_display": ("namespace", "file_name", "state", "rows", "refused", "started_at"),
    },
    Remark: {
        "list_display": ("registration_request", "number", "author", "weight", "settlement"),
        "search_fields": ("registration_request__reference", "text", "answer"),
    },
    Message: {
        "list_display": ("registration_request", "number", "author_name", "posted_at", "audience"),
        "search_fields": ("registration_request__reference", "author_name", "text", "message_id"),
    },
    Letter: {
        "list_display": ("written_at", "address", "subject", "reason", "sent_at", "attempts"),
    },
    Speaker: {
        "list_display": ("person", "organization", "namespace", "basis", "state", "asked_at"),
    },
    Event: {
        "list_display": ("number", "at", "actor_name", "verb", "subject"),
        "list_filter": ("verb", "at"),
        "search_fields": ("subject", "actor_name", "comment", "digest"),
    },
    Token: {"fields": ("user", "name", "created", "expiry")},
    Group: {"fields": ("name",)},
    # Its keys are no secrets: they say what is limited.
    RateLimit: {"fields": ("key", "used", "expires_at")},
    Enquiry: {"search_fields": ("question", "answer", "asked_by__name")},
    HeldNid: {"search_fields": ("nid", "reasons", "source")},
    Recognition: {"search_fields": ("organization__name", "statement", "reasons")},
    Report: {"search_fields": ("page", "text")},
    Sighting: {"search_fields": ("nid", "evidence", "user_of_it")},
    # Of what these refer to, the names come from further rows.
    ChecklistAnswer: {"list_select_related": ("round__registration_request", "expert")},
    Reminder: {"list_select_related": ("registration_request", "recognition__organization")},
    WebhookAttempt: {"list_select_related": ("delivery__hook", "delivery__event")},
    WebhookDelivery: {"search_fields": ("hook__name", "event__subject")},
}


def build_options(model: Model) -> dict[str, Any]:
    """Return the attributes of the admin of a table."""
    options = dict(LISTS.get(model, {}))
    if model in READABLE_ROWS:
        options["rows"] = staticmethod(READABLE_ROWS[model])
    secret = SECRET_COLUMNS | HIDDEN_COLUMNS.get(model, frozenset())
    columns = [*model._meta.fields, *model._meta.many_to_many]
    names = options.setdefault("fields", [each.name for each in columns if each.name not in secret])
    shown = [column for column in model._meta.fields if column.name in names]
    short = [column.name for column in shown if not isinstance(column, LONG_COLUMNS)]
    list_display = options.setdefault("list_display", short[:MAX_LIST_COLUMNS])
    related = [column.name for column in shown if column.is_relation]
    options.setdefault("list_select_related", [name for name in related if name in list_display])
    options.setdefault("list_filter", list(iterate_filters(shown)))
    options.setdefault("search_fields", list(iterate_search_fields(shown)))
    return options


def iterate_filters(columns: list[models.Field[Any, Any]]) -> Iterator[Any]:
    """Yield a filter for each state and each date: by the date, or by whether there is one."""
    for column in columns:
        if isinstance(column, models.DateField):
            yield (column.name, admin.EmptyFieldListFilter) if column.null else column.name
        elif column.choices or isinstance(column, models.BooleanField):
            yield column.name


def iterate_search_fields(columns: list[models.Field[Any, Any]]) -> Iterator[str]:
    """Yield the short texts, and the names of whom and what a row is about."""
    for column in columns:
        if column.is_relation:
            found_by = FOUND_BY.get(column.related_model, ())
            yield from (f"{column.name}__{name}" for name in found_by)
        elif isinstance(column, models.CharField) and not column.choices:
            yield column.name


TABLES: Final[tuple[Model, ...]] = (
    *apps.get_app_config("registry").get_models(),
    EmailAddress,
    Group,
)
for table in TABLES:
    if table not in UNLISTED and not site.is_registered(table):
        site.register(table, ReadOnlyAdmin, **build_options(table))
