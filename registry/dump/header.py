"""The first line of a dump: what it is, of which registry, and what it takes to load it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from registry.dump.refusing import on_line
from registry.dump.tables import APPS
from registry.models import Event

FORMAT: Final = "urn-namespace-registry"
VERSION: Final = 1


def header(rows: Mapping[str, int]) -> dict[str, Any]:
    """Return what the first line says: nothing that a loaded dump would say otherwise."""
    last = Event.objects.order_by("-number").first()
    return {
        "format": FORMAT,
        "version": VERSION,
        "site": settings.SITE,
        "journal": {"line": last.number, "at": last.at, "digest": last.digest} if last else None,
        "migrations": migrations(),
        "rows": rows,
    }


def migrations() -> list[str]:
    """Return by which migrations the tables of a dump have become what they are."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in APPS)


def refuse_others(said: Any) -> None:
    """Raise `Refused` where the first line is not that of a dump for this database."""
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise on_line(1, "this is not a dump of a URN namespace registry.")
    if said.get("version") != VERSION:
        raise on_line(1, f"the format is version {said.get('version')}; {VERSION} is known here.")
    theirs, ours = set(said["migrations"]), set(migrations())
    if theirs != ours:
        odd = ", ".join(sorted(theirs - ours) or sorted(ours - theirs))
        where = "the dump has, and the database lacks" if theirs - ours else "the dump lacks"
        raise on_line(1, f"the tables are not the same: {where} the migrations {odd}.")
