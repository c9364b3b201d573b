"""How much is checked at once, on pages and by programs alike: a stranger asks, and all wait."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rate_limits
from registry.client_address import find_client_network

MAX_NAMES: Final = 20_000
"""So many lines, empty ones too: half a second of the processor, or a second at worst."""
MAX_OCTETS: Final = 2 << 20
MAX_COMPARED_NIDS: Final = 500
"""For so many different NIDs that nobody has registered it is said which ones they resemble.

That takes as long as there are registered ones: a millisecond each where there are 10,000.
"""
SPAN: Final = datetime.timedelta(minutes=1)


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


def count_list(environ: Mapping[str, Any], person: int | None = None) -> int | None:
    """Count one list for whoever asks; where that is one too many, return when to ask again.

    That is a number of seconds. Whoever is signed in is counted as `person`, by whatever address.
    """
    key = f"check:{find_client_network(environ) if person is None else f'person:{person}'}"
    if rate_limits.consume(key, settings.REGISTRY_CHECKS_PER_MINUTE, SPAN):
        return None
    ends = rate_limits.find_expiry(key)
    left = (ends - timezone.now()).total_seconds() if ends else 0.0
    return max(math.ceil(left), 1)


def advice() -> str:
    """Return how more can be checked."""
    return _("Check them in parts, or on your own machine with “python -m registry.urn check”.")
