"""Reading ABNF (RFC 5234, RFC 7405) as people write and copy it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from registry.grammar.abnf_tokens import ELEMENT_KINDS, ABNFToken, find_tokens
from registry.grammar.alphabet import LAST_CODE_POINT, CharSet
from registry.grammar.errors import MAX_BRACKET_DEPTH, MAX_REPEATS, GrammarSyntaxError
from registry.grammar.expression import (
    Expression,
    Rule,
    RuleReference,
    Terminal,
    Undecidable,
    make_alternation,
    make_concatenation,
    make_literal,
    make_repetition,
)

# A rule begins where the first word of a line is followed by "=" or "=/". Indentation does not
# matter, so a grammar copied from a page can be read as it is.


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as it was written: its name, whether it adds to another ("=/"), and the rest."""

    head: ABNFToken
    adds: bool
    body: tuple[ABNFToken, ...]


def split_rules(tokens: Sequence[ABNFToken]) -> list[WrittenRule]:
    """The rules that `tokens` form; raises `GrammarSyntaxError` if they do not form any."""
    heads = [place for place in range(len(tokens)) if _is_rule_head(tokens, place)]
    _check_beginning(tokens, heads)
    margin = min((tokens[place].column for place in heads), default=1)
    rules = []
    for place, following in zip(heads, [*heads[1:], len(tokens)], strict=False):
        body = tuple(tokens[place + 2 : following])
        for token, after in zip(body, [*body[1:], None], strict=False):
            _check_rule_token(token, after, margin)
        rules.append(WrittenRule(tokens[place], tokens[place + 1].text == "=/", body))
    return rules


def _is_rule_head(tokens: Sequence[ABNFToken], place: int) -> bool:
    token = tokens[place]
    is_defined = place + 1 < len(tokens) and tokens[place + 1].kind == "defined"
    return token.kind == "rulename" and token.is_first and is_defined


def _check_beginning(tokens: Sequence[ABNFToken], heads: Sequence[int]) -> None:
    """The very first token must begin a rule."""
    if heads and heads[0] == 0:
        return
    first = tokens[0]
    if len(tokens) > 1 and tokens[1].kind == "defined":
        raise _explain_bad_name(first, tokens[1])
    if first.kind == "repeat" and len(tokens) > 2 and tokens[2].kind == "defined":
        raise _explain_bad_name(first, tokens[2])
    if first.kind == "rulename":
        raise first.error(f"No “=” follows “{first.text}”", "Begin with a rule: name = …")
    mend = "Begin with a name and “=”."
    raise first.error(f"A rule does not begin with “{first.text}”", mend)


def _explain_bad_name(token: ABNFToken, defined: ABNFToken) -> GrammarSyntaxError:
    if token.kind == "prose":
        mend = f"Write {token.text[1:-1].strip()} {defined.text} …, without the brackets."
        return token.error(f"“{token.text}” is no name of a rule", mend)
    mend = "A name begins with a letter and has letters, digits and hyphens."
    return token.error(f"What stands before “{defined.text}” is no name of a rule", mend)


def _check_rule_token(token: ABNFToken, after: ABNFToken | None, margin: int) -> None:
    """Nothing inside a rule may look like the beginning of another."""
    if after is not None and after.kind == "defined":
        if token.kind != "rulename" or token.is_first:
            raise _explain_bad_name(token, after)
        mend = f"Put “{token.text} {after.text} …” on a line of its own."
        raise token.error(f"The rule “{token.text}” does not begin its line", mend)
    if token.kind == "defined":
        raise token.error(f"No name stands before “{token.text}”", "Write the name of the rule.")
    if token.kind == "rulename" and token.is_first and token.column <= margin:
        mend = "Put “=” behind it; or indent the line, if it continues the rule above."
        raise token.error(f"No “=” follows “{token.text}”", mend)


# Whatever passes these checks is a rule.

_CLOSING: Final = {"(": ")", "[": "]"}


def check_structure(head: ABNFToken, body: Sequence[ABNFToken]) -> None:
    """Raise `GrammarSyntaxError` at the first token of `body` that is out of place."""
    before: ABNFToken | None = None
    opened: list[ABNFToken] = []
    for token in body:
        if token.kind in ELEMENT_KINDS or token.kind == "repeat":
            _check_element(token, before)
        elif before is None or before.kind in ("slash", "open", "repeat"):
            _check_gap(token, before)
        if token.kind == "open":
            _open_bracket(token, opened)
        elif token.kind == "close":
            _close_bracket(token, opened)
        before = token
    _check_end(head, before, opened)


def _check_element(token: ABNFToken, before: ABNFToken | None) -> None:
    if before is None:
        return
    if before.kind == "repeat":
        _check_repeated(token, before)
    elif not token.is_apart and before.kind not in ("slash", "open"):
        what = f"A space is missing between “{before.text}” and “{token.text}”"
        raise token.error(what, "Put a space between what follows one another.")


def _check_repeated(token: ABNFToken, repeat: ABNFToken) -> None:
    if token.kind == "repeat":
        mend = "Put brackets around what the second repeats."
        raise token.error(f"“{repeat.text}” and “{token.text}” repeat the same", mend)
    if token.is_apart:
        what = f"“{repeat.text}” stands apart from what it repeats"
        raise repeat.error(what, f"Write “{repeat.text}{token.text}” without a space.")


def _check_gap(token: ABNFToken, before: ABNFToken | None) -> None:
    if before is not None and before.kind == "repeat":
        what = f"Nothing follows “{before.text}” to be repeated"
        raise before.error(what, "It stands in front of what it repeats: *DIGIT.")
    mend = 'Write what is missing, or "" for nothing at all.'
    if token.kind == "close":
        raise token.error(f"Nothing stands before “{token.text}”", mend)
    if token.kind == "slash":
        raise token.error("“/” has no alternative before it", mend)


def _open_bracket(token: ABNFToken, opened: list[ABNFToken]) -> None:
    opened.append(token)
    if len(opened) > MAX_BRACKET_DEPTH:
        what = f"Brackets stand in brackets more than {MAX_BRACKET_DEPTH} deep"
        raise token.error(what, "Give the inner part a rule of its own.")


def _close_bracket(token: ABNFToken, opened: list[ABNFToken]) -> None:
    if not opened:
        raise token.error(f"“{token.text}” closes nothing", "Take it out, or open it before.")
    opener = opened.pop()
    if _CLOSING[opener.text] != token.text:
        what = f"“{token.text}” closes “{opener.text}” of line {opener.line}"
        raise token.error(what, f"Write “{_CLOSING[opener.text]}” here.")


def _check_end(head: ABNFToken, last: ABNFToken | None, opened: Sequence[ABNFToken]) -> None:
    if opened:
        opener = opened[-1]
        mend = f"Write “{_CLOSING[opener.text]}” where it ends."
        raise opener.error(f"“{opener.text}” is not closed", mend)
    if last is None:
        raise head.error(f"The rule “{head.text}” says nothing", "Write what it stands for.")
    if last.kind == "slash":
        mend = 'Write it, take out the “/”, or write "" for nothing at all.'
        raise last.error("“/” has no alternative behind it", mend)
    if last.kind == "repeat":
        _check_gap(last, last)


_BASES: Final = {"b": 2, "d": 10, "x": 16}
_DIGITS: Final = {2: "[01]+", 10: "[0-9]+", 16: "[0-9A-Fa-f]+"}
_RULENAME: Final = re.compile("[A-Za-z][A-Za-z0-9-]*")
# No number that we follow has more digits; Python has its limits, too.
_MAX_NUMBER_LENGTH: Final = 24


def parse_string(token: ABNFToken) -> Expression:
    """A quoted string: letters in either case, unless `%s` precedes it."""
    before, text, _ = token.text.split('"')
    return make_literal(text, either_case=before.lower() != "%s")


def parse_number(token: ABNFToken) -> Expression:
    """A character by its number, several in a row, or a range of them."""
    base = _BASES[token.text[1].lower()]
    first, dash, last = token.text[2:].partition("-")
    if dash:
        return _parse_range(token, _parse_code(token, first, base), _parse_code(token, last, base))
    codes = [_parse_code(token, digits, base) for digits in first.split(".")]
    return make_concatenation(Terminal(CharSet.of((code, code))) for code in codes)


def _parse_range(token: ABNFToken, first: int, last: int) -> Expression:
    if first > last:
        raise token.error(
            f"The range “{token.text}” ends before it begins", "Put the smaller number first."
        )
    return Terminal(CharSet.of((first, last)))


def _parse_code(token: ABNFToken, digits: str, base: int) -> int:
    if not re.fullmatch(_DIGITS[base], digits):
        raise _explain_not_in_base(token, digits, base)
    significant = digits.lstrip("0") or "0"
    code = int(significant, base) if len(significant) <= _MAX_NUMBER_LENGTH else LAST_CODE_POINT + 1
    if code > LAST_CODE_POINT:
        raise token.error(
            f"No character has the number “{_shorten_text(token.text)}”",
            "The last one is %x10FFFF; write octets one by one, %xC3.A9.",
        )
    return code


def _explain_not_in_base(token: ABNFToken, digits: str, base: int) -> GrammarSyntaxError:
    mark = token.text[:2]
    what = f"“{_shorten_text(digits)}” is no number to the base {base}, which “{mark}” announces"
    return token.error(what, "Numbers with letters in them are hexadecimal: %x41.")


def parse_prose(token: ABNFToken) -> Expression:
    """Angle brackets: the rule of that name (section 2.1), or words for people (section 4)."""
    text = token.text[1:-1]
    if _RULENAME.fullmatch(text):
        return RuleReference(text)
    return Undecidable(f"“{_shorten_text(token.text)}” is meant for people; no machine can try it.")


def repeat_expression(token: ABNFToken, body: Expression) -> Expression:
    """`body` repeated as `token` says."""
    least, most = parse_repeats(token)
    if max(least, most or 0) > MAX_REPEATS:
        return Undecidable(
            f"“{_shorten_text(token.text)}” repeats more often than we follow,"
            f" {MAX_REPEATS:,} times."
        )
    return make_repetition(body, least, most)


def parse_repeats(token: ABNFToken) -> tuple[int, int | None]:
    """The minimum and maximum count; raises `GrammarSyntaxError` if nothing satisfies both."""
    low, star, high = token.text.partition("*")
    least = _parse_count(low) if low else 0
    most = (_parse_count(high) if high else None) if star else least
    if most is not None and most < least:
        raise token.error(
            f"“{_shorten_text(token.text)}” asks for more than it allows",
            "Put the smaller number first.",
        )
    return least, most


def _parse_count(digits: str) -> int:
    significant = digits.lstrip("0") or "0"
    return int(significant[:_MAX_NUMBER_LENGTH])


def _shorten_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


_LEAVES: Final[dict[str, Callable[[ABNFToken], Expression]]] = {
    "rulename": lambda token: RuleReference(token.text),
    "string": parse_string,
    "number": parse_number,
    "prose": parse_prose,
}


def build_alternation(tokens: Iterator[ABNFToken]) -> Expression:
    """The expression of `tokens` up to the end, or to the bracket that closes it.

    `check_structure` has let them pass.
    """
    alternatives = list[list[Expression]]([[]])
    repeat: ABNFToken | None = None
    for token in tokens:
        if token.kind == "close":
            break
        if token.kind == "slash":
            alternatives.append([])
        elif token.kind == "repeat":
            repeat = token
        else:
            element = _build_element(token, tokens)
            alternatives[-1].append(repeat_expression(repeat, element) if repeat else element)
            repeat = None
    return make_alternation([make_concatenation(elements) for elements in alternatives])


def _build_element(token: ABNFToken, tokens: Iterator[ABNFToken]) -> Expression:
    if token.kind != "open":
        return _LEAVES[token.kind](token)
    inside = build_alternation(tokens)
    return inside if token.text == "(" else make_repetition(inside, 0, 1)


def parse_rules(text: str) -> tuple[Rule, ...]:
    """The rules of an ABNF grammar, in order and as written.

    Raises `GrammarSyntaxError` at the first error.
    """
    found = find_tokens(text)
    if not found:
        raise GrammarSyntaxError(1, 1, "There is no rule here", "Write one: name = …")
    written = split_rules(found)
    for each in written:
        check_structure(each.head, each.body)
    return tuple(map(_build_rule, written))


def _build_rule(written: WrittenRule) -> Rule:
    return Rule(
        written.head.text,
        written.head.line,
        build_alternation(iter(written.body)),
        tuple(each.name for each in _find_leaves(written) if isinstance(each, RuleReference)),
        tuple(each.reason for each in _find_leaves(written) if isinstance(each, Undecidable)),
        written.adds,
    )


def _find_leaves(written: WrittenRule) -> Iterator[Expression]:
    for token in written.body:
        if token.kind == "rulename":
            yield RuleReference(token.text)
        elif token.kind == "prose":
            yield parse_prose(token)
