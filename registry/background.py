"""Work that somebody asks for and waits for, done by the worker: one thing at a time for each.

Servers of others are asked by it, which may take their time: no request waits for them, and
nobody fills the worker.
"""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from registry.errors import RegistryError
from registry.models import User

PERSONAL_TASK_PRIORITY: Final = -5
"""Letters go first."""
PENDING_TASK_TIMEOUT: Final = datetime.timedelta(minutes=10)
"""Whose worker was killed waits no longer than that."""


class TaskPending(RegistryError):
    """Something that the person asked for is still being done. The text is fit to show."""


def enqueue_for_person(person: User, task: Task[Any, Any], subject: int) -> None:
    """Have the worker do `task` with the row of that key, because `person` wants to know.

    The task is called with the key, and `person_id`. Raises `TaskPending` where they wait for
    something already.
    """
    with transaction.atomic():
        # The row is ours until the transaction ends: the second of two clicks finds the first.
        User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if find_pending_tasks().filter(args_kwargs__kwargs__person_id=person.pk).exists():
            raise TaskPending(
                _("The registry is still busy with what you asked for last. Wait a moment.")
            )
        task.enqueue(subject, person_id=person.pk)


def find_pending_subjects(task: Task[Any, Any]) -> set[int]:
    """Return the keys of the rows with which the task is still to be done for somebody."""
    waiting = (
        find_pending_tasks()
        .filter(task_path=task.module_path)
        .values_list("args_kwargs", flat=True)
    )
    return {given["args"][0] for given in waiting}


def find_pending_tasks() -> QuerySet[DBTaskResult[Any, Any]]:
    """Return what is to be done, or being done, for people."""
    return DBTaskResult.objects.filter(
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        enqueued_at__gt=timezone.now() - PENDING_TASK_TIMEOUT,
        args_kwargs__kwargs__has_key="person_id",
    )
