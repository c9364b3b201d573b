"""What a registrant changed from one text to the next."""

from __future__ import annotations

from registry.models import Round
from registry.template import SectionDiff, Template, diff, unchanged


def changed(old: Round, new: Round) -> tuple[SectionDiff, ...]:
    """Return the fields that differ; Version and Date are the registry's and do not count."""
    return diff(*written(old, new))


def unchanged_count(old: Round, new: Round) -> int:
    """Return how many fields are as they were."""
    return len(unchanged(*written(old, new)))


def written(old: Round, new: Round) -> list[Template]:
    """Return both texts without what the registry enters."""
    return [each.template.replace(version="", date="") for each in (old, new)]
