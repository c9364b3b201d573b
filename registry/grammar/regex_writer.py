"""A grammar of names, written as a regular expression that Python and JavaScript read alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from registry.grammar.alphabet import CharSet
from registry.grammar.ambiguity import has_many_readings
from registry.grammar.errors import NotDecided
from registry.grammar.expression import (
    EMPTY_TEXT,
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    Terminal,
    make_repetition,
)
from registry.grammar.rule_set import RuleSet
from registry.grammar.unfolding import unfold

LONGEST_REGEX: Final = 2_000
"""The longest expression to give to people and programs."""
NSS_CHARACTERS: Final = CharSet.union(
    (
        CharSet.of((ord("0"), ord("9")), (ord("A"), ord("Z")), (ord("a"), ord("z"))),
        CharSet.from_text("-._~%!$&'()*+,;=:@/"),
    )
)
"""The characters of an NSS (RFC 8141, section 2; RFC 3986, section 3.3): no others are written."""

# The output means the same to Python's `re`, and to JavaScript with no flag, "u" or "v", as HTML's
# attribute `pattern` uses it: groups that do not capture, classes of ASCII without shorthands, no
# flags, and in classes a backslash before every sign that "v" reserves.

_ESCAPED: Final = frozenset("$()*+.")
_ESCAPED_IN_CLASS: Final = frozenset("-()/")
_TOO_LONG: Final = f"Written out, the rule has more than {LONGEST_REGEX:,} characters."


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A part of an expression; `is_atom` is set if a quantifier can follow it."""

    text: str
    is_atom: bool = False
    is_choice: bool = False

    def group(self) -> str:
        """The part, ready to be followed by a quantifier."""
        return self.text if self.is_atom else f"(?:{self.text})"

    def inner(self) -> str:
        """The part, ready to be next to another."""
        return f"(?:{self.text})" if self.is_choice else self.text


_NOTHING: Final = WrittenPart("")


def write_regex(expression: Expression, rules: RuleSet, prefix: str = "") -> str | None:
    """The NSSs that match `expression`, as an expression anchored at both ends.

    References are followed in `rules`. `prefix` is what whole names begin with; it is left out.
    None if rules are recursive, undefined or undecidable, if nothing matches, if it would be longer
    than `LONGEST_REGEX`, or if programs might try a name for ever (`has_many_readings`).
    """
    try:
        unfolded: Expression | None = unfold(expression, rules)
        for char in prefix:
            unfolded = _Remainders(char).find(unfolded) if unfolded else None
        written = _RegexWriter().write(unfolded) if unfolded else None
    except NotDecided:
        return None
    if unfolded is None or written is None or has_many_readings(unfolded):
        return None
    text = f"^{written.inner()}$"
    return text if len(text) <= LONGEST_REGEX else None


class _RegexWriter:
    """Writes each part once, and gives up as soon as it is too long."""

    def __init__(self) -> None:
        self._written: dict[Expression, WrittenPart | None] = {}

    def write(self, expression: Expression) -> WrittenPart | None:
        """The text for `expression`, which has been unfolded; `None` if nothing matches it."""
        if expression not in self._written:
            part = self._write(expression)
            if part and len(part.text) > LONGEST_REGEX:
                raise NotDecided(_TOO_LONG)
            self._written[expression] = part
        return self._written[expression]

    def _write(self, expression: Expression) -> WrittenPart | None:
        match expression:
            case Concatenation():
                return self._write_concatenation(expression)
            case Alternation():
                return self._write_alternation(expression)
            case Repetition():
                return self._write_repetition(expression)
            case Terminal():
                return write_charset(expression.charset)
        raise TypeError(expression)

    def _write_concatenation(self, expression: Concatenation) -> WrittenPart | None:
        parts: list[WrittenPart] = []
        for each in expression.parts:
            part = self.write(each)
            if part is None:
                return None
            if part.text:
                parts.append(part)
        return parts[0] if len(parts) == 1 else WrittenPart("".join(_join_equal(parts)))

    def _write_alternation(self, expression: Alternation) -> WrittenPart | None:
        options = map(self.write, expression.options)
        found = list(dict.fromkeys(part for part in options if part is not None))
        full = [part for part in found if part.text]
        if not full:
            return found[0] if found else None
        choice = full[0]
        if len(full) > 1:
            choice = WrittenPart("|".join(part.text for part in full), is_choice=True)
        # An empty option makes the others optional.
        return choice if len(full) == len(found) else _quantify(choice, 0, 1)

    def _write_repetition(self, expression: Repetition) -> WrittenPart | None:
        part = self.write(expression.body)
        if part is None:
            return _NOTHING if expression.least == 0 else None
        return _quantify(part, expression.least, expression.most) if part.text else part


def _join_equal(parts: Iterable[WrittenPart]) -> Iterable[str]:
    """The parts in sequence, with a count in place of one that is repeated."""
    for part, equal in groupby(parts):
        count = len(list(equal))
        quantified = f"{part.text}{{{count}}}"
        is_shorter = part.is_atom and len(quantified) < count * len(part.text)
        yield quantified if is_shorter else part.inner() * count


def _quantify(part: WrittenPart, least: int, most: int | None) -> WrittenPart:
    match least, most:
        case 1, 1:
            return part
        case 0, None:
            sign = "*"
        case 1, None:
            sign = "+"
        case 0, 1:
            sign = "?"
        case _:
            sign = (
                f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
            )
    return WrittenPart(f"{part.group()}{sign}")


def write_charset(charset: CharSet) -> WrittenPart | None:
    """One of those characters of `charset` that an NSS can have; `None` if it has none."""
    ranges = NSS_CHARACTERS.minus(charset.complement()).ranges
    codes = [code for low, high in ranges for code in range(low, high + 1)]
    if len(codes) == 1:
        char = chr(codes[0])
        return WrittenPart(f"\\{char}" if char in _ESCAPED else char, is_atom=True)
    text = "".join(_write_runs(codes))
    return WrittenPart(f"[{text}]", is_atom=True) if text else None


def _write_runs(codes: list[int]) -> Iterable[str]:
    """Letters and digits in ranges, then the signs one by one."""
    plain = [code for code in codes if chr(code).isalnum()]
    for _, run in groupby(enumerate(plain), lambda pair: pair[1] - pair[0]):
        chars = [chr(code) for _, code in run]
        yield f"{chars[0]}-{chars[-1]}" if len(chars) > 2 else "".join(chars)
    for char in (chr(code) for code in codes if not chr(code).isalnum()):
        yield f"\\{char}" if char in _ESCAPED_IN_CLASS else char


class _Remainders:
    """What may follow one character in the texts of unfolded expressions, each examined once.

    This is the derivative of Brzozowski (1964).
    """

    def __init__(self, char: str) -> None:
        self._char = char
        self._known: dict[Expression, Expression | None] = {}
        self._empty: dict[Expression, bool] = {}

    def find(self, expression: Expression) -> Expression | None:
        """What may follow the character; `None` if no text begins with it."""
        if expression not in self._known:
            self._known[expression] = self._find(expression)
        return self._known[expression]

    def _find(self, expression: Expression) -> Expression | None:
        match expression:
            case Terminal():
                return EMPTY_TEXT if self._char in expression.charset else None
            case Alternation():
                return _choose(map(self.find, expression.options))
            case Concatenation():
                return _choose(self._list_remainders(expression.parts))
            case Repetition():
                first = self.find(expression.body)
                most = None if expression.most is None else expression.most - 1
                rest = make_repetition(expression.body, max(expression.least - 1, 0), most)
                return None if first is None else Concatenation((first, rest))
        raise TypeError(expression)

    def _list_remainders(self, parts: tuple[Expression, ...]) -> Iterator[Expression | None]:
        for place, part in enumerate(parts):
            first = self.find(part)
            yield None if first is None else Concatenation((first, *parts[place + 1 :]))
            if not self._may_be_empty(part):
                return

    def _may_be_empty(self, expression: Expression) -> bool:
        if expression not in self._empty:
            self._empty[expression] = self._find_whether_empty(expression)
        return self._empty[expression]

    def _find_whether_empty(self, expression: Expression) -> bool:
        match expression:
            case Alternation():
                return any(map(self._may_be_empty, expression.options))
            case Concatenation():
                return all(map(self._may_be_empty, expression.parts))
            case Repetition():
                return expression.least == 0 or self._may_be_empty(expression.body)
        return False


def _choose(options: Iterable[Expression | None]) -> Expression | None:
    found = tuple(each for each in options if each is not None)
    if not found:
        return None
    return found[0] if len(found) == 1 else Alternation(found)
