"""Reading one text by one specification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from registry.urn.causes import SCHEME
from registry.urn.diagnosis import diagnose, scheme_reach
from registry.urn.errors import Cause, URNSyntaxError
from registry.urn.spec.cautions import cautions
from registry.urn.spec.profiles import PROFILES, RFC_2141, RFC_8141, Profile, Rule

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
class Reading:
    """What one specification makes of a text.

    `parts` are the components it finds, by its own names and as written, as far as it comes;
    `error` says where it stops taking the text for a URN. `cautions` are what its prose advises
    against although its grammar lets it pass.
    """

    profile: Profile
    parts: Mapping[str, str]
    error: URNSyntaxError | None
    cautions: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Whether the specification takes the text for a URN."""
        return self.error is None


def readings(text: str) -> tuple[Reading, ...]:
    """Read `text` by each of the four specifications, the oldest first."""
    return tuple(read(text, profile) for profile in PROFILES)


def read(text: str, profile: Profile) -> Reading:
    """Read `text` by one specification."""
    parts: dict[str, str] = {}
    error = _walk(text, profile, parts) or _forbidden(text, profile, parts)
    if error is not None and profile is RFC_8141:
        error = diagnose(text)
    heeded = () if error else cautions(profile, parts)
    return Reading(profile, MappingProxyType(parts), error, heeded)


def _walk(text: str, profile: Profile, parts: dict[str, str]) -> URNSyntaxError | None:
    """Take the parts of `text` in turn into `parts`; the error that stops this, if any."""
    end = 0
    last = profile.rules[0]
    for rule in profile.rules:
        mark = rule.mark.match(text, end)
        if mark is None and rule.component in _OPTIONAL:
            continue
        if mark is None:
            return _unmarked(text, profile, end, rule)
        content = rule.content.match(text, mark.end())
        if content is None or not (content.group() or rule.component in _MAY_BE_EMPTY):
            return _unbegun(text, profile, mark.end(), rule)
        parts[rule.component] = content.group()
        end, last = content.end(), rule
    if end < len(text):
        return _error(text, end, profile, last, "{character} cannot stand in")
    return None


def _unmarked(text: str, profile: Profile, end: int, rule: Rule) -> URNSyntaxError:
    if rule.component == "nid":
        return URNSyntaxError(text, scheme_reach(text), SCHEME)
    return _error(text, end, profile, rule, "{character} stands where a colon introduces")


def _unbegun(text: str, profile: Profile, start: int, rule: Rule) -> URNSyntaxError:
    if rule.component != "nid" or profile is RFC_2141:
        return _error(text, start, profile, rule, "{character} cannot begin")
    # The drafts have the NID of RFC 8141, and so its ways of being wrong.
    error = diagnose(text)
    cause = replace(error.cause, rule=f"{rule.production} ({profile})")
    return URNSyntaxError(text, error.position, cause)


def _forbidden(text: str, profile: Profile, parts: dict[str, str]) -> URNSyntaxError | None:
    nid, nss = profile.rules[:2]
    if profile.reserves and parts["nid"].lower() == "urn":
        rule = replace(nid, production=profile.reserves)
        return _error(text, len("urn:"), profile, rule, "“urn” is reserved and cannot be")
    nul = text.find("%00") if profile.bans_nul else -1
    if nul >= 0:
        rule = replace(nss, production=profile.bans_nul)
        return _error(text, nul, profile, rule, "the NUL octet cannot stand in")
    return None


def _error(text: str, position: int, profile: Profile, rule: Rule, what: str) -> URNSyntaxError:
    cause = Cause(
        rule.component,
        f"{rule.production} ({profile})",
        f"{what} {_NAMES[rule.component]}",
        f"So says {profile}; RFC 8141 is the one in force.",
    )
    return URNSyntaxError(text, position, cause)
