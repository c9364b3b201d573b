"""A killed worker's tasks are taken over, and nothing is taken from a live one."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from registry import background
from registry.background import (
    MAX_WORKERS_PER_TASK,
    WorkerWatch,
    enqueue_for_each,
    give_sign,
    retake_tasks,
)
from registry.exchange.exports.refreshing import refresh_in_worker
from registry.notifications.outbox import send_letter
from registry.selectors.service_status import read_service_status

pytestmark = pytest.mark.django_db

PATIENCE = 120.0


def hand_task_to(worker_id: str) -> DBTaskResult[Any, Any]:
    """Return a task that a worker has."""
    refresh_in_worker.enqueue()
    task: DBTaskResult[Any, Any] = DBTaskResult.objects.ready().get()
    task.claim(worker_id)
    return task


def find_state(task: DBTaskResult[Any, Any]) -> str:
    """Return the state of a task."""
    return str(DBTaskResult.objects.get(pk=task.pk).status)


@pytest.fixture
def watch() -> WorkerWatch:
    """The watch of a live worker, called “near”."""
    return WorkerWatch("near", PATIENCE)


def test_task_of_a_worker_that_gives_no_sign_is_taken_back(watch: WorkerWatch) -> None:
    give_sign("far")
    task = hand_task_to("far")

    retaken = [watch.look_after_workers(each) for each in (0.0, PATIENCE - 1, PATIENCE)]

    assert retaken == [0, 0, 1]
    assert find_state(task) == TaskResultStatus.READY


def test_task_of_a_worker_that_never_gave_one_is_taken_back_as_well(
    watch: WorkerWatch,
) -> None:
    task = hand_task_to("far")

    retaken = [watch.look_after_workers(each) for each in (0.0, PATIENCE)]

    assert retaken == [0, 1]
    assert find_state(task) == TaskResultStatus.READY


@pytest.mark.whole
def test_worker_that_gives_signs_keeps_its_task_however_long_it_takes(
    watch: WorkerWatch,
) -> None:
    task = hand_task_to("far")
    retaken = 0

    for moment in range(0, 3_600, 30):
        give_sign("far")
        retaken += watch.look_after_workers(float(moment))

    assert retaken == 0
    assert find_state(task) == TaskResultStatus.RUNNING


def test_worker_takes_nothing_from_itself(watch: WorkerWatch) -> None:
    task = hand_task_to("near")

    for moment in (0.0, PATIENCE, 2 * PATIENCE):
        watch.look_after_workers(moment)

    assert find_state(task) == TaskResultStatus.RUNNING


def test_workers_have_their_time_anew_after_an_outage(
    watch: WorkerWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = hand_task_to("far")
    watch.look_after_workers(0.0)

    def refuse(_worker_id: str) -> None:
        raise OperationalError("The database is away.")

    with monkeypatch.context() as away:
        away.setattr(background, "give_sign", refuse)
        with pytest.raises(OperationalError):
            watch.look_after_workers(PATIENCE / 2)
    retaken = [watch.look_after_workers(PATIENCE * each) for each in (1, 2)]

    assert retaken == [0, 1]
    assert find_state(task) == TaskResultStatus.READY


def test_task_that_several_workers_were_lost_at_has_failed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    task = hand_task_to("1")
    for number in range(1, MAX_WORKERS_PER_TASK):
        retake_tasks(str(number))
        DBTaskResult.objects.get(pk=task.pk).claim(str(number + 1))

    retaken = retake_tasks(str(MAX_WORKERS_PER_TASK))
    task.refresh_from_db()

    assert (retaken, task.status) == (0, TaskResultStatus.FAILED)
    assert task.exception_class_path == "registry.background.WorkerLost"
    assert "tasks: 1 dead" in "\n".join(
        f"{each.name}: {each.text}" for each in read_service_status()
    )


def test_nothing_else_is_taken_back_with_it() -> None:
    others, own = hand_task_to("far"), hand_task_to("near")

    retake_tasks("far")

    assert (find_state(others), find_state(own)) == (
        TaskResultStatus.READY,
        TaskResultStatus.RUNNING,
    )


def test_status_tells_when_a_worker_was_seen_and_that_none_is(watch: WorkerWatch) -> None:
    watch.look_after_workers(0.0)
    seen = {each.name: each for each in read_service_status()}["worker"]
    cache.set(background.LAST_SIGN_KEY, "2026-01-01T00:00:00+00:00", None)
    missed = {each.name: each for each in read_service_status()}["worker"]

    assert (seen.is_wrong, missed.is_wrong) == (False, True)
    assert "last seen 2026-01-01 00:00:00 UTC" in missed.text


def test_one_machine_at_a_time_clears_away_what_tasks_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = hand_task_to("near")
    task.set_failed(RuntimeError("It is done with."))
    elsewhere, clock = background.Lease(background.PRUNING), background.Lease(background.CLOCK)
    assert clock.take()
    assert elsewhere.take()

    call_command("prune_db_task_results", min_age_days=0)
    is_there = DBTaskResult.objects.filter(pk=task.pk).exists()
    elsewhere.give_back()
    call_command("prune_db_task_results", min_age_days=0, verbosity=0)

    assert capsys.readouterr().out.startswith("Another machine")
    assert (is_there, DBTaskResult.objects.filter(pk=task.pk).exists()) == (True, False)
    assert elsewhere.take()


def test_tasks_for_many_rows_are_as_those_for_one_and_take_one_statement() -> None:
    columns = ("task_path", "args_kwargs", "priority", "queue_name", "backend_name", "run_after")
    for key in (1, 2, 3):
        send_letter.enqueue(key)
    one_by_one = list(DBTaskResult.objects.order_by("enqueued_at").values(*columns, "status"))
    DBTaskResult.objects.all().delete()

    with CaptureQueriesContext(connection) as asked:
        enqueue_for_each(send_letter, [1, 2, 3])

    written = DBTaskResult.objects.order_by("args_kwargs__args__0").values(*columns, "status")
    assert list(written) == one_by_one
    assert len(asked) == 1
