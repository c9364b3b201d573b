"""A journal that was a chain becomes a log: its events become entries unchanged."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps

from registry import journal, migrations, workflow
from registry.journal import row_verification
from registry.models import Event, LogOrigin, RegistrationRequest, User
from tests.cast import record_cast
from tests.conftest import without_triggers
from tests.journal.test_journal import without_guard

pytestmark = pytest.mark.django_db


def find_migration() -> Any:
    """Return the module of the migration."""
    (path,) = Path(str(migrations.__file__)).parent.glob("*_transparency_log.py")
    return importlib.import_module(f"registry.migrations.{path.stem}")


def test_lines_become_entries_and_entry_0_names_the_chain(
    approved: RegistrationRequest, registrar: User, informal_draft: RegistrationRequest
) -> None:
    workflow.perform(approved, "register", actor=registrar, references=["A letter"])
    cast = record_cast()
    last = Event.objects.order_by("number").last()
    assert last is not None
    without_guard("DELETE FROM registry_logorigin")
    without_guard(
        "UPDATE registry_event SET entry = '', statement = '', actor_salt = '', details_salt = '', "
        "seal_salt = ''"
    )
    assert "Line 1 was changed." in list(journal.verify())

    with without_triggers():
        find_migration().carry_over(apps, None)

    assert [*journal.verify(), *row_verification.verify_rows()] == []
    origin = json.loads(LogOrigin.objects.get().entry)
    assert origin["journal"] == {"line": last.number, "digest": last.digest}
    facts = json.loads(Event.objects.get(verb="register").entry)["facts"]
    assert sorted(each["nid"] for each in facts.values() if "nid" in each) == ["seedbank"] * 2
    sealed = [
        line.number
        for line in Event.objects.order_by("number")
        if "sealed" in json.loads(line.entry)
    ]
    drafted = informal_draft.events.values_list("number", flat=True)
    assert sealed == [*drafted, cast.number]
