"""When two URNs are the same by the specification that one reads them with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from registry.urn.equivalence import assigned_name, upper_percent
from registry.urn.spec.directives import reordered
from registry.urn.spec.profiles import DRAFT_03, Profile
from registry.urn.spec.reading import read

Step = Literal["5a", "5b"]


def lexical_form(text: str, profile: Profile, step: Step = "5a") -> str:
    """What `profile` compares of `text`: equal forms are equivalent URNs.

    RFC 2141 (section 5) knows no components and keeps everything. Draft -03 (section 5) drops the
    fragment, and then the query (`step` 5a, to tell resources apart) or puts its directives in
    one order (5b, to tell results of resolution apart). Draft -12 (section 4.1) and RFC 8141
    (section 3.1) drop every component. Raises `URNSyntaxError` where `profile` finds no URN.
    """
    reading = read(text, profile)
    if reading.error is not None:
        raise reading.error
    return _form(reading.parts, profile, step)


def is_lexically_equivalent(first: str, second: str, profile: Profile, step: Step = "5a") -> bool:
    """Whether `profile` takes two texts for the same URN; raises as `lexical_form` does."""
    return lexical_form(first, profile, step) == lexical_form(second, profile, step)


def _form(parts: Mapping[str, str], profile: Profile, step: Step) -> str:
    name = assigned_name(parts["nid"], parts["nss"])
    if profile is DRAFT_03 and step == "5b" and "query" in parts:
        return f"{name}?{reordered(upper_percent(parts['query']))}"
    return name
