"""The first line of a dump: what it is, of which registry, and what it takes to load it."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from registry.dump.extent import Extent
from registry.dump.refusing import on_line
from registry.dump.tables import APPS
from registry.models import Event
from registry.queries.events import open_lines

FORMAT: Final = "urn-namespace-registry"
VERSION: Final = 1


def header(extent: Extent) -> dict[str, Any]:
    """Return what the first line says: nothing that a loaded dump would say otherwise."""
    last = Event.objects.order_by("-number").first()
    return {
        "format": FORMAT,
        "version": VERSION,
        "extent": extent,
        "site": settings.SITE,
        "at": as_of(extent),
        "journal": {"line": last.number, "digest": last.digest} if last else None,
        "migrations": migrations(),
        "rows": {label: extent.rows_of(label).count() for label in extent.tables},
    }


def as_of(extent: Extent) -> datetime.datetime | None:
    """Return when the last thing was done that the dump tells of."""
    known = open_lines() if extent is Extent.PUBLIC else Event.objects.all()
    return known.order_by("-number").values_list("at", flat=True).first()


def migrations() -> list[str]:
    """Return by which migrations the tables of a dump have become what they are."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in APPS)


def extent_of(said: Any) -> Extent:
    """Return how much the dump has; raise `Refused` where it is none for this database."""
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise on_line(1, "this is not a dump of a URN namespace registry.")
    if said.get("version") != VERSION:
        raise on_line(1, f"the format is version {said.get('version')}; {VERSION} is known here.")
    if said.get("extent") not in list(Extent) or not isinstance(said.get("migrations"), list):
        raise on_line(1, "it does not say how much the dump has, and of which tables.")
    theirs, ours = set(said["migrations"]), set(migrations())
    if theirs - ours:
        odd = ", ".join(sorted(theirs - ours))
        raise on_line(1, f"the dump is of a newer registry: here is no {odd}. Update this one.")
    if ours - theirs:
        odd = ", ".join(sorted(ours - theirs))
        how = "Load it with the registry that wrote it, then update that."
        raise on_line(1, f"the dump is of an older registry, without {odd}. {how}")
    return Extent(said["extent"])
