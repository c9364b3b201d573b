"""The rules of a grammar between the sentences of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from registry.grammar.rule_set import find_known_rule

MAX_RULES: Final = 300

# Rules of RFC 2141, section 2, which older texts use by name. RFC 8141 has replaced it.
RFC_2141_RULES: Final = {
    "urn-chars": 'trans / "%" hex hex',
    "trans": "upper / lower / number / other / reserved",
    "other": '"(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*"'
    ' / "\'"',
    "reserved": '"%" / "/" / "?" / "#"',
    "let-num-hyp": 'upper / lower / number / "-"',
    "let-num": "upper / lower / number",
    "upper": "%x41-5A",
    "lower": "%x61-7A",
    "number": "DIGIT",
    "hex": "HEXDIG",
    "nss": "1*urn-chars",
    "nid": "let-num *31let-num-hyp",
}


def is_known_rule(name: str) -> bool:
    """Whether RFC 5234, RFC 3986, RFC 8141 or RFC 2141 defines a rule of that name."""
    return find_known_rule(name) is not None or name.lower() in RFC_2141_RULES


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as it is in a text: its name, its sign of definition, and its lines.

    `first` is the number of the first line, counted from 1; `raw` has the lines with what is before
    and around a rule, such as its number.
    """

    name: str
    sign: str
    lines: tuple[str, ...]
    raw: tuple[str, ...]
    first: int
    is_bracketed: bool = False

    @property
    def written(self) -> str:
        """The lines as they are in the text."""
        return "\n".join(self.raw)

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + len(self.raw) - 1

    @property
    def body(self) -> str:
        """What follows the sign of definition."""
        return "\n".join(self.lines).partition(self.sign)[2]


_SIGN: Final = r"::?=|:==|=/|=(?![=>])|->|→|⇒|<-|←|:(?= )"
_HEAD: Final = re.compile(
    r" *(?:<(?P<bracketed>[A-Za-z][\w .-]{0,60})>|(?P<name>[A-Za-z][\w-]{0,60})) *"
    rf"(?P<sign>{_SIGN}) *(?P<rest>.*)"
)
# Productions are numbered in some documents, and are entries of a list or code in others.
_BEFORE: Final = re.compile(
    r" *(?:(?:\[[0-9]{1,3}\]|\(?[0-9]{1,3}[.)](?= )|[-*•+](?= )|`+) *){1,3}(?=[<A-Za-z])"
)
_GOES_ON: Final = re.compile(r" *(?:[/|\"(\[;%]|[0-9]*\*)")
_OPEN_END: Final = re.compile(r"(?:[/|(\[{,=]|::=|->|→)$")
COMMENT: Final = re.compile(
    r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$).*|(?<=\s)(?:#|//|--) +[A-Za-z][\w ,.-]*$"
)
QUOTED: Final = re.compile(
    r"\"[^\"]*\"|'[^'\s]{1,40}'|%[sxdbSXDB]?[\w.-]+|<[^>]*>|\b\w[ |]{0,3}\.\.\.?[ |]{0,3}\w\b"
)
BRACES: Final = re.compile(r"\{[^{}]*\}")
WORD: Final = re.compile(r"[A-Za-z][\w-]*")
TYPOGRAPHIC: Final = str.maketrans(
    {
        **dict.fromkeys("“”„«»″", '"'),
        **dict.fromkeys("‘’′", "'"),
        **dict.fromkeys("–—", "-"),
        "＝": "=",
        "≔": ":=",
        "⩴": "::=",
        "\u00ad": "",
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
    }
)
# A name with the names of rules in it, as in urn:abcde:<year>:{number}.
_PATTERN: Final = re.compile(
    r" *\"?(?P<begin>urn:[a-z0-9-]+:)"
    r"(?P<nss>(?:[^\s<>{}\"]*(?:<[^<>]+>|\{[^{}]+\}))+[^\s<>{}\"]*?)\"?[.,;]? *",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(r"[<{]([^<>{}]+)[>}]")


def find_written_rules(text: str) -> list[WrittenRule]:
    """The rules of grammars in a text, without the sentences between them."""
    raw = text.translate(TYPOGRAPHIC).split("\n")
    lines = [_strip_number(line) for line in raw]
    heads = [head for line in lines if (head := _HEAD.fullmatch(line[:2_000]))]
    names = frozenset(join_name(head["bracketed"] or head["name"]).lower() for head in heads)
    lines = [_write_pattern(line, names) for line in lines]
    rules: list[WrittenRule] = []
    at = 0
    while at < len(lines) and len(rules) < MAX_RULES:
        head = _HEAD.fullmatch(lines[at][:2_000])
        if head is None or not _can_define(head, lines, at):
            at += 1
            continue
        end = _find_rule_end(lines, at, names)
        rules += _split_line(lines[at:end], raw[at:end], at + 1)
        at = end
    return rules


def _write_pattern(line: str, names: frozenset[str]) -> str:
    """A line that is a name with the names of rules in it, as the rule for whole names."""
    found = _PATTERN.fullmatch(line[:500]) if "urn:" in line.lower() else None
    if found is None or "urn" in names:
        return line
    pieces = _PLACEHOLDER.split(found["nss"])
    if names.isdisjoint(join_name(name).lower() for name in pieces[1::2]):
        return line
    elements = [f'   urn = "{found["begin"]}"']
    for at, piece in enumerate(pieces):
        if at % 2:
            elements.append(join_name(piece))
        else:
            # What is in square brackets may be missing.
            parts = filter(None, re.split(r"([\[\]])", piece))
            elements += [part if part in "[]" else f'"{part}"' for part in parts]
    return " ".join(elements)


def _strip_number(line: str) -> str:
    """A line that begins a rule, without its number, the sign of a list, or backticks."""
    before = _BEFORE.match(line[:100])
    if before is None or not _HEAD.fullmatch(line[before.end() : 2_000]):
        return line
    return " " * before.end() + line[before.end() :].rstrip("` ")


def _split_line(lines: Sequence[str], raw: Sequence[str], first: int) -> Iterator[WrittenRule]:
    """The rule, or several if they are on one line and semicolons divide them."""
    if len(lines) == 1 and ";" in lines[0]:
        rows = _NEXT_ON_LINE.split(lines[0][:2_000])
        names = [head["name"] or "" for row in rows if (head := _HEAD.fullmatch(row))]
        used = {word for row in rows for word in WORD.findall(row.partition("=")[2])}
        if len(rows) > 1 and len(names) == len(rows) and used.issuperset(names[1:]):
            for place, row in enumerate(rows):
                yield _build_rule([row], [] if place else raw, first)
            return
    yield _build_rule(lines, raw, first)


_NEXT_ON_LINE: Final = re.compile(r" *; *(?=[A-Za-z][\w-]{0,60} *(?:::?)?= *[\"%<(\[*0-9A-Za-z])")


def _build_rule(lines: Sequence[str], raw: Sequence[str], first: int) -> WrittenRule:
    head = _HEAD.fullmatch(lines[0][:2_000])
    assert head, "a rule begins with its name"
    name = join_name(head["bracketed"] or head["name"])
    bracketed = head["bracketed"] is not None
    return WrittenRule(name, head["sign"], tuple(lines), tuple(raw), first, bracketed)


def _can_define(head: re.Match[str], lines: Sequence[str], at: int) -> bool:
    rest = head["rest"].strip()
    if head["sign"] == ":":
        # Words before a colon are nearly always a label; a semicolon ends a rule.
        whole = "\n".join(lines[at : at + _MAX_LINES]).partition("\n\n")[0]
        rest, end, after = whole.partition(":")[2].partition(";")
        is_ended = bool(end) and after[:1] in ("", "\n")
        words = WORD.findall(QUOTED.sub(" ", rest))
        is_sentence = re.search(r"\w[.,:](?= |\w)", QUOTED.sub("", rest))
        return is_ended and _ENGLISH.isdisjoint(words) and not is_sentence
    if rest:
        return rest[0] in "\"%([*<'{;#" or rest[0].isalnum()
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(below.strip()) and measure_indent(below) > measure_indent(lines[at])


_MAX_LINES: Final = 12


def measure_indent(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def _find_rule_end(lines: Sequence[str], at: int, names: frozenset[str]) -> int:
    """Where the continuation lines of the rule end."""
    indent = measure_indent(lines[at])
    end = at + 1
    opened = _count_opened(lines[at])
    while end < len(lines):
        line = lines[end]
        place = end
        if not line.strip():
            place = next((n for n in range(end, len(lines)) if lines[n].strip()), len(lines))
            if place == len(lines) or not _goes_on_behind_gap(lines[end - 1], lines[place]):
                break
            line = lines[place]
        if _HEAD.fullmatch(line[:2_000]) and measure_indent(line) <= indent:
            break
        is_open = opened > 0 or _has_open_end(lines[end - 1])
        if not (
            measure_indent(line) > indent
            or _GOES_ON.match(line)
            or (is_open and _SIGNS.search(line))
            or line.lstrip()[:1] == "{"
            or _has_only_names(line, names)
        ):
            break
        opened += _count_opened(line)
        end = place + 1
    while end - 1 > at and lines[end - 1].lstrip().startswith(";"):
        # A comment above a rule belongs to that rule.
        end -= 1
    return end


_SIGNS: Final = re.compile(r"[\"'<>/|*(){}\[\]]|%x")


def _has_only_names(line: str, names: frozenset[str]) -> bool:
    """Whether nothing but names of rules is on the line, which the rule above can go on with."""
    bare = QUOTED.sub(" ", COMMENT.sub("", line))
    words = WORD.findall(bare)
    is_plain = not re.search(r"[.:!?’]|, ", bare)
    return (
        bool(words)
        and is_plain
        and all(word.lower() in names or (word.isupper() and is_known_rule(word)) for word in words)
    )


def _count_opened(line: str) -> int:
    bare = QUOTED.sub("", COMMENT.sub("", line))
    return sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))


def _has_open_end(line: str) -> bool:
    return bool(_OPEN_END.search(COMMENT.sub("", line).rstrip()))


def _goes_on_behind_gap(before: str, after: str) -> bool:
    """Whether a rule continues after an empty line: it is unfinished, or the next line shows it."""
    return _has_open_end(before) or after.lstrip()[:1] in ("/", "|")


def join_name(name: str) -> str:
    """The name as a rule of ABNF can have it."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


def strip_comments(body: str) -> str:
    """The lines without their comments."""
    return "\n".join(COMMENT.sub("", line) for line in body.split("\n"))


_REPEATED: Final = re.compile(
    r"[0-9]*\*[0-9]*[A-Za-z<(\[\"']|\b[0-9]{1,3}[A-Za-z]{2,}|[\w>)\]]\s?[*+](?=\s|$)"
)
_ALTERNATIVES: Final = re.compile(r"\s[/|](?=\s)|^\s*[/|]", re.M)
_FEW: Final = 3
_ENGLISH: Final = frozenset(
    "a an any are as assigned at be been by defined each for from has have in is may must of or"
    " shall should such that the their these this to where which will with".split()
)


def sort_rules(
    rules: Sequence[WrittenRule],
) -> tuple[list[WrittenRule], list[tuple[WrittenRule, str]]]:
    """The rules of a grammar, and those left out with the reason.

    Explanations such as “iso = the organization” are neither, unless a rule uses the name.
    """
    names = {rule.name.lower() for rule in rules}
    used = _collect_words(rules)
    kept: dict[tuple[str, str], WrittenRule] = {}
    doubtful: list[WrittenRule] = []
    left: list[tuple[WrittenRule, str]] = []
    for rule in rules:
        if not _is_grammar(rule, names, used):
            doubtful.append(rule)
            continue
        key = (rule.name.lower(), rule.written if rule.sign == "=/" else "")
        before = kept.setdefault(key, rule)
        if before is not rule and _normalize_body(before) != _normalize_body(rule):
            left.append((rule, f"“{rule.name}” is defined above, and that rule is taken."))
    ends = {line for rule in kept.values() for line in (rule.first - 1, rule.last + 1)}
    used = _collect_words(kept.values())
    for rule in doubtful:
        words = WORD.findall(strip_comments(rule.body))
        are_names = _ENGLISH.isdisjoint(words) and not any(map(str.istitle, words))
        beside = {rule.first, rule.last} & ends and are_names
        is_short = beside and len(words) <= _FEW
        if is_short and rule.name.lower() not in {name for name, _ in kept}:
            kept[rule.name.lower(), ""] = rule
        elif beside or rule.name.lower() in used or (kept and _has_signs(rule)):
            left.append((rule, "It is in words, and not in the signs of a grammar."))
    return sorted(kept.values(), key=lambda rule: rule.first), left


def _collect_words(rules: Iterable[WrittenRule]) -> set[str]:
    """The names that rules use, and words in their remarks, in lower case."""
    bodies = (re.sub(r"\"[^\"]*\"", " ", strip_comments(rule.body)) for rule in rules)
    return {word.lower() for body in bodies for word in WORD.findall(body)}


def _is_grammar(rule: WrittenRule, names: set[str], used: set[str]) -> bool:
    """Whether most of the definition is not in words."""
    body = strip_comments(rule.body)
    bare = BRACES.sub(" ", QUOTED.sub(" ", body))
    words = [word.lower() for word in WORD.findall(bare)]
    strange = [word for word in words if word not in names and not is_known_rule(word)]
    quoted = bool(QUOTED.search(body))
    if len(words) == 1 and rule.name.lower() in used:
        strange = []
    if not words:
        return quoted or _has_signs(rule) or bool(re.search(r"\{|\[[^\s\[\]]{1,60}\]", body))
    if 2 * len(strange) <= len(words) or (quoted and len(words) < 2):
        return True
    # A letter alone may be a literal.
    return _has_signs(rule) and _ENGLISH.isdisjoint(word for word in strange if len(word) > 1)


def _has_signs(rule: WrittenRule) -> bool:
    """Whether the definition repeats something, or has alternatives."""
    bare = QUOTED.sub(' "" ', strip_comments(rule.body))
    return bool(_REPEATED.search(bare) or _ALTERNATIVES.search(bare))


def _normalize_body(rule: WrittenRule) -> str:
    return "".join(strip_comments(rule.body).split()).replace("|", "/").lower()
