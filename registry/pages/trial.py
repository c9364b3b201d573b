"""Names tried against a rule: what the people say of each, and what the rule says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from registry.grammar import LONGEST_NAME, Answer, Effort, Grammar, Verdict
from registry.urn import URNSyntaxError, parse

MOST: Final = 100
"""So many names of each sort are tried at once."""
MOST_CHARACTERS: Final = 50_000
"""So many characters of names of each sort are tried at once."""
_SHOWN: Final = 60
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Trial:
    """One name, whether it is said to be right, and the verdict of the rule.

    `problem` is what keeps the name from being a URN at all, empty where nothing does.
    """

    name: str
    is_right: bool
    verdict: Verdict
    problem: str = ""

    @property
    def fits(self) -> bool:
        """Whether the rule takes the name."""
        return self.verdict.answer is Answer.YES

    @property
    def is_decided(self) -> bool:
        """Whether the rule was tried to the end."""
        return self.verdict.answer is not Answer.NOT_DECIDED

    @property
    def agrees(self) -> bool:
        """Whether the rule says what the people say."""
        return self.is_decided and self.fits == self.is_right

    @property
    def before(self) -> str:
        """The name up to the character that cannot stand; its beginning may be cut off."""
        before = self.name if self.verdict.position is None else self.name[: self.verdict.position]
        if self.verdict.position is None:
            return before if len(before) <= 2 * _SHOWN else before[: 2 * _SHOWN] + _CUT
        return before if len(before) <= _SHOWN else _CUT + before[-_SHOWN:]

    @property
    def wrong(self) -> str:
        """The character that cannot stand; empty where there is none, or the name ends early."""
        at = self.verdict.position
        return "" if at is None else self.name[at : at + 1]

    @property
    def after(self) -> str:
        """What comes after that character; its end may be cut off."""
        if self.verdict.position is None:
            return ""
        after = self.name[self.verdict.position + 1 :]
        return after if len(after) <= _SHOWN else after[:_SHOWN] + _CUT


def tried(names: Sequence[str]) -> Sequence[str]:
    """Return those of `names` that are tried: the first ones, as many as there is time for."""
    lengths = accumulate(len(name) for name in names[:MOST])
    return names[: sum(length <= MOST_CHARACTERS for length in lengths)]


def trials(
    grammar: Grammar, right: Iterable[str], wrong: Iterable[str], effort: Effort
) -> Iterator[Trial]:
    """Yield a trial of each name, those that are said to be right first."""
    for names, is_right in ((right, True), (wrong, False)):
        for name in names:
            yield Trial(name, is_right, verdict(grammar, name, effort), problem(name))


def verdict(grammar: Grammar, name: str, effort: Effort) -> Verdict:
    """Return what the rule says of `name`, components left out: no rule of a namespace has them."""
    return grammar.matches(name[: length_of_name(name)], effort)


def length_of_name(text: str) -> int:
    """Return where r-, q- and f-component of a URN begin; the whole length of any other text."""
    if len(text) > LONGEST_NAME:
        return len(text)
    try:
        urn = parse(text)
    except URNSyntaxError:
        return len(text)
    return len(f"urn:{urn.nid}:{urn.nss}")


def problem(name: str) -> str:
    """Return what keeps a name in full from being a URN, else nothing."""
    if name[:4].lower() != "urn:" or len(name) > LONGEST_NAME:
        return ""
    try:
        parse(name)
    except URNSyntaxError as error:
        return error.message
    return ""
