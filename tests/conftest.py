"""The cast, and requests in the state that a test needs."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path as FilePath
from threading import BoundedSemaphore
from typing import Any
from unittest import mock

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.cache import caches
from django.core.management import call_command
from django.core.management.commands import flush
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.signals import connection_created
from django.test import Client
from django.test.utils import override_settings

from registry import database, workflow
from registry.enums import RequestPath, Role
from registry.exchange.exports import bioregistry
from registry.exchange.exports.entries import find_entry
from registry.migrations import _triggers
from registry.models import Dates, Organization, RegistrationRequest, User
from registry.resolution import find_resolvable_namespace
from registry.selectors.explanations import list_explanations
from registry.workflow import conditions
from tests.factories import OrganizationFactory, UserFactory, start
from tests.migrated_database import creating_by_copy
from tests.populated_registry import Cast, populate
from tests.recorded_rows import recorded, replayed
from tests.sign_in import confirming_forced_logins
from tests.strict_templates import failing_for_missing_variables
from tests.template.samples import FORMAL, INFORMAL

pytest_plugins = ["tests.budget"]

KEPT_TABLES = {Permission._meta.db_table, ContentType._meta.db_table}

PLAIN_SETTINGS = {
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    "STORAGES": {
        **django_settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    },
    "WHITENOISE_AUTOREFRESH": True,
    "REGISTRY_CACHE_BYTES": 0,
    "REGISTRY_COMMENT_SECONDS": 0,
    "REGISTRY_CHECK_SECONDS_PER_MINUTE": 1_000,
    # It has tests of its own.
    "REGISTRY_LIST_ADDRESS": "",
}
"""Cheap passwords, static files as they are, no caching, and no waiting."""
COMMENT_DAYS = vars(Dates)["comment_days"]

# Random values are the same each time, so that results do not depend on luck. `make soak` uses new
# ones, and finds new problems.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
hypothesis.settings.register_profile("soak", deadline=None, print_blob=True)
hypothesis.settings.load_profile(
    "soak" if os.environ.get("REGISTRY_TEST_SOAK_COURSES") else "repeatable"
)


def pytest_collection_finish() -> None:
    """Collect garbage less often: going through all modules and tests took one second in twenty."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def pytest_configure(config: pytest.Config) -> None:
    """Keep each parallel run's Playwright output of failures separate, and set plain settings."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        config.option.output = str(FilePath(config.option.output) / worker)
    for name, value in PLAIN_SETTINGS.items():
        setattr(django_settings, name, value)
    # Haste, and what else favourable decisions explain, have tests of their own.
    mock.patch.object(Dates, "comment_days", 0).start()
    mock.patch.object(conditions, "list_explanations", return_value=[]).start()


@pytest.fixture
def inviting_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Invite comments for as long as the registry does, so that decisions can be in haste."""
    monkeypatch.setattr(Dates, "comment_days", COMMENT_DAYS)


@pytest.fixture
def explaining_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have favourable decisions explained at every door, not only at those with a form."""
    monkeypatch.setattr(conditions, "list_explanations", list_explanations)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Keep the test database in a file, so that threads and servers share it as in production.

    Each parallel worker has a database of its own, and no commit waits for the disk. With
    `--reuse-db`, `REGISTRY_TEST_DATABASE` names the file to reuse.
    """
    database = connections["default"].settings_dict
    if connection.vendor != "sqlite":
        yield
        return
    database["TEST"]["NAME"] = os.environ.get("REGISTRY_TEST_DATABASE") or str(
        tmp_path_factory.mktemp("database") / "test.sqlite3"
    )
    connection_created.connect(wait_for_no_disk)
    with creating_by_copy():
        yield


def wait_for_no_disk(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Leave it to the operating system when the test database reaches the disk."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA synchronous=OFF")


@contextmanager
def without_triggers() -> Iterator[None]:
    """Let the database change frozen rows in the block.

    Its triggers refuse to delete events, versions, sent rounds and namespaces; such a block is the
    only way for a test to bypass them.
    """
    with connection.cursor() as cursor:
        for statement in _triggers.drop_statements(connection.vendor):
            cursor.execute(statement)
        yield
        for statement in _triggers.trigger_statements(connection.vendor):
            cursor.execute(statement)


@pytest.fixture(scope="session", autouse=True)
def emptied_without_triggers() -> Iterator[None]:
    """Let `flush` empty the database, as Django does after each transactional test.

    The groups that a migration creates exist again for the next test, and counts in the cache's
    table, which has no model, are gone. Permissions and content types stay: they follow from the
    models, and recreating them after each test takes longer than emptying the rest. Only here: the
    database refuses `manage.py flush` on a registry.
    """
    operations = type(connection.ops)
    list_statements, execute = operations.sql_flush, operations.execute_sql_flush

    def list_statements_but_of_kept(
        self: BaseDatabaseOperations, style: Any, tables: Sequence[str], **options: Any
    ) -> list[str]:
        emptied = [table for table in tables if table not in KEPT_TABLES]
        return list_statements(self, style, emptied, **options)

    def flush_without_triggers(self: BaseDatabaseOperations, sql_list: list[str]) -> None:
        with transaction.atomic(), without_triggers():
            execute(self, sql_list)
            with connection.cursor() as cursor:
                cursor.execute("DELETE FROM registry_cache")
                if connection.vendor == "sqlite":
                    # The keys of recorded rows are free again.
                    cursor.execute("DELETE FROM sqlite_sequence")
            Group.objects.bulk_create([Group(name=role) for role in Role], ignore_conflicts=True)

    with (
        mock.patch.object(operations, "sql_flush", list_statements_but_of_kept),
        mock.patch.object(operations, "execute_sql_flush", flush_without_triggers),
        mock.patch.object(flush, "emit_post_migrate_signal"),
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def forced_logins_are_confirmed() -> Iterator[None]:
    """Let people who are signed in without the page count as having confirmed everything."""
    with confirming_forced_logins():
        yield


@pytest.fixture(scope="session", autouse=True)
def template_variables_exist() -> Iterator[None]:
    """Let a page whose template names a variable that does not exist fail its test."""
    with failing_for_missing_variables():
        yield


@pytest.fixture(autouse=True)
def no_rows_of_earlier_tests() -> None:
    """Begin without rows, so that the order of fixtures counts for what is recorded."""
    replayed.clear()


@pytest.fixture(autouse=True)
def threads_wait_as_processes_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every thread of a test wait for SQLite's lock: it stands for a process of its own."""
    monkeypatch.setattr(database, "lock_waiters", BoundedSemaphore(100))


@pytest.fixture(autouse=True)
def no_earlier_outage() -> None:
    """Let no test meet an outage that an earlier one began; it would get the line at its end."""
    for each in (database.outage, database.lock_outage, database.cache_outage):
        each.end()


@pytest.fixture(scope="session")
def numbered_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FilePath]:
    """Yield one path after another, none of which exists yet."""
    base = tmp_path_factory.mktemp("files")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def files_of_its_own(numbered_folders: Iterator[FilePath]) -> Iterator[None]:
    """Let each test write its files where no other does, and remember nothing of earlier ones."""
    folder = next(numbered_folders)
    bioregistry.get_prefix_index.cache_clear()
    caches["figures"].clear()
    for memory in (find_entry, find_resolvable_namespace):
        memory.clear()
    with override_settings(
        STORAGES={
            **django_settings.STORAGES,
            "exports": {
                "BACKEND": "django.core.files.storage.FileSystemStorage",
                "OPTIONS": {"location": folder / "exports"},
            },
        },
        EMAIL_FILE_PATH=folder / "mail",
        REGISTRY_EXPORTS=folder / "exports",
        REGISTRY_LOG_DIR=folder / "transparency",
        REGISTRY_LOG_HEAD=folder.with_suffix(".log-head"),
        REGISTRY_LOG_DEVELOPMENT_KEY=folder.with_suffix(".log-key"),
    ):
        yield


@pytest.fixture
def mailing_list() -> Iterator[str]:
    """The address of the discussion list, which gets letters."""
    address = "urn-list@lists.example"
    with override_settings(REGISTRY_LIST_ADDRESS=address):
        yield address


@pytest.fixture
def organization(db: None) -> Organization:
    return OrganizationFactory.create(name="Northlight Seed Vault Federation")


@pytest.fixture
def registrant(db: None) -> User:
    return UserFactory.create(name="Runa Registrant", email="registrant@people.example")


@pytest.fixture
def expert(db: None) -> User:
    return UserFactory.create(name="Ede Expert", email="expert@people.example", roles=[Role.EXPERT])


@pytest.fixture
def lead(db: None) -> User:
    return UserFactory.create(name="Lova Lead", email="lead@people.example", roles=[Role.LEAD])


@pytest.fixture
def registrar(db: None) -> User:
    return UserFactory.create(
        name="Rafe Registrar", email="registrar@people.example", roles=[Role.REGISTRAR]
    )


@pytest.fixture
def standards_body(db: None) -> User:
    return UserFactory.create(
        name="Stine Standards", email="standards@people.example", roles=[Role.STANDARDS_BODY]
    )


@pytest.fixture
def administrator(db: None) -> User:
    return UserFactory.create(
        name="Ada Administrator",
        email="administrator@people.example",
        roles=[Role.ADMINISTRATOR],
        is_staff=True,
    )


@pytest.fixture
def outsider(db: None) -> User:
    return UserFactory.create(name="Olaf Outsider", email="outsider@people.example")


@pytest.fixture
def sign_in() -> Callable[[User], Client]:
    """Return a function from a person to a client in which they are signed in."""

    def signed_in(person: User) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return signed_in


@pytest.fixture
@recorded
def draft(registrant: User, organization: Organization) -> RegistrationRequest:
    """A formal request, written and not yet sent."""
    return start(registrant, organization, FORMAL, RequestPath.COMMUNITY)


@pytest.fixture
@recorded
def informal_draft(registrant: User, organization: Organization) -> RegistrationRequest:
    """An informal request, written and not yet sent."""
    return start(registrant, organization, INFORMAL, RequestPath.INFORMAL)


@pytest.fixture
@recorded
def sent(draft: RegistrationRequest, registrant: User) -> RegistrationRequest:
    """A formal request in review that nobody has taken."""
    workflow.perform(draft, "submit", actor=registrant)
    return draft


@pytest.fixture
@recorded
def in_review(draft: RegistrationRequest, registrant: User, expert: User) -> RegistrationRequest:
    """A formal request in review, taken by the expert."""
    workflow.perform(draft, "submit", actor=registrant)
    workflow.perform(draft, "assign", actor=expert)
    return draft


@pytest.fixture
@recorded
def approved(in_review: RegistrationRequest, expert: User) -> RegistrationRequest:
    """A formal request that waits for the registrar."""
    workflow.perform(in_review, "approve", actor=expert, comment="Sound.")
    return in_review


@pytest.fixture
@recorded
def informal_approved(
    informal_draft: RegistrationRequest, registrant: User, expert: User
) -> RegistrationRequest:
    """An informal request that waits for the registrar."""
    workflow.perform(informal_draft, "submit", actor=registrant)
    workflow.perform(informal_draft, "assign", actor=expert)
    workflow.perform(informal_draft, "approve", actor=expert, comment="Sound.")
    return informal_draft


@pytest.fixture
@recorded
def populated(
    registrant: User,
    expert: User,
    lead: User,
    registrar: User,
    outsider: User,
    organization: Organization,
) -> Cast:
    """A registry with something in every table."""
    cast = Cast(registrant, expert, lead, registrar, outsider, organization)
    populate(cast)
    return cast


@pytest.fixture
@recorded
def shipped(db: None) -> None:
    """The registry as it is shipped, with the namespaces of today."""
    call_command("load_registry", verbosity=0)
