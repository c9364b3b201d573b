"""A process whose children register and are killed on the way, as with `kill -9`.

It reads numbers from standard input, one per line. For each `n` a child registers the request and
kills itself once the database has executed its n-th statement; with `commit` right after the
commit. The output is `killed`, or `done` if there were fewer statements.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, Final, NoReturn

from django.db import connection, connections, transaction
from django.test import override_settings

from registry import workflow
from registry.models import RegistrationRequest, User

COMMIT: Final = "commit"


class Executioner:
    """Kills this process after the n-th statement; before the first for 0."""

    def __init__(self, last: int) -> None:
        self.left = last
        self.look()

    def __call__(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Execute a statement, and check whether it was the last."""
        result = execute(*statement)
        self.left -= 1
        self.look()
        return result

    def look(self) -> None:
        """Kill this process if its time has come."""
        if self.left == 0:
            kill()


def kill() -> NoReturn:
    """Kill this process like `kill -9`: nothing is cleaned up."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise SystemExit("A killed process went on.")


@override_settings(REGISTRY_LIST_ADDRESS="")
def register(request: str, person: str, when: str) -> None:
    """Register as the registrar does, and be killed on the way."""
    registration_request = RegistrationRequest.objects.get(pk=request)
    registrar = User.objects.get(pk=person)
    if when == COMMIT:
        with transaction.atomic():
            workflow.perform(registration_request, "register", actor=registrar)
            transaction.on_commit(kill)
    else:
        with connection.execute_wrapper(Executioner(int(when))):
            workflow.perform(registration_request, "register", actor=registrar)


def main(request: str, person: str) -> None:
    """Let one child after another register and be killed, as standard input says."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            try:
                register(request, person, line.strip())
            except Exception:
                traceback.print_exc()
                raise
            finally:
                connections.close_all()
                os._exit(0)
        _child, status = os.waitpid(child, 0)
        print("killed" if os.WIFSIGNALED(status) else "done", flush=True)
