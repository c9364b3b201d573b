"""The format of a backup: extent, order of tables, header, and values as JSON."""

from __future__ import annotations

import base64
import datetime
import json
import uuid
from collections.abc import Callable, Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import (
    BooleanField,
    CharField,
    Field,
    IntegerField,
    Model,
    QuerySet,
    TextField,
)
from django.db.models.expressions import Combinable

from registry import journal
from registry.enums import SMALL_CHANGES, Role
from registry.errors import RegistryError
from registry.exchange.backup.public_rows import PUBLIC_ROWS, REPLACED_COLUMNS
from registry.journal import JournalHead
from registry.licences import get_data_licence
from registry.models import Event, Round
from registry.selectors.events import public_journal_lines
from registry.selectors.transparency_log import find_published_head


class BackupRefused(RegistryError):
    """A dump cannot be loaded; the message says where and why. Nothing has changed then."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


def make_line_refusal(number: int, what: str) -> BackupRefused:
    """Return the refusal of a line of the file."""
    return BackupRefused(f"Line {number}: {what}")


TABLES: Final = (
    "registry.organization",
    "registry.user",
    "auth.group",
    "auth.group_permissions",
    "registry.user_groups",
    "registry.user_user_permissions",
    "account.emailaddress",
    "account.emailconfirmation",
    "mfa.authenticator",
    "socialaccount.socialapp",
    "socialaccount.socialaccount",
    "registry.namespace",
    "registry.provenance",
    "registry.registrationrequest",
    "registry.registrationrequest_co_editors",
    "registry.registration",
    "registry.round",
    "registry.sourcedocument",
    "registry.documentsource",
    "registry.importedrecord",
    "registry.recordcontact",
    "registry.ianasnapshot",
    "registry.logorigin",
    "registry.event",
    "registry.remark",
    "registry.message",
    "registry.pendingcomment",
    "registry.assignment",
    "registry.absence",
    "registry.conflictofinterest",
    "registry.checklistanswer",
    "registry.dismissedfinding",
    "registry.readmarker",
    "registry.recognition",
    "registry.speaker",
    "registry.invitation",
    "registry.mailedtemplate",
    "registry.follow",
    "registry.letter",
    "registry.reminder",
    "registry.sighting",
    "registry.report",
    "registry.erratum",
    "registry.heldnid",
    "registry.dispute",
    "registry.contactconfirmation",
    "registry.entrylink",
    "registry.enquiry",
    "registry.reservedname",
    "registry.dates",
    "registry.officerchange",
    "registry.schedulerday",
    "registry.servicedesignator",
    "registry.querykeyword",
    "registry.resolutionservice",
    "registry.locatortable",
    "registry.locator",
    "registry.token",
    "registry.idempotencyrecord",
    "registry.webhook",
    "registry.webhookdelivery",
    "registry.webhookattempt",
    "admin.logentry",
    "registry.counter",
)

OMITTED_TABLES: Final = {
    "contenttypes.contenttype": "Made by `migrate`; rows refer to it by name.",
    "auth.permission": "Made by `migrate`; rows refer to it by name.",
    "sessions.session": "Whoever was signed in signs in again.",
    "socialaccount.socialtoken": "None is kept: nothing is asked in somebody's name elsewhere.",
    "usersessions.usersession": "Whoever was signed in signs in again.",
    "registry.accountevent": "Tells of sign-ins to one site, for a time of its own.",
    "django_tasks_database.dbtaskresult": "Letters and deliveries wait in tables of their own, "
    "from which the clock hands them to a worker again.",
    "registry.ratelimit": "Counts what was done in the last minutes.",
    "registry.builtexport": "The worker builds the files anew.",
    "registry.requestcheck": "The clock looks at every request anew.",
    "registry.clockposition": "The clock looks at every request anew.",
    "registry.searchdocument": "Told by other tables; loading a dump makes it anew.",
    "registry.searchword": "Told by other tables; loading a dump makes it anew.",
    "registry.signinsource": "Made with the secret key, and of use to one site alone: elsewhere a "
    "code by mail is asked for once more.",
}

BACKUP_APPS: Final = tuple(dict.fromkeys(label.partition(".")[0] for label in TABLES))


GROUP_TABLE: Final = "auth.group"


def get_table_model(label: str) -> type[Model]:
    """Return the model of a table."""
    return apps.get_model(label)


def list_table_columns(label: str) -> tuple[Field[Any, Any], ...]:
    """Return the columns of a table."""
    return tuple(get_table_model(label)._meta.concrete_fields)


def filter_rows_in_the_way(label: str) -> QuerySet[Any]:
    """Return the existing rows of a table that prevent loading a dump.

    Every new database has the groups that `migrate` creates; those of the dump replace them.
    """
    rows = get_table_model(label)._base_manager.all()
    return rows.exclude(name__in=Role.values) if label == GROUP_TABLE else rows


class BackupExtent(StrEnum):
    """How much of the registry a dump has: what everyone may read, or everything."""

    PUBLIC = "public"
    COMPLETE = "complete"

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables it includes, each after those it refers to."""
        return tuple(label for label in TABLES if self.columns_of(label))

    def columns_of(self, label: str) -> tuple[Field[Any, Any], ...]:
        """Return the columns of a table that it includes."""
        columns = list_table_columns(label)
        if self is BackupExtent.COMPLETE:
            return columns
        public = getattr(get_table_model(label), "public_fields", ())
        return tuple(column for column in columns if column.name in public)

    def rows_of(self, label: str) -> QuerySet[Any]:
        """Return the rows of a table that it includes."""
        model = get_table_model(label)
        if self is BackupExtent.COMPLETE:
            return model._default_manager.all()
        return PUBLIC_ROWS[model]()

    def replaced_columns(self, label: str) -> Mapping[str, Combinable]:
        """Return the expressions that replace columns."""
        is_whole = self is BackupExtent.COMPLETE
        return {} if is_whole else REPLACED_COLUMNS.get(get_table_model(label), {})


FORMAT_NAME: Final = "urn-namespace-registry"
FORMAT_VERSION: Final = 1


def make_backup_header(extent: BackupExtent) -> dict[str, Any]:
    """Return the content of the first line, which a loaded dump would repeat unchanged."""
    head = journal.find_head()
    return {
        "format": FORMAT_NAME,
        "version": FORMAT_VERSION,
        "extent": extent,
        "site": settings.SITE,
        "at": find_last_event_moment(extent),
        "log": describe_log(head) if head else None,
        "migrations": list_migrations(),
        "licences": describe_licences(extent),
        "rows": {label: extent.rows_of(label).count() for label in extent.tables},
    }


def describe_licences(extent: BackupExtent) -> dict[str, str]:
    """Return the licence of a dump, and which parts are on other people's terms.

    Each round and version gives the licence of its template in `text_licence`; `templates` lists
    those that occur, as an SPDX expression.
    """
    if extent is BackupExtent.COMPLETE:
        return {}
    sent = Round.objects.sent().exclude(registration_request__change__in=SMALL_CHANGES)
    agreed = set(sent.values_list("text_licence", flat=True).order_by().distinct())
    licences = {"data": get_data_licence().identifier}
    if named := sorted(agreed - {""}):
        licences["templates"] = " AND ".join(named)
    if "" in agreed:
        licences["registry.round"] = licences["registry.registration"] = UNLICENSED_TEXTS
    return licences | TERMS_OF_OTHERS


TERMS_OF_OTHERS: Final = {
    "registry.sourcedocument": "Texts of documents, on the terms of who published each: of RFCs, "
    "those of the IETF Trust (https://trustee.ietf.org/license-info/).",
    "registry.importedrecord": "Templates read out of these documents, on the same terms.",
    "registry.message": "Messages belong to those who wrote them.",
    "registry.remark": "Remarks and answers belong to those who wrote them.",
    "registry.enquiry": "Questions and answers belong to those who wrote them.",
    "registry.event": "Comments and details of the journal, as far as a person worded them.",
    "registry.heldnid": "Reasons, appeals and answers.",
    "registry.dispute": "What the parties said.",
    "registry.recognition": "Statements and reasons.",
    "registry.sighting": "What somebody noted here as evidence.",
}
"""Texts that we may not license, by the tables that have them."""
UNLICENSED_TEXTS: Final = (
    "A text whose text_licence is empty was sent before anybody was asked for one: it belongs to "
    "its registrant."
)


def describe_log(head: JournalHead) -> dict[str, Any]:
    """Return the log that the events belong to, their root, and the last signed head."""
    log, published = journal.find_log(), find_published_head()
    return {
        "origin": log.origin if log else "",
        "line": head.number,
        "root": head.digest,
        "checkpoint": str(published.note) if published else None,
    }


def find_last_event_moment(extent: BackupExtent) -> datetime.datetime | None:
    """Return the time of the last event in the dump."""
    known = public_journal_lines() if extent is not BackupExtent.COMPLETE else Event.objects.all()
    return known.order_by("-number").values_list("at", flat=True).first()


def list_migrations() -> list[str]:
    """Return the migrations that made the tables of a dump what they are here."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in BACKUP_APPS)


def read_extent(header: Any) -> BackupExtent:
    """Return the extent that the first line states; raise `BackupRefused` if it is not a dump's."""
    if not isinstance(header, dict) or header.get("format") != FORMAT_NAME:
        raise make_line_refusal(1, "this is not a dump of a URN namespace registry.")
    if header.get("version") != FORMAT_VERSION:
        raise make_line_refusal(
            1, f"the format is version {header.get('version')}; {FORMAT_VERSION} is known here."
        )
    is_described = isinstance(header.get("migrations"), list)
    if header.get("extent") not in list(BackupExtent) or not is_described:
        raise make_line_refusal(1, "it does not say how much the dump has, and of which tables.")
    return BackupExtent(header["extent"])


def refuse_other_tables(header: Mapping[str, Any]) -> None:
    """Raise `BackupRefused` unless the dump is of the tables of this release."""
    theirs, ours = set(header["migrations"]), set(list_known_migrations())
    if unknown := theirs - ours:
        raise make_line_refusal(
            1,
            f"the dump is of a newer registry: here is no {', '.join(sorted(unknown))}. "
            "Update this one.",
        )
    if missing := ours - theirs:
        raise make_line_refusal(
            1,
            f"the dump is of an older registry, without {', '.join(sorted(missing))}. "
            "Load it with the registry that wrote it, then update that.",
        )


def list_known_migrations() -> list[str]:
    """Return the migrations of a dump's tables that this release knows."""
    loader = MigrationLoader(None)
    return [f"{app}.{name}" for app, name in loader.disk_migrations if app in BACKUP_APPS]


NaturalKeys = Mapping[int, str]
ValueReader = Callable[[Any], Any]

JSON_NATIVE_FIELDS: Final = (BooleanField, CharField, IntegerField, TextField)


def encode_backup_line(line: Any) -> bytes:
    """Return one line of a dump; the same value always gives the same octets."""
    try:
        return UNICODE_ENCODER.encode(line).encode() + b"\n"
    except UnicodeEncodeError:  # A lone surrogate is not a character, but JSON can express it.
        return ASCII_ENCODER.encode(line).encode() + b"\n"


def encode_backup_value(value: Any) -> str:
    """Return a value that JSON does not have as text, which `to_python` converts back."""
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    return base64.b64encode(value).decode("ascii")


def make_json_encoder(*, is_ascii: bool) -> json.JSONEncoder:
    """Return an encoder with a fixed key order and no spaces."""
    return json.JSONEncoder(
        ensure_ascii=is_ascii, sort_keys=True, separators=(",", ":"), default=encode_backup_value
    )


UNICODE_ENCODER: Final = make_json_encoder(is_ascii=False)
ASCII_ENCODER: Final = make_json_encoder(is_ascii=True)


def find_target_label(field: Field[Any, Any]) -> str:
    """Return the table that a column refers to, whichever state its model is of."""
    return field.related_model._meta.label_lower if field.related_model else ""


def has_natural_keys(field: Field[Any, Any]) -> bool:
    """Whether a dump refers by name in this column."""
    return find_target_label(field) in NAMED_TABLES


NAMED_TABLES: Final = frozenset({"contenttypes.contenttype", "auth.permission", GROUP_TABLE})


def find_natural_keys(field: Field[Any, Any]) -> NaturalKeys:
    """Return the names by which a column refers to rows whose ids differ elsewhere."""
    match find_target_label(field):
        case "contenttypes.contenttype":
            return {each.pk: f"{each.app_label}.{each.model}" for each in ContentType.objects.all()}
        case "auth.permission":
            known = Permission.objects.select_related("content_type")
            return {each.pk: ".".join(each.natural_key()) for each in known}
        case "auth.group":
            return {each.pk: each.name for each in Group.objects.all()}
    return {}


def make_value_reader(
    field: Field[Any, Any], connection: BaseDatabaseWrapper
) -> ValueReader | None:
    """Return a function that converts a dump's values for the database, or None if unneeded."""
    if names := find_natural_keys(field):
        numbers = {name: number for number, name in names.items()}
        return lambda name: None if name is None else numbers[name]
    if isinstance(find_target_field(field), JSON_NATIVE_FIELDS):
        return None
    return lambda said: field.get_db_prep_save(field.to_python(said), connection)


def find_target_field(field: Field[Any, Any]) -> Field[Any, Any]:
    """Return the column itself, or the one of another table that it refers to."""
    target: Field[Any, Any] = getattr(field, "target_field", field) if field.is_relation else field
    return target
