"""How much a dump has: what everybody may read, or all there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from django.db.models import Field, QuerySet
from django.db.models.expressions import Combinable

from registry.dump.public import PUBLIC
from registry.dump.tables import TABLES, columns_of, model_of


class Extent(StrEnum):
    """How much of the registry a dump has."""

    PUBLIC = "public"
    COMPLETE = "complete"

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of which it has rows, each after those it refers to."""
        return TABLES if self is Extent.COMPLETE else tuple(t for t in TABLES if t in PUBLIC)

    def rows_of(self, label: str) -> QuerySet[Any]:
        """Return the rows that it has of a table."""
        if self is Extent.COMPLETE:
            return model_of(label)._default_manager.all()
        return PUBLIC[label].rows()

    def columns_of(self, label: str) -> tuple[Field[Any, Any], ...]:
        """Return the columns that it has of a table."""
        kept_back = self.kept_back(label)
        return tuple(each for each in columns_of(label) if each.attname not in kept_back)

    def instead(self, label: str) -> Mapping[str, Combinable]:
        """Return what it says in the place of columns."""
        return {} if self is Extent.COMPLETE else PUBLIC[label].instead

    def kept_back(self, label: str) -> Mapping[str, Callable[[int], object]]:
        """Return the columns that it does not have, and what a loaded row has there."""
        return {} if self is Extent.COMPLETE else PUBLIC[label].kept_back
