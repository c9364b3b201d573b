"""The answer of each command: the exit status, the facts as data, and the text for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from .. import nid as nids, spec, uri
from ..advice import advise_on_urn
from ..characters import escape_invisible
from ..diagnosis import problems
from ..equivalence import Comparison, compare
from ..errors import URNSyntaxError
from ..json_form import to_json_form
from ..repair import repairs
from ..running_text import Found, find
from ..urn import URN, build, display, is_valid, parse
from .check import read_nids

GOOD: Final = 0
NOT_SO: Final = 1
"""It is not a URN, or not the same, or breaks a rule: an answer, not trouble."""
TROUBLE: Final = 2

PROFILES: Final = {
    profile.name.lower().replace("rfc ", "rfc").replace(" ", ""): profile
    for profile in spec.PROFILES
}


class Answer(NamedTuple):
    """The exit status, the facts as data, and the text for people."""

    status: int
    known: dict[str, Any]
    words: str


def answer_parse(text: str) -> Answer:
    """The parts of a URN with advice; or all the reasons why `text` is not one."""
    try:
        urn = parse(text)
    except URNSyntaxError as error:
        return _answer_malformed(error)
    shown = display(urn)
    components = [("r-component", urn.r_component), ("q-component", urn.q_component)]
    components.append(("f-component", urn.f_component))
    advice = advise_on_urn(urn)
    rows = [
        ("NID", urn.nid),
        ("NSS", urn.nss),
        *((name, value) for name, value in components if value is not None),
        ("canonical", urn.assigned_name),
        *([] if shown.is_exact else [("for reading", shown.text)]),
        *(("advice", f"{each.message} {each.mend} {each.source}.") for each in advice),
    ]
    known = {"text": urn.text, "valid": True, **urn.parts, "canonical": urn.assigned_name}
    known["advice"] = to_json_form(advice)
    return Answer(GOOD, known, "".join(f"{name:<12} {value}\n" for name, value in rows))


def _answer_malformed(error: URNSyntaxError) -> Answer:
    text = error.text
    found = problems(text, most=20)
    tried = repairs(text)
    lines = [f"Not a URN: {escape_invisible(text)}"]
    lines += [f"  {problem.message} {problem.rule}." for problem in found]
    lines += [f"  Try {repair.text} ({', '.join(repair.changes)})." for repair in tried]
    other = uri.split_reference(text)
    if other.scheme and other.scheme.lower() != "urn" and not uri.validate_reference(text, "uri"):
        lines.append(f"  It is a URI of the scheme “{other.scheme}”: see `urn validate`.")
    known = {"valid": False, **to_json_form(error), "problems": to_json_form(found)}
    known["repairs"] = [repair.text for repair in tried]
    return Answer(NOT_SO, known, "\n".join(lines) + "\n")


def answer_readings(text: str) -> Answer:
    """How RFC 2141, two drafts and RFC 8141 read `text`, and where they differ."""
    readings = spec.read_by_each(text)
    lines, known = [], []
    for reading in readings:
        converted = _convert(text, reading)
        lines.append(f"{reading.profile.name}: {_describe_reading(reading)}")
        lines += [f"  {name:<10} {part}" for name, part in reading.parts.items()]
        lines += [f"  advice     {caution}" for caution in reading.cautions]
        lines += [f"  today      {converted}"] if converted else []
        known.append(
            {
                "specification": reading.profile.name,
                "valid": reading.is_valid,
                "parts": dict(reading.parts),
                "error": to_json_form(reading.error),
                "cautions": list(reading.cautions),
                "converted": converted,
            }
        )
    changes = spec.list_changes(text)
    lines += [
        f"{change.older.profile} to {change.newer.profile}: {change.component}"
        f" {_or_none(change.before)} became {_or_none(change.after)}"
        for change in changes
    ]
    status = GOOD if readings[-1].is_valid else NOT_SO
    facts = {"text": to_json_form(text), "valid": readings[-1].is_valid, "readings": known}
    return Answer(status, facts, "\n".join(lines) + "\n")


def _describe_reading(reading: spec.SpecReading) -> str:
    return "a URN" if reading.error is None else str(reading.error)


def _or_none(part: str | None) -> str:
    return "nothing" if part is None else f"“{part}”"


def _convert(text: str, reading: spec.SpecReading) -> str | None:
    """The text converted to RFC 8141 from a draft, `None` if unchanged or impossible."""
    if not reading.is_valid or reading.profile in (spec.RFC_2141, spec.RFC_8141):
        return None
    try:
        written = spec.convert_to_urn(text, reading.profile).text
    except URNSyntaxError:
        return None
    return None if written == text else written


def answer_convert(text: str, source: str | None) -> Answer:
    """`text` as RFC 8141 writes it."""
    try:
        urn = spec.convert_to_urn(text, PROFILES[source] if source else None)
    except URNSyntaxError as error:
        return _answer_malformed(error)
    known = {"text": text, "valid": True, "converted": urn.text}
    return Answer(GOOD, known, f"{urn.text}\n")


def answer_compare(first: str, second: str, by: str, step: spec.LexicalStep) -> Answer:
    """Whether two URNs or URIs are the same, by every comparison, and why.

    `by` says which comparison decides the status: `urn`, `uri` or one of `PROFILES`; `auto` is
    section 3.1 for two URNs and the ladder for all others.
    """
    texts = (first, second)
    are_urns = is_valid(first) and is_valid(second)
    wrong = None if by == "auto" and are_urns else _find_incomparable(texts, by)
    if wrong is not None:
        return wrong
    ladder = uri.compare_uris(first, second)
    comparison = compare(parse(first), parse(second)) if are_urns else None
    older = {each.name: each for each in spec.compare_by_each(first, second)}
    decided = by if by != "auto" else "urn" if are_urns else "uri"
    if decided in PROFILES:
        profile = PROFILES[decided]
        is_draft_03 = profile is spec.DRAFT_03
        name = f"{profile.name}, step {step}" if is_draft_03 else profile.name
        is_same = bool(older[name].is_equivalent)
    else:
        is_same = comparison.is_equivalent if comparison else ladder.is_equal
    known = {
        "valid": True,
        "equivalent": is_same,
        "decided_by": decided,
        **_list_comparison_facts(texts, comparison),
        "ladder": [{**to_json_form(rung), "equal": rung.is_equal} for rung in ladder.steps],
        "rung": to_json_form(ladder.rung),
        "lexical": {name: _list_lexical_facts(each) for name, each in older.items()},
    }
    words = _describe_comparison(known, comparison, ladder)
    return Answer(GOOD if is_same else NOT_SO, known, words)


def _find_incomparable(texts: Sequence[str], by: str) -> Answer | None:
    """Trouble: one of the two cannot be compared this way."""
    for text in texts:
        if by in PROFILES:
            error = spec.read_by(text, PROFILES[by]).error
        elif by == "urn" or text[:4].lower() == "urn:":
            error = next(iter(problems(text, most=1)), None)
        else:
            wrong = uri.validate_reference(text, "uri", most=1)
            if wrong:
                known = {"valid": False, "text": to_json_form(text), **to_json_form(wrong[0])}
                return Answer(TROUBLE, known, f"Not a URI: {escape_invisible(text)}: {wrong[0]}\n")
            continue
        if error is not None:
            words = f"Not a URN: {escape_invisible(text)}: {error}\n"
            return Answer(TROUBLE, {"valid": False, **to_json_form(error)}, words)
    return None


def _list_lexical_facts(found: spec.SpecComparison) -> dict[str, Any]:
    facts = {"equivalent": found.is_equivalent, "why": found.why}
    return facts | {"first": found.first or None, "second": found.second or None}


def _list_comparison_facts(texts: Sequence[str], found: Comparison | None) -> dict[str, Any]:
    if found is None:
        return {"rule": "RFC 3986, section 6.2", "first": texts[0], "second": texts[1]}
    one, other = map(parse, texts)
    return {
        "rule": found.rule,
        "first": one.assigned_name,
        "second": other.assigned_name,
        "folded": list(found.folded),
        "ignored": list(found.ignored),
        "part": found.part or None,
        "positions": found.positions,
    }


_PART_NAMES: Final = {
    "scheme": "scheme",
    "nid": "NID",
    "nss": "NSS",
    "percent": "percent-encoding",
    "r": "r-component",
    "q": "q-component",
    "f": "f-component",
}


def _describe_comparison(
    known: dict[str, Any], found: Comparison | None, ladder: uri.URIComparison
) -> str:
    rule = known["rule"]
    if known["decided_by"] in PROFILES:
        rule = PROFILES[known["decided_by"]].name
    elif known["decided_by"] == "uri":
        rule = "RFC 3986, section 6.2"
    verdict = "Equivalent" if known["equivalent"] else "Not equivalent"
    lines = [f"{verdict} by {rule}.", known["first"], known["second"]]
    if found is not None:
        folded = ", ".join(_PART_NAMES[name] for name in found.folded)
        ignored = ", ".join(_PART_NAMES[name] for name in found.ignored)
        lines += [f"Only the case differs, which is folded: {folded}."] if folded else []
        lines += [f"Left out of the comparison, and not the same: {ignored}."] if ignored else []
        if found.positions is not None:
            one, other = found.positions
            part = _PART_NAMES[found.part]
            lines.append(f"The {part} differs, from character {one + 1} and {other + 1} on.")
    lines.append("The ladder of RFC 3986, section 6.2:")
    lines += [
        f"  {rung.rung:<17} {'equal' if rung.is_equal else 'not equal'}\n"
        f"    {rung.first}\n    {rung.second}"
        for rung in ladder.steps
    ]
    lines.append("By each specification of URNs:")
    lines += [
        f"  {name:<20} {_SAME[facts['equivalent']]}: {facts['why']}"
        for name, facts in known["lexical"].items()
    ]
    return "\n".join(lines) + "\n"


_SAME: Final = {True: "the same", False: "not the same", None: "not compared"}


def answer_normalize(text: str, rung: str) -> Answer:
    """`text` in the form shared by everything that is equal at `rung`."""
    wrong = _find_not_uri(text)
    if wrong is not None:
        return wrong
    normal = uri.normalize_uri(text, uri.Rung(rung))
    return Answer(GOOD, {"text": text, "valid": True, "normal": normal}, f"{normal}\n")


def _find_not_uri(text: str) -> Answer | None:
    if text[:4].lower() == "urn:":
        return None if is_valid(text) else _answer_malformed(URNSyntaxError(text))
    return answer_validate(text, "uri") if uri.validate_reference(text, "uri", most=1) else None


def answer_validate(text: str, form: uri.ReferenceForm) -> Answer:
    """Why `text` is not a URI by RFC 3986, and what kind of host it names."""
    found = uri.validate_reference(text, form)
    parts = uri.split_reference(text)
    host = uri.split_authority(parts.authority).host if parts.authority is not None else None
    kind = uri.classify_host(host) if host is not None else None
    known = {"text": to_json_form(text), "valid": not found, "problems": to_json_form(found)}
    known |= {"parts": to_json_form(parts), "host_kind": to_json_form(kind)}
    if found:
        lines = [f"Not a URI: {escape_invisible(text)}", *(f"  {e} {e.rule}." for e in found)]
        return Answer(NOT_SO, known, "\n".join(lines) + "\n")
    rows = [(name, part) for name, part in parts._asdict().items() if part is not None]
    rows += [("host", f"{host or '(empty)'}, {kind}")] if kind else []
    return Answer(GOOD, known, "".join(f"{name:<12} {value}\n" for name, value in rows))


def answer_resolve(base: str, reference: str, *, is_strict: bool) -> Answer:
    """The target of a reference, with what the specifications say about a URN as its base."""
    for text, form in ((base, "uri"), (reference, "reference")):
        wrong = uri.validate_reference(text, "uri" if form == "uri" else "reference", most=1)
        if wrong:
            words = f"Not a URI{'' if form == 'uri' else ' reference'}: {escape_invisible(text)}"
            known = {"valid": False, "text": to_json_form(text), **to_json_form(wrong[0])}
            return Answer(NOT_SO, known, f"{words}: {wrong[0]}\n")
    found = uri.resolve_with_advice(base, reference, strict=is_strict)
    is_same = uri.is_same_document(reference, base)
    known = {
        "valid": True,
        "base": base,
        "reference": reference,
        "target": found.target,
        "same_document": is_same,
        "findings": to_json_form(found.findings),
    }
    lines = [found.target]
    lines += ["  It is the same document (RFC 3986, section 4.4)."] if is_same else []
    lines += [f"  {each.message} {each.source}." for each in found.findings]
    return Answer(GOOD, known, "\n".join(lines) + "\n")


def answer_find(
    name: str, text: str, *, is_urn_only: bool, with_suffixes: bool
) -> tuple[Answer, ...]:
    """Each URN and URI in running text, with its line and column."""
    wanted = (
        each for each in find(text, with_suffixes=with_suffixes) if each.is_urn or not is_urn_only
    )
    return tuple(_answer_found(name, text, each) for each in wanted)


def _answer_found(name: str, text: str, each: Found) -> Answer:
    line = text.count("\n", 0, each.start) + 1
    column = each.start - (text.rfind("\n", 0, each.start) + 1) + 1
    known = {"file": name, "line": line, "column": column, **to_json_form(each)}
    known["is_urn"] = each.is_urn
    other = f" (or {each.without_hyphens})" if each.without_hyphens else ""
    return Answer(GOOD, known, f"{name}:{line}:{column}: {each.text}{other}\n")


def answer_locate(text: str) -> Answer:
    """The parts of a locator by the draft of 1993."""
    try:
        located = uri.parse_locator(text)
    except uri.URISyntaxError as error:
        known = {"valid": False, "text": to_json_form(text), **to_json_form(error)}
        return Answer(NOT_SO, known, f"Not a locator: {escape_invisible(text)}: {error}\n")
    if located is None:
        words = f"Not a locator: {escape_invisible(text)}: the draft of 1993 has no such scheme.\n"
        return Answer(NOT_SO, {"valid": False, "text": to_json_form(text)}, words)
    known = {"valid": True, "text": to_json_form(text), **to_json_form(located)}
    rows = [("scheme", located.scheme), *located.parts.items()]
    lines = [f"{name:<12} {escape_invisible(value)}" for name, value in rows]
    if located.strays:
        places = ", ".join(str(stray + 1) for stray in located.strays)
        lines.append(f"The draft does not allow the characters at {places}; later practice may.")
    return Answer(GOOD, known, "\n".join(lines) + "\n")


def answer_build(nid: str, name: str, components: dict[str, str | None]) -> Answer:
    """The URN of a name that is not encoded yet."""
    try:
        urn: URN = build(nid, name, **components)
    except URNSyntaxError as error:
        known = {"valid": False, **to_json_form(error)}
        return Answer(NOT_SO, known, f"Cannot be built: {error}\n")
    return Answer(GOOD, {"valid": True, "text": urn.text}, f"{urn.text}\n")


def answer_display(text: str) -> Answer:
    """The URN for people to read."""
    try:
        shown = display(parse(text))
    except URNSyntaxError as error:
        return _answer_malformed(error)
    known = {"valid": True, **to_json_form(shown), "is_exact": shown.is_exact}
    return Answer(GOOD, known, f"{shown.text}\n")


def answer_nid(text: str, registered: Path | None) -> Answer:
    """Whether a NID may be registered, which rules it breaks, and what could be instead."""
    taken = read_nids(registered).nids if registered else frozenset()
    findings = nids.check(text, taken)
    offers = nids.suggestions(text, taken) if findings else ()
    known = {
        "text": to_json_form(text),
        "valid": not findings,
        "kind": nids.kind(text),
        "findings": to_json_form(findings),
        "suggestions": list(offers),
    }
    lines = [f"{each.message} {each.source}. {each.mend}" for each in findings]
    lines = lines or [f"{text} may be registered as a formal namespace."]
    return Answer(NOT_SO if findings else GOOD, known, "\n".join(lines) + "\n")
