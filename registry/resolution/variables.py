"""What a template may say of a name: the variables, and how each is made of a URN."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.rulebook import rule as rule_of
from registry.urn import URN
from registry.urn.equivalence import upper_percent

Value = str | list[str]
NUMBERED: Final = 9


@dataclass(frozen=True, slots=True)
class Subject:
    """A name as one service is asked about it: `rest` is what stands behind the prefix."""

    urn: URN
    rest: str
    component: str = ""

    @property
    def nss(self) -> str:
        """The NSS as it is compared: equivalent names lead to one address."""
        return upper_percent(self.urn.nss)

    @property
    def preferred(self) -> str:
        """The NSS in the form that the namespace prefers, where one is known."""
        rule = rule_of(self.urn.nid)
        form = rule.check(self.urn).preferred if rule and rule.preferred_form else ""
        return form.split(":", 2)[2] if form else self.nss


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: what it is, in words, and how it is made."""

    words: str | Promise
    of: Callable[[Subject], Value | None]


def numbered(number: int) -> Variable:
    """Return the variable for one of the parts between colons."""

    def part(subject: Subject) -> str | None:
        parts = subject.rest.split(":")
        return parts[number - 1] if len(parts) >= number else None

    return Variable("", part)


def tail(subject: Subject) -> str | None:
    """Return what stands behind the first colon, none where there is no colon."""
    _first, colon, behind = subject.rest.partition(":")
    return behind if colon else None


VARIABLES: Final[Mapping[str, Variable]] = {
    "urn": Variable(
        _("the URN in its canonical form, without components (RFC 8141, section 3.1)"),
        lambda on: on.urn.assigned_name,
    ),
    "nid": Variable(_("the NID in lower case"), lambda on: on.urn.nid.lower()),
    "nss": Variable(_("the NSS"), lambda on: on.nss),
    "rest": Variable(
        _("what stands behind the beginning that the service is for; all of the NSS without one"),
        lambda on: on.rest,
    ),
    "tail": Variable(_("what stands behind the first colon of rest"), tail),
    "preferred": Variable(
        _("the NSS in the form that its namespace prefers, such as an ISBN of 13 digits"),
        lambda on: on.preferred,
    ),
    "compact": Variable(_("the same without hyphens"), lambda on: on.preferred.replace("-", "")),
    "parts": Variable(
        _("the parts of rest between colons, as a list"), lambda on: on.rest.split(":")
    ),
    "segments": Variable(
        _("the parts of rest between slashes, as a list"), lambda on: on.rest.split("/")
    ),
    **{f"part{number}": numbered(number) for number in range(1, NUMBERED + 1)},
    "r": Variable(_("the r-component, for the resolver (2.3.1)"), lambda on: on.urn.r_component),
    "q": Variable(_("the q-component, for the resource (2.3.2)"), lambda on: on.urn.q_component),
    "f": Variable(_("the f-component, for the client (2.3.3)"), lambda on: on.urn.f_component),
    "c": Variable(
        _("the component that the directive c= asks for (draft -03, section 2.3.2)"),
        lambda on: on.component or None,
    ),
}

EXPLAINED: Final[Mapping[str, str | Promise]] = {
    **{name: each.words for name, each in VARIABLES.items() if each.words},
    f"part1 … part{NUMBERED}": _("each of the parts of rest between colons"),
}
"""What stands for what, for people who write templates."""

LISTS: Final = frozenset({"parts", "segments"})
OPTIONAL: Final = frozenset("rqfc")
"""What a URN can be without."""


def values(names: Iterable[str], subject: Subject) -> dict[str, Value]:
    """Return those of the variables that are asked for and that there are."""
    made = ((name, whole(VARIABLES[name].of(subject))) for name in names)
    return {name: value for name, value in made if value is not None}


def whole(value: Value | None) -> Value | None:
    """Return a value; none for a list with an empty part, which has not all it should have."""
    return None if isinstance(value, list) and not all(value) else value
