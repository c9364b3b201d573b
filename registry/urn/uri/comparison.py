"""Whether two URIs are the same, and on which rung of the ladder (RFC 3986, section 6.2)."""

from __future__ import annotations

from dataclasses import dataclass

from registry.urn.uri.normalization import Rung, normalize


@dataclass(frozen=True, slots=True)
class Step:
    """What two URIs look like on one rung."""

    rung: Rung
    first: str
    second: str

    @property
    def is_equal(self) -> bool:
        """Whether they are the same on this rung."""
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rungs in order, up to the one that found two URIs equal, or all of them."""

    steps: tuple[Step, ...]

    @property
    def rung(self) -> Rung | None:
        """The lowest rung on which the two are equal; `None` where they differ on all."""
        last = self.steps[-1]
        return last.rung if last.is_equal else None

    @property
    def is_equal(self) -> bool:
        """Whether some rung finds the two equal."""
        return self.rung is not None


def compare(first: str, second: str, highest: Rung = Rung.SCHEME) -> Comparison:
    """Climb the ladder with two URIs until they are equal, or to the `highest` rung asked for.

    Equal means the same resource; different means only that spelling does not show it (6.1).
    """
    steps = []
    for rung in Rung:
        steps.append(Step(rung, normalize(first, rung), normalize(second, rung)))
        if steps[-1].is_equal or rung is highest:
            break
    return Comparison(tuple(steps))
