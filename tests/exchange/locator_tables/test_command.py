"""`manage.py load_locators`."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from registry.models import Event, Namespace
from tests.exchange.locator_tables.conftest import Load, found

pytestmark = pytest.mark.django_db

A, B = "https://a.example/", "https://b.example/"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(f"a,{A}\nb,{B}\n", "utf-8")
    return path


def test_file_is_loaded_and_its_rows_are_counted(file: Path, namespace: Namespace) -> None:
    said = StringIO()

    call_command("load_locators", "LANTERN", str(file), stdout=said)

    assert said.getvalue() == "Locators: 2.\n"
    assert found(namespace, "a", "b") == [A, B]
    event = Event.objects.latest("number")
    assert (event.verb, event.actor_name) == ("load_locators", "The registry")


def test_piped_table_is_loaded(
    file: Path, namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file.open() as piped:
        monkeypatch.setattr(sys, "stdin", piped)
        call_command("load_locators", "lantern", "-", stdout=StringIO())

    assert found(namespace, "a", "b") == [A, B]


def test_table_in_use_is_replaced_only_when_asked_for(
    file: Path, namespace: Namespace, load: Load
) -> None:
    load(f"c,{A}\n")

    with pytest.raises(CommandError, match="--replace"):
        call_command("load_locators", "lantern", str(file))
    before = found(namespace, "a", "c")
    call_command("load_locators", "lantern", str(file), replace=True, stdout=StringIO())

    assert before == [None, A]
    assert found(namespace, "a", "c") == [A, None]


def test_refused_lines_are_told_and_nothing_is_loaded(file: Path, namespace: Namespace) -> None:
    file.write_text(f"a,{A}\nwrong\n", "utf-8")
    said = StringIO()

    with pytest.raises(CommandError, match=r"\b1 lines"):
        call_command("load_locators", "lantern", str(file), stdout=said)

    assert said.getvalue().startswith("Line 2: ")
    assert found(namespace, "a") == [None]


@pytest.mark.parametrize(
    ("nid", "name", "told"),
    [("nobody", "table.csv", "“nobody”"), ("lantern", "none.csv", r"none\.csv cannot be read")],
)
def test_missing_namespace_or_file_is_an_error(
    nid: str, name: str, told: str, file: Path, namespace: Namespace
) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("load_locators", nid, str(file.with_name(name)))
