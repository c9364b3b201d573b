"""How much is checked at once, on pages and by programs alike: a stranger asks, and all wait."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

MAX_NAMES: Final = 20_000
"""So many lines, empty ones too: half a second of the processor, or a second at worst."""
MAX_OCTETS: Final = 2 << 20
MAX_COMPARED_NIDS: Final = 500
"""For so many different NIDs that nobody has registered it is said which ones they resemble.

That takes as long as there are registered ones: a millisecond each where there are 10,000.
"""


class TooLarge(Exception):
    """There is more than is checked at once; the message says how much that is, and what to do."""


def refuse_too_large(octets: int, lines: int = 0) -> None:
    """Raise `TooLarge` where there is more than is checked at once."""
    if octets > MAX_OCTETS:
        raise TooLarge(
            _("That is more than %(most)s octets, the most that is checked at once. %(advice)s")
            % {"most": f"{MAX_OCTETS:,}", "advice": advice()}
        )
    if lines > MAX_NAMES:
        raise TooLarge(
            _("There are %(lines)s lines; %(most)s is the most that is checked at once. %(advice)s")
            % {"lines": f"{lines:,}", "most": f"{MAX_NAMES:,}", "advice": advice()}
        )


def advice() -> str:
    """Return how more can be checked."""
    return _("Check them in parts, or on your own machine with “python -m registry.urn check”.")
