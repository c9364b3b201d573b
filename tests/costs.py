"""Counts of what tests do: statements, steps of the workflow, requests, processes."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.handlers.base import BaseHandler
from django.db.backends.utils import CursorWrapper

spent: Counter[str] = Counter()
"""What the tests of this process have cost so far."""


@contextmanager
def not_counting() -> Iterator[None]:
    """Leave out what is done once for several tests: whose cost it would be is chance."""
    before = spent.copy()
    try:
        yield
    finally:
        spent.clear()
        spent.update(before)


def count_calls(owner: Any, name: str, kind: str) -> None:
    """Count each call of a function of a class or module as one of `kind`."""
    function: Callable[..., Any] = getattr(owner, name)

    @functools.wraps(function)
    def count_and_call(*args: Any, **kwargs: Any) -> Any:
        spent[kind] += 1
        return function(*args, **kwargs)

    setattr(owner, name, count_and_call)


def start_counting() -> None:
    """Count from now on what this process does, in all its threads."""
    count_calls(CursorWrapper, "_execute_with_wrappers", "statements")
    count_calls(BaseHandler, "get_response", "requests")
    count_calls(subprocess.Popen, "__init__", "processes")
    # `registry.workflow.perform` as an attribute is the function of the same name.
    count_calls(sys.modules["registry.workflow.perform"], "find_target_state", "steps")
