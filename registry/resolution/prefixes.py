"""Services for names that begin in one way: compared as the namespace compares its names."""

from __future__ import annotations

from dataclasses import dataclass

from registry.rulebook import rule as rule_of
from registry.rulebook.merging import merged
from registry.urn.equivalence import upper_percent


@dataclass(frozen=True, slots=True)
class Folded:
    """An NSS or the beginning of one: in the letters of section 3.1, and as it is compared.

    What is compared is without what its namespace does not count.
    """

    text: str
    compared: str

    @classmethod
    def of(cls, nid: str, text: str) -> Folded:
        """Fold what stands in a name of the namespace `nid`."""
        rule, text = rule_of(nid), upper_percent(text)
        return cls(text, merged(rule.merges, text) if rule else text)

    def behind(self, prefix: Folded) -> str | None:
        """Return what stands behind `prefix`, none where the name does not begin so.

        In the letters of the name, where what its namespace does not count leaves their number.
        """
        if not self.compared.startswith(prefix.compared):
            return None
        is_as_long = len(self.text) == len(self.compared)
        if is_as_long and len(prefix.text) == len(prefix.compared):
            return self.text[len(prefix.text) :]
        return self.compared[len(prefix.compared) :] if prefix.text else self.text
