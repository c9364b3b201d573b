"""Grammars and examples that people write into the text of Syntax, found and prepared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from registry.grammar import LONGEST_TEXT, Answer, Grammar, GrammarSyntaxError, read as read_grammar
from registry.grammar.rule_set import find_known_rule
from registry.template.reading.lines import FoundGrammar
from registry.urn import URNSyntaxError, parse

MAX_RULES: Final = 300
MAX_EXAMPLES: Final = 50
_MAX_SEARCHED: Final = 200_000
_MAX_DROPPED: Final = 12
_MAX_STARTS: Final = 6
_MAX_TRIED: Final = 10

# Rules of RFC 2141, section 2, which older texts use by name. RFC 8141 has replaced it.
_RFC_2141_RULES: Final = {
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
}


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as it is in a text: its name, its sign of definition, and its lines."""

    name: str
    sign: str
    lines: tuple[str, ...]

    @property
    def written(self) -> str:
        """The lines as they are in the text."""
        return "\n".join(self.lines)

    @property
    def body(self) -> str:
        """What follows the sign of definition."""
        return self.written.partition(self.sign)[2]


_HEAD: Final = re.compile(
    r" *(?:<(?P<bracketed>[A-Za-z][\w .-]{0,60})>|(?P<name>[A-Za-z][\w-]{0,60})) *"
    r"(?P<sign>::=|:=|=/|=(?!=)) *(?P<rest>.*)"
)
_GOES_ON: Final = re.compile(r" *(?:[/|\"(\[;%]|[0-9]*\*)")
_OPEN_END: Final = re.compile(r"(?:[/|(\[=]|::=)$")
_COMMENT: Final = re.compile(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$).*")
_QUOTED: Final = re.compile(r"\"[^\"]*\"|%[sxdbSXDB]?[\w.-]+|<[^>]*>")
_BRACES: Final = re.compile(r"\{[^{}]*\}")
_WORD: Final = re.compile(r"[A-Za-z][\w-]*")
_TYPOGRAPHIC: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})


def find_written_rules(text: str) -> list[WrittenRule]:
    """The rules of grammars in a text, without the sentences between them."""
    lines = text.translate(_TYPOGRAPHIC).split("\n")
    rules: list[WrittenRule] = []
    at = 0
    while at < len(lines) and len(rules) < MAX_RULES:
        head = _HEAD.fullmatch(lines[at][:2_000])
        if head is None or not _can_define(head, lines, at):
            at += 1
            continue
        end = _find_rule_end(lines, at)
        name = _join_name(head["bracketed"] or head["name"])
        rules.append(WrittenRule(name, head["sign"], tuple(lines[at:end])))
        at = end
    return rules


def _can_define(head: re.Match[str], lines: Sequence[str], at: int) -> bool:
    rest = head["rest"].strip()
    if rest:
        return rest[0] in "\"%([*<'{;" or rest[0].isalnum()
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(below.strip()) and _measure_indent(below) > _measure_indent(lines[at])


def _measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _find_rule_end(lines: Sequence[str], at: int) -> int:
    """Where the continuation lines of the rule end."""
    indent = _measure_indent(lines[at])
    end = at + 1
    braces = lines[at].count("{") - lines[at].count("}")
    while end < len(lines):
        line = lines[end]
        place = end
        if not line.strip():
            place = next((n for n in range(end, len(lines)) if lines[n].strip()), len(lines))
            if place == len(lines) or not _goes_on_behind_gap(lines[end - 1], lines[place]):
                break
            line = lines[place]
        if _HEAD.fullmatch(line[:2_000]) and _measure_indent(line) <= indent:
            break
        is_deeper = _measure_indent(line) > indent
        if not (is_deeper or _GOES_ON.match(line) or braces > 0 or line.lstrip()[:1] == "{"):
            break
        braces += line.count("{") - line.count("}")
        end = place + 1
    while end - 1 > at and lines[end - 1].lstrip().startswith(";"):
        # A comment above a rule belongs to that rule.
        end -= 1
    return end


def _goes_on_behind_gap(before: str, after: str) -> bool:
    """Whether a rule continues after an empty line: it is unfinished, or the next line shows it."""
    bare = _COMMENT.sub("", before).rstrip()
    return bool(_OPEN_END.search(bare)) or after.lstrip()[:1] in ("/", "|")


def _join_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


def find_grammars(
    syntax: str, elsewhere: Iterable[str] = (), nid: str = "", examples: Sequence[str] = ()
) -> tuple[FoundGrammar, ...]:
    """The grammars in the text of Syntax, or if it has none, `elsewhere`."""
    for text in (syntax, *elsewhere):
        found = (
            *_find_abnf(text[:_MAX_SEARCHED], nid, examples),
            *_find_expressions(text[:_MAX_SEARCHED], nid, examples),
        )
        if found:
            return tuple(sorted(found, key=lambda each: not each.kind))
    return ()


def _find_abnf(text: str, nid: str, examples: Sequence[str]) -> Iterator[FoundGrammar]:
    rules = find_written_rules(text)
    for signs, remarks in (
        (("=", "=/"), ()),
        (("::=",), ("It was converted from the notation with “::=”; look it over.",)),
        ((":=",), ("It was converted from the notation with “:=”; look it over.",)),
    ):
        chosen = _drop_prose([rule for rule in rules if rule.sign in signs])
        if chosen:
            found = _read_rules(chosen, nid, examples)
            yield replace(found, remarks=(*remarks, *found.remarks))
            if found.kind:
                return


def take_out_grammar(syntax: str, found: FoundGrammar) -> str:
    """The text of Syntax without the lines of a grammar that is moved to its own field."""
    waiting = [line.strip() for line in found.written.split("\n") if line.strip()]
    kept: list[str] = []
    taken = False
    for line in syntax.split("\n"):
        bare = line.strip().translate(_TYPOGRAPHIC)
        if bare and bare in waiting:
            waiting.remove(bare)
            taken = True
        elif bare or not taken:
            kept.append(line)
            taken = False
    return "\n".join(kept) if not waiting else syntax


def _drop_prose(rules: Sequence[WrittenRule]) -> list[WrittenRule]:
    """Rules without definitions in words, such as “iso = the organization”, and repetitions."""
    names = {rule.name.lower() for rule in rules}
    used = {word.lower() for rule in rules for word in _WORD.findall(rule.body)}
    kept: dict[tuple[str, str], WrittenRule] = {}
    for rule in rules:
        body = "\n".join(_COMMENT.sub("", line) for line in rule.body.split("\n"))
        bare = _BRACES.sub(" ", _QUOTED.sub(" ", body))
        words = [word.lower() for word in _WORD.findall(bare)]
        strange = [word for word in words if word not in names and not _is_known(word)]
        quoted = bool(_QUOTED.search(body))
        if len(words) == 1 and rule.name.lower() in used:
            strange = []
        if words and 2 * len(strange) > len(words) and not (quoted and len(words) < 2):
            continue
        if not words and not quoted:
            continue
        key = (rule.name.lower(), rule.written if rule.sign == "=/" else "")
        kept.setdefault(key, rule)
    return list(kept.values())


def _is_known(name: str) -> bool:
    return find_known_rule(name) is not None or name.lower() in _RFC_2141_RULES


def _read_rules(rules: Sequence[WrittenRule], nid: str, examples: Sequence[str]) -> FoundGrammar:
    """The rules as a grammar that can be read, less those that cannot."""
    written = "\n".join(rule.written for rule in rules)
    texts = {at: _convert_rule(rule, rules) for at, rule in enumerate(rules)}
    dropped: list[str] = []
    problem = ""
    while texts:
        added = _list_missing_rules(texts.values())
        text = "\n".join((*texts.values(), *added))
        if len(text) > LONGEST_TEXT:
            problem = f"The rules have {len(text):,} characters, and {LONGEST_TEXT:,} are read."
            break
        try:
            grammar = read_grammar(text, "abnf", nid=nid)
        except GrammarSyntaxError as error:
            problem = problem or error.message
            at = _find_rule_at(texts, error.line)
            if at is None or len(dropped) >= _MAX_DROPPED:
                break
            dropped.append(rules[at].name)
            del texts[at]
            continue
        if 2 * len(dropped) > len(rules):
            break
        kept = "\n".join(rules[at].written for at in texts)
        return _choose_start(texts, added, grammar, kept, dropped, nid, examples)
    return FoundGrammar("", "", written, problem=problem or "No rule could be read.")


def _find_rule_at(texts: dict[int, str], line: int) -> int | None:
    """The rule that contains a line, counted from 1."""
    for at, text in texts.items():
        line -= text.count("\n") + 1
        if line <= 0:
            return at
    return None


def _list_missing_rules(texts: Iterable[str]) -> list[str]:
    """The rules of RFC 2141 that others use and nobody defines."""
    joined = "\n".join(texts)
    heads = {match[1].lower() for match in re.finditer(r"^ *([\w-]+) *=", joined, re.M)}
    bare = _QUOTED.sub(" ", "\n".join(_COMMENT.sub("", line) for line in joined.split("\n")))
    used = {word.lower() for word in _WORD.findall(bare)}
    added: list[str] = []
    waiting = [name for name in _RFC_2141_RULES if name in used - heads]
    while waiting:
        name = waiting.pop(0)
        if name in heads or find_known_rule(name) is not None:
            continue
        heads.add(name)
        added.append(f"{name} = {_RFC_2141_RULES[name]}")
        waiting += [
            word for word in _WORD.findall(_RFC_2141_RULES[name]) if word in _RFC_2141_RULES
        ]
    return added


def _choose_start(
    texts: dict[int, str],
    added: Sequence[str],
    grammar: Grammar,
    written: str,
    dropped: Sequence[str],
    nid: str,
    examples: Sequence[str],
) -> FoundGrammar:
    """The grammar with the rule first that describes a name."""
    best = (-1, "", grammar)
    for start in _list_starts(grammar, nid, "\n".join(texts.values())):
        ordered = _put_first(texts, start)
        text = "\n".join((*ordered, *added))
        try:
            tried = read_grammar(text, "abnf", nid=nid)
        except GrammarSyntaxError:
            continue
        score = sum(tried.matches(name).answer is Answer.YES for name in examples[:_MAX_TRIED])
        score += tried.start.lower() == start.lower()
        if score > best[0]:
            best = (score, text, tried)
    _score, text, chosen = best
    remarks = []
    if dropped:
        remarks.append(f"Not understood, and left out: {', '.join(dropped)}.")
    if added:
        names = ", ".join(rule.partition(" ")[0] for rule in added)
        remarks.append(f"Added from RFC 2141, section 2: {names}.")
    if chosen.undecided:
        remarks.append(chosen.undecided)
    text = text or "\n".join((*texts.values(), *added))
    return FoundGrammar("abnf", _align_rules(text), written, chosen.start, remarks=tuple(remarks))


_BEGINS_WHOLE: Final = re.compile(r"^ *([\w-]+) *=\s*\(?\s*\"urn(?::|\"\s*\":\")", re.I | re.M)


def _list_starts(grammar: Grammar, nid: str, text: str) -> list[str]:
    """Rules that may describe a name, likeliest first: those that begin with the namespace, then
    those that no other rule uses.
    """
    written_whole = {name.lower() for name in _BEGINS_WHOLE.findall(text)}
    used = {
        used.lower()
        for rule in grammar.rules
        for used in rule.uses
        if used.lower() != rule.name.lower()
    }
    own = [rule.name for rule in grammar.rules]
    whole = [name for name in own if name.lower() in written_whole]
    if whole:
        return whole[:_MAX_STARTS]
    roots = [name for name in own if name.lower() not in used]
    bare = nid.lower().replace("urn-", "")
    named = {"urn", "namestring", "assigned-name", "nss", f"{bare}-urn", f"urn-{bare}"}
    likely = [name for name in own if name.lower() in named | {f"{bare}-nss"}]
    likely.sort(key=lambda name: (name not in roots, "nss" in name.lower()))
    about = [name for name in roots if bare and bare in name.lower()]
    return list(dict.fromkeys([*likely, *about, *roots, *own]))[:_MAX_STARTS]


def _put_first(texts: dict[int, str], start: str) -> list[str]:
    def begins(text: str) -> bool:
        head = re.search(r"^ *([\w-]+) *=", text, re.M)
        return head is not None and head[1].lower() == start.lower()

    ordered = list(texts.values())
    first = next((text for text in ordered if begins(text)), None)
    return ordered if first is None else [first, *(text for text in ordered if text != first)]


def _align_rules(text: str) -> str:
    """The rules with the same margin, as they came from pages with different ones."""
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())


_TOKEN: Final = re.compile(
    r"(?P<quoted>\"[^\"]*\"|'[^']+')|<(?P<name>[^<>]+)>|\{(?P<braces>[^{}]*)\}"
    r"|(?P<range>\"[^\"]\"|'[^']') *(?:\.\.|…) *(?P<to>\"[^\"]\"|'[^']')"
    r"|(?P<repeat>[0-9]*\*[0-9]*|[0-9]+)(?=[<(\[\"])|(?P<sign>[|/()\[\]])|(?P<post>[*+?])(?=\s|$)"
    r"|(?P<value>%[xdb][\w.-]+)|(?P<bare>[^\s<>\"'|/()\[\]{}]+)"
)
_WIDTH: Final = 68


def _convert_rule(rule: WrittenRule, rules: Sequence[WrittenRule]) -> str:
    """A rule in the notation of RFC 5234."""
    if rule.sign in ("=", "=/"):
        return _mend_abnf(rule, {each.name.lower() for each in rules})
    names = {each.name.lower() for each in rules}
    elements = list(_convert_elements(_strip_comments(rule.body), names))
    lines = [f"{rule.name} ="]
    for element in elements:
        if len(lines[-1]) + len(element) + 1 > _WIDTH and not lines[-1].endswith("="):
            lines.append("   ")
        lines[-1] += f" {element}"
    return "\n".join(lines)


def _strip_comments(body: str) -> str:
    return "\n".join(_COMMENT.sub("", line) for line in body.split("\n"))


def _convert_elements(body: str, names: set[str]) -> Iterator[str]:
    prefix = ""
    waiting = ""
    for token in _TOKEN.finditer(body):
        if token["post"]:
            waiting = {"*": f"*{waiting}", "+": f"1*{waiting}", "?": f"[{waiting}]"}[token["post"]]
            continue
        if token["repeat"]:
            prefix = token["repeat"]
            continue
        element = _convert_token(token, names)
        if not element:
            continue
        if waiting:
            yield waiting
        if element in ("(", "["):
            waiting = ""
            yield prefix + element
        else:
            waiting = prefix + element
        prefix = ""
    if waiting:
        yield waiting


def _convert_token(token: re.Match[str], names: set[str]) -> str:
    if token["name"]:
        return _join_name(token["name"])
    if token["quoted"]:
        return f'"{token["quoted"][1:-1]}"'
    if token["range"]:
        return f"%x{ord(token['range'][1]):X}-{ord(token['to'][1]):X}"
    if token["sign"]:
        return token["sign"].replace("|", "/")
    if token["value"]:
        return token["value"]
    if token["braces"] is not None:
        # A remark in braces, or something that can be repeated.
        inner = token["braces"]
        words = _WORD.findall(_QUOTED.sub(" ", inner))
        if words or not inner.strip():
            return ""
        return f"*( {' '.join(_convert_elements(inner, names))} )"
    bare = token["bare"]
    return bare if bare.lower() in names or _is_known(bare) else f'"{bare}"'


def _mend_abnf(rule: WrittenRule, names: set[str]) -> str:
    """ABNF as people write it: names in angle brackets, with underscores, or with spaces."""

    def mend(match: re.Match[str]) -> str:
        if match["bracketed"]:
            name = _join_name(match["bracketed"])
            known = name.lower() in names or _is_known(name)
            return name if known else match[0]
        if match["underscored"]:
            return str(match["underscored"].replace("_", "-"))
        return f'"{match["digits"]}"' if match["digits"] else match[0]

    lines = []
    for line in rule.lines:
        comment = _COMMENT.search(line)
        words, behind = (line[: comment.start()], comment[0]) if comment else (line, "")
        words = words.replace("|", "/") if '"|"' not in words else words
        lines.append(_MENDED.sub(mend, words) + behind)
    margin = min(_measure_indent(line) for line in lines[:1])
    head, *rest = [line[min(margin, _measure_indent(line)) :] for line in lines]
    head = re.sub(r"^<([^>]+)>", lambda match: _join_name(match[1]), head)
    head = re.sub(r"^[\w-]+", lambda match: match[0].replace("_", "-"), head)
    return "\n".join((head, *(line if line.startswith(" ") else f"   {line}" for line in rest)))


_MENDED: Final = re.compile(
    r"\"[^\"]*\"|%[a-zA-Z][\w.-]+|<(?P<bracketed>[A-Za-z][\w .-]*)>"
    r"|(?P<underscored>[A-Za-z][A-Za-z0-9-]*_[\w-]*)|(?<=[ (])(?P<digits>[0-9]+)(?= )"
)

_SPEAKS_OF_EXPRESSION: Final = re.compile(r"regular expression|\bregexp?\b|\bpattern\b", re.I)
_EXPRESSION: Final = re.compile(
    r"[`\"“'/]?(?P<whole>\^\S{2,}\$)[`\"”'/.,;]{0,2}"
    r"|[`\"“']?(?P<open>(?:\(\?i\))?(?:\^|urn:|\[[Uu]{2}\]|\(|\[)\S{3,}?)[`\"”'.,;]{0,2}"
)
_META: Final = re.compile(r"\][*+?{]|\)[*+?{]|\\[dw.]|\[[^\]]+\]")
_PLACEHOLDER: Final = re.compile(r"\{[A-Za-z][^}]*\}|<[^>]+>(?!\))")
_NEAR: Final = 8


def _find_expressions(text: str, nid: str, examples: Sequence[str]) -> Iterator[FoundGrammar]:
    """Regular expressions: anchored, or where the text mentions one."""
    lines = text.split("\n")
    spoken = -_NEAR
    taken = 0
    for at, line in enumerate(lines):
        if _SPEAKS_OF_EXPRESSION.search(line):
            spoken = at
        if at < taken or len(line) > 4_000:
            continue
        for candidate, end in _list_candidates(lines, at, at - spoken < _NEAR):
            try:
                grammar = read_grammar(candidate, "regex", nid=nid)
            except GrammarSyntaxError as error:
                if candidate.startswith("^"):
                    yield FoundGrammar("", "", candidate, problem=error.message)
                    taken = end
                continue
            tried = examples[:_MAX_TRIED]
            fits = any(grammar.matches(name).answer is not Answer.NO for name in tried)
            if fits or not tried or candidate.startswith("^"):
                yield FoundGrammar("regex", candidate, candidate)
                taken = end
                break


def _list_candidates(
    lines: Sequence[str], at: int, is_spoken_of: bool
) -> Iterator[tuple[str, int]]:
    bare = lines[at].strip()
    # An expression that was too long for its line continues on the next.
    joined = bare
    end = at + 1
    while end < len(lines) and end < at + 6 and lines[end].strip() and " " not in joined:
        following = lines[end].strip()
        if " " in following:
            break
        joined += following
        end += 1
    for text, stop in dict.fromkeys(((joined, end), (bare, at + 1))):
        for match in _EXPRESSION.finditer(text):
            candidate = match["whole"] or (match["open"] if match[0] == text else "")
            if not candidate or not _META.search(candidate) or _PLACEHOLDER.search(candidate):
                continue
            if match["whole"] or is_spoken_of:
                yield candidate, stop


_NAME_END: Final = ".,;:!?)”’'\"»"
_NOT_RIGHT: Final = re.compile(
    r"\b(?:invalid|illegal|incorrect|wrong|not (?:a )?valid|not allowed|counter-?examples?"
    r"|must not|obsolete|malformed)\b",
    re.I,
)
_CAPITALS: Final = re.compile(r"[A-Z]{3,}")
_SEGMENT: Final = re.compile(r"[:/.;,_-]")


def find_examples(nid: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The names with the identifier `nid` in texts, without those that only show a pattern."""
    if not nid:
        return ()
    wanted = re.compile(
        rf"(?<![\w:.-])urn:{re.escape(nid)}:(?P<nss>[^\s\"<>{{}}\[\]`“”…|]*)(?P<after>.?)", re.I
    )
    found: dict[str, bool] = {}
    for text in texts:
        searched = text[:_MAX_SEARCHED]
        bare = wanted.sub(" ", searched)
        for line in _join_wrapped_names(searched.split("\n")):
            if len(found) >= MAX_EXAMPLES:
                break
            if _NOT_RIGHT.search(line):
                continue
            for match in wanted.finditer(line):
                name = _read_name(match, bare)
                if name:
                    alone = match[0].rstrip(_NAME_END) == line.strip(" \"'`*-")
                    found[name] = found.get(name, False) or alone
    # A sentence may be about all names that begin alike.
    names = [
        name
        for name, alone in found.items()
        if alone or not any(other.startswith(f"{name}:") for other in found)
    ]
    return tuple(names)


def _read_name(match: re.Match[str], around: str) -> str:
    if match["after"] in tuple("<{[…"):
        return ""
    name = match[0][: len(match[0]) - len(match["after"])].rstrip(_NAME_END)
    if name.endswith("...") or name.count("(") != name.count(")"):
        name = name.partition("(")[0].rstrip(_NAME_END)
    nss = name.split(":", 2)[2] if name.count(":") >= 2 else ""
    if not nss or ".." in nss or "*" in nss:
        return ""
    # Words in capitals that the text explains are placeholders.
    parts = [part for part in _SEGMENT.split(nss) if _CAPITALS.fullmatch(part)]
    if any(re.search(rf"(?<![\w:-]){part}(?![\w:-])", around) for part in parts[:5]):
        return ""
    try:
        parse(name)
    except URNSyntaxError:
        return ""
    return name


def _join_wrapped_names(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with names that were too long for their line put together."""
    at = 0
    while at < len(lines):
        line = lines[at]
        bare = line.strip()
        at += 1
        while (
            bare.lower().startswith("urn:")
            and " " not in bare
            and bare.endswith((":", "-", ",", "/", "_", ";"))
            and at < len(lines)
            and _is_rest_of_name(lines[at])
        ):
            bare += lines[at].strip()
            line = bare
            at += 1
        yield line


def _is_rest_of_name(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and " " not in bare and not bare.lower().startswith("urn:")
