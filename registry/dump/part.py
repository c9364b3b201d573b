"""What is public of one table, said in a few words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, F, Field, Model, Q, QuerySet, Value, When
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


def only_if(model: type[Model], condition: Q, **otherwise: object) -> dict[str, Combinable]:
    """Return columns that are said where `condition` holds, and what is said where it does not."""
    return {
        name: Case(
            When(condition, then=F(name)),
            default=Value(value, kind_of(model, name)),
            output_field=kind_of(model, name),
        )
        for name, value in otherwise.items()
    }


def kind_of(model: type[Model], name: str) -> Field[Any, Any] | None:
    """Return of which kind a column is, none where it refers to another row."""
    column = model._meta.get_field(name)
    return column if isinstance(column, Field) and not column.is_relation else None
