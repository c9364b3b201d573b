"""Which tables a dump has, each after those it refers to, and which are left out and why."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.contrib.auth.models import Group
from django.db.models import Field, Model, QuerySet

from registry.choices import Role

TABLES: Final = (
    "registry.organization",
    "registry.user",
    "auth.group",
    "auth.group_permissions",
    "registry.user_groups",
    "registry.user_user_permissions",
    "account.emailaddress",
    "account.emailconfirmation",
    "registry.organization_delegates",
    "registry.namespace",
    "registry.provenance",
    "registry.registrationrequest",
    "registry.registrationrequest_co_editors",
    "registry.round",
    "registry.registration",
    "registry.event",
    "registry.remark",
    "registry.message",
    "registry.assignment",
    "registry.absence",
    "registry.conflict",
    "registry.checklistanswer",
    "registry.visit",
    "registry.recognition",
    "registry.proof",
    "registry.invitation",
    "registry.watch",
    "registry.letter",
    "registry.nudge",
    "registry.sighting",
    "registry.reservedname",
    "registry.servicedesignator",
    "registry.querykeyword",
    "registry.resolutionservice",
    "registry.locatortable",
    "registry.locator",
    "registry.token",
    "registry.answered",
    "registry.hook",
    "registry.hookdelivery",
    "registry.hookattempt",
    "admin.logentry",
    "registry.counter",
)

LEFT_OUT: Final = {
    "contenttypes.contenttype": "Made by `migrate`; rows refer to it by name.",
    "auth.permission": "Made by `migrate`; rows refer to it by name.",
    "sessions.session": "Whoever was signed in signs in again.",
    "django_tasks_database.dbtaskresult": "Letters and deliveries wait in tables of their own, "
    "from which the clock hands them to a worker again.",
    "registry.ratelimit": "Counts what was done in the last minutes.",
    "registry.signinsource": "Made with the secret key, and of use to one site alone: elsewhere a "
    "code by mail is asked for once more.",
}

APPS: Final = tuple(dict.fromkeys(label.partition(".")[0] for label in TABLES))


def model_of(label: str) -> type[Model]:
    """Return the model of a table."""
    return apps.get_model(label)


def columns_of(label: str) -> tuple[Field[Any, Any], ...]:
    """Return the columns of a table."""
    return tuple(model_of(label)._meta.concrete_fields)


def in_the_way(label: str) -> QuerySet[Any]:
    """Return the rows of a table that a dump is not loaded beside.

    The groups that `migrate` makes are in every new database; those of the dump replace them.
    """
    rows = model_of(label)._default_manager.all()
    return rows.exclude(name__in=Role.values) if model_of(label) is Group else rows
