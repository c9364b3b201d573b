"""What each specification advises against although its grammar lets it pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from registry.urn.spec.directives import KEYWORDS, directives, effective
from registry.urn.spec.profiles import DRAFT_03, DRAFT_12, RFC_2141, RFC_8141, Profile


def cautions(profile: Profile, parts: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences of advice on the parts that `profile` finds in a text."""
    return _ADVICE[profile.name](parts)


def _of_rfc_2141(parts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"“{mark}” is reserved for later use and should be percent-encoded (section 2.3.2)."
        for mark in "/?#"
        if mark in parts["nss"]
    )


def _of_draft_03(parts: Mapping[str, str]) -> tuple[str, ...]:
    found = []
    if "query" in parts:
        found.append("A query makes this a reference to a URN, not an assigned one (section 2.3).")
        found.extend(_of_directives(parts["query"]))
    if "fragment" in parts:
        found.append(
            "A fragment is allowed only where the namespace provides for it (section 2.4)."
        )
    return tuple(found)


def _of_directives(query: str) -> list[str]:
    keywords = dict.fromkeys(directive.keyword for directive in directives(query))
    heeded = {directive.keyword for directive in effective(query)}
    repeated = [keyword for keyword in keywords if keyword not in heeded]
    unknown = [keyword for keyword in heeded if keyword not in KEYWORDS]
    return [
        f"“{keyword}” is there more than once and is ignored altogether (section 2.3)."
        for keyword in repeated
    ] + [
        f"“{keyword}” is not among the keywords first registered (section 9.2.1)."
        for keyword in sorted(unknown)
    ]


def _of_draft_12(parts: Mapping[str, str]) -> tuple[str, ...]:
    if not {"q", "r", "f"} & parts.keys():
        return ()
    return ("Components are allowed only where the namespace defines them (section 3.3).",)


def _of_rfc_8141(parts: Mapping[str, str]) -> tuple[str, ...]:
    if "r" not in parts:
        return ()
    return ("An r-component should wait until its meaning is standardized (section 2.3.1).",)


_ADVICE: Final = {
    RFC_2141.name: _of_rfc_2141,
    DRAFT_03.name: _of_draft_03,
    DRAFT_12.name: _of_draft_12,
    RFC_8141.name: _of_rfc_8141,
}
