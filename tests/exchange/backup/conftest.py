"""A registry with something in every table, and its dump."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command

from registry.exchange.backup import BackupExtent, write_backup
from registry.models import Organization, User
from tests.exchange.backup.furnishing import Cast, furnish

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def furnished(
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    outsider: User,
    organization: Organization,
) -> Cast:
    """A registry with something in every table."""
    cast = Cast(registrant, expert, lead, registrar, outsider, organization)
    furnish(cast)
    return cast


def octets(extent: BackupExtent) -> bytes:
    """Return a dump."""
    return b"".join(write_backup(extent))


def rows(dump: bytes) -> Rows:
    """Return the rows of a dump by their tables."""
    found: Rows = {}
    for line in dump.splitlines()[1:-1]:
        label, row = json.loads(line)
        found.setdefault(label, []).append(row)
    return found


def start_anew() -> None:
    """Reset the database to the state after `migrate`."""
    call_command("flush", interactive=False, verbosity=0)
