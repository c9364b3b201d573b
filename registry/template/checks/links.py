"""Addresses in the text: whether they can be followed, and whether once would do (ours)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from registry.template.checks.characters import position
from registry.template.checks.context import Context, finding
from registry.template.fields import FIELDS
from registry.template.template import Template
from registry.urn.characters import excerpt
from registry.urn.finding import Finding, Severity

_LINK: Final = re.compile(r"\b(?:https?|hhtps?|htt?ps?|ttps?)(?::|;)/{0,3}[^\s<>\"“”]*", re.I)
_FORM: Final = re.compile(
    r"https?://(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,63}(?::[0-9]{1,5})?(?:[/?#].*)?",
    re.I,
)
_SPARE: Final = ".,;:!?'’)]}>*_`"
_MOST: Final = 3
_LOCAL: Final = "local rule"


def links_can_be_followed(template: Template, context: Context) -> Iterator[Finding]:
    """An address has a scheme, a host with a domain, and nothing doubled."""
    for each in FIELDS:
        broken = [
            (start, link) for start, link in _links(template[each.name]) if not _is_whole(link)
        ]
        for start, link in broken[:_MOST]:
            yield finding(
                each.name,
                "link.broken",
                Severity.WARN,
                f"{each.label} has an address that cannot be followed, {excerpt(link)}, in"
                f" {position(template[each.name], start)}.",
                "Write it as https://, the host and the path, without blanks or line breaks.",
                _LOCAL,
            )


def links_are_not_repeated(template: Template, context: Context) -> Iterator[Finding]:
    """The same address twice in one section is often one that was meant to be another."""
    for each in FIELDS:
        counts = Counter(link for _, link in _links(template[each.name]))
        for link, count in counts.most_common(_MOST):
            if count > 1:
                yield finding(
                    each.name,
                    "link.repeated",
                    Severity.NOTE,
                    f"{each.label} gives {excerpt(link)} {count:,} times.",
                    "Make sure that no other address was meant.",
                    _LOCAL,
                )


def _links(text: str) -> Iterator[tuple[int, str]]:
    for match in _LINK.finditer(text):
        yield match.start(), match[0][:2_000].rstrip(_SPARE)


def _is_whole(link: str) -> bool:
    return _FORM.fullmatch(link) is not None and link.lower().count("://") == 1 + _carried(link)


def _carried(link: str) -> int:
    """How many addresses stand in the path or query, as archives and look-up services have."""
    return link[8:].lower().count("://") if "/" in link[8:].partition("://")[0] else 0
