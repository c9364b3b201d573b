"""A text written from one version, and what a newer version changed meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from registry.template.diff import SectionDiff, diff
from registry.template.fields import ORDER
from registry.template.template import Template

MERGED_FIELDS: Final = tuple(
    name for name in ORDER if name not in {"nid", "version", "date", "revision_information"}
)
"""The identifier stays, and the others are of one version alone."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Three texts: what was written from `base`, and the `newer` version of `base`."""

    base: Template
    mine: Template
    newer: Template

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The fields that both changed, each to something else."""
        return tuple(
            name
            for name in MERGED_FIELDS
            if self.base[name] != self.mine[name] != self.newer[name] != self.base[name]
        )

    @property
    def template(self) -> Template:
        """What was written, with what only the newer version changed."""
        taken = (name for name in MERGED_FIELDS if self.mine[name] == self.base[name])
        return self.mine.replace(**{name: self.newer[name] for name in taken})

    @property
    def changes_of_newer(self) -> dict[str, SectionDiff]:
        """What the newer version changed, by field."""
        return self._compare(self.newer)

    @property
    def changes_of_mine(self) -> dict[str, SectionDiff]:
        """What was written anew, by field."""
        return self._compare(self.mine)

    def _compare(self, text: Template) -> dict[str, SectionDiff]:
        found = diff(self.base, text)
        return {each.field: each for each in found if each.field in MERGED_FIELDS}
