"""What a check has to know besides the text, and how it looks for words in prose."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from registry.template.fields import Field, Required, field as field_named
from registry.template.template import Template
from registry.urn.finding import Finding, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is asked for, by which rules, and when.

    `change` is "new" or "revision", `path` "community", "fast_track" or "informal"; `version` is
    the number this text would be published under, None where it is not known. `taken` holds the
    registered NIDs in lower case. With `publishing`, the text is the one that will stand in the
    registry, numbers filled in, and what is merely unfinished no longer passes. `previous` is the
    last version that was published, and `last_date` its date, where they are known.
    """

    change: str = "new"
    path: str = "community"
    version: int | None = None
    taken: Container[str] = frozenset()
    today: datetime.date = field(default_factory=datetime.date.today)
    publishing: bool = False
    last_date: datetime.date | None = None
    previous: Template | None = None

    @property
    def is_new(self) -> bool:
        """Whether a namespace is asked for that is not registered yet."""
        return self.change == "new"

    @property
    def is_revision(self) -> bool:
        """Whether there is a version before this one to tell differences from (6.2)."""
        return self.change == "revision" or (self.version or 1) > 1

    @property
    def is_informal(self) -> bool:
        """Whether the registry numbers the namespace (5.2)."""
        return self.path == "informal"

    @property
    def is_fast_track(self) -> bool:
        """Whether a standards body decides for itself (6.3)."""
        return self.path == "fast_track"

    @property
    def unfinished(self) -> Severity:
        """How much it weighs that something was left for later."""
        return Severity.BLOCK if self.publishing else Severity.WARN

    def requires(self, each: Field) -> bool:
        """Whether the registrant has to fill in this field."""
        if each.required is Required.REVISION:
            return self.is_revision
        return each.required is Required.ALWAYS


Check: TypeAlias = Callable[[Template, Context], Iterator[Finding]]
"""A small function that asks one question of a template; it yields nothing when all is well."""


def build_finding(
    name: str, check: str, severity: Severity, message: str, mend: str, source: str = ""
) -> Finding:
    """A finding on the field `name`, by the section of the RFC that describes it unless told."""
    return Finding(check, severity, message, source or field_named(name).source, mend, name)


# Signs are words, and words mislead: what is asked here is for people to weigh and blocks nothing.

_END: Final = re.compile(r"(?<=[.;!?])[\s]+|\n\n+")
_MIN_WORDS: Final = 3
_WORD: Final = re.compile(r"[^\W_][\w’'-]*")


class ProseTopic(NamedTuple):
    """Something a section ought to speak of, and the words by which one sees that it does."""

    words: str
    signs: re.Pattern[str]


def build_topic(words: str, signs: str) -> ProseTopic:
    """A question whose signs are beginnings of words, in any case."""
    return ProseTopic(words, re.compile(rf"\b(?:{signs})", re.I))


def list_unanswered(text: str, questions: Iterable[ProseTopic]) -> list[str]:
    """The questions of which the text shows no sign, in their order."""
    return [each.words for each in questions if not each.signs.search(text)]


def split_sentences(text: str) -> Iterator[str]:
    """The sentences, or what passes for them, each on one line."""
    return (" ".join(each.split()) for each in _END.split(text))


def count_words(text: str, most: int) -> int:
    """How many words there are; counting stops at `most`."""
    return sum(1 for _, _ in zip(_WORD.finditer(text), range(most), strict=False))


def has_enough_words(text: str) -> bool:
    """Whether there are words enough to ask what they leave out; if not, others say so."""
    return count_words(text, _MIN_WORDS) == _MIN_WORDS


def join_words(words: list[str]) -> str:
    """The words as an enumeration: "one, two and three"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
