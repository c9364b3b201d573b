"""Checks of `manage.py check` for settings that Django's own checks do not know."""

from __future__ import annotations

import logging
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error as CheckError, Warning as CheckWarning
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from registry.env import refuse_log_key

MAY_REMOVE_TRIGGERS: Final = (
    "The role {role} of the database may remove the triggers that keep what was registered: "
    "it {how}."
)
OWNER_HINT: Final = (
    "Let another role own the database and the tables, migrate as that role, and serve as one "
    "that may only read and write rows: docs/security.md, “The role of the database”, has the "
    "statements."
)
ASK_RIGHTS: Final = """
    WITH owners AS (
        SELECT relowner, nspowner
        FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE pg_class.oid = to_regclass('registry_event')
    )
    SELECT rolname,
           rolsuper,
           rolcreaterole,
           EXISTS (SELECT 1 FROM owners WHERE pg_has_role(relowner, 'MEMBER')),
           EXISTS (SELECT 1 FROM owners WHERE pg_has_role(nspowner, 'MEMBER')),
           EXISTS (
               SELECT 1 FROM pg_database
               WHERE datname = current_database() AND pg_has_role(datdba, 'MEMBER')
           )
    FROM pg_roles WHERE rolname = current_user
"""
"""Members of the role that owns a table may drop its triggers; of the one that owns its schema, the
functions of these. Since PostgreSQL 15 the owner of the database also owns its schema `public`."""
RIGHTS: Final = (
    "is a superuser",
    "may make itself a member of other roles (CREATEROLE)",
    "owns the tables",
    "owns the schema of the tables",
    "owns the database",
)
"""What `ASK_RIGHTS` asks, in its order."""
logger = logging.getLogger(__name__)
UNTRUSTED_PROXY: Final = (
    "A request came with X-Forwarded-For, and REGISTRY_TRUSTED_PROXIES is 0: if a proxy stands "
    "before the registry, limits count everybody behind it as one."
)
HINT: Final = (
    "Set REGISTRY_TRUSTED_PROXIES to the number of proxies that add to the header. If there is "
    "none, a client wrote it, which does no harm: delete {file}."
)


def forwarded_for_file() -> Path:
    """Return the file whose existence says that the header was seen."""
    return Path(settings.DATA_DIR) / "x-forwarded-for-seen"


def note_forwarded_for() -> None:
    """Record that the header was seen, for commands, which never see a request."""
    try:
        forwarded_for_file().touch()
    except OSError as error:
        logger.warning("This could not be written down for manage.py check: %s", error)


def check_forwarded_for(**_asked: Any) -> list[CheckMessage]:
    """Warn if a proxy seems to be in front of the registry that the settings do not mention."""
    file = forwarded_for_file()
    if settings.REGISTRY_TRUSTED_PROXIES or not file.exists():
        return []
    return [CheckWarning(UNTRUSTED_PROXY, hint=HINT.format(file=file), id="registry.W001")]


def check_log_key(**_asked: Any) -> list[CheckMessage]:
    """Report the log's key in settings that the web server shares, which would refuse to start.

    Django runs this for `manage.py check --deploy`.
    """
    try:
        refuse_log_key()
    except ImproperlyConfigured as error:
        return [CheckError(str(error), id="registry.E003")]
    return []


def check_database_role(
    *, databases: Collection[str] | None = None, **_asked: Any
) -> list[CheckMessage]:
    """Warn in production if the role that serves could remove the triggers.

    Django runs this if a database is named: `manage.py check --database default`.
    """
    if settings.DEMONSTRATION or not databases:
        return []
    return [
        warning
        for alias in databases
        if connections[alias].vendor == "postgresql"
        for warning in find_excessive_rights(connections[alias])
    ]


def find_excessive_rights(database: BaseDatabaseWrapper) -> list[CheckMessage]:
    """Return what the role of a connection to PostgreSQL may do but should not."""
    with database.cursor() as cursor:
        cursor.execute(ASK_RIGHTS)
        role, *answers = cursor.fetchone()
    held = [right for right, is_held in zip(RIGHTS, answers, strict=True) if is_held]
    if not held:
        return []
    if held[0] == RIGHTS[0]:
        # The others follow from it.
        held = held[:1]
    message = MAY_REMOVE_TRIGGERS.format(role=role, how=", and ".join(held))
    return [CheckWarning(message, hint=OWNER_HINT, id="registry.W002")]
