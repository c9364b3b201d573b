"""Looking in prose for signs that a question was answered, or that too much was said.

Signs are words, and words mislead: what is asked here is for people to weigh and blocks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_END: Final = re.compile(r"(?<=[.;!?])[\s]+|\n\n+")
_FEW: Final = 3
_WORD: Final = re.compile(r"[^\W_][\w’'-]*")


class Question(NamedTuple):
    """Something a section ought to speak of, and the words by which one sees that it does."""

    words: str
    signs: re.Pattern[str]


def question(words: str, signs: str) -> Question:
    """A question whose signs are beginnings of words, in any case."""
    return Question(words, re.compile(rf"\b(?:{signs})", re.I))


def unanswered(text: str, questions: Iterable[Question]) -> list[str]:
    """The questions of which the text shows no sign, in their order."""
    return [each.words for each in questions if not each.signs.search(text)]


def sentences(text: str) -> Iterator[str]:
    """The sentences, or what passes for them, each on one line."""
    return (" ".join(each.split()) for each in _END.split(text))


def count_words(text: str, most: int) -> int:
    """How many words there are; counting stops at `most`."""
    return sum(1 for _, _ in zip(_WORD.finditer(text), range(most), strict=False))


def is_begun(text: str) -> bool:
    """Whether there are words enough to ask what they leave out; if not, others say so."""
    return count_words(text, _FEW) == _FEW


def listed(words: list[str]) -> str:
    """The words as an enumeration: "one, two and three"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
