"""Parts of a text by name, as an immutable value that can be hashed, compared and pickled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final


class PartMapping(Mapping[str, str]):
    """The parts of a text by name, in their order in it."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts: Final = dict(parts)

    def __getitem__(self, name: str) -> str:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __hash__(self) -> int:
        return hash(frozenset(self._parts.items()))

    def __repr__(self) -> str:
        return f"PartMapping({self._parts!r})"

    def __reduce__(self) -> tuple[type[PartMapping], tuple[dict[str, str]]]:
        return PartMapping, (self._parts,)
