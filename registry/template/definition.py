"""What a field and a page of the registration template are (RFC 8141, Appendix A)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Required(StrEnum):
    """When a field has to be answered, and by whom."""

    ALWAYS = "always"
    REVISION = "revision"
    NEVER = "never"
    REGISTRY = "registry"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the template: its column, its label on paper, and how to fill it in.

    `section` is where RFC 8141 describes it; `guidance` is ours, a paragraph or a question an
    item, the first one enough for those in a hurry; `rows` is the height of a text area, 1 a line.
    """

    name: str
    label: str
    section: str
    guidance: tuple[str, ...]
    good_answer: str
    required: Required
    rows: int = 6

    @property
    def source(self) -> str:
        """The place in the RFC, as findings and pages cite it."""
        place = self.section if self.section.startswith("Appendix") else f"section {self.section}"
        return f"RFC 8141, {place}"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the editor: its place in the address, its title, and the fields on it."""

    slug: str
    title: str
    fields: tuple[str, ...]
