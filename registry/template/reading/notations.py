"""Rules in the notations that people use, written as ABNF: BNF with “::=”, and kinds of EBNF."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from registry.grammar import GrammarSyntaxError
from registry.grammar.abnf import parse_rules
from registry.grammar.errors import MAX_BRACKET_DEPTH
from registry.template.reading.written_rules import (
    BRACES,
    COMMENT,
    QUOTED,
    WORD,
    WrittenRule,
    is_known_rule,
    join_name,
    measure_indent,
    strip_comments,
)

_WIDTH: Final = 68
_ELEMENT: Final = r"(?=[<(\"'\[{%A-Za-z])"
_SIGN: Final = r"(?:\"[^\"]\"|'[^']')"
_TOKEN: Final = re.compile(
    rf"""
    (?P<space> \s+ | /\*.{{0,200}}?\*/ | \(\*\s.{{0,200}}?\s\*\) )
    | (?P<range>
        {_SIGN} \s* (?:\|\s*)? (?:\.\.\.? | … | - | \bto\b) \s* (?:\|\s*)? {_SIGN}
        | \b[A-Za-z0-9] \s* (?:\|\s*)? (?:\.\.\.? | …) \s* (?:\|\s*)? [A-Za-z0-9]\b
      )
    | (?P<quoted> (?:%[sSiI])? "[^"]*" | '[^']+' )
    | (?P<name> <[^<>]+> )
    | (?P<set> \[
        (?:\#x[0-9A-Fa-f]{{1,6}} | [A-Za-z0-9]-[A-Za-z0-9] | [^\s\w\[\]"'<>|/(){{}}] | _ )+ \]
      )
    | (?P<count> \{{ \s* [0-9]+ \s* (?:,\s*[0-9]*\s*)? \}} )
    | (?P<value> %[xdbXDB][0-9A-Fa-f]+ (?:-[0-9A-Fa-f]+ | (?:\.[0-9A-Fa-f]+)+)? )
    | (?P<code> (?:\#x|U\+|0x)[0-9A-Fa-f]{{1,6}} (?:\s*-\s* (?:\#x|U\+|0x)[0-9A-Fa-f]{{1,6}})? )
    | (?P<repeat> (?:[0-9]*\*[0-9]* | [0-9]+,[0-9]+ | [0-9]+) {_ELEMENT} | [0-9]+\s\*\s {_ELEMENT} )
    | (?P<often> [*+?] | \.\.\. | … )
    | (?P<sign> [|/()\[\]{{}}] )
    | (?P<word> [A-Za-z](?:[\w-]*\w)? )
    | (?P<text> [0-9]+ | [^\s\w"'<>=] | _ )
    """,
    re.X | re.S,
)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_SPAN: Final = re.compile(r"#x([0-9A-F]+)(?:-#x([0-9A-F]+))?|([A-Za-z0-9])-([A-Za-z0-9])|(.)", re.I)
_EXCEPT: Final = "ABNF cannot take characters out: list those that may stand."


class UnknownNotation(ValueError):
    """A rule that cannot be written as ABNF: why, and the same with the place in the rule."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


def write_as_abnf(
    rule: WrittenRule, names: frozenset[str], has_bars: bool
) -> tuple[str, tuple[str, ...], bool]:
    """The rule in ABNF, words that were taken for literal text, and whether it was in another
    notation.

    `names` are the rules beside it in lower case; with `has_bars` “|” divides alternatives in some
    of them. Raises `UnknownNotation`.
    """

    def is_rule(name: str) -> bool:
        return name.lower() in names or is_known_rule(name)

    refusal = None
    if rule.sign in ("=", "=/"):
        mended = _mend_abnf(rule, is_rule)
        try:
            if not any(_is_set(match[0], is_rule) for match in _SET.finditer(mended)):
                _parse_rule(mended)
                return mended, (), False
        except UnknownNotation as error:
            refusal = error
    # Some write the sign of ABNF and the rest of another notation.
    try:
        text, literals = _convert_rule(rule, is_rule, has_bars)
        _parse_rule(text)
    except UnknownNotation as error:
        raise refusal or error from None
    return text, literals, True


def _parse_rule(text: str) -> None:
    try:
        parse_rules(text)
    except GrammarSyntaxError as error:
        raise UnknownNotation(f"{error.what}. {error.mend}", str(error)) from error


_SET: Final = re.compile(r"\[[^\s\[\]]+\]")


def _is_set(text: str, is_rule: Callable[[str], bool]) -> bool:
    """Whether square brackets contain ranges of characters, and not a rule that may be missing."""
    found = _TOKEN.match(text)
    is_set = found is not None and found["set"] is not None
    return is_set and bool(re.search(r"\w-[\w#]|#x", text)) and not is_rule(text[1:-1])


def _convert_rule(
    rule: WrittenRule, is_rule: Callable[[str], bool], has_bars: bool
) -> tuple[str, tuple[str, ...]]:
    converter = _Converter(rule, is_rule, has_bars)
    lines = [f"{rule.name} {'=/' if rule.sign == '=/' else '='}"]
    for element in converter.convert():
        if len(lines[-1]) + len(element) + 1 > _WIDTH and not lines[-1].endswith("="):
            lines.append("   ")
        lines[-1] += f" {element}"
    return "\n".join(lines), tuple(converter.literals)


class _Converter:
    """The tokens of one rule, consumed from left to right."""

    def __init__(self, rule: WrittenRule, is_rule: Callable[[str], bool], has_bars: bool) -> None:
        self.has_bars = has_bars
        self.is_rule = is_rule
        self.is_bracketed = rule.is_bracketed
        self.literals: list[str] = []
        self._at = 0
        self._tokens = self._list_tokens(self._remove_remarks(strip_comments(rule.body)))
        if not self.is_bracketed:
            self._tokens = _drop_separators(self._tokens, ",")
            # A full stop alone may be text.
            if any(token["quoted"] for token in self._tokens):
                self._tokens = _drop_separators(self._tokens, ".")

    def _remove_remarks(self, body: str) -> str:
        """The body without remarks in braces, which others use for what is repeated."""

        def replace_remark(match: re.Match[str]) -> str:
            words = WORD.findall(QUOTED.sub(" ", match[0]))
            strange = [word for word in words if not self.is_rule(word)]
            return " " if 2 * len(strange) > len(words) and len(words) > 1 else match[0]

        return re.sub(r"(?<!\.)\.$", "", BRACES.sub(replace_remark, body).rstrip())

    def _list_tokens(self, body: str) -> list[re.Match[str]]:
        tokens: list[re.Match[str]] = []
        at = 0
        while at < len(body):
            token = _TOKEN.match(body, at)
            if token is None:
                what = "is not closed" if body[at] in "\"'<" else "is not understood here"
                raise UnknownNotation(f"“{body[at]}” {what}.")
            if not token["space"]:
                tokens.append(token)
            at = token.end()
        return tokens

    def convert(self) -> list[str]:
        elements = self._read_alternatives("", 0)
        if self._at < len(self._tokens):
            raise UnknownNotation(f"“{self._tokens[self._at][0]}” closes nothing.")
        return elements

    def _read_alternatives(self, closing: str, depth: int) -> list[str]:
        """The elements up to `closing`, which is consumed."""
        if depth > MAX_BRACKET_DEPTH:
            raise UnknownNotation("Brackets stand in brackets too deep.")
        elements: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token["sign"] and token["sign"] in ")]}":
                if token["sign"] == closing:
                    self._at += 1
                    return elements
                break
            if token["sign"] == "/" and self._is_text(token):
                self._at += 1
                elements.append('"/"')
            elif token["sign"] in ("|", "/") or (token[0] == "or" and not self.is_rule("or")):
                self._at += 1
                elements.append("/")
            else:
                elements += self._read_element(depth)
        if closing:
            raise UnknownNotation(f"“{closing}” is missing.")
        return elements

    def _is_text(self, slash: re.Match[str]) -> bool:
        """Whether a slash is part of names, where bars divide alternatives: <maker>/<number>."""
        around = slash.string[slash.start() - 1 : slash.end() + 1]
        return self.is_bracketed and self.has_bars and around == ">/<"

    def _read_element(self, depth: int) -> list[str]:
        """An element with what repeats it, before or behind."""
        prefix = ""
        token = self._tokens[self._at]
        if token["repeat"]:
            self._at += 1
            prefix = re.sub(r"\s", "", token["repeat"]).replace(",", "*")
            if re.fullmatch(r"[0-9]+\s\*\s", token["repeat"]):
                prefix = prefix.removesuffix("*")
            following = self._tokens[self._at] if self._at < len(self._tokens) else None
            if following is None:
                raise UnknownNotation(f"Nothing follows “{token[0]}” to be repeated.")
            is_text = following["word"] and not self.is_rule(following["word"])
            if is_text and prefix.isdigit() and self.is_bracketed:
                self._at += 1
                return [self._quote_word(prefix + following["word"])]
            token = following
        element = self._read_primary(token, depth)
        while self._at < len(self._tokens):
            behind = self._tokens[self._at]
            is_close = behind.start() == self._tokens[self._at - 1].end()
            if behind["often"] and is_close:
                often = behind["often"]
                repeated = {"*": "*", "?": ""}.get(often, "1*")
                element = ["[", *element, "]"] if often == "?" else _repeat(repeated, element)
            elif behind["count"]:
                low, comma, high = behind["count"].strip("{} ").partition(",")
                element = _repeat(f"{low.strip()}{'*' if comma else ''}{high.strip()}", element)
            else:
                break
            self._at += 1
        return _repeat(prefix, element)

    def _read_primary(self, token: re.Match[str], depth: int) -> list[str]:
        self._at += 1
        kind, text = str(token.lastgroup), token[0]
        if kind == "sign":
            return self._read_bracket(text, depth)
        if kind not in _READERS:
            raise UnknownNotation(f"“{text}” is not understood here.")
        return _READERS[kind](self, text)

    def _read_bracket(self, opening: str, depth: int) -> list[str]:
        if opening not in _CLOSING:
            raise UnknownNotation(f"“{opening}” has nothing before it.")
        inside = self._read_alternatives(_CLOSING[opening], depth + 1)
        if opening == "{":
            return ["*(", *inside, ")"]
        return [opening, *inside, _CLOSING[opening]]

    def _read_range(self, text: str) -> list[str]:
        signs = [sign[1] for sign in re.findall(_SIGN, text)] or [text[0], text[-1]]
        return [f"%x{ord(signs[0]):X}-{ord(signs[1]):X}"]

    def _read_code(self, text: str) -> list[str]:
        return ["%x" + "-".join(re.findall(r"(?<=[x+])[0-9A-Fa-f]+", text))]

    def _read_name(self, text: str) -> list[str]:
        return [join_name(text)]

    def _read_quoted(self, text: str) -> list[str]:
        before, inside = ("", text[1:-1]) if text[0] in "\"'" else (text[:2], text[3:-1])
        return ["%x22" if inside == '"' else f'{before}"{inside}"']

    def _read_value(self, text: str) -> list[str]:
        return [text]

    def _read_word(self, word: str) -> list[str]:
        name = word.replace("_", "-")
        if self.is_rule(name) or not self.is_bracketed:
            return [name]
        # Where names are in angle brackets, other words are text.
        return [self._quote_word(word)]

    def _quote_word(self, word: str) -> str:
        self.literals.append(word)
        return f'"{word}"'

    def _read_text(self, text: str) -> list[str]:
        if text == "-" and not self.is_bracketed:
            raise UnknownNotation(_EXCEPT)
        return [f'"{text}"']

    def _read_set(self, text: str) -> list[str]:
        if self.is_bracketed and not _is_set(text, self.is_rule):
            # Signs that may be missing, without quotation marks.
            return ["[", *(f'"{sign}"' for sign in text[1:-1]), "]"]
        if text[1] == "^":
            raise UnknownNotation(_EXCEPT)
        options: list[str] = []
        for low, high, first, last, sign in _SPAN.findall(text[1:-1]):
            span = (
                f"%x{low}-{high or low}" if low else f"%x{ord(first or '0'):X}-{ord(last or '0'):X}"
            )
            options += ["/", f'"{sign}"' if sign else span]
        return ["(", *options[1:], ")"]


def _repeat(prefix: str, element: Sequence[str]) -> list[str]:
    """The element repeated; one that already says how often, or has several parts, in brackets."""
    if not prefix:
        return list(element)
    if element[0][0] in "*0123456789" or (len(element) > 1 and element[0] not in ("(", "[")):
        element = ["(", *element, ")"]
    return [prefix + element[0], *element[1:]]


_READERS: Final[dict[str, Callable[[_Converter, str], list[str]]]] = {
    "range": _Converter._read_range,
    "quoted": _Converter._read_quoted,
    "name": _Converter._read_name,
    "set": _Converter._read_set,
    "value": _Converter._read_value,
    "code": _Converter._read_code,
    "word": _Converter._read_word,
    "text": _Converter._read_text,
}


def _drop_separators(tokens: list[re.Match[str]], sign: str) -> list[re.Match[str]]:
    """The tokens without a sign, if it separates all elements, as the comma in ISO/IEC 14977."""
    if not any(token["text"] == sign for token in tokens):
        return tokens
    for token, after in pairwise(tokens):
        if token["text"] == sign and after.start() == token.end():
            return tokens
        if not (token["sign"] or token["repeat"] or token["text"] == sign):
            is_joined = after["sign"] in (None, "(", "[", "{") and after["text"] != sign
            if is_joined and not (after["often"] or after["count"]):
                return tokens
    return [token for token in tokens if token["text"] != sign]


def _mend_abnf(rule: WrittenRule, is_rule: Callable[[str], bool]) -> str:
    """ABNF as people write it: names in angle brackets, with underscores, or with spaces."""

    def mend(match: re.Match[str]) -> str:
        if match["bracketed"]:
            name = join_name(match["bracketed"])
            return name if is_rule(name) else match[0]
        if match["underscored"]:
            return str(match["underscored"].replace("_", "-"))
        return f'"{match["digits"]}"' if match["digits"] else match[0]

    lines = []
    for line in rule.lines:
        comment = COMMENT.search(line)
        words, behind = (line[: comment.start()], comment[0]) if comment else (line, "")
        behind = re.sub(r"^(?:#|//|--)", ";", behind)
        words = words.replace("|", "/") if '"|"' not in words else words
        lines.append(_MENDED.sub(mend, words) + behind)
    margin = measure_indent(lines[0])
    head, *rest = [line[min(margin, measure_indent(line)) :] for line in lines]
    head = re.sub(r"^<([^>]+)>", lambda match: join_name(match[1]), head)
    head = re.sub(r"^[\w-]+", lambda match: match[0].replace("_", "-"), head)
    return "\n".join((head, *(line if line.startswith(" ") else f"   {line}" for line in rest)))


_MENDED: Final = re.compile(
    r"\"[^\"]*\"|%[a-zA-Z][\w.-]+|<(?P<bracketed>[A-Za-z][\w .-]*)>"
    r"|(?P<underscored>[A-Za-z][A-Za-z0-9-]*_[\w-]*)|(?<=[ (])(?P<digits>[0-9]+)(?= )"
)
