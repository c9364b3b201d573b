"""The query of draft -03: `keyword=value` directives (its sections 2.3 and 9.2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

# Section 9.2.1, the keywords that the draft would have registered first.
KEYWORDS: Final = {
    "s": "intended URN resolution service",
    "c": "component of a structured resource",
}
# Section 9.2.2, the values of `s`: the services of RFC 2483.
SERVICES: Final = {
    "I2L": "URI to URL",
    "I2Ls": "URI to URLs",
    "I2R": "URI to resource",
    "I2Rs": "URI to resources",
    "I2C": "URI to URC",
    "I2Cs": "URI to URCs",
    "I2N": "URI to URN",
    "I2Ns": "URI to URNs",
    "I=I": "URI equal to URI",
}


@dataclass(frozen=True, slots=True)
class Directive:
    """One `keyword=value`; case counts in both."""

    keyword: str
    value: str

    def __str__(self) -> str:
        return f"{self.keyword}={self.value}"


def directives(query: str) -> tuple[Directive, ...]:
    """All directives of a query of draft -03, in the order they were written."""
    pairs = (written.partition("=") for written in query.split("&"))
    return tuple(Directive(keyword, value) for keyword, _, value in pairs)


def effective(query: str) -> tuple[Directive, ...]:
    """The directives that a resolver heeds: none whose keyword is there twice (section 2.3)."""
    written = directives(query)
    times = Counter(directive.keyword for directive in written)
    return tuple(directive for directive in written if times[directive.keyword] == 1)


def reordered(query: str) -> str:
    """The query with its directives in one order, whatever they were written in (step 5b)."""
    ordered = sorted(directives(query), key=lambda directive: (directive.keyword, directive.value))
    return "&".join(map(str, ordered))
