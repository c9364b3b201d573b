"""What a template may say of a name: the variables, and how each is made of a URN."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry.namespace_rules import find_namespace_rule as rule_of
from registry.urn import URN
from registry.urn.equivalence import fold_percent_octets

Value = str | list[str]
MAX_NUMBERED_PARTS: Final = 9


@dataclass(frozen=True, slots=True)
class TemplateSubject:
    """A name as one service is asked about it: `rest` is what stands behind the prefix."""

    urn: URN
    rest: str
    component: str = ""

    @property
    def nss(self) -> str:
        """The NSS as it is compared: equivalent names lead to one address."""
        return fold_percent_octets(self.urn.nss)

    @property
    def preferred(self) -> str:
        """The NSS in the form that the namespace prefers, where one is known."""
        rule = rule_of(self.urn.nid)
        form = rule.check(self.urn).preferred if rule and rule.preferred_form else ""
        return form.split(":", 2)[2] if form else self.nss


@dataclass(frozen=True, slots=True)
class TemplateVariable:
    """One variable: what it is, in words, and how it is made."""

    words: str | Promise
    of: Callable[[TemplateSubject], Value | None]


def make_part_variable(number: int) -> TemplateVariable:
    """Return the variable for one of the parts between colons."""

    def part(subject: TemplateSubject) -> str | None:
        parts = subject.rest.split(":")
        return parts[number - 1] if len(parts) >= number else None

    return TemplateVariable("", part)


def find_tail(subject: TemplateSubject) -> str | None:
    """Return what stands behind the first colon, none where there is no colon."""
    _first, colon, behind = subject.rest.partition(":")
    return behind if colon else None


TEMPLATE_VARIABLES: Final[Mapping[str, TemplateVariable]] = {
    "urn": TemplateVariable(
        _("the URN in its canonical form, without components (RFC 8141, section 3.1)"),
        lambda on: on.urn.assigned_name,
    ),
    "nid": TemplateVariable(_("the NID in lower case"), lambda on: on.urn.nid.lower()),
    "nss": TemplateVariable(_("the NSS"), lambda on: on.nss),
    "rest": TemplateVariable(
        _("what stands behind the beginning that the service is for; all of the NSS without one"),
        lambda on: on.rest,
    ),
    "tail": TemplateVariable(_("what stands behind the first colon of rest"), find_tail),
    "preferred": TemplateVariable(
        _("the NSS in the form that its namespace prefers, such as an ISBN of 13 digits"),
        lambda on: on.preferred,
    ),
    "compact": TemplateVariable(
        _("the same without hyphens"), lambda on: on.preferred.replace("-", "")
    ),
    "parts": TemplateVariable(
        _("the parts of rest between colons, as a list"), lambda on: on.rest.split(":")
    ),
    "segments": TemplateVariable(
        _("the parts of rest between slashes, as a list"), lambda on: on.rest.split("/")
    ),
    **{f"part{number}": make_part_variable(number) for number in range(1, MAX_NUMBERED_PARTS + 1)},
    "r": TemplateVariable(
        _("the r-component, for the resolver (2.3.1)"), lambda on: on.urn.r_component
    ),
    "q": TemplateVariable(
        _("the q-component, for the resource (2.3.2)"), lambda on: on.urn.q_component
    ),
    "f": TemplateVariable(
        _("the f-component, for the client (2.3.3)"), lambda on: on.urn.f_component
    ),
    "c": TemplateVariable(
        _("the component that the directive c= asks for (draft -03, section 2.3.2)"),
        lambda on: on.component or None,
    ),
}

VARIABLE_DESCRIPTIONS: Final[Mapping[str, str | Promise]] = {
    **{name: each.words for name, each in TEMPLATE_VARIABLES.items() if each.words},
    f"part1 … part{MAX_NUMBERED_PARTS}": _("each of the parts of rest between colons"),
}
"""What stands for what, for people who write templates."""

LIST_VARIABLES: Final = frozenset({"parts", "segments"})
OPTIONAL_VARIABLES: Final = frozenset("rqfc")
"""What a URN can be without."""


def compute_variables(names: Iterable[str], subject: TemplateSubject) -> dict[str, Value]:
    """Return those of the variables that are asked for and that there are."""
    made = ((name, require_complete(TEMPLATE_VARIABLES[name].of(subject))) for name in names)
    return {name: value for name, value in made if value is not None}


def require_complete(value: Value | None) -> Value | None:
    """Return a value; none for a list with an empty part, which has not all it should have."""
    return None if isinstance(value, list) and not all(value) else value
