"""One time for everything: looking up, connecting, sending and reading together."""

from __future__ import annotations

import time


class Deadline:
    """A moment after which nobody waits any longer; every wait asks how long it may be."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left; raise `TimeoutError` where there are none."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left
