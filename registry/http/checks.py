"""Checks of `manage.py check` for settings that Django's own checks do not know."""

from __future__ import annotations

import logging
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Warning as CheckWarning
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

OWNS_TABLES: Final = (
    "The role {role} of the database may drop the triggers that keep what was registered: it {how}."
)
OWNER_HINT: Final = (
    "Migrate as the owner of the tables, and serve as a role that may only read and write rows: "
    "docs/security.md, “The role of the database”, has the statements."
)
ASK_RIGHTS: Final = """
    SELECT current_user,
           (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
           EXISTS (
               SELECT 1 FROM pg_class
               WHERE oid = to_regclass('registry_event')
               AND pg_has_role(current_user, relowner, 'MEMBER')
           )
"""
"""Members of the role that owns a table may drop its triggers."""
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
        role, is_superuser, is_owner = cursor.fetchone()
    if not (is_superuser or is_owner):
        return []
    how = "is a superuser" if is_superuser else "owns the tables"
    return [
        CheckWarning(OWNS_TABLES.format(role=role, how=how), hint=OWNER_HINT, id="registry.W002")
    ]
