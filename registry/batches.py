"""Many items in batches: no more of them are in memory, or in one statement, than a batch has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final, TypeVar

from django.db.models import Model, QuerySet

T = TypeVar("T")
M = TypeVar("M", bound=Model)
ROWS_PER_CHUNK: Final = 500


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of `size`, the last perhaps shorter.

    Python 3.12 has `itertools.batched`.
    """
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def split_into_chunks(found: QuerySet[M]) -> Iterator[list[M]]:
    """Yield the rows of a list in chunks, for readers that may be slow.

    Their keys are read first. Unlike with `iterator`, nothing stays open in the database between
    two chunks, and rows do not move from one to another.
    """
    for keys in batched(list(found.values_list("pk", flat=True)), ROWS_PER_CHUNK):
        yield list(found.filter(pk__in=keys))


def iterate_in_chunks(found: QuerySet[M]) -> Iterator[M]:
    """Yield the rows of a list, of which only a chunk is in memory."""
    return chain.from_iterable(split_into_chunks(found))
