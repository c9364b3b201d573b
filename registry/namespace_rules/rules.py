"""A rule for the names of one namespace: read from its file, and applied to names."""

from __future__ import annotations

import csv
import logging
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from stdnum import isbn

from registry import grammar
from registry.grammar import Answer, Grammar
from registry.namespace_rules import rulings
from registry.namespace_rules.check_digits import find_wrong_digits
from registry.namespace_rules.rulings import (
    NameEquivalence,
    NamePart,
    NameToCheck,
    Outcome,
    Ruling,
    answer_failures,
)
from registry.namespace_rules.spellings import (
    apply_preferred_forms,
    describe_merges,
    find_needed_merges,
    merge_spellings,
)
from registry.urn import URN, URNSyntaxError, parse
from registry.urn.equivalence import fold_percent_octets

logger: Final = logging.getLogger(__name__)

_DATA: Final = Path(__file__).resolve().parent / "data"
COUNTRIES_FILE: Final = _DATA / "iso-3166.csv"
_Parts: TypeAlias = Iterator[NamePart]

_UUIDS: Final = {
    "1": "time and node",
    "2": "DCE security",
    "3": "a name, by MD5",
    "4": "random",
    "5": "a name, by SHA-1",
    "6": "time and node, in sortable order",
    "7": "Unix time, sortable",
    "8": "left to the implementation",
}
_IMEI: Final = re.compile(r"imei:[0-9]{8}-[0-9]{6}-[0-9](?:;|\Z)", re.I)
_ROOTS: Final = {"0": "ITU-T", "1": "ISO", "2": "ISO and ITU-T jointly"}


@cache
def read_country_names() -> Mapping[str, str]:
    """The names of countries by their two-letter codes (ISO 3166-1)."""
    with COUNTRIES_FILE.open(encoding="utf-8", newline="") as lines:
        return MappingProxyType({row["alpha2"]: row["name"] for row in csv.DictReader(lines)})


_COUNTRY: Final = re.compile(r"([A-Za-z]{2})[:;-]")


def _explain_country(nss: str) -> _Parts:
    if found := _COUNTRY.match(nss):
        yield NamePart("country", found[1], read_country_names().get(found[1].lower(), ""))


def _explain_uuid(nss: str) -> _Parts:
    digits = nss.replace("-", "").lower()
    if not digits.strip("0") or not digits.strip("f"):
        yield NamePart("uuid", nss, "Nil" if digits[0] == "0" else "Max")
    elif digits[16] in "89ab":
        yield NamePart("version", nss[14], _UUIDS.get(digits[12], ""))


def _explain_oid(nss: str) -> _Parts:
    root = nss.partition(".")[0]
    yield NamePart("root", root, _ROOTS.get(root, ""))


def _explain_isbn(nss: str) -> _Parts:
    names = ("prefix", "registration group", "registrant")
    # If no range is known for a number, its last elements are not separated.
    parts = isbn.split(nss)
    *known, rest, check_digit = parts if all(parts[1:3]) else (*parts[:2], *parts[3:])
    for name, text in zip(names, known, strict=False):
        if text:
            yield NamePart(name, text)
    yield NamePart("publication" if all(parts[1:3]) else "registrant and publication", rest)
    yield NamePart("check digit", check_digit)


def _explain_lei(nss: str) -> _Parts:
    yield NamePart("issuer", nss[:4])
    yield NamePart("entity", nss[4:18])
    yield NamePart("check digits", nss[18:])


def _explain_eic(nss: str) -> _Parts:
    yield NamePart("issuing office", nss[:2])
    yield NamePart("kind", nss[2])
    yield NamePart("object", nss[3:15])
    yield NamePart("check character", nss[15])


def _explain_imei(nss: str) -> _Parts:
    if _IMEI.match(nss):
        yield NamePart("type allocation code", nss[5:13])
        yield NamePart("serial number", nss[14:20])
        yield NamePart("spare digit", nss[21])


def _explain_meid(nss: str) -> _Parts:
    if nss[:5].lower() == "meid:":
        yield NamePart("manufacturer code", nss[5:13])
        yield NamePart("serial number", nss[14:20])


def _explain_publicid(nss: str) -> _Parts:
    # RFC 3151, section 1.2, reversed; escapes last, so that what they hide is not converted.
    text = nss.replace("+", " ").replace(":", "//").replace(";", "::")
    yield NamePart("public identifier", unquote(text))


def _explain_service(nss: str) -> _Parts:
    top, _, below = nss.partition(".")
    yield NamePart("service", top)
    if below:
        yield NamePart("sub-services", below)


PART_EXPLANATIONS: Final = MappingProxyType[str, Callable[[str], _Parts]](
    {
        "country": _explain_country,
        "eic": _explain_eic,
        "imei": _explain_imei,
        "isbn": _explain_isbn,
        "lei": _explain_lei,
        "meid": _explain_meid,
        "oid": _explain_oid,
        "publicid": _explain_publicid,
        "service": _explain_service,
        "uuid": _explain_uuid,
    }
)
"""Ways to split a name. Each gets an NSS that does not break its rule."""


_SECTION: Final = "RFC 8141, section 3.1"


def compare_names(
    first: URN,
    second: URN,
    merges: Iterable[str] | None,
    document: str,
    grammar: Grammar | None = None,
) -> NameEquivalence:
    """Compare by section 3.1 first, and by `merges` if that finds two names different.

    `merges` are `None` if one of the names breaks the rule of the namespace; `document` is their
    source, and `grammar` has the rules that they refer to.
    """
    if first.is_equivalent_to(second):
        message = f"The two are the same name by {_SECTION}."
        return NameEquivalence(True, message, _SECTION, declared_by=document)
    if first.nid.lower() != second.nid.lower():
        return NameEquivalence(False, "The two are names of different namespaces.", _SECTION)
    if merges is None:
        message = "The two are different names, and one of them is against the rule of both."
        return NameEquivalence(False, message, _SECTION, declared_by=document)
    try:
        used = find_needed_merges(
            merges, fold_percent_octets(first.nss), fold_percent_octets(second.nss), grammar
        )
    except Exception:
        logger.exception("Two names of %s could not be compared.", first.nid)
        message = f"The two are different names by {_SECTION}. {document} could not be applied."
        return NameEquivalence(False, message, _SECTION, declared_by=document)
    if used is None:
        message = "The two are different names, and their namespace has nothing that merges them."
        return NameEquivalence(False, message, _SECTION, declared_by=document)
    message = f"The two are the same name: their namespace does not count {describe_merges(used)}."
    return NameEquivalence(True, message, document, used, document)


@dataclass(frozen=True, slots=True)
class NamingPractice:
    """Names that people write against the document: a grammar, and the caution to give them.

    It does not apply to NSSs that begin with one of `not_for`. `respelling` has patterns, each
    followed by its replacement, which give the NSS as the document has it, if that can be
    determined.
    """

    grammar: str
    caution: str
    examples: tuple[str, ...]
    not_for: tuple[str, ...] = ()
    respelling: tuple[str, ...] = ()

    def respell(self, nss: str) -> str:
        """`nss` as the document has it, empty if that cannot be determined."""
        for pattern, written in zip(self.respelling[::2], self.respelling[1::2], strict=True):
            nss = re.sub(pattern, written, nss)
        return nss if self.respelling else ""


@dataclass(frozen=True, slots=True)
class NamespaceRule:
    """What a document of record says about the names of the namespace `nid`.

    `grammar` describes the NSS and is of the given `kind`; `left_open` says what it does not check.
    `comparison` is the document that `merges` are from, empty if that is `document` too.
    `check_digits`, `merges`, `preferred_form` and `explained_by` name what is done beyond it, and
    are empty if there is nothing. Examples are NSSs. `exclusions` are patterns of how NSSs begin
    that are refused although the grammar describes them, each with the reason; `remarks` such
    patterns, and what is added to a refusal.
    """

    nid: str
    document: str
    grammar: str
    examples: tuple[str, ...]
    counter_examples: tuple[str, ...]
    kind: Literal["abnf", "regex"] = "abnf"
    left_open: str = ""
    check_digits: str = ""
    merges: tuple[str, ...] = ()
    comparison: str = ""
    preferred_form: tuple[str, ...] = ()
    explained_by: str = ""
    practices: tuple[NamingPractice, ...] = ()
    exclusions: tuple[tuple[str, str], ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()

    def read_grammar(self) -> Grammar:
        """The grammar, ready for use; it is read once."""
        return _read_grammar(self.grammar, self.kind, self.nid)

    @answer_failures
    def check(self, name: URN | str) -> Ruling:
        """Whether `name`, a whole URN or an NSS, follows this rule.

        Components after the NSS are ignored. A text beginning with "urn:" is a whole URN.
        """
        try:
            asked = NameToCheck.of(name)
        except URNSyntaxError as error:
            return Ruling(Outcome.AGAINST, "rulebook.urn", str(error), error.rule, error.position)
        if asked.nid and asked.nid.lower() != self.nid:
            return rulings.refuse_other_namespace(asked, self.nid)
        ruling = self._check_nss(asked)
        if ruling.outcome is Outcome.AGAINST:
            for pattern, remark in self.remarks:
                if re.match(pattern, asked.nss, re.IGNORECASE):
                    return replace(ruling, message=f"{ruling.message} {remark}", remark=remark)
        return ruling

    def _check_nss(self, asked: NameToCheck) -> Ruling:
        verdict = self.read_grammar().matches_nss(asked.nss)
        if verdict.answer is Answer.YES:
            return self._settle(asked, "")
        if verdict.answer is Answer.NOT_DECIDED:
            return rulings.leave_undecided(asked, verdict, self.document)
        practice = self._find_practice(asked.nss)
        if practice:
            return self._settle(asked, practice.caution, practice.respell(asked.nss))
        return rulings.refuse_unmatched_name(asked, verdict, self.nid, self.document)

    def are_equivalent(self, first: URN | str, second: URN | str) -> NameEquivalence:
        """Whether two names are the same: by RFC 8141, section 3.1, or what the namespace adds.

        What the namespace adds can only merge, and only names that do not break the rule. Raises
        `URNSyntaxError` if one of the names is neither a URN nor an NSS.
        """
        one, other = self._as_urn(first), self._as_urn(second)
        ours = all(self.check(urn).outcome is not Outcome.AGAINST for urn in (one, other))
        document = self.comparison or self.document
        merges = self.merges if ours else None
        return compare_names(one, other, merges, document, self.read_grammar())

    def find_merged(self, nss: str) -> str:
        """The one spelling shared by all names that the namespace considers the same.

        `nss` may be the beginning of a name; its percent-octets are folded as in section 3.1.
        """
        return merge_spellings(self.merges, nss, self.read_grammar())

    def respell(self, urn: URN) -> URN | None:
        """`urn` as the document has it, if people write it otherwise and that can be determined."""
        begins = len("urn::") + len(urn.nid)
        try:
            if self.read_grammar().matches_nss(urn.nss).answer is not Answer.NO:
                return None
            practice = self._find_practice(urn.nss)
            if practice is None or not (nss := practice.respell(urn.nss)):
                return None
            return parse(urn.text[:begins] + nss + urn.text[begins + len(urn.nss) :])
        except Exception:
            logger.exception("A name of %s could not be respelled.", self.nid)
            return None

    def _settle(self, asked: NameToCheck, caution: str, respelled: str = "") -> Ruling:
        """The ruling on a name of the right form, or with a `caution` on a customary one."""
        for pattern, reason in self.exclusions:
            if excluded := re.match(pattern, asked.nss, re.IGNORECASE):
                return rulings.refuse_excluded_name(
                    asked, excluded.end() - 1, reason, self.nid, self.document
                )
        mistake = find_wrong_digits(self.check_digits, asked.nss) if self.check_digits else None
        if mistake:
            return rulings.refuse_wrong_digits(asked, mistake, self.nid, self.document)
        form = respelled
        if self.preferred_form:
            form = apply_preferred_forms(self.preferred_form, respelled or asked.nss)
        if form and self.read_grammar().matches_nss(form).answer is not Answer.YES:
            form = ""
        return rulings.accept_name(
            asked,
            caution,
            self.document,
            preferred=form and f"urn:{self.nid}:{form}",
            parts=self._parts(asked.nss),
            nid=self.nid,
        )

    def _find_practice(self, nss: str) -> NamingPractice | None:
        for practice in self.practices:
            if nss.lower().startswith(practice.not_for):
                continue
            customary = _read_grammar(practice.grammar, "abnf", self.nid)
            if customary.matches_nss(nss).answer is Answer.YES:
                return practice
        return None

    def _parts(self, nss: str) -> tuple[NamePart, ...]:
        return tuple(PART_EXPLANATIONS[self.explained_by](nss)) if self.explained_by else ()

    def _as_urn(self, name: URN | str) -> URN:
        if isinstance(name, URN):
            return name
        return parse(name if name[:4].lower() == "urn:" else f"urn:{self.nid}:{name}")


@cache
def _read_grammar(text: str, kind: str, nid: str) -> Grammar:
    return grammar.read(text, kind, nid=nid)


@cache
def list_ruled_nids() -> tuple[str, ...]:
    """The namespaces with a rule, sorted."""
    return tuple(sorted(path.stem for path in _DATA.glob("*.toml")))


def find_namespace_rule(nid: str) -> NamespaceRule | None:
    """The rule for the names of `nid`, ignoring case; `None` if we hold none."""
    folded = nid.lower()
    # Only existing files are opened, whatever was typed.
    return _load_rule(folded) if folded in list_ruled_nids() else None


@cache
def _load_rule(nid: str) -> NamespaceRule:
    held: dict[str, Any] = tomllib.loads((_DATA / f"{nid}.toml").read_text("utf-8"))
    return NamespaceRule(
        nid=nid,
        document=held["document"],
        grammar=held["grammar"],
        examples=tuple(held["examples"]),
        counter_examples=tuple(held["counter_examples"]),
        kind=held.get("kind", "abnf"),
        left_open=held.get("left_open", ""),
        check_digits=held.get("check", ""),
        merges=tuple(held.get("merges", ())),
        comparison=held.get("comparison", ""),
        preferred_form=tuple(held.get("preferred", ())),
        explained_by=held.get("parts", ""),
        practices=tuple(map(_build_practice, held.get("practice", ()))),
        exclusions=tuple((each["pattern"], each["text"]) for each in held.get("exclusion", ())),
        remarks=tuple((each["pattern"], each["text"]) for each in held.get("remark", ())),
    )


def _build_practice(held: dict[str, Any]) -> NamingPractice:
    return NamingPractice(
        grammar=held["grammar"],
        caution=held["caution"],
        examples=tuple(held["examples"]),
        not_for=tuple(held.get("not_for", ())),
        respelling=tuple(held.get("respelling", ())),
    )


class _RuleMapping(Mapping[str, NamespaceRule]):
    """The rules we hold, each read on access."""

    def __getitem__(self, nid: str) -> NamespaceRule:
        found = find_namespace_rule(nid)
        if found is None:
            raise KeyError(nid)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(list_ruled_nids())

    def __len__(self) -> int:
        return len(list_ruled_nids())


NAMESPACE_RULES: Final[Mapping[str, NamespaceRule]] = _RuleMapping()
"""All rules by namespace; a lookup reads only that one."""
