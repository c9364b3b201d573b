"""Digests of database rows, with which journal events record what an action changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db import models

from registry.models import (
    HeldNid,
    ImportedRecord,
    LocatorTable,
    Namespace,
    Organization,
    QueryKeyword,
    Registration,
    ResolutionService,
    Round,
    ServiceDesignator,
    Speaker,
    User,
)
from registry.transparency import rows

DIGESTED_MODELS: Final[Mapping[str, type[models.Model]]] = {
    "organization": Organization,
    "namespace": Namespace,
    "round": Round,
    "registration": Registration,
    "importedrecord": ImportedRecord,
    "servicedesignator": ServiceDesignator,
    "querykeyword": QueryKeyword,
    "resolutionservice": ResolutionService,
    "locatortable": LocatorTable,
    "heldnid": HeldNid,
    "user": User,
    "speaker": Speaker,
}
"""The tables whose rows have digests, by the word that begins their keys."""
OTHER_TABLES: Final[Mapping[str, str]] = {
    # Verified in another way.
    "registry.event": "Each is an entry of the log.",
    "registry.logorigin": "It is entry 0 of the log.",
    "registry.counter": "That of events is compared with the last entry; numbers given twice are "
    "refused by the database.",
    "registry.registrationrequest": "Its state is compared; drafts are saved without an entry.",
    "registry.provenance": "Part of the digest of its namespace.",
    "registry.locator": "Covered by the digest of its table.",
    "registry.user_groups": "Part of the digest of its account.",
    "auth.group": "Its name is part of the digest of each account that has it.",
    # Nothing is decided by them.
    "auth.permission": "Nobody asks for Django's permissions.",
    "auth.group_permissions": "Nobody asks for Django's permissions.",
    "registry.user_user_permissions": "Nobody asks for Django's permissions.",
    "contenttypes.contenttype": "Made by `migrate`.",
    "admin.logentry": "For administrators; the journal has what they changed.",
    "registry.officerchange": "It waits, and what becomes of it is an entry.",
    "registry.dates": "The journal has each change.",
    "registry.schedulerday": "When the scheduler ran.",
    "registry.reservedname": "Advice: it blocks nothing.",
    "registry.sighting": "Advice: it blocks nothing; the journal has each.",
    "registry.dispute": "Recorded, and blocks nothing; the journal has each.",
    "registry.enquiry": "A question and its answer.",
    "registry.message": "What people say; decisions are entries.",
    "registry.remark": "What people say; decisions are entries.",
    "registry.pendingcomment": "What people say, before it is public.",
    "registry.mailedtemplate": "Waits for its sender; a round that is sent has a digest.",
    "registry.dismissedfinding": "Part of a draft; a round that is sent has its findings.",
    "registry.checklistanswer": "The journal has them once a decision is made.",
    "registry.sourcedocument": "Documents of others; what was read in them has digests.",
    "registry.documentsource": "What other servers answered.",
    "registry.recordcontact": "Where to write about an imported record.",
    "registry.ianasnapshot": "What IANA published; what was taken from it has digests.",
    "registry.entrylink": "What other servers answered.",
    "registry.contactconfirmation": "A letter; the answer is an entry.",
    "registry.recognition": "What it decides is in the digest of the organization.",
    "registry.report": "A reader's letter.",
    "registry.erratum": "What readers say; what is shown is an entry.",
    "registry.readmarker": "What somebody has read.",
    "registry.follow": "Who is told of what.",
    "registry.letter": "Letters, sent and waiting.",
    "registry.reminder": "Which letters were sent.",
    "registry.absence": "When an expert is away.",
    # It waits, and what becomes of it is an entry.
    "registry.registrationrequest_co_editors": "Who writes a draft; who sends it is an entry.",
    "registry.invitation": "Who is invited to write a draft.",
    "registry.assignment": "Who is to review; who decided is an entry, as is each assignment.",
    "registry.conflictofinterest": "Takes a right away; each is an entry.",
    # Signing in, programs, and what is only of use for a time.
    "account.emailaddress": "How somebody signs in; the account log has changes.",
    "account.emailconfirmation": "How somebody signs in.",
    "mfa.authenticator": "How somebody signs in; the account log has changes.",
    "socialaccount.socialapp": "How this site is known to others.",
    "socialaccount.socialaccount": "How somebody signs in; the account log has changes.",
    "socialaccount.socialtoken": "None is kept.",
    "sessions.session": "Who is signed in.",
    "usersessions.usersession": "Who is signed in.",
    "registry.token": "How a program signs in; the account log has changes.",
    "registry.accountevent": "The account log, with a time of its own.",
    "registry.signinsource": "From where people signed in.",
    "registry.idempotencyrecord": "What a program was answered.",
    "registry.webhook": "Whom to call; it decides nothing.",
    "registry.webhookdelivery": "Calls, made and waiting.",
    "registry.webhookattempt": "Calls that were made.",
    "registry.ratelimit": "What was done in the last minutes.",
    "registry.builtexport": "Built from other tables.",
    "registry.requestcheck": "Built from other tables.",
    "registry.clockposition": "Built from other tables.",
    "registry.searchdocument": "Built from other tables.",
    "registry.searchword": "Built from other tables.",
    "django_tasks_database.dbtaskresult": "Work that waits.",
}
"""Why the rows of each other table have no digests of their own."""
NEW_ROW: Final = ""
"""The prefix of the digest of a row that an action changed."""


def build_row_key(row: models.Model) -> str:
    """Return the key of a row in journal events, such as `namespace 12`."""
    return f"{row._meta.model_name} {row.pk}"


def digest_row(row: models.Model) -> str:
    """Return the SHA-256, in hexadecimal, of a row's content; a namespace's includes provenance.

    An account's consists of what it may do: its roles.
    Empty for a row that decides nothing, as if it were not there. Dates must be dates: in a row
    that was not read from the database they may be strings.
    """
    table, values = str(row._meta.model_name), read_row_values(row)
    if not rows.is_deciding_row(table, values):
        return ""
    provenance = getattr(row, "provenance", None) if isinstance(row, Namespace) else None
    known = read_row_values(provenance) if provenance else None
    return rows.digest_row_values(table, values, known)


def digest_stored_rows(found: Iterable[models.Model]) -> dict[str, str | None]:
    """Return the digests of rows as they are stored, by their keys: call it before the change."""
    stored = {key: read_stored_row(key) for key in map(build_row_key, found)}
    return {key: digest_row(row) if row else NEW_ROW for key, row in stored.items()}


def read_stored_row(key: str) -> models.Model | None:
    """Return a row as stored in the database, or None."""
    name, _blank, pk = key.partition(" ")
    row: models.Model | None = stored_rows(DIGESTED_MODELS[name]).filter(pk=pk).first()
    return row


def list_row_facts(row: models.Model | None) -> dict[str, Any]:
    """Return what the log says openly about a row: who holds what, which texts are published."""
    match row:
        case Namespace():
            return {
                "nid": row.nid,
                "status": row.status,
                "holder": row.registrant_id,
                "informal": row.informal_number,
            }
        case Registration():
            found = {"nid": row.namespace.nid, "version": row.number, "sha256": row.sha256}
            return {**found, "on": row.registered_on.isoformat()}
        case Round():
            found = {"request": row.registration_request_id, "round": row.number}
            return {**found, "sha256": row.sha256}
    return {}


def stored_rows(model: type[models.Model]) -> models.QuerySet[Any]:
    """Return a table's rows with everything that their digests cover."""
    found = model._default_manager.all()
    if model is User:
        return found.prefetch_related("groups")
    return found.select_related("provenance") if model is Namespace else found


def read_row_values(row: models.Model) -> dict[str, Any]:
    """Return a row's content, column by column."""
    values = {column.attname: getattr(row, column.attname) for column in row._meta.concrete_fields}
    if isinstance(row, User):
        values["groups"] = sorted(group.name for group in row.groups.all())
    return values


def encode_locator(key: bytes | memoryview, name: str, locator: str) -> bytes:
    """Return a row of a locator table as the digest of the table covers it."""
    return f"{bytes(key).hex()} {name} {locator}\n".encode()


def digest_locators(locators: Iterable[tuple[bytes | memoryview, str, str]]) -> str:
    """Return the SHA-256, in hexadecimal, of the rows of a locator table, in the order of keys."""
    sha256 = hashlib.sha256()
    for key, name, locator in locators:
        sha256.update(encode_locator(key, name, locator))
    return sha256.hexdigest()
