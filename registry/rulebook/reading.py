"""Reading a rule from its file, when it is asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from registry.rulebook.rule import Practice, Rule

_DATA: Final = Path(__file__).resolve().parent / "data"


@cache
def nids() -> tuple[str, ...]:
    """The namespaces that a rule is held for, in order."""
    return tuple(sorted(path.stem for path in _DATA.glob("*.toml")))


def rule(nid: str) -> Rule | None:
    """The rule for the names of `nid`, in whatever case; `None` where none is held."""
    folded = nid.lower()
    # Only names of files that are there are opened, whatever was typed.
    return _rule(folded) if folded in nids() else None


@cache
def _rule(nid: str) -> Rule:
    held: dict[str, Any] = tomllib.loads((_DATA / f"{nid}.toml").read_text("utf-8"))
    return Rule(
        nid=nid,
        document=held["document"],
        grammar=held["grammar"],
        examples=tuple(held["examples"]),
        counter_examples=tuple(held["counter_examples"]),
        kind=held.get("kind", "abnf"),
        left_open=held.get("left_open", ""),
        check_digits=held.get("check", ""),
        merges=tuple(held.get("merges", ())),
        preferred_form=tuple(held.get("preferred", ())),
        explained_by=held.get("parts", ""),
        practices=tuple(map(_practice, held.get("practice", ()))),
    )


def _practice(held: dict[str, Any]) -> Practice:
    return Practice(
        grammar=held["grammar"],
        caution=held["caution"],
        examples=tuple(held["examples"]),
        not_for=tuple(held.get("not_for", ())),
    )


class _Rules(Mapping[str, Rule]):
    """The rules that are held, each read when it is looked at."""

    def __getitem__(self, nid: str) -> Rule:
        found = rule(nid)
        if found is None:
            raise KeyError(nid)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(nids())

    def __len__(self) -> int:
        return len(nids())


RULES: Final[Mapping[str, Rule]] = _Rules()
"""All rules by namespace; looking one up reads that one alone."""
