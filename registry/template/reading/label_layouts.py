"""Labels set in ways that few people use, each only where most labels of a text are set so."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from registry.template.fields import ORDER, field
from registry.template.reading.label_names import LABELS, normalize_label
from registry.template.reading.mail import MailLine
from registry.template.reading.tables import find_label

_ENOUGH: Final = 5
_MAX_LENGTH: Final = 5_000
_LABEL: Final = r"(?P<label>[^\W_][^:=|\t]{0,68}?)"
_NUMBER: Final = (
    r"(?:(?:[-*+•◦▪‣–—>»☐☑✓✔■●○·]|\[[ xX✓]?\]|\#{1,6}|§ ?[0-9.]{1,8}"
    r"|\(?[ivxIVX]{1,5}[.):]|\(?[0-9A-Za-z]{1,2}[.):\]]{1,2}|[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.):\]-]?"
    r"|(?:field|item|part|point|question|section|step|q|no\.?|nr\.?|appendix|annex)"
    r" ?(?:[0-9.]{1,5}|[A-Z]\.?[0-9.]{0,5}) ?[-:.)–]?) +)"
    r"{1,3}"
)
_VALUE: Final = r"(?P<value>\S.*)?"
_HEADINGS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"={{1,6}} *{_LABEL} *={{0,6}}",  # MediaWiki, AsciiDoc
        rf"h[1-6]\. +{_LABEL}",  # Textile
        rf"\.(?:S[HS]|TP|IP|HP|B) +\"?{_LABEL}\"?(?: +[0-9]+)?",  # roff
        rf"\\(?:sub)*(?:section|paragraph|chapter)\*? *\{{{_LABEL}\}}(?: *\\label\{{[^}}]*\}})?",
        rf"[-=~*#_]{{2,40}} *{_LABEL} *[-=~*#_]{{2,40}}",
        rf"\.\. +rubric:: +{_LABEL}",  # reStructuredText
    )
)
_LAYOUTS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf":{_LABEL}: *{_VALUE}",  # reStructuredText, AsciiDoc
        rf"; *{_LABEL} *(?:: *{_VALUE})?",  # MediaWiki
        rf"\*{{1,6}} +{_LABEL}(?P<value>)",  # Org
        rf"[*_`]{{1,3}}{_LABEL}:?[*_`]{{1,3}}:? *{_VALUE}",
        rf"\\(?:sub)*paragraph\*? *\{{{_LABEL}\}} *{_VALUE}",
        rf"\\item *\[{_LABEL}:?\] *{_VALUE}",
        rf"(?:\\(?:noindent|item) *)?\\textbf\{{{_LABEL}:?\}}:? *{_VALUE}",
        rf"\[b\]{_LABEL}:?\[/b\]:? *{_VALUE}",  # BBCode
        rf"[\[(<{{«“‹/|] ?{_LABEL}:? ?[\])>}}»”›/|] *[:=–-]? *{_VALUE}",
        rf"[\"'“‘]{_LABEL}[\"'”’] *(?:[:=]|=>) *{_VALUE}",
        rf"{_LABEL} *(?:=>|->|=|→|⇒|»|>|：|﹕|∶|;|&|\||(?: ?[.·_]){{2,}}|…+|–|—|-{{1,3}}(?= ))"
        rf" *{_VALUE}",
        rf"{_LABEL}(?:\t+ *| {{3,}}){_VALUE}",
        rf"{_LABEL}[.)](?: +{_VALUE}|)",
        rf"{_NUMBER}{_LABEL}(?: *[:–—=-] *{_VALUE}|)",
        rf"{_NUMBER}[*_]{{1,3}}{_LABEL}:?[*_]{{1,3}}:? *{_VALUE}",
        rf"(?P<label>[a-z]\w{{1,60}}) *: *{_VALUE}",  # YAML
    )
)
_QUOTED: Final = re.compile(rf"{_LABEL} *: *(?P<sign>[\"'])(?P<value>.*)(?P=sign),?")
# Lines that go with one of these: borders, and the ends of environments.
_MARKUP: Final = re.compile(
    r"=+(?: +=+)+|-+(?: +-+)+|\\(?:begin|end)\{[a-z*]{1,30}\}(?:\{[^{}]{0,40}\})?|\\hline"
    r"|\.(?:TP|PP|P)|:(?:PROPERTIES|END):"
)
_RULE: Final = re.compile(r"[-=*_#~+]{4,200}")
_IN_QUOTES: Final = re.compile(r"^(\"\"\"|'''|\"|'(?=[^']*',?$))(.*)\1,?$")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def set_labels_plainly(lines: list[MailLine]) -> list[MailLine]:
    """The lines, with a colon behind each label, if most labels are set in another way."""
    candidates = [
        (at, line.text.strip()) for at, line in enumerate(lines) if len(line.text) < _MAX_LENGTH
    ]
    ruled = [at for at, line in candidates if at and _is_ruled(lines[at - 1].text, line)]
    if len(ruled) >= _ENOUGH:
        return list(_iterate_unruled(lines, set(ruled)))
    best, most = None, _ENOUGH - 1
    for pattern in (*_HEADINGS, *_LAYOUTS):
        count = _count_fields(pattern, candidates)
        if count > most:
            best, most = pattern, count
    return lines if best is None else [_set_plainly(best, line) for line in lines]


def _is_ruled(above: str, text: str) -> bool:
    """Whether a label is alone below a rule, which may go on around it as a box."""
    return bool(find_label(text.strip("| "))) and _RULE.fullmatch(above.strip()[:200]) is not None


def _iterate_unruled(lines: list[MailLine], labels: set[int]) -> Iterator[MailLine]:
    for at, line in enumerate(lines):
        if at in labels:
            yield line._replace(text=f"## {find_label(line.text.strip('| '))}")
        else:
            is_rule = _RULE.fullmatch(line.text.strip()[:200]) and not {at - 1, at + 1}.isdisjoint(
                labels
            )
            yield line._replace(is_markup=bool(is_rule))


def undo_quotes(lines: list[MailLine]) -> list[MailLine]:
    """The lines without quotation marks around values, if most values have them, as in YAML."""
    candidates = [(at, line.text.strip()) for at, line in enumerate(lines)]
    if _count_fields(_QUOTED, candidates) < _ENOUGH:
        return lines
    return [_set_plainly(_QUOTED, line) for line in lines]


def _count_fields(pattern: re.Pattern[str], candidates: Sequence[tuple[int, str]]) -> int:
    names: set[str] = set()
    for _at, text in candidates:
        found = pattern.fullmatch(text)
        title = found["label"] if found else ""
        label = LABELS.get(normalize_label(_CAMEL.sub(" ", title)))
        if label:
            names.add(label.field if label.kind != "old" else label.name)
    return len(names)


def _set_plainly(pattern: re.Pattern[str], line: MailLine) -> MailLine:
    bare = line.text.strip()
    found = pattern.fullmatch(bare) if len(bare) < _MAX_LENGTH else None
    if found is None:
        is_value = pattern.pattern.startswith(";") and bare.startswith(":")
        return line._replace(
            text=f"   {bare[1:].strip()}" if is_value else line.text,
            is_markup=bool(_MARKUP.fullmatch(bare[:200])),
        )
    label = _CAMEL.sub(" ", found["label"]).strip()
    if pattern in _HEADINGS:
        return line._replace(text=f"## {label}")
    if normalize_label(label) not in LABELS:
        return line
    value = (found["value"] or "").strip()
    value = _IN_QUOTES.sub(r"\2", value).removesuffix("\\\\").rstrip()
    margin = line.text[: len(line.text) - len(line.text.lstrip())]
    return line._replace(text=f"{margin}{label}: {value}".rstrip())


def read_json(lines: list[MailLine]) -> list[MailLine]:
    """The values of a JSON document by their labels; the lines themselves if it is none."""
    text = "\n".join(line.text for line in lines)
    if not text.lstrip().startswith(("{", "[")):
        return lines
    try:
        found = _find_members(json.loads(text), 0)
    except (ValueError, RecursionError):
        return lines
    if not found:
        return lines
    last = lines[-1].last
    places = {
        name: next((line.first for line in lines if f'"{name}"' in line.text), 1) for name in found
    }
    read: list[MailLine] = []
    for name, value in found.items():
        first = places[name]
        label = field(name).label if name in ORDER else _CAMEL.sub(" ", name)
        read += [MailLine(first, first, ""), MailLine(first, first, f"{label}:")]
        rows = value if isinstance(value, list) else str(value).split("\n")
        read += [MailLine(first, first, f"   {row}" if str(row).strip() else "") for row in rows]
    used = set(places.values())
    read += [
        line._replace(is_markup=True)
        for line in lines
        if line.first not in used and line.first <= last and line.text.strip()
    ]
    return sorted(read, key=lambda line: line.first)


def _find_members(value: Any, depth: int) -> dict[str, Any]:
    """The first object with enough labels of fields among its members."""
    if depth > 8 or not isinstance(value, (dict, list)):
        return {}
    if isinstance(value, dict):
        labels = {
            name: each
            for name, each in value.items()
            if isinstance(each, (str, int, list))
            and (name in _FIELD_NAMES or find_label(_CAMEL.sub(" ", name)))
        }
        if len(labels) >= _ENOUGH:
            return {name: each for name, each in labels.items() if each not in ("", [])}
    inner = value.values() if isinstance(value, dict) else value
    return next(filter(None, (_find_members(each, depth + 1) for each in inner)), {})


_FIELD_NAMES: Final = frozenset(name for name in ORDER if name in set(LABELS) | {"nid"})

_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_REGEX_ESCAPE: Final = re.compile(r"(?<!\\)(?:\\\\)*\\[A-Za-z0-9]|^[`\"“]?\^")
_ANCHOR: Final = re.compile(r"\#{1,6} .*\{#[\w:.-]+\}")


def undo_escapes(lines: list[MailLine]) -> list[MailLine]:
    """Markdown without its escapes (kramdown, “Escaping special characters”), except in code."""
    definitions = sum(line.text.startswith(": ") for line in lines)
    headings = sum(line.text.startswith("#") for line in lines)
    bold = sum(line.text.lstrip("-* ").startswith("**") or "**" in line.text[:4] for line in lines)
    anchored = any(_ANCHOR.fullmatch(line.text[:200]) for line in lines)
    if not anchored and max(definitions, headings, bold) < _ENOUGH:
        return lines
    return list(_iterate_unescaped(lines))


def _iterate_unescaped(lines: Sequence[MailLine]) -> Iterator[MailLine]:
    fence = ""
    for line in lines:
        bare = line.text.strip()
        if bare.startswith(("~~~", "```")):
            sign = re.match(r"~+|`+", bare)
            assert sign, "a fence begins with its sign"
            fence = sign[0] if not fence else "" if bare.startswith(fence) else fence
        elif not fence and ("\\" in bare or "&" in bare):
            words = re.split(r"(\s+)", line.text)
            line = line._replace(text="".join(map(_unescape_word, words)))
        yield line


def _unescape_word(word: str) -> str:
    if _REGEX_ESCAPE.search(word):
        return html.unescape(word) if "&" in word else word
    return _ESCAPED.sub(r"\1", html.unescape(word) if "&" in word else word)
