"""The tables of an earlier release, created in a new database for a dump of that release."""

from __future__ import annotations

from collections.abc import Sequence

from django.apps.registry import Apps
from django.core.management.sql import emit_post_migrate_signal
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.executor import MigrationExecutor


def make_tables(migrations: Sequence[str]) -> Apps:
    """Create the tables that these migrations lead to, such as `registry.0001_initial`.

    Returns their models as of then. This release must know all of the migrations.
    """
    executor = MigrationExecutor(connection)
    targets = find_last_migrations(executor, migrations)
    plan = executor.migration_plan(targets)
    executor.migrate(targets, plan)
    models: Apps = executor.loader.project_state(targets).apps
    # The receivers create what rows refer to: content types and permissions.
    emit_post_migrate_signal(0, False, DEFAULT_DB_ALIAS, apps=models, plan=plan)
    return models


def find_last_migrations(
    executor: MigrationExecutor, migrations: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the migrations that no other of the same app follows."""
    named = [split_migration_name(each) for each in migrations]
    graph = executor.loader.graph
    before = {
        parent.key
        for node in named
        for parent in graph.node_map[node].parents
        if parent.key[0] == node[0]
    }
    return [node for node in named if node not in before]


def split_migration_name(migration: str) -> tuple[str, str]:
    """Return app and name of a migration."""
    app, _dot, name = migration.partition(".")
    return app, name
