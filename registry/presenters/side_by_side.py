"""Two requests side by side, if they ask for the same identifier or two similar ones."""

from __future__ import annotations

from dataclasses import dataclass

from registry import selectors
from registry.models import RegistrationRequest, Round
from registry.selectors.requests import is_similar_request
from registry.template import PAGES, field

REGISTRY_FIELDS = frozenset({"version", "date"})
"""Fields written by the registry say nothing about how two requests differ."""


@dataclass(frozen=True, slots=True)
class FieldPair:
    """What two texts say in one field."""

    name: str
    label: str
    left: str
    right: str

    @property
    def is_same(self) -> bool:
        """Whether both have the same words."""
        return self.left == self.right


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two requests with their last rounds, field by field."""

    left: RegistrationRequest
    right: RegistrationRequest
    left_round: Round
    right_round: Round
    is_contended: bool
    pairs: tuple[FieldPair, ...]

    @property
    def differing(self) -> list[FieldPair]:
        """The fields in which they differ."""
        return [pair for pair in self.pairs if not pair.is_same]

    @property
    def same(self) -> list[FieldPair]:
        """The fields in which both are the same."""
        return [pair for pair in self.pairs if pair.is_same and pair.left]


def compare_requests(left: RegistrationRequest, right: RegistrationRequest) -> SideBySide | None:
    """Return the two side by side; None if they do not conflict."""
    is_contended = right in selectors.list_rival_requests(left)
    if not (is_contended or is_similar_request(left, right)):
        return None
    left_round, right_round = left.last_round, right.last_round
    if left_round is None or right_round is None:
        return None
    texts = left_round.template, right_round.template
    pairs = tuple(
        FieldPair(name, field(name).label, texts[0][name], texts[1][name])
        for page in PAGES
        for name in page.fields
        if name not in REGISTRY_FIELDS
    )
    return SideBySide(left, right, left_round, right_round, is_contended, pairs)
