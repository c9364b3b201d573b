"""NSSs that a rule may stumble over, made of its own examples."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from registry.namespace_rules import NamespaceRule
from registry.urn import is_valid

AT_EITHER_END: Final = ("", "-", ".", ":", "/", "~", "'", "%20", "%2F", "%00", "%FF", "%D9%A9", "0")
INSIDE: Final = (*AT_EITHER_END, "--", "::", "//", "@", "urn:", "%E2%80%AE", "x", "9" * 40)


def make_hostile_names(rule: NamespaceRule, count: int) -> list[str]:
    """Return `count` different URNs in the namespace of `rule`, the same each time."""
    names: dict[str, None] = {}
    for name in iterate_hostile_names(rule, random.Random(rule.nid)):
        if is_valid(name):
            names.setdefault(name)
        if len(names) == count:
            break
    return list(names)


def iterate_hostile_names(rule: NamespaceRule, chance: random.Random) -> Iterator[str]:
    """Yield prefixes written twice and thrice first, then what chance makes of the examples."""
    prefix = f"urn:{rule.nid}:"
    nsss = (*rule.examples, *filter(None, rule.counter_examples))
    for nss in nsss:
        for before in (prefix, prefix.upper(), prefix * 2, f"{prefix}/", "urn:", "urn:isbn:"):
            yield f"{prefix}{before}{nss}"
    while True:
        nss = chance.choice(nsss)
        at = chance.randrange(len(nss) + 1)
        before, behind = chance.choice(AT_EITHER_END), chance.choice(AT_EITHER_END)
        cut = nss[: at if chance.random() < 0.3 else None]
        changed = cut[:at] + chance.choice(INSIDE) + cut[at + chance.randrange(2) :]
        spelled = chance.choice((str, str.upper, str.lower, str.swapcase))(changed)
        doubled = chance.choice(("", "", "", prefix, prefix.upper()))
        components = chance.choice(("", "", "", "?+r?=q#f", "#", "?=a?b"))
        yield f"{prefix}{doubled}{before}{spelled}{behind}{components}"
