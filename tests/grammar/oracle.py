"""Small grammars as plain values, a second, slow matcher, and writing them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

# Closed under case, with ranges in it, and one character that no NSS has.
ALPHABET = "01aA#"


@dataclass(frozen=True)
class Text:
    """Quoted text, its letters in either case unless it is exact."""

    text: str
    is_exact: bool = False


@dataclass(frozen=True)
class Span:
    """A range of characters."""

    first: str
    last: str


@dataclass(frozen=True)
class Row:
    parts: tuple[Tree, ...]


@dataclass(frozen=True)
class Choice:
    options: tuple[Tree, ...]


@dataclass(frozen=True)
class Times:
    body: Tree
    least: int
    most: int | None


@dataclass(frozen=True)
class Named:
    """An expression that gets a rule of its own."""

    body: Tree


Tree = Text | Span | Row | Choice | Times | Named


def accepts(tree: Tree, name: str) -> bool:
    """Whether `name` matches, by trying everything (RFC 5234, section 3)."""
    return len(name) in _ends(tree, name, 0)


def _ends(tree: Tree, name: str, start: int) -> set[int]:
    match tree:
        case Text(text, is_exact):
            found = name[start : start + len(text)]
            is_same = found == text if is_exact else found.lower() == text.lower()
            return {start + len(text)} if is_same else set()
        case Span(first, last):
            return {start + 1} if first <= name[start : start + 1] <= last else set()
        case Row(parts):
            places = {start}
            for part in parts:
                places = {end for place in places for end in _ends(part, name, place)}
            return places
        case Choice(options):
            return {end for option in options for end in _ends(option, name, start)}
        case Times(body, least, most):
            return _repeated(body, least, most, name, start)
        case Named(body):
            return _ends(body, name, start)


def _repeated(body: Tree, least: int, most: int | None, name: str, start: int) -> set[int]:
    places, found = {start}, {start} if least == 0 else set()
    # Repeating more often than a name is long adds nothing but empty rounds.
    for count in range(1, (most if most is not None else least + len(name) + 1) + 1):
        places = {end for place in places for end in _ends(body, name, place)}
        if count >= least:
            found |= places
    return found


def words(longest: int) -> list[str]:
    """All names over the small alphabet, shortest first."""
    return [
        "".join(chars)
        for length in range(longest + 1)
        for chars in product(ALPHABET, repeat=length)
    ]


def abnf(tree: Tree) -> str:
    """The grammar in ABNF, strictly by RFC 5234 and RFC 7405."""
    rules: list[str] = []
    start = _abnf(tree, rules)
    return "\n".join([f"name = {start}", *rules]) + "\n"


def _abnf(tree: Tree, rules: list[str]) -> str:
    match tree:
        case Text(text, is_exact):
            return f'{"%s" if is_exact else ""}"{text}"'
        case Span(first, last):
            return f"%x{ord(first):X}-{ord(last):X}"
        case Row(parts):
            return "(" + " ".join(_abnf(part, rules) for part in parts) + ")"
        case Choice(options):
            return "(" + " / ".join(_abnf(option, rules) for option in options) + ")"
        case Times(body, least, most):
            inner = _abnf(body, rules)
            inner = f"({inner})" if isinstance(body, Times) else inner
            return f"{least or ''}*{'' if most is None else most}{inner}"
        case Named(body):
            inner = _abnf(body, rules)
            rules.append(f"rule{len(rules)} = {inner}")
            return f"Rule{len(rules) - 1}"


def regex(tree: Tree) -> str:
    """The grammar as a regular expression."""
    match tree:
        case Text(text, is_exact):
            return text if is_exact else f"(?i:{text})"
        case Span(first, last):
            return f"[{first}-{last}]"
        case Row(parts):
            return "".join(f"(?:{regex(part)})" for part in parts)
        case Choice(options):
            return "|".join(f"(?:{regex(option)})" for option in options)
        case Times(body, least, most):
            return f"(?:{regex(body)}){{{least},{'' if most is None else most}}}"
        case Named(body):
            return f"(?:{regex(body)})"


_leaves = st.one_of(
    st.builds(Text, st.text(ALPHABET, max_size=2), st.booleans()),
    st.sampled_from([Span("0", "1"), Span("1", "1"), Span("a", "a"), Span("A", "A")]),
)


def _larger(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    several = st.lists(trees, min_size=1, max_size=3).map(tuple)
    least, more = st.integers(0, 2), st.none() | st.integers(0, 2)
    return st.one_of(
        st.builds(Row, several),
        st.builds(Choice, several),
        st.builds(Named, trees),
        st.builds(
            lambda body, low, extra: Times(body, low, None if extra is None else low + extra),
            trees,
            least,
            more,
        ),
    )


trees: st.SearchStrategy[Tree] = st.recursive(_leaves, _larger, max_leaves=8)
names = st.text(ALPHABET, max_size=6)
