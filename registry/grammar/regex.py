"""Regular expressions, as far as all dialects agree."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from registry.grammar.alphabet import (
    ALL_CHARACTERS,
    LAST_CODE_POINT,
    CharSet,
)
from registry.grammar.errors import MAX_BRACKET_DEPTH, MAX_REPEATS, GrammarSyntaxError, NotDecided
from registry.grammar.expression import (
    EMPTY_TEXT,
    Alternation,
    Concatenation,
    Expression,
    Repetition,
    Terminal,
    Undecidable,
    make_alternation,
    make_character,
    make_concatenation,
    make_repetition,
)


@dataclass(slots=True)
class RegexText:
    """An expression, how far it has been read, and the line it is on."""

    text: str
    at: int = 0
    line: int = 1
    margin: int = 0
    depth: int = 0

    @property
    def next(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    @property
    def is_done(self) -> bool:
        """Whether everything has been read."""
        return self.at >= len(self.text)

    def take(self, count: int = 1) -> str:
        """Consume the next characters."""
        taken = self.text[self.at : self.at + count]
        self.at += count
        return taken

    def skip(self, expected: str) -> bool:
        """Consume `expected` if it comes next; returns whether it did."""
        found = self.text.startswith(expected, self.at)
        self.at += len(expected) * found
        return found

    def error(self, what: str, mend: str, at: int | None = None) -> GrammarSyntaxError:
        """The error at `at`, or at the next character."""
        column = self.margin + (self.at if at is None else at) + 1
        return GrammarSyntaxError(self.line, column, what, mend)

    def place(self, at: int) -> str:
        """Where `at` is, in words."""
        return f"character {self.margin + at + 1}"


DIGIT_CHARACTERS: Final = CharSet.of((48, 57))
WORD_CHARACTERS: Final = CharSet.of((48, 57), (65, 90), (95, 95), (97, 122))
SPACE_CHARACTERS: Final = CharSet.from_text(" \t\n\r\f\v")
_CLASSES: Final = {
    "d": DIGIT_CHARACTERS,
    "D": DIGIT_CHARACTERS.complement(),
    "w": WORD_CHARACTERS,
    "W": WORD_CHARACTERS.complement(),
    "s": SPACE_CHARACTERS,
    "S": SPACE_CHARACTERS.complement(),
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_LENGTHS: Final = {"x": 2, "u": 4, "U": 8}
_OCTAL: Final = re.compile("0[0-7]{0,2}|[0-3][0-7]{2}")
_MEND: Final = "For the character itself, leave the backslash out."


def read_escape(text: RegexText) -> CharSet:
    """The characters that an escape stands for; `text` is read from after its backslash.

    Raises `GrammarSyntaxError` if it has no meaning, and `NotDecided` if it has one that we do not
    support.
    """
    at = text.at - 1
    char = text.next
    if not char:
        raise text.error(
            "Nothing follows the backslash", "For a backslash itself, write “\\\\”.", at
        )
    if char in _CLASSES:
        text.take()
        return _CLASSES[char]
    if char in _CONTROLS:
        return CharSet.from_text(_CONTROLS[text.take()])
    if char in _LENGTHS:
        return _read_code_point(text, _LENGTHS[text.take()], at)
    if char.isascii() and char.isdigit():
        return _read_octal(text, at)
    if char.isascii() and char.isalpha():
        raise _explain_letter(text, char, at)
    return CharSet.from_text(text.take())


def _read_code_point(text: RegexText, length: int, at: int) -> CharSet:
    digits = text.take(length)
    if not re.fullmatch(f"[0-9A-Fa-f]{{{length}}}", digits):
        raise text.error(f"The escape is not followed by {length} hexadecimal digits", _MEND, at)
    code = int(digits, 16)
    if code > LAST_CODE_POINT:
        raise text.error("No character has this number", "The last one is \\U0010FFFF.", at)
    return CharSet.of((code, code))


def _read_octal(text: RegexText, at: int) -> CharSet:
    match = _OCTAL.match(text.text, text.at)
    if match is None:
        raise NotDecided(
            f"A reference to a group ({text.place(at)}) compares parts of a name;"
            " this is not decided here."
        )
    text.take(len(match.group()))
    code = int(match.group(), 8)
    return CharSet.of((code, code))


def _explain_letter(text: RegexText, char: str, at: int) -> GrammarSyntaxError | NotDecided:
    if char in "bBpPXRhHNGKkQECc":
        return NotDecided(
            f"“\\{char}” ({text.place(at)}) is not among the escapes that are tried here."
        )
    return text.error(f"“\\{char}” has no meaning", _MEND, at)


_NAMED: Final = ("[:", "[.", "[=")


def read_character_class(text: RegexText, *, either_case: bool) -> CharSet:
    """The characters of a class; `text` is read from after its opening bracket."""
    opened = text.at - 1
    is_negated = text.skip("^")
    found: list[CharSet] = []
    while not (text.next == "]" and found):
        if text.is_done:
            mend = "Write “]” where the class ends; for the bracket itself, “\\[”."
            raise text.error("“[” is not closed", mend, opened)
        if text.text[text.at : text.at + 2] in _NAMED:
            mend = "List the characters: a-z, 0-9."
            raise text.error("Classes with names are not read in every dialect", mend)
        found.append(_read_item(text))
    text.take()
    charset = CharSet.union(found)
    charset = charset.either_case() if either_case else charset
    return charset.complement() if is_negated else charset


def _read_item(text: RegexText) -> CharSet:
    """A character, a range or an escape within a class."""
    at = text.at
    low = _read_member(text)
    after = text.text[text.at + 1 : text.at + 2]
    if text.next != "-" or after in ("]", ""):
        return low
    text.take()
    high = _read_member(text)
    if low.size != 1 or high.size != 1:
        mend = "For a hyphen itself, put it last in the class."
        raise text.error("A range goes from one character to another", mend, at)
    if low.ranges[0][0] > high.ranges[0][0]:
        mend = "Put the character with the smaller number first."
        raise text.error("The range ends before it begins", mend, at)
    return CharSet.of((low.ranges[0][0], high.ranges[0][0]))


def _read_member(text: RegexText) -> CharSet:
    char = text.take()
    if char != "\\":
        return CharSet.from_text(char)
    if text.skip("b"):
        return CharSet.from_text("\b")
    return read_escape(text)


_NAME: Final = re.compile(r"\?P?<[A-Za-z_][A-Za-z0-9_]*>")
_CASE: Final = re.compile(r"\?(-?)i:")
_BEYOND: Final = (
    ("?=", "Looking ahead"),
    ("?!", "Looking ahead"),
    ("?<=", "Looking back"),
    ("?<!", "Looking back"),
    ("?>", "An atomic group"),
    ("?(", "A condition"),
    ("?P=", "A reference to a group"),
    ("?P>", "A reference to a group"),
    ("?R", "Recursion"),
    ("?&", "Recursion"),
    ("?|", "A group that resets its numbers"),
)
_FLAGS: Final = re.compile(r"\?[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]")


def read_group_opening(text: RegexText, either_case: bool) -> bool:
    """Read the beginning of a group; returns whether it ignores case, given `either_case` outside.

    Capturing and named groups are groups like any other. Raises `NotDecided` for those that do more
    than group.
    """
    at = text.at
    if text.next != "?" or text.skip("?:"):
        return either_case
    name = _NAME.match(text.text, at)
    if name:
        text.take(len(name.group()))
        return either_case
    case = _CASE.match(text.text, at)
    if case:
        text.take(len(case.group()))
        return not case.group(1)
    raise _explain_beyond(text, at)


def _explain_beyond(text: RegexText, at: int) -> GrammarSyntaxError | NotDecided:
    for sign, words in _BEYOND:
        if text.text.startswith(sign, at):
            return NotDecided(f"{words} ({text.place(at - 1)}) is not decided here.")
    if _FLAGS.match(text.text, at):
        return NotDecided(
            f"The flags of this group ({text.place(at - 1)}) are not among those tried here:"
            " (?i) may begin the expression."
        )
    if text.text.startswith("?#", at):
        return text.error("Not every dialect reads remarks", "Leave the remark out.", at - 1)
    mend = "Write “(?:” for a group, or “\\?” for the sign itself."
    return text.error("“(?” opens no group that is known", mend, at - 1)


_SIGNS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_BRACES: Final = re.compile(r"\{([0-9]*)(?:(,)([0-9]*))?\}")
_MAX_DIGITS: Final = 18


def apply_quantifier(body: Expression, text: RegexText) -> Expression:
    """`body` repeated as the quantifier next in `text` says; once if there is none."""
    at = text.at
    found = _read_quantifier(text)
    if found is None:
        return body
    if isinstance(body, Undecidable) and body.edge and text.text[at - 1] != ")":
        raise text.error("An anchor cannot be repeated", "Leave the quantifier out.", at)
    if text.skip("+"):
        raise NotDecided(
            f"A possessive quantifier ({text.place(at)}) depends on the order of trying;"
            " this is not decided here."
        )
    # Lazy or greedy, an expression matches the same names.
    text.skip("?")
    again = text.at
    if _read_quantifier(text) is not None:
        mend = "Put a group around what the second repeats."
        raise text.error("Two quantifiers stand behind one another", mend, again)
    return _repeat_expression(body, *found, text.text[at:again])


def is_quantifier(text: RegexText) -> bool:
    """Whether a quantifier comes next."""
    return text.next in _SIGNS or _match_braces(text) is not None


def _repeat_expression(body: Expression, least: int, most: int | None, written: str) -> Expression:
    if max(least, most or 0) > MAX_REPEATS:
        return Undecidable(
            f"“{written[:40]}” repeats more often than we follow, {MAX_REPEATS:,} times."
        )
    return make_repetition(body, least, most)


def _read_quantifier(text: RegexText) -> tuple[int, int | None] | None:
    """The minimum and maximum count, read from `text`; `None` if no quantifier comes next."""
    if text.next in _SIGNS:
        return _SIGNS[text.take()]
    match = _match_braces(text)
    if match is None:
        return None
    least = _parse_count(match.group(1)) or 0
    most = _parse_count(match.group(3)) if match.group(2) else least
    if most is not None and most < least:
        raise text.error(f"“{match.group()[:40]}” asks for more than it allows", "Turn them round.")
    text.take(len(match.group()))
    return least, most


def _match_braces(text: RegexText) -> re.Match[str] | None:
    match = _BRACES.match(text.text, text.at)
    return match if match and (match.group(1) or match.group(2)) else None


def _parse_count(digits: str) -> int | None:
    return int(digits.lstrip("0")[:_MAX_DIGITS] or "0") if digits else None


ANCHOR_BEGINNING = "beginning"
ANCHOR_END = "end"


def remove_anchors(expression: Expression, first: bool = True, last: bool = True) -> Expression:
    """`expression` without the anchors where a name begins or ends.

    `first` and `last` say whether nothing comes before and after it. An anchor anywhere else stays,
    and makes the whole expression undecidable.
    """
    match expression:
        case Undecidable(edge=edge) if (first and edge == ANCHOR_BEGINNING) or (
            last and edge == ANCHOR_END
        ):
            return EMPTY_TEXT
        case Alternation():
            return Alternation(
                tuple(remove_anchors(option, first, last) for option in expression.options)
            )
        case Concatenation():
            return Concatenation(tuple(_strip_parts(expression.parts, first, last)))
        case Repetition():
            once = expression.most == 1
            body = remove_anchors(expression.body, first and once, last and once)
            return replace(expression, body=body)
    return expression


def _strip_parts(parts: tuple[Expression, ...], first: bool, last: bool) -> list[Expression]:
    solid = [place for place, part in enumerate(parts) if not _is_empty(part)]
    begins, ends = (solid[0], solid[-1]) if solid else (len(parts), 0)
    return [
        remove_anchors(part, first and place <= begins, last and place >= ends)
        for place, part in enumerate(parts)
    ]


def _is_empty(expression: Expression) -> bool:
    """Whether this is an anchor or empty, and takes no character of a name."""
    if isinstance(expression, Concatenation):
        return all(map(_is_empty, expression.parts))
    return isinstance(expression, Undecidable) and bool(expression.edge)


_ANY: Final = ALL_CHARACTERS.minus(CharSet.from_text("\n"))
_ANCHORS: Final = {"^": ANCHOR_BEGINNING, "$": ANCHOR_END}
_ESCAPED_ANCHORS: Final = {"A": ANCHOR_BEGINNING, "Z": ANCHOR_END, "z": ANCHOR_END}
_ELSEWHERE: Final = "An anchor stands elsewhere than at the beginning or end; this is not decided."
_DELIMITED: Final = re.compile(r"/\^.*\$/[a-z]*", re.DOTALL)


def parse_regex(text: str) -> Expression:
    """The parsed regular expression.

    Raises `GrammarSyntaxError` if it is not one. A valid one beyond what we can try is
    `Undecidable`, with the reason.
    """
    read = _trim_text(text)
    try:
        either_case = read.skip("(?i)")
        found = _read_alternation(read, either_case)
    except NotDecided as reason:
        return Undecidable(str(reason))
    if not read.is_done:
        raise read.error("“)” closes nothing", "Take it out; for the sign itself, write “\\)”.")
    return remove_anchors(found)


def _trim_text(text: str) -> RegexText:
    """The one line of an expression, without blank lines and spaces around it."""
    line = text.strip(" \t\r\n\ufeff")
    before = text[: text.find(line)] if line else ""
    read = RegexText(line, 0, before.count("\n") + 1, len(before) - before.rfind("\n") - 1)
    if not line:
        raise read.error("There is no expression here", "Write one, such as [a-z]+.")
    at = next((at for at, char in enumerate(line) if char in "\r\n"), None)
    if at is not None:
        raise read.error("The expression goes on after its line", "Put all on one line.", at)
    if _DELIMITED.fullmatch(line):
        raise read.error("The expression stands between slashes", "Leave the slashes out.")
    return read


def _read_alternation(text: RegexText, either_case: bool) -> Expression:
    options = [_read_concatenation(text, either_case)]
    while text.skip("|"):
        options.append(_read_concatenation(text, either_case))
    return make_alternation(options)


def _read_concatenation(text: RegexText, either_case: bool) -> Expression:
    parts = []
    while text.next not in ("", "|", ")"):
        if is_quantifier(text):
            mend = f"For the sign itself, write “\\{text.next}”."
            raise text.error(f"Nothing stands before “{text.next}” to be repeated", mend)
        parts.append(apply_quantifier(_read_atom(text, either_case), text))
    return make_concatenation(parts)


def _read_atom(text: RegexText, either_case: bool) -> Expression:
    char = text.take()
    if char in _ANCHORS:
        return Undecidable(_ELSEWHERE, _ANCHORS[char])
    if char == "(":
        return _read_group(text, either_case)
    if char == "[":
        return Terminal(read_character_class(text, either_case=either_case))
    if char == ".":
        return Terminal(_ANY)
    if char == "\\":
        return _read_escaped(text, either_case)
    return make_character(char, either_case=either_case)


def _read_escaped(text: RegexText, either_case: bool) -> Expression:
    edge = _ESCAPED_ANCHORS.get(text.next)
    if edge is not None:
        text.take()
        return Undecidable(_ELSEWHERE, edge)
    charset = read_escape(text)
    return Terminal(charset.either_case() if either_case else charset)


def _read_group(text: RegexText, either_case: bool) -> Expression:
    opened = text.at - 1
    text.depth += 1
    if text.depth > MAX_BRACKET_DEPTH:
        what = f"Groups stand in groups more than {MAX_BRACKET_DEPTH} deep"
        raise text.error(what, "Leave out those that are not needed.", opened)
    either_case = read_group_opening(text, either_case)
    found = _read_alternation(text, either_case)
    if not text.skip(")"):
        mend = "Write “)” where the group ends; for the sign itself, “\\(”."
        raise text.error("“(” is not closed", mend, opened)
    text.depth -= 1
    return found


# Literal characters, ".", classes, the escapes \d \w \s and their opposites (ASCII alone), \t \n \r
# \f \v \0 \xHH \uHHHH \UHHHHHHHH, groups of every sort, "|", quantifiers greedy or lazy, the
# anchors ^ $ \A \Z \z at either end, and (?i) for the whole or within (?i:…). An expression always
# describes the name as a whole. Anything more, such as lookaround or back-references, is recognised
# and reported as not decided.
