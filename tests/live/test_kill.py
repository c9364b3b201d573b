"""`kill -9` at each step of registering: everything is there, with its log entry, or nothing.

`make test-all` kills at some of the steps, those of a formal and of an informal namespace in turn;
`make soak` at every one. `REGISTRY_TEST_SOAK_KILL` says how many lie between two.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from django.db.models import Max
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from registry import journal
from registry.enums import State
from registry.journal.log_worker import build_log, find_development_key
from registry.models import (
    Counter,
    Event,
    Letter,
    Namespace,
    Registration,
    RegistrationRequest,
    User,
)
from registry.selectors.transparency_log import find_published_head, prove_entry
from registry.transparency.merkle import hash_leaf
from registry.transparency.sources import FolderSource
from registry.transparency.verification import verify_log
from tests.live.killed import COMMIT
from tests.live.servers import ROOT, environment

pytestmark = pytest.mark.django_db(transaction=True)

STEP: Final = int(os.environ.get("REGISTRY_TEST_SOAK_KILL", "6"))
START: Final = "import django; django.setup(); from tests.live import killed; killed.main({}, {})"

Register = Callable[[int | str], str]


@contextmanager
def registering(
    registration_request: RegistrationRequest, registrar: User, home: Path
) -> Iterator[Register]:
    """Return a function that registers in another process, which is killed where it says."""
    process = subprocess.Popen(
        [sys.executable, "-c", START.format(registration_request.pk, registrar.pk)],
        cwd=ROOT,
        env=environment(home) | {"DJANGO_SETTINGS_MODULE": "registry.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin
        assert process.stdout
        said, heard = process.stdin, process.stdout

        def register(when: int | str) -> str:
            print(when, file=said, flush=True)
            return heard.readline().strip()

        yield register
        said.close()


def found(registration_request: RegistrationRequest, tasks: int) -> dict[str, bool]:
    """Return for each result of registering whether it is there."""
    last = Event.objects.aggregate(last=Max("number"))["last"]
    return {
        "state": RegistrationRequest.objects.get(pk=registration_request.pk).state
        == State.REGISTERED,
        "revision": RegistrationRequest.objects.get(pk=registration_request.pk).revision
        != registration_request.revision,
        "namespace": Namespace.objects.exists(),
        "version": Registration.objects.exists(),
        "event": registration_request.events.filter(verb="register").exists(),
        "line of the journal": Counter.objects.get(name=Counter.EVENT).value == last
        and Event.objects.get(number=last).verb == "register",
        "entry of the log": has_entry(registration_request),
        "letter": Letter.objects.filter(event__verb="register").exists(),
        "task": DBTaskResult.objects.count() > tasks,
    }


def has_entry(registration_request: RegistrationRequest) -> bool:
    """Return whether the last event of the request registers it, and has its entry."""
    line = registration_request.events.order_by("number").last()
    assert line is not None
    assert hash_leaf(line.entry.encode()).hex() == line.digest
    return f'"n":{line.number},' in line.entry and '"verb":"register"' in line.entry


def assert_log_proves_registering(settings: Settings) -> None:
    """Build the log, and verify it as others do: registering is the last entry."""
    head = build_log().head
    key = find_development_key()
    assert key is not None
    published = find_published_head()
    assert published is not None
    proof = prove_entry(published, head.size - 1)
    assert proof is not None
    assert '"verb":"register"' in proof.extra.decode()
    proof.verify(hash_leaf(proof.extra), [key.verifier()])
    source = FolderSource(settings.REGISTRY_LOG_DIR)
    assert verify_log(source, [key.verifier()]).faults == []


@pytest.fixture(params=["approved", "informal_approved"], ids=["formal", "informal"])
def waiting(request: pytest.FixtureRequest) -> RegistrationRequest:
    """A request that waits for the registrar."""
    registration_request: RegistrationRequest = request.getfixturevalue(request.param)
    return registration_request


def test_killed_after_any_statement_nothing_is_there_and_it_can_be_done_again(
    waiting: RegistrationRequest, registrar: User, tmp_path: Path, settings: Settings
) -> None:
    tasks = DBTaskResult.objects.count()
    before = build_log().head

    with registering(waiting, registrar, tmp_path) as register:
        for statement in count(STEP // 2 if waiting.is_informal else 0, STEP):
            if register(statement) == "done":
                break
            left = found(waiting, tasks)
            assert not any(left.values()), (statement, left)
            assert Counter.objects.expected(Counter.INFORMAL) == 1
            assert build_log().head == before

    assert all(found(waiting, tasks).values()), found(waiting, tasks)
    assert statement > len(found(waiting, tasks))
    assert list(journal.verify()) == []
    assert_log_proves_registering(settings)


@pytest.mark.whole(sample=True)
def test_killed_right_after_the_commit_everything_is_there(
    waiting: RegistrationRequest, registrar: User, tmp_path: Path, settings: Settings
) -> None:
    tasks = DBTaskResult.objects.count()

    with registering(waiting, registrar, tmp_path) as register:
        assert register(COMMIT) == "killed"

    assert all(found(waiting, tasks).values()), found(waiting, tasks)
    assert Namespace.objects.get().informal_number == (1 if waiting.is_informal else None)
    assert list(journal.verify()) == []
    assert_log_proves_registering(settings)
