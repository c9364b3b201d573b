"""How prose is read: its sentences and clauses, and what a clause asserts or denies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

# These checks go by words, and words mislead: their findings are for people to weigh and never
# block, except that a mere pointer is no answer.

_END: Final = re.compile(r"(?<=[.;!?])[\s]+|\n\n+")
_CLAUSE_END: Final = re.compile(
    r"[;:](?=\s)|[,—–]?\s(?:but|however|whereas|although|though|while|yet|except that)\b,?"
    r"|,\s(?:and|so)\s(?=(?:the|a|an|it|they|this|these|those|all|no|names?|each|every)\b)",
    re.I,
)
_DENIAL: Final = re.compile(
    r"\b(?:not(?! only\b)|never|no(?! doubt\b| later\b)|none|nor|neither|cannot|without|nothing"
    r"|nobody|nowhere|hardly|ignor\w+|disregard\w*|irrespective|regardless|independent\w*"
    r"|irrelevant|undefined|unspecified|rather than|instead of|avoid\w*|forbid\w*|prohibit\w*"
    r"|exclud\w+|preclud\w*|unlike|reserved)\b|n[’']t\b",
    re.I,
)
_MIN_WORDS: Final = 3
_WORD: Final = re.compile(r"[^\W_][\w’'-]*")


class ProseTopic(NamedTuple):
    """Something a section should cover, and the words that show that it does."""

    words: str
    signs: re.Pattern[str]


def build_topic(words: str, signs: str) -> ProseTopic:
    """A topic recognised by the beginnings of words, ignoring case."""
    return ProseTopic(words, re.compile(rf"\b(?:{signs})", re.I))


def list_unanswered(text: str, questions: Iterable[ProseTopic]) -> list[str]:
    """The topics of which the text shows no sign, in order."""
    return [each.words for each in questions if not each.signs.search(text)]


@lru_cache(maxsize=32)
def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences, or what passes for them, each on one line; cached, since many checks ask."""
    return tuple(" ".join(each.split()) for each in _END.split(text))


@lru_cache(maxsize=32)
def _lower_sentences(text: str) -> tuple[str, ...]:
    return tuple(each.lower() for each in split_sentences(text))


@lru_cache(maxsize=32)
def _lower_text(text: str) -> str:
    return "\n".join(_lower_sentences(text))


def find_sentence(text: str, words: tuple[str, ...], test: Callable[[str], bool]) -> str:
    """The first sentence that passes the test; empty if none does.

    `words` are parts of words in lower case, one of which is in every such sentence: looking for
    them first takes a fraction of the time.
    """
    lowered = _lower_text(text)
    found = [word for word in words if word in lowered]
    if not found:
        return ""
    sentences = zip(split_sentences(text), _lower_sentences(text), strict=True)
    return next(
        (each for each, low in sentences if any(word in low for word in found) and test(each)), ""
    )


def split_clauses(sentence: str) -> Iterator[str]:
    """The parts of a sentence that can each be true while the others are not."""
    return (each for each in _CLAUSE_END.split(sentence) if each)


def is_denied(clause: str) -> bool:
    """Whether the clause says that something is not so, or does not matter."""
    return _DENIAL.search(clause) is not None


def count_words(text: str, most: int) -> int:
    """How many words there are; counting stops at `most`."""
    return sum(1 for _, _ in zip(_WORD.finditer(text), range(most), strict=False))


def has_enough_words(text: str) -> bool:
    """Whether there are enough words to ask what they leave out; if not, other checks say so."""
    return count_words(text, _MIN_WORDS) == _MIN_WORDS


_POINTER: Final = re.compile(
    r"\s*(?:please )?(?:see|refer to|cf\.?|(?:is |are )?(?:described|specified|defined|given"
    r"|covered"
    r"|provided|discussed) in|as (?:described|specified|defined|given) in)\b[^;]{0,200}",
    re.I,
)
_MAX_POINTER_WORDS: Final = 25


def speaks_for_itself(text: str) -> bool:
    """Whether there are enough words, and not only those that point to another document."""
    if not has_enough_words(text):
        return False
    is_short = count_words(text, _MAX_POINTER_WORDS) < _MAX_POINTER_WORDS
    return not (is_short and _POINTER.fullmatch(text))


_RULES_OF_ALL: Final = re.compile(
    r"https?://\S*\brfc-?(?:8141|3986|2141|3406)\b[^\s>)\]]*|\bRFC[ -]?(?:8141|3986|2141|3406)\b",
    re.I,
)
_NEARBY: Final = frozenset("above below elsewhere guide registry".split())
_POINTING_WORDS: Final = _NEARBY | frozenset(
    """
    a according accordance all also and appendix applies apply are as at bcp by chapter complies
    comply conform conforms contents covered defined described details document elsewhere follow
    following follows for further general given here holds ietf in information is it its note of on
    other our page pages paragraph part per please provided refer reference referenced referred
    rfc same section sections see specification specified standard stated std that the their there
    these they this to under uri urn urns well what which with
    """.split()
)


def is_mere_pointer(text: str, host: str) -> bool:
    """Whether a text only points to the rules that hold for all, to `host` or to its surroundings.

    A pointer to a document of the applicant's own is an answer.
    """
    if count_words(text, _MAX_POINTER_WORDS) == _MAX_POINTER_WORDS:
        return False
    own_pages = re.compile(rf"https?://{re.escape(host)}(?![\w.-])\S*", re.I) if host else None
    left = own_pages.sub(" ", text) if own_pages else text
    left = _RULES_OF_ALL.sub(" ", left)
    words = {each.lower() for each in _WORD.findall(left) if not each[0].isdigit()}
    return words <= _POINTING_WORDS and (left != text or bool(words & _NEARBY))


def begins_elsewhere(text: str) -> bool:
    """Whether the first paragraph only points to another document for the content."""
    first = text.strip().partition("\n\n")[0]
    return has_enough_words(first) and not speaks_for_itself(first)


def join_words(words: list[str]) -> str:
    """The words as a list: "one, two and three"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
