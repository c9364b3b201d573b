"""An uploaded table is loaded once by a worker, and killed loadings are cleaned up."""

from __future__ import annotations

import datetime
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import scheduler
from registry.exchange import locator_tables
from registry.exchange.locator_tables.lines import LocatorRow
from registry.exchange.locator_tables.loader import (
    FORGOTTEN_AFTER,
    STALLED_AFTER,
    get_upload_path,
    insert_locators,
)
from registry.models import Event, Locator, LocatorTable, Namespace, User
from registry.resolution.sources import build_locator_key
from registry.workflow import ActionRefused
from tests.exchange.locator_tables.conftest import found
from tests.notifications.conftest import work

pytestmark = pytest.mark.django_db

A = "https://a.example/"
Send = Callable[..., LocatorTable]


@pytest.fixture
def send(namespace: Namespace, registrar: User) -> Send:
    """A function that sends a table in two parts."""

    def sent(first: bytes = b"a,", second: bytes = A.encode()) -> LocatorTable:
        return locator_tables.receive_upload(
            namespace,
            locator_tables.store_upload([first, second]),
            actor=registrar,
            file_name="t.csv",
            over=locator_tables.find_current_table(namespace),
        )

    return sent


def test_table_that_was_sent_is_loaded_by_the_worker_once(
    send: Send, namespace: Namespace, uploads: Path
) -> None:
    table = send()
    before = (
        table.state,
        table.bytes_given,
        found(namespace, "a"),
        get_upload_path(table).exists(),
    )

    locator_tables.load_waiting_table.enqueue(table.pk)
    work()
    table.refresh_from_db()

    assert before == ("waiting", 20, [None], True)
    assert (table.state, found(namespace, "a")) == ("current", [A])
    assert list(uploads.iterdir()) == []
    assert Event.objects.filter(verb="load_locators").count() == 1


def test_file_of_a_refused_table_is_not_kept(send: Send, uploads: Path) -> None:
    table = send(b"wrong\n", b"wrong again\n")

    work()
    table.refresh_from_db()

    assert (table.state, table.refused) == ("refused", 2)
    assert list(uploads.iterdir()) == []


def test_table_that_is_stopped_while_it_waits_is_not_loaded(
    send: Send, namespace: Namespace, registrar: User
) -> None:
    table = send()

    locator_tables.stop_table(table, actor=registrar)
    work()
    table.refresh_from_db()

    assert (table.state, found(namespace, "a")) == ("stopped", [None])


def test_file_that_is_too_large_is_refused_before_it_is_read_to_its_end(
    settings: Settings, uploads: Path
) -> None:
    settings.REGISTRY_LOCATOR_BYTES = 10
    sent = iter([b"123456", b"123456", b"never read"])

    with pytest.raises(locator_tables.UploadTooLarge, match="10 octets"):
        locator_tables.store_upload(sent)

    assert next(sent) == b"never read"
    assert list(uploads.iterdir()) == []


def test_refused_upload_leaves_nothing_behind(
    namespace: Namespace, outsider: User, uploads: Path
) -> None:
    path = locator_tables.store_upload([b"a,", A.encode()])

    with pytest.raises(ActionRefused):
        locator_tables.receive_upload(namespace, path, actor=outsider, file_name="t", over=None)

    assert list(uploads.iterdir()) == []
    assert not LocatorTable.objects.exists()


# Killed


def killed(table: LocatorTable) -> None:
    """Leave a table as a loading does that was killed after its first rows."""
    LocatorTable.objects.filter(pk=table.pk).update(state="loading", rows=1)
    insert_locators(table, [LocatorRow(build_locator_key("a"), "a", A)])
    DBTaskResult.objects.all().delete()


def test_loading_that_was_killed_is_cleaned_up_by_the_clock(
    send: Send, namespace: Namespace
) -> None:
    table = send()
    killed(table)

    scheduler.tick(timezone.now() + STALLED_AFTER - datetime.timedelta(minutes=1))
    too_early = LocatorTable.objects.get(pk=table.pk).state
    tally = scheduler.tick(timezone.now() + STALLED_AFTER + datetime.timedelta(minutes=1))
    work()
    table.refresh_from_db()

    assert too_early == "loading"
    assert (table.state, found(namespace, "a")) == ("stopped", [None])
    assert not Locator.objects.exists()
    assert (tally.done["locators"], tally.failures) == (2, [])


def test_loading_that_was_given_up_and_goes_on_after_all_is_stopped(
    send: Send, namespace: Namespace, registrar: User
) -> None:
    table = locator_tables.begin_table(namespace, actor=registrar, file_name="t", over=None)
    locator_tables.sweep_uploads(timezone.now() + STALLED_AFTER + datetime.timedelta(minutes=1))

    with pytest.raises(locator_tables.LoadingStopped):
        locator_tables.load_table(table, io.BytesIO(b"a," + A.encode()))

    assert found(namespace, "a") == [None]


def test_table_whose_task_was_lost_is_loaded_all_the_same(send: Send, namespace: Namespace) -> None:
    send()
    DBTaskResult.objects.all().delete()

    swept = [locator_tables.sweep_uploads(), locator_tables.sweep_uploads()]
    work()

    assert swept == [1, 0]
    assert found(namespace, "a") == [A]


def test_table_whose_file_was_lost_is_given_up(send: Send) -> None:
    table = send()
    DBTaskResult.objects.all().delete()
    get_upload_path(table).unlink()

    locator_tables.sweep_uploads()
    table.refresh_from_db()

    assert table.state == "stopped"


def test_files_that_were_not_sent_to_their_end_go_after_a_day(send: Send, uploads: Path) -> None:
    waits = get_upload_path(send())
    old, new = locator_tables.store_upload([b"half"]), locator_tables.store_upload([b"half"])
    yesterday = (timezone.now() - FORGOTTEN_AFTER - datetime.timedelta(hours=1)).timestamp()
    for path in (waits, old):
        os.utime(path, (yesterday, yesterday))

    locator_tables.sweep_uploads()

    assert set(uploads.iterdir()) == {waits, new}
