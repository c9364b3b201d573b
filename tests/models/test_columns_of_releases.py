"""The code of the release before works on the tables of this one, between `migrate` and restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

pytestmark = pytest.mark.django_db


def read_state_before_last_migration() -> ProjectState:
    """Return the models as they were before the last of our migrations."""
    loader = MigrationLoader(connection)
    ours = sorted(name for app, name in loader.disk_migrations if app == "registry")
    state: ProjectState = loader.project_state([("registry", ours[-2])])
    return state


def list_columns_in_the_way(models: Apps) -> set[str]:
    """Return the columns for which the code of these models fails.

    Those that it knows and that are gone, and those without which a row is refused and of which it
    knows nothing.
    """
    found = set()
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for model in models.get_app_config("registry").get_models(include_auto_created=True):
            table = model._meta.db_table
            known = {str(field.column) for field in model._meta.local_concrete_fields}
            columns = (
                connection.introspection.get_table_description(cursor, table)
                if table in there
                else []
            )
            required = {
                column.name for column in columns if not column.null_ok and column.default is None
            }
            odd = (known - {column.name for column in columns}) | (required - known)
            found |= {f"{table}.{name}" for name in odd}
    return found


def test_rows_of_the_code_before_the_last_migration_are_taken_or_the_changelog_says_stop() -> None:
    changelog = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = " ".join(changelog.partition("## Unreleased")[2].partition("\n## ")[0].split())

    assert (
        "Stop `registry-web.socket` and `registry-web` before `migrate`." in unreleased
        or list_columns_in_the_way(read_state_before_last_migration().apps) == set()
    )


def test_column_that_earlier_code_would_have_to_fill_is_found() -> None:
    state = read_state_before_last_migration()
    state.remove_field("registry", "round", "text_licence")

    assert list_columns_in_the_way(state.apps) == {"registry_round.text_licence"}
