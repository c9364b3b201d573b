"""Which name a text means: what people, programs and catalogues put around one is taken off.

Each name is checked by the rule of its namespace before it is suggested.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol, TypeAlias
from urllib.parse import unquote

from registry.namespace_rules.check_digits import find_wrong_digits, replace_check_digits
from registry.namespace_rules.identifiers import SHAPES, close_up
from registry.namespace_rules.rules import NamespaceRule, find_namespace_rule, list_ruled_nids
from registry.namespace_rules.rulings import Outcome, Ruling
from registry.urn import URN, find, is_valid, parse, repairs
from registry.urn.carried import find_carried_urn
from registry.urn.characters import fold_lookalikes, remove_invisible
from registry.urn.repair import (
    PERCENT_ENCODED,
    SCHEME_ADDED,
    SPACE_REMOVED,
    remove_escapes,
    strip_surroundings,
)

MAX_TEXT_LENGTH: Final = 2_000
MAX_BARE_NAME_LENGTH: Final = 300
MAX_SUGGESTIONS: Final = 4
MAX_PARTS_OF_ADDRESS: Final = 20
_IN_ADDRESS: Final = re.compile(
    r"[/?&](?:Special:)?(?=([A-Za-z][A-Za-z0-9-]{1,31})[/=:]([^/?&#]+))"
)
_INNER: Final = re.compile(r"(?<![A-Za-z0-9.-])urn:\S+", re.IGNORECASE)
# Never part of a URN, and likelier the end of one than to be encoded or left out.
_DELIMITER: Final = re.compile(r"[<>\"{}|\\^`\t]")
_RECKLESS: Final = frozenset({PERCENT_ENCODED, SPACE_REMOVED})
_LOOSE: Final = re.compile(
    r"(?:urn[\s:;/.|_,-]+)([a-z][a-z0-9-]{1,31}?)[\s:;/.|_,=-]+(\S.*)", re.IGNORECASE | re.DOTALL
)


class CheckingRule(Protocol):
    """A rule for the names of one namespace, shipped or published."""

    def check(self, name: URN, /) -> Ruling:
        """Whether a URN of the namespace follows it."""


RuleLookup: TypeAlias = Callable[[str], CheckingRule | None]


@dataclass(frozen=True, slots=True)
class SuggestedName:
    """A name that a text may mean, and the changes that led to it.

    `outcome` is what the rule of its namespace says, which is never that it is against it; None if
    there is no rule. `message` says what is wrong with the text if that is its check digit.
    """

    urn: URN
    changes: tuple[str, ...]
    outcome: Outcome | None = None
    message: str = ""

    @property
    def text(self) -> str:
        """The whole name."""
        return self.urn.text

    @property
    def nid(self) -> str:
        """Its NID, in lower case."""
        return self.urn.nid.lower()


def suggest_names(
    text: str, find_rule: RuleLookup = find_namespace_rule, near: Iterable[str] = ()
) -> tuple[SuggestedName, ...]:
    """Return the names that `text` may mean, likeliest first; none where it needs no change.

    `find_rule` gives the rule for the names of a NID in lower case, and `near` are NIDs that
    resemble the one of a URN that is not registered. They are proposals: only its author knows
    which name was meant. None for a text of more than 2,000 characters.
    """
    if len(text) > MAX_TEXT_LENGTH:
        return ()
    reader = _Reader(find_rule)
    names: dict[str, SuggestedName] = {}
    for name in reader.change_urn(parse(text), near) if is_valid(text) else reader.read_text(text):
        if name.text != text:
            names.setdefault(name.text, name)
    ranked = sorted(names.values(), key=lambda name: name.outcome is not Outcome.FOLLOWS)
    return tuple(ranked[:MAX_SUGGESTIONS])


def find_name_in_address(
    address: str, find_rule: RuleLookup = find_namespace_rule
) -> SuggestedName | None:
    """Return the name in a web address, such as that of a resolver; None if it has none."""
    if len(address) > MAX_TEXT_LENGTH:
        return None
    return next(_Reader(find_rule).read_address(address), None)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one text in all ways, and checks each name by its rule."""

    find_rule: RuleLookup

    def read_text(self, text: str) -> Iterator[SuggestedName]:
        """Yield what a text that is not a URN may mean."""
        mended = [
            name
            for repair in repairs(text)
            for name in self.check(parse(repair.text), repair.changes)
            # A word before a colon is no NID because it could be one.
            if name.outcome or SCHEME_ADDED not in name.changes
        ]
        is_delimited = _DELIMITER.search(text) is not None
        certain = [
            name
            for name in mended
            if name.outcome is Outcome.FOLLOWS
            and not (is_delimited and _RECKLESS & set(name.changes))
        ]
        if not certain:
            certain = [
                name
                for read in (self.read_bare_name, self.read_loosely, self.search, self.read_end)
                for name in read(text)
            ]
        is_certain = any(name.outcome is Outcome.FOLLOWS for name in certain)
        # A text without a name is not cut down to what would be one.
        yield from certain if is_certain or not mended else mended

    def change_urn(self, urn: URN, near: Iterable[str]) -> Iterator[SuggestedName]:
        """Yield what a URN may mean whose rule or end speaks against it, or that has no rule."""
        rule = self.find_rule(urn.nid.lower())
        ruling = rule.check(urn) if rule else None
        if rule and ruling and ruling.outcome in (Outcome.AGAINST, Outcome.DOUBTFUL):
            yield from self.respell(urn, rule, ruling, ())
        if ruling is None or ruling.outcome is not Outcome.AGAINST:
            single = _remove_repeated_prefix(urn)
            if single != urn.nss and is_valid(f"{urn.text[:4]}{urn.nid}:{single}"):
                change = f"written with “urn:{urn.nid}:” only once"
                yield from self.check(parse(f"{urn.text[:4]}{urn.nid}:{single}"), (change,))
            if rule is None:
                yield from self.read_other_prefix(urn)
                yield from self.change_nid(urn, near)
            ended = next(find(urn.text), None)
            if ended and ended.start == 0 and ended.text != urn.text:
                yield from self.check(parse(ended.text), ("punctuation at the end removed",))

    def check(self, urn: URN, changes: tuple[str, ...]) -> Iterator[SuggestedName]:
        """Yield `urn` unless its rule refuses it, else what follows that rule."""
        rule = self.find_rule(urn.nid.lower())
        ruling = rule.check(urn) if rule else None
        if rule and ruling and ruling.outcome is Outcome.AGAINST:
            yield from self.respell(urn, rule, ruling, changes)
            return
        if rule and ruling and ruling.outcome is Outcome.DOUBTFUL and ruling.preferred:
            preferred = parse(ruling.preferred)
            if rule.check(preferred).outcome is Outcome.FOLLOWS:
                changed = (*changes, "written as its document has it")
                yield SuggestedName(preferred, changed, Outcome.FOLLOWS)
        yield SuggestedName(urn, changes, ruling.outcome if ruling else None)

    def respell(
        self, urn: URN, rule: CheckingRule, ruling: Ruling, changes: tuple[str, ...]
    ) -> Iterator[SuggestedName]:
        """Yield the name that follows the rule which `urn` breaks, with the least change."""
        tail = urn.text[len("urn::") + len(urn.nid) + len(urn.nss) :]
        message = ruling.message if ruling.check == "rulebook.check-digits" else ""
        for nss, change in _iterate_spellings(urn, rule, ruling):
            name = f"{urn.text[:4]}{urn.nid}:{nss}{tail}"
            if nss != urn.nss and is_valid(name):
                outcome = rule.check(parse(name)).outcome
                if outcome is Outcome.FOLLOWS:
                    yield SuggestedName(parse(name), (*changes, change), outcome, message)
                    return

    def read_other_prefix(self, urn: URN) -> Iterator[SuggestedName]:
        """Yield the name behind a second `urn:`, or behind a label in place of the NID."""
        rest = urn.text[len("urn:") :]
        if urn.nid.lower() in ("urn", "uri", "url"):
            rest = rest.partition(":")[2]
            inner = rest if rest[:4].lower() == "urn:" else f"urn:{rest}"
            if is_valid(inner):
                yield from self.check(parse(inner), ("written with “urn:” only once",))
        else:
            yield from self.read_bare_name(rest)

    def change_nid(self, urn: URN, near: Iterable[str]) -> Iterator[SuggestedName]:
        """Yield the name under each similar NID, unless its rule refuses it."""
        for nid in near:
            other = parse(f"urn:{nid}:{urn.text[len('urn::') + len(urn.nid) :]}")
            rule = self.find_rule(nid)
            outcome = rule.check(other).outcome if rule else None
            if outcome is not Outcome.AGAINST:
                yield SuggestedName(other, (f"“{urn.nid}” read as “{nid}”",), outcome)

    def read_bare_name(self, text: str) -> Iterator[SuggestedName]:
        """Yield the names whose shape a text without `urn:` and NID has."""
        if len(text) > MAX_BARE_NAME_LENGTH:
            return
        plain = _tidy(text)
        for nid, shape in SHAPES.items():
            nss = shape.read(plain)
            if nss is not None:
                yield from self.check_bare_name(nid, nss, is_telling=shape.is_telling(plain))

    def check_bare_name(self, nid: str, nss: str, *, is_telling: bool) -> Iterator[SuggestedName]:
        """Yield a name in its preferred form if its rule accepts it.

        If the text `is_telling`, its check digit may be wrong.
        """
        rule = self.find_rule(nid) or find_namespace_rule(nid)
        if rule is None or not is_valid(f"urn:{nid}:{nss}"):
            return
        urn, changes = parse(f"urn:{nid}:{nss}"), (f"read as a name in {nid}",)
        ruling = rule.check(urn)
        if ruling.preferred:
            urn = parse(ruling.preferred)
            ruling = rule.check(urn)
        if ruling.outcome is Outcome.FOLLOWS:
            yield SuggestedName(urn, changes, ruling.outcome)
        elif ruling.check == "rulebook.check-digits" and is_telling:
            yield from self.respell(urn, rule, ruling, changes)

    def read_loosely(self, text: str) -> Iterator[SuggestedName]:
        """Yield the name whose parts have other marks between them than colons."""
        match = _LOOSE.fullmatch(_tidy(text))
        if match:
            yield from self.follow(f"urn:{match[1]}:{match[2]}", "colons put between")

    def read_end(self, text: str) -> Iterator[SuggestedName]:
        """Yield a name within a URI or behind a sign, behind a mistyped `urn:`, or encoded."""
        inner = _INNER.search(text)
        label, _, end = text.partition(":")
        if inner:
            yield from self.follow(inner[0], "what stood before it removed")
        elif _resembles_scheme(label.lower()):
            yield from self.follow(f"urn:{end}", f"“{label}” read as “urn”")
        if "%3a" in text.lower():
            yield from self.read_text(unquote(text))

    def follow(self, text: str, change: str) -> Iterator[SuggestedName]:
        """Yield a name, changed if need be, only if it follows the rule of its namespace."""
        if is_valid(text):
            names = self.check(parse(text), (change,))
            yield from (name for name in names if name.outcome is Outcome.FOLLOWS)

    def search(self, text: str) -> Iterator[SuggestedName]:
        """Yield the names within a text, and those in its web addresses."""
        for found in islice(find(html.unescape(remove_invisible(text))), MAX_SUGGESTIONS):
            if found.is_urn:
                yield from self.check(parse(found.text), ("taken out of the text around it",))
            else:
                yield from self.read_address(found.text)

    def read_address(self, address: str) -> Iterator[SuggestedName]:
        """Yield the names that a web address carries."""
        carried = find_carried_urn(address)
        if carried:
            yield from self.check(parse(carried), ("taken out of the web address",))
            return
        yield from self.read_bare_name(address)
        for match in islice(_IN_ADDRESS.finditer(address), MAX_PARTS_OF_ADDRESS):
            label, value = match[1].lower(), unquote(match[2])
            label = "isbn" if label == "booksources" else label
            if label in SHAPES or label == "rfc":
                yield from self.read_bare_name(f"{label} {value}")
            elif value.lower().startswith(tuple(SHAPES)):
                yield from self.read_bare_name(value)
            if label == "urn" or label in list_ruled_nids():
                name = value if label == "urn" else f"{label}:{value}"
                yield from self.follow(f"urn:{name}", "taken out of the web address")


_BROKEN_AT_SLASH: Final = re.compile(r"/\s*[\r\n]\s*")
_ATTRIBUTE: Final = re.compile(
    rf"\A(?!(?:{'|'.join(SHAPES)})\b)[\w:.-]+\s*=\s*(?=[\"'{{])", re.IGNORECASE
)
# An element of XML, with a system of identifiers in its tag, and the field of a catalogue's record.
_ELEMENT: Final = re.compile(r"<((?:\w+:)?\w+[^<>]*)>([^<>]*)</[^<>]+>")
_FIELD: Final = re.compile(
    r"(?:(?:[0-9]{3}[A-Z@]?\s+)?(?:[0-9#_\\ ]{2}\s*)?(?:[$‡][a-z0]|\|[a-z0]\s)"
    r"|[A-Z][A-Z0-9]\s+-)\s*(.*?)(?:\s+[$‡|][a-z0-9]\s.*)?"
)


def _tidy(text: str) -> str:
    """A text in ASCII, as far as possible, without what surrounds it."""
    visible = fold_lookalikes(remove_invisible(html.unescape(text)))
    plain = " ".join(_BROKEN_AT_SLASH.sub("/", remove_escapes(visible)).split())
    element = _ELEMENT.fullmatch(plain)
    if element:
        systems = [word for word in re.findall(r"\w+", element[1]) if word.lower() in SHAPES]
        plain = " ".join([*systems[:1], element[2]])
    field = _FIELD.fullmatch(plain)
    plain = _ATTRIBUTE.sub("", strip_surroundings(field[1] if field else plain))
    return plain.lstrip("'’=|\"").rstrip(".,;")


def _resembles_scheme(label: str) -> bool:
    """Whether a label has the letters of `urn` in another order, or one of three is another."""
    same = sum(letter == other for letter, other in zip(label, "urn", strict=False))
    return len(label) == len("urn") and (same == 2 or sorted(label) == sorted("urn"))


def _remove_repeated_prefix(urn: URN) -> str:
    """The NSS without the prefix that it may repeat."""
    prefix, nss = f"urn:{urn.nid}:".lower(), urn.nss
    while nss[: len(prefix)].lower() == prefix:
        nss = nss[len(prefix) :]
    return nss


def _iterate_spellings(urn: URN, rule: CheckingRule, ruling: Ruling) -> Iterator[tuple[str, str]]:
    """Yield NSSs that may have been meant by one that breaks `rule`, each with what was changed."""
    nid, nss = urn.nid.lower(), urn.nss
    if ruling.check == "rulebook.check-digits" and isinstance(rule, NamespaceRule):
        wrong = find_wrong_digits(rule.check_digits, nss)
        if wrong:
            yield replace_check_digits(nss, wrong), "check digit corrected"
    single = _remove_repeated_prefix(urn)
    plain = _tidy(unquote(single))
    unlabelled = re.sub(rf"(?:urn:)?{re.escape(nid)}[\s:=]+", "", plain, count=1, flags=re.I)
    yield single, f"written with “urn:{urn.nid}:” only once"
    yield nss.rstrip(".,;:!?'*)]/&"), "punctuation at the end removed"
    yield nss.partition("&")[0], "what stood behind it removed"
    yield plain, "what stood around it removed"
    yield unlabelled, "label removed"
    yield plain.lstrip("/:"), "what stood before it removed"
    if nid in SHAPES and len(plain) <= MAX_BARE_NAME_LENGTH:
        shape = SHAPES[nid]
        shaped = shape.read(plain) or shape.read(f"{nid} {plain}")
        if shaped and is_valid(f"urn:{nid}:{shaped}"):
            preferred = rule.check(parse(f"urn:{nid}:{shaped}")).preferred
            yield preferred.split(":", 2)[2] if preferred else shaped, f"read as a name in {nid}"
    compact = close_up(unquote(single))
    yield compact, "hyphens and spaces removed"
    yield nss.upper(), "in upper case"
    yield nss.lower(), "in lower case"
    yield compact.upper(), "hyphens removed, in upper case"
    yield nss.replace("/", "%2F"), "slash percent-encoded"
    yield nss.replace("/", ":", 1), "slash read as a colon"
