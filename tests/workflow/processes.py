"""Actions at the same moment, each in a separate process."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Final

from django.db import connections

from registry.workflow import ActionRefused

PATIENCE: Final = 120.0
DONE: Final = "done"
REFUSED: Final = "refused"

Act = Callable[[], object]


def act_in_processes(acts: Sequence[Act]) -> list[bool]:
    """Do `acts` at the same moment; return for each whether it was done, and not refused.

    Each process is a copy of this one with everything it remembers, and connects to the database
    separately: a shared connection works for neither.
    """
    connections.close_all()
    copies = multiprocessing.get_context("fork")
    barrier = copies.Barrier(len(acts))
    running = []
    for act in acts:
        here, there = copies.Pipe(duplex=False)
        process = copies.Process(target=answer, args=(act, barrier, there))
        process.start()
        there.close()
        running.append((process, here))
    answers: list[str] = []
    for process, here in running:
        with here:
            answers.append(here.recv() if here.poll(PATIENCE) else "It gave no answer.")
        process.join(PATIENCE)
        process.close()
    faults = [said for said in answers if said not in {DONE, REFUSED}]
    assert not faults, faults[0]
    return [said == DONE for said in answers]


def answer(act: Act, barrier: Barrier, there: Connection) -> None:
    """Do it when all are ready; send whether it was done, or what went wrong."""
    try:
        barrier.wait(PATIENCE)
        act()
        there.send(DONE)
    except ActionRefused:
        there.send(REFUSED)
    except BaseException:
        there.send(traceback.format_exc())
    finally:
        there.close()
        connections.close_all()
