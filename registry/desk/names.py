"""A name tried on the page of its namespace, written in full or without `urn:` and NID."""

from __future__ import annotations

from dataclasses import dataclass

from registry.desk.findings import NamespaceFinding, find_out
from registry.desk.inspection import DRAWN
from registry.queries.name_rules import Held
from registry.urn import URN, URNSyntaxError, nid as nids, parse


@dataclass(frozen=True, slots=True)
class NameCheck:
    """The answer about a name, `text` being the URN in full that was looked at.

    With an `error` it is not a URN; with neither error nor finding it is one of another namespace.
    """

    text: str
    urn: URN | None = None
    error: URNSyntaxError | None = None
    finding: NamespaceFinding | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether the URN is short enough to be drawn character by character."""
        return len(self.text) <= DRAWN


def check_name(typed: str, nid: str, rule: Held | None) -> NameCheck:
    """Look at what was typed as a name of the namespace `nid`. Nothing is refused."""
    text = typed if typed[:4].lower() == "urn:" else f"urn:{nid}:{typed}"
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return NameCheck(text, error=error)
    if nids.canonical(urn.nid) != nid:
        return NameCheck(text, urn)
    return NameCheck(text, urn, finding=find_out(urn, rule))
