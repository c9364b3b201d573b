"""What is public of one table, said in a few words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, Expression, F, Model, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable


@dataclass(frozen=True, slots=True)
class Part:
    """What is public of one table.

    `instead` has what is said in the place of columns; `kept_back` has the columns that are not
    said at all, and what a loaded row has there, by its key.
    """

    rows: Callable[[], QuerySet[Any]]
    instead: Mapping[str, Combinable] = field(default_factory=dict)
    kept_back: Mapping[str, Callable[[int], object]] = field(default_factory=dict)


def always(value: object) -> Callable[[int], object]:
    """Return what has `value` for every row."""
    return lambda _key: value


def only_if(model: type[Model], condition: Q, **otherwise: object) -> dict[str, Expression]:
    """Return columns that are said where `condition` holds, and what is said where it does not."""
    kinds = {name: model._meta.get_field(name) for name in otherwise}
    return {
        name: Case(
            When(condition, then=F(name)),
            default=Value(value, None if kinds[name].is_relation else kinds[name]),
            output_field=None if kinds[name].is_relation else kinds[name],
        )
        for name, value in otherwise.items()
    }
