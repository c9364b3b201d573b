"""Looking for prefixes as Bioregistry's programs do: any case, hyphens and dots left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from registry.models import Namespace

NOT_COUNTED: Final = str.maketrans("", "", " -_./")


def folded(word: str) -> str:
    """Return a prefix as Bioregistry compares prefixes."""
    return word.casefold().translate(NOT_COUNTED)


@dataclass(frozen=True)
class Prefixes:
    """Every NID, in order, and what it is looked for by."""

    nids: tuple[str, ...]
    text: str
    """What they are looked for by, one a line: one search through it is quicker than many."""
    starts: tuple[int, ...]
    by_folded: dict[str, str]

    @classmethod
    def of(cls, nids: Iterator[str]) -> Prefixes:
        """Return `nids`, ready to be looked for."""
        ordered = tuple(sorted(nids))
        words = [folded(nid) for nid in ordered]
        starts = accumulate((len(word) + 1 for word in words[:-1]), initial=0)
        return cls(ordered, "\n".join(words), tuple(starts), dict(zip(words, ordered, strict=True)))

    def named(self, prefix: str) -> str | None:
        """Return the NID that somebody means by `prefix`, none where nobody registered it."""
        return self.by_folded.get(folded(prefix))

    def search(self, typed: str) -> list[str]:
        """Return the NIDs in which `typed` occurs."""
        word = folded(typed)
        if not word:
            return list(self.nids)
        return [] if "\n" in word else list(self.having(word))

    def having(self, word: str) -> Iterator[str]:
        """Yield the NIDs in which a word occurs that is as they are compared."""
        found = self.text.find(word)
        while found >= 0:
            place = bisect_right(self.starts, found) - 1
            yield self.nids[place]
            beyond = self.text.find("\n", found)
            found = -1 if beyond < 0 else self.text.find(word, beyond)


@lru_cache(maxsize=1)
def prefixes(version: int) -> Prefixes:
    """Return the NIDs of one version of the registry."""
    return Prefixes.of(Namespace.objects.values_list("nid", flat=True).iterator())
