"""The same text by RFC 2141, drafts -03 and -12 of its successor, and RFC 8141."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal, NamedTuple, cast

from .causes import SCHEME_MISSING, Cause
from .equivalence import fold_assigned_name, fold_percent_octets
from .errors import URNSyntaxError
from .faults import find_first_fault, measure_scheme
from .parts import PartMapping
from .syntax import (
    ALPHANUM,
    F_COMPONENT,
    NID,
    NSS,
    PCHAR_SET,
    PCT_ENCODED,
    Q_COMPONENT,
    R_COMPONENT,
    SCHEME,
)
from .urn import URN, compose_urn


@dataclass(frozen=True, slots=True)
class PartRule:
    """One part of a URN in one specification: its mark, what it may contain, and the reference."""

    component: str
    mark: re.Pattern[str]
    content: re.Pattern[str]
    production: str


@dataclass(frozen=True, slots=True)
class SpecProfile:
    """One specification of URN syntax, with its parts in order.

    The drafts are those of draft-ietf-urnbis-rfc2141bis-urn. `reserves` says where the NID "urn" is
    reserved and `bans_nul` where `%00` is forbidden; both are empty otherwise.
    """

    name: str
    rules: tuple[PartRule, ...]
    reserves: str = ""
    bans_nul: str = ""

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[str], SpecProfile], tuple[str]]:
        # There is one object of each, which is compared by `is`.
        return find_profile, (self.name,)


def find_profile(name: str) -> SpecProfile:
    """The specification of that name, such as “RFC 2141”; raises `KeyError` for any other."""
    return {profile.name: profile for profile in PROFILES}[name]


def _build_rule(component: str, mark: str, content: str, production: str) -> PartRule:
    return PartRule(component, re.compile(mark), re.compile(content), production)


def _build_character_set(allowed: str) -> str:
    return f"(?:[{allowed}]++|{PCT_ENCODED})"


# RFC 2141, section 2.2, with the delimiters that its grammar allows and its prose reserves.
_URN_CHARS: Final = rf"{ALPHANUM}()+,\-.:=@;$_!*'/?#"
_DIRECTIVE: Final = (
    rf"[A-Za-z](?:-?[{ALPHANUM}])*+=(?:[{PCHAR_SET.replace('&', '')}/?]++|{PCT_ENCODED})*+"
)
_NID_SECTION: Final = "NID, section 2.1"

RFC_2141: Final = SpecProfile(
    "RFC 2141",
    (
        _build_rule("nid", f"{SCHEME}:", f"[{ALPHANUM}][{ALPHANUM}-]{{0,31}}+", _NID_SECTION),
        _build_rule("nss", ":", f"{_build_character_set(_URN_CHARS)}++", "NSS, section 2.2"),
    ),
    reserves="section 2.1",
    bans_nul="section 2.4",
)
DRAFT_03: Final = SpecProfile(
    "draft -03",
    (
        _build_rule("nid", f"{SCHEME}:", NID, _NID_SECTION),
        _build_rule(
            "nss", ":", f"{_build_character_set(PCHAR_SET)}++", "NSS = 1*pchar, section 2.2"
        ),
        _build_rule("query", r"\?", f"{_DIRECTIVE}(?:&{_DIRECTIVE})*+", "urn-query, section 2.3"),
        _build_rule("fragment", "#", F_COMPONENT, "fragment, section 2.4"),
    ),
    reserves="section 2.1",
    bans_nul="section 2.5.3",
)
DRAFT_12: Final = SpecProfile(
    "draft -12",
    (
        _build_rule("nid", f"{SCHEME}:", NID, "NID, section 3"),
        _build_rule("nss", ":", NSS, "NSS, section 3"),
        # Section 3.3.1: the first "??" ends a q-component, so a "?" in it is not followed by "?".
        _build_rule(
            "q",
            r"\?(?!\?)",
            rf"(?=[{PCHAR_SET}%])(?:[{PCHAR_SET}/]++|{PCT_ENCODED}|\?(?!\?))++",
            "q-string, section 3.3.1",
        ),
        _build_rule("r", r"\?\?", Q_COMPONENT, "r-string, section 3.3.2"),
        _build_rule("f", "#", F_COMPONENT, "f-string, section 3.3.3"),
    ),
)
RFC_8141: Final = SpecProfile(
    "RFC 8141",
    (
        _build_rule("nid", f"{SCHEME}:", NID, "NID, section 2"),
        _build_rule("nss", ":", NSS, "NSS, section 2"),
        _build_rule("r", r"\?\+", R_COMPONENT, "r-component, section 2.3.1"),
        _build_rule("q", r"\?=", Q_COMPONENT, "q-component, section 2.3.2"),
        _build_rule("f", "#", F_COMPONENT, "f-component, section 2.3.3"),
    ),
)
PROFILES: Final = (RFC_2141, DRAFT_03, DRAFT_12, RFC_8141)


# Section 9.2.1, the initial keywords of the draft's registry.
DIRECTIVE_KEYWORDS: Final = {
    "s": "intended URN resolution service",
    "c": "component of a structured resource",
}
# Section 9.2.2, the values of `s`: the services of RFC 2483.
SERVICE_DESIGNATORS: Final = {
    "I2L": "URI to URL",
    "I2Ls": "URI to URLs",
    "I2R": "URI to resource",
    "I2Rs": "URI to resources",
    "I2C": "URI to URC",
    "I2Cs": "URI to URCs",
    "I2N": "URI to URN",
    "I2Ns": "URI to URNs",
    "I=I": "URI equal to URI",
}


@dataclass(frozen=True, slots=True)
class Directive:
    """One `keyword=value`, both case-sensitive."""

    keyword: str
    value: str

    def __str__(self) -> str:
        return f"{self.keyword}={self.value}"


def parse_directives(query: str) -> tuple[Directive, ...]:
    """All directives of a query of draft -03, in the order they were written."""
    pairs = (written.partition("=") for written in query.split("&"))
    return tuple(Directive(keyword, value) for keyword, _, value in pairs)


def find_effective_directives(query: str) -> tuple[Directive, ...]:
    """The directives that a resolver follows: only those whose keyword is unique (section 2.3)."""
    written = parse_directives(query)
    times = Counter(directive.keyword for directive in written)
    return tuple(directive for directive in written if times[directive.keyword] == 1)


def sort_directives(query: str) -> str:
    """The query with its directives in a canonical order (step 5b)."""
    ordered = sorted(
        parse_directives(query), key=lambda directive: (directive.keyword, directive.value)
    )
    return "&".join(map(str, ordered))


def list_cautions(profile: SpecProfile, parts: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences of advice on the parts that `profile` finds in a text."""
    return _ADVICE[profile.name](parts)


def _advise_rfc_2141(parts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"“{mark}” is reserved for later use and should be percent-encoded (section 2.3.2)."
        for mark in "/?#"
        if mark in parts["nss"]
    )


def _advise_draft_03(parts: Mapping[str, str]) -> tuple[str, ...]:
    found = []
    if "query" in parts:
        found.append("A query makes this a reference to a URN, not an assigned one (section 2.3).")
        found.extend(_advise_directives(parts["query"]))
    if "fragment" in parts:
        found.append(
            "A fragment is allowed only where the namespace provides for it (section 2.4)."
        )
    return tuple(found)


def _advise_directives(query: str) -> list[str]:
    keywords = dict.fromkeys(directive.keyword for directive in parse_directives(query))
    heeded = {directive.keyword for directive in find_effective_directives(query)}
    repeated = [keyword for keyword in keywords if keyword not in heeded]
    unknown = [keyword for keyword in heeded if keyword not in DIRECTIVE_KEYWORDS]
    return (
        [
            f"“{keyword}” is there more than once and is ignored altogether (section 2.3)."
            for keyword in repeated
        ]
        + [
            f"“{keyword}” is not among the keywords first registered (section 9.2.1)."
            for keyword in sorted(unknown)
        ]
        + [
            f"“{directive.value}” is none of the services first registered for “s” (section 9.2.2):"
            " a resolver that does not know it provides its default (section 2.3.1)."
            for directive in find_effective_directives(query)
            if directive.keyword == "s" and directive.value not in SERVICE_DESIGNATORS
        ]
    )


def _advise_draft_12(parts: Mapping[str, str]) -> tuple[str, ...]:
    if not {"q", "r", "f"} & parts.keys():
        return ()
    return ("Components are allowed only where the namespace defines them (section 3.3).",)


def _advise_rfc_8141(parts: Mapping[str, str]) -> tuple[str, ...]:
    if "r" not in parts:
        return ()
    return ("An r-component should wait until its meaning is standardized (section 2.3.1).",)


_ADVICE: Final = {
    RFC_2141.name: _advise_rfc_2141,
    DRAFT_03.name: _advise_draft_03,
    DRAFT_12.name: _advise_draft_12,
    RFC_8141.name: _advise_rfc_8141,
}


_NAMES: Final = {
    "nid": "the NID",
    "nss": "the NSS",
    "query": "the query",
    "fragment": "the fragment",
    "r": "the r-component",
    "q": "the q-component",
    "f": "the f-component",
}
_OPTIONAL: Final = frozenset({"query", "fragment", "r", "q", "f"})
_MAY_BE_EMPTY: Final = frozenset({"fragment", "f"})


@dataclass(frozen=True, slots=True)
class SpecReading:
    """How one specification reads a text.

    `parts` are the components it finds, by its own names and as written, up to the error; `error`
    says where it stops accepting the text as a URN. `cautions` are what its prose advises against
    although its grammar allows it.
    """

    profile: SpecProfile
    parts: Mapping[str, str]
    error: URNSyntaxError | None
    cautions: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Whether the specification accepts the text as a URN."""
        return self.error is None


def read_by_each(text: str) -> tuple[SpecReading, ...]:
    """Read `text` by each of the four specifications, oldest first."""
    return tuple(read_by(text, profile) for profile in PROFILES)


def read_by(text: str, profile: SpecProfile) -> SpecReading:
    """Read `text` by one specification."""
    parts: dict[str, str] = {}
    error = _walk_parts(text, profile, parts) or _find_forbidden(text, profile, parts)
    if error is not None and profile is RFC_8141:
        error = URNSyntaxError(text)
    heeded = () if error else list_cautions(profile, parts)
    return SpecReading(profile, PartMapping(parts), error, heeded)


def _walk_parts(text: str, profile: SpecProfile, parts: dict[str, str]) -> URNSyntaxError | None:
    """Split `text` into `parts`; returns the error that stops this, if any."""
    end = 0
    last = profile.rules[0]
    for rule in profile.rules:
        mark = rule.mark.match(text, end)
        if mark is None and rule.component in _OPTIONAL:
            continue
        if mark is None:
            return _explain_missing_mark(text, profile, end, rule)
        content = rule.content.match(text, mark.end())
        if content is None or not (content.group() or rule.component in _MAY_BE_EMPTY):
            return _explain_bad_beginning(text, profile, mark.end(), rule)
        parts[rule.component] = content.group()
        end, last = content.end(), rule
    if end < len(text):
        return _build_error(text, end, profile, last, "{character} cannot stand in")
    return None


def _explain_missing_mark(
    text: str, profile: SpecProfile, end: int, rule: PartRule
) -> URNSyntaxError:
    if rule.component == "nid":
        return URNSyntaxError(text, measure_scheme(text), SCHEME_MISSING)
    return _build_error(text, end, profile, rule, "{character} stands where a colon introduces")


def _explain_bad_beginning(
    text: str, profile: SpecProfile, start: int, rule: PartRule
) -> URNSyntaxError:
    if rule.component != "nid" or profile is RFC_2141:
        return _build_error(text, start, profile, rule, "{character} cannot begin")
    # The drafts have the NID of RFC 8141, and so the same errors.
    position, cause = find_first_fault(text)
    return URNSyntaxError(text, position, replace(cause, rule=f"{rule.production} ({profile})"))


def _find_forbidden(
    text: str, profile: SpecProfile, parts: dict[str, str]
) -> URNSyntaxError | None:
    nid, nss = profile.rules[:2]
    if profile.reserves and parts["nid"].lower() == "urn":
        rule = replace(nid, production=profile.reserves)
        return _build_error(text, len("urn:"), profile, rule, "“urn” is reserved and cannot be")
    nul = text.find("%00") if profile.bans_nul else -1
    if nul >= 0:
        rule = replace(nss, production=profile.bans_nul)
        return _build_error(text, nul, profile, rule, "the NUL octet cannot stand in")
    return None


def _build_error(
    text: str, position: int, profile: SpecProfile, rule: PartRule, what: str
) -> URNSyntaxError:
    cause = Cause(
        rule.component,
        f"{rule.production} ({profile})",
        f"{what} {_NAMES[rule.component]}",
        f"So says {profile}; RFC 8141 is the one in force.",
    )
    return URNSyntaxError(text, position, cause)


LexicalStep = Literal["5a", "5b"]


def lexical_form(text: str, profile: SpecProfile, step: LexicalStep = "5a") -> str:
    """What `profile` compares of `text`: equal forms are equivalent URNs.

    RFC 2141 (section 5) has no components and keeps everything. Draft -03 (section 5) drops the
    fragment, and then the query (`step` 5a, to tell resources apart) or sorts its directives (5b,
    to tell results of resolution apart). Draft -12 (section 4.1) and RFC 8141 (section 3.1) drop
    every component. Raises `URNSyntaxError` if the text is not a URN by `profile`.
    """
    reading = read_by(text, profile)
    if reading.error is not None:
        raise reading.error
    return _fold_parts(reading.parts, profile, step)


def is_lexically_equivalent(
    first: str, second: str, profile: SpecProfile, step: LexicalStep = "5a"
) -> bool:
    """Whether `profile` takes two texts for the same URN; raises as `lexical_form` does."""
    return lexical_form(first, profile, step) == lexical_form(second, profile, step)


class SpecComparison(NamedTuple):
    """How one specification compares two texts: what it compares of each, and why.

    `step` is that of draft -03, empty for others. `is_equivalent` is `None` if one of the two is
    not a URN by it, and `why` says which and where.
    """

    profile: SpecProfile
    step: LexicalStep | Literal[""]
    is_equivalent: bool | None
    first: str
    second: str
    why: str

    @property
    def name(self) -> str:
        """The specification, with the step where it has two."""
        return f"{self.profile.name}, step {self.step}" if self.step else self.profile.name


_GROUNDS: Final = {
    (RFC_2141.name, "5a"): "the whole text counts (section 5)",
    (DRAFT_03.name, "5a"): "query and fragment are left out, to tell resources apart (section 5)",
    (DRAFT_03.name, "5b"): "the query counts, its directives in one order, to tell apart what"
    " resolution gives (section 5)",
    (DRAFT_12.name, "5a"): "the components are left out (section 4.1)",
    (RFC_8141.name, "5a"): "the components are left out (section 3.1)",
}


def compare_by_each(first: str, second: str) -> tuple[SpecComparison, ...]:
    """Compare two texts by each specification, oldest first, draft -03 in both its steps."""
    return tuple(
        _compare_by(first, second, find_profile(name), cast("LexicalStep", step))
        for name, step in _GROUNDS
    )


def _compare_by(first: str, second: str, profile: SpecProfile, step: LexicalStep) -> SpecComparison:
    shown: LexicalStep | Literal[""] = step if profile is DRAFT_03 else ""
    try:
        one, other = (lexical_form(text, profile, step) for text in (first, second))
    except URNSyntaxError as error:
        return SpecComparison(profile, shown, None, "", "", str(error))
    return SpecComparison(profile, shown, one == other, one, other, _GROUNDS[profile.name, step])


def _fold_parts(parts: Mapping[str, str], profile: SpecProfile, step: LexicalStep) -> str:
    name = fold_assigned_name(parts["nid"], parts["nss"])
    if profile is DRAFT_03 and step == "5b" and "query" in parts:
        return f"{name}?{sort_directives(fold_percent_octets(parts['query']))}"
    return name


@dataclass(frozen=True, slots=True)
class SpecChange:
    """One difference between two specifications in how they read a text.

    `component` is the part by the newer one's name for it, or the older one's if the newer has
    none, and `verdict` if only one of them accepts the text as a URN; `before` and `after` are its
    content, `None` if the part is absent.
    """

    older: SpecReading
    newer: SpecReading
    component: str
    before: str | None
    after: str | None


def list_changes(text: str) -> tuple[SpecChange, ...]:
    """All differences, from RFC 2141 through the two drafts to RFC 8141; `()` if none."""
    return tuple(
        change
        for older, newer in pairwise(read_by_each(text))
        for change in _compare_readings(older, newer)
    )


def _compare_readings(older: SpecReading, newer: SpecReading) -> Iterator[SpecChange]:
    if older.is_valid != newer.is_valid:
        yield SpecChange(
            older, newer, "verdict", _describe_reading(older), _describe_reading(newer)
        )
    if not (older.is_valid and newer.is_valid):
        return
    before = {_rename_component(name, newer): part for name, part in older.parts.items()}
    for component in before | dict(newer.parts):
        was, now = before.get(component), newer.parts.get(component)
        if was != now:
            yield SpecChange(older, newer, component, was, now)


def _rename_component(component: str, newer: SpecReading) -> str:
    """Draft -03 says query and fragment where the later texts say q- and f-component."""
    known = {rule.component for rule in newer.profile.rules}
    later = {"query": "q", "fragment": "f"}.get(component, component)
    return later if component not in known and later in known else component


def _describe_reading(reading: SpecReading) -> str:
    return "a URN" if reading.error is None else str(reading.error.message)


def convert_to_urn(text: str, source: SpecProfile | None = None) -> URN:
    """`text` as `source` meant it, written by RFC 8141: `?q` becomes `?=q`, `??r` becomes `?+r`.

    Without a `source` a text that is a URN already stays as it is, and any other is read by draft
    -12, then by draft -03. Parts are moved, never changed. Raises `URNSyntaxError` for a text that
    is not a URN by `source`, or whose parts RFC 8141 does not allow, such as a `?=` in an
    r-component.
    """
    if source is None:
        source = _guess_profile(text)
    reading = read_by(text, source)
    if reading.error is not None:
        raise reading.error
    parts = reading.parts
    return URN(
        compose_urn(
            parts["nid"],
            parts["nss"],
            parts.get("r"),
            parts.get("q", parts.get("query")),
            parts.get("f", parts.get("fragment")),
        )
    )


def _guess_profile(text: str) -> SpecProfile:
    order = (RFC_8141, DRAFT_12, DRAFT_03)
    return next((profile for profile in order if read_by(text, profile).is_valid), RFC_8141)
