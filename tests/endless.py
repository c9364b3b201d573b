"""A guard for hostile input: what would not end in any time a person waits is stopped.

It measures no speed; that is what `benchmarks/` is for. Input in these tests is so large that what
grows faster than it does not come to an end before this.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SECONDS: Final = 30.0
"""Of the processor; what ends at all takes two or three, and twice that on a busy machine."""


@contextmanager
def stopped_if_endless() -> Iterator[None]:
    """Fail if the block does not come to an end."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"It has not come to an end in {SECONDS:.0f} s of the processor.")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
