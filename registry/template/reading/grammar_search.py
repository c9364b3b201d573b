"""Grammars and examples that people write into the text of Syntax, found and prepared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from registry.grammar import (
    LONGEST_TEXT,
    Answer,
    Grammar,
    GrammarSyntaxError,
    Scope,
    read as read_grammar,
)
from registry.grammar.rule_set import find_known_rule
from registry.template.reading.lines import FoundGrammar, LeftOutRule
from registry.template.reading.notations import UnknownNotation, write_as_abnf
from registry.template.reading.written_rules import (
    MAX_RULES,
    QUOTED,
    RFC_2141_RULES,
    TYPOGRAPHIC,
    WORD,
    WrittenRule,
    find_written_rules,
    is_known_rule,
    sort_rules,
    strip_comments,
)
from registry.urn import URNSyntaxError, parse

MAX_EXAMPLES: Final = 50
_MAX_SEARCHED: Final = 200_000
_MAX_STARTS: Final = 12
_MAX_TRIED: Final = 10


def find_grammars(
    syntax: str, elsewhere: Sequence[str] = (), nid: str = "", examples: Sequence[str] = ()
) -> tuple[FoundGrammar, ...]:
    """The grammars in the text of Syntax, or if it has none that can be read, `elsewhere`."""
    others = [rule for text in elsewhere for rule in find_written_rules(text[:_MAX_SEARCHED])]
    broken: tuple[FoundGrammar, ...] = ()
    for text in (syntax, *elsewhere):
        found = (
            *_find_abnf(text[:_MAX_SEARCHED], others if text is syntax else (), nid, examples),
            *_find_expressions(text[:_MAX_SEARCHED], nid, examples),
        )
        if any(each.kind for each in found):
            return tuple(sorted(found, key=lambda each: not each.kind))
        broken = broken or found
    return broken


def take_out_grammar(syntax: str, found: FoundGrammar) -> str:
    """The text of Syntax without the lines of a grammar that is moved to its own field."""
    waiting = [line.strip() for line in found.written.split("\n") if line.strip()]
    kept: list[str] = []
    taken = False
    for line in syntax.split("\n"):
        bare = line.strip().translate(TYPOGRAPHIC)
        if bare and bare in waiting:
            waiting.remove(bare)
            taken = True
        elif bare or not taken:
            kept.append(line)
            taken = False
    return "\n".join(kept) if not waiting else syntax


def _find_abnf(
    text: str, others: Sequence[WrittenRule], nid: str, examples: Sequence[str]
) -> Iterator[FoundGrammar]:
    """The rules of a text as one grammar, whatever their notations; at most one."""
    written = find_written_rules(text)
    rules, left = sort_rules(written)
    if not rules:
        return
    left = [*left, *_find_stray_rules(text, written)]
    found = _read_rules(rules, left, others, nid, examples)
    if not found.kind:
        # Explanations with “=” may stand beside rules with “::=”.
        groups = [[rule for rule in rules if rule.sign == sign] for sign in ("=", "::=", ":=")]
        tried = (
            _read_rules(
                group,
                [*left, *((rule, _OTHER_SIGN) for rule in rules if rule not in group)],
                others,
                nid,
                examples,
            )
            for group in groups
            if 0 < len(group) < len(rules)
        )
        found = next((each for each in tried if each.kind), found)
    yield found


_OTHER_SIGN: Final = "It is in another notation than the rules that were read."
_STRAY: Final = re.compile(
    r"[^\w<]{0,6}<?(?P<name>[A-Za-z][\w ().-]{0,60}?)>? *(?:::?=|=/?|->|→) +\S"
)


def _find_stray_rules(text: str, rules: Sequence[WrittenRule]) -> Iterator[tuple[WrittenRule, str]]:
    """Lines near the rules that define something, but under no name that a rule can have."""
    taken = {number for rule in rules for number in range(rule.first, rule.last + 1)}
    beside = {n + step for n in taken for step in (-2, -1, 1, 2)}
    for number, line in enumerate(text.translate(TYPOGRAPHIC).split("\n"), start=1):
        stray = _STRAY.match(line[:200]) if number in beside - taken else None
        if stray and re.search(r"[\"'<|*%]|[0-9][A-Z]", line[stray.end() - 1 :]):
            name = " ".join(stray["name"].split())
            yield WrittenRule(name, "=", (line,), (line,), number), _NO_NAME


_NO_NAME: Final = "A rule begins with one name, of letters, digits and hyphens."


def _read_rules(
    rules: Sequence[WrittenRule],
    left: Sequence[tuple[WrittenRule, str]],
    others: Sequence[WrittenRule],
    nid: str,
    examples: Sequence[str],
) -> FoundGrammar:
    """The rules as a grammar that can be read, less those that cannot."""
    borrowed = _find_elsewhere(rules, others)
    texts: dict[int, str] = {}
    converted: list[str] = []
    literals: list[str] = []
    unread: list[tuple[WrittenRule, UnknownNotation]] = []
    names = frozenset(rule.name.lower() for rule in (*rules, *borrowed))
    has_bars = any("|" in QUOTED.sub("", rule.body) for rule in rules)
    for at, rule in enumerate((*rules, *borrowed)):
        try:
            texts[at], own_literals, is_converted = write_as_abnf(rule, names, has_bars)
        except UnknownNotation as error:
            unread.append((rule, error))
            continue
        literals += own_literals
        if is_converted:
            converted.append(rule.sign)
    written = "\n".join(rule.written for at, rule in enumerate(rules) if at in texts and rule.raw)
    lost = _find_lost_start([rule for at, rule in enumerate(rules) if at in texts], left, unread)
    if lost or not texts or 2 * len(unread) > len(rules):
        whole = "\n".join(rule.written for rule in rules)
        return FoundGrammar("", "", whole, problem=lost or str(unread[0][1]))
    added = _list_missing_rules(list(texts.values()), "::=" in converted)
    text = "\n".join((*texts.values(), *added))
    if len(text) > LONGEST_TEXT:
        problem = f"The rules have {len(text):,} characters, and {LONGEST_TEXT:,} are read."
        return FoundGrammar("", "", written, problem=problem)
    try:
        grammar = read_grammar(text, "abnf", nid=nid)
    except GrammarSyntaxError as error:
        return FoundGrammar("", "", written, problem=str(error))
    text, chosen, rivals = _choose_start(texts, added, grammar, nid, examples)
    remarks = [
        *(
            "It was converted from another notation; look it over."
            if sign in ("=", "=/")
            else f"It was converted from the notation with “{sign}”; look it over."
            for sign in dict.fromkeys(converted)
        ),
        *_list_remarks(chosen, added, literals, rivals, [rule for rule, _reason in unread]),
    ]
    if borrowed:
        others_named = ", ".join(rule.name for rule in borrowed)
        remarks.append(f"Taken from another section: {others_named}.")
    left_out = tuple(
        LeftOutRule("\n".join(rule.raw or rule.lines), rule.first, rule.last, reason)
        for rule, reason in sorted(
            (*left, *((rule, error.reason) for rule, error in unread)),
            key=lambda each: each[0].first,
        )
    )
    return FoundGrammar(
        "abnf",
        _align_rules(text),
        written,
        chosen.start,
        remarks=tuple(remarks),
        left_out=left_out,
    )


def _find_lost_start(
    kept: Sequence[WrittenRule],
    left: Sequence[tuple[WrittenRule, str]],
    unread: Sequence[tuple[WrittenRule, UnknownNotation]],
) -> str:
    """Why the rule that describes a name is not among those kept; empty if it may be."""
    names = {rule.name.lower() for rule in kept}
    used = {word.lower() for rule in kept for word in WORD.findall(strip_comments(rule.body))}
    roots = names - used or names
    for rule, reason in (*unread, *left):
        is_root = kept and rule.name.lower() not in names | used
        if is_root and roots <= {word.lower() for word in WORD.findall(rule.body)}:
            return f"{rule.name}: {reason}"
    return ""


def _find_elsewhere(
    rules: Sequence[WrittenRule], others: Sequence[WrittenRule]
) -> list[WrittenRule]:
    """The rules in other sections that define what these use."""
    by_name: dict[str, WrittenRule] = {}
    for rule in others:
        by_name.setdefault(rule.name.lower(), rule)
    names = {rule.name.lower() for rule in rules}
    borrowed: list[WrittenRule] = []
    waiting = [*rules]
    while waiting and len(borrowed) < MAX_RULES:
        body = strip_comments(waiting.pop(0).body)
        for word in WORD.findall(re.sub(r"\"[^\"]*\"", " ", body)):
            other = by_name.get(word.lower())
            if other and word.lower() not in names and not is_known_rule(word):
                names.add(word.lower())
                borrowed.append(other)
                waiting.append(other)
    return borrowed


def _list_remarks(
    chosen: Grammar,
    added: Sequence[str],
    literals: Sequence[str],
    rivals: Sequence[str],
    unread: Sequence[WrittenRule],
) -> Iterator[str]:
    if unread:
        yield f"Not understood, and left out: {', '.join(rule.name for rule in unread)}."
    if added:
        names = ", ".join(rule.partition(" ")[0] for rule in added)
        yield f"Added from RFC 2141, section 2: {names}."
    if literals:
        quoted = ", ".join(f"“{word}”" for word in dict.fromkeys(literals))
        yield f"Taken as text, and not as names of rules: {quoted}."
    own = {rule.name.lower() for rule in chosen.rules}
    used = dict.fromkeys(name for rule in chosen.rules for name in rule.uses)
    undefined = [name for name in used if name.lower() not in own and not find_known_rule(name)]
    sentences = [f"The rule “{name}” is used and not defined." for name in undefined]
    if chosen.undecided and chosen.undecided not in sentences:
        yield chosen.undecided
    yield from sentences
    if rivals:
        quoted = ", ".join(f"“{name}”" for name in rivals)
        yield (
            f"“{chosen.start}” was taken for the rule that describes a name; {quoted} describes"
            " whole names too. If names may follow either, add a rule that says so."
        )


def _list_missing_rules(texts: Sequence[str], is_older: bool) -> list[str]:
    """The rules of RFC 2141 that others use and nobody defines.

    In its notation (`is_older`) also those that later RFCs define anew.
    """
    joined = "\n".join(texts)
    heads = {match[1].lower() for match in re.finditer(r"^ *([\w-]+) *=", joined, re.M)}
    bare = QUOTED.sub(" ", strip_comments(joined))
    used = {word.lower() for word in WORD.findall(bare)}
    missing = [name for name in RFC_2141_RULES if name in used - heads]
    own = [name for name in missing if find_known_rule(name) is None]
    waiting = missing if is_older or own else []
    added: list[str] = []
    while waiting:
        name = waiting.pop(0)
        if name in heads:
            continue
        heads.add(name)
        added.append(f"{name} = {RFC_2141_RULES[name]}")
        body = QUOTED.sub(" ", RFC_2141_RULES[name])
        waiting += [word for word in WORD.findall(body) if word in RFC_2141_RULES]
    return added


def _choose_start(
    texts: Mapping[int, str],
    added: Sequence[str],
    grammar: Grammar,
    nid: str,
    examples: Sequence[str],
) -> tuple[str, Grammar, list[str]]:
    """The text and the grammar with the rule first that describes a name, and rules that describe
    others.

    It is one that no other uses, and accepts the examples; then one that describes whole names, has
    a name that says so, or leads to most rules.
    """
    best: tuple[tuple[int, ...], str, Grammar] | None = None
    whole: list[str] = []
    roots, starts = _list_starts(grammar, nid)
    for place, start in enumerate(starts):
        text = "\n".join((*_put_first(texts, start), *added))
        try:
            tried = read_grammar(text, "abnf", nid=nid, start=start)
        except GrammarSyntaxError:
            continue
        accepted = sum(
            tried.matches(name).answer is not Answer.NO for name in examples[:_MAX_TRIED]
        )
        is_whole = tried.scope is Scope.WHOLE
        is_root = start in roots and (accepted > 0 or not examples)
        score = (is_root, accepted, is_whole, -place)
        if start in roots and is_whole and start.lower() != "namestring":
            whole.append(start)
        if best is None or score > best[0]:
            best = (score, text, tried)
    if best is None:
        return "\n".join((*texts.values(), *added)), grammar, []
    return best[1], best[2], [name for name in whole if name.lower() != best[2].start.lower()]


def _list_starts(grammar: Grammar, nid: str) -> tuple[list[str], list[str]]:
    """The rules that no other uses, and all that may describe a name, likeliest first."""
    used = {
        used.lower()
        for rule in grammar.rules
        for used in rule.uses
        # Components are no part of a name (RFC 8141, section 2).
        if used.lower() != rule.name.lower() and rule.name.lower() != "namestring"
    }
    own = [rule.name for rule in grammar.rules]
    roots = [name for name in own if name.lower() not in used]
    bare = nid.lower().replace("urn-", "")
    named = {"urn", "assigned-name", "nss", f"{bare}-urn", f"urn-{bare}", f"{bare}-nss"}
    uses = {rule.name.lower(): {each.lower() for each in rule.uses} for rule in grammar.rules}
    order = sorted(
        own,
        key=lambda name: (
            name not in roots,
            name.lower() not in named,
            not (bare and bare in name.lower()),
            -len(_reach(name.lower(), uses)),
        ),
    )
    return roots, order[:_MAX_STARTS]


def _reach(name: str, uses: Mapping[str, set[str]]) -> set[str]:
    reached = {name}
    waiting = [name]
    while waiting:
        fresh = uses.get(waiting.pop(), set()) - reached
        reached |= fresh
        waiting += fresh
    return reached


def _put_first(texts: Mapping[int, str], start: str) -> list[str]:
    def begins(text: str) -> bool:
        head = re.search(r"^ *([\w-]+) *=", text, re.M)
        return head is not None and head[1].lower() == start.lower()

    ordered = list(texts.values())
    first = next((text for text in ordered if begins(text)), None)
    return ordered if first is None else [first, *(text for text in ordered if text != first)]


def _align_rules(text: str) -> str:
    """The rules with the same margin, as they came from pages with different ones."""
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())


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


def find_examples(nid: str, texts: Iterable[str], shown: Iterable[str] = ()) -> tuple[str, ...]:
    """The names with the identifier `nid` in texts, without those that only show a pattern.

    `shown` are sections of examples, in which a name on a line of its own is one.
    """
    if not nid:
        return ()
    wanted = re.compile(
        rf"(?<![\w:.-])urn:{re.escape(nid)}:(?P<nss>[^\s\"<>{{}}\[\]`“”…|]*)(?P<after>.?)", re.I
    )
    found: dict[str, bool] = {}
    for text, is_shown in (*((each, False) for each in texts), *((each, True) for each in shown)):
        searched = text[:_MAX_SEARCHED]
        bare = wanted.sub(" ", searched)
        for line in _join_wrapped_names(searched.split("\n")):
            if len(found) >= MAX_EXAMPLES:
                break
            if _NOT_RIGHT.search(line):
                continue
            for match in wanted.finditer(line):
                alone = match[0].rstrip(_NAME_END) == line.strip(" \"'`*-")
                name = _read_name(match, "" if alone and is_shown else bare)
                if name:
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
